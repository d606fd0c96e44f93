"""Approvals: what a card shows of the call that waits, what may be decided on it, and the result of one not allowed.

An allowed call has no result yet: its tool will make it. So the decision is kept with the card itself.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast, get_args

from django.utils.translation import gettext as _

from apps.agent.messages import ToolResult
from apps.common.errors import FieldError
from apps.common.layout import indented, on_lines, readable
from apps.common.text import clean_shown, compact_json, is_blank
from apps.interactions.guidance import say
from apps.interactions.submissions import Submission

KIND = MODE = "approval"
DENIED = "APPROVAL_DENIED"
"""The code of every way out of an approval card but to allow the call, and the end of its run."""

Decision = Literal["approve", "deny"]
DECISIONS: tuple[str, ...] = get_args(Decision)
Reason = Literal["user", "closed", "timeout"]
REASONS: Mapping[str, Reason] = {"answered": "user", "cancelled": "closed", "expired": "timeout"}
"""Why a call was not allowed, by what became of its card."""


@dataclass(frozen=True, slots=True)
class ApprovalAnswer:
    """What was decided, and what the person said to it."""

    decision: Decision
    feedback: str = ""


def read_decision(submission: Submission) -> ApprovalAnswer | FieldError:
    """Return what was decided. Only the decision decides: no text is ever read as an approval."""
    if submission.decision not in DECISIONS:
        return FieldError("decision", _("Decide: %(decisions)s.") % {"decisions": ", ".join(DECISIONS)})
    feedback = submission.feedback or ""
    return ApprovalAnswer(cast(Decision, submission.decision), "" if is_blank(feedback) else feedback)


def granted(answer: ApprovalAnswer) -> str:
    """Return what is kept of an allowed call's decision: one JSON text, as a result would be."""
    return compact_json({"status": "answered", "decision": answer.decision, "feedback": answer.feedback})


def denied(call_id: str, reason: Reason, language: str, feedback: str = "") -> ToolResult:
    """Return the result of a call that was not allowed; its tool never started."""
    content = {"status": "denied", "code": DENIED, "message": say(f"denied.{reason}", language), "reason": reason}
    decided = {"decision": "deny", "feedback": feedback} if reason == "user" else {}
    details = {"kind": KIND, "reason": reason}
    return ToolResult(call_id, compact_json(content | decided), is_error=True, details=details, code=DENIED)


def stopped(call_id: str, language: str) -> ToolResult:
    """Return the result of a call whose run ended before anything was decided."""
    content = {"status": "aborted", "code": "ABORTED", "message": say("denied.aborted", language)}
    return ToolResult(call_id, compact_json(content), is_error=True, details={"kind": KIND}, code="ABORTED")


def shown_arguments(arguments: str) -> str:
    """Return the exact arguments of a call for people: JSON on several lines, what nobody could see in it as escapes.

    What is no JSON, or too deep for lines, is returned as the text that it is.
    """
    return visible(on_lines(arguments))


def named_arguments(arguments: str) -> list[tuple[str, str]]:
    """Return the arguments one by one, a text as it is written; empty if they are no object, or too deep."""
    parsed = readable(arguments)
    if not isinstance(parsed, dict):
        return []
    return [(visible(name), visible(each if isinstance(each, str) else indented(each))) for name, each in parsed.items()]


def visible(text: str) -> str:
    """Return the text with an escape in the place of every character that would not be seen, or would deceive."""
    return _BEYOND_ASCII.sub(_visible, text)


_BEYOND_ASCII = re.compile(r"[^\t\n -~]+")


def _visible(found: re.Match[str]) -> str:
    # Most texts hold nothing hidden, and looking at every character of one takes its time.
    piece = found[0]
    return piece if clean_shown(piece) == piece else "".join(c if clean_shown(c) == c else json.dumps(c)[1:-1] for c in piece)
