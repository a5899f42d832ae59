"""One game with numeric actions and observations, shared by the environments for single games.

`NumericEpisode` is the game. It keeps its observation up to date in one of two ways: `LiveObservation` lets
the game write what a move changed, `PositionGraph` remembers the positions that were met. `View` shows the
game as text or as an image.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from operator import index
from random import Random
from typing import Any

import numpy as np
from gymnasium.error import DependencyNotInstalled, ResetNeeded
from gymnasium.spaces import Box
from numpy.typing import NDArray

from numberduels.envs.encoding import INT8, WHOLE_NUMBERS, Encoding, MaskArray, ObservationArray
from numberduels.game.batch import REWARDS, RUNNING, result_code
from numberduels.game.board import board_of
from numberduels.game.formatting import short
from numberduels.game.options import BadOption, check_among
from numberduels.game.spec import GameSpec

NOT_GIVEN = object()

RESET = "no game is going on: reset the environment first"

WRITABLE = frozenset("bBhHiIlLqQfd")
"""The types of numbers that memory views can write in every version of Python, by their letters."""

KEPT = 1 << 14
"""The most positions that are kept."""

CAPACITY = 1 << 20
"""The most numbers in all of them, so that a few positions of a large game do not fill the memory."""


MODES = ("ansi", "rgb_array")
"""Text, or an image; Gymnasium shows images in a window for `render_mode="human"`."""

FPS = 2
"""Moves a second in a video."""

NAME = 28
"""Characters of a player's name in an image."""

Frame = NDArray[np.uint8]
"""An image: rows of RGB pixels. All have the same size, as a video needs it."""


def check_render_mode(mode: str | None) -> None:
    """BadOption if there is no such mode; None is no rendering."""
    if mode is not None:
        check_among("render_mode", mode, MODES)


@dataclass(frozen=True, slots=True)
class View:
    """The data that a renderer needs to show a game."""

    spec: GameSpec
    game: Any
    state: Any
    played: Sequence[Hashable]
    truncated: bool = False
    names: tuple[str, str] = ("", "")
    """Names after `Player 1` and `Player 2` in an image; may be empty."""

    def text(self) -> str:
        """The position as a person reads it: the board and whose turn it is, or how the game ended."""
        game_text = self.spec.text_for(self.game)
        board = game_text.position(self.state)
        if self.game.outcome(self.state) is not None:
            return board + game_text.closing(self.state).lstrip("\n")
        if self.truncated:
            return f"{board}The game is broken off after {len(self.played)} moves: unfinished.\n"
        return board + game_text.heading(self.state) + game_text.status(self.state)

    def picture(self) -> Frame:
        """The position as an image; all images have the same size."""
        try:
            from numberduels.game.board_image import Scene, draw_image
        except ModuleNotFoundError:
            raise DependencyNotInstalled(
                "Pillow is not installed; pictures need it: pip install 'numberduels[envs]'"
            ) from None
        outcome = self.game.outcome(self.state)
        marked = self.game.turn(self.state)
        if outcome is not None:
            marked = outcome.winner
            status = "Tie" if marked is None else f"Player {marked + 1} wins"
        elif self.truncated:
            marked = None
            status = f"Unfinished after {len(self.played)} moves"
        else:
            status = f"Player {marked + 1} to move"
        first, second = (
            f"Player {number}: {name[:NAME]}" if name else f"Player {number}"
            for number, name in enumerate(self.names, 1)
        )
        board = board_of(self.game, self.state, self.played)
        scene = Scene(self.spec.title, status, board, (first, second), marked)
        return np.array(draw_image(scene), dtype=np.uint8)

    def render(self, mode: str | None) -> str | Frame | None:
        """The position in this mode: text, an image, or nothing."""
        if mode is None:
            return None
        return self.text() if mode == "ansi" else self.picture()


def make_observation_space(encoding: Encoding, dtype: Any = None) -> Box:
    """One number for every feature, within its bounds; `dtype` defaults to the encoding's own.

    BadOption if `dtype` is not a numeric type, or cannot represent every whole number within the bounds.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> make_observation_space(Encoding(RangeWar(size=2)), "float32")
    Box([0. 0. 0. 0. 1.], [1. 1. 2. 2. 2.], (5,), float32)
    """
    kind = encoding.dtype if dtype is None else _kind(dtype)
    low = [feature.low for feature in encoding.features]
    high = [feature.high for feature in encoding.features]
    most = 2 ** (np.finfo(kind).nmant + 1) if kind.kind == "f" else int(np.iinfo(kind).max)
    least = -most if kind.kind == "f" else int(np.iinfo(kind).min)
    if max(high) > most or min(low) < least:
        raise BadOption(
            "dtype", f"dtype {kind} cannot tell all whole numbers from {min(low)} to {max(high)} apart"
        )
    return Box(np.array(low, kind), np.array(high, kind), dtype=kind.type)


