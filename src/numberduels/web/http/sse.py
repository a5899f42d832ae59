"""Live updates as server-sent events: of one match, or of all matches of a visitor.

In the stream of one match the id of an event is the version of the match. Bots get the state. Pages get only
the version, because they fetch the HTML that they show; they are also told which players are online, and that
the player to move has exceeded the time. Whoever has a seat and any open stream is online.
"""

from __future__ import annotations

import asyncio
import json
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from numberduels.game.messages import Message
from numberduels.web.errors import UserError
from numberduels.web.http import forms
from numberduels.web.http.middleware import client_address
from numberduels.web.http.services import Services, services
from numberduels.web.match.model import OVER, Match
from numberduels.web.match.state import Online
from numberduels.web.match.subscriptions import MAX_WATCHED, Subscription, TooManySubscriptions

RETRY = b"retry: 1000\n\n"
"""How long a browser waits before it reconnects, in milliseconds."""

KEEP_ALIVE = 15.0
"""Seconds of silence after which a comment is sent: proxies close silent connections."""


async def state_stream(request: Request) -> Response:
    """A stream of states, for bots."""
    return await _match_stream(request, StateStream)


async def version_stream(request: Request) -> Response:
    """A stream of versions, for pages."""
    return await _match_stream(request, PageStream)


async def visitor_stream(request: Request) -> Response:
    """A stream about all matches of a visitor that are not over."""
    shared, key = services(request), forms.key(request)
    if not key:
        raise UserError("no_token", "This browser or program has no seat in any game.")
    subscription = _subscribe(request, lambda each: shared.subscriptions.open_for_visitor(key, each))
    try:
        matches, _ = await shared.matches.games_of(key, MAX_WATCHED)
    except BaseException:
        shared.subscriptions.end(subscription)
        raise
    if request.method == "HEAD":
        shared.subscriptions.end(subscription)
        return Response(media_type="text/event-stream")
    return VisitorStream(shared, subscription, key, matches)


async def _match_stream(request: Request, stream: type[StateStream]) -> Response:
    shared, match_id = services(request), request.path_params["duel"]
    # Subscribe before the match is read, so that no change is missed in between.
    subscription = _subscribe(request, lambda each: shared.subscriptions.open(match_id, each))
    try:
        match = await shared.matches.get(match_id)
        await shared.matches.visit(match, forms.key(request))
    except BaseException:
        shared.subscriptions.end(subscription)
        raise
    if request.method == "HEAD":
        shared.subscriptions.end(subscription)
        return Response(media_type="text/event-stream")
    key = forms.key(request)
    seen = forms.number(request.headers.get("last-event-id")) or 0
    return stream(shared, subscription, key if match.seats_of(key) else "", match, seen)


def _subscribe(request: Request, subscribe: Callable[[str], Subscription]) -> Subscription:
    try:
        return subscribe(client_address(request.scope))
    except TooManySubscriptions:
        most = services(request).settings.streams_each
        text = Message("Too many open streams: one address may have at most {most}.", most=most)
        raise UserError("many_streams", text) from None


def _event(kind: str, data: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps(data)}\n\n".encode()


