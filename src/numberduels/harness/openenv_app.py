"""The OpenEnv server: `python -m numberduels.harness.openenv_app --port 8000`, or `app` for any ASGI server.

NUMBERDUELS_GAMES names other games than the standard ones, with commas between them.
ENABLE_WEB_INTERFACE=true shows the environment at /web, with a button for every legal move.
"""

from __future__ import annotations

import argparse
import os
from functools import partial
from typing import Any

from openenv.core.env_server.http_server import create_app

from numberduels.harness.episode_tasks import STANDARD_GAMES
from numberduels.harness.openenv_env import DuelEnvironment
from numberduels.harness.openenv_models import DuelAction, DuelObservation, DuelState

MAX_SESSIONS = 64


def make_app(games: str = ",".join(STANDARD_GAMES), **settings: Any) -> Any:
    """The ASGI application that serves these games with these settings of an episode."""
    return create_app(
        partial(DuelEnvironment, games, **settings),
        DuelAction,
        DuelObservation,
        env_name="numberduels",
        max_concurrent_envs=MAX_SESSIONS,
        state_cls=DuelState,
    )


app = make_app(os.environ.get("NUMBERDUELS_GAMES") or ",".join(STANDARD_GAMES))


def main() -> None:
    """Serve on this machine, or on another address."""
    import uvicorn

    parser = argparse.ArgumentParser(description="Serve Number Duels as an OpenEnv environment.")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    parsed = parser.parse_args()
    uvicorn.run(app, host=parsed.host, port=parsed.port)


if __name__ == "__main__":
    main()
