"""The verbs of ``civic.py``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path

from launcher import Stop, bill, care, checks, parts, version
from launcher.environment import Environment, say
from launcher.site import PORT, Site, default_data


def main(arguments: Sequence[str]) -> int:
    """Do what the command line asks. Returns the exit code."""
    parser = _parser()
    args, unknown = parser.parse_known_args(_with_verb(arguments))
    if unknown:
        parser.error(_not_known(unknown[0]))
    act: Callable[[argparse.Namespace], int] = args.act
    try:
        return act(args)
    except Stop as stop:
        sys.stdout.flush()
        print(f"\n{stop}", file=sys.stderr, flush=True)
        return 1
    except KeyboardInterrupt:
        return 130


def _site(args: argparse.Namespace) -> Site:
    return Site(
        data=args.data,
        port=getattr(args, "port", PORT),
        lan=getattr(args, "lan", False),
        host=getattr(args, "host", ""),
        wheels=args.wheels,
    )


def _start(args: argparse.Namespace) -> int:
    _site(args).start()
    return 0


def _test(args: argparse.Namespace) -> int:
    return checks.run_tests(release=args.release, wheels=args.wheels)


def _lint(args: argparse.Namespace) -> int:
    return checks.run_lint(Environment().ensure(tests=True, wheels=args.wheels))


def _wheels(args: argparse.Namespace) -> int:
    number = Environment().download(args.folder)
    say(f"{number} libraries are in {args.folder}, for computers with this system and this Python.")
    say("Bring the folder along and start there with: python3 civic.py --wheels DIR")
    return 0


def _sbom(_args: argparse.Namespace) -> int:
    say(f"Written to {bill.write()}")
    return 0


def _port(value: str) -> int:
    if value.isascii() and value.isdigit() and 1 <= int(value) <= 65535:
        return int(value)
    raise argparse.ArgumentTypeError("a port is a number from 1 to 65535")


def _bench(args: argparse.Namespace) -> int:
    return checks.run_bench(args.names, wheels=args.wheels)


_VERBS = (
    *("start", "test", "lint", "bench", "wheels"),
    *("doctor", "backup", "restore", "reset-link", "move-to-postgresql"),
    *("install", "prepare", "web", "worker", "housekeeping", "sbom"),
)


_OPTIONS = ("--port", "--lan", "--data", "--wheels", "--help", "--version")


def _not_known(word: str) -> str:
    """A sentence about a word that is neither an option nor a verb."""
    begun = [known for known in (*_VERBS, *_OPTIONS) if known.startswith(word)]
    near = begun or get_close_matches(word, [*_VERBS, *_OPTIONS], n=1)
    meant = f" Did you mean {near[0]}?" if near else ""
    return f"{word} is not known here.{meant} All there is: python3 civic.py --help"


def _with_verb(arguments: Sequence[str]) -> list[str]:
    """Options before the verb, or no verb at all, mean the same as after it."""
    given = list(arguments)
    for index, word in enumerate(given):
        if word in _VERBS and (index == 0 or given[index - 1] not in {"--data", "--wheels"}):
            return [word, *given[:index], *given[index + 1 :]]
    if given and given[0] in {"-h", "--help", "--version"}:
        return given
    return ["start", *given]


def _parser() -> argparse.ArgumentParser:
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--data",
        type=lambda value: Path(value).expanduser().resolve(),
        default=default_data(),
        metavar="DIR",
        help="the folder that everything is kept in (default: var/ beside the program)",
    )
    shared.add_argument(
        "--wheels",
        type=lambda value: Path(value).expanduser().resolve(),
        metavar="DIR",
        help="install from this folder, without internet",
    )
    parser = argparse.ArgumentParser(
        prog="civic.py",
        description="Civic Table, on this computer. Without a verb the site is started.",
        usage="python3 civic.py [VERB] [--port PORT] [--lan] [--data DIR] [--wheels DIR]",
        epilog="--lan lets other devices in this network in, --data names the folder that "
        "everything is kept in, --wheels installs without internet. "
        "More on one verb: python3 civic.py VERB --help",
    )
    parser.add_argument("--version", action="version", version=f"Civic Table {version()}")
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB", prog="civic.py")

    def verb(
        name: str, act: Callable[[argparse.Namespace], int], text: str
    ) -> argparse.ArgumentParser:
        made = verbs.add_parser(name, parents=[shared], help=text, description=text)
        made.set_defaults(act=act)
        return made

    start = verb("start", _start, "Start the site; also what happens without a verb.")
    start.add_argument("--port", type=_port, default=PORT, help="the port of the address (8000)")
    start.add_argument("--lan", action="store_true", help="let other devices in this network in")
    test = verb("test", _test, "Run the tests.")
    test.add_argument("--release", action="store_true", help="with the large numbers, for hours")
    verb("lint", _lint, "Look for slips: style, types, layers, migrations, settings, translations.")
    bench = verb("bench", _bench, "Measure; without names, say what can be measured.")
    bench.add_argument("names", nargs="*", metavar="NAME")
    verb(
        "doctor",
        lambda args: care.doctor(_site(args)),
        "Show versions, ports, addresses and database settings, and what is wrong.",
    )
    backup = verb(
        "backup",
        lambda args: care.backup(_site(args), args.file),
        "Write everything into one file; also while classes play.",
    )
    backup.add_argument(
        "file",
        type=Path,
        nargs="?",
        help="a new file, or the folder for it (default: in the data folder)",
    )
    restore = verb(
        "restore",
        lambda args: care.restore(_site(args), args.file),
        "Put a backup in the place of the data here, and replay every match.",
    )
    restore.add_argument("file", type=Path)
    reset = verb(
        "reset-link",
        lambda args: care.reset_link(_site(args), args.email, second_step=args.second_step),
        "Print a link that sets a new password for an account.",
    )
    reset.add_argument("email")
    reset.add_argument("--second-step", action="store_true", help="switch the second step off, too")
    verb(
        "move-to-postgresql",
        lambda args: care.move_to_postgresql(_site(args)),
        "Copy everything from the data folder's SQLite to the PostgreSQL of DATABASE_URL.",
    )
    _add_parts(verb)
    verb("sbom", _sbom, "Write down what the program consists of (docs/security/sbom.cdx.json).")
    wheels = verb(
        "wheels", _wheels, "Fill a folder with the libraries, for a place without internet."
    )
    wheels.add_argument("folder", type=Path, metavar="DIR")
    return parser


def _add_parts(verb: Callable[..., argparse.ArgumentParser]) -> None:
    """The verbs of a bigger site, whose parts are units of their own."""
    for name, part, text in (
        ("install", parts.install, "Install the libraries, and nothing else."),
        ("prepare", parts.prepare, "Bring database and pages up to date, and nothing else."),
        ("worker", parts.worker, "Run one worker (several servers)."),
    ):
        verb(name, lambda args, part=part: part(_site(args)), text)
    care = verb(
        "housekeeping",
        lambda args: parts.housekeeping(_site(args), dry_run=args.dry_run),
        "Do the hourly work once (several servers).",
    )
    care.add_argument("--dry-run", action="store_true", help="only say what would be forgotten")
    web = verb("web", lambda args: parts.web(_site(args)), "Run one web server (several servers).")
    web.add_argument("--port", type=_port, default=PORT, help="the port to listen on (8000)")
    web.add_argument(
        "--host", default="", metavar="ADDRESS", help="the address to listen on (127.0.0.1)"
    )
