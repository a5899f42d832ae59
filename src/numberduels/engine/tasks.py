"""The tasks of engine workers: plain data in, plain data out, ValueError if there is no answer.

A game is given as its name, its options as texts, and its moves in the notation of records. Workers cache
what they computed. The cache changes how fast an answer comes, never the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any

from numberduels.analysis import puzzles
from numberduels.analysis import review as reviews
from numberduels.analysis.claims import Claim, Finding, claims_of
from numberduels.analysis.lessons import Mistake, exploration_of, lessons_of, winners
from numberduels.analysis.solution import find_hint
from numberduels.engine.preview import preview
from numberduels.game import options as sizes
from numberduels.game import record, registry
from numberduels.game.contract import IllegalMove, Unreadable, has_fixed_start
from numberduels.game.formatting import short
from numberduels.game.messages import message_of
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table, replay
from numberduels.game.text import AnyGameText
from numberduels.play import live_game
from numberduels.play.lessons import LessonRun
from numberduels.play.setup import is_offered
from numberduels.players import LEVELS, Player, make_player
from numberduels.players.ladder import SLIPS, LevelPlayer, PerfectPlayer
from numberduels.solvers import Oracle, TooLarge, Worth, make_oracle

CACHED_GAMES = 4
"""Prepared players and oracles in the cache of a worker, each."""

EXACT_POSITIONS = 3_000
"""Levels solve games of up to this many positions. In larger ones they use tree search, which is fast."""

OFFERED_POSITIONS = 300_000
"""The same for the rule sets that games offer: they are chosen so that they are solved within a second."""

PERFECT_POSITIONS = 100_000
"""The same for the level that never makes a mistake; it refuses larger games."""

CACHED_PUZZLES = 32
"""Puzzles in the cache of a worker."""

NO_MISTAKE_SEED = 0
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
    move, why = find_hint(table.game, table.state, Random(" ".join(moves)))
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


def accepts_draw(game: str, options: Mapping[str, str], moves: Sequence[str]) -> bool:
    """Whether a computer, which is not to move, accepts a draw."""
    return live_game.accepts_draw(_table(game, options, moves)[0])


def review(text: str) -> dict[str, Any]:
    """The review of a record as data."""
    return reviews.review_game(record.read(text, installed_only=True)).report()


def puzzle(game: str, level: int, seed: str) -> dict[str, Any]:
    """The puzzle with this seed, without its solution.

    >>> puzzle("range-war", 2, "1")["level"]
    2
    """
    found = _puzzle(game, level, seed)
    notation = found.game_text.format_move
    return {
        "game": found.spec.name,
        "kind": found.kind,
        "options": sizes.format_options(found.game),
        "positions": [[notation(move) for move in moves] for moves in found.positions],
        "to_move": [table.turn + 1 for table in found.tables],
        "notes": [note or "" for note in found.notes],
        "task": found.task,
        "asks_for": found.asks_for,
        "answers": list(found.answers),
        "hints": list(found.hints),
        "level": found.level,
        "depth": found.depth,
        "seed": found.seed,
    }


def check_solution(game: str, level: int, seed: str, answer: str | None) -> dict[str, Any]:
    """Whether an answer solves the puzzle, why it does not, and the solution; None asks for that only.

    >>> check_solution("range-war", 2, "1", None)["right"]
    False
    """
    found = _puzzle(game, level, seed)
    given = None if answer is None else found.parse(answer)
    right = given is not None and found.is_right(given)
    return {
        "right": right,
        "solution": found.answer,
        "answer": found.solution_lines(),
        "refutation": [] if right or given is None else found.refutation_lines(given),
    }


def lesson(game: str, key: str, moves: Sequence[str]) -> dict[str, Any]:
    """The game of a lesson after these moves of the learner; the opponent answers the same every time.

    A move that is a mistake or illegal is not made, and those after it are ignored.

    >>> played = lesson("range-war", "nearest", ["6"])
    >>> played["moves"], played["stop"]
    (['5', '4', '6', '3'], None)
    >>> print(lesson("range-war", "nearest", ["7"])["stop"]["refutation"][0])
    After 7 they answer 6 and win.
    """
    spec = _spec(game)
    found = next((each for each in lessons_of(spec) if each.key == key), None)
    if found is None:
        raise ValueError(f"{spec.title} has no lesson {short(key)}")
    taught = LessonRun(spec, found)
    text = spec.text_for(taught.table.game)
    refused, mistake, own = None, None, 0
    _replied(taught)
    for move in moves:
        try:
            mistake = taught.play(text.parse_move(move))
        except (IllegalMove, Unreadable) as error:
            refused = message_of(error)
        if refused or mistake:
            break
        own += 1
        _replied(taught)
    return {
        "moves": [text.format_move(move) for move in taught.table.played],
        "own": list(moves[:own]),
        "refused": refused,
        "stop": _mistake_data(mistake, text) if mistake else None,
        "won": taught.won,
    }


@lru_cache
def exploration(game: str) -> list[int]:
    """Who wins for each number of the game's exploration: 1, 2, or 0 for nobody."""
    spec = _spec(game)
    found = exploration_of(spec)
    if found is None:
        raise ValueError(f"{spec.title} has no exploration")
    return winners(found, spec)


def _replied(taught: LessonRun) -> None:
    """Make the moves of the opponent, until the learner is to move or the game is over."""
    while not taught.table.outcome and not taught.learner_to_move:
        taught.reply(Random(f"{taught.lesson.key} {taught.table.ply}"))


def _mistake_data(mistake: Mistake, text: AnyGameText) -> dict[str, Any]:
    return {
        "move": text.format_move(mistake.move),
        "better": text.format_move(mistake.better),
        "why": mistake.why,
        "refutation": list(mistake.refutation),
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
    "accepts_draw": accepts_draw,
    "review": review,
    "puzzle": puzzle,
    "check_solution": check_solution,
    "lesson": lesson,
    "exploration": exploration,
    "claims": claims,
    "preview": preview,
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
    if name not in LEVELS:
        raise ValueError(f"there is no player {short(name)}; choose {', '.join(LEVELS)}")
    player: Player = LevelPlayer(name, _quick(game)) if name in SLIPS else make_player(name)
    if isinstance(player, PerfectPlayer):
        player = PerfectPlayer(OFFERED_POSITIONS if is_offered(game) else PERFECT_POSITIONS)
    player.prepare(game, game.start(Random(0)))
    return player


@lru_cache(CACHED_GAMES)
def _quick(game: Any) -> PerfectPlayer:
    """What the levels of this game play by: they share one solution, if it is found quickly."""
    return PerfectPlayer(OFFERED_POSITIONS if is_offered(game) else EXACT_POSITIONS)


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
