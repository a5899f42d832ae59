"""A player that is somebody's Python: a function, or a Player of another package."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager, suppress
from random import Random
from typing import Any

from numberduels.core import Game, IllegalMove, M, S
from numberduels.players.player import Forfeit, Player
from numberduels.text import short

SHOWN = 120
"""Characters of a foreign message that are quoted."""


UNSET = object()


class CallablePlayer(Player):
    """Whatever lies at a place `package.module:name`: a Player, or a function `choose(game, state, rng)`.

    It may also be given itself; then the place is only its name.

    A class derived from Player is made without arguments, an instance is used as it is, and anything else
    must be callable and return a move. What it returns is checked, and what it raises is a forfeit. It runs
    inside this process: no time limit can be enforced on it, and one that never returns is waited for.

    >>> CallablePlayer("numberduels.players.simple:GreedyPlayer").name
    'numberduels.players.simple:GreedyPlayer'
    """

    def __init__(self, place: str, given: object = UNSET) -> None:
        """Import it unless it is given; ValueError says why that cannot be done."""
        self.name = place
        self._given = given
        found = _imported(place) if given is UNSET else given
        if isinstance(found, type) and issubclass(found, Player):
            try:
                found = found()
            except (Exception, SystemExit) as fault:
                raise ValueError(f"{short(place, SHOWN)} cannot be made: {_told(fault)}") from fault
        self._player: Player | None = None
        self._choose: Callable[[Any, Any, Random], Any]
        if isinstance(found, Player):
            self._player, self._choose = found, found.choose
        elif callable(found):
            self._choose = found
        else:
            raise ValueError(f"{short(place, SHOWN)} is neither a player nor can it be called")
        self._fault: Forfeit | None = None

    def __reduce__(self) -> tuple[type[CallablePlayer], tuple[object, ...]]:
        if self._given is not UNSET:
            return CallablePlayer, (self.name, self._given)
        return CallablePlayer, (self.name,)  # a function may not pickle; its place always does

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
                raise  # as agreed: it cannot play this game
            except (Exception, SystemExit) as fault:
                self._fault = _crash(fault)  # a forfeit is told by the choice that it prevents

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
                return move  # the game's own, whatever equals it: a record must be able to write it
        raise Forfeit("illegal", _refusal(game, state, answer))

    def close(self) -> None:
        if self._player:
            with suppress(Exception, SystemExit):  # the game is over, and its result stands
                self._player.close()


def called(place: str) -> Player:
    """The player that lies at a place `package.module:name`; ValueError if there is none."""
    return CallablePlayer(place)


def _imported(place: str) -> Any:
    """What lies at the place, looked for from the current folder on."""
    module, _, name = place.partition(":")
    if not (name and all(part.isidentifier() for part in (*module.split("."), *name.split(".")))):
        raise ValueError(f"a Python player is given as package.module:name, not {short(place, SHOWN)}")
    with _current_folder_searched():
        try:
            found: Any = importlib.import_module(module)
        except (Exception, SystemExit) as fault:
            raise ValueError(
                f"the module {short(module, SHOWN)} cannot be imported: {_told(fault)}"
            ) from fault
        for part in name.split("."):
            try:
                found = getattr(found, part)
            except AttributeError:
                raise ValueError(f"the module {short(module, SHOWN)} has no {short(name, SHOWN)}") from None
    return found


@contextmanager
def _current_folder_searched() -> Iterator[None]:
    """Let modules of the current folder be found, as `python -m` does and an installed script does not."""
    importlib.invalidate_caches()  # a module written a moment ago must be found
    try:
        folder = os.getcwd()
    except OSError:  # somebody removed it: then nothing lies there
        yield
        return
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        with suppress(ValueError):  # unless the module has put the search in an order of its own
            sys.path.remove(folder)


def _same(move: Hashable, answer: object) -> bool:
    """Whether the answer means this move: 1 may be of any type that counts, but True and 1.0 are slips."""
    if type(answer) is not type(move) and isinstance(answer, bool | float):
        return False
    try:
        return bool(move == answer)
    except Exception:  # an array compares, but is neither equal nor not
        return False


def _refusal(game: Game[Any, Any], state: Any, answer: object) -> str:
    """Why the answer is no legal move, in the game's words where it has some."""
    try:
        shown = short(repr(answer), 40)
    except Exception:
        shown = f"something of type {short(type(answer).__name__)}"
    reason = ""
    try:
        game.play(state, answer)
    except IllegalMove as fault:
        reason = f": {fault}"
    except Exception:  # it is no move at all, which a game need not expect
        reason = ""
    return f"It returned {shown}, which is no legal move{reason or '.'}"


def _crash(fault: BaseException) -> Forfeit:
    return fault if isinstance(fault, Forfeit) else Forfeit("crash", f"It raised {_told(fault)}.")


def _told(fault: BaseException) -> str:
    """The type and the message of whatever was raised, shortened and printable."""
    try:
        message = str(fault)
    except Exception:
        message = ""
    return f"{type(fault).__name__} {short(message, SHOWN)}" if message else type(fault).__name__
