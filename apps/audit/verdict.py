"""The verdict on the audit: chains, triggers and anchors, and what other apps have bound to records, together."""

import math
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
    faults += _of_other_chains(faults, anchor_faults(session))
    # Those that name a record come first; that one is not there may be found of a chain by more than one check.
    unbound = dict.fromkeys(fault for check in _CHECKS for fault in check(session))
    return faults + _of_other_chains(faults, sorted(unbound, key=lambda fault: fault.number or math.inf))


def _of_other_chains(known: Iterable[Fault], found: Iterable[Fault]) -> list[Fault]:
    """Return the first fault of each chain of which no record is named yet; a fault without a record is kept."""
    named, others = {fault.chain for fault in known if fault.number}, []
    for fault in found:
        if fault.chain not in named:
            others.append(fault)
        if fault.number:
            named.add(fault.chain)
    return others
