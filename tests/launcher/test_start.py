"""One command starts the site; it ends in order, and its programs are started again."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.launcher.programs import civic
from tests.services import free_port
from tests.site import ROOT, Running, answers, site

pytestmark = [pytest.mark.timeout(300), pytest.mark.xdist_group("launcher-start")]


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    """A site for tests that leave it as it is."""
    with site() as run:
        yield run


def test_site_answers_says_where_and_ends_in_order(data):
    with site(data=data) as run:
        assert answers(run.url)
        run.until(lambda: "End with Ctrl-C." in run.output)
        assert f"http://localhost:{run.url.rsplit(':', 1)[1]}/" in run.output
        both = run.children()
        assert sorted(both) == ["celery", "uvicorn"]

        run.processes[0].send_signal(signal.SIGINT)
        code = run.processes[0].wait(40)

        assert code == 0
        assert run.output.rstrip().endswith("Stopped.")
        assert not any(Path(f"/proc/{pid}").exists() for pid in both.values())


def kill(run: Running, name: str) -> None:
    """End a child as soon as it is there, and wait for what the launcher does then."""
    before = run.until(lambda: run.children().get(name))
    os.kill(before, signal.SIGKILL)
    run.until(
        lambda: run.processes[0].poll() is not None or run.children().get(name, before) != before
    )


def test_dead_child_is_started_again_and_five_deaths_of_the_web_server_stop_all():
    with site() as run:
        kill(run, "celery")
        kill(run, "uvicorn")
        run.until(lambda: answers(run.url))
        assert "The worker ended (-9) and is started again." in run.output
        assert "The web server ended (-9) and is started again." in run.output

        while run.processes[0].poll() is None:  # before it has come up, so within a minute
            kill(run, "uvicorn")
        code = run.processes[0].wait()

        assert run.output.count("The web server ended (-9) and is started again.") >= 4
        assert code == 1
        last = run.output.rstrip().splitlines()[-1]
        assert last.startswith("The web server ended 5 times within a minute, so all was stopped.")
        assert last.endswith(str(run.data / "logs" / "web.log"))
        assert not answers(run.url)


def test_children_end_when_the_launcher_is_killed():
    with site() as run:
        both = run.children()

        os.kill(run.processes[0].pid, signal.SIGKILL)

        run.until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in both.values()))


def test_starting_twice_names_the_running_one(running):
    second = civic("--data", str(running.data), "--port", str(free_port()))

    assert second.returncode == 1
    assert second.stderr.strip() == (
        "Civic Table already runs with this data folder. "
        f"Open {running.url}/ (or end it first, with Ctrl-C in its window)."
    )


def test_busy_port_is_one_sentence_with_a_free_one(running, data):
    port = int(running.url.rsplit(":", 1)[1])

    second = civic("--data", str(data), "--port", str(port))

    assert second.returncode == 1
    assert re.fullmatch(
        rf"Port {port} is in use by another program\. "
        rf"Start with a free one: python3 civic\.py --data {re.escape(str(data))} --port \d+",
        second.stderr.strip(),
    )


@pytest.mark.case("CC-15")
def test_second_web_process_without_redis_is_refused(running):
    second = subprocess.run(
        [
            *(".venv/bin/python", "-m", "uvicorn", "config.asgi:application"),
            *("--port", str(free_port()), "--lifespan", "on", "--log-level", "warning"),
        ],
        cwd=ROOT,
        env=running.env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert second.returncode != 0
    assert "Several need Redis" in second.stderr
    assert "Traceback" not in second.stderr
    assert answers(running.url)


@pytest.mark.services
def test_two_web_processes_with_postgres_and_redis():
    with site(processes=2, database="postgres") as run:
        assert len(run.urls) == 2
        assert all(answers(url) for url in run.urls)


def test_unknown_host_is_told_in_words_and_at_the_terminal(running):
    request = urllib.request.Request(running.url, headers={"Host": "192.0.2.7:8000"})

    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)

    assert refused.value.code == 400
    assert "This address has changed" in refused.value.read().decode()
    running.until(lambda: "'192.0.2.7:8000', an address that Civic Table was not" in running.output)


def test_first_start_prints_a_link_that_makes_the_administrator(running):
    with urllib.request.urlopen(running.first_link()) as page:
        assert page.status == 200


def test_housekeeping_runs_after_the_start(running):
    log = running.data / "logs" / "housekeeping.log"

    running.until(log.exists)

    assert re.fullmatch(r"[\d-]+ [\d:]+ housekeeping", log.read_text("utf-8").splitlines()[0])
    assert "The hourly housekeeping failed" not in running.output
