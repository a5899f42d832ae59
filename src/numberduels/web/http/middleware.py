"""At the door: who may come in how often, from where, and what every answer says to browsers."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
from ipaddress import IPv6Address, IPv6Network
from time import thread_time
from typing import Any

from numberduels.web.http import assets
from numberduels.web.http.cpu_share import Meter
from numberduels.web.http.metrics import Metrics
from numberduels.web.http.rate_limits import Clock, Limits
from numberduels.web.settings import Settings

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

log = logging.getLogger("numberduels.web")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)

HEADERS = [
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    # Links of games are nobody else's business. "no-referrer" would take the origin from our own forms, too.
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
    (b"x-frame-options", b"DENY"),
]

FRAGMENT = "x-fragment"
"""A header by which the script asks for the table alone, without the page around it."""

FOREVER = b"public, max-age=31536000, immutable"
ASKED_AGAIN = b"private, no-cache"
"""A page may be kept by the browser of its visitor, so that going back is quick, but not by a proxy."""
NOWHERE = b"no-store"

PUBLIC = ("/healthz", "/metrics")
"""Open under every name and without a limit: machines ask."""


class Guard:
    """Wraps the whole server."""

    def __init__(
        self,
        app: App,
        settings: Settings,
        metrics: Metrics,
        limits: Limits,
        processor: Clock = thread_time,
    ) -> None:
        self.app = app
        self.meter = Meter(limits.working, settings.work_waiting, processor)
        self.settings = settings
        self.metrics = metrics
        self.limits = limits
        self._warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 0

        async def answer(message: MutableMapping[str, Any]) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                own = list(message.get("headers", ()))
                told = {name for name, _ in own}  # who says something of their own means it
                extra = [*HEADERS, (b"cache-control", kept(scope, status))]
                if scope["path"].startswith(("/g/", "/api/")):
                    extra.append((b"x-robots-tag", b"noindex"))
                if scope["scheme"] == "https":
                    extra.append((b"strict-transport-security", b"max-age=31536000"))
                message["headers"] = own + [pair for pair in extra if pair[0] not in told]
            await send(message)

        refusal = self._refusal(scope)
        try:
            if refusal:
                await _briefly(answer, scope, *refusal)
            else:
                work: Any = self.app(scope, receive, answer)
                if not free(scope):
                    work = self.meter.work(address(scope), work)
                await work
        finally:
            route = getattr(scope.get("route"), "path", "other")
            self.metrics.request(scope["method"], route, status or 499, time.perf_counter() - began)

    def _refusal(self, scope: Scope) -> tuple[int, str, str] | None:
        """Why this request goes no further, if it does not."""
        if scope["path"] in PUBLIC:
            return None
        headers = dict(scope["headers"])
        acting = not looking(scope)
        self._warn(headers)
        if not free(scope) and (most := self._used_up(address(scope), acting)):
            return 429, "many_requests", f"Too many requests from your address: {most}. Wait a moment."
        if self.settings.hosts and host(scope) not in self.settings.hosts:
            return 400, "host", "This server is not known by that name."
        if acting and foreign(headers, scope["scheme"]):
            return 403, "foreign", "This request comes from another site."
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self.settings.body:
            return 413, "too_long", f"A request has at most {self.settings.body} bytes."
        return None

    def _used_up(self, who: str, acting: bool) -> str:
        """The limit that an address has reached, in words, if it has."""
        allowance = self.limits.acting if acting else self.limits.looking
        if not allowance.take(who):
            rate = self.settings.rate if acting else self.settings.look_rate
            return f"at most {rate:g} a second for long"
        if self.meter.full(who):
            return f"at most {self.settings.work_waiting} may wait"
        return ""

    def _warn(self, headers: dict[bytes, bytes]) -> None:
        """Say once that a proxy seems to be in front of the server which nobody has named."""
        if not (self.settings.trust or self._warned) and b"x-forwarded-for" in headers:
            self._warned = True
            log.warning("x-forwarded-for is ignored; if a proxy of yours sends it, name the proxy by --trust")


def looking(scope: Scope) -> bool:
    """Whether a request only looks."""
    return scope["method"] in ("GET", "HEAD")


def free(scope: Scope) -> bool:
    """Whether a request is without a limit: files, and what machines ask."""
    return scope["path"] in PUBLIC or (looking(scope) and scope["path"].startswith(assets.PREFIX))


def kept(scope: Scope, status: int) -> bytes:
    """Who may keep an answer, for how long."""
    path = scope["path"]
    if status == 200 and assets.lasting(path, scope["query_string"].decode("latin-1")):
        return FOREVER
    if path.startswith("/api/") or path in PUBLIC or not looking(scope):
        return NOWHERE
    # A part of a page has the address of the page, and must not be shown in its place.
    return NOWHERE if FRAGMENT.encode() in dict(scope["headers"]) else ASKED_AGAIN


def host(scope: Scope) -> str:
    """The name under which the server is asked, without the port; nothing where it is not clear.

    >>> host({"headers": [(b"host", b"Duels.Example:8000")]}), host({"headers": [(b"host", b"[::1]:80")]})
    ('duels.example', '[::1]')
    """
    named = [value for name, value in scope["headers"] if name == b"host"]
    if len(named) != 1:
        return ""
    return re.sub(r":\d*$", "", named[0].decode("latin-1")).lower()


def address(scope: Scope) -> str:
    """Where a request comes from; of an address of the new kind its network, which is one customer's.

    >>> address({"client": ("2001:db8::1:2:3", 80)}), address({"client": ("::ffff:10.0.0.1", 80)})
    ('2001:db8::/64', '10.0.0.1')
    """
    host = str((scope.get("client") or ("unknown",))[0])
    if ":" not in host:
        return host
    try:
        found = IPv6Address(host)
    except ValueError:  # a proxy may send anything
        return host
    return str(found.ipv4_mapped or IPv6Network((found, 64), strict=False))


def foreign(headers: dict[bytes, bytes], scheme: str) -> bool:
    """Whether another site has sent the browser here.

    Browsers say so. What says nothing of the kind is no browser, and has no cookie that could be abused.
    """
    if headers.get(b"authorization", b"").lower().startswith(b"bearer "):
        return False
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site not in (b"same-origin", b"none")
    origin = headers.get(b"origin")
    own = f"{scheme}://".encode() + headers.get(b"host", b"")
    return origin is not None and _plain(origin) != _plain(own)


def _plain(origin: bytes) -> bytes:
    """An origin as browsers write it: in small letters, without the port that goes without saying."""
    origin = origin.lower()
    for scheme, port in ((b"http://", b":80"), (b"https://", b":443")):
        if origin.startswith(scheme):
            return origin.removesuffix(port)
    return origin


async def _briefly(send: Send, scope: Scope, status: int, key: str, text: str) -> None:
    """Answer in one line."""
    kind = b"text/plain; charset=utf-8"
    if scope["path"].startswith("/api/"):
        kind, text = b"application/json", json.dumps({"error": text, "key": key, "state": None})
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(text))]
    if status == 429:
        headers.append((b"retry-after", b"1"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text.encode()})
