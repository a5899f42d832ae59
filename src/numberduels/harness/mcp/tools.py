"""What each tool does, as tasks of worker processes. A ValueError is for the caller: one sentence.

A game in progress comes and goes as bytes, a pickled episode: workers keep nothing, and one that is killed
leaves the game as it was. The results are typed data, which clients get as structured content with a schema;
their classes have no slots, because the package `mcp` would take a slot for the default of a field.
"""

from __future__ import annotations

import pickle
import re
import secrets
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache, wraps
from hashlib import sha256
from importlib.resources import files
from random import Random
from typing import Any, TypeVar

from numberduels.analysis.puzzles import find_puzzle
from numberduels.analysis.review import review_game
from numberduels.analysis.solution import QUICK, find_hint
from numberduels.game import options, registry
from numberduels.game.adopted import is_adopted
from numberduels.game.board import board_of
from numberduels.game.contract import has_fixed_start
from numberduels.game.formatting import short
from numberduels.game.options import check_among, check_whole
from numberduels.game.record import BadRecord, Record, read
from numberduels.game.registry import read_game
from numberduels.harness.episode_results import EpisodeStep
from numberduels.harness.episode_settings import EpisodeSettings
from numberduels.harness.puzzle_questions import puzzle_messages
from numberduels.harness.text_episode import TextEpisode
from numberduels.players import LADDER
from numberduels.solvers import TooLarge

OPPONENTS = ("random", "greedy", *LADDER, "none")
"""The opponents of a game; none lets the client play both seats."""
MAX_SIZE = 100
"""The largest size of a game."""
MAX_NUMBER = 10_000
"""The largest value of any other option."""
MAX_TEXT = 20_000
"""The longest text of an argument."""
MAX_RECORD_MOVES = 400
"""The longest game that is reviewed."""
T = TypeVar("T")


@dataclass(frozen=True)
class GameOption:
    """One option of a game."""

    name: str
    default: str
    about: str
    choices: list[str]


@dataclass(frozen=True)
class OfferedGame:
    """A game that can be played."""

    name: str
    title: str
    summary: str
    options: list[GameOption]


@dataclass(frozen=True)
class GameList:
    """All games and opponents."""

    games: list[OfferedGame]
    opponents: list[str]
    how_to_write_options: str


@dataclass(frozen=True)
class BoardTile:
    """One number or place of the board."""

    label: str
    kind: str
    move: str


@dataclass(frozen=True)
class ShownPosition:
    """A game in progress as a player sees it. It tells no values."""

    game_id: str
    game: str
    title: str
    you: str
    """Player 1, Player 2, or both."""
    to_move: str
    position: str
    legal_moves: list[str]
    moves: list[str]
    done: bool
    outcome: str | None
    """At the end: win, tie, loss or unfinished, for you; for Player 1 if you play both seats."""
    board: list[BoardTile]
    hand: list[str]
    """Where a move is a number and a place: the numbers to choose from."""


@dataclass(frozen=True)
class Judgement:
    """The exact judgement of a move."""

    verdict: str
    before: str | None
    after: str | None
    kept: bool | None
    keeping: int
    losing: int
    margin_given: int | None
    remoteness: int | None


@dataclass(frozen=True)
class PlayedMove:
    """What a move did."""

    move: str | None
    """None if it could not be played."""
    fault: str
    cause: str
    attempts_left: int
    reply: str | None
    judgement: Judgement | None
    """Only if you asked for it."""
    reward: float | None
    """Only if you asked for the judgement."""
    position: ShownPosition


@dataclass(frozen=True)
class HintedMove:
    """A good move, and why."""

    game_id: str
    move: str
    why: str


@dataclass(frozen=True)
class MoveValue:
    """The exact value of one legal move for the player who makes it."""

    move: str
    value: str
    remoteness: int | None
    margin: int | None


@dataclass(frozen=True)
class PositionValues:
    """The exact value of a position for the player to move, and of all its moves, best first."""

    game_id: str
    value: str
    remoteness: int | None
    margin: int | None
    moves: list[MoveValue]


@dataclass(frozen=True)
class ReviewedMove:
    """One move of a reviewed game."""

    ply: int
    player: int
    move: str
    verdict: str
    mistake: bool
    better: list[str]
    why: str | None


