"""The audit console: an admin site of its own, with dashboards, evidence and recovery."""
