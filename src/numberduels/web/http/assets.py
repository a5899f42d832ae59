"""Static files and the pictures of games.

The URL of each contains a hash of its content, so browsers may cache it forever: behind the question mark,
or in the name of a file that style sheets name, such as a font.
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
def _hashes() -> dict[str, str]:
    """The content hash of every file by its name; pictures of games are in the packages of the games."""
    found = {
        path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in FOLDER.rglob("*") if path.is_file()
    }
    for spec in registry.specs():
        if picture := spec.resource("picture.svg"):
            found[PICTURES.format(game=spec.name)] = picture.encode()
    return {name: sha256(content).hexdigest()[:12] for name, content in found.items()}


def asset_url(name: str) -> str:
    """The URL of a file with its hash; empty if there is no such file.

    >>> asset_url("icon.svg").partition("?")[0], asset_url("pictures/no-such-game.svg")
    ('/static/icon.svg', '')
    """
    version = _hashes().get(name)
    return f"{PREFIX}{name}?{version}" if version else ""


def is_current(path: str, query: str) -> bool:
    """Whether this is the URL of a file with the hash of its present content."""
    name = path.removeprefix(PREFIX)
    if not query:
        return name in _hashes() and f".{_hashes()[name]}." in name
    return asset_url(name) == f"{path}?{query}"


async def picture(request: Request) -> Response:
    """The picture of a game, from its own package."""
    try:
        found = registry.spec(request.path_params["game"]).resource("picture.svg")
    except registry.UnknownGame:
        found = None
    if found is None:
        raise HTTPException(404)
    return Response(found, media_type="image/svg+xml")
