"""Positions with the exact value of every move, balanced over difficulty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from numberduels.analysis.equivalence import equivalence_class
from numberduels.analysis.oracle_cache import ORACLES
from numberduels.game.contract import ProgressCallback
from numberduels.game.table import Table, deal
from numberduels.harness.dataset.difficulty import LEVELS, Difficulty, measure_difficulty
from numberduels.harness.dataset.shown_game import ShownGame
from numberduels.harness.dataset.splits import Split, split_of
from numberduels.players.external import ExternalSettings
from numberduels.solvers import TooLarge, Worth
from numberduels.solvers.oracle import select_best
from numberduels.solvers.oracles import strongest_moves

COLUMNS = {
    "id": str,
    "split": str,
    "game": str,
    "rules": str,
    "moves_played": [str],
    "position": str,
    "prompt": [{"role": str, "content": str}],
    "to_move": int,
    "value": str,
    "remoteness": int,
    "margin": int,
    "moves": [{"move": str, "value": str, "remoteness": int, "margin": int, "optimal": bool}],
    "best": [str],
    "advised": str,
    "reason": str,
    "difficulty": int,
    "wrong_share": float,
    "depth": int,
    "greedy_fails": bool,
    "equivalence_class": str,
    "disguised": bool,
}
"""The columns of a file of positions; docs/datasets.md explains them."""

MAX_PLIES = 200
"""The longest random game that is followed."""
MAX_MOVES = 200
"""A position with more legal moves is left out."""
GAMES_PER_POSITION, FEWEST_GAMES = 3, 100
"""Random games that are played to find hard positions, too: so many for each position, and at least."""
STALE, BARREN = 200, 50
"""Random games without a new position after which there are no more: with some found, and with none."""


class Candidate(NamedTuple):
    """A position that may become a row."""

    game: Any
    """With a fixed start."""
    moves: tuple[Any, ...]
    state: Any
    difficulty: Difficulty
    group: str
    """Its equivalence class."""


def sample_positions(
    text: str,
    game: Any,
    count: int,
    seed: str,
    splits: Sequence[Split],
    progress: ProgressCallback | None = None,
) -> dict[str, list[Candidate]]:
    """For each split its share of `count` positions of a game, balanced; fewer if no more are found.

    No two of them are equivalent. Every beginning of a list is balanced, too.
    """
    wanted = _shares(count, splits)
    found: dict[str, list[Candidate]] = {split.name: [] for split in splits}
    seen: set[str] = set()
    stale = number = 0
    while stale < (STALE if any(found.values()) else BARREN):
        if number >= max(FEWEST_GAMES, GAMES_PER_POSITION * count) and all(
            len(found[name]) >= wanted[name] for name in wanted
        ):
            break
        if all(_is_balanced(found[name], wanted[name]) for name in wanted):
            break
        number += 1
        stale += 1
        for candidate in _random_game(game, Random(f"{seed} {text} dataset {number}"), seen):
            found[split_of(candidate.group, splits)].append(candidate)
            stale = 0
        if progress:
            progress(min(sum(map(len, found.values())), count), count)
    return {name: balanced(found[name], wanted[name]) for name in wanted}


def _shares(count: int, splits: Sequence[Split]) -> dict[str, int]:
    """How many positions each split gets: whole numbers that add up to the count."""
    wanted = {split.name: int(count * split.share + 1e-9) for split in splits}
    for split in sorted(splits, key=lambda each: wanted[each.name] - count * each.share):
        if sum(wanted.values()) < count:
            wanted[split.name] += 1
    return wanted


def _random_game(game: Any, rng: Random, seen: set[str]) -> Iterator[Candidate]:
    """The new positions of one random game in which a wrong move exists; `seen` keeps their classes."""
    game = deal(game, rng)
    table: Table[Any, Any] = Table(game, game.start(rng))
    oracle = ORACLES.oracle(game)
    while not table.outcome and table.ply < MAX_PLIES:
        state = table.state
        if 1 < len(table.moves) <= MAX_MOVES:
            group = equivalence_class(game, state)
            if group not in seen:
                try:
                    difficulty = measure_difficulty(oracle, state, oracle.evaluate_moves(state))
                except TooLarge:
                    difficulty = None
                seen.add(group)
                if difficulty:
                    yield Candidate(game, table.played, state, difficulty, group)
        table.play(rng.choice(table.moves))


def _is_balanced(found: Sequence[Candidate], wanted: int) -> bool:
    """Whether there are enough positions of every difficulty."""
    counts = Counter(each.difficulty.level for each in found)
    return all(counts[level] * len(LEVELS) >= wanted for level in LEVELS)


def balanced(found: Sequence[Candidate], wanted: int) -> list[Candidate]:
    """So many of the candidates, as evenly over the difficulties as can be, and then over their cells."""
    waiting: dict[int, dict[Any, list[Candidate]]] = {}
    for each in reversed(found):
        waiting.setdefault(each.difficulty.level, {}).setdefault(each.difficulty.cell, []).append(each)
    taken: Counter[Any] = Counter()
    chosen: list[Candidate] = []
    while waiting and len(chosen) < wanted:
        level = min(waiting, key=lambda each: (taken[each], each))
        cell = min(waiting[level], key=lambda each: (taken[each], each))
        chosen.append(waiting[level][cell].pop())
        taken[level] += 1
        taken[cell] += 1
        if not waiting[level][cell]:
            del waiting[level][cell]
        if not waiting[level]:
            del waiting[level]
    return chosen


def position_row(candidate: Candidate, split: str, settings: ExternalSettings) -> dict[str, Any]:
    """A position as a row of the dataset."""
    game, moves, state, difficulty, group = candidate
    oracle = ORACLES.oracle(game)
    shown = ShownGame(game, settings)
    worth, choices = oracle.evaluate(state), oracle.evaluate_moves(state)
    best = select_best(choices)
    advised = strongest_moves(oracle, state)[0]
    played = [shown.record_move(move) for move in moves]
    return {
        "id": f"{shown.name}-{_digest(shown.rules, *played)}",
        "split": split,
        "game": shown.name,
        "rules": shown.rules,
        "moves_played": played,
        "position": shown.conversation.position(state),
        "prompt": shown.question(state, moves),
        "to_move": game.turn(state) + 1,
        **_worth(shown, worth),
        "moves": [
            {"move": shown.move(move), **_worth(shown, each), "optimal": move in best}
            for move, each in choices.items()
        ],
        "best": [shown.move(move) for move in best],
        "advised": shown.move(advised),
        "reason": shown.reason(oracle, state, advised),
        "difficulty": difficulty.level,
        "wrong_share": round(difficulty.wrong_share, 6),
        "depth": difficulty.depth,
        "greedy_fails": difficulty.greedy_fails,
        "equivalence_class": group,
        "disguised": settings.disguise,
    }


def _worth(shown: ShownGame, worth: Worth) -> dict[str, Any]:
    return {
        "value": worth.value_name,
        "remoteness": worth.remoteness,
        "margin": shown.points(worth.margin),
    }


def _digest(*texts: str) -> str:
    return sha256(" ".join(texts).encode()).hexdigest()[:12]
