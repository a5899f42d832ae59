"""Players that are somebody's Python."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Hashable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NoReturn

import pytest

from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.range_war.rules import RangeWar
from numberduels.players.callables import CallablePlayer
from numberduels.players.player import Attempt, Forfeit, Player
from tables import table

HERE = __name__
GAME = RangeWar(5)
START = GAME.start(Random(0))


def last(game: Any, state: Any, _: Random) -> Any:
    return game.moves(state)[-1]


class Counts:
    """Like a number of an array: it counts, but is no int."""

    def __eq__(self, other: object) -> bool:
        return other == 3

    __hash__ = None  # type: ignore[assignment]  # as arrays are


class Undecided:
    def __eq__(self, other: object) -> bool:
        raise ValueError("neither equal nor not")

    __hash__ = None  # type: ignore[assignment]  # as arrays are

    def __repr__(self) -> str:
        raise RuntimeError("nor to be shown")


class Listener(Player):
    """Plays the first move, and remembers what it was told."""

    name = "listener"

    def __init__(self) -> None:
        self.told: list[Any] = []

    def prepare(self, game: Any, start: Any) -> None:
        if game == RangeWar(9):
            raise ValueError("nine is too many")
        if game == RangeWar(8):
            raise KeyError("eight")
        self.told.append("prepare")

    def set_history(self, played: Sequence[Hashable]) -> None:
        self.told.append(played)

    def choose(self, game: Any, state: Any, rng: Random) -> Any:
        self.attempts = (Attempt("first"),)
        return game.moves(state)[0]

    def close(self) -> None:
        self.told.append("close")
        raise RuntimeError("too late to matter")


class Unmakeable(Listener):
    def __init__(self) -> None:
        raise RuntimeError("not today")


listener = Listener()
four = 4


def does(act: Callable[[], Any]) -> CallablePlayer:
    """A player that does this whenever it is to move."""
    setattr(sys.modules[HERE], "acting", lambda *_: act())  # noqa: B010  # no such name is known beforehand
    return CallablePlayer(f"{HERE}:acting")


def returns(value: Any) -> CallablePlayer:
    return does(lambda: value)


def raises(fault: BaseException) -> CallablePlayer:
    def fail() -> NoReturn:
        raise fault

    return does(fail)


def forfeit(player: Player, game: Any = GAME) -> Forfeit:
    with pytest.raises(Forfeit) as caught:
        player.choose(game, game.start(Random(0)), Random(0))
    return caught.value


def test_a_player_is_told_everything_and_may_fail_at_the_end() -> None:
    listener.told.clear()
    player = CallablePlayer(f"{HERE}:listener")
    player.prepare(GAME, START)
    player.set_history((5, 3))
    player.close()
    assert listener.told == ["prepare", (5, 3), "close"]


def test_a_player_may_refuse_a_game() -> None:
    with pytest.raises(ValueError, match="nine is too many"):
        CallablePlayer(f"{HERE}:Listener").prepare(RangeWar(9), None)


def test_a_player_that_breaks_while_it_prepares_forfeits_when_it_is_to_move() -> None:
    player = CallablePlayer(f"{HERE}:Listener")
    player.prepare(RangeWar(8), None)
    fault = forfeit(player, RangeWar(8))
    assert (fault.cause, str(fault)) == ("crash", "It raised KeyError ''eight''.")
    player.prepare(GAME, START)
    assert player.choose(GAME, START, Random(0)) == 1


@table(
    "raised, message",
    [
        (RuntimeError("boom"), "It raised RuntimeError 'boom'."),
        (SystemExit(), "It raised SystemExit."),
        (RecursionError("\x1b[2J"), "It raised RecursionError '\\x1b[2J'."),
    ],
)
def test_what_it_raises_is_a_crash(raised: BaseException, message: str) -> None:
    fault = forfeit(raises(raised))
    assert (fault.cause, str(fault)) == ("crash", message)


def test_a_forfeit_of_its_own_stays_what_it_is() -> None:
    assert forfeit(raises(Forfeit("error", "Nobody is there."))).cause == "error"


def test_to_interrupt_is_no_crash() -> None:
    with pytest.raises(KeyboardInterrupt):
        raises(KeyboardInterrupt()).choose(GAME, START, Random(0))


@table(
    "value",
    [0, 6, -1, None, "3", 3.0, True, [3], {}, object(), Undecided(), 10**5000],
)
def test_what_is_no_legal_move_is_illegal(value: Any) -> None:
    fault = forfeit(returns(value))
    assert fault.cause == "illegal"
    assert str(fault).startswith("It returned ") and "no legal move" in str(fault)
    assert len(str(fault)) < 200 and str(fault).isprintable()


def test_an_illegal_move_is_refused_in_the_words_of_the_game() -> None:
    assert "no legal move: Number 6 is not on the line" in str(forfeit(returns(6)))


def test_the_move_is_the_games_own_whatever_equals_it() -> None:
    assert type(returns(Counts()).choose(GAME, START, Random(0))) is int
    line = NumberCollision(4, 2)
    move = returns((2, 3)).choose(line, line.start(Random(0)), Random(0))
    assert move == Place(2, 3) and type(move) is Place


@table(
    "place, message",
    [
        ("nowhere.at_all:name", "the module 'nowhere.at_all' cannot be imported: ModuleNotFoundError"),
        (f"{HERE}:missing", "has no 'missing'"),
        (f"{HERE}:four", "is neither a player nor can it be called"),
        (f"{HERE}:Unmakeable", "cannot be made: RuntimeError 'not today'"),
        ("os.path", "a Python player is given as package.module:name, not 'os.path'"),
        (":join", "a Python player is given as"),
    ],
)
def test_a_place_where_nothing_is_is_refused_at_once(place: str, message: str) -> None:
    with pytest.raises(ValueError) as caught:
        CallablePlayer(place)
    assert message in str(caught.value)


def test_modules_of_the_current_folder_are_found_and_the_search_stays_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bots_of_a_test").mkdir()
    (tmp_path / "bots_of_a_test" / "first.py").write_text("def choose(game, state, rng):\n    return 1\n")
    (tmp_path / "bots_of_a_test" / "broken.py").write_text("raise SystemExit(1)\n")
    monkeypatch.chdir(tmp_path)
    before = list(sys.path)
    assert CallablePlayer("bots_of_a_test.first:choose").choose(GAME, START, Random(0)) == 1
    with pytest.raises(ValueError, match="cannot be imported: SystemExit '1'"):
        CallablePlayer("bots_of_a_test.broken:choose")
    assert sys.path == before


def test_it_can_be_sent_to_another_process() -> None:
    copy = pickle.loads(pickle.dumps(CallablePlayer(f"{HERE}:last")))
    assert copy.name == f"{HERE}:last"
    assert copy.choose(GAME, START, Random(0)) == 5
