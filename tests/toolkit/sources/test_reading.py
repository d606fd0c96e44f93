"""What is read of each kind of file: its parts with their pages and headings."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from apps.toolkit.sources.reading.sections import PART_CHARACTERS
from apps.toolkit.sources.reading.worker import run
from tests.toolkit.sources import papers


def read(folder: Path, name: str, content: bytes | str) -> dict[str, Any]:
    """Return what the worker says of a file."""
    path = folder / "file"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return run({"path": str(path), "name": name, "pages": 300, "characters": 100_000})


def parts(folder: Path, name: str, content: bytes | str) -> Sequence[Sequence[Any]]:
    outcome = read(folder, name, content)
    assert outcome["status"] == "read", outcome
    return outcome["parts"]


def test_a_pdf_has_pages(tmp_path: Path) -> None:
    assert parts(tmp_path, "a.pdf", papers.pdf("First page", "", "第三页")) == [["First page", "", 1], ["第三页", "", 3]]


def test_a_docx_has_headings_and_tables(tmp_path: Path) -> None:
    content = papers.word(("Title", "Pumps"), ("Normal", "They turn."), ("Heading 1", "Prices"), [["small", "5"], ["large", "9"]])
    assert parts(tmp_path, "a.docx", content) == [
        ["Pumps\n\nThey turn.", "Pumps", None],
        ["Prices\n\nsmall | 5\n\nlarge | 9", "Prices", None],
    ]


def test_markdown_has_headings_but_not_in_its_code(tmp_path: Path) -> None:
    source = "Before.\n\n# One #\ntext\n```\n# no heading\n```\n## 二\nmore"
    assert [part[:2] for part in parts(tmp_path, "a.md", source)] == [
        ["Before.", ""],
        ["# One #\ntext\n```\n# no heading\n```", "One"],
        ["## 二\nmore", "二"],
    ]


def test_of_a_web_page_only_the_words_are_read(tmp_path: Path) -> None:
    article = "".join(f"<p>Paragraph {number} tells of pumps and of their seals at length.</p>" for number in range(9))
    source = f"<!doctype html><html><script>secret()</script><body><h1>Pumps</h1>{article}</body></html>"
    ((text, _heading, _page), *_more) = parts(tmp_path, "page.html", source)
    assert "Paragraph 0 tells of pumps" in text
    assert "secret" not in text


def test_a_web_page_without_an_article_is_read_all_the_same(tmp_path: Path) -> None:
    assert parts(tmp_path, "page.htm", "<html><style>p{}</style><p>Hi.</p></html>") == [["Hi.", "", None]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "gb18030"])
def test_a_text_is_read_in_the_encodings_that_are_in_use(tmp_path: Path, encoding: str) -> None:
    assert parts(tmp_path, "a.txt", "水泵的保修期为二十四个月。".encode(encoding)) == [["水泵的保修期为二十四个月。", "", None]]


def test_a_name_without_a_known_ending_is_a_text_if_its_content_is(tmp_path: Path) -> None:
    assert read(tmp_path, "solve.py", "print(1)")["kind"] == "text/plain"
    assert read(tmp_path, "README", "<!DOCTYPE html><p>x</p>")["kind"] == "text/html"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.png", papers.PICTURE),
        ("a.jpg", b"\xff\xd8\xff\xe0rest"),
        ("a.gif", b"GIF89arest"),
        ("a.webp", b"RIFF\0\0\0\0WEBPVP8 "),
    ],
)
def test_a_picture_has_no_parts(tmp_path: Path, name: str, content: bytes) -> None:
    assert parts(tmp_path, name, content) == []


def test_long_texts_are_cut_between_paragraphs_else_sentences_else_anywhere(tmp_path: Path) -> None:
    paragraphs = "\n\n".join(["Short paragraph."] * 200)
    sentences = "句子很短。" * 900
    unbroken = "x" * 5000
    for source in (paragraphs, sentences, unbroken):
        texts = [part[0] for part in parts(tmp_path, "a.txt", source)]
        assert all(len(text) <= PART_CHARACTERS for text in texts)
        assert len(texts) <= len(source) // PART_CHARACTERS + 2
        assert "".join("".join(texts).split()) == "".join(source.split())


def test_what_cannot_be_shown_or_stored_is_left_out(tmp_path: Path) -> None:
    assert parts(tmp_path, "a.txt", "a\u202eb\u200bc\ufeffd") == [["abcd", "", None]]


def test_entities_of_a_docx_lead_nowhere(tmp_path: Path) -> None:
    body = (
        '<!DOCTYPE x [<!ENTITY leak SYSTEM "file:///etc/passwd">]><w:document'
        ' xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>&leak;</w:t></w:r></w:p>'
        "</w:body></w:document>"
    )
    content = papers.replaced(papers.word(("Normal", "x")), "word/document.xml", body)
    assert read(tmp_path, "a.docx", content) == {"status": "cannot", "reason": "empty"}
