"""How many requests to models a study needs, before any of them is sent."""

from __future__ import annotations

import os
from random import Random
from typing import NamedTuple

from numberduels.arena.plan import Plan, PlannedGame
from numberduels.arena.results import ERROR
from numberduels.arena.results_file import GAMES, read_lines
from numberduels.game.table import Table

MAX_PLIES = 200
"""The most moves of a random game."""


class Requests(NamedTuple):
    """What a run still has to do."""

    total: int
    """Games or decisions of the plan."""
    open: int
    """Those that are not saved yet."""
    requests: int
    """Requests to models, if every first answer is a legal move."""
    most: int
    """Requests, if every move takes all attempts that are allowed."""
    is_estimate: bool
    """Whether the lengths of games were estimated."""


def count_requests(plan: Plan, folder: str) -> Requests:
    """Count the requests of a run that its folder does not hold yet.

    A single decision is one request. The length of a whole game is not known before it is played: it is
    estimated by a random game from the same opening.
    """
    path = os.path.join(folder, GAMES)
    lines = read_lines(path) if os.path.exists(path) else ()
    done = {str(line.get("key")) for line in lines if line.get("end") != ERROR}
    scheduled = list(plan.schedule())
    waiting = [game for game in scheduled if game.key not in done]
    lengths: dict[tuple[str, int], tuple[int, int]] = {}
    requests = 0
    for game in waiting:
        seats = [seat for seat, player in enumerate(game.players) if player.startswith("chat:")]
        if not plan.positions and seats:
            place = game.game, game.round
            if place not in lengths:
                lengths[place] = random_game_length(game)
            requests += sum(lengths[place][seat] for seat in seats)
        else:
            requests += len(seats)
    return Requests(
        len(scheduled), len(waiting), requests, requests * plan.terms.attempts, not plan.positions
    )


def random_game_length(game: PlannedGame) -> tuple[int, int]:
    """How many moves each seat makes in a random game from the opening of a planned game."""
    opening = game.opening()
    table: Table[object, object] = Table(opening.game, opening.start, opening.moves)
    rng, counts = Random(game.seed), [0, 0]
    while table.outcome is None and table.ply < MAX_PLIES:
        counts[table.turn] += 1
        table.play(rng.choice(table.moves))
    return counts[0], counts[1]
