"""Games of OpenSpiel: deterministic, sequential, of perfect information, for two players, zero-sum."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from numberduels.game.adopted.interface import CannotAdopt, Environment, Episode, NotChecked
from numberduels.game.contract import Seat
from numberduels.game.formatting import nearest, short

TEXT = re.compile(r"([a-z0-9_]+)(?:\((.*)\))?")

COMPLETE = frozenset(
    (
        *("breakthrough", "clobber", "connect_four", "dots_and_boxes", "gomoku", "havannah", "hex"),
        *("mnk", "nim", "othello", "tic_tac_toe", "y"),
    )
)
"""The games whose string, with the player to move and the number of moves so far, is the position.

Read in the C++ source of OpenSpiel 2.0.2: LegalActions, DoApplyAction, IsTerminal and Returns of these games
use no member that does not follow from that, with all parameters. Besides the cells there are

- groups of stones and the edges they touch (havannah, hex, y), which follow from the stones;
- the last move (havannah, y), which the string marks;
- the length of the history (hex with swap) and the number of stones (havannah with swap);
- points (dots_and_boxes), pieces (breakthrough), which the string shows, and the result.

tests/adopted/test_openspiel_positions.py plays all histories of small sizes and compares those with one key;
of othello, which has no small size, all orders of the first five moves. In all other games the history is
the position: repetition, counters or a choice in progress matter, or nobody has checked that they do not."""

COUNTLESS = frozenset(("breakthrough", "nim"))
"""Of these, the games in which the number of moves so far matters to nothing and does not follow from the
string. In breakthrough and nim the members `total_moves_` and `num_moves_` are only counted."""

OTHER_ALTERNATING = ("antichess", "chess", "crazyhouse", "go", "oware", "shogi", "twixt", "xiangqi")
ALTERNATING = COMPLETE.difference(["dots_and_boxes"]).union(OTHER_ALTERNATING)
"""The games in which the players are known to move strictly in turn."""

LARGEST = 99
"""The largest number among the parameters, so that a text cannot make a game that fills the memory."""

LIMITS, LONGEST = ("max_game_length", "max_moves", "max_cursor_moves"), 100_000
"""The parameters that limit the length of a game, and their largest value."""

MISSING = "open_spiel is not installed; games of OpenSpiel need it: pip install 'numberduels[envs]'"


def load_environment(name: str) -> Environment:
    """The game with this name and parameters; CannotAdopt if it does not exist or does not fit."""
    try:
        import pyspiel
    except ModuleNotFoundError:
        raise CannotAdopt(MISSING) from None
    match = TEXT.fullmatch(name)
    if not match:
        raise CannotAdopt(
            f"write openspiel:NAME or openspiel:NAME(parameter=value,...), not {short(name, 60)}"
        )
    with suppress(ImportError):
        import open_spiel.python.games  # noqa: F401  # registers the games that are written in Python
    kinds = {kind.short_name: kind for kind in pyspiel.registered_games()}
    if match[1] not in kinds:
        meant = nearest(match[1], kinds)
        question = f"; did you mean {meant}?" if meant else ""
        raise CannotAdopt(f"OpenSpiel has no game {short(match[1])}{question}")
    kind = kinds[match[1]]
    if reason := misfit(kind):
        raise CannotAdopt(f"openspiel:{match[1]} cannot be adopted: {reason}")
    _check_parameters(kind, match[2] or "")
    try:
        with quiet_errors():
            game = pyspiel.load_game(name)
            state = game.new_initial_state()
            state.legal_actions()  # some sizes are made, and fail here
    except Exception as fault:
        raise CannotAdopt(f"openspiel:{short(name, 80)}: {first_line(fault)}") from None
    if game.num_players() != 2 or state.is_terminal():
        raise CannotAdopt(f"openspiel:{short(name, 80)} is not a game for two players that can begin")
    return OpenSpielEnvironment(game)


def misfit(kind: Any) -> str:
    """Why a registered game does not fit; nothing if it does."""
    from pyspiel import GameType

    wanted = (
        (kind.dynamics == GameType.Dynamics.SEQUENTIAL, "the players move at the same time"),
        (kind.chance_mode == GameType.ChanceMode.DETERMINISTIC, "chance plays a part"),
        (kind.information == GameType.Information.PERFECT_INFORMATION, "it has hidden information"),
        (kind.utility == GameType.Utility.ZERO_SUM, "it is not zero-sum"),
        (kind.min_num_players <= 2 <= kind.max_num_players, "it is not for two players"),
    )
    return next((reason for fits, reason in wanted if not fits), "")


def _check_parameters(kind: Any, text: str) -> None:
    """Refuse parameters that the game does not have, and large numbers, also inside of a text such as 3;5."""
    known = kind.parameter_specification
    for each in filter(None, text.split(",")):
        name, equals, value = each.partition("=")
        if not equals or name not in known:
            raise CannotAdopt(
                f"openspiel:{kind.short_name} has no parameter {short(name)}; it has"
                f" {', '.join(known) or 'none'}"
            )
        whole = isinstance(known[name], int) and not isinstance(known[name], bool)
        low, high = 1 if name in SIZES else 0, LONGEST if name in LIMITS else LARGEST
        if whole and not re.fullmatch(r"[0-9]+", value):
            raise CannotAdopt(f"{name} must be a whole number from {low} to {high}, not {short(value)}")
        for digits in re.findall(r"[0-9]+", value):
            # OpenSpiel reads all digits: leading zeros do not make a number small.
            if not (low if whole else 0) <= int(digits.lstrip("0")[:9] or "0") <= high:
                raise CannotAdopt(f"{name} must be a whole number from {low} to {high}, not {short(value)}")


SIZES = ("board_size", "rows", "columns", "num_rows", "num_cols", "size", "m", "n")
"""The parameters that are lengths of a board. OpenSpiel does not check them, and fails below 1."""


def first_line(fault: BaseException) -> str:
    """The first line of a message of OpenSpiel, shortened."""
    return short((str(fault).splitlines() or [""])[0], 120)


@contextmanager
def quiet_errors() -> Iterator[None]:
    """Hide what OpenSpiel prints on standard error when it raises."""
    sys.stderr.flush()
    try:
        kept = os.dup(2)
    except OSError:  # standard error is closed
        yield
        return
    hidden = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(hidden, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(hidden)


class OpenSpielEnvironment(Environment):
    """One game of OpenSpiel with its parameters."""

    uses_seeds = False
    native = True

    def __init__(self, game: Any) -> None:
        self.game = game
        kind = game.get_type()
        self.short_name: str = kind.short_name
        written = str(game)
        self.text = f"openspiel:{written.removesuffix('()')}"
        self.title = kind.long_name
        self.about = f"A game of OpenSpiel, {written.removesuffix('()')}."
        self.num_actions = game.num_distinct_actions()
        self.max_plies = game.max_game_length()
        self.alternates = self.short_name in ALTERNATING
        self.complete = self.short_name in COMPLETE
        self.counted = self.short_name not in COUNTLESS
        self.observes_tensor = bool(kind.provides_observation_tensor)
        self.observes_string = bool(kind.provides_observation_string)
        self.first_player: int = game.new_initial_state().current_player()

    def reset(self, seed: int) -> OpenSpielEpisode:
        return OpenSpielEpisode(self, self.game.new_initial_state())


class OpenSpielEpisode(Episode):
    """A state of OpenSpiel."""

    def __init__(self, environment: OpenSpielEnvironment, state: Any, history: tuple[int, ...] = ()) -> None:
        self.environment = environment
        self.state = state
        self.history = history

    @property
    def seat(self) -> Seat | None:
        if self.state.is_terminal():
            return None
        return self._seat_of(self.state.current_player())

    def _seat_of(self, player: int) -> Seat:
        return 0 if player == self.environment.first_player else 1

    def player_of(self, seat: Seat) -> int:
        """The number of a seat in OpenSpiel."""
        first = self.environment.first_player
        return first if seat == 0 else 1 - first

    def actions(self) -> Sequence[int]:
        actions: list[int] = self.state.legal_actions()
        return actions

    def returns(self) -> tuple[float, float]:
        returns = self.state.returns()
        return returns[self.player_of(0)], returns[self.player_of(1)]

    def step(self, action: int) -> None:
        self.state.apply_action(action)
        self.history = (*self.history, action)

    def try_illegal(self, action: int) -> str:
        # The plain apply_action does not check anything, as its documentation says, and may crash.
        try:
            with quiet_errors():
                self.state.apply_action_with_legality_check(action)
        except Exception:
            return ""
        return "was accepted by apply_action_with_legality_check"

    try_after_end = try_illegal

    def declared_winner(self) -> Seat | None:
        # The returns must be the sum of the rewards on the way.
        state = self.environment.game.new_initial_state()
        totals = [0.0, 0.0]
        for action in self.history:
            state.apply_action(action)
            totals = [total + reward for total, reward in zip(totals, state.rewards(), strict=True)]
        first, second = totals[self.player_of(0)], totals[self.player_of(1)]
        return None if first == second else 0 if first > second else 1

    def copy(self) -> OpenSpielEpisode:
        return OpenSpielEpisode(self.environment, self.state.clone(), self.history)

    def key(self) -> Hashable | None:
        environment, state = self.environment, self.state
        if not environment.complete:
            return None
        # After the end the picture alone may not show the result, as on a full board.
        player = state.returns()[0] if state.is_terminal() else state.current_player()
        return str(state), player, len(self.history) if environment.counted else 0, state.is_terminal()

    def picture(self) -> str:
        return str(self.state)

    def action_name(self, action: int) -> str:
        name: str = self.state.action_to_string(self.state.current_player(), action)
        return name

    def observation(self, seat: Seat) -> Any:
        player = self.player_of(seat)
        if self.environment.observes_tensor:
            return tuple(self.state.observation_tensor(player))
        if self.environment.observes_string:
            return self.state.observation_string(player)
        raise NotChecked("the game declares no observation")

    def space_fault(self) -> str:
        game, state = self.environment.game, self.state
        if any(not 0 <= action < self.environment.num_actions for action in state.legal_actions()):
            return f"a legal action is outside of 0 to {self.environment.num_actions - 1}"
        if self.environment.observes_tensor:
            wanted = 1
            for length in game.observation_tensor_shape():
                wanted *= length
            for seat in (0, 1):
                found = len(state.observation_tensor(seat))
                if found != wanted:
                    return f"the observation tensor has {found} numbers, its shape says {wanted}"
        low, high = game.min_utility(), game.max_utility()
        if any(not low <= each <= high for each in state.returns()):
            return f"the returns {state.returns()} are outside of {low:g} to {high:g}"
        if len(self.history) > game.max_game_length():
            return f"the game is longer than max_game_length, which is {game.max_game_length()}"
        return ""
