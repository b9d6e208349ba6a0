"""One application for HTTP, sockets and the life of the process.

Channels' router does not answer ``lifespan``; the live runtime (writer, hub,
clock) starts and stops with it.
"""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

from channels.routing import ProtocolTypeRouter
from django.core.asgi import get_asgi_application

django = get_asgi_application()  # sets Django up, which the imports below need

from config.bodies import BoundedBodies  # noqa: E402
from config.lifespan import Lifespan  # noqa: E402
from games.live import pulse, runtime  # noqa: E402
from games.live.routing import sockets  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": BoundedBodies(django),
        "websocket": sockets,
        "lifespan": Lifespan([pulse.watched, runtime.running]),
    }
)
