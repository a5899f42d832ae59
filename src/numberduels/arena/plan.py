"""The plan of a run: which players meet, in which games, from which openings.

A saved run may grow. More rounds, positions, players, opponents and games add games and change none:
the key and the seed of a game depend on its own entries alone, and openings are drawn one after the other.
Any other change would change games that are saved, so it is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from random import Random
from typing import Any

from numberduels.analysis.openings import Opening, game_openings, sampled_positions
from numberduels.game.registry import read_game
from numberduels.game.table import PLY_LIMIT, Table
from numberduels.players.conversation import Conversation
from numberduels.players.external import MODEL, ExternalSettings, may_meet, read_variant, variant_settings
from numberduels.players.model_options import parse_options

OPENING = 2
"""Default number of random first moves in a game with a fixed start."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a run. The same plan gives the same games, on any number of workers."""

    players: tuple[str, ...]
    games: tuple[str, ...]
    """Names with options, such as `range-war:size=12:opening=free`."""
    rounds: int = 10
    seed: str = "0"
    against: tuple[str, ...] = ()
    """Fixed opponents: the players meet these instead of each other."""
    positions: int = 0
    """If not 0: this many single decisions for each player and game, instead of games."""
    opening: int = OPENING
    limit: int | None = None
    """Moves after which a game is unfinished; None applies the usual limit to games that need not end."""
    terms: ExternalSettings = field(default_factory=ExternalSettings)

    def data(self) -> dict[str, Any]:
        """The plan as JSON data, with the total number of games."""
        data: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return data | {"total": sum(1 for _ in self.schedule())}

    @property
    def models(self) -> list[str]:
        """The language models among the players."""
        return [name for name in (*self.players, *self.against) if name.startswith("chat:")]

    def pairs(self) -> Iterator[tuple[str, str]]:
        """The pairs of players that meet."""
        pairs: Iterable[tuple[str, str]] = combinations(self.players, 2)
        if self.against:
            pairs = ((player, other) for player in self.players for other in self.against if player != other)
        yield from (pair for pair in pairs if may_meet(*pair))

    def count_positions(self, game: str) -> int:
        """How many positions of a game were found: as many as planned, or all there are."""
        return len(sampled_positions(read_game(game)[1], f"{self.seed} {game}").first(self.positions))

    def opening_of(self, game: str, number: int) -> Opening:
        """The opening of a game in a round, which is the same for all players."""
        _, rules = read_game(game)
        seed = f"{self.seed} {game}"
        if self.positions:
            return sampled_positions(rules, seed).first(number)[number - 1]
        return game_openings(rules, seed, self.opening).of_round(number)

    def schedule(self) -> Iterator[PlannedGame]:
        """Every game, or every decision, round by round, so that a partial run is balanced."""
        if self.positions:
            counts = {game: self.count_positions(game) for game in self.games}
            for number in range(1, self.positions + 1):
                for game in (game for game in self.games if number <= counts[game]):
                    for player in self.players:
                        yield PlannedGame(self, game, (player,), number)
            return
        for number in range(1, self.rounds + 1):
            for game in self.games:
                for one, other in self.pairs():
                    yield PlannedGame(self, game, (one, other), number)
                    yield PlannedGame(self, game, (other, one), number)


@dataclass(frozen=True, slots=True)
class PlannedGame:
    """One game to play, or one decision to make."""

    plan: Plan
    game: str
    players: tuple[str, ...]
    """By seat."""
    round: int

    @property
    def key(self) -> str:
        """Identifies the game within the plan."""
        return " | ".join((self.game, *self.players, str(self.round)))

    @property
    def seed(self) -> str:
        """The seed of the deal and the opening: the same for all pairs in this game and round."""
        return f"{self.plan.seed} {self.game} {self.round}"

    def opening(self) -> Opening:
        """The opening: the same for all pairs in this game and round."""
        return self.plan.opening_of(self.game, self.round)


# Which plan continues a saved run


UNCHECKED = ("concurrency", "total")
"""Entries that may differ: they change no game."""
GROWING_LISTS = ("players", "games", "against", "prices", "models")
"""Entries that may get more members."""
GROWING_NUMBERS = ("rounds", "positions")
"""Entries that may get larger."""
KINDS_OF_RUN = ("against", "positions")
"""Entries that decide who meets whom: empty in one plan and not in the other, the games are others."""

RETIRED = {
    "answer": "move",
    "prompt_template": None,
    "samples": 1,
    "start_seconds": 60.0,
    "system_template": None,
}
"""Entries that earlier versions saved, with the value that has the meaning of today."""

PlanData = Mapping[str, Any]


def with_defaults(saved: PlanData) -> dict[str, Any]:
    """A saved plan with the entries of today, because an earlier version may have saved it."""
    defaults = Plan((), ()).data()
    terms = saved.get("terms")
    filled = {**defaults, **_without_retired(saved)}
    if isinstance(terms, Mapping):
        filled["terms"] = {**defaults["terms"], **_without_retired(terms)}
    return filled


def _without_retired(saved: PlanData) -> PlanData:
    return {name: each for name, each in saved.items() if name not in RETIRED or RETIRED[name] != each}


def _with_model_options(plan: PlanData) -> PlanData:
    """The plan with an entry for each of its models: options for a model that had none are a change."""
    terms = plan.get("terms")
    models = terms.get("models") if isinstance(terms, Mapping) else None
    if not isinstance(terms, Mapping) or not isinstance(models, list):
        return plan
    told = [each[0] for each in models if isinstance(each, list) and each]
    models_named = {read_variant(name).base for name in external_players(plan) if name.startswith("chat:")}
    names = [name.removeprefix("chat:") for name in models_named]
    more = [[name, "{}"] for name in sorted(names) if name not in told]
    return {**plan, "terms": {**terms, "models": [*models, *more]}}


