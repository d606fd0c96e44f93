"""The transcript: sessions, runs, messages, tool calls and their results."""
