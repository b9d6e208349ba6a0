"""What cannot start says why in one sentence, and what to do."""

from __future__ import annotations

import ast
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from launcher.machine import check_data_folder, share_in
from launcher.site import Site, default_data
from tests.launcher.programs import civic
from tests.site import ROOT


def sentence(done: subprocess.CompletedProcess[str]) -> str:
    """What was said in refusing: one line, no traceback."""
    assert done.returncode == 1
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_wrong_python_is_told_before_anything_is_imported():
    pretend = (
        "import runpy, sys; sys.version_info = (3, 9, 2, 'final', 0); runpy.run_path('civic.py')"
    )

    done = subprocess.run(
        [sys.executable, "-c", pretend], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert sentence(done) == (
        "Civic Table needs Python 3.11 or newer; this is Python 3.9. "
        "Install a newer one and start with it, for example: python3.11 civic.py"
    )


def test_civic_py_can_be_read_by_any_python_3():
    source = (ROOT / "civic.py").read_text(encoding="utf-8")

    ast.parse(source, feature_version=(3, 3))

    assert 'f"' not in source


def test_unwritable_data_folder(tmp_path):
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    folder = tmp_path / "file" / "data"

    done = civic("--data", str(folder))

    assert sentence(done) == (
        f"The data folder {folder} cannot be written (Not a directory). "
        "Choose another one: python3 civic.py --data DIR"
    )


@pytest.mark.parametrize("kind", ["nfs4", "cifs", "smb3", "9p", "fuse.sshfs"])
def test_network_shares_are_recognised(kind):
    mounts = [(Path("/"), "ext4"), (Path("/home/school"), kind), (Path("/home/school/usb"), "vfat")]

    assert share_in(Path("/home/school/civictable/var"), mounts) == kind
    assert share_in(Path("/home/school/usb/var"), mounts) is None
    assert share_in(Path("/srv/var"), mounts) is None


def test_later_mount_covers_an_earlier_one_at_the_same_place():
    mounts = [(Path("/"), "ext4"), (Path("/data"), "autofs"), (Path("/data"), "nfs")]

    assert share_in(Path("/data/var"), mounts) == "nfs"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
def test_data_folder_on_a_network_share_is_refused_by_the_program(data, tmp_path):
    table = tmp_path / "mounts"
    table.write_text(f"/dev/root / ext4 rw 0 0\nserver:/x {data} nfs4 rw 0 0\n", encoding="ascii")
    unshared = ["unshare", "--mount", "sh", "-c"]
    script = f"mount --bind {table} /proc/self/mounts && exec python3 civic.py --data {data}"

    done = subprocess.run(
        [*unshared, script.replace("/proc/self/mounts", "/proc/$$/mounts")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert sentence(done).startswith(f"The data folder {data} is on a network share (nfs4)")


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("CIVIC_HTTPS", "perhaps", "CIVIC_HTTPS must be 1 or 0, not 'perhaps'."),
        ("CIVIC_HOSTS", "*", "CIVIC_HOSTS must name each host; '*' would let any site pretend"),
        ("CIVIC_SIGNUP", "all", "CIVIC_SIGNUP must be invite, open, or domain:"),
        ("CIVIC_SECRET_KEY", "a-b-c-d-e", "CIVIC_SECRET_KEY has 9 characters; it needs at least"),
        ("CIVIC_SECRET_KEY", "x" * 60, "CIVIC_SECRET_KEY is a sample that anybody can guess."),
        ("REDIS_URL", "localhost", "REDIS_URL must be an address that begins with redis, rediss."),
    ],
)
def test_wrong_setting_is_named(data, name, value, said):
    done = civic("--data", str(data), "--port", "18099", env={name: value})

    assert sentence(done).startswith(said)


@pytest.mark.case("SC-05")
@pytest.mark.skipif(os.name != "posix", reason="modes of POSIX")
def test_new_data_folder_is_this_users_alone(tmp_path):
    check_data_folder(tmp_path / "var", embedded=False)

    assert stat.S_IMODE((tmp_path / "var").stat().st_mode) == 0o700


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("--prot", "--prot is not known here. Did you mean --port?"),
        ("bakup", "bakup is not known here. Did you mean backup?"),
        ("reset", "reset is not known here. Did you mean reset-link?"),
        ("--quickly", "--quickly is not known here."),
    ],
)
def test_a_mistyped_word_is_named_with_the_one_that_was_meant(typed, said):
    done = civic(typed)

    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        f"civic.py: error: {said} All there is: python3 civic.py --help"
    )


def test_help_names_the_options_of_a_start():
    told = civic("--help").stdout

    assert all(word in told for word in ("--port", "--lan", "--data", "--wheels"))


def test_the_command_to_repeat_names_the_same_data(tmp_path):
    site = Site(data=tmp_path)

    assert site.command(lan=True) == f"python3 civic.py --data {tmp_path} --lan"
    assert Site(data=default_data()).command(lan=False) == "python3 civic.py"


def test_doctor_says_that_there_is_no_site_yet(tmp_path):
    done = civic("doctor", "--data", str(tmp_path / "new"))

    assert f"none in {tmp_path / 'new'} yet; the first start makes it" in done.stdout
