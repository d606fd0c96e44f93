"""The audit catalogue and the tamper-evident chains."""
