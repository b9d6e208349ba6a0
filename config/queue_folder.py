"""The queue between pages and worker where there is no Redis: a folder, a file for each message.

It is kombu's, but for what a reader may meet. There a message can be taken between the moment
at which its file appears and that at which it is written, and the worker ends of it. And a table
of bindings that a cut of power left empty ended each worker at its start. Here files appear
whole, and what is not whole all the same is left out: the ``Job`` row is the truth
(``classroom.services.jobs``).
"""

from __future__ import annotations

import logging
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps

from launcher.locks import FileLock

log = logging.getLogger(__name__)


class Channel(filesystem.Channel):
    """Messages and bindings that appear whole."""

    def get_table(self, exchange: str) -> list[Any]:
        """The bindings of an exchange; none where its file is not whole."""
        try:
            return list(super().get_table(exchange))
        except ValueError:
            log.warning("The bindings of %s cannot be read; they are made anew.", exchange)
            return []

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        lock = FileLock(self.control_folder / "bindings.lock")
        lock.acquire(wait=True, keep_note=True)
        try:
            there = self.get_table(exchange)
            new = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
            if new not in there:
                _write(self._exchange_file(exchange), [new, *there])
        finally:
            lock.release()

    def _put(self, queue: str, payload: Any, **_options: Any) -> None:  # type: ignore[override]
        name = f"{round(time.monotonic() * 1000)}_{uuid4()}.{queue}.msg"
        _write(Path(self.data_folder_out) / name, payload)

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        while True:
            try:
                return super()._get(queue)  # which takes the file away before it reads
            except ValueError:
                log.warning("A message that was not whole is left out of the queue %s.", queue)


def _write(path: Path, value: Any) -> None:
    """Make a file appear with all that is in it. No reader of the queue knows its first name.

    Raises:
        ChannelError: the disk does not take it.
    """
    beside = path.with_name(f"{path.name}.{uuid4()}.part")
    try:
        beside.write_text(dumps(value), encoding="utf-8")
        beside.replace(path)
    except OSError as error:
        raise ChannelError(f"{path} cannot be written") from error


class Transport(filesystem.Transport):
    """What ``CELERY_BROKER_TRANSPORT`` names."""

    Channel = Channel
