"""Server-sent events: consumers that hold a stream open at the cost of a few kilobytes, beside the Django application."""
