"""Formulas inside Markdown: `$…$`, `$$…$$`, `\\(…\\)` and `\\[…\\]` become nodes that hold their TeX source as text."""

import re
from typing import NamedTuple

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

# Prices are no formulas: no space behind the opening sign or before the closing one, no digit behind that.
_DOLLAR = re.compile(r"\$(?!\s)((?:\\.|[^$\\])+?)(?<!\s)\$(?!\d)", re.DOTALL)
_DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
_PARENTHESES = re.compile(r"\\\((.+?)\\\)", re.DOTALL)
_BRACKETS = re.compile(r"\\\[(.+?)\\\]", re.DOTALL)


class _Form(NamedTuple):
    opening: str
    closing: str
    pattern: re.Pattern[str]
    token: str


_INLINE = (
    _Form("$$", "$$", _DISPLAY, "math_display"),
    _Form("$", "$", _DOLLAR, "math_inline"),
    _Form("\\(", "\\)", _PARENTHESES, "math_inline"),
    _Form("\\[", "\\]", _BRACKETS, "math_display"),
)
_BLOCK = tuple(form for form in _INLINE if form.token == "math_display")


def with_mathematics(markdown: MarkdownIt) -> MarkdownIt:
    """Teach the parser formulas. Their signs are looked at before any other sign is: TeX is full of those."""
    markdown.inline.ruler.before("escape", "mathematics", _inline_rule)
    markdown.block.ruler.before("fence", "mathematics", _block_rule, {"alt": ["paragraph", "list", "blockquote"]})
    return markdown


def _inline_rule(state: StateInline, silent: bool) -> bool:
    for form in _INLINE:
        if not state.src.startswith(form.opening, state.pos):
            continue
        found = form.pattern.match(state.src, state.pos, state.posMax)
        if found is None or not found[1].strip():
            continue
        if not silent:
            state.push(form.token, "span", 0).content = found[1].strip()
        state.pos = found.end()
        return True
    return False


def _block_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a formula that begins a line and closes at the end of this one or a later one."""
    first = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    form = next((each for each in _BLOCK if first.startswith(each.opening)), None)
    if form is None:
        return False
    for line in range(start, end):
        text = state.getLines(start, line + 1, state.blkIndent, False).strip()
        if len(text) > len(form.opening) and text.endswith(form.closing) and form.pattern.fullmatch(text):
            return silent or _push_block(state, start, line, text[2:-2].strip())
    return False


def _push_block(state: StateBlock, start: int, line: int, source: str) -> bool:
    if not source:
        return False
    state.line = line + 1
    token = state.push("math_block", "div", 0)
    token.content, token.block, token.map = source, True, [start, state.line]
    return True
