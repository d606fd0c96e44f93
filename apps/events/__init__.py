"""The append-only event log of each session, and its live stream."""
