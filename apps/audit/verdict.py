"""The verdict on the audit: chains, triggers and anchors together."""

from apps.audit.anchors import anchor_faults
from apps.audit.verify import Fault, verify_chains


def audit_faults(session: str | None = None) -> list[Fault]:
    """Check one chain ("" is the installation's) or everything; return the first fault of each chain, none if it is sound."""
    faults = verify_chains(session)
    named = {fault.chain for fault in faults if fault.number}
    return faults + [fault for fault in anchor_faults(session) if fault.chain not in named]
