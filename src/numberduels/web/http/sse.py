"""Live updates: server-sent events, each with the whole state and the game's version as its number."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from numberduels.web.http import forms
from numberduels.web.http.middleware import address
from numberduels.web.match.model import Duel, Refused
from numberduels.web.match.service import Hall
from numberduels.web.match.subscriptions import Full, Stream, Streams

RETRY = b"retry: 1000\n\n"
"""How long a browser waits before it comes back, in milliseconds."""


class Live(Response):
    """An open connection that tells every change of a duel."""

    def __init__(self, hall: Hall, duel: Duel, stream: Stream, seen: int) -> None:
        super().__init__(media_type="text/event-stream", headers={"cache-control": "no-store"})
        self.raw_headers = [pair for pair in self.raw_headers if pair[0] != b"content-length"]
        self.raw_headers.append((b"x-accel-buffering", b"no"))  # a proxy must not hold back what is live
        self.hall = hall
        self.duel = duel
        self.stream = stream
        self.seen = seen
        """The version that the other side knows already."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        gone = asyncio.ensure_future(self._gone(receive))
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            new = self.duel.version != self.seen
            news = self.hall.news(self.duel, self.stream.brief) if new else b""
            await send({"type": "http.response.body", "body": RETRY + news, "more_body": True})
            while not self.stream.closing:
                news = await self.stream.next() or b": still here\n\n"
                if self.stream.closing:
                    break
                await send({"type": "http.response.body", "body": news, "more_body": True})
            await send({"type": "http.response.body", "body": b"event: bye\ndata: {}\n\n"})
        except OSError:
            pass  # the other side is gone
        finally:
            gone.cancel()
            self.hall.streams.end(self.stream)

    async def _gone(self, receive: Receive) -> None:
        """Wait for the other side to leave."""
        while (await receive())["type"] != "http.disconnect":
            pass
        self.stream.close()


async def whole(request: Request) -> Response:
    """A stream of states."""
    return await _stream(request, False)


async def brief(request: Request) -> Response:
    """A stream of versions, for pages."""
    return await _stream(request, True)


async def _stream(request: Request, brief: bool) -> Response:
    """Open a stream; whoever comes back says what they have seen."""
    hall = forms.hall(request)
    seen = forms.number(request.headers.get("last-event-id")) or 0
    with suppress(Full):
        streams: Streams = hall.streams
        # Opened before the state is read, so that nothing happens unheard in between.
        opened = streams.open(request.path_params["duel"], address(request.scope), brief)
        try:
            duel = await hall.duel(request.path_params["duel"])
        except BaseException:
            streams.end(opened)
            raise
        if request.method == "HEAD":
            streams.end(opened)
            return Response(media_type="text/event-stream")
        return Live(hall, duel, opened, seen)
    most = request.app.state.settings.streams_each
    text = f"Too many open streams: one address may have at most {most}."
    raise Refused("many_streams", text, 429, most=most)
