"""The pages under /learn/GAME/theorem: change one number, and see who wins. The number is in the address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from numberduels.analysis.exploration import Exploration, exploration_of
from numberduels.game import options
from numberduels.game.board import Board, board_of
from numberduels.game.messages import Message
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table
from numberduels.web.errors import UserError
from numberduels.web.http import forms
from numberduels.web.http.learn import ask, explorer_url
from numberduels.web.http.rendering import page
from numberduels.web.http.statuses import status_of


@dataclass(frozen=True, slots=True)
class ExplorationView:
    """An exploration at one number."""

    spec: GameSpec
    exploration: Exploration
    winners: list[int]
    """Who wins, for each number."""
    value: int
    table: Table[Any, Any]
    worth: dict[str, Any]
    """The worth of the position and of its moves."""

    @property
    def board(self) -> Board:
        """The position."""
        return board_of(self.table.game, self.table.state, self.table.played)

    @property
    def counted(self) -> Message:
        """What decides, counted in this position."""
        return self.exploration.count(self.table.game, self.table.state)

    @property
    def place(self) -> int:
        """The place of the number among all, from 0."""
        return self.exploration.values.index(self.value)

    @property
    def winner(self) -> int:
        """Who wins: 1, 2, or 0 for nobody."""
        return self.winners[self.place]

    @property
    def move_values(self) -> dict[str, str]:
        """The value of each move."""
        return {move: each["value"] for move, each in self.worth["moves"].items()}

    @property
    def choices(self) -> list[tuple[int, int, int]]:
        """For each number: its place, the number, and who wins."""
        pairs = zip(self.exploration.values, self.winners, strict=True)
        return [(place, value, winner) for place, (value, winner) in enumerate(pairs)]

    @property
    def explorer_url(self) -> str:
        """The address of the position in the explorer."""
        notation = self.spec.text_for(self.table.game).format_move
        moves = [notation(move) for move in self.table.played]
        return explorer_url(self.spec, options.format_options(self.table.game), moves)


async def show_exploration(request: Request) -> Response:
    """The page of an exploration; `at` is the place of the number, from 0."""
    spec = forms.requested_spec(request.path_params["game"])
    found = exploration_of(spec) if spec else None
    if spec is None or found is None:
        return page(request, "error.html", 404, text=Message("There is no such page."))
    place = forms.number(request.query_params.get("at"))
    valid = place is not None and place < len(found.values)
    value = found.values[place] if place is not None and valid else found.first
    table = found.table(spec, value)
    notation = spec.text_for(table.game).format_move
    moves = [notation(move) for move in table.played]
    try:
        winners = await ask(request, "exploration", spec.name)
        worth = await ask(request, "values", spec.name, options.format_options(table.game), moves)
    except UserError as error:
        return page(request, "error.html", status_of(error), text=error.text)
    view = ExplorationView(spec, found, winners, value, table, worth)
    return page(request, "exploration.html", view=view, spec=spec)


ROUTES = [Route("/learn/{game}/theorem", show_exploration)]
