"""The outermost layer of the server: rate limits, checks of host and origin, security headers, metrics."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from numberduels.web.errors import ERRORS
from numberduels.web.http import assets
from numberduels.web.http.connections import Connection
from numberduels.web.http.rate_limits import ADDRESS, network_of
from numberduels.web.http.services import Services

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

log = logging.getLogger("numberduels.web")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self';"
    " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)

HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    # Other sites must not learn the links of games. "no-referrer" would remove the origin from our own forms.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"x-frame-options", b"DENY"),
]

FRAGMENT = "x-fragment"
"""Header of requests by our script that want only the changing part of a page."""

CACHE_FOREVER = b"public, max-age=31536000, immutable"
REVALIDATE = b"private, no-cache"
"""The browser may keep a page, so that going back is fast, but a proxy may not."""
NO_STORE = b"no-store"

PRIVATE = ("/g/", "/api/", "/preview/g/", "/preview/review/", "/games", "/carry/")
"""Paths of games, which crawlers must not index."""

PUBLIC = ("/healthz", "/metrics")
"""Paths for monitoring: no rate limit, any host name."""


class RequestMiddleware:
    """ASGI middleware around the whole application."""

    def __init__(self, app: App, services: Services) -> None:
        self.app = app
        self.services = services
        self.settings = services.settings
        self.limits = services.limits
        self._warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0
        connection: Connection | None = scope.get("state", {}).get("connection")
        metrics = self.services.metrics
        address = client_address(scope)
        ADDRESS.set(address)

        async def answer(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                own = list(message.get("headers", ()))
                names = dict(own)  # a header of the application takes precedence
                extra = [*HEADERS, (b"cache-control", cache_control(scope, status))]
                if scope["path"].startswith(PRIVATE):
                    extra.append((b"x-robots-tag", b"noindex"))
                if scope["scheme"] == "https":
                    extra.append((b"strict-transport-security", b"max-age=31536000"))
                if status == 429 or (connection and connection.body_left):
                    extra.append((b"connection", b"close"))  # what else was sent is not read
                message["headers"] = own + [pair for pair in extra if pair[0] not in names]
            await send(message)

        try:
            with self.limits.request(address) as allowed:
                await self.limits.turns.take()
                if refusal := self._refusal(scope, address, allowed):
                    metrics.refuse(refusal[0])
                    await _send_error(answer, scope, *refusal)
                else:
                    await self.app(scope, receive, answer)
        finally:
            if connection:
                connection.answered()
            route = getattr(scope.get("route"), "path", "other")
            metrics.request(scope["method"], route, status or 499, time.perf_counter() - began)
            metrics.matches_in_memory.set(self.services.matches.count)

    def _refusal(self, scope: Scope, address: str, allowed: bool) -> tuple[str, str] | None:
        """Key and text of the error, if the request is refused here."""
        if scope["path"] in PUBLIC:
            return None
        headers = dict(scope["headers"])
        writes = not reads(scope)
        self._warn(headers)
        if exceeded := self._exceeded(scope, address, allowed, writes):
            return "many_requests", f"Too many requests from your address: {exceeded}. Wait a moment."
        if self.settings.hosts and host(scope) not in self.settings.hosts:
            return "host", "This server is not known by that name."
        if writes and cross_site(headers, scope["scheme"]):
            return "foreign", "This request comes from another site."
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self.settings.body:
            return "too_long", f"A request has at most {self.settings.body} bytes."
        return None

    def _exceeded(self, scope: Scope, address: str, allowed: bool, writes: bool) -> str:
        """The limit that an address has exceeded, in words; empty if there is none."""
        if not allowed:
            return f"at most {self.settings.connections_each} at once"
        bucket = self.limits.writes if writes else self.limits.reads
        if (not writes and assets.exists(scope["path"])) or bucket.take(address):
            return ""
        return f"at most {self.settings.rate if writes else self.settings.look_rate:g} a second for long"

    def _warn(self, headers: dict[bytes, bytes]) -> None:
        """Log once that a proxy seems to be in front of the server, but is not named by --trust."""
        if not (self.settings.trust or self._warned) and b"x-forwarded-for" in headers:
            self._warned = True
            log.warning("x-forwarded-for is ignored; if a proxy of yours sends it, name the proxy by --trust")


def reads(scope: Scope) -> bool:
    """Whether a request only reads."""
    return scope["method"] in ("GET", "HEAD")


def cache_control(scope: Scope, status: int) -> bytes:
    """The value of the cache-control header."""
    path = scope["path"]
    if status == 200 and assets.is_current(path, scope["query_string"].decode("latin-1")):
        return CACHE_FOREVER
    if path.startswith("/api/") or path in PUBLIC or not reads(scope):
        return NO_STORE
    # A fragment has the same address as its page, and must not be shown instead of it.
    return NO_STORE if FRAGMENT.encode() in dict(scope["headers"]) else REVALIDATE


def host(scope: Scope) -> str:
    """The host name of a request, without the port; empty if there is none or more than one.

    >>> host({"headers": [(b"host", b"Duels.Example:8000")]}), host({"headers": [(b"host", b"[::1]:80")]})
    ('duels.example', '[::1]')
    """
    named = [value for name, value in scope["headers"] if name == b"host"]
    if len(named) != 1:
        return ""
    return re.sub(r":\d*$", "", named[0].decode("latin-1")).lower()


def client_address(scope: Scope) -> str:
    """The address of a visitor, to which limits apply."""
    return network_of(str((scope.get("client") or ("unknown",))[0]))


def cross_site(headers: dict[bytes, bytes], scheme: str) -> bool:
    """Whether another site caused this request of a browser.

    Browsers tell the origin. A client that does not is no browser, and has no cookies to abuse.
    """
    if headers.get(b"authorization", b"").lower().startswith(b"bearer "):
        return False
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site not in (b"same-origin", b"none")
    origin = headers.get(b"origin")
    own = f"{scheme}://".encode() + headers.get(b"host", b"")
    return origin is not None and _normal_origin(origin) != _normal_origin(own)


def _normal_origin(origin: bytes) -> bytes:
    """An origin in lower case, without the default port."""
    origin = origin.lower()
    for scheme, port in ((b"http://", b":80"), (b"https://", b":443")):
        if origin.startswith(scheme):
            return origin.removesuffix(port)
    return origin


async def _send_error(send: Send, scope: Scope, key: str, text: str) -> None:
    """Send an error in one line of text or JSON."""
    status = ERRORS[key].status
    kind = b"text/plain; charset=utf-8"
    if scope["path"].startswith("/api/"):
        kind, text = b"application/json", json.dumps({"error": text, "key": key, "state": None})
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(text))]
    if status == 429:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})
