"""The verdict on the audit: chains, triggers and anchors, and what other apps have bound to records, together."""

from collections.abc import Callable, Iterable

from apps.audit.anchors import anchor_faults
from apps.audit.verify import Fault, verify_chains

Check = Callable[[str | None], Iterable[Fault]]
_CHECKS: list[Check] = []


def register(check: Check) -> None:
    """Let an app above look whether the texts that it keeps are still those that records are bound to."""
    _CHECKS.append(check)


def audit_faults(session: str | None = None) -> list[Fault]:
    """Check one chain ("" is the installation's) or everything; return the first fault of each chain, none if it is sound."""
    faults = verify_chains(session)
    named = {fault.chain for fault in faults if fault.number}
    checks: list[Check] = [anchor_faults, *_CHECKS]
    for check in checks:
        found = [fault for fault in check(session) if fault.chain not in named]
        faults += found
        named |= {fault.chain for fault in found if fault.number}
    return faults