@dataclass(frozen=True)
class ReviewedGame:
    """A reviewed game."""

    game: str
    result: str
    summary: str
    accuracy: list[int | None]
    """In percent, of Player 1 and Player 2; null if no move could lose anything."""
    moves: list[ReviewedMove]


@dataclass(frozen=True)
class AskedPuzzle:
    """A puzzle; with an answer, whether it is right and why."""

    game: str
    level: int
    seed: str
    question: str
    answers: list[str]
    right: bool | None
    explanation: list[str]


def list_games() -> GameList:
    """List the games with their options, and the opponents."""
    games = [
        OfferedGame(
            spec.name,
            spec.title,
            spec.summary,
            [
                GameOption(
                    each.name,
                    options.format_value(each.default),
                    each.metadata["about"],
                    list(each.metadata["choices"]),
                )
                for each in options.declared(spec.rules)
            ],
        )
        for spec in registry.specs()
    ]
    return GameList(games, list(OPPONENTS), "game:option=value:option=value, such as range-war:size=12")


def new_game(
    game_id: str,
    game: str,
    opponent: str,
    seat: str,
    seed: int | None,
    opening: int,
    attempts: int,
    reward: str,
) -> tuple[bytes, ShownPosition]:
    """Begin a game."""
    _check_text("opponent", opponent)
    check_among("opponent", opponent, OPPONENTS)
    _read_limited(game)
    settings = EpisodeSettings(
        game,
        opponent="random" if opponent == "none" else opponent,
        seat="both" if opponent == "none" else seat,
        reward=reward,
        opening=opening,
        attempts=attempts,
    )
    if seed is not None:
        check_whole("seed", seed, 0, 2**63)
    episode = TextEpisode(settings, secrets.randbits(32) if seed is None else seed, quick=True)
    return pickle.dumps(episode), _position(game_id, episode)


def position(game_id: str, state: bytes) -> ShownPosition:
    """Show a game."""
    return _position(game_id, pickle.loads(state))


def move(game_id: str, state: bytes, move: str, judge: bool) -> tuple[bytes, PlayedMove]:
    """Make a move, which may be an answer with a line `MOVE: ...`; the opponent replies at once."""
    _check_text("move", move)
    episode = _running(state)
    step = episode.play(move)
    return pickle.dumps(episode), _move_result(game_id, episode, step, judge)


def hint(game_id: str, state: bytes) -> HintedMove:
    """A good move, and why."""
    episode = _running(state)
    move, why = find_hint(episode.game, episode.table.state, Random(f"{episode.seed} hint"))
    return HintedMove(game_id, episode.format_moves([move])[0], str(why))


def values(game_id: str, state: bytes) -> PositionValues:
    """The exact value of the position and of all moves."""
    episode = _running(state)
    oracle, now = episode.oracle, episode.table.state
    worth, choices = oracle.evaluate(now), oracle.evaluate_moves(now)
    moves = [
        MoveValue(episode.format_moves([move])[0], each.value_name, each.remoteness, each.margin)
        for move, each in sorted(
            choices.items(), key=lambda item: (item[1].value, item[1].margin or 0), reverse=True
        )
    ]
    return PositionValues(game_id, worth.value_name, worth.remoteness, worth.margin, moves)


def review(_: str, state: bytes) -> ReviewedGame:
    """Judge every move of a game in progress."""
    return _reviewed(pickle.loads(state).record)


def review_record(text: str) -> ReviewedGame:
    """Judge every move of a record."""
    return _reviewed(_read_record(text))


def puzzle(game: str, level: int, seed: str, answer: str | None) -> AskedPuzzle:
    """Ask a puzzle, or check an answer to it."""
    _check_text("game", game)
    _check_text("seed", seed, 100)
    puzzle = find_puzzle(registry.find_spec(game), level, seed)
    right, lines = None, []
    if answer is not None:
        _check_text("answer", answer)
        given = puzzle.parse(answer)
        right = puzzle.is_right(given)
        lines = [
            *map(str, [] if right else puzzle.refutation_lines(given)),
            *map(str, puzzle.solution_lines()),
        ]
    question = puzzle_messages(puzzle)
    text = f"{question[0]['content']}\n\n{question[1]['content']}"
    return AskedPuzzle(puzzle.spec.name, level, seed, text, list(puzzle.answers), right, lines)


