"""Whole games as conversations for fine-tuning: what a model is asked, what a known player answers.

Every game gives one conversation for each seat. The user asks as the arena asks a model, the assistant
answers with the move of the player in that seat, and every answer has an exact reward.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, NamedTuple

from numberduels.analysis.judgement import JudgedMove, judge_move
from numberduels.analysis.openings import Opening, game_openings
from numberduels.analysis.oracle_cache import ORACLES
from numberduels.game.contract import Bounded, Seat
from numberduels.game.table import Table
from numberduels.harness.dataset.positions import ShownGame
from numberduels.harness.episode_results import outcome_for
from numberduels.players import Player
from numberduels.players.external import ExternalSettings

MOVE = {
    "ply": int,
    "move": str,
    "before": str,
    "after": str,
    "verdict": str,
    "reward": float,
    "points_given": int,
    "best": [str],
}
MESSAGES = [{"role": str, "content": str}]
ABOUT = {
    "id": str,
    "game": str,
    "rules": str,
    "seat": int,
    "player": str,
    "opponent": str,
    "opening": [str],
    "outcome": str,
    "disguised": bool,
}
COLUMNS: dict[str, dict[str, Any]] = {
    "messages": {"messages": MESSAGES, "moves": [MOVE], "rewards": [float], **ABOUT},
    "prompt-completion": {"prompt": MESSAGES, "completion": MESSAGES, **MOVE, **ABOUT},
}
"""By format, the columns of a file of trajectories; docs/datasets.md explains them."""

PLIES = 60
"""Plies after which a game that need not end is left unfinished."""


class TrajectoryPlan(NamedTuple):
    """What is played and how it is written."""

    players: tuple[Player, Player]
    """They change seats from game to game."""
    opening: int = 2
    """First moves that are drawn, where nothing is dealt."""
    explain: bool = False
    """Whether the assistant says why before a move that is best."""
    settings: ExternalSettings = ExternalSettings()


class Turn(NamedTuple):
    """One decision of a trajectory."""

    question: list[dict[str, str]]
    answer: str
    judged: JudgedMove


def play_trajectories(
    text: str, game: Any, count: int, seed: str, plan: TrajectoryPlan, form: str
) -> Iterator[dict[str, Any]]:
    """The rows of `count` games in one of the formats; ValueError if a player cannot play this game."""
    openings = game_openings(game, f"{seed} {text}", plan.opening)
    make: Callable[..., Iterator[dict[str, Any]]] = (
        _conversation if form == "messages" else _prompts_and_completions
    )
    for number in range(1, count + 1):
        first: Seat = 1 if number % 2 == 0 else 0
        names = plan.players[first].name, plan.players[1 - first].name
        opening = openings.of_round(number)
        shown = ShownGame(opening.game, plan.settings)
        table, turns = _play(
            opening, shown, (plan.players[first], plan.players[1 - first]), seed, number, plan
        )
        for seat in (0, 1):
            if turns[seat]:
                about = {
                    "id": f"{text} {seed} {number} {seat + 1}",
                    "game": shown.spec.name,
                    "rules": shown.option_text,
                    "seat": seat + 1,
                    "player": names[seat],
                    "opponent": names[1 - seat],
                    "opening": [shown.record_move(move) for move in opening.moves],
                    "outcome": outcome_for(seat, table.outcome),
                    "disguised": plan.settings.disguise,
                }
                yield from make(turns[seat], shown, about)


def _play(
    opening: Opening,
    shown: ShownGame,
    players: tuple[Player, Player],
    seed: str,
    number: int,
    plan: TrajectoryPlan,
) -> tuple[Table[Any, Any], tuple[list[Turn], list[Turn]]]:
    """Play one game, and keep the decisions of both seats."""
    game = opening.game
    table: Table[Any, Any] = Table(game, opening.start, opening.moves)
    oracle = ORACLES.oracle(game)
    turns: tuple[list[Turn], list[Turn]] = ([], [])
    for player in players:
        player.prepare(game, table.state)
    while not table.outcome and (isinstance(game, Bounded) or table.ply < PLIES):
        state, seat = table.state, table.turn
        players[seat].set_history(table.played)
        move = players[seat].choose(game, state, Random(f"{seed} {shown.option_text} {number} {table.ply}"))
        judged = judge_move(oracle, table.ply, state, move)
        good = judged.worth is not None and not judged.better
        why = f"{shown.reason(oracle, state, move)}\n" if plan.explain and good else ""
        question = shown.question(state, table.played, len(opening.moves))
        turns[seat].append(Turn(question, f"{why}MOVE: {shown.shown(move)}", judged))
        table.play(move)
    return table, turns


def _conversation(turns: list[Turn], shown: ShownGame, about: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """One conversation over all the decisions of a seat."""
    messages = turns[0].question[:1]  # the system message
    for turn in turns:
        messages += [turn.question[-1], {"role": "assistant", "content": turn.answer}]
    moves = [_move(turn.judged, shown) for turn in turns]
    yield {"messages": messages, "moves": moves, "rewards": [move["reward"] for move in moves], **about}


def _prompts_and_completions(
    turns: list[Turn], shown: ShownGame, about: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """One prompt and one completion for each decision of a seat."""
    for turn in turns:
        completion = [{"role": "assistant", "content": turn.answer}]
        move = _move(turn.judged, shown)
        own = about | {"id": f"{about['id']} {move['ply']}"}
        yield {"prompt": turn.question, "completion": completion, **move, **own}


def _move(judged: JudgedMove, shown: ShownGame) -> dict[str, Any]:
    before, worth = judged.before, judged.worth
    return {
        "ply": judged.ply,
        "move": shown.shown(judged.move),
        "before": before and before.value_name,
        "after": worth and worth.value_name,
        "verdict": judged.verdict,
        "reward": judged.value_change,
        "points_given": shown.points(judged.given),
        "best": [shown.shown(move) for move in judged.better] or [shown.shown(judged.move)],
    }
