"""`duel serve`: run the web server."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from numberduels.cli.argument_parser import CliError, Parser
from numberduels.cli.arguments import read_count
from numberduels.cli.commands import CommandDone
from numberduels.cli.console import error_reason
from numberduels.game.files import data_folder
from numberduels.game.formatting import short

if TYPE_CHECKING:
    from argparse import Namespace
    from socket import socket

    from numberduels.web.settings import ServerSettings
    from numberduels.web.store.base import Store

APP = "numberduels.web.http.app:create_app"
APP_WITH_MCP = "numberduels.cli.mcp:create_app_with_mcp"

ABOUT = "Open the games to everybody with a browser. Ctrl-C ends it; nothing is lost."


def run(arguments: list[str]) -> int:
    """Run the server until it is stopped."""
    parsed = _parser().parse_args(arguments)
    port = read_count("--port", parsed.port, 0, 65_535)
    workers = read_count("--workers", parsed.workers, 1, 64)
    settings = _settings(parsed)
    try:
        from tempfile import TemporaryDirectory

        import uvicorn

        from numberduels.web.store.base import Unavailable, make_store
    except ModuleNotFoundError as fault:
        raise CliError(f"{fault.name} is not installed; pip install 'numberduels[web]' brings it") from None
    if workers > 1 and not parsed.store.startswith("postgresql:"):
        raise CliError("several workers share a PostgreSQL: --store postgresql://... goes with --workers")
    app = _app(parsed.mcp, workers)
    with _listening(parsed.host, port) as door:
        try:
            asyncio.run(_try_store(make_store(parsed.store or os.path.join(data_folder(), "duels.sqlite"))))
        except (Unavailable, ValueError) as fault:
            raise CliError(" ".join(str(fault).split())) from None
        settings.to_environment()
        _open_files()
        signal.signal(signal.SIGTERM, _end)
        if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
            signal.signal(signal.SIGHUP, signal.SIG_DFL)  # the store survives this like a crash
        port = door.getsockname()[1]
        print(
            f"Number Duels is open at http://{_shown_host(parsed.host)}:{port}/ (Ctrl-C ends it)", flush=True
        )
        config = _config(parsed.host, port, workers, settings)
        try:
            if workers == 1:
                server = uvicorn.Server(uvicorn.Config(app, **config))
                server.run([door])
                return 0 if server.started else 1
            door.close()  # the supervisor of the workers opens it again
            with TemporaryDirectory() as folder:
                os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder  # where workers share their metrics
                uvicorn.run(app, **config)
        except KeyboardInterrupt:
            pass
        except SystemExit as end:  # uvicorn could not start
            return int(end.code or 0)
    return 0


def _app(mcp: bool, workers: int) -> str:
    """The application, with the MCP endpoint if it is wanted."""
    if not mcp:
        return APP
    from importlib.util import find_spec

    from numberduels.cli.mcp import missing_package

    if find_spec("mcp") is None:
        raise missing_package(ModuleNotFoundError(name="mcp"))
    if workers > 1:
        raise CliError("--mcp keeps its games in one process: it goes with --workers 1 only")
    return APP_WITH_MCP


def _config(host: str, port: int, workers: int, settings: ServerSettings) -> dict[str, Any]:
    """The configuration of uvicorn."""
    from numberduels.web.http.connections import NEVER

    return {
        "factory": True,
        "host": host,
        "port": port,
        "workers": workers,
        "log_config": _logging(),
        "access_log": False,
        "server_header": False,
        "proxy_headers": bool(settings.trust),
        "forwarded_allow_ips": settings.trust,
        "timeout_graceful_shutdown": 10,
        "timeout_keep_alive": NEVER,
        "http": "numberduels.web.http.connections:Connection",
        "h11_max_incomplete_event_size": settings.headers,
        "ws": "none",
    }


def _settings(parsed: Namespace) -> ServerSettings:
    """The settings from the options; limits may come from the environment, as those of the workers do."""
    from numberduels.web.settings import ServerSettings

    return replace(
        ServerSettings.from_environment(),
        store=parsed.store,
        trust=_proxies(parsed.trust),
        hosts=tuple(_host(each) for text in parsed.allow_host for each in text.split(",")),
        thinkers=read_count("--thinkers", parsed.thinkers, 1, 64),
        memory=read_count("--memory", parsed.memory, 128, 1 << 20),
        keep_days=read_count("--keep-days", parsed.keep_days, 0, 36_500),
        keep_unfinished_days=read_count("--keep-unfinished-days", parsed.keep_unfinished_days, 0, 36_500),
    ).for_people(read_count("--people", parsed.people, 1, 1_000_000))


def _proxies(text: str) -> str:
    """Check the addresses of --trust; uvicorn would ignore a wrong one silently."""
    from ipaddress import ip_network

    if text == "*":
        return text
    names = [each.strip() for each in text.split(",") if each.strip()]
    for each in names:
        try:
            ip_network(each)
        except ValueError:
            raise CliError(
                f"--trust takes addresses or networks, such as 127.0.0.1,10.0.0.0/8, or *, not {short(each)}"
            ) from None
    return ",".join(names)


def _host(text: str) -> str:
    """A name of this server, without a scheme or a port."""
    name = text.strip().lower()
    if not re.fullmatch(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]", name):
        raise CliError(
            f"--allow-host takes a name such as duels.example.org, without a port, not {short(text)}"
        )
    return name


def _open_files() -> None:
    """Raise the limit of open files to the hard limit."""
    try:
        import resource
    except ModuleNotFoundError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _end(*_: object) -> None:
    """SIGTERM is a normal exit; uvicorn raises it again when the server has ended."""
    raise CommandDone


async def _try_store(store: Store) -> None:
    """Open and close the store, so that an error is reported before the start."""
    await store.open()
    await store.close()


OPTIONS = [
    ("--host", "ADDRESS", "127.0.0.1", "0.0.0.0 opens it to others"),
    ("--port", "N", "8000", "0 takes one that is free (default: 8000)"),
    ("--store", "PLACE", "", "a file, or postgresql://... (default: a file in the data folder)"),
    ("--workers", "N", "1", "processes that serve (default: 1)"),
    (
        "--thinkers",
        "N",
        "2",
        "processes of each worker that move for the computer, and as many that answer questions; "
        "one address keeps at most all but one of them busy (default: 2)",
    ),
    ("--memory", "N", "1024", "megabytes of memory for each of these processes (default: 1024)"),
    (
        "--people",
        "N",
        "30",
        "people who share one address, such as a school: its limits grow with them (default: 30)",
    ),
    (
        "--trust",
        "LIST",
        "",
        "addresses of proxies whose X-Forwarded-For and X-Forwarded-Proto are believed (default: none)",
    ),
    ("--keep-days", "N", "0", "delete games that ended N days ago (default: 0, never)"),
    (
        "--keep-unfinished-days",
        "N",
        "0",
        "delete games that have not ended and in which nothing happened for N days (default: 0, never)",
    ),
]
"""Every option with a value: its flag, what it takes, its default, its help."""


def _parser() -> Parser:
    parser = Parser("serve", ABOUT)
    for flag, metavar, default, about in OPTIONS:
        parser.add_argument(flag, metavar=metavar, default=default, help=about)
    parser.add_argument(
        "--allow-host",
        metavar="NAME",
        action="append",
        default=[],
        help="a name of this server; requests for other names are refused (default: any name)",
    )
    parser.add_argument(
        "--mcp",
        action="store_true",
        help="offer the games as tools of the Model Context Protocol at /mcp; for other machines with "
        "--allow-host",
    )
    return parser


def _listening(host: str, port: int) -> socket:
    """Listen on the port; CliError if that fails."""
    from socket import AF_INET, AF_INET6, SO_REUSEADDR, SOL_SOCKET, socket

    if not host:
        raise CliError("--host takes an address, such as 127.0.0.1; 0.0.0.0 opens the server to others")
    door = socket(AF_INET6 if ":" in host else AF_INET)
    try:
        if sys.platform != "win32":  # there it would let another program take the same port
            door.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
        door.bind((host, port))
        door.listen()  # a port in use may be refused only here
    except (OSError, UnicodeError) as fault:
        door.close()
        raise CliError(f"{short(host, 80)}:{port} cannot be listened on: {error_reason(fault)}") from None
    return door


def _shown_host(host: str) -> str:
    return f"[{host}]" if ":" in host else {"0.0.0.0": "127.0.0.1"}.get(host, host)


def _logging() -> dict[str, object]:
    """Logging as lines of JSON on standard error."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": "numberduels.web.http.metrics.JsonFormatter"}},
        "handlers": {"error": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["error"], "level": "WARNING"},
        "loggers": {
            "uvicorn": {"handlers": ["error"], "level": "WARNING", "propagate": False},
            "numberduels": {"handlers": ["error"], "level": "INFO", "propagate": False},
        },
    }
