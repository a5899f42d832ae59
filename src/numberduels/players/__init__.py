"""Players: anything that chooses a move, made by name.

`player` is the base class. Built in: `search` looks ahead (random, greedy, mcts), `ladder` knows the solution
(perfect and the levels below). From outside: `callables` is Python, `process` a program that `program` runs,
`chat` a language model. A model is asked by `conversation`, through `endpoint`; `replies`
reads what the server sends, `answers` the move in it. `external` and `model_options` are their settings.

It may import `solvers` and `game`. Start reading with `player` and `make_player`.

>>> make_player("greedy").name
'greedy'
>>> make_player("mcts:200").name
'mcts:200'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from numberduels.game.contract import HUMAN
from numberduels.game.formatting import nearest, read_number, short
from numberduels.game.spec import load_object
from numberduels.players.player import Player

if TYPE_CHECKING:
    from numberduels.players.external import ExternalSettings

__all__ = [
    "COMPUTER",
    "KINDS",
    "LADDER",
    "LEVELS",
    "Player",
    "allowed_in_files",
    "describe_opponent",
    "make_player",
    "opponent_name",
]

KINDS = {
    "random": ("search:RandomPlayer", "makes any legal move, without a thought"),
    "greedy": ("search:GreedyPlayer", "takes a win and hands you none, but looks no further"),
    "beginner": ("ladder:LevelPlayer", "is learning: overlooks most good moves, and often a win"),
    "casual": ("ladder:LevelPlayer", "plays for fun: one good move, one mistake"),
    "skilled": ("ladder:LevelPlayer", "knows the game: errs now and then, seldom obviously"),
    "expert": ("ladder:LevelPlayer", "seldom errs: punish it when it slips"),
    "mcts": ("search:MctsPlayer", "plays many games in its head; mcts:N plays N of them"),
    "perfect": ("ladder:PerfectPlayer", "never errs: beat it from a winning seat, if you do not either"),
}
"""The built-in players: the class, imported on first use, and a description."""

LADDER = ("beginner", "casual", "skilled", "expert", "perfect")
"""The players that the fronts offer as opponents, from weak to strong."""

LEVELS = ("random", "greedy", *LADDER)
"""All computer players that a visitor of a server may choose, from weak to strong."""

COMPUTER = "the computer"
"""What a computer opponent is called."""

MOST_ITERATIONS_IN_FILES = 100_000
"""The largest N of mcts:N in a file, so that a file cannot cause hours of work."""

EXTERNAL = {
    "process": "process:ProcessPlayer",
    "process2": "process:LastingProcessPlayer",
    "chat": "chat:ChatPlayer",
}
"""The external players and their classes."""


def make_player(text: str, settings: ExternalSettings | None = None) -> Player:
    """Make the player with a name such as `greedy` or `mcts:400`; ValueError lists the possible names.

    External players are `process:COMMAND` and `process2:COMMAND`, a program, `chat:MODEL`, a language model,
    and `package.module:name`, a Python callable. `settings` are for programs and
    models; the name of a model may change some of them, see `players.external`.
    """
    kind, colon, detail = text.partition(":")
    if colon and (kind in EXTERNAL or (kind not in KINDS and detail.isidentifier())):
        return _make_external(kind, text, detail, settings)
    if kind not in KINDS or (colon and kind != "mcts"):
        meant = nearest(kind, KINDS)
        question = f"; did you mean {meant}? Choose" if meant else "; choose"
        raise ValueError(
            f"there is no player {short(text)}{question} human, {', '.join(KINDS)}, mcts:ITERATIONS,"
            " process:COMMAND, process2:COMMAND, chat:MODEL or package.module:name"
        )
    place = KINDS[kind][0]
    make: Callable[..., Player] = load_object(place, __name__)
    if place == "ladder:LevelPlayer":
        return make(kind)
    if not colon:
        return make()
    try:
        return make(read_number(detail))
    except ValueError:
        raise ValueError(
            f"mcts takes iterations from 1 to 10000000, such as mcts:400, not {short(detail)}"
        ) from None


def allowed_in_files(text: str) -> bool:
    """Whether a file may seat this player.

    A file may come from anybody, so it may seat only a human or a built-in player. Programs, models and
    Python callables run code or cost money, so the user must name them on the command line.

    >>> allowed_in_files("human"), allowed_in_files("mcts:400"), allowed_in_files("os:system")
    (True, True, False)
    """
    kind, colon, detail = text.lower().partition(":")
    if not colon:
        return kind == HUMAN or kind in KINDS
    try:
        return kind == "mcts" and 1 <= read_number(detail) <= MOST_ITERATIONS_IN_FILES
    except ValueError:
        return False


def opponent_name(kind: str) -> str:
    """An opponent of the person at this keyboard in a word or two.

    >>> opponent_name("human"), opponent_name("casual")
    ('a friend', 'casual')
    """
    return "a friend" if kind == HUMAN else kind


def describe_opponent(kind: str) -> str:
    """An opponent in a sentence.

    >>> describe_opponent("human"), describe_opponent("mcts:50")
    ('at this keyboard', 'plays many games in its head; mcts:N plays N of them')
    """
    return "at this keyboard" if kind == HUMAN else KINDS[kind.partition(":")[0]][1]


def _make_external(kind: str, text: str, detail: str, settings: ExternalSettings | None) -> Player:
    from numberduels.players.external import DEFAULT_SETTINGS

    if kind not in EXTERNAL:
        from numberduels.players.callables import CallablePlayer

        return CallablePlayer(text)
    from numberduels.players.external import read_variant, variant_settings

    make: Callable[..., Player] = load_object(EXTERNAL[kind], __name__)
    variant = read_variant(text)
    detail = variant.base.partition(":")[2]
    return make(detail, variant_settings(variant, settings or DEFAULT_SETTINGS))
