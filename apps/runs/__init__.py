"""The coordinator: start, segment, pause, answer, result, resume, final."""