def _kind(dtype: Any) -> np.dtype[Any]:
    kind: np.dtype[Any]
    try:
        kind = np.dtype(dtype)
    except (TypeError, ValueError):
        kind = np.dtype(object)
    if kind.kind not in "iuf" or not kind.isnative:
        raise BadOption(
            "dtype",
            f"dtype must be a NumPy type of numbers, such as 'float32' or 'int64', not {short(str(dtype))}",
        )
    return kind


class LiveObservation:
    """The observation and the mask of one game, for games with `update_observation`.

    The game writes into `numbers` and `flags`, memory views of the arrays, which is faster than to assign to
    an array. Give copies of the arrays away.
    """

    def __init__(self, encoding: Encoding, dtype: np.dtype[Any]) -> None:
        self._encoding = encoding
        self.observation: ObservationArray = np.zeros(len(encoding.features), dtype)
        self.mask: MaskArray = np.zeros(encoding.num_actions, INT8)
        self.numbers = self.observation.data
        self.flags = self.mask.view(np.uint8).data
        self._of_bytes = dtype == np.uint8
        self._start: tuple[memoryview, memoryview] | None = None
        """What `numbers` and `flags` are at the start, once that is known, unless the start is random."""

    @classmethod
    def supports(cls, encoding: Encoding, dtype: np.dtype[Any]) -> bool:
        """Whether it can follow the games of this encoding, with observations of this dtype."""
        return encoding.updates and dtype.char in WRITABLE

    def set_start(self, state: Any) -> None:
        """Observe the start of a game."""
        if self._start is not None:
            self.numbers[:], self.flags[:] = self._start
            return
        encoding = self._encoding
        numbers = encoding.observe_position(state)
        if self._of_bytes:
            self.numbers[:] = bytes(numbers)
        else:
            self.observation[:] = list(numbers)
        self.flags[:] = encoding.flags(encoding.game.moves(state))
        if not encoding.dealt:
            self._start = self.observation.copy().data, self.mask.view(np.uint8).copy().data

    def __reduce__(self) -> tuple[Any, ...]:
        # Copied one by one, the arrays and the memory views would no longer be of the same memory.
        return (
            LiveObservation,
            (self._encoding, self.observation.dtype),
            (self.observation.copy(), self.mask.copy()),
        )

    def __setstate__(self, arrays: tuple[ObservationArray, MaskArray]) -> None:
        self.observation[:], self.mask[:] = arrays


class KnownPosition:
    """A position: its result code, its observation and mask once they are made, and what moves lead to."""

    __slots__ = ("after", "arrays", "result", "state")

    def __init__(self, state: Any, result: int) -> None:
        self.state = state
        self.result = result
        self.arrays: tuple[ObservationArray, MaskArray] | None = None
        self.after: dict[Hashable, KnownPosition] = {}
        """The position after each move that was made here."""

    def __reduce__(self) -> tuple[Any, ...]:
        return KnownPosition, (self.state, self.result)  # not the whole graph