def _task(function: Callable[..., T]) -> Callable[..., T]:
    """The function with all errors that are for the caller as ValueError."""

    @wraps(function)
    def run(*arguments: Any) -> T:
        try:
            return function(*arguments)
        except TooLarge as fault:
            raise ValueError(f"this position is too large to solve: {fault}") from None
        except LookupError as fault:
            raise ValueError(str(fault.args[0] if fault.args else fault)) from None

    return run


TASKS = {
    each.__name__: _task(each)
    for each in (
        list_games,
        new_game,
        position,
        move,
        hint,
        values,
        review,
        review_record,
        puzzle,
    )
}
"""The tools by their names."""


def _running(state: bytes) -> TextEpisode:
    """The episode, unless it is over."""
    episode: TextEpisode = pickle.loads(state)
    if episode.done:
        raise ValueError("the game is over: begin another one with new_game")
    return episode


def _check_text(name: str, text: str, most: int = MAX_TEXT) -> None:
    if len(text) > most:
        raise ValueError(f"{name} has at most {most} characters")


def _read_limited(text: str) -> Any:
    """The game of this text, if it is an installed one and not too large."""
    _check_text("game", text, 500)
    if is_adopted(text):
        raise ValueError(f"{short(text)} is no game of this server; list_games lists them")
    game = read_game(text)[1]
    _check_size(game)
    return game


def _check_size(game: Any) -> None:
    for each in options.declared(type(game)):
        value = getattr(game, each.name)
        if each.name == "size":
            check_whole("size", value, 1, MAX_SIZE)
        elif type(value) is int:
            check_whole(each.name, value, 0, MAX_NUMBER)


def _read_record(text: str) -> Record:
    _check_text("record", text)
    try:
        record = read(text, installed_only=True)
    except BadRecord as fault:
        raise ValueError(f"this is not a record: {fault}") from None
    _check_size(record.game)
    if len(record.moves) > MAX_RECORD_MOVES or not has_fixed_start(record.game):
        raise ValueError(f"a game with at most {MAX_RECORD_MOVES} moves can be reviewed")
    return record


def _position(game_id: str, episode: TextEpisode) -> ShownPosition:
    table, text = episode.table, episode.spec.text_for(episode.game)
    board = board_of(episode.game, table.state, table.played)
    you = "both" if episode.seat is None else str(text.label(episode.seat))
    return ShownPosition(
        game_id=game_id,
        game=episode.game_text,
        title=episode.spec.title,
        you=you,
        to_move="" if episode.done else str(text.mover(table.state)),
        position=episode.position,
        legal_moves=episode.legal_moves(),
        moves=episode.format_moves(table.played),
        done=episode.done,
        outcome=episode.outcome_of(episode.seat or 0),
        board=[
            BoardTile(each.label or each.name, each.kind, "" if episode.done else each.move)
            for each in board.tiles
        ],
        hand=list(board.hand),
    )


def _move_result(game_id: str, episode: TextEpisode, step: EpisodeStep, judge: bool) -> PlayedMove:
    judgement = step.judgement() if judge else None
    return PlayedMove(
        move=step.move,
        fault=step.fault,
        cause=step.cause,
        attempts_left=step.attempts_left,
        reply=step.reply,
        judgement=Judgement(**judgement) if judgement else None,
        reward=step.reward if judge else None,
        position=_position(game_id, episode),
    )


def _reviewed(record: Record) -> ReviewedGame:
    report = review_game(record, QUICK).report()
    return ReviewedGame(
        game=report["game"],
        result=str(report["result"]),
        summary=str(report["summary"]),
        accuracy=[each["percent"] for each in report["accuracy"]],
        moves=[
            ReviewedMove(**{each.name: move[each.name] for each in fields(ReviewedMove)})
            for move in report["moves"]
        ],
    )


@cache
def board_page() -> str:
    """The board as an MCP App: one HTML document that loads nothing and runs only its own script.

    The hashes of its script and style are in its content security policy.
    """
    page = files("numberduels.harness.mcp").joinpath("board.html").read_text(encoding="utf-8")
    for tag, name in (("script", "SCRIPT_HASH"), ("style", "STYLE_HASH")):
        found = re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert found is not None, tag
        page = page.replace(name, b64encode(sha256(found[1].encode()).digest()).decode())
    return page
