"""The games of one visitor: the page that lists them, and the same as news."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from numberduels.game.contract import OTHER
from numberduels.game.messages import Message
from numberduels.web.http import forms
from numberduels.web.http.i18n import translator
from numberduels.web.http.rendering import page
from numberduels.web.http.services import services
from numberduels.web.match.events import COMPUTER, OPEN, SeatInfo, Seats
from numberduels.web.match.model import OVER, WAITING, Match
from numberduels.web.store.base import SeatedGame

PAGE = 50
"""Games on one page."""

GROUPS = ("yours", "theirs", "over")


RESULTS = {
    "won": Message("You won"),
    "lost": Message("You lost"),
    "tie": Message("Tie"),
    "half": Message("First game over"),
    "cancelled": Message("Cancelled"),
    "unfinished": Message("Unfinished"),
}
"""The results of games, as their players read them."""


class GameEntry(NamedTuple):
    """One game as one of its players sees it in a list."""

    match: Match
    seats: Seats
    """The seats of the visitor; both in a game at one screen."""
    is_late: bool
    """Whether the player to move has exceeded the time."""

    @property
    def other(self) -> SeatInfo:
        """Who has the other seat; in a game at one screen, the second player."""
        return self.match.seat_infos[OTHER[self.seats[0]]]

    @property
    def my_turn(self) -> bool:
        """Whether the visitor is to move, or to answer a question of the opponent."""
        match = self.match
        asked = [each for each in (match.takeback_asked_by, match.draw_offered_by) if each is not None]
        return match.turn in self.seats or any(each not in self.seats for each in asked)

    @property
    def can_claim(self) -> bool:
        """Whether the visitor may claim the game on time."""
        return self.is_late and self.match.turn not in self.seats

    @property
    def group(self) -> str:
        """Where it stands in the list: yours (to move, to answer, to claim), theirs, or over."""
        if self.match.status == OVER:
            return "over"
        yours = self.match.status != WAITING and (self.my_turn or self.can_claim)
        return "yours" if yours else "theirs"

    @property
    def result(self) -> str:
        """won, lost, tie, half, cancelled, unfinished, or over at one screen; empty while it goes on."""
        match = self.match
        if match.status != OVER:
            return ""
        if match.cancelled:
            return "cancelled"
        if match.outcome is None:
            return "unfinished"
        if match.is_first_of_two:
            return "half"
        if match.winner is None:
            return "tie"
        if len(self.seats) == 2:
            return "over"
        return "won" if match.winner in self.seats else "lost"

    @property
    def url(self) -> str:
        """The address of the game."""
        return f"/g/{self.match.id}"

    @property
    def opponent(self) -> Message:
        """Who sits on the other side."""
        infos = self.match.seat_infos
        if len(self.seats) == 2:
            one, other = (info.name or f"Player {number}" for number, info in enumerate(infos, 1))
            if not any(info.name for info in infos):
                return Message("two at one screen")
            return Message("{one} and {other} at one screen", one=one, other=other)
        info = self.other
        if info.kind == OPEN:
            return Message("a friend is awaited")
        if info.kind == COMPUTER:
            return Message("against the computer")
        return Message("against {name}", name=info.name) if info.name else Message("against a friend")

    @property
    def state(self) -> Message:
        """What the visitor wants to know first: whose turn it is, or the result."""
        match = self.match
        if self.result == "over" and match.winner is not None:
            return Message("Player {number} won", number=match.winner + 1)
        if self.result:
            return RESULTS[self.result]
        if match.status == WAITING:
            return Message("Waiting")
        if len(self.seats) == 2:
            return Message("Go on")
        if match.turn in self.seats:
            return Message("Your turn")
        if self.can_claim:
            return Message("Out of time")
        return Message("Your answer") if self.my_turn else Message("Their turn")

    @property
    def time(self) -> datetime:
        """When something happened last."""
        return datetime.fromtimestamp(self.match.updated, UTC)

    @property
    def news(self) -> Message | None:
        """What the opponent did last that the visitor should hear of; None if there is nothing."""
        match = self.match
        if match.single_person or match.status == WAITING:
            return None
        game = match.spec.title
        name = self.other.name or Message("Your friend")
        asker, offerer = match.takeback_asked_by, match.draw_offered_by
        if self.result:
            return Message("{game}: {result}.", game=game, result=self.state)
        if asker is not None and asker not in self.seats:
            return Message("{name} asks to take a move back in {game}.", name=name, game=game)
        if offerer is not None and offerer not in self.seats:
            return Message("{name} offers a draw in {game}.", name=name, game=game)
        if not match.table.ply and match.rematch_of:
            if match.rematch_by in self.seats:
                return None
            if match.lead is not None:
                return Message("{name} has started the second game of {game}.", name=name, game=game)
            return Message("{name} has started a rematch of {game}.", name=name, game=game)
        if not match.table.ply:
            return Message("{name} has joined your game of {game}.", name=name, game=game)
        if match.turn in self.seats:
            move = match.moves[-1]
            return Message(
                "{name} played {move} in {game}: it is your turn.", name=name, move=move, game=game
            )
        return None


async def entries(request: Request, before: str = "") -> tuple[list[GameEntry], str]:
    """One page of the visitor's games, those that wait for them first, and the `before` of the next page."""
    matches, key = services(request).matches, forms.key(request)
    if not key:
        return [], ""
    found, last = await matches.games_of(key, PAGE, read_cursor(before))
    games = [GameEntry(match, match.seats_of(key), match.is_late(matches.now())) for match in found]
    return sorted(games, key=lambda entry: GROUPS.index(entry.group)), write_cursor(last)


def read_cursor(text: str) -> SeatedGame | None:
    """The end of a page: when the seat was taken, in microseconds, and the id; None for anything else.

    >>> read_cursor("1500000-kx3"), read_cursor("x")
    (SeatedGame(game='kx3', at=1.5), None)
    """
    at, _, game = text.partition("-")
    return (
        SeatedGame(game, int(at) / 1e6) if at.isascii() and at.isdigit() and len(at) < 20 and game else None
    )


def write_cursor(last: SeatedGame | None) -> str:
    """The end of a page as text; empty after the last page.

    >>> write_cursor(SeatedGame("kx3", 1.5))
    '1500000-kx3'
    """
    return f"{round(last.at * 1e6)}-{last.game}" if last else ""


async def show(request: Request) -> Response:
    """The list of games."""
    before = request.query_params.get("before", "")
    found, following = await entries(request, before)
    found.sort(key=lambda entry: entry.match.updated, reverse=True)
    groups = {name: [each for each in found if each.group == name] for name in GROUPS}
    url = f"/games?before={following}" if following else ""
    return page(request, "games.html", groups=groups, following=url, earlier=bool(before))


async def show_news(request: Request) -> Response:
    """The latest games as JSON, for the script that tells the visitor what has happened."""
    found, _ = await entries(request)
    language = translator(forms.language(request))
    return JSONResponse(
        [
            {
                "id": entry.match.id,
                "url": entry.url,
                "version": entry.match.version,
                "title": entry.match.spec.title,
                "yours": entry.group == "yours" and len(entry.seats) == 1,
                "news": language(entry.news) if entry.news else "",
            }
            for entry in found
            if not entry.match.single_person
        ],
        headers={"cache-control": "no-store"},
    )


ROUTES = [Route("/games", show), Route("/games/news", show_news)]
