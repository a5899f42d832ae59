"""Positions with the exact value of every move, balanced over difficulty, in splits that share none of them.

The split of a position follows from the position alone, by a hash of its canonical form: it is the same in
every file with the same splits, whatever the seed, the number of positions and the other games are.

The difficulty is a number from 0 to 4, one point for each of these:

    more than half of the legal moves are wrong
    best play takes more than two plies to the end: looking one move and one reply ahead is not enough
    best play takes more than six plies to the end, or no end is known
    a greedy player can go wrong

A move is wrong if another one is better: it loses the value, or in a game of points some of the margin. A
greedy player wins at once if it can, does not hand over a win in one move, and otherwise plays at random.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

from numberduels.analysis.openings import equivalence_class
from numberduels.analysis.oracle_cache import ORACLES
from numberduels.game.contract import ProgressCallback, Scored
from numberduels.game.formatting import plural, short
from numberduels.game.registry import format_game
from numberduels.game.table import Table, deal
from numberduels.players.conversation import Conversation
from numberduels.players.external import ExternalSettings
from numberduels.players.search import moves_in_sight
from numberduels.solvers import DRAW, WIN, Oracle, TooLarge, Worth
from numberduels.solvers.choose import strongest_moves
from numberduels.solvers.oracle import select_best

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
FRUITLESS_GAMES, FRUITLESS_AT_FIRST = 200, 50
"""Random games without a new position after which there are no more: with some found, and with none."""

NEAR, FAR = 2, 6
"""Plies to the end: up to NEAR is what a greedy player sees, above FAR is deep."""

HALF = 0.5
LEVELS = range(5)
"""The difficulties."""

DEPTHS = (f"1-{NEAR}", f"{NEAR + 1}-{FAR}", f"{FAR + 1}+", "no end")
"""The classes of depth. No end: nobody can force one, or it is too far to find."""

SPLIT_NAME = re.compile("[a-z][a-z0-9_]{0,19}")
MAX_SPLITS = 10
"""The most splits of one dataset."""


# The game as a dataset shows it


class ShownGame(Conversation):
    """One game with a fixed start, as the prompts of a dataset show it."""

    def __init__(self, game: Any, settings: ExternalSettings) -> None:
        """ValueError if a disguise is asked for and the game has none."""
        super().__init__(game, settings)
        self.option_text = format_game(game)
        """The game with all its options, and its deal, as the commands read it."""
        self.record_move = self.spec.text_for(game).format_move
        """A move in the game's own notation."""

    def points(self, points: int | None) -> int | None:
        """Points as a model counts them."""
        return points * self.disguise.factor if self.disguise and points is not None else points

    def reason(self, oracle: Oracle[Any, Any], state: Any, move: Any) -> str:
        """Why the move is good: the game's own explanation; in the disguise, what can be said of any game."""
        if not self.disguise:
            return str(oracle.why(state, move))
        worth = oracle.evaluate_move(state, move)
        best, moves = len(oracle.best_moves(state)), len(self.game.moves(state))
        if worth.margin is None:
            end = f", and the game ends after {plural(worth.remoteness, 'move')}" if worth.remoteness else ""
            does = "wins" if worth.value == WIN else "holds the draw" if worth.value == DRAW else "loses"
            said = f"It {does} against any answer{end}."
        else:
            margin = self.points(abs(worth.margin)) or 0
            side = "ahead" if worth.margin > 0 else "behind"
            where = f"{margin} {side}" if margin else "level"
            said = f"With best play from here you end {where}."
        if best == 1:
            return f"{said} No other move is as good."
        return f"{said} {best} of {moves} moves are as good."


# Splits


class Split(NamedTuple):
    """One part of a dataset: its name, and its share of the positions."""

    name: str
    share: float


WHOLE = (Split("all", 1.0),)
"""No splits: one part with everything."""


