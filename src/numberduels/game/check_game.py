"""check_game: a test that a game keeps the contract of `core.Game`.

>>> from numberduels.games import template
>>> check_game(template.spec)
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterator
from random import Random
from typing import Any

from numberduels.game import options
from numberduels.game.adopted import is_adopted
from numberduels.game.contract import (
    OTHER,
    Bounded,
    Decomposable,
    FiniteMoves,
    Game,
    IllegalMove,
    Observable,
    Outcome,
    RandomStart,
    Scored,
    Symmetric,
    history_matters,
)
from numberduels.game.record import RESULTS
from numberduels.game.spec import GameSpec
from numberduels.game.text import AnyGameText
from numberduels.solvers import Retrograde, TooLarge

PLIES = 2_000
"""The most moves of a random game that may never end."""

COMMANDS = frozenset(["help", "board", "rules", "moves", "hint", "undo", "save", "resign", "draw", "quit"])
"""The commands of the prompt. No move may be written like one."""


def check_game(spec: GameSpec, *games: Game[Any, Any], walks: int = 20, seed: int = 0) -> None:
    """Raise AssertionError with an explanation unless the game keeps the contract.

    Plays random games with the default options and with each of the given games.
    """
    plain = spec.name == spec.name.lower() and " " not in spec.name
    assert plain or is_adopted(spec.name), f"{spec.name!r} is no name to type"
    assert spec.title and spec.summary, "a game needs a title and a summary"
    assert spec.rulebook().startswith("# "), "rules.md must begin with a heading"
    for game in (spec.make(), *games):
        assert isinstance(game, Scored) or not hasattr(game, "scores"), (
            "a game with scores needs without_scores, tie_winner and points_left"
        )
        assert game == options.game_from_texts(type(game), options.format_options(game)), (
            "options must survive formatting and parsing"
        )
        hash(game)
        _check_start(game)
        for walk in range(walks):
            _check_walk(game, spec.text_for(game, ("Ada", "")), Random(f"{seed} {walk}"))


def _check_start(game: Game[Any, Any]) -> None:
    starts = [game.start(Random(seed)) for seed in (1, 1, 2, 3)]
    assert starts[0] == starts[1], "the same seed must give the same start"
    if isinstance(game, RandomStart):
        fixed = game.with_start(starts[0])
        assert fixed.start(Random(9)) == starts[0], "with_start must fix the start"
    else:
        assert len(set(starts)) == 1, "a game with a random start must offer with_start"
    assert game.turn(starts[0]) == 0, "seat 0 must begin"
    assert game.outcome(starts[0]) is None, "a game must not be over at its start"


def _check_walk(game: Game[Any, Any], game_text: AnyGameText, rng: Random) -> None:
    state = game.start(rng)
    assert game_text.opening(state).endswith("\n"), "the opening must end with a line end"
    plies = 0
    seen: dict[tuple[int, ...], Any] = {}
    for plies in range(1 + game.max_plies if isinstance(game, Bounded) else PLIES):  # noqa: B007  # the count is looked at after the loop
        _check_state(game, state, rng)
        if isinstance(game, Observable) and not history_matters(game):
            assert seen.setdefault(tuple(game.observe(state)), state) == state, (
                "an observation must determine the position"
            )
        if game.outcome(state) is not None:
            break
        _check_speech(game_text, game, state)
        move = rng.choice(game.moves(state))
        after = game.play(state, move)
        assert after == game.play(state, move), "play must be pure"
        assert game.turn(after) == OTHER[game.turn(state)], "turns must alternate"
        assert game_text.announce(state, move, after).endswith("\n"), (
            "an announcement must end with a line end"
        )
        if hasattr(game, "update_observation") and not history_matters(game):
            _check_update(game, state, move, after)
        state = after
    if game.outcome(state) is not None:
        assert game_text.closing(state).endswith("\n"), "the closing must end with a line end"
    if isinstance(game, Bounded):
        assert game.outcome(state) is not None and plies <= game.max_plies, "a game must end within max_plies"


def _check_state(game: Game[Any, Any], state: Any, rng: Random) -> None:
    hash(state)
    moves, outcome = game.moves(state), game.outcome(state)
    assert list(moves) == list(game.moves(state)), "moves must have a fixed order"
    assert len(set(moves)) == len(moves), "moves must not repeat a move"
    assert bool(moves) == (outcome is None), "moves must be empty if and only if the game is over"
    if outcome is not None:
        assert isinstance(outcome, Outcome) and outcome.winner in (0, 1, None) and outcome.why
    if isinstance(game, FiniteMoves):
        _check_all_moves(game, state, moves, rng)
    if isinstance(game, Observable):
        numbers, features = game.observe(state), game.features()
        assert len(numbers) == len(features), "observe must return one number for each feature"
        for number, (name, low, high) in zip(numbers, features, strict=True):
            assert low <= number <= high, f"{name} is {number}, and should lie between {low} and {high}"
    if isinstance(game, Symmetric):
        twin = game.canonical(state)
        assert game.canonical(twin) == twin, "canonical must be idempotent"
        assert len(game.moves(twin)) == len(moves), "equivalent positions must have equally many moves"
    if isinstance(game, Decomposable):
        parts = game.components(state)
        assert sum(len(game.moves(part)) for part in parts) == len(moves), (
            "components must have as many moves as the whole"
        )
        assert all(game.components(part) == [part] for part in parts), "a component must not split again"
    if isinstance(game, Scored):
        assert outcome is None or outcome.scores == game.scores(state), "the outcome must have the scores"
        twin = game.without_scores(state)
        assert game.without_scores(twin) == twin, "without_scores must be idempotent"
        assert list(game.moves(twin)) == list(moves), "scores must not change the legal moves"


def _check_all_moves(game: Any, state: Any, moves: Any, rng: Random) -> None:
    all_moves = game.all_moves()
    assert list(all_moves) == list(game.all_moves()), "all_moves must have a fixed order"
    legal = set(moves)
    assert legal <= set(all_moves), "all_moves must contain every legal move"
    for move in rng.sample(list(all_moves), min(12, len(all_moves))):
        if move not in legal:
            try:
                game.play(state, move)
            except IllegalMove as fault:
                assert str(fault).endswith("."), "the message of IllegalMove must be a sentence"
            else:
                raise AssertionError(f"{move} is not among the moves, and yet it can be played")


def _check_update(game: Any, before: Any, move: Any, after: Any) -> None:
    observation = memoryview(array("q", list(game.observe(before))))
    mask = memoryview(_mask(game, before))
    game.update_observation(observation, mask, before, move, after)
    assert observation.tolist() == list(game.observe(after)), (
        "update_observation must lead to what observe returns"
    )
    assert mask == _mask(game, after), "update_observation must lead to the mask of the legal moves"


def _mask(game: Any, state: Any) -> bytearray:
    legal = set(game.moves(state))
    return bytearray(move in legal for move in game.all_moves())


def _check_speech(game_text: AnyGameText, game: Game[Any, Any], state: Any) -> None:
    assert game_text.label(game.turn(state)) in game_text.question(state), "the question must name the player"
    assert not game_text.question(state).endswith("\n"), "the prompt must not end with a line end"
    assert game_text.position(state).endswith("\n") and game_text.list_moves(state).endswith("\n")
    moves = game.moves(state)
    notations = [game_text.format_move(move) for move in moves]
    assert len(set(notations)) == len(moves), "two moves must not be written alike"
    for notation in notations:
        _check_notation(notation)
    for move in _some(moves):
        written, typed = game_text.format_move(move), game_text.typed(move)
        assert game_text.parse_move(written) == game_text.parse_move(typed) == move, (
            "a formatted move must parse back"
        )


def _check_notation(notation: str) -> None:
    assert notation, "a move must not be written as an empty text"
    apart = {char for char in notation if char.isspace() or char in ",[]{}"}
    assert not apart, f"{notation!r} has {min(apart)!r} in it, which separates moves in lists and records"
    assert notation.isprintable() and not notation.endswith("."), f"{notation!r} cannot stand in a record"
    assert notation.lower() not in COMMANDS, f"{notation} is a command of the prompt"
    assert notation not in RESULTS, f"{notation} is how a record ends"


def _some(moves: Any) -> Iterator[Hashable]:
    yield from moves[:3]
    yield from moves[-1:]


def check_canonical(game: Game[Any, Any], max_positions: int = 50_000) -> None:
    """Raise AssertionError unless `canonical` preserves the value of every position of a small game."""
    plain: Retrograde[Any, Any] = Retrograde(game, max_positions, use_symmetry=False)
    folded: Retrograde[Any, Any] = Retrograde(game, max_positions)
    try:
        plain.evaluate(game.start(Random(0)))
    except TooLarge as fault:
        raise AssertionError(f"choose a smaller game: {fault}") from None
    for state in plain:
        assert plain.evaluate(state) == folded.evaluate(state), f"{state} and its twin differ"
