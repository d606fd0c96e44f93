"""Markdown as PDF: headings, paragraphs, lists, tables, code, quotes. Pictures are their words, formulas their text."""

import io
from collections.abc import Callable, Sequence
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from reportlab.lib import colors
from reportlab.lib.enums import TA_LEFT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.platypus import (
    Flowable,
    HRFlowable,
    Indenter,
    ListFlowable,
    ListItem,
    LongTable,
    Paragraph,
    SimpleDocTemplate,
    Spacer,
    TableStyle,
    XPreformatted,
)
from reportlab.platypus.doctemplate import LayoutError

from apps.toolkit.files.making.inline import inline_markup, plain
from apps.toolkit.files.making.runs import is_wide, marked
from apps.toolkit.files.making.unfit import Unfit

MAX_PAGES = 200
MAX_COLUMNS = 15
_MARGIN = 20 * mm
_WIDTH = A4[0] - 2 * _MARGIN
_CODE_COLUMNS = 84
_PADDING, _LETTER = 14.0, 5.4
"""Points: of a cell, left and right together, and of a letter in it."""
_GREY, _PALE = colors.HexColor("#555555"), colors.HexColor("#f2f2f2")
_SIZES = {"h1": 20, "h2": 16, "h3": 13.5, "h4": 12, "h5": 11, "h6": 10.5}

_TABLE = TableStyle(
    [
        ("BACKGROUND", (0, 0), (-1, 0), _PALE),
        ("GRID", (0, 0), (-1, -1), 0.5, _GREY),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
    ]
)

BODY = ParagraphStyle("body", fontName="Helvetica", fontSize=10.5, leading=15.5, spaceAfter=6, alignment=TA_LEFT)
CELL = ParagraphStyle("cell", parent=BODY, fontSize=9.5, leading=13, spaceAfter=0)
CODE = ParagraphStyle("code", fontName="Courier", fontSize=9, leading=12.5, backColor=_PALE, borderPadding=4, spaceBefore=4)
HEADINGS = {
    tag: ParagraphStyle(
        tag, parent=BODY, fontName="Helvetica-Bold", fontSize=size, leading=1.35 * size, spaceBefore=0.6 * size, keepWithNext=1
    )
    for tag, size in _SIZES.items()
}

_markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])


def pdf_of(text: str) -> tuple[bytes, list[str]]:
    """Return a PDF, and the characters that it cannot show. Raises Unfit."""
    replaced: set[str] = set()
    story = Story(replaced).blocks(SyntaxTreeNode(_markdown.parse(text)).children)
    file = io.BytesIO()
    document = SimpleDocTemplate(
        file, pagesize=A4, leftMargin=_MARGIN, rightMargin=_MARGIN, topMargin=_MARGIN, bottomMargin=_MARGIN,
        invariant=1, title="", author="", creator="Handraise", producer="Handraise",
    )  # fmt: skip
    try:
        document.build(story or [Spacer(0, 1)], onFirstPage=_number, onLaterPages=_number)
    except LayoutError:
        raise Unfit("no_layout") from None
    return file.getvalue(), sorted(replaced)


def _number(canvas: Any, document: Any) -> None:
    """Write the number of the page at its foot."""
    if document.page > MAX_PAGES:
        raise Unfit("too_many_pages", limit=MAX_PAGES)
    canvas.setFont("Helvetica", 8)
    canvas.setFillColor(_GREY)
    canvas.drawCentredString(A4[0] / 2, 10 * mm, str(document.page))


class Story:
    """Turns blocks of Markdown into what reportlab lays out."""

    def __init__(self, replaced: set[str]) -> None:
        self._replaced = replaced
        self._kinds: dict[str, Callable[[SyntaxTreeNode], Sequence[Flowable]]] = {
            "heading": lambda node: [self._paragraph(node, HEADINGS[node.tag])],
            "paragraph": lambda node: [self._paragraph(node, BODY)],
            "bullet_list": lambda node: [self._list(node, bulletType="bullet")],
            "ordered_list": lambda node: [
                self._list(node, bulletType="1", bulletFormat="%s.", start=int(node.attrs.get("start", 1)))
            ],
            "fence": self._code,
            "code_block": self._code,
            "blockquote": self._quote,
            "table": self._table,
            "hr": lambda node: [HRFlowable(width="100%", color=_GREY, spaceBefore=6, spaceAfter=8)],
        }

    def blocks(self, nodes: Sequence[SyntaxTreeNode]) -> list[Flowable]:
        """Return the blocks in their order."""
        return [flowable for node in nodes for flowable in self._kinds[node.type](node)]

    def _paragraph(self, node: SyntaxTreeNode, style: ParagraphStyle) -> Paragraph:
        markup = "".join(inline_markup(child, self._replaced) for child in node.children)
        # Only where there is Chinese: else words would be cut anywhere.
        wide = ParagraphStyle(style.name, parent=style, wordWrap="CJK") if is_wide(plain(node)) else style
        return Paragraph(markup, wide)

    def _list(self, node: SyntaxTreeNode, **how: Any) -> ListFlowable:
        items = [ListItem(self.blocks(item.children) or [Spacer(0, 1)]) for item in node.children]
        return ListFlowable(items, leftIndent=16, bulletFontSize=9.5, bulletOffsetY=-1, **how)

    def _code(self, node: SyntaxTreeNode) -> Sequence[Flowable]:
        lines = [piece for line in node.content.rstrip("\n").expandtabs(4).split("\n") for piece in _pieces(line)]
        return [XPreformatted(marked("\n".join(lines), self._replaced), CODE), Spacer(0, 10)]

    def _quote(self, node: SyntaxTreeNode) -> Sequence[Flowable]:
        return [Indenter(14), *self.blocks(node.children), Indenter(-14)]

    def _table(self, node: SyntaxTreeNode) -> Sequence[Flowable]:
        rows = [row.children for part in node.children for row in part.children]
        if len(rows[0]) > MAX_COLUMNS:
            raise Unfit("wide_table", count=len(rows[0]), limit=MAX_COLUMNS)
        cells = [[self._paragraph(cell, CELL) for cell in row] for row in rows]
        table = LongTable(cells, colWidths=_widths(rows), repeatRows=1, splitInRow=1, hAlign="LEFT", style=_TABLE)
        return [table, Spacer(0, 10)]


def _widths(rows: Sequence[Sequence[SyntaxTreeNode]]) -> list[float]:
    """Give each column what its longest cell needs; where that is too much, narrow ones keep it and wide ones share."""
    needed = [_PADDING + _LETTER * max(_length(plain(cell)) for cell in column) for column in zip(*rows, strict=True)]
    widths, left = dict.fromkeys(range(len(needed)), 0.0), _WIDTH
    for served, place in enumerate(sorted(widths, key=needed.__getitem__)):
        widths[place] = min(needed[place], left / (len(needed) - served))
        left -= widths[place]
    return list(widths.values())


def _length(text: str) -> int:
    """Count a Chinese character as two letters."""
    return sum(2 if is_wide(sign) else 1 for sign in text)


def _pieces(line: str) -> list[str]:
    """Cut a line of code that is wider than the page; a Chinese character is as wide as two others."""
    width = _CODE_COLUMNS // 2 if is_wide(line) else _CODE_COLUMNS
    return [line[start : start + width] for start in range(0, len(line), width)] or [""]
