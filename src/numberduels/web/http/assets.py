"""Static files and the pictures of games.

The URL of each contains a hash of its content, so browsers may cache it forever: behind the question mark,
or in the name of a file that style sheets name, such as a font.
"""

from __future__ import annotations

import gzip
from functools import cache
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from numberduels.game import registry

FOLDER = Path(__file__).parent / "static"
PREFIX = "/static/"
PICTURES = "pictures/{game}.svg"

STYLE_SHEETS = {
    "page.css": ("tokens.css", "site.css"),
    "game-page.css": ("board.css", "game.css"),
}
"""Style sheets that pages load together are one response: a page is painted when it has them all."""

COMPRESSIBLE = ("text/", "image/svg+xml", "application/json")
"""Media types that become smaller by compression."""


class Asset(NamedTuple):
    """A static file in memory."""

    content: bytes
    compressed: bytes
    """The same with gzip; empty if that is of no use."""
    media_type: str
    version: str
    """The first digits of its hash."""


@cache
def _assets() -> dict[str, Asset]:
    """Every file by its name, read and compressed once; the pictures of games are in their packages."""
    found = {
        path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in FOLDER.rglob("*") if path.is_file()
    }
    for name, parts in STYLE_SHEETS.items():
        found[name] = b"\n".join(found[part] for part in parts)
    for spec in registry.specs():
        if picture := spec.resource("picture.svg"):
            found[PICTURES.format(game=spec.name)] = picture.encode()
    return {name: _asset(name, content) for name, content in found.items()}


def _asset(name: str, content: bytes) -> Asset:
    media_type = guess_type(name)[0] or "application/octet-stream"
    compressed = gzip.compress(content, 9, mtime=0) if media_type.startswith(COMPRESSIBLE) else b""
    return Asset(content, compressed, media_type, sha256(content).hexdigest()[:12])


def asset_url(name: str) -> str:
    """The URL of a file with its hash; empty if there is no such file.

    >>> asset_url("icon.svg").partition("?")[0], asset_url("pictures/no-such-game.svg")
    ('/static/icon.svg', '')
    """
    found = _assets().get(name)
    return f"{PREFIX}{name}?{found.version}" if found else ""


def exists(path: str) -> bool:
    """Whether this is the path of a file.

    >>> exists("/static/icon.svg"), exists("/static/nothing"), exists("/icon.svg")
    (True, False, False)
    """
    return path.startswith(PREFIX) and path.removeprefix(PREFIX) in _assets()


def is_current(path: str, query: str) -> bool:
    """Whether this is the URL of a file with the hash of its present content."""
    name = path.removeprefix(PREFIX)
    if not query:
        return name in _assets() and f".{_assets()[name].version}." in name
    return asset_url(name) == f"{path}?{query}"


async def asset(request: Request) -> Response:
    """A static file or the picture of a game, compressed if the browser understands that."""
    found = _assets().get(request.path_params["name"])
    if found is None:
        raise HTTPException(404)
    headers = {"etag": f'"{found.version}"', "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == headers["etag"]:
        return Response(status_code=304, headers=headers)
    if found.compressed and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(
            found.compressed, headers=headers | {"content-encoding": "gzip"}, media_type=found.media_type
        )
    return Response(found.content, headers=headers, media_type=found.media_type)
