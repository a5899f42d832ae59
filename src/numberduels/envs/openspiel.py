"""The games in OpenSpiel: importing this module registers every installed game with `all_moves`.

The name of a game is `numberduels_` and its name here; its options are parameters:

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

A game that need not end has the parameter `limit`: the moves after which it is truncated. OpenSpiel has no
truncation: the state is terminal with returns [0, 0], and only `state.truncated` tells it from a tie.

A game with a random start begins with a chance node and has the parameter `deals`: that many equally likely
deals represent all. Outcome k is `game.rules.start(Random(str(k)))`.

The algorithms of OpenSpiel work as on its own Python games. As on those, `pyspiel.MCTSBot` crashes; use
`open_spiel.python.algorithms.mcts` instead.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from random import Random
from typing import Any, ClassVar

import numpy as np
import pyspiel

from numberduels.envs.encoding import MAX_LIMIT, Encoding
from numberduels.game.batch import REWARDS, RUNNING, result_code
from numberduels.game.contract import IllegalMove
from numberduels.game.options import check_whole, declared
from numberduels.game.registry import specs
from numberduels.game.spec import GameSpec
from numberduels.game.table import PLY_LIMIT

DEALS = 100
"""The default of the parameter `deals`."""

CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)

RETURNS = [[float(reward) for reward in rewards] for rewards in REWARDS]
"""The returns of both seats by result code."""

MAX_LISTS = 1 << 14
"""The most lists of legal actions that are cached."""

SEPARATOR = re.compile(r"[\s,;]+")
"""Separates the numbers of a list."""

Parameter = int | str


def register(spec: GameSpec) -> str:
    """Register a game with OpenSpiel, and return its name there."""
    options = {each.name: _parameter(each.default) for each in declared(spec.rules)}
    dealt = hasattr(spec.rules, "with_start")
    extras = {"deals": DEALS} if dealt else {}
    if not hasattr(spec.rules, "max_plies"):
        extras["limit"] = PLY_LIMIT
    defaults = {**extras, **options}  # an option of the same name takes precedence
    # Whether there is a chance node depends on the options; each game object has the exact type.
    kind = _type(spec, dealt, defaults)
    # A class, because OpenSpiel releases the factory after Python has shut down. A class is part of a
    # reference cycle and is not freed then; a function would be.
    parts = {"spec": spec, "options": tuple(options), "defaults": defaults}
    pyspiel.register_game(kind, type(spec.rules.__name__, (DuelGame,), parts))
    name: str = kind.short_name
    return name


def register_all() -> list[str]:
    """Register every installed game with `all_moves`, and return their names in OpenSpiel."""
    return [register(spec) for spec in specs() if hasattr(spec.rules, "all_moves")]


def _type(spec: GameSpec, dealt: bool, defaults: dict[str, Parameter]) -> Any:
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
        parameter_specification=defaults,
    )


def _parameter(value: Any) -> Parameter:
    """The value of an option in a form that OpenSpiel can serialise."""
    if isinstance(value, tuple):
        return ";".join(map(str, value)) + ";" * (len(value) == 1)
    plain: Parameter = value
    return plain


def _rules(spec: GameSpec, parameters: Mapping[str, Parameter]) -> Any:
    """The game for these parameters; ValueError says what is wrong with them."""
    texts = {}
    for each in declared(spec.rules):
        value = parameters[each.name]
        if isinstance(each.default, tuple):
            value = ",".join(filter(None, SEPARATOR.split(str(value))))
        if value != _parameter(each.default):  # OpenSpiel fills in defaults; leave them out
            texts[each.name] = str(value)
    return spec.make(texts)


class Snapshot:
    """An immutable state of a game, which copies of a DuelState share."""

    __slots__ = ("legal", "player", "ply", "position", "result")

    def __init__(self, position: Any, ply: int, player: int, result: int = RUNNING) -> None:
        self.position = position
        self.ply = ply
        self.player = player
        self.result = result
        self.legal: list[int] | None = None
        """Cached legal actions."""

    def __deepcopy__(self, memo: object) -> Snapshot:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Snapshot, (self.position, self.ply, self.player, self.result)


class DuelGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """One game with its options, as OpenSpiel loads it."""

    spec: ClassVar[GameSpec]
    options: ClassVar[tuple[str, ...]]
    defaults: ClassVar[dict[str, Parameter]]
    """Every parameter with its default: the options of the game, `limit` and `deals`."""

    def __init__(self, parameters: Mapping[str, Parameter]) -> None:
        spec = self.spec
        extras = {name: int(parameters[name]) for name in self.defaults if name not in self.options}
        for name, value in extras.items():
            check_whole(name, value, 1, MAX_LIMIT)
        self.rules = rules = _rules(spec, parameters)
        """The rules of the game."""
        self.encoding = Encoding(rules, extras.get("limit"))
        self.game_text = spec.text_for(rules)
        self.deals = extras.get("deals", DEALS) if self.encoding.dealt else 0
        """The number of outcomes of the chance node; 0 if there is none."""
        limit = self.encoding.limit
        if not self.deals:
            extras.pop("deals", None)
        options = {name: _parameter(getattr(rules, name)) for name in self.options}
        super().__init__(
            _type(spec, self.encoding.dealt, self.defaults),
            pyspiel.GameInfo(
                num_distinct_actions=self.encoding.num_actions,
                max_chance_outcomes=self.deals,
                num_players=2,
                min_utility=-1.0,
                max_utility=1.0,
                utility_sum=0.0,
                max_game_length=rules.max_plies if limit is None else limit,
            ),
            # Without defaults, so that equal games have equal strings.
            {name: value for name, value in {**options, **extras}.items() if value != self.defaults[name]},
        )
        start = rules.start(Random(0))
        self.initial = Snapshot(None, 0, CHANCE) if self.deals else self._at(start, 0)
        """The state before the deal or the first move."""
        self._starts: dict[int, Snapshot] = {}
        self._shared = rules.moves(start) is rules.moves(start)
        """Whether equal moves are the same tuple, so that lists can be cached by its id."""
        self._lists: dict[int, tuple[Sequence[Any], list[int]]] = {}

    def new_initial_state(self) -> DuelState:
        return DuelState(self)

    def max_chance_nodes_in_history(self) -> int:
        return 1 if self.deals else 0

    def get_parameters(self) -> dict[str, Parameter]:
        """Every parameter, including defaults."""
        return {**self.defaults, **super().get_parameters()}

    def action_to_string(self, player: int, action: int) -> str:
        """The move of an action in the notation of records."""
        return (
            f"deal {action}" if player == CHANCE else self.game_text.format_move(self.encoding.move(action))
        )

    def make_py_observer(self, kind: Any = None, params: Any = None) -> DuelObserver:
        """An observer of strings and tensors; `kind` is an IIGObservationType.

        With perfect recall it observes the information state, else the observation. All information is
        public here: an observer of private information sees nothing.
        """
        if params:
            raise ValueError("observers of Number Duels take no parameters")
        if not kind:  # OpenSpiel may pass the parameters instead
            kind = pyspiel.IIGObservationType(perfect_recall=False)
        return DuelObserver(self, kind.perfect_recall, kind.public_info)

    def after(self, snapshot: Snapshot, action: int) -> Snapshot:
        """The state after an action; IllegalMove if it is not legal."""
        if snapshot.player < 0:
            if snapshot.player == TERMINAL:
                raise IllegalMove("The game is over.")
            return self.start(action)
        return self._at(self.rules.play(snapshot.position, self.encoding.move(action)), snapshot.ply + 1)

    def start(self, deal: int) -> Snapshot:
        """The state after an outcome of the chance node; IllegalMove if there is no such outcome."""
        if not 0 <= deal < self.deals:
            raise IllegalMove(f"{deal} is not a deal: those are the numbers from 0 to {self.deals - 1}.")
        if deal not in self._starts:
            self._starts[deal] = self._at(self.rules.start(Random(str(deal))), 0)
        return self._starts[deal]

    def _at(self, position: Any, ply: int) -> Snapshot:
        outcome = self.rules.outcome(position)
        if outcome is not None:
            return Snapshot(position, ply, TERMINAL, result_code(outcome))
        return Snapshot(position, ply, TERMINAL if ply == self.encoding.limit else ply & 1)

    def legal(self, snapshot: Snapshot) -> list[int]:
        """The legal actions in ascending order; do not modify the list."""
        if snapshot.legal is None:
            snapshot.legal = self._legal(snapshot)
        return snapshot.legal

    def _legal(self, snapshot: Snapshot) -> list[int]:
        if snapshot.player < 0:
            return list(range(self.deals)) if snapshot.player == CHANCE else []
        moves = self.rules.moves(snapshot.position)
        known = self._lists.get(id(moves))
        if known is not None:  # the cache keeps the tuple alive, so its id is unique
            return known[1]
        actions = sorted(map(self.encoding.action_of.__getitem__, moves))
        if self._shared and len(self._lists) < MAX_LISTS:
            self._lists[id(moves)] = moves, actions
        return actions

    def __reduce__(self) -> tuple[Any, ...]:
        return _loaded, (str(self),)


class DuelState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """One state of a game in OpenSpiel."""

    # OpenSpiel copies and pickles each entry of __dict__, so only the snapshot is there.
    __slots__ = ("__dict__", "game")

    def __init__(self, game: DuelGame) -> None:
        super().__init__(game)
        self.game = game
        self._snapshot = game.initial

    @property
    def position(self) -> Any:
        """The position as the rules define it; None before the deal."""
        return self._snapshot.position

    @property
    def truncated(self) -> bool:
        """Whether the game reached its limit of moves without a result."""
        return self._snapshot.player == TERMINAL and self._snapshot.result == RUNNING

    @property
    def actions(self) -> list[int]:
        """The actions of both players so far, without the deal."""
        history: list[int] = self.history()
        return history[1:] if self.game.deals else history

    def current_player(self) -> int:
        return self._snapshot.player

    def is_terminal(self) -> bool:
        return self._snapshot.player == TERMINAL

    def returns(self) -> list[float]:
        return RETURNS[self._snapshot.result].copy()

    def legal_actions(self, player: int | None = None) -> list[int]:
        """The legal actions in ascending order.

        Overridden for speed: OpenSpiel's own makes five calls back before it asks _legal_actions.
        """
        if player is None or player == self._snapshot.player:
            return self.game.legal(self._snapshot).copy()
        others: list[int] = super().legal_actions(player)
        return others

    def _legal_actions(self, player: int) -> list[int]:
        return self.game.legal(self._snapshot)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Every deal with equal probability; empty after the deal."""
        deals = self.game.deals if self._snapshot.player == CHANCE else 0
        return [(outcome, 1 / deals) for outcome in range(deals)]

    def _apply_action(self, action: int) -> None:
        self._snapshot = self.game.after(self._snapshot, action)

    def _action_to_string(self, player: int, action: int) -> str:
        return self.game.action_to_string(player, action)

    def __str__(self) -> str:
        """The board, the status and the features, then the move count and the history where they matter.

        Different states have different strings.
        """
        snapshot, encoding = self._snapshot, self.game.encoding
        if snapshot.player == CHANCE:
            return "Nothing is dealt yet."
        lines = [
            self.game.game_text.position(snapshot.position).strip("\n"),
            self._status(),
            f"View: {' '.join(map(str, encoding.observe_position(snapshot.position)))}",
        ]
        if encoding.limit is not None:
            lines.append(f"Moves made: {snapshot.ply} of {encoding.limit}")
        if encoding.history_length:
            lines.append(f"History: {self.history_str()}")
        return "\n".join(lines)

    def _status(self) -> str:
        game_text, snapshot = self.game.game_text, self._snapshot
        if self.truncated:
            return f"The game is broken off after {snapshot.ply} moves: unfinished."
        if self.is_terminal():
            return game_text.closing(snapshot.position).strip("\n")
        return f"{game_text.mover(snapshot.position)}'s turn."

    def __reduce__(self) -> tuple[Any, ...]:
        # OpenSpiel's own pickling would leave out the slot.
        return _restored, (pyspiel.serialize_game_and_state(self.game, self),)


