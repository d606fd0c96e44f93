"""Markdown to HTML that is safe to show: parsed without raw HTML, then cleaned down to a list of allowed elements."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

import nh3
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from apps.web.citations import Citable, with_citations
from apps.web.mathematics import with_mathematics
from apps.web.readable import readable

_TAGS = {
    "a",
    "blockquote",
    "br",
    "code",
    "del",
    "div",
    "em",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "li",
    "ol",
    "p",
    "pre",
    "s",
    "span",
    "strong",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
}
_CLASS, _MATH = {"class"}, {"class", "data-tex"}
_ATTRIBUTES = {"a": {"href"}, "ol": {"start"}, "span": _MATH, "div": _MATH, "code": _CLASS, "td": _CLASS, "th": _CLASS}
_ALIGNED = {"text-align:right": "to-right", "text-align:center": "to-center"}
"""Cells of a column: the content security policy lets no element have a style of its own."""
_CELL = set(_ALIGNED.values())
_CLASSES = {"span": {"math", "math-display", "host"}, "div": {"math", "math-display"}, "td": _CELL, "th": _CELL}
_SCHEMES = {"http", "https", "mailto"}
_LARGEST = 200_000
"""Characters; a longer text is shown as it is written."""


def render(text: str, sources: Citable | None = None) -> SafeString:
    """Return what the agent wrote as HTML: headings begin at h3, links show their host, pictures are left out.

    Citations of these sources are links.
    """
    return _cleaned(_agent(), text, sources)


def render_line(text: str) -> SafeString:
    """Return one line of plain text with its formulas: a title, a label."""
    return mark_safe(nh3.clean(_line().renderInline(text), tags={"span"}, attributes={"span": _MATH}))


def render_typed(text: str) -> SafeString:
    """Return what a person typed as HTML: code, links and formulas only, every other sign as it was typed.

    Whoever types `2*x*y` or `- 3` means mathematics, not emphasis or a list.
    """
    return _cleaned(_person(), text)


@cache
def _agent() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
    with_citations(parser)
    parser.core.ruler.after("inline", "pictures_as_links", _pictures_as_links)
    return _prepared(parser.disable(["image", "html_block", "html_inline"]))


@cache
def _person() -> MarkdownIt:
    return _prepared(MarkdownIt("zero", {"html": False}).enable(["fence", "backticks", "autolink"]))


@cache
def _line() -> MarkdownIt:
    return _prepared(MarkdownIt("zero", {"html": False}))


def _prepared(parser: MarkdownIt) -> MarkdownIt:
    with_mathematics(parser)
    for name, rule in _RULES.items():
        parser.add_render_rule(name, rule)
    return parser


def _cleaned(parser: MarkdownIt, text: str, sources: Citable | None = None) -> SafeString:
    if len(text) > _LARGEST:
        return mark_safe(f"<p>{escape(text)}</p>")
    cleaned = nh3.clean(
        parser.render(text, {"sources": sources}),
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        attribute_filter=_only_known_classes,
        url_schemes=_SCHEMES,
        link_rel="noopener noreferrer nofollow",
    )
    return mark_safe(cleaned)


def _only_known_classes(tag: str, attribute: str, value: str) -> str | None:
    if attribute != "class":
        return value
    if tag == "code":
        return value if value.startswith("language-") and value.isascii() else None
    return " ".join(name for name in value.split() if name in _CLASSES.get(tag, ())) or None


def _math(self: RendererHTML, tokens: Sequence[Token], place: int, options: Any, env: Any) -> str:
    token = tokens[place]
    name = "math" if token.type == "math_inline" else "math math-display"
    source = token.content
    return f'<{token.tag} class="{name}" data-tex="{escape(source)}">{escape(readable(source))}</{token.tag}>'


def _heading(self: RendererHTML, tokens: Sequence[Token], place: int, options: Any, env: Any) -> str:
    """Lower a heading by two: the page and the session have the first ones."""
    token = tokens[place]
    level = min(6, int(token.tag[1]) + 2)
    return f"<h{level}>" if token.nesting == 1 else f"</h{level}>\n"


def _cell(self: RendererHTML, tokens: Sequence[Token], place: int, options: Any, env: Any) -> str:
    token = tokens[place]
    name = _ALIGNED.get(str(token.attrGet("style")))
    return f'<{token.tag} class="{name}">' if name else f"<{token.tag}>"


def _pictures_as_links(state: StateCore) -> None:
    """Take the mark of a picture away: pictures from elsewhere are never loaded, and `![words](address)` is a link."""
    for block in state.tokens:
        children = block.children or []
        for before, link in pairwise(children):
            if link.type == "link_open" and link.markup != "autolink" and before.type == "text":
                before.content = before.content.removesuffix("!")


def _link_open(self: RendererHTML, tokens: Sequence[Token], place: int, options: Any, env: dict[str, Any]) -> str:
    address = str(tokens[place].attrGet("href") or "")
    words = "".join(token.content for token in tokens[place + 1 : place + 3] if token.type == "text")
    env.setdefault("hosts", []).append(_host_to_show(address, words))
    return f'<a href="{escape(address)}">'


def _link_close(self: RendererHTML, tokens: Sequence[Token], place: int, options: Any, env: dict[str, Any]) -> str:
    host = env["hosts"].pop()
    return "</a>" + (f' <span class="host">({escape(host)})</span>' if host else "")


def _host_to_show(address: str, words: str) -> str:
    """Return where a link leads, unless its own words are its address."""
    try:
        parts = urlsplit(address)
        host = parts.hostname or (parts.path.rpartition("@")[2] if parts.scheme == "mailto" else "")
    except ValueError:
        return ""
    return "" if words == address else host


_RULES: Mapping[str, Any] = {
    "math_inline": _math,
    "math_display": _math,
    "math_block": _math,
    "heading_open": _heading,
    "heading_close": _heading,
    "td_open": _cell,
    "th_open": _cell,
    "link_open": _link_open,
    "link_close": _link_close,
}
