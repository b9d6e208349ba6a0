"""The folder that is the queue of one computer: messages come whole, bindings outlive a cut."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from celery import current_app
from kombu import Connection, Exchange, Queue
from kombu.exceptions import ChannelError

from config.queue_folder import Channel, Transport


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("tasks", "processed", "control"):
        (tmp_path / name).mkdir()
    return tmp_path


@pytest.fixture
def channel(folder: Path) -> Iterator[Channel]:
    """One that both sends and takes, as a page and the worker do."""
    options = {
        "data_folder_in": str(folder / "tasks"),
        "data_folder_out": str(folder / "tasks"),
        "processed_folder": str(folder / "processed"),
        "control_folder": str(folder / "control"),
    }
    Transport.global_state.clear()  # what this process has bound before
    with Connection("filesystem://", transport=Transport, transport_options=options) as line:
        yield line.channel()


class Looked:
    """A value during whose writing somebody looks for a message."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self.found: list[Any] = []

    def __json__(self) -> str:
        try:
            self.found.append(self._channel._get("celery"))
        except Empty:
            self.found.append(None)
        return "whole"


def test_message_is_not_there_before_it_is_written(channel):
    value = Looked(channel)

    channel._put("celery", {"body": value})

    assert value.found == [None]
    assert channel._get("celery") == {"body": "whole"}
    with pytest.raises(Empty):
        channel._get("celery")


@pytest.mark.parametrize("torn", [b"", b'{"body": "an', b"\xff\xfe"])
def test_message_that_is_not_whole_is_left_out(channel, folder, torn):
    (folder / "tasks" / "0_torn.celery.msg").write_bytes(torn)
    channel._put("celery", {"body": "whole"})

    assert channel._get("celery") == {"body": "whole"}
    assert list((folder / "tasks").iterdir()) == []


@pytest.mark.parametrize("torn", ["", '[["celery", '])
def test_bindings_that_a_cut_of_power_tore_are_made_anew(channel, folder, torn):
    (folder / "control" / "celery.exchange").write_text(torn, encoding="utf-8")
    assert channel.get_table("celery") == []

    Queue("celery", Exchange("celery"), routing_key="celery")(channel).declare()

    assert [tuple(row) for row in channel.get_table("celery")] == [("celery", "", "celery")]


def test_bindings_of_several_at_once_are_all_kept(channel):
    names = [f"queue-{number}" for number in range(20)]
    binding = [
        threading.Thread(target=channel._queue_bind, args=("celery", name, "", name))
        for name in names
    ]

    for thread in binding:
        thread.start()
    for thread in binding:
        thread.join()

    assert sorted(row.queue for row in channel.get_table("celery")) == sorted(names)


def test_disk_that_takes_nothing_is_told_as_kombu_tells_it(channel, folder):
    (folder / "tasks").rmdir()

    with pytest.raises(ChannelError):
        channel._put("celery", {"body": "whole"})


def test_site_without_redis_uses_it():
    with current_app.connection_for_write() as line:
        assert line.transport_cls == "config.queue_folder:Transport"
        assert isinstance(line.transport, Transport)
