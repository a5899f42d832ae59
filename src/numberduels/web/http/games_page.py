"""The page of my games: everything that this browser plays or has played, and the same as news."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from numberduels.game.messages import Message
from numberduels.web.http import forms
from numberduels.web.http.i18n import translator
from numberduels.web.http.my_games import MyGame, my_games
from numberduels.web.http.rendering import page
from numberduels.web.match.model import WAITING, Match
from numberduels.web.match.seats import COMPUTER, OPEN, Seats

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


async def news(request: Request) -> Response:
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


ROUTES = [Route("/games", show), Route("/games/news", news)]