def conflicts(saved: PlanData, given: PlanData) -> list[str]:
    """Why the given plan does not continue the saved one; empty if it does."""
    return [
        f"{name} was {json.dumps(old)} and is now {json.dumps(new)}"
        for name, old, new in _compared(saved, given)
        if not _grows(name, old, new)
    ]


def growth(saved: PlanData, given: PlanData) -> list[str]:
    """What a plan that continues the saved one adds to it."""
    found = []
    for name, old, new in _compared(saved, given):
        if name in GROWING_NUMBERS:
            found.append(f"{new:,} {name} instead of {old:,}")
        elif name not in ("prices", "models"):
            found.append(f"{name} {', '.join(str(each) for each in new if each not in old)}")
    return found


def _compared(saved: PlanData, given: PlanData) -> Iterator[tuple[str, Any, Any]]:
    return _changes(_with_model_options(with_defaults(saved)), _with_model_options(given))


def _changes(old: PlanData, new: PlanData) -> Iterator[tuple[str, Any, Any]]:
    for name in [*new, *(name for name in old if name not in new)]:
        before, after = old.get(name), new.get(name)
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            yield from _changes(before, after)
        elif name not in UNCHECKED and before != after:
            yield name, before, after


def _grows(name: str, old: Any, new: Any) -> bool:
    if name in KINDS_OF_RUN and not (old and new):
        return False
    if name in GROWING_LISTS:
        return isinstance(old, list) and isinstance(new, list) and all(each in new for each in old)
    return name in GROWING_NUMBERS and type(old) is type(new) is int and old < new


def same_terms(plans: Sequence[PlanData]) -> bool:
    """Whether programs and models had the same settings in all plans."""
    first, *others = ({"terms": with_defaults(plan)["terms"]} for plan in plans)
    return not any(name != "prices" for each in others for name, _, _ in _changes(first, each))


def named_players(plan: PlanData) -> list[str]:
    """All players of a plan, including the fixed opponents."""
    names = [*(plan.get("players") or ()), *(plan.get("against") or ())]
    return [name for name in names if isinstance(name, str)]


def external_players(plan: PlanData) -> set[str]:
    """The programs and models of a plan."""
    return {name for name in named_players(plan) if name.startswith(("chat:", "process:", "process2:"))}


# What a run would ask of its models, without sending anything
#
# Some games of the plan are played with random moves from their real openings. The prompts at the decisions
# of a model are counted as they would be sent. How long answers will be is not known, so a length is assumed,
# up to the limit in the options of the model.

CHARACTERS = 4
"""Characters of a prompt that count as a token."""
REASONED, BARE = 300, 10
"""Tokens that an answer is assumed to have: with reasoning, and without."""
SAMPLED = 20
"""Games of each model that are sampled."""


@dataclass(frozen=True, slots=True)
class ModelEstimate:
    """What one model would be asked."""

    player: str
    games: int
    requests: int
    """One for each decision."""
    most_requests: int
    """If the model needs all its answers for every decision."""
    tokens_in: int
    tokens_out: int
    answer_tokens: int
    """The tokens of an answer that were assumed."""
    cost: float | None
    """None if the price is not known."""


def estimate_models(plan: Plan, waiting: Sequence[PlannedGame]) -> list[ModelEstimate]:
    """An estimate for each model of the plan; ValueError if a model cannot play a game."""
    return [_estimate(name, plan, [game for game in waiting if name in game.players]) for name in plan.models]


def _estimate(name: str, plan: Plan, games: list[PlannedGame]) -> ModelEstimate:
    variant = read_variant(name)
    settings = variant_settings(variant, plan.terms)
    model = variant.base.removeprefix(MODEL)
    step = max(1, len(games) // SAMPLED)
    sampled = games[::step][:SAMPLED]
    lengths = [length for game in sampled for length in _prompt_lengths(game, name, settings)]
    share = len(games) / len(sampled) if sampled else 0
    requests = round(len(lengths) * share)
    tokens_in = round(sum(lengths) * share / CHARACTERS)
    answer = _answer_tokens(settings, model)
    cost = settings.cost(model, tokens_in, requests * answer)
    attempts = max(1, settings.attempts)
    return ModelEstimate(
        name, len(games), requests, requests * attempts, tokens_in, requests * answer, answer, cost
    )


def _prompt_lengths(scheduled: PlannedGame, name: str, settings: ExternalSettings) -> Iterator[int]:
    """The characters of the first request at each decision of a model, in a game of random moves."""
    game, start, moves = scheduled.opening()
    table: Table[Any, Any] = Table(game, start, moves)
    conversation = Conversation(game, settings)
    rng = Random(f"{scheduled.key} estimate")
    single = bool(scheduled.plan.positions)
    last = len(moves) + 1 if single else (scheduled.plan.limit or PLY_LIMIT)
    while not table.outcome and table.ply < last:
        if scheduled.players[0 if single else table.turn] == name:
            messages = conversation.question(table.state, table.played, len(moves))
            yield sum(len(message["content"]) for message in messages)
        table.play(rng.choice(table.moves))


def _answer_tokens(settings: ExternalSettings, model: str) -> int:
    body = parse_options(settings.options_of(model)).body
    told = (body.get(name) for name in ("max_tokens", "max_completion_tokens"))
    limits = [limit for limit in told if isinstance(limit, int)]
    return min([REASONED if settings.reasoning else BARE, *limits])
