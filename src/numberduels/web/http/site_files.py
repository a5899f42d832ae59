"""What browsers, crawlers and hosts ask a site for: icons, the manifest, offline page, health, metrics."""

from __future__ import annotations

import asyncio
from hashlib import sha256

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4 as CONTENT_TYPE
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from numberduels.game.messages import Message
from numberduels.web.http import assets, forms
from numberduels.web.http.i18n import translator
from numberduels.web.http.rendering import environment, page
from numberduels.web.http.services import services
from numberduels.web.store.base import Unavailable

THEME, BACKGROUND = "#12355b", "#faf8f4"
"""The colour of the window of the installed app, and of its first screen."""

DAY = 24 * 3600

ICONS = [
    ("icon.svg", "any", "image/svg+xml", "any"),
    ("icons/icon-192.png", "192x192", "image/png", "any"),
    ("icons/icon-512.png", "512x512", "image/png", "any"),
    ("icons/maskable-512.png", "512x512", "image/png", "maskable"),
]
"""File, size, type and purpose of each icon."""

SHORTCUTS = [("/games", Message("My games")), ("/puzzles", Message("Puzzles")), ("/learn", Message("Learn"))]
"""Pages that the icon of the installed app leads to."""

ABOUT = Message("Five number games for two: send a friend a link, or play the computer.")


async def manifest(request: Request) -> Response:
    """The web manifest: with it the site installs as an app."""
    language = forms.language(request)
    _ = translator(language)
    content = {
        "id": "/",
        "name": _("Number Duels"),
        "short_name": _("Number Duels"),
        "description": _(ABOUT),
        "lang": language,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "categories": ["games"],
        "theme_color": THEME,
        "background_color": BACKGROUND,
        "icons": [
            {"src": assets.asset_url(name), "sizes": sizes, "type": kind, "purpose": purpose}
            for name, sizes, kind, purpose in ICONS
        ],
        "shortcuts": [{"name": _(name), "url": url} for url, name in SHORTCUTS],
    }
    return JSONResponse(content, media_type="application/manifest+json")


def _file(name: str, kind: str) -> Route:
    """A static file at an address without a hash, which browsers ask for by themselves."""

    async def send(_: Request) -> Response:
        headers = {"cache-control": f"public, max-age={DAY}"}
        return FileResponse(assets.FOLDER / name, media_type=kind, headers=headers)

    return Route("/" + name.rpartition("/")[2], send)


async def offline(request: Request) -> Response:
    """The page that the service worker keeps for the time without a connection."""
    return page(request, "offline.html", url="/offline")


async def service_worker(request: Request) -> Response:
    """The script that shows the offline page and the notifications.

    It contains a hash of the offline page: a new page, or another language, is a new script for the browser.
    """
    version = sha256(page(request, "offline.html", url="/offline").body).hexdigest()[:12]
    script = environment().get_template("service-worker.js").render(version=version)
    return Response(script, media_type="text/javascript")


PATIENCE = 2.0
"""Seconds for the store to answer."""

ROBOTS = """\
# Pages of games ask not to be indexed, which a crawler must be allowed to see.
User-agent: *
Disallow: /api/
Disallow: /puzzles/new
Disallow: /puzzles/*?
Disallow: /learn/*?
"""


async def health(request: Request) -> Response:
    """200 if the server can read and write its store, else 503."""
    store = services(request).store
    try:
        async with asyncio.timeout(PATIENCE):
            await store.read("healthz")
            await store.check()
    except (Unavailable, TimeoutError):
        return JSONResponse({"status": "the store cannot be read or written"}, 503)
    return JSONResponse({"status": "well"})


async def metrics(request: Request) -> Response:
    """The metrics of all workers, for Prometheus."""
    return Response(services(request).metrics.text(), media_type=CONTENT_TYPE)


async def robots(_: Request) -> Response:
    """robots.txt: crawlers skip positions and random puzzles, of which there are endlessly many."""
    return PlainTextResponse(ROBOTS)


ROUTES = [
    Route("/manifest.webmanifest", manifest),
    Route("/service-worker.js", service_worker),
    Route("/offline", offline),
    _file("favicon.ico", "image/x-icon"),
    _file("icons/apple-touch-icon.png", "image/png"),
    Route("/healthz", health),
    Route("/metrics", metrics),
    Route("/robots.txt", robots),
]
