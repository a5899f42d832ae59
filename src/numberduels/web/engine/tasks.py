"""The tasks of engine workers: plain data in, plain data out, ValueError if there is no answer.

A game is given as its name, its options as texts, and its moves in the notation of records. Workers cache
what they computed. The cache changes how fast an answer comes, never the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from numberduels import options as sizes
from numberduels import record, registry
from numberduels.analysis import hints, puzzles
from numberduels.analysis import review as reviews
from numberduels.analysis.claims import Claim, Finding, claims_of
from numberduels.analysis.review_svg import draw_review
from numberduels.core import IllegalMove, Unreadable, has_fixed_start
from numberduels.game_text import AnyGameText
from numberduels.oracles import make_oracle
from numberduels.players import Player, make_player
from numberduels.players.levels import LEVELS, LevelPlayer
from numberduels.players.mcts import MctsPlayer
from numberduels.solvers import MAX_POSITIONS, Oracle, TooLarge, Worth
from numberduels.solvers.oracle import VALUE_NAMES
from numberduels.spec import GameSpec
from numberduels.table import Table, replay
from numberduels.text import short
from numberduels.web.engine.levels import LEVELS as PLAYERS

CACHED_GAMES = 4
"""Prepared players and oracles in the cache of a worker, each."""

EXACT_POSITIONS = 3_000
"""Levels solve games of up to this many positions. In larger ones they use tree search, which is fast."""

CACHED_PUZZLES = 32
"""Puzzles in the cache of a worker."""

NO_MISTAKE_SEED = 1
"""A seed with which every level computes the best move instead of making a mistake."""


def choose(
    game: str, options: Mapping[str, str], moves: Sequence[str], player: str, seed: str
) -> dict[str, str]:
    """The move of a computer player. The same moves and the same seed give the same answer.

    >>> choose("range-war", {"size": "10"}, ["6"], "perfect", "7")
    {'move': '5', 'by': 'perfect'}
    """
    table, text = _table(game, options, moves)
    if table.outcome:
        raise ValueError("the game is over")
    rules: Any = table.game
    move = _prepared(player, rules).choose(rules, table.state, Random(f"{seed} {' '.join(moves)}"))
    return {"move": text.format_move(move), "by": player}


def check_player(game: str, options: Mapping[str, str], player: str) -> None:
    """Check that a player can play this game, by choosing its first move; ValueError says why not."""
    rules = _game(game, options)[1]
    start = rules.start(Random(0))
    if not has_fixed_start(rules):
        rules = rules.with_start(start)
    chooser = _prepared(player, rules)
    if not rules.outcome(start):
        chooser.choose(rules, start, Random(NO_MISTAKE_SEED))


def hint(game: str, options: Mapping[str, str], moves: Sequence[str]) -> dict[str, str]:
    """A good move, and the reason.

    >>> hint("summation-duel", {"target": "42"}, [])["move"]
    '6'
    """
    table, text = _table(game, options, moves)
    if table.outcome:
        raise ValueError("the game is over")
    move, why = hints.find_hint(table.game, table.state, Random(" ".join(moves)))
    return {"move": text.format_move(move), "why": why}


def values(game: str, options: Mapping[str, str], moves: Sequence[str]) -> dict[str, Any]:
    """The value of the position and of each move for the player to move, in as much detail as is known.

    >>> answer = values("range-war", {"size": "3"}, [])
    >>> answer["value"], [(move, worth["value"]) for move, worth in answer["moves"].items()]
    ('win', [('1', 'win'), ('2', 'win'), ('3', 'loss')])
    """
    table, text = _table(game, options, moves)
    worth, choices = _evaluated(table.game, table.state)
    return worth.to_dict() | {
        "moves": {text.format_move(move): each.to_dict() for move, each in choices.items()}
    }


def review(text: str, most: int = MAX_POSITIONS) -> dict[str, Any]:
    """The review of a record as data; `svg` is its picture, complete in itself."""
    read = record.read(text)
    found = reviews.review_game(read, most)
    return found.report() | {"svg": draw_review(found, read.spec.text_for(read.game, read.names))}


def puzzle(game: str, level: int, seed: str) -> dict[str, Any]:
    """The puzzle with this seed, without its solution.

    >>> puzzle("range-war", 2, "1")["moves"]
    ['9', '5', '6', '3', '8', '4']
    """
    found = _puzzle(game, level, seed)
    notation = found.game_text.format_move
    return {
        "game": found.spec.name,
        "options": sizes.format_options(found.game),
        "moves": [notation(move) for move in found.moves],
        "legal": [notation(move) for move in found.game.moves(found.state)],
        "to_move": found.game.turn(found.state) + 1,
        "task": puzzles.TASKS[found.value],
        "value": VALUE_NAMES[found.value],
        "level": found.level,
        "depth": found.depth,
        "seed": found.seed,
    }


def check_solution(game: str, level: int, seed: str, move: str | None) -> dict[str, Any]:
    """Whether a move solves the puzzle, why it does not, and the solution; None asks for the solution only.

    >>> check_solution("range-war", 2, "1", "7")["right"]
    True
    >>> check_solution("range-war", 2, "1", "10")["solution"]
    '7'
    """
    found = _puzzle(game, level, seed)
    chosen: Any = None if move is None else found.game_text.parse_move(move)
    if chosen is not None:
        found.game.play(found.state, chosen)
    right = chosen == found.solution
    return {
        "right": right,
        "solution": found.game_text.format_move(found.solution),
        "why": found.why,
        "answer": found.answer(),
        "refutation": [] if right or chosen is None else found.refutation(chosen),
    }


@lru_cache
def claims(game: str) -> list[dict[str, Any]]:
    """The claims of a game's book, each with the result of checking it now."""
    return [_claim_data(claim, claim.check()) for claim in claims_of(_spec(game))]


