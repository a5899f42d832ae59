"""At the door: who may come in how often, from where, and what every answer says to browsers."""

from __future__ import annotations

import json
import time
from collections.abc import Awaitable, Callable, MutableMapping
from ipaddress import IPv6Address, IPv6Network
from typing import Any

from numberduels.web.limits import Allowance
from numberduels.web.metrics import Metrics
from numberduels.web.settings import Settings

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

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

LOOKING = 5
"""Looking is cheaper than doing: so many times as much of it is allowed."""


class Guard:
    """Wraps the whole server."""

    def __init__(self, app: App, settings: Settings, metrics: Metrics) -> None:
        self.app = app
        self.settings = settings
        self.metrics = metrics
        self.doing = Allowance(settings.rate, settings.burst)
        self.looking = Allowance(LOOKING * settings.rate, LOOKING * settings.burst)

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
                extra = [*HEADERS, (b"cache-control", FOREVER if lasting(scope, status) else b"no-store")]
                if scope["scheme"] == "https":
                    extra.append((b"strict-transport-security", b"max-age=31536000"))
                message["headers"] = own + [pair for pair in extra if pair[0] not in told]
            await send(message)

        refusal = self._refusal(scope)
        try:
            if refusal:
                await _briefly(answer, scope, *refusal)
            else:
                await self.app(scope, receive, answer)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            self.metrics.request(scope["method"], route, status or 499, time.perf_counter() - began)

    def _refusal(self, scope: Scope) -> tuple[int, str, str] | None:
        """Why this request goes no further, if it does not."""
        headers = dict(scope["headers"])
        doing = scope["method"] not in ("GET", "HEAD")
        if scope["path"] in ("/healthz", "/metrics"):
            return None
        if not (self.doing if doing else self.looking).take(address(scope)):
            return 429, "many_requests", "Too many requests from your address. Wait a moment."
        if doing and foreign(headers):
            return 403, "foreign", "This request comes from another site."
        length = headers.get(b"content-length", b"0")
        if not length.isdigit() or int(length) > self.settings.body:
            return 413, "too_long", f"A request has at most {self.settings.body} bytes."
        return None


FOREVER = b"public, max-age=31536000, immutable"


def lasting(scope: Scope, status: int) -> bool:
    """Whether an answer never changes: a file of ours, asked for with the version in its address."""
    return status == 200 and scope["path"].startswith("/static/") and bool(scope["query_string"])


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


def foreign(headers: dict[bytes, bytes]) -> bool:
    """Whether another site has sent the browser here.

    Browsers say so. What says nothing of the kind is no browser, and has no cookie that could be abused.
    """
    if headers.get(b"authorization", b"").lower().startswith(b"bearer "):
        return False
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site not in (b"same-origin", b"none")
    origin = headers.get(b"origin")
    return origin is not None and origin.partition(b"://")[2] != headers.get(b"host")


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
