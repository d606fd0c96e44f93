"""What was decided on a call that waited to be allowed, as it is recorded. Only a decision ever allows one."""

from typing import Any

from apps.audit.fields import as_code
from apps.interactions.approvals import ApprovalAnswer, Reason
from apps.interactions.models import Interaction
from apps.runs.chronicle import Chronicle


def audit_grant(chronicle: Chronicle, row: Interaction) -> None:
    """Record that a call was allowed."""
    chronicle.audit("approval_granted", request=row.public_id, tool_call=row.call.call_id, **_facts(row))


def audit_denial(chronicle: Chronicle, row: Interaction, reason: Reason, answer: ApprovalAnswer | None = None) -> None:
    """Record that a call was not allowed, and why; of what was said to it the length."""
    facts: dict[str, Any] = _facts(row) | {"reason": reason}
    if answer is not None:
        facts["own_text"] = [len(answer.feedback)]
    chronicle.audit("approval_denied", request=row.public_id, tool_call=row.call.call_id, **facts)


def _facts(row: Interaction) -> dict[str, Any]:
    return {"tool": as_code(row.call.name), "effect": as_code(row.payload.get("effect", "")), "policy": "ask"}
