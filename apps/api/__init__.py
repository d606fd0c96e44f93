"""REST and server-sent events: only translates."""
