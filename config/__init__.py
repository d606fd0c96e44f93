"""The one Django project: settings, addresses and the ASGI application."""
