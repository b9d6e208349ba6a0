"""One application for HTTP, sockets and the life of the process.

Channels' router does not answer ``lifespan``; the live runtime (writer, hub,
clock) starts and stops with it.
"""

from __future__ import annotations

import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.production")

import django
from channels.routing import ProtocolTypeRouter

django.setup(set_prefix=False)  # which the imports below need

from config.bodies import BoundedBodies  # noqa: E402
from config.heads import BoundedHeads  # noqa: E402
from config.kept import KeptFiles, answers  # noqa: E402
from config.lifespan import Lifespan  # noqa: E402
from config.pages import Pages  # noqa: E402
from games.live import pulse, runtime  # noqa: E402
from games.live.routing import sockets  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": BoundedHeads(BoundedBodies(KeptFiles(Pages(), answers))),
        "websocket": BoundedHeads(sockets),
        "lifespan": Lifespan([pulse.watched, runtime.running]),
    }
)
