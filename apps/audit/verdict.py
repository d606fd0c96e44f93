"""The verdict on the audit: chains, triggers and anchors, and what other apps have bound to records, together."""

import math
from collections.abc import Callable, Iterable

from apps.audit.anchors import anchor_faults
from apps.audit.keys import INSTALLATION
from apps.audit.models import AuditChain
from apps.audit.verify import Fault, verify_chains

Check = Callable[[str | None], Iterable[Fault]]
_CHECKS: list[Check] = []

NONSENSE = (ValueError, TypeError, LookupError, AttributeError)
"""What reading ends in where somebody has put into a column what it cannot hold."""


def register(check: Check) -> None:
    """Let an app above look whether the texts that it keeps are still those that records are bound to."""
    _CHECKS.append(check)


def audit_faults(session: str | None = None) -> list[Fault]:
    """Check one chain ("" is the installation's) or everything; return the first fault of each chain, none if it is sound."""
    faults = _found(verify_chains, session)
    faults += _of_other_chains(faults, _found(anchor_faults, session))
    # Those that name a record come first; that one is not there may be found of a chain by more than one check.
    unbound = dict.fromkeys(fault for check in _CHECKS for fault in _found(check, session))
    return faults + _of_other_chains(faults, sorted(unbound, key=lambda fault: fault.number or math.inf))


def _found(check: Check, session: str | None) -> list[Fault]:
    """Return what a check finds. Where it cannot read what it meets, that is the fault, of the chain in which it stands."""
    try:
        return list(check(session))
    except NONSENSE:
        if session is not None:
            return [Fault("unreadable", session or INSTALLATION)]
    chains = AuditChain.objects.order_by("session").values_list("session", flat=True)
    return [fault for chain in chains for fault in _found(check, chain)] or [Fault("unreadable")]


def _of_other_chains(known: Iterable[Fault], found: Iterable[Fault]) -> list[Fault]:
    """Return the first fault of each chain of which no record is named yet; a fault without a record is kept."""
    named, others = {fault.chain for fault in known if fault.number}, []
    for fault in found:
        if fault.chain not in named:
            others.append(fault)
        if fault.number:
            named.add(fault.chain)
    return others
