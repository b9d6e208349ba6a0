"""The live part of one web process: started and stopped with it."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from types import FrameType

from django.conf import settings

from games.live import clock, evidence, heartbeat, notices, processes, watch
from games.live.current import hold
from games.live.hub import Hub
from games.services import publishing


@asynccontextmanager
async def running() -> AsyncIterator[None]:
    """Writer, hub, clock, poll and subscription, as long as the process serves."""
    hub = Hub()
    hold(hub)
    publishing.listen(hub.changed)
    work = [heartbeat.beat(hub), clock.run(hub), watch.watch(hub), notices.tell(hub)]
    if settings.REDIS_URL:
        work += [processes.listen(hub), processes.tell_presence(hub)]
    tasks = [asyncio.create_task(part) for part in work]
    hub.spawn(evidence.tell_late(hub.reader))
    _let_the_loop_go_first()
    try:
        with _hearing_the_end(hub):
            yield
    finally:
        publishing.stop_listening(hub.changed)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await hub.stop()
        hold(None)


def _let_the_loop_go_first() -> None:
    """Keep short what holds up the event loop: the collector, and other threads at work.

    The collector is spared what stays for ever; positions and messages hold no cycles, so
    it hardly ever finds anything. A thread gives way after 1 ms instead of 5.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
    sys.setswitchinterval(0.001)


@contextmanager
def _hearing_the_end(hub: Hub) -> Iterator[None]:
    """Hear the signal that ends the server, and then do what the server does with it.

    A server waits for open requests before it stops its parts, and browsers that
    poll keep one open all the time: they must be sent away first.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGTERM, signal.SIGINT)
    before = {number: signal.getsignal(number) for number in numbers}

    def end(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(hub.send_away)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)
        elif handler is signal.SIG_DFL:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)

    for number in numbers:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in before.items():
            if signal.getsignal(number) is end:
                signal.signal(number, handler)