class PositionGraph:
    """The positions of one game, so that in a small game a move that was made before is one lookup.

    Nothing is kept if the start is random, and no longer if there are too many positions: they would rarely
    come again.
    """

    def __init__(self, encoding: Encoding, dtype: np.dtype[Any]) -> None:
        self._encoding = encoding
        self._dtype = dtype
        self._known: dict[Any, KnownPosition] | None = None if encoding.dealt else {}
        self._capacity = max(2, min(KEPT, CAPACITY // (len(encoding.features) + encoding.num_actions)))

    def __reduce__(self) -> tuple[Any, ...]:
        return PositionGraph, (self._encoding, self._dtype)

    def position(self, state: Any) -> KnownPosition:
        """The position of this state."""
        known = self._known
        found = None if known is None else known.get(state)
        if found is None:
            found = KnownPosition(state, result_code(self._encoding.game.outcome(state)))
            if known is not None:
                known[state] = found
                if len(known) == self._capacity:
                    self._known = None
        return found

    def follow(self, position: KnownPosition, move: Any) -> KnownPosition:
        """The position after a move; IllegalMove if the rules refuse it. Look into `after` first."""
        after = self.position(self._encoding.game.play(position.state, move))
        if self._known is not None:
            position.after[move] = after
        return after

    def arrays(self, position: KnownPosition) -> tuple[ObservationArray, MaskArray]:
        """The observation without history, and the mask. Nobody may write into these arrays."""
        if position.arrays is None:
            observation, mask = self._encoding.observe(position.state)
            # Copies, because these arrays lie in the memory of other objects and are slower to read.
            position.arrays = observation.astype(self._dtype), mask.copy()
        return position.arrays


class NumericEpisode:
    """One game. Call `reset` before anything else.

    >>> from numberduels.game.registry import spec
    >>> episode = NumericEpisode(spec("summation-duel"), spec("summation-duel").rules(size=4, target=6))
    >>> episode.reset(Random(1))
    >>> for action in (3, 1):
    ...     episode.play(action)
    >>> episode.rewards
    (-1, 1)
    """

    def __init__(self, spec: GameSpec, game: Any, limit: int | None = None, dtype: Any = None) -> None:
        self.spec = spec
        self.game = game
        self.encoding = encoding = Encoding(game, limit)
        self.over = True
        """Whether no move can be made: the game has ended or was truncated, or none was started."""
        self.observation_space = make_observation_space(encoding, dtype)
        kind = self.observation_space.dtype
        assert kind is not None, "a Box has a dtype"
        self.arrays: tuple[ObservationArray, MaskArray] | None = None
        """The observation and the mask, or None until `encode` is called. Give only copies of them away."""
        # A game that can write what a move changed is followed so; of any other the positions are kept.
        self._live = LiveObservation(encoding, kind) if LiveObservation.supports(encoding, kind) else None
        self._graph = PositionGraph(encoding, kind)

    def __setstate__(self, attributes: dict[str, Any]) -> None:
        self.__dict__.update(attributes)
        if self._live is not None and self.arrays is not None:
            self.arrays = self._live.observation, self._live.mask  # and not copies of their own

    def reset(self, rng: Random) -> None:
        """Start a game."""
        self.start = self.state = state = self.game.start(rng)
        self.played: list[Hashable] = []
        self.result = RUNNING
        self.over = False
        if self._live is not None:
            self._live.set_start(state)
            self.arrays = self._live.observation, self._live.mask
        else:
            self._position = self._graph.position(state)
            self.arrays = None
            if self.encoding.history_length:
                self._history = self.encoding.initial_history(state)

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self.played)

    @property
    def terminated(self) -> bool:
        """Whether the game has ended."""
        return self.result != RUNNING

    @property
    def truncated(self) -> bool:
        """Whether the game reached the limit of moves."""
        return self.over and self.result == RUNNING

    @property
    def rewards(self) -> tuple[int, int]:
        """The rewards of both seats so far."""
        return REWARDS[self.result]

    def play(self, action: Any, move: Any = NOT_GIVEN) -> None:
        """Play an action, or the move if one is given; IllegalMove leaves everything unchanged."""
        encoding = self.encoding
        if move is NOT_GIVEN:
            number = index(action) if type(action) in WHOLE_NUMBERS else -1
            moves = encoding.moves
            # Without a call in the usual case; the encoding says what is wrong in the others.
            move = moves[number] if 0 <= number < len(moves) else encoding.move(action)
        live = self._live
        if live is not None:
            game, before = self.game, self.state
            self.state = state = game.play(before, move)
            game.update_observation(live.numbers, live.flags, before, move, state)
            outcome = game.outcome(state)
            result = RUNNING if outcome is None else result_code(outcome)
        else:
            position = self._position.after.get(move) or self._graph.follow(self._position, move)
            self._position = position
            self.state = position.state
            self.arrays = position.arrays
            result = position.result
            if encoding.history_length:
                self._add_to_history(move)
        self.played.append(move)
        if result != RUNNING:
            self.result = result
            self.over = True
        elif encoding.limit is not None and len(self.played) == encoding.limit:
            self._truncate()

    def _add_to_history(self, move: Any) -> None:
        encoding = self.encoding
        self._history[encoding.history_index(len(self.played))] = encoding.action_of[move] + 1
        self.arrays = None

    def _truncate(self) -> None:
        self.over = True
        if self._live is not None:
            self._live.mask[:] = 0
        else:
            self.arrays = None

    def observe(self) -> tuple[ObservationArray, MaskArray]:
        """The observation and the action mask, which is all 0 if the game is over or truncated."""
        observation, mask = self.arrays or self.encode()
        return observation.copy(), mask.copy()

    def encode(self) -> tuple[ObservationArray, MaskArray]:
        """Make and return `arrays`."""
        try:
            observation, mask = self._graph.arrays(self._position)
        except AttributeError:
            raise ResetNeeded(RESET) from None
        if self.encoding.history_length:
            observation = np.concatenate((observation, self._history), dtype=observation.dtype)
        self.arrays = observation, np.zeros_like(mask) if self.truncated else mask
        return self.arrays

    def view(self, names: tuple[str, str] = ("", "")) -> View:
        """The game as a renderer needs it."""
        self.observe()  # raises before the first reset
        return View(self.spec, self.game, self.state, self.played, self.truncated, names)
