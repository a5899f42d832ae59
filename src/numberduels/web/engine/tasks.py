"""What is thought about for visitors: plain data in, plain data out, and ValueError where there is no answer.

A game is given as its name, its options as texts, and its moves as in records. What was found out about it is
kept for the next question where that helps: it changes how soon an answer comes, and never the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, TypeVar

from numberduels import options as sizes
from numberduels import record, registry
from numberduels.analysis import hints, puzzles
from numberduels.analysis import review as reviews
from numberduels.analysis.claims import claims_of
from numberduels.analysis.review_svg import draw_review
from numberduels.analysis.solution import VALUE_NAMES, make_oracle
from numberduels.core import IllegalMove, Unreadable, has_fixed_start
from numberduels.game_text import AnyGameText
from numberduels.players import Player, make_player
from numberduels.players.levels import LEVELS, LevelPlayer
from numberduels.players.mcts import MctsPlayer
from numberduels.solvers import MAX_POSITIONS, Oracle, TooLarge, Worth
from numberduels.spec import GameSpec
from numberduels.table import Table
from numberduels.text import short
from numberduels.web.match.model import LEVELS as PLAYERS

T = TypeVar("T")

KEPT = 4
"""Games that a player, or an oracle, keeps in mind."""

NEAR = 3_000
"""Positions that a level looks at before it takes to trying, so that a move comes soon whatever the size."""

RIDDLES = 32
"""Puzzles that are kept in mind."""

EVERYBODY_SEES = 1
"""A seed whose first number is so low that every level would see the best move."""


def choose(
    game: str, options: Mapping[str, str], moves: Sequence[str], player: str, seed: str
) -> dict[str, str]:
    """The move of a computer player; the same seed gives the same move after the same moves.

    >>> choose("range-war", {"size": "10"}, ["6"], "perfect", "7")
    {'move': '5', 'by': 'perfect'}
    """
    table, words = _table(game, options, moves)
    if table.outcome:
        raise ValueError("the game is over")
    made: Any = table.game
    move = _ready(player, made).choose(made, table.state, Random(f"{seed} {' '.join(moves)}"))
    return {"move": words.format_move(move), "by": player}


def able(game: str, options: Mapping[str, str], player: str) -> None:
    """See whether a player can play this game, and choose its first move; ValueError says why not."""
    made = _game(game, options)[1]
    start = made.start(Random(0))
    if not has_fixed_start(made):
        made = made.with_start(start)
    chooser = _ready(player, made)
    if not made.outcome(start):
        chooser.choose(made, start, Random(EVERYBODY_SEES))


def hint(game: str, options: Mapping[str, str], moves: Sequence[str]) -> dict[str, str]:
    """A move to make, and why.

    >>> hint("summation-duel", {"target": "42"}, [])["move"]
    '6'
    """
    table, words = _table(game, options, moves)
    if table.outcome:
        raise ValueError("the game is over")
    move, why = hints.find_hint(table.game, table.state, Random(" ".join(moves)))
    return {"move": words.format_move(move), "why": why}


def values(game: str, options: Mapping[str, str], moves: Sequence[str]) -> dict[str, Any]:
    """What the position and each move are worth to the player to move, as far as the method tells.

    >>> told = values("range-war", {"size": "3"}, [])
    >>> told["value"], [(move, worth["value"]) for move, worth in told["moves"].items()]
    ('win', [('1', 'win'), ('2', 'win'), ('3', 'loss')])
    """
    table, words = _table(game, options, moves)
    state = table.state
    worth, choices = _asked(table.game, lambda oracle: (oracle.evaluate(state), oracle.evaluate_moves(state)))
    return _told(worth) | {"moves": {words.format_move(move): _told(each) for move, each in choices.items()}}


def judged(text: str, most: int = MAX_POSITIONS) -> dict[str, Any]:
    """The review of a record as data, and under `svg` its picture, which needs nothing beside itself."""
    read = record.read(text)
    review = reviews.review_game(read, most)
    return review.report() | {"svg": draw_review(review, read.spec.text_for(read.game, read.names))}


def puzzle(game: str, level: int, seed: str) -> dict[str, Any]:
    """The puzzle that belongs to the seed, without its solution.

    >>> puzzle("range-war", 2, "1")["moves"]
    ['9', '5', '6', '3', '8', '4']
    """
    riddle = _riddle(game, level, seed)
    notation = riddle.words.format_move
    return {
        "game": riddle.spec.name,
        "options": sizes.format_options(riddle.game),
        "moves": [notation(move) for move in riddle.moves],
        "legal": [notation(move) for move in riddle.game.moves(riddle.state)],
        "to_move": riddle.game.turn(riddle.state) + 1,
        "task": puzzles.TASKS[riddle.value],
        "value": VALUE_NAMES[riddle.value],
        "level": riddle.level,
        "depth": riddle.depth,
        "seed": riddle.seed,
    }


def solved(game: str, level: int, seed: str, move: str | None) -> dict[str, Any]:
    """Whether a move solves the puzzle, how it fails if not, and what does and why; None only asks for that.

    >>> solved("range-war", 2, "1", "7")["right"], solved("range-war", 2, "1", "10")["solution"]
    (True, '7')
    """
    riddle = _riddle(game, level, seed)
    chosen: Any = None if move is None else riddle.words.parse_move(move)
    if chosen is not None:
        riddle.game.play(riddle.state, chosen)
    right = chosen == riddle.solution
    return {
        "right": right,
        "solution": riddle.words.format_move(riddle.solution),
        "why": riddle.why,
        "answer": riddle.answer(),
        "verdict": "" if right or chosen is None else riddle.refutation(chosen),
    }


@lru_cache
def claims(game: str) -> list[dict[str, Any]]:
    """What the book of a game says about it, and what came out when that was checked, which is done now."""
    told = []
    for claim in claims_of(_spec(game)):
        finding = claim.check()
        told.append(
            {
                "number": claim.number,
                "says": claim.text,
                "verdict": finding.verdict,
                "finding": finding.evidence,
                "record": record.write(finding.record) if finding.record else None,
            }
        )
    return told


TASKS: dict[str, Callable[..., Any]] = {
    each.__name__: each for each in (choose, able, hint, values, judged, puzzle, solved)
} | {"claims": claims}
"""Every task by its name."""


# From texts to games


def _spec(game: str) -> GameSpec:
    try:
        return registry.spec(game)
    except registry.UnknownGame as fault:
        raise ValueError(str(fault)) from None


def _game(name: str, texts: Mapping[str, str]) -> tuple[GameSpec, Any]:
    spec = _spec(name)
    known = {each.name for each in sizes.declared(spec.rules)}
    for option in texts:
        if option not in known:
            raise sizes.BadOption(option, f"there is no option {short(option)} in {name}")
    return spec, spec.make(dict(texts))


def _table(name: str, texts: Mapping[str, str], moves: Sequence[str]) -> tuple[Table[Any, Any], AnyGameText]:
    """The game on the table after these moves, and its words."""
    spec, game = _game(name, texts)
    if not has_fixed_start(game):
        raise ValueError("the deal is missing: the options must settle the numbers")
    table: Table[Any, Any] = Table(game, game.start(Random(0)))
    words = spec.text_for(game)
    for ply, text in enumerate(moves, 1):
        try:
            if table.outcome:
                raise IllegalMove("The game is over before it.")
            table.play(words.parse_move(text))
        except (IllegalMove, Unreadable) as fault:
            raise ValueError(f"move {ply}: {str(fault).rstrip('.')}") from None
    return table, words


# What is kept


@lru_cache(KEPT)
def _ready(name: str, game: Any) -> Player:
    """The player of this name, ready for the game from its start on."""
    if name not in PLAYERS:
        raise ValueError(f"there is no player {short(name)}; choose {', '.join(PLAYERS)}")
    player = Hasty(name) if name in LEVELS else make_player(name)
    player.prepare(game, game.start(Random(0)))
    return player


class Hasty(LevelPlayer):
    """A level that knows only what is known soon; other games it tries out, as levels do beyond reach."""

    def prepare(self, game: Any, start: Any) -> None:
        try:
            make_oracle(game, NEAR).evaluate_moves(start)
        except TooLarge:
            self._careful = MctsPlayer(400)
        else:
            super().prepare(game, start)


@lru_cache(KEPT)
def _oracle(game: Any) -> Oracle[Any, Any]:
    return make_oracle(game)


def _asked(game: Any, question: Callable[[Oracle[Any, Any]], T]) -> T:
    """What the oracle of a game answers; one whose memory is full of other positions is asked afresh."""
    oracle = _oracle(game)
    fresh = not oracle.positions
    try:
        return question(oracle)
    except TooLarge:
        _oracle.cache_clear()
        if fresh:
            raise
    return question(_oracle(game))


@lru_cache(RIDDLES)
def _riddle(game: str, level: int, seed: str) -> puzzles.Puzzle:
    return puzzles.find_puzzle(_spec(game), level, seed)


def _told(worth: Worth) -> dict[str, Any]:
    return {
        "value": VALUE_NAMES[worth.value],
        "remoteness": worth.remoteness,
        "margin": worth.margin,
        "nimber": worth.nimber,
    }
