"""What a run would ask of its models: requests, tokens and cost, estimated without sending anything.

Some games of the plan are played with random moves from their real openings. The prompts at the decisions of
a model are counted as they would be sent; CHARACTERS of them are taken for a token. How long answers will be
is not known, so a length is assumed, up to the limit in the options of the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from numberduels.arena.plan import Plan, PlannedGame
from numberduels.game.table import PLY_LIMIT, Table
from numberduels.players.conversation import Conversation
from numberduels.players.external import MODEL, ExternalSettings, read_variant, variant_settings
from numberduels.players.model_options import parse_options

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
