"""What lies in the repository, and what must not."""

import re
import tomllib

from django.conf import settings

from tests.support.project import PROJECT, tracked_files

TOP_LEVEL = {
    ".bin",
    ".ci",
    ".gitignore",
    ".python-version",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "LICENSE",
    "README.md",
    "apps",
    "config",
    "docs",
    "manage.py",
    "pyproject.toml",
    "requirements.lock",
    "static",
    "templates",
    "tests",
}
LOCK = (PROJECT / "requirements.lock").read_text(encoding="utf-8")
TEXT = {"", ".py", ".md", ".toml", ".html", ".css", ".js", ".txt", ".lock", ".po", ".json", ".sh"}
# No path of the machine that this was written on: whoever reads it has another one.
MACHINE_PATH = re.compile(r"(?<![\w.:/$}-])/(?:work|root|farm)/\w")


def pyproject() -> dict[str, dict[str, object]]:
    return tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_top_level_holds_only_what_is_known() -> None:
    assert {path.partition("/")[0] for path in tracked_files()} - TOP_LEVEL == set()


def test_no_lock_file_that_names_index_hosts_is_tracked() -> None:
    names = {path.rpartition("/")[2] for path in tracked_files()}
    assert names & {"uv.lock", "pylock.toml", "package-lock.json", "poetry.lock"} == set()


def test_the_pins_name_no_host() -> None:
    for text in (LOCK, (PROJECT / ".bin" / "uv.txt").read_text(encoding="utf-8")):
        assert "://" not in text
        assert "index-url" not in "".join(line for line in text.splitlines() if not line.startswith("#"))


def test_every_pin_has_a_hash() -> None:
    for pin in re.split(r"\n(?=\S)", "\n".join(line for line in LOCK.splitlines() if not line.strip().startswith("#"))):
        assert re.match(r"[\w.-]+==\S+", pin)
        assert "--hash=sha256:" in pin


def test_every_dependency_is_pinned() -> None:
    project = pyproject()["project"]
    extras = project["optional-dependencies"]
    assert isinstance(extras, dict)
    wanted = [*project["dependencies"], *(each for extra in extras.values() for each in extra)]  # type: ignore[misc]
    names = {re.split(r"[\[<>=! ;]", each)[0].lower() for each in wanted} - {"handraise"}
    pinned = {found.lower() for found in re.findall(r"^([\w.-]+)==", LOCK, re.MULTILINE)}
    assert names - pinned == set()


def test_one_version_is_named_everywhere() -> None:
    version = pyproject()["project"]["version"]
    assert version == settings.VERSION
    assert f"## {version}" in (PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_no_file_names_a_path_of_one_machine() -> None:
    found = []
    for name in tracked_files():
        path = PROJECT / name
        is_text = path.suffix in TEXT and "vendor" not in path.parts
        if is_text and MACHINE_PATH.search(path.read_text(encoding="utf-8", errors="replace")):
            found.append(name)
    assert found == []