def read_splits(text: str) -> tuple[Split, ...]:
    """Parse splits such as `train=0.8,test=0.2`; ValueError says what is wrong.

    >>> read_splits("train=0.8,test=0.2")
    (Split(name='train', share=0.8), Split(name='test', share=0.2))
    """
    splits = []
    for part in text.split(","):
        name, _, share = part.strip().partition("=")
        if not SPLIT_NAME.fullmatch(name) or not re.fullmatch(r"0?\.[0-9]{1,6}|1(\.0{1,6})?", share):
            raise ValueError(
                f"--splits takes names and shares, such as train=0.8,test=0.2, not {short(part)}"
            )
        splits.append(Split(name, float(share)))
    names = [each.name for each in splits]
    if len(set(names)) < len(names):
        raise ValueError("--splits names a split twice")
    if len(splits) > MAX_SPLITS:
        raise ValueError(f"--splits takes at most {MAX_SPLITS} splits, not {len(splits)}")
    if not all(each.share for each in splits) or abs(sum(each.share for each in splits) - 1) > 1e-6:
        raise ValueError("--splits takes shares above 0 that add up to 1, such as train=0.8,test=0.2")
    return tuple(splits)


def split_of_class(group: str, splits: Sequence[Split]) -> str:
    """The split of all positions of an equivalence class.

    >>> split_of_class("00ff", WHOLE), split_of_class("ff00", read_splits("train=0.8,test=0.2"))
    ('all', 'test')
    """
    place = int(sha256(group.encode()).hexdigest()[:13], 16) / 16**13
    for split in splits[:-1]:
        if place < split.share:
            return split.name
        place -= split.share
    return splits[-1].name


# Difficulty


class Difficulty(NamedTuple):
    """The three measures of one position."""

    wrong_share: float
    """The share of the legal moves that are wrong."""
    depth: int | None
    """Plies to the end with best play; None if nobody can force an end, or if it is too far to find."""
    greedy_fails: bool
    """Whether a greedy player may choose a wrong move."""

    @property
    def depth_class(self) -> str:
        """Which of DEPTHS it is."""
        if self.depth is None:
            return DEPTHS[3]
        return DEPTHS[(self.depth > NEAR) + (self.depth > FAR)]

    @property
    def level(self) -> int:
        """The difficulty as one number, see above.

        >>> Difficulty(0.2, 1, False).level, Difficulty(0.9, None, True).level
        (0, 4)
        """
        depth = FAR + 1 if self.depth is None else self.depth
        return (self.wrong_share > HALF) + (depth > NEAR) + (depth > FAR) + self.greedy_fails

    @property
    def cell(self) -> tuple[bool, str, bool]:
        """The classes of all three measures: positions are balanced over them."""
        return self.wrong_share > HALF, self.depth_class, self.greedy_fails


def measure_difficulty(
    oracle: Oracle[Any, Any], state: Any, choices: Mapping[Any, Worth]
) -> Difficulty | None:
    """The difficulty of a position whose moves have these worths; None if no move is wrong."""
    best = select_best(dict(choices))
    if len(best) == len(choices):
        return None
    fails = any(move not in best for move in moves_in_sight(oracle.game, state))
    return Difficulty((len(choices) - len(best)) / len(choices), _depth(oracle, state), fails)


def _depth(oracle: Oracle[Any, Any], state: Any) -> int | None:
    """Plies to the end with best play; None for a draw, which need not end, and where it is too far."""
    if oracle.value(state) == DRAW and not isinstance(oracle.game, Scored):
        return None
    return ORACLES.depth_finder(oracle).find(state).remoteness


# Sampling


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
    while stale < (FRUITLESS_GAMES if any(found.values()) else FRUITLESS_AT_FIRST):
        if number >= max(FEWEST_GAMES, GAMES_PER_POSITION * count) and all(
            len(found[name]) >= wanted[name] for name in wanted
        ):
            break
        if all(_is_balanced(found[name], wanted[name]) for name in wanted):
            break
        number += 1
        stale += 1
        for candidate in _random_game(game, Random(f"{seed} {text} dataset {number}"), seen):
            found[split_of_class(candidate.group, splits)].append(candidate)
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
        "id": f"{shown.spec.name}-{_digest(shown.option_text, *played)}",
        "split": split,
        "game": shown.spec.name,
        "rules": shown.option_text,
        "moves_played": played,
        "position": shown.position(state),
        "prompt": shown.question(state, moves),
        "to_move": game.turn(state) + 1,
        **_worth(shown, worth),
        "moves": [
            {"move": shown.shown(move), **_worth(shown, each), "optimal": move in best}
            for move, each in choices.items()
        ],
        "best": [shown.shown(move) for move in best],
        "advised": shown.shown(advised),
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
