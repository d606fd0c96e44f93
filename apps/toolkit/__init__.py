"""The work tools: what an agent works with between its questions."""
