"""The ASGI application: streams are consumers of Channels, everything else (static files too) is Django."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from apps.api.stream.switch import Switch  # noqa: E402  (models can be imported only now)
from config.handler import PooledHandler  # noqa: E402

application = Switch(PooledHandler())
