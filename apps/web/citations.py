"""Citations of attachments in what the agent writes: `[source:ID#PART]` becomes a link to that part.

Only what the session really has becomes a link; an unknown id or part stays the text that it is.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from apps.chat.models import ChatSession
from apps.toolkit.sources.selectors import sources_of

_CITATION = re.compile(r"[\[【]source:\s*(src_[0-9a-f]{32})\s*#\s*(\d{1,6})\s*[\]】]")
_MARK = "source:src_"


class Cited(NamedTuple):
    """A source that may be cited: the address of its page, its name, how many parts it has."""

    address: str
    name: str
    parts: int


Citable = Mapping[str, Cited]


def citable(session: ChatSession, texts: Iterator[str]) -> Citable:
    """Return the session's sources by id, if any of the texts may cite one: else nothing is looked up."""
    if not any(_MARK in text.replace(" ", "") for text in texts):
        return {}
    page = f"/s/{session.public_id}/sources/"
    return {each.public_id: Cited(f"{page}{each.public_id}/", each.name, each.part_count) for each in sources_of(session)}


def with_citations(parser: MarkdownIt) -> None:
    """Let the parser make links of the citations of those sources that are handed over as `sources`."""
    parser.core.ruler.push("citation", _cite)


def _cite(state: StateCore) -> None:
    sources: Citable = state.env.get("sources") or {}
    for block in state.tokens if sources else ():
        if block.type == "inline" and block.children:
            block.children = list(_linked(block.children, sources))


def _linked(tokens: Sequence[Token], sources: Citable) -> Iterator[Token]:
    """Yield the tokens with a link for each citation; in a link there is no other."""
    depth = 0
    for token in tokens:
        depth += (token.type == "link_open") - (token.type == "link_close")
        if token.type == "text" and depth == 0:
            yield from _split(token.content, sources)
        else:
            yield token


def _split(text: str, sources: Citable) -> Iterator[Token]:
    end = 0
    for found in _CITATION.finditer(text):
        cited, part = sources.get(found[1]), int(found[2])
        if cited is not None and 1 <= part <= cited.parts:
            yield _text(text[end : found.start()])
            yield Token("link_open", "a", 1, attrs={"href": f"{cited.address}#part-{part}"})
            yield _text(_("%(name)s, part %(part)d") % {"name": cited.name, "part": part})
            yield Token("link_close", "a", -1)
            end = found.end()
    yield _text(text[end:])


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
