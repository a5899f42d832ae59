"""Number Duels: five number games for two players, with exact solvers.

>>> import numberduels
>>> game = numberduels.make("range-war", size=5)
>>> table = numberduels.Table(game)
>>> table.play(3)
>>> table.moves
(1, 2)
"""

from __future__ import annotations

TYPE_CHECKING = False  # importing typing would be most of the time that this module takes
if TYPE_CHECKING:
    from typing import Any

    from numberduels.analysis.solution import Solution, solve
    from numberduels.game.check_game import check_game
    from numberduels.game.contract import Game, IllegalMove, Outcome, Seat, Unreadable
    from numberduels.game.record import BadRecord, Record
    from numberduels.game.registry import UnknownGame, names
    from numberduels.game.spec import GameSpec
    from numberduels.game.table import Table

__version__ = "0.5.0"

__all__ = [
    "BadRecord",
    "Game",
    "GameSpec",
    "IllegalMove",
    "Outcome",
    "Record",
    "Seat",
    "Solution",
    "Table",
    "UnknownGame",
    "Unreadable",
    "__version__",
    "check_game",
    "make",
    "names",
    "solve",
]

_MODULES = {
    "game.contract": ("Game", "IllegalMove", "Outcome", "Seat", "Unreadable"),
    "game.record": ("BadRecord", "Record"),
    "analysis.solution": ("Solution", "solve"),
    "game.registry": ("UnknownGame", "names"),
    "game.spec": ("GameSpec",),
    "game.table": ("Table",),
    "game.check_game": ("check_game",),
}


def make(name: str, /, **options: Any) -> Game[Any, Any]:
    """Make a game by its name, with these options; ValueError says what is wrong with them.

    >>> make("summation-duel", target=20)
    SummationDuel(size=10, target=20)
    """
    from numberduels.game.registry import adopted_spec

    game: Game[Any, Any] = adopted_spec(name).build(options)
    return game


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    # Import on first use, so that the command line starts fast.
    from importlib import import_module

    for module, exported in _MODULES.items():
        if name in exported:
            return getattr(import_module(f"numberduels.{module}"), name)
    raise AttributeError(f"module 'numberduels' has no attribute {name!r}")
