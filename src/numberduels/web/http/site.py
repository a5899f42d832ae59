"""What browsers ask a site for: icons, the web manifest, the service worker, the offline page."""

from __future__ import annotations

from hashlib import sha256

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from numberduels.game.messages import Message
from numberduels.web.http import assets, forms
from numberduels.web.http.i18n import translator
from numberduels.web.http.rendering import environment, page

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


ROUTES = [
    Route("/manifest.webmanifest", manifest),
    Route("/service-worker.js", service_worker),
    Route("/offline", offline),
    _file("favicon.ico", "image/x-icon"),
    _file("icons/apple-touch-icon.png", "image/png"),
]
