"""The static files and the games' pictures.

The address of each changes with its content, so that browsers may keep it for ever.
"""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from numberduels import registry

FOLDER = Path(__file__).parent / "static"
PREFIX = "/static/"
PICTURES = "pictures/{game}.svg"


@cache
def _versions() -> dict[str, str]:
    """The version of every file, by its name; pictures of games lie in the games' own packages."""
    found = {
        path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in FOLDER.rglob("*") if path.is_file()
    }
    for spec in registry.specs():
        if picture := spec.resource("picture.svg"):
            found[PICTURES.format(game=spec.name)] = picture.encode()
    return {name: sha256(content).hexdigest()[:12] for name, content in found.items()}


def address(name: str) -> str:
    """Where a file is, with its version; nothing for a file that does not exist.

    >>> address("icon.svg").partition("?")[0], address("pictures/no-such-game.svg")
    ('/static/icon.svg', '')
    """
    version = _versions().get(name)
    return f"{PREFIX}{name}?{version}" if version else ""


def lasting(path: str, query: str) -> bool:
    """Whether this address has one content for ever: a file of ours, asked for by its version of today."""
    return bool(query) and address(path.removeprefix(PREFIX)) == f"{path}?{query}"


async def picture(request: Request) -> Response:
    """The picture of a game, from its own package."""
    try:
        found = registry.spec(request.path_params["game"]).resource("picture.svg")
    except registry.UnknownGame:
        found = None
    if found is None:
        raise HTTPException(404)
    return Response(found, media_type="image/svg+xml")
