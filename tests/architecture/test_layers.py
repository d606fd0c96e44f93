"""Imports point down."""

import ast
import subprocess
import sys
import tomllib

from tests.support.project import PROJECT, modules, name_of, tree


def test_the_contract_of_the_layers_is_kept() -> None:
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_app_has_its_layer() -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = " ".join(settings["tool"]["importlinter"]["contracts"][0]["layers"]).replace("|", " ").split()
    apps = {f"apps.{path.parent.name}" for path in (PROJECT / "apps").glob("*/__init__.py")}
    assert apps - set(layers) == set()


def test_the_loop_knows_no_django_and_nothing_of_others() -> None:
    for path in modules("apps/agent"):
        for node in ast.walk(tree(path)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                is_own = name.startswith(("apps.agent", "apps.common"))
                assert is_own or name.partition(".")[0] in sys.stdlib_module_names, f"{name_of(path)} imports {name}"