class EventStream(Response):
    """A response that sends events whenever one of its matches changes, until one side ends it."""

    def __init__(self, shared: Services, subscription: Subscription, key: str) -> None:
        super().__init__(media_type="text/event-stream", headers={"cache-control": "no-store"})
        self.raw_headers = [pair for pair in self.raw_headers if pair[0] != b"content-length"]
        self.raw_headers.append((b"x-accel-buffering", b"no"))  # a proxy must not delay events
        self.shared = shared
        self.subscription = subscription
        self.key = key
        """The key of a visitor who is online by this stream; empty for a spectator."""
        self.matches: dict[str, Match] = {}
        """The matches whose players and deadlines the stream is about."""
        self._online: dict[str, Online] = {}
        self._late: dict[str, float] = {}
        """The deadline of each match that the client knows to have passed."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        disconnect = asyncio.ensure_future(self._on_disconnect(receive))
        self.shared.metrics.streams.inc()
        presence = self.shared.matches.presence
        if self.key:
            presence.enter(self.key)
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            body = RETRY + self.begin()
            while not self.subscription.closing:
                await send({"type": "http.response.body", "body": body, "more_body": True})
                matches = await self.subscription.next(self._timeout())
                body = b"".join(map(self.news, matches)) + self.late_news() or b": still here\n\n"
            await send({"type": "http.response.body", "body": b"event: bye\ndata: {}\n\n"})
        except OSError:
            pass  # the client is gone
        finally:
            disconnect.cancel()
            if self.key:
                presence.leave(self.key)
            self.shared.metrics.streams.dec()
            self.shared.subscriptions.end(self.subscription)

    def time_event(self) -> bytes:
        """The event with the time of the server, for clients that show a countdown to a deadline."""
        return _event("time", self.shared.matches.now())

    @abstractmethod
    def begin(self) -> bytes:
        """The first events."""

    @abstractmethod
    def news(self, match: Match) -> bytes:
        """The events about a match that has changed, or whose players have come or gone."""

    def presence_news(self, match: Match) -> bytes:
        """An event for each player whose presence the client does not know."""
        online, known = self.shared.matches.online(match), self._online.get(match.id, (None, None))
        self._online[match.id] = online
        return b"".join(
            _event("presence", {"match": match.id, "player": seat + 1, "online": online[seat]})
            for seat in (0, 1)
            if online[seat] is not None and online[seat] != known[seat]
        )

    def _next_deadline(self) -> float | None:
        """The next deadline that the client was not told of."""
        known, matches = self._late, self.matches.values()
        deadlines = (match.deadline for match in matches if known.get(match.id) != match.deadline)
        return min((each for each in deadlines if each is not None), default=None)

    def _timeout(self) -> float:
        """Seconds until something must be sent."""
        deadline = self._next_deadline()
        left = KEEP_ALIVE if deadline is None else deadline - self.shared.matches.now()
        return min(KEEP_ALIVE, max(0.0, left))

    def late_news(self) -> bytes:
        """An event for each match whose player to move has exceeded the time since."""
        now, body = self.shared.matches.now(), b""
        for match in self.matches.values():
            deadline, turn = match.deadline, match.turn
            if deadline is None or turn is None or now < deadline or self._late.get(match.id) == deadline:
                continue
            self._late[match.id] = deadline
            body += _event("late", {"match": match.id, "player": turn + 1})
        return body

    async def _on_disconnect(self, receive: Receive) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        self.subscription.close()


class StateStream(EventStream):
    """The states of one match, and nothing else."""

    def __init__(
        self, shared: Services, subscription: Subscription, key: str, match: Match, seen: int
    ) -> None:
        super().__init__(shared, subscription, key)
        self.seen = seen
        """The last version that the client has."""
        self.match = match

    def begin(self) -> bytes:
        return self.news(self.match)

    def news(self, match: Match) -> bytes:
        """The event of this version; nothing if the client has it."""
        if match.version == self.seen:
            return b""
        self.seen = match.version
        return b"id: %d\n%b" % (match.version, self.event(match))

    def event(self, match: Match) -> bytes:
        """What the client is told of a new version."""
        return b"event: state\ndata: %b\n\n" % self.shared.matches.state_json(match)


class PageStream(StateStream):
    """The versions of one match, the presence of its players, and their deadlines."""

    def begin(self) -> bytes:
        self.matches[self.match.id] = self.match
        self.shared.subscriptions.index_players(self.match)
        return self.time_event() + self.news(self.match) + self.late_news()

    def news(self, match: Match) -> bytes:
        return super().news(match) + self.presence_news(match)

    def event(self, match: Match) -> bytes:
        return _event("version", match.version)


class VisitorStream(EventStream):
    """The events of all matches of a visitor, until each is over; the first event lists them.

    Nothing is repeated after a lost connection: the first event has the present version of each match.
    """

    def __init__(self, shared: Services, subscription: Subscription, key: str, matches: list[Match]) -> None:
        super().__init__(shared, subscription, key)
        self._versions: dict[str, int] = {}
        for match in matches:
            if match.status != OVER:
                self._follow(match)

    def _follow(self, match: Match) -> None:
        self.matches[match.id] = match
        self._versions[match.id] = match.version
        self.shared.subscriptions.watch(self.subscription, match.id)
        self.shared.subscriptions.index_players(match)

    def begin(self) -> bytes:
        for match in self.matches.values():
            self._online[match.id] = self.shared.matches.online(match)
            self._versions[match.id] = match.version
        games = b",".join(map(self._summary, self.matches.values()))
        return self.time_event() + b"event: games\ndata: [%b]\n\n" % games + self.late_news()

    def news(self, match: Match) -> bytes:
        body = b""
        if self._versions.get(match.id) != match.version:
            self._follow(match)
            self._online.setdefault(match.id, self.shared.matches.online(match))
            body = b"event: version\ndata: %b\n\n" % self._summary(match)
        if match.id not in self.matches:
            return body
        body += self.presence_news(match)
        if match.status == OVER:
            for known in (self.matches, self._versions, self._online, self._late):
                known.pop(match.id, None)
            self.shared.subscriptions.unwatch(self.subscription, match.id)
        return body

    def _summary(self, match: Match) -> bytes:
        return self.shared.matches.summary_json(match, self.key)
