"""The server-rendered pages: only translate."""
