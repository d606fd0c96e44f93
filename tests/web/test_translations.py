"""Every text of the product stands in Chinese, and the compiled file says what the source says."""

import ast
import gettext
import re
from collections.abc import Iterator
from pathlib import Path

from django.utils.translation.template import templatize

PROJECT = Path(__file__).resolve().parents[2]
FOLDER = PROJECT / "config" / "locale" / "zh_Hans" / "LC_MESSAGES"
CALLS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"}
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]|\{(\w+)\}")
HAS_CHINESE = re.compile(r"[\u4e00-\u9fff]")
SAME_IN_BOTH = {"API"}


def catalogue() -> dict[str, str]:
    """Return the source file: each text, the singular of a pair, with its Chinese."""
    found: dict[str, str] = {}
    for entry in (FOLDER / "django.po").read_text(encoding="utf-8").split("\n\n")[1:]:
        keyword, texts = "", {"msgid": "", "msgid_plural": "", "msgstr": ""}
        for line in entry.splitlines():
            if line.startswith("msg"):
                keyword, _space, line = line.partition(" ")
                keyword = keyword.partition("[")[0]
            if line.startswith('"'):
                texts[keyword] += ast.literal_eval(line)
        found[texts["msgid"]] = texts["msgstr"]
    return found


def texts_of_python(source: str) -> Iterator[str]:
    """Yield the marked texts of a module."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS and node.args:
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value


def texts_of_template(source: str) -> Iterator[str]:
    """Yield the marked texts of a template; Django itself turns the tags into calls."""
    for call in re.finditer(r"\b(?:gettext|ngettext|_)\(u?('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")", templatize(source)):
        yield ast.literal_eval(call[1])


def marked_texts() -> Iterator[str]:
    """Yield every marked text of the product."""
    for folder in ("apps", "config"):
        for path in (PROJECT / folder).rglob("*.py"):
            yield from texts_of_python(path.read_text(encoding="utf-8"))
    for path in [*(PROJECT / "templates").rglob("*.html"), *(PROJECT / "apps").rglob("*.html")]:
        yield from texts_of_template(path.read_text(encoding="utf-8"))


def test_every_marked_text_is_in_the_catalogue_h72() -> None:
    assert set(marked_texts()) - set(catalogue()) == set()


def test_every_text_is_translated_h72() -> None:
    assert [text for text, chinese in catalogue().items() if not HAS_CHINESE.search(chinese) and text not in SAME_IN_BOTH] == []


def test_translations_keep_the_placeholders() -> None:
    def names(text: str) -> set[str]:
        return {name or brace for name, brace in PLACEHOLDER.findall(text)}

    assert [text for text, chinese in catalogue().items() if names(text) != names(chinese)] == []


def test_the_compiled_file_says_what_the_source_says() -> None:
    with (FOLDER / "django.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for text, chinese in catalogue().items():
        assert compiled.gettext(text) == chinese or compiled.ngettext(text, text, 2) == chinese
