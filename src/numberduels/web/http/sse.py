"""Live updates as server-sent events. The id of an event is the version of the match.

Bots get the state. Pages get only the version, because they fetch the HTML that they show.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from numberduels.messages import Message
from numberduels.web.errors import UserError
from numberduels.web.http import forms
from numberduels.web.http.middleware import client_address
from numberduels.web.http.services import Services, services
from numberduels.web.match.model import Match
from numberduels.web.match.subscriptions import Subscription, TooManySubscriptions

RETRY = b"retry: 1000\n\n"
"""How long a browser waits before it reconnects, in milliseconds."""

KEEP_ALIVE = 15.0
"""Seconds of silence after which a comment is sent: proxies close silent connections."""

Format = Callable[[Match], bytes]


async def state_stream(request: Request) -> Response:
    """A stream of states, for bots."""
    matches = services(request).matches
    return await _stream(
        request,
        lambda match: b"id: %d\nevent: state\ndata: %b\n\n" % (match.version, matches.state_json(match)),
    )


async def version_stream(request: Request) -> Response:
    """A stream of versions, for pages."""
    return await _stream(
        request, lambda match: b"id: %d\nevent: version\ndata: %d\n\n" % (match.version, match.version)
    )


async def _stream(request: Request, event: Format) -> Response:
    shared, match_id = services(request), request.path_params["duel"]
    try:
        # Subscribe before the match is read, so that no change is missed in between.
        subscription = shared.subscriptions.open(match_id, client_address(request.scope))
    except TooManySubscriptions:
        most = shared.settings.streams_each
        text = Message("Too many open streams: one address may have at most {most}.", most=most)
        raise UserError("many_streams", text) from None
    try:
        match = await shared.matches.get(match_id)
    except BaseException:
        shared.subscriptions.end(subscription)
        raise
    if request.method == "HEAD":
        shared.subscriptions.end(subscription)
        return Response(media_type="text/event-stream")
    seen = forms.number(request.headers.get("last-event-id")) or 0
    return EventStream(shared, subscription, match, seen, event)


class EventStream(Response):
    """A response that sends an event for every change of a match, until one side ends it."""

    def __init__(
        self, shared: Services, subscription: Subscription, match: Match, seen: int, event: Format
    ) -> None:
        super().__init__(media_type="text/event-stream", headers={"cache-control": "no-store"})
        self.raw_headers = [pair for pair in self.raw_headers if pair[0] != b"content-length"]
        self.raw_headers.append((b"x-accel-buffering", b"no"))  # a proxy must not delay events
        self.shared = shared
        self.subscription = subscription
        self.match = match
        self.seen = seen
        """The last version that the client has."""
        self.event = event

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        disconnect = asyncio.ensure_future(self._on_disconnect(receive))
        self.shared.metrics.streams.inc()
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            body = RETRY + self._news(self.match)
            while not self.subscription.closing:
                await send({"type": "http.response.body", "body": body, "more_body": True})
                match = await self.subscription.next(KEEP_ALIVE)
                body = self._news(match) if match else b": still here\n\n"
            await send({"type": "http.response.body", "body": b"event: bye\ndata: {}\n\n"})
        except OSError:
            pass  # the client is gone
        finally:
            disconnect.cancel()
            self.shared.metrics.streams.dec()
            self.shared.subscriptions.end(self.subscription)

    def _news(self, match: Match) -> bytes:
        """The event of this version; nothing if the client has it."""
        if match.version == self.seen:
            return b""
        self.seen = match.version
        return self.event(match)

    async def _on_disconnect(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.subscription.close()