class DuelObserver:
    """Observes a state as a string and as a tensor, the same for both players.

    The observation has the features of the position ("view") and, if the encoding has one, the "history". The
    information state has the features of the "start" and the "moves": each action so far plus 1, and 0 for
    each move still to come. Before the deal everything is 0.
    """

    def __init__(self, game: DuelGame, recall: bool, public: bool) -> None:
        # Do not keep the game: it keeps its observer, and the cycle would never be freed.
        self._recall = recall
        history = game.encoding.history_length
        width = len(game.encoding.features) - history
        sizes = (
            {"start": width, "moves": game.max_game_length()}
            if recall
            else {"view": width, "history": history}
        )
        if not public:
            sizes = {}
        self.tensor = np.zeros(sum(sizes.values()), np.float32)
        pieces = np.split(self.tensor, list(accumulate(sizes.values())))
        self.dict = {name: piece for name, piece in zip(sizes, pieces, strict=False) if piece.size}
        """Named slices of the tensor."""

    def set_from(self, state: DuelState, player: int) -> None:
        """Fill the tensor."""
        self.tensor.fill(0)
        if not self.dict or state.position is None:
            return
        game, encoding = state.game, state.game.encoding
        start = game.start(state.history()[0]) if game.deals else game.initial
        actions = np.add(state.actions, 1)
        if self._recall:
            self.dict["start"][:] = list(encoding.observe_position(start.position))
            self.dict["moves"][: len(actions)] = actions
            return
        self.dict["view"][:] = list(encoding.observe_position(state.position))
        if encoding.history_length:
            history = self.dict["history"]
            history[:] = encoding.initial_history(start.position)
            history[encoding.history_index(0) : encoding.history_index(len(actions))] = actions

    def string_from(self, state: DuelState, player: int) -> str:
        """The actions so far, the deal first, or the state itself."""
        if not self.dict:
            return ""
        return str(state.history_str()) if self._recall else str(state)


def _loaded(text: str) -> Any:
    return pyspiel.load_game(text)


def _restored(text: str) -> Any:
    return pyspiel.deserialize_game_and_state(text)[1]


NAMES = register_all()
"""The names of the games in OpenSpiel."""
