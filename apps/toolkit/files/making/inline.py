"""What stands within a line of Markdown, as reportlab's markup. Whatever was written is escaped: it is never markup."""

from collections.abc import Callable
from xml.sax.saxutils import quoteattr

from markdown_it.tree import SyntaxTreeNode

from apps.toolkit.files.making.runs import marked

_LINKED = ("https://", "http://", "mailto:")
_AROUND = {
    "strong": ("<b>", "</b>"),
    "em": ("<i>", "</i>"),
    "s": ("<strike>", "</strike>"),
}


def inline_markup(node: SyntaxTreeNode, replaced: set[str]) -> str:
    """Return the markup of a node."""
    return _KINDS.get(node.type, _inner)(node, replaced)


def _inner(node: SyntaxTreeNode, replaced: set[str]) -> str:
    before, after = _AROUND.get(node.type, ("", ""))
    return before + "".join(inline_markup(child, replaced) for child in node.children) + after


def _text(node: SyntaxTreeNode, replaced: set[str]) -> str:
    return marked(node.content, replaced)


def _code(node: SyntaxTreeNode, replaced: set[str]) -> str:
    return f'<font name="Courier">{marked(node.content, replaced)}</font>'


def _link(node: SyntaxTreeNode, replaced: set[str]) -> str:
    address = str(node.attrs.get("href", ""))
    words = _inner(node, replaced)
    return f'<a href={quoteattr(address)} color="#0f5c55">{words}</a>' if address.lower().startswith(_LINKED) else words


_KINDS: dict[str, Callable[[SyntaxTreeNode, set[str]], str]] = {
    "text": _text,
    "code_inline": _code,
    "link": _link,
    "image": _inner,
    "softbreak": lambda node, replaced: " ",
    "hardbreak": lambda node, replaced: "<br/>",
}


def plain(node: SyntaxTreeNode) -> str:
    """Return the text of a node without its marks."""
    return "".join(child.content if child.type in ("text", "code_inline") else " " for child in node.walk() if not child.children)
