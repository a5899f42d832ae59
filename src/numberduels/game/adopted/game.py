"""AdoptedGame: an environment of another library as a game of ours.

Our games alternate strictly. If a player of the other game moves twice in a row, the opponent makes the only
move `wait` in between. Such a move never changes who wins, it only makes the game longer.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from numberduels.game.adopted.interface import Environment, Episode, guarded
from numberduels.game.contract import OTHER, IllegalMove, Outcome, Seat, Unreadable
from numberduels.game.formatting import printable, read_number
from numberduels.game.messages import Message
from numberduels.game.options import check_whole, option
from numberduels.game.spec import GameSpec
from numberduels.game.text import GameText

WAITING = "wait"
"""How the move of a player is written whose opponent moves again."""


ESCAPES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
"""What colours a text on a terminal, or moves its cursor."""


def _plain(text: str) -> str:
    """The text without anything that a terminal would obey."""
    return printable(ESCAPES.sub("", text).expandtabs())


class AdoptedText(GameText[Any, Any, int]):
    """The text of an adopted game: the picture of the library, and numbered actions."""

    def opening(self, state: Any) -> str:
        environment = self.game.environment
        return f"{environment.title} ({environment.text})\n\n{self.position(state)}\n"

    def position(self, state: Any) -> str:
        lines = self._picture(state).strip("\n").splitlines()
        return "\n".join(_plain(line).rstrip() for line in lines or [self._history(state)]) + "\n"

    @guarded
    def _picture(self, state: Any) -> str:
        return str(state.episode.picture())

    def _history(self, state: Any) -> str:
        played = " ".join(map(str, state.episode.history))
        return self.say("Actions so far: {played}", played=played or "-")

    def prompt(self, state: Any) -> str:
        if state.moves and self.format_move(state.moves[0]) == WAITING:
            return self.say("The opponent moves again. Type wait: ")
        return self.say("Choose an action by its number; moves lists them: ")

    def list_moves(self, state: Any) -> str:
        return ", ".join(self._named(state, move) for move in state.moves) + "\n"

    @guarded
    def _named(self, state: Any, move: int) -> str:
        written = self.format_move(move)
        name = written if written == WAITING else _plain(" ".join(state.episode.action_name(move).split()))
        return written if name == written else f"{written} = {name}"

    def announce(self, before: Any, move: int, after: Any) -> str:
        return f"{self.mover(before)}: {self._named(before, move)}\n\n{self.position(after)}\n"

    def closing(self, state: Any) -> str:
        outcome = self.game.outcome(state)
        if outcome.winner is None:
            return "The game was stopped by its limit.\n" if outcome.why == "truncated" else "It is a tie.\n"
        return f"{self.label(outcome.winner)} wins!\n"

    def parse_move(self, text: str) -> int:
        if text.strip().lower() == WAITING:
            return -1
        try:
            return read_number(text)
        except ValueError:
            raise Unreadable(Message("Type the number of an action.")) from None

    def format_move(self, move: int) -> str:
        return WAITING if move == -1 else str(move)


WAIT = -1
"""The only move of a player whose opponent moves again."""

WAIT_ONLY = (WAIT,)

LARGEST_SEED = 2**31 - 1


class AdoptedState:
    """A position. Equal positions have the same key, which determines everything that can follow."""

    __slots__ = ("_hash", "episode", "key", "moves", "seat")

    def __init__(self, episode: Episode, seat: Seat, found: Hashable | None = None) -> None:
        self.episode = episode
        """Never changed: moves are played on copies."""
        self.seat = seat
        mover = episode.seat
        if mover is None:
            self.moves: tuple[int, ...] = ()
        else:
            self.moves = tuple(episode.actions()) if mover == seat else WAIT_ONLY
        found = episode.key() if found is None else found
        self.key = seat, episode.history if found is None else found
        self._hash = hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AdoptedState) and self.key == other.key

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return f"<{' '.join(map(str, self.episode.history)) or 'start'}, seat {self.seat}>"


@dataclass(frozen=True)
class AdoptedGame:
    """The rules of an environment. Every environment has a class of its own, made by `make_spec`."""

    environment: ClassVar[Environment]

    @guarded
    def start(self, rng: Random) -> AdoptedState:
        return AdoptedState(self.environment.reset(self._seed), 0)

    @property
    def _seed(self) -> int:
        return 0

    def turn(self, state: AdoptedState) -> Seat:
        return state.seat

    def moves(self, state: AdoptedState) -> Sequence[int]:
        return state.moves

    @guarded
    def play(self, state: AdoptedState, move: int) -> AdoptedState:
        if move not in state.moves:
            if not state.moves:
                raise IllegalMove(Message("The game is over."))
            raise IllegalMove(Message("{move} is not a legal move.", move=_written(move)))
        if move == WAIT:
            return AdoptedState(state.episode, OTHER[state.seat], state.key[1])
        episode = state.episode.copy()
        episode.step(move)
        after = AdoptedState(episode, OTHER[state.seat])
        if self.environment.alternates and after.moves == WAIT_ONLY:
            raise RuntimeError(f"{self.environment.text}: a player moves twice in a row after {after!r}")
        return after

    @guarded
    def outcome(self, state: AdoptedState) -> Outcome | None:
        if state.moves:
            return None
        first, second = state.episode.returns()
        if state.episode.truncated:
            return Outcome(None, "truncated")
        if first == second:
            return Outcome(None, "tied")
        return Outcome(0 if first > second else 1, "decided")

    def all_moves(self) -> Sequence[int]:
        numbers = range(self.environment.num_actions)
        return numbers if self.environment.alternates else (*numbers, WAIT)

    def __reduce__(self) -> tuple[Any, ...]:
        from numberduels.game.adopted import restore

        return restore, (self.environment.text, self._seed)


@dataclass(frozen=True)
class SeededGame(AdoptedGame):
    """An environment whose `reset` takes a seed, which is an option of the game."""

    deal: int = option(0, "the seed that the environment is reset with", label="Deal")

    def __post_init__(self) -> None:
        check_whole("deal", self.deal, 0, LARGEST_SEED)

    @property
    def _seed(self) -> int:
        return self.deal


def _written(move: object) -> str:
    return "wait" if move == WAIT else str(move)


def make_spec(environment: Environment) -> GameSpec:
    """The spec of an adopted game."""
    members: dict[str, Any] = {"environment": environment, "__module__": __name__}
    if environment.max_plies is not None:
        members["max_plies"] = environment.max_plies * (1 if environment.alternates else 2)
    base = SeededGame if environment.uses_seeds else AdoptedGame
    rules = type(base.__name__, (base,), members)
    return GameSpec(
        name=environment.text,
        title=environment.title,
        summary=environment.about,
        rules=rules,
        text=AdoptedText,
    )
