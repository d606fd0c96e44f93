"""The worker's side: lines in, told things or the fault of a line out. All of it plain JSON."""

from typing import Any

from apps.toolkit.geometry.construction import AtLine, construct
from apps.toolkit.geometry.describing import described
from apps.toolkit.geometry.faults import Fault


def run(job: dict[str, Any]) -> dict[str, Any]:
    """Compute ``{lines}``; return ``{things}`` or ``{fault, parts, line}``."""
    try:
        things = construct(job["lines"])
        return {"things": [described(name, thing) for name, thing in things.items()]}
    except AtLine as at:
        return {"fault": at.fault.key, "parts": at.fault.parts, "line": at.line}
    except Fault as fault:
        return {"fault": fault.key, "parts": fault.parts, "line": 0}