def _claim_data(claim: Claim, finding: Finding) -> dict[str, Any]:
    return {
        "number": claim.number,
        "says": claim.text,
        "verdict": finding.verdict,
        "finding": finding.evidence,
        "record": record.write(finding.record) if finding.record else None,
    }


TASKS: dict[str, Callable[..., Any]] = {
    "choose": choose,
    "check_player": check_player,
    "hint": hint,
    "values": values,
    "review": review,
    "puzzle": puzzle,
    "check_solution": check_solution,
    "claims": claims,
}
"""Every task by its name."""


def _spec(game: str) -> GameSpec:
    try:
        return registry.spec(game)
    except registry.UnknownGame as error:
        raise ValueError(str(error)) from None


def _game(name: str, texts: Mapping[str, str]) -> tuple[GameSpec, Any]:
    spec = _spec(name)
    known = {each.name for each in sizes.declared(spec.rules)}
    for option in texts:
        if option not in known:
            raise sizes.BadOption(option, f"there is no option {short(option)} in {name}")
    return spec, spec.make(dict(texts))


def _table(name: str, texts: Mapping[str, str], moves: Sequence[str]) -> tuple[Table[Any, Any], AnyGameText]:
    """The table after these moves, and the game's text."""
    spec, game = _game(name, texts)
    if not has_fixed_start(game):
        raise ValueError("the deal is missing: the options must give the numbers")
    table = replay(game)
    text = spec.text_for(game)
    for ply, move in enumerate(moves, 1):
        try:
            table.play_text(move, text.parse_move)
        except (IllegalMove, Unreadable) as error:
            raise ValueError(f"move {ply}: {str(error).rstrip('.')}") from None
    return table, text


@lru_cache(CACHED_GAMES)
def _prepared(name: str, game: Any) -> Player:
    """The player with this name, prepared for the game."""
    if name not in PLAYERS:
        raise ValueError(f"there is no player {short(name)}; choose {', '.join(PLAYERS)}")
    player = QuickLevelPlayer(name) if name in LEVELS else make_player(name)
    player.prepare(game, game.start(Random(0)))
    return player


class QuickLevelPlayer(LevelPlayer):
    """A level that solves only small games exactly, and plays all others by tree search."""

    def prepare(self, game: Any, start: Any) -> None:
        try:
            make_oracle(game, EXACT_POSITIONS).evaluate_moves(start)
        except TooLarge:
            self._careful = MctsPlayer(400)
        else:
            super().prepare(game, start)


@lru_cache(CACHED_GAMES)
def _oracle(game: Any) -> Oracle[Any, Any]:
    return make_oracle(game)


def _evaluated(game: Any, state: Any) -> tuple[Worth, Mapping[Any, Worth]]:
    """The worth of a position and of its moves.

    An oracle whose memory is full of other positions is replaced by a new one.
    """
    cached = _oracle(game)
    new = not cached.positions
    try:
        return cached.evaluate(state), cached.evaluate_moves(state)
    except TooLarge:
        _oracle.cache_clear()
        if new:
            raise
    return _oracle(game).evaluate(state), _oracle(game).evaluate_moves(state)


@lru_cache(CACHED_PUZZLES)
def _puzzle(game: str, level: int, seed: str) -> puzzles.Puzzle:
    return puzzles.find_puzzle(_spec(game), level, seed)
