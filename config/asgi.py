"""The ASGI application: streams are consumers of Channels, everything else (static files too) is Django."""

import os

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django_application = get_asgi_application()

from apps.api.stream.switch import Switch  # noqa: E402  (models can be imported only now)

application = Switch(django_application)
