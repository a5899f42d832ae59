"""The OpenEnv server: `python -m numberduels.harness.openenv_app --port 8000`, or `app` for any ASGI server.

NUMBERDUELS_GAMES names other games than the standard ones, with commas between them.
NUMBERDUELS_HOSTS names the hosts that clients may ask for, with commas between them: by default this machine,
so that no page of another site can reach the server through a browser; * allows any.
ENABLE_WEB_INTERFACE=true shows the environment at /web, with a button for every legal move.
"""

from __future__ import annotations

import argparse
import os
import re
from functools import partial
from typing import Any

from fastapi import HTTPException, Request
from fastapi.responses import JSONResponse
from openenv.core.env_server.http_server import create_app

from numberduels.harness.episode_tasks import STANDARD_GAMES
from numberduels.harness.openenv_env import DuelAction, DuelEnvironment, DuelObservation, DuelSessionState
from numberduels.harness.text_episode import EpisodeOver

MAX_SESSIONS = 64

MAX_BODY = 1 << 20
"""Bytes of a request or of a message; answers in words have at most 100,000 characters."""

TOO_LONG = f"a request has at most {MAX_BODY} bytes"

LOCAL = "127.0.0.1,localhost,[::1]"


class Guard:
    """Refuses requests for other hosts, requests of other sites, and large bodies, each in one line."""

    def __init__(self, app: Any, hosts: str) -> None:
        self.app = app
        self.hosts = hosts.lower().split(",")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """An ASGI application."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        if refusal := self._refusal(dict(scope["headers"])):
            await self._refuse(scope, receive, send, *refusal)
            return
        size = 0

        async def limited() -> Any:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > MAX_BODY:
                raise HTTPException(413, TOO_LONG)
            return message

        await self.app(scope, limited, send)

    def _refusal(self, headers: dict[bytes, bytes]) -> tuple[int, str] | None:
        """Status and text of the error, if a request with these headers is refused."""
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if "*" not in self.hosts and re.sub(r":\d*$", "", host) not in self.hosts:
            return 421, "this server is not known by that name; NUMBERDUELS_HOSTS names it"
        origin = headers.get(b"origin", b"").decode("latin-1").lower()
        if origin and origin.partition("://")[2] != host:
            return 403, "this request comes from another site"
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > MAX_BODY:
            return 413, TOO_LONG
        return None

    async def _refuse(self, scope: Any, receive: Any, send: Any, status: int, text: str) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": text})
        else:
            await JSONResponse({"detail": text}, status)(scope, receive, send)


async def _on_bad_request(_: Request, fault: Exception) -> JSONResponse:
    """A request that the environment refuses: an unknown option, a move without an episode."""
    return JSONResponse({"detail": " ".join(str(fault).split())[:500]}, 422)


def make_app(games: str = ",".join(STANDARD_GAMES), hosts: str = LOCAL, **settings: Any) -> Any:
    """The ASGI application that serves these games with these settings of an episode, to these hosts."""
    app = create_app(
        partial(DuelEnvironment, games, **settings),
        DuelAction,
        DuelObservation,
        env_name="numberduels",
        max_concurrent_envs=MAX_SESSIONS,
        state_cls=DuelSessionState,
    )
    for kind in (ValueError, LookupError, EpisodeOver):
        app.add_exception_handler(kind, _on_bad_request)
    app.add_middleware(Guard, hosts=hosts)
    return app


app = make_app(
    os.environ.get("NUMBERDUELS_GAMES") or ",".join(STANDARD_GAMES),
    os.environ.get("NUMBERDUELS_HOSTS") or LOCAL,
)


def main() -> None:
    """Serve on this machine, or on another address."""
    import uvicorn

    parser = argparse.ArgumentParser(description="Serve Number Duels as an OpenEnv environment.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parsed = parser.parse_args()
    uvicorn.run(app, host=parsed.host, port=parsed.port, ws_max_size=MAX_BODY)


if __name__ == "__main__":
    main()
