"""Decide which asks of a turn become cards; the others get a result on the same call, and the run goes on."""

import json
from typing import Any

from apps.agent.messages import ApprovalAsked, Asked, ToolCall, ToolResult
from apps.agent.state import PastAsk, RunState
from apps.agent.tools import AskRequest, Refusal, is_ask_tool
from apps.agent.words import say

CLOSED = ("cancelled", "expired", "aborted")
"""The statuses of a question that ended without an answer."""


def put_to_user(state: RunState, call: ToolCall) -> Asked | ToolResult:
    """Return the opened question, or the refusal's result.

    The codes are checked in this order: what intake refuses, who calls, an intent that nobody could see, whether
    anybody can answer, how many questions the run has put, and whether it has put this one before.
    """
    request = _request(state, call)
    if isinstance(request, Refusal):
        is_delegated = request.code == "BAD_INTENT" and state.can_ask == "DELEGATED_CALLER"
        return refused(call, _nobody(state) if is_delegated else request)
    refusal = _who_and_how_many(state) or _repeated(state, request)
    return refused(call, refusal) if refusal else Asked(call.id, request.fingerprint, request)


def put_up_for_approval(state: RunState, call: ToolCall) -> ApprovalAsked | ToolResult:
    """Return the call as it is put to the user, who may allow it; where nobody can answer, the refusal's result."""
    if state.can_ask:
        return refused(call, _nobody(state))
    seen = state.fingerprints[call.id]
    tool: Any = state.toolbox.tools[call.name]
    payload = {
        "title": call.name,
        "mode": "approval",
        "description": say("approval_again", state.language) if call.id in state.approved else "",
        "effect": getattr(tool, "effect", ""),
        "files": [{"path": file.path, "sha256": file.sha256} for file in seen.files],
    }
    request = AskRequest("approval", "approval", payload, (), seen.digest, on_timeout="continue", cancel_stops=False)
    return ApprovalAsked(call.id, seen.digest, request)


def _request(state: RunState, call: ToolCall) -> AskRequest | Refusal:
    if reviewed := state.reviews.get(call.id):
        return reviewed
    tool = state.toolbox.tools[call.name]
    assert is_ask_tool(tool)
    return tool.prepare(call, state.language)


def refused(call: ToolCall, refusal: Refusal) -> ToolResult:
    """Write a refusal as the result of its call."""
    content = {"status": "error", "code": refusal.code, "message": refusal.message}
    if refusal.field:
        content["field"] = refusal.field
    return ToolResult(call.id, _text(content), is_error=True, code=refusal.code)


def _nobody(state: RunState) -> Refusal:
    return Refusal(state.can_ask, say(state.can_ask.lower(), state.language))


def _who_and_how_many(state: RunState) -> Refusal | None:
    if state.can_ask:
        return _nobody(state)
    if len(state.asks) >= state.limits.max_asks:
        return Refusal("ASK_LIMIT", say("ask_limit", state.language, limit=state.limits.max_asks))
    return None


def _repeated(state: RunState, request: AskRequest) -> Refusal | None:
    past = next((ask for ask in reversed(state.asks) if ask.fingerprint == request.fingerprint), None)
    if past is None:
        return None
    message = _why_repeated(past, state.language)
    return Refusal("ASK_REPEATED", message) if message else None


def _why_repeated(past: PastAsk, language: str) -> str:
    """Return why the question may not be put again; empty: it may."""
    if past.result is None:
        return say("ask_repeated_open", language)
    if past.result.is_error or _is_closed(past.result):
        return say("ask_repeated_closed", language)
    return "" if past.stale else say("ask_repeated_answered", language, answer=past.result.content)


def _is_closed(result: ToolResult) -> bool:
    return json.loads(result.content).get("status") in CLOSED or _is_skipped(result)


def _is_skipped(result: ToolResult) -> bool:
    answers = json.loads(result.content).get("answers")
    return bool(answers) and all(not a.get("selected") and not a.get("custom") for a in answers)


def _text(content: object) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
