"""The page with the review of a match that is over.

Widths in the chart are percentages and heights are pixels, so that it fills any screen and its texts keep
their size. Bars above the axis are for Player 1, bars below it for Player 2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from numberduels.web.http.middleware import client_address
from numberduels.web.http.rendering import page
from numberduels.web.http.services import services
from numberduels.web.match import engine_queries

CHART_HEIGHT = 168
"""Pixels of the plot."""

AXIS = CHART_HEIGHT // 2

REACH = AXIS - 18
"""Pixels of the longest bar; above it is room for the sign of a mistake."""

THIN = 3
"""Pixels of the bar of an even position."""

PHONE = 320
"""Pixels of the narrowest screen, on which the move numbers must not overlap."""

DIGIT = 8
"""Pixels of a digit below the chart."""


@dataclass(frozen=True, slots=True)
class ChartColumn:
    """The value of the game at one moment: before the first move, or after a move."""

    ply: int
    """Moves made so far."""
    x: float
    """The middle of the column, in percent of the width."""
    top: float
    height: float
    side: str
    """Who wins at best play: first, second, even, or unknown."""
    margin: int | None
    """The points by which they win, in a game of points."""
    judged: Mapping[str, Any] | None
    """The verdict on the move; None before the first move."""
    label: str
    """The number below the chart; empty where there is no room."""

    @property
    def sign_y(self) -> float:
        """Where the sign of a mistake stands: beyond the end of the bar."""
        return self.top - 6 if self.top < AXIS - THIN else self.top + self.height + 14


def chart_of(review: Mapping[str, Any]) -> list[ChartColumn]:
    """The columns of the chart of a review, given as `Review.report` returns it.

    >>> columns = chart_of({"values": [1, -1], "margins": None, "moves": [{"ply": 1}]})
    >>> [(column.side, column.height) for column in columns]
    [('first', 66), ('second', 66)]
    """
    values: Sequence[int | None] = review["values"]
    margins: Sequence[int | None] = review["margins"] or values
    reach = max([1, *(abs(each) for each in margins if each is not None)])
    width = 100 / len(values)
    digits = len(str(len(values))) + 1
    every = max(1, ceil(digits * DIGIT * len(values) / PHONE))
    columns = []
    for ply, (value, margin) in enumerate(zip(values, margins, strict=True)):
        height = max(round(REACH * abs(margin or 0) / reach), THIN)
        side = "unknown" if value is None else ("even", "first", "second")[value]
        top = AXIS - height if side == "first" else AXIS if side == "second" else AXIS - THIN / 2
        columns.append(
            ChartColumn(
                ply,
                (ply + 0.5) * width,
                top,
                THIN if side in ("even", "unknown") else height,
                side,
                abs(margin) if review["margins"] and margin is not None else None,
                review["moves"][ply - 1] if ply else None,
                str(ply) if ply and ply % every == 0 else "",
            )
        )
    return columns


async def review(request: Request) -> Response:
    """The review: one sentence, the chart, and the moves that changed the result."""
    running = services(request)
    match = await running.matches.get(request.path_params["duel"])
    found = await engine_queries.review(running.engine, match, (), client_address(request.scope))
    address = f"{str(request.base_url).rstrip('/')}/g/{match.id}/review"
    return page(
        request, "review.html", match=match, review=found, columns=chart_of(found), axis=AXIS, address=address
    )


ROUTES = [Route("/g/{duel}/review", review)]
