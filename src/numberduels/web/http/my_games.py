"""The games of one visitor, for the page that lists them: whose turn it is, who waits, what has ended."""

from __future__ import annotations

from typing import NamedTuple

from starlette.requests import Request

from numberduels.game.contract import OTHER
from numberduels.web.http import forms
from numberduels.web.http.services import services
from numberduels.web.match.model import OVER, WAITING, Match
from numberduels.web.match.seats import SeatInfo, Seats
from numberduels.web.match.state import Online
from numberduels.web.store.log import SeatedGame

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
