"""The games in OpenSpiel: importing this module registers every installed game that has an alphabet.

A game is called `numberduels_` and its name, and its options are its parameters:

>>> import pyspiel
>>> import numberduels.envs.openspiel
>>> game = pyspiel.load_game("numberduels_range_war(size=4)")
>>> state = game.new_initial_state()
>>> state.apply_action(2)
>>> [state.action_to_string(action) for action in state.legal_actions()]
['1', '2']
>>> game.rules.moves(state.position)
(1, 2)

OpenSpiel splits the text of parameters at commas and takes `5` or `2+5` for a whole number, so a list is
written `numbers=2;5;7` and a list of one `numbers=5;`. Blanks will do as well, and commas in a dict.

A game that need not end has one parameter more: `limit`, the moves after which it is broken off. OpenSpiel
knows no such end: the state is terminal and returns [0, 0], and only `state.truncated` tells it from a tie.

A game that is dealt at random begins with a chance node and has a parameter `deals`: so many deals, each as
likely as the others, stand for all there are. Outcome k is `game.rules.start(Random(str(k)))`.

The algorithms of OpenSpiel work on these games as on its own that are written in Python. They share a flaw:
`pyspiel.MCTSBot` crashes on all of them, and `open_spiel.python.algorithms.mcts` takes its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar

import pyspiel

from numberduels.batch import REWARDS, RUNNING, standing
from numberduels.core import IllegalMove
from numberduels.envs.encoding import KEPT, MOST, Encoding
from numberduels.envs.openspiel_observer import DuelObserver
from numberduels.options import declared, whole
from numberduels.registry import specs
from numberduels.spec import GameSpec
from numberduels.table import PLY_LIMIT

DEALS = 100
"""Deals that stand for all there are, unless more are asked for."""

CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)

RETURNS = [[float(reward) for reward in rewards] for rewards in REWARDS]
"""By how a game stands, what both seats get."""

BETWEEN = re.compile(r"[\s,;]+")
"""What may stand between the numbers of a list."""

Parameter = int | str


def register(spec: GameSpec) -> str:
    """Make a game known to OpenSpiel, and return its name there."""
    # Whether there is a chance node depends on the options: the type of each game says it exactly.
    kind = _type(spec, hasattr(spec.rules, "with_start"))
    # A class, though a function would do: OpenSpiel lets go of it when Python is gone already, and only what
    # refers to itself, as classes do, is not taken apart then.
    pyspiel.register_game(kind, type(spec.rules.__name__, (DuelGame,), {"spec": spec}))
    name: str = kind.short_name
    return name


def register_all() -> list[str]:
    """Make every installed game with an alphabet known to OpenSpiel, and return their names there."""
    return [register(spec) for spec in specs() if hasattr(spec.rules, "all_moves")]


def _type(spec: GameSpec, dealt: bool) -> Any:
    kind = pyspiel.GameType
    modes = kind.ChanceMode
    return kind(
        short_name=f"numberduels_{spec.name.replace('-', '_')}",
        long_name=spec.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if dealt else modes.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_defaults(spec),
    )


def _defaults(spec: GameSpec) -> dict[str, Parameter]:
    """Every parameter with its default."""
    return {**_options(spec), **_extras(spec)}


def _options(spec: GameSpec) -> dict[str, Parameter]:
    """The options of a game as parameters."""
    return {each.name: _parameter(each.default) for each in declared(spec.rules)}


def _extras(spec: GameSpec) -> dict[str, int]:
    """The parameters beyond the options; an option of that name goes first."""
    extras = {}
    if not hasattr(spec.rules, "max_plies"):
        extras["limit"] = PLY_LIMIT
    if hasattr(spec.rules, "with_start"):
        extras["deals"] = DEALS
    return {name: default for name, default in extras.items() if name not in _options(spec)}


def _parameter(value: Any) -> Parameter:
    """The value of an option as OpenSpiel can write it down and read it back."""
    if isinstance(value, tuple):
        return ";".join(map(str, value)) + ";" * (len(value) == 1)
    plain: Parameter = value
    return plain


def _rules(spec: GameSpec, parameters: Mapping[str, Parameter]) -> Any:
    """The game that these parameters ask for; ValueError says what is wrong with them."""
    texts = {}
    for each in declared(spec.rules):
        value = parameters[each.name]
        if isinstance(each.default, tuple):
            value = ",".join(filter(None, BETWEEN.split(str(value))))
        if value != _parameter(each.default):  # OpenSpiel fills in the defaults, which ask for nothing
            texts[each.name] = str(value)
    return spec.make(texts)


class Moment:
    """Where a game stands after some moves; nothing in it changes, so copies of a state share it."""

    __slots__ = ("how", "legal", "player", "ply", "position")

    def __init__(self, position: Any, ply: int, player: int, how: int = RUNNING) -> None:
        self.position = position
        self.ply = ply
        self.player = player
        self.how = how
        self.legal: list[int] | None = None
        """The legal actions, once somebody has asked for them."""

    def __deepcopy__(self, memo: object) -> Moment:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Moment, (self.position, self.ply, self.player, self.how)


class DuelGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """One game at one size, as OpenSpiel loads it."""

    spec: ClassVar[GameSpec]

    def __init__(self, parameters: Mapping[str, Parameter]) -> None:
        spec = self.spec
        extras = {name: int(parameters[name]) for name in _extras(spec)}
        for name, value in extras.items():
            whole(name, value, 1, MOST)
        self.rules = rules = _rules(spec, parameters)
        """The game as Number Duels knows it."""
        self.encoding = Encoding(rules, extras.get("limit"))
        self.words = spec.text_for(rules)
        self.deals = extras.get("deals", DEALS) if self.encoding.dealt else 0
        """How many outcomes the chance node has; none where there is no such node."""
        limit = self.encoding.limit
        if not self.deals:
            extras.pop("deals", None)
        options = {name: _parameter(getattr(rules, name)) for name in _options(spec)}
        self._defaults = _defaults(spec)
        super().__init__(
            _type(spec, self.encoding.dealt),
            pyspiel.GameInfo(
                num_distinct_actions=self.encoding.actions,
                max_chance_outcomes=self.deals,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=rules.max_plies if limit is None else limit,
            ),
            # Without the defaults, so that the same games have the same text.
            {name: value for name, value in {**options, **extras}.items() if value != self._defaults[name]},
        )
        start = rules.start(Random(0))
        self.first = Moment(None, 0, CHANCE) if self.deals else self._at(start, 0)
        """The moment before anything has happened."""
        self._starts: dict[int, Moment] = {}
        self._shared = rules.moves(start) is rules.moves(start)
        """Whether the game hands out the same tuple for the same moves, so that their list is known by it."""
        self._lists: dict[int, tuple[Sequence[Any], list[int]]] = {}

    def new_initial_state(self) -> DuelState:
        return DuelState(self)

    def max_chance_nodes_in_history(self) -> int:
        return 1 if self.deals else 0

    def get_parameters(self) -> dict[str, Parameter]:
        """Every parameter, whether it was given or not."""
        return {**self._defaults, **super().get_parameters()}

    def action_to_string(self, player: int, action: int) -> str:
        """The action as a record has it."""
        return f"deal {action}" if player == CHANCE else self.words.format_move(self.encoding.letter(action))

    def make_py_observer(self, kind: Any = None, params: Any = None) -> DuelObserver:
        """What tells states as strings and tensors; the kind is an IIGObservationType.

        With perfect recall it tells the information state, else the observation. All is public here: an
        observer of private information alone sees nothing.
        """
        if params:
            raise ValueError("observers of Number Duels take no parameters")
        if not kind:  # OpenSpiel may put the parameters into its place
            kind = pyspiel.IIGObservationType(perfect_recall=False)
        return DuelObserver(self, kind.perfect_recall, kind.public_info)

    def after(self, moment: Moment, action: int) -> Moment:
        """Where an action leads; IllegalMove if it leads nowhere."""
        if moment.player < 0:
            if moment.player == TERMINAL:
                raise IllegalMove("The game is over.")
            return self.start(action)
        return self._at(self.rules.play(moment.position, self.encoding.letter(action)), moment.ply + 1)

    def start(self, deal: int) -> Moment:
        """Where an outcome of the chance node leads; IllegalMove if there is no such outcome."""
        if not 0 <= deal < self.deals:
            raise IllegalMove(f"{deal} is not a deal: those are the numbers from 0 to {self.deals - 1}.")
        if deal not in self._starts:
            self._starts[deal] = self._at(self.rules.start(Random(str(deal))), 0)
        return self._starts[deal]

    def _at(self, position: Any, ply: int) -> Moment:
        outcome = self.rules.outcome(position)
        if outcome is not None:
            return Moment(position, ply, TERMINAL, standing(outcome))
        return Moment(position, ply, TERMINAL if ply == self.encoding.limit else ply & 1)

    def legal(self, moment: Moment) -> list[int]:
        """The legal actions, ascending; not to be changed."""
        if moment.legal is None:
            moment.legal = self._legal(moment)
        return moment.legal

    def _legal(self, moment: Moment) -> list[int]:
        if moment.player < 0:
            return list(range(self.deals)) if moment.player == CHANCE else []
        moves = self.rules.moves(moment.position)
        known = self._lists.get(id(moves))
        if known is not None:  # the tuple is kept beside its list, so nothing else can have its id
            return known[1]
        actions = sorted(map(self.encoding.index.__getitem__, moves))
        if self._shared and len(self._lists) < KEPT:
            self._lists[id(moves)] = moves, actions
        return actions

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (str(self),)


class DuelState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """One state of a game: a position, the moves made so far, and whether it was broken off."""

    # OpenSpiel copies and pickles what is in __dict__, one by one: only the moment is there.
    __slots__ = ("__dict__", "game")

    def __init__(self, game: DuelGame) -> None:
        super().__init__(game)
        self.game = game
        self._moment = game.first

    @property
    def position(self) -> Any:
        """The position as the rules know it; None before the deal."""
        return self._moment.position

    @property
    def truncated(self) -> bool:
        """Whether the game was broken off at its limit of moves, so that nobody has won and nobody tied."""
        return self._moment.player == TERMINAL and self._moment.how == RUNNING

    @property
    def actions(self) -> list[int]:
        """The actions of both players so far: the history without the deal."""
        history: list[int] = self.history()
        return history[1:] if self.game.deals else history

    def current_player(self) -> int:
        return self._moment.player

    def is_terminal(self) -> bool:
        return self._moment.player == TERMINAL

    def returns(self) -> list[float]:
        return RETURNS[self._moment.how].copy()

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions, ascending.

        OpenSpiel's own would do, but it asks five questions back before it comes to _legal_actions.
        """
        if player is None or player == self._moment.player:
            return self.game.legal(self._moment).copy()
        others: list[int] = super().legal_actions(player)
        return others

    def _legal_actions(self, player: int) -> list[int]:
        return self.game.legal(self._moment)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every deal, as likely as any other; none but before the deal."""
        deals = self.game.deals if self._moment.player == CHANCE else 0
        return [(outcome, 1 / deals) for outcome in range(deals)]

    def _apply_action(self, action: int) -> None:
        self._moment = self.game.after(self._moment, action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.game.action_to_string(player, action)

    def __str__(self) -> str:
        """The board, how the game stands, and the numbers of the view: different for different states.

        Where it matters, they are followed by how many moves have been made, and by the history.
        """
        moment, encoding = self._moment, self.game.encoding
        if moment.player == CHANCE:
            return "Nothing is dealt yet."
        lines = [
            self.game.words.position(moment.position).strip("\n"),
            self._standing(),
            f"View: {' '.join(map(str, encoding.view(moment.position)))}",
        ]
        if encoding.limit is not None:
            lines.append(f"Moves made: {moment.ply} of {encoding.limit}")
        if encoding.story:
            lines.append(f"History: {self.history_str()}")
        return "\n".join(lines)

    def _standing(self) -> str:
        words, moment = self.game.words, self._moment
        if self.truncated:
            return f"The game is broken off after {moment.ply} moves: unfinished."
        if self.is_terminal():
            return words.closing(moment.position).strip("\n")
        return f"{words.mover(moment.position)}'s turn."

    def __reduce__(self) -> tuple[Any, ...]:
        # OpenSpiel's own way would leave out the slot.
        return _restored, (pyspiel.serialize_game_and_state(self.game, self),)


def _loaded(text: str) -> Any:
    return pyspiel.load_game(text)


def _restored(text: str) -> Any:
    return pyspiel.deserialize_game_and_state(text)[1]


NAMES = register_all()
"""The names of the games in OpenSpiel."""
