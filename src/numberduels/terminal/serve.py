"""`duel serve`: open the games to everybody with a browser."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

from numberduels.files import home
from numberduels.terminal.console import reason
from numberduels.terminal.parser import Fault, Parser
from numberduels.terminal.seating import read_count
from numberduels.text import short

if TYPE_CHECKING:
    from numberduels.store.log import Store

ABOUT = "Open the games to everybody with a browser. Ctrl-C ends it; nothing is lost."


def run(arguments: list[str]) -> int:
    """Serve until told to end."""
    parsed = _parser().parse_args(arguments)
    port = read_count("--port", parsed.port, 0, 65_535)
    workers = read_count("--workers", parsed.workers, 1, 64)
    try:
        import uvicorn

        from numberduels.store.log import Unavailable
        from numberduels.store.places import opened
        from numberduels.web.settings import Settings
    except ModuleNotFoundError as fault:
        raise Fault(f"{fault.name} is not installed; pip install 'numberduels[web]' brings it") from None
    if workers > 1 and not parsed.store.startswith("postgresql:"):
        raise Fault("several workers share a PostgreSQL: --store postgresql://... goes with --workers")
    port = _free(parsed.host, port)
    try:
        asyncio.run(_seen(opened(parsed.store or os.path.join(home(), "duels.sqlite"))))
    except (Unavailable, ValueError) as fault:
        raise Fault(" ".join(str(fault).split())) from None
    settings = Settings(store=parsed.store, thinkers=read_count("--thinkers", parsed.thinkers, 1, 64))
    settings.hand_over()
    _open_files()
    signal.signal(signal.SIGTERM, _end)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # to the store this is a crash, which it survives
    if workers == 1:
        print(f"Number Duels is open at http://{_shown(parsed.host)}:{port}/ (Ctrl-C ends it)", flush=True)
    try:
        uvicorn.run(
            "numberduels.web.app:create",
            factory=True,
            host=parsed.host,
            port=port,
            workers=workers,
            log_config=_logging(),
            access_log=False,
            server_header=False,
            proxy_headers=True,
            forwarded_allow_ips=parsed.trust,
            timeout_graceful_shutdown=10,
            timeout_keep_alive=30,
            http=_wire(),
            ws="none",
        )
    except SystemExit as end:  # it leaves in this way where it cannot start
        return int(end.code or 0)
    return 0


def _wire() -> str:
    """What reads requests: the fast one where it is installed, made careful; the other one is by itself."""
    from importlib.util import find_spec

    return "numberduels.web.wire:Careful" if find_spec("httptools") else "h11"


def _open_files() -> None:
    """As many open connections as the machine allows, which is often more than it grants unasked."""
    try:
        import resource
    except ModuleNotFoundError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _end(*_: object) -> None:
    """To be asked to end is no fault; the server asks itself once more when it has ended."""
    raise SystemExit(0)


async def _seen(store: Store) -> None:
    """See that the store can be opened, to say so in one line if it cannot."""
    await store.open()
    await store.close()


def _parser() -> Parser:
    parser = Parser("serve", ABOUT)
    parser.add_argument("--host", metavar="ADDRESS", default="127.0.0.1", help="0.0.0.0 opens it to others")
    parser.add_argument("--port", metavar="N", default="8000", help="(default: 8000)")
    parser.add_argument(
        "--store",
        metavar="PLACE",
        default="",
        help="a file, or postgresql://... (default: a file in the data folder)",
    )
    parser.add_argument("--workers", metavar="N", default="1", help="processes that serve (default: 1)")
    parser.add_argument(
        "--thinkers",
        metavar="N",
        default="1",
        help="processes of each worker that think for the computer, and as many for questions (default: 1)",
    )
    parser.add_argument(
        "--trust",
        metavar="LIST",
        default="127.0.0.1",
        help="proxies whose word about addresses is taken (default: 127.0.0.1)",
    )
    return parser


def _free(host: str, port: int) -> int:
    """See that the port is free, to say so in one line if it is not; for 0, one that is."""
    import socket

    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
            return int(probe.getsockname()[1])
    except (OSError, UnicodeError) as fault:
        raise Fault(f"{short(host, 80)}:{port} cannot be listened on: {reason(fault)}") from None


def _shown(host: str) -> str:
    return f"[{host}]" if ":" in host else {"0.0.0.0": "127.0.0.1"}.get(host, host)


def _logging() -> dict[str, object]:
    """Lines of JSON on standard error: what machines read, and people can."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": {"()": "numberduels.web.logs.Lines"}},
        "handlers": {"error": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["error"], "level": "WARNING"},
        "loggers": {
            "uvicorn": {"handlers": ["error"], "level": "WARNING", "propagate": False},
            "numberduels": {"handlers": ["error"], "level": "INFO", "propagate": False},
        },
    }
