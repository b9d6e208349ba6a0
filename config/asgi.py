"""One application for HTTP, sockets and the life of the process.

Channels' router does not answer ``lifespan``; the live runtime (writer, hub,
clock) starts and stops with it.
"""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

from channels.routing import ProtocolTypeRouter
from django.core.asgi import get_asgi_application

from config.lifespan import Lifespan

application = ProtocolTypeRouter(
    {
        "http": get_asgi_application(),
        "lifespan": Lifespan(),
    }
)
