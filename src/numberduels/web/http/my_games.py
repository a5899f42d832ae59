"""The games of one visitor: the page that lists them, and the same as news."""

from __future__ import annotations

from dataclasses import dataclass
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
from numberduels.web.match.state import Online
from numberduels.web.store.base import SeatedGame

PAGE = 50
"""Games on one page."""


class MyGame(NamedTuple):
    """One game as one of its players sees it in a list."""

    match: Match
    seats: Seats
    """The seats of the visitor; both in a game at one screen."""
    online: Online
    is_late: bool
    """Whether the player to move has exceeded the time."""

    @property
    def opponent(self) -> SeatInfo:
        """Who has the other seat; in a game at one screen, the second player."""
        return self.match.seat_infos[OTHER[self.seats[0]]]

    @property
    def opponent_online(self) -> bool | None:
        """Whether the opponent is online; None for a computer and for a free seat."""
        return self.online[OTHER[self.seats[0]]]

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


class MyGames(NamedTuple):
    """One page of the games of a visitor, each group with the latest seat first."""

    my_turn: list[MyGame]
    """Games in which the visitor is to move, to answer, or may claim the game."""
    others_turn: list[MyGame]
    waiting: list[MyGame]
    """Invitations that nobody has accepted yet."""
    over: list[MyGame]
    next: str
    """Send it as `before` to get the next page; empty on the last one."""


async def my_games(request: Request, before: str = "") -> MyGames:
    """The games in which this browser has a seat; `before` is the `next` of the page before."""
    matches, key = services(request).matches, forms.key(request)
    if not key:
        return MyGames([], [], [], [], "")
    found, last = await matches.games_of(key, PAGE, read_cursor(before))
    games = [
        MyGame(match, match.seats_of(key), matches.online(match), match.is_late(matches.now()))
        for match in found
    ]
    groups: tuple[list[MyGame], ...] = ([], [], [], [])
    for game in games:
        status = game.match.status
        group = (
            3 if status == OVER else 2 if status == WAITING else 0 if game.my_turn or game.can_claim else 1
        )
        groups[group].append(game)
    mine, others, waiting, over = groups
    return MyGames(mine, others, waiting, over, write_cursor(last))


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


RESULTS = {
    "won": Message("You won"),
    "lost": Message("You lost"),
    "tie": Message("Tie"),
    "half": Message("First game over"),
    "cancelled": Message("Cancelled"),
    "unfinished": Message("Unfinished"),
}
"""The results of games, as their players read them."""


@dataclass(frozen=True, slots=True)
class GameEntry:
    """One game in the list of a visitor."""

    game: MyGame
    group: str
    """Where it stands in the list: yours (to move, to answer, to claim), theirs, or over."""

    @property
    def match(self) -> Match:
        """The match."""
        return self.game.match

    @property
    def seats(self) -> Seats:
        """The seats of the visitor."""
        return self.game.seats

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
        info = self.game.opponent
        if info.kind == OPEN:
            return Message("a friend is awaited")
        if info.kind == COMPUTER:
            return Message("against the computer")
        return Message("against {name}", name=info.name) if info.name else Message("against a friend")

    @property
    def state(self) -> Message:
        """What the visitor wants to know first: whose turn it is, or the result."""
        match = self.match
        if self.game.result == "over" and match.winner is not None:
            return Message("Player {number} won", number=match.winner + 1)
        if self.game.result:
            return RESULTS[self.game.result]
        if match.status == WAITING:
            return Message("Waiting")
        if len(self.seats) == 2:
            return Message("Go on")
        if match.turn in self.seats:
            return Message("Your turn")
        if self.game.can_claim:
            return Message("Out of time")
        return Message("Your answer") if self.game.my_turn else Message("Their turn")

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
        name = self.game.opponent.name or Message("Your friend")
        asker, offerer = match.takeback_asked_by, match.draw_offered_by
        if self.game.result:
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
    """The games of the visitor, those that wait for them first, and where the next page begins."""
    found = await my_games(request, before)
    groups = {"yours": found.my_turn, "theirs": found.others_turn + found.waiting, "over": found.over}
    return [GameEntry(game, group) for group, games in groups.items() for game in games], found.next


async def show(request: Request) -> Response:
    """The list of games."""
    before = request.query_params.get("before", "")
    found, following = await entries(request, before)
    found.sort(key=lambda entry: entry.match.updated, reverse=True)
    groups = {name: [each for each in found if each.group == name] for name in ("yours", "theirs", "over")}
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
