"""CallablePlayer: a Python function, or a Player class of another package, as a player."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from random import Random
from typing import Any

from numberduels.game.contract import Game, IllegalMove, M, S
from numberduels.game.formatting import short
from numberduels.players.player import Forfeit, Player

QUOTED = 120
"""The most characters quoted from a foreign message."""


UNSET = object()


class CallablePlayer(Player):
    """A Player or a function `choose(game, state, rng)`, named by `package.module:name`.

    It may also be passed as `given`; then the name is only a label.

    A subclass of Player is made without arguments, an instance is used directly, and anything else must be
    callable and return a move. The move is checked, and an exception is a forfeit. It runs in this process
    without a time limit.

    >>> CallablePlayer("numberduels.players.search:GreedyPlayer").name
    'numberduels.players.search:GreedyPlayer'
    """

    def __init__(self, place: str, given: object = UNSET) -> None:
        """Import the object unless it is given; ValueError says why that failed."""
        self.name = place
        self._given = given
        found = _imported(place) if given is UNSET else given
        if isinstance(found, type) and issubclass(found, Player):
            try:
                found = found()
            except (Exception, SystemExit) as fault:
                raise ValueError(f"{short(place, QUOTED)} cannot be made: {_describe(fault)}") from fault
        self._player: Player | None = None
        self._choose: Callable[[Any, Any, Random], Any]
        if isinstance(found, Player):
            self._player, self._choose = found, found.choose
        elif callable(found):
            self._choose = found
        else:
            raise ValueError(f"{short(place, QUOTED)} is neither a player nor can it be called")
        self._fault: Forfeit | None = None

    def __reduce__(self) -> tuple[type[CallablePlayer], tuple[object, ...]]:
        if self._given is not UNSET:
            return CallablePlayer, (self.name, self._given)
        return CallablePlayer, (self.name,)  # a function may not pickle, but its name does

    @property
    def uses_history(self) -> bool:
        return self._player is not None and self._player.uses_history

    def prepare(self, game: Game[Any, Any], start: Any) -> None:
        self._fault = None
        if self._player:
            self._player.progress = self.progress
            try:
                self._player.prepare(game, start)
            except ValueError:
                raise  # by contract: it cannot play this game
            except (Exception, SystemExit) as fault:
                self._fault = _crash(fault)  # the forfeit is raised by the next choice

    def set_history(self, played: Sequence[Hashable]) -> None:
        if self._player and not self._fault:
            try:
                self._player.set_history(played)
            except (Exception, SystemExit) as fault:
                self._fault = _crash(fault)

    def choose(self, game: Game[S, M], state: S, rng: Random) -> M:
        if self._fault:
            raise self._fault
        if self._player:
            self._player.progress = self.progress
        try:
            answer = self._choose(game, state, rng)
        except (Exception, SystemExit) as fault:
            raise _crash(fault) from fault
        finally:
            if self._player:
                self.attempts = tuple(self._player.attempts)
        for move in game.moves(state):
            if _same(move, answer):
                return move  # the game's own object, since a record must be able to write it
        raise Forfeit("illegal", _refusal(game, state, answer))

    def close(self) -> None:
        if self._player:
            with suppress(Exception, SystemExit):  # the result of the game is final
                self._player.close()


def _imported(place: str) -> Any:
    """Import the object; modules in the current folder are found, too."""
    module, _, name = place.partition(":")
    if not (name and all(part.isidentifier() for part in (*module.split("."), *name.split(".")))):
        raise ValueError(f"a Python player is given as package.module:name, not {short(place, QUOTED)}")
    with _current_folder_searched():
        try:
            found: Any = importlib.import_module(module)
        except (Exception, SystemExit) as fault:
            raise ValueError(
                f"the module {short(module, QUOTED)} cannot be imported: {_describe(fault)}"
            ) from fault
        for part in name.split("."):
            try:
                found = getattr(found, part)
            except AttributeError:
                raise ValueError(f"the module {short(module, QUOTED)} has no {short(name, QUOTED)}") from None
    return found


@contextmanager
def _current_folder_searched() -> Iterator[None]:
    """Put the current folder on the import path, as `python -m` does."""
    importlib.invalidate_caches()  # a module may be new
    try:
        folder = os.getcwd()
    except OSError:  # the folder was removed
        yield
        return
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        with suppress(ValueError):  # the module may have changed sys.path itself
            sys.path.remove(folder)


def _same(move: Hashable, answer: object) -> bool:
    """Whether the answer equals the move. NumPy integers are fine; True and 1.0 are not."""
    if type(answer) is not type(move) and isinstance(answer, bool | float):
        return False
    try:
        return bool(move == answer)
    except Exception:  # comparing an array has no single result
        return False


def _refusal(game: Game[Any, Any], state: Any, answer: object) -> str:
    """Why the answer is not a legal move, with the message of the game if it has one."""
    try:
        shown = short(repr(answer), 40)
    except Exception:
        shown = f"something of type {short(type(answer).__name__)}"
    reason = ""
    try:
        game.play(state, answer)
    except IllegalMove as fault:
        reason = f": {fault}"
    except Exception:  # a game need not expect other types
        reason = ""
    return f"It returned {shown}, which is no legal move{reason or '.'}"


def _crash(fault: BaseException) -> Forfeit:
    return fault if isinstance(fault, Forfeit) else Forfeit("crash", f"It raised {_describe(fault)}.")


def _describe(fault: BaseException) -> str:
    """The type and the message of an exception, shortened and printable."""
    try:
        message = str(fault)
    except Exception:
        message = ""
    return f"{type(fault).__name__} {short(message, QUOTED)}" if message else type(fault).__name__
