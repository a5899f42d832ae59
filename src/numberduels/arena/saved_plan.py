"""Plans as run.json holds them: which plan continues a run, and the plan of several runs together.

A run may grow. More rounds, positions, samples, players, opponents and games add games and change none: the
key and the seed of a game depend on its own entries alone, and openings are drawn one after the other. Any
other change would change games that are saved, so it is refused.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from typing import Any

from numberduels.arena.plan import Plan
from numberduels.game.notation import read_game
from numberduels.game.registry import UnknownGame
from numberduels.players.external import DEFAULT_SETTINGS, ExternalSettings
from numberduels.players.variants import read_variant

UNCHECKED = ("concurrency", "total")
"""Entries that may differ: they change no game."""
GROWING_LISTS = ("players", "games", "against", "prices", "models")
"""Entries that may get more members."""
GROWING_NUMBERS = ("rounds", "positions", "samples")
"""Entries that may get larger."""
KINDS_OF_RUN = ("against", "positions")
"""Entries that decide who meets whom: empty in one plan and not in the other, the games are others."""

PlanData = Mapping[str, Any]


def with_defaults(saved: PlanData) -> dict[str, Any]:
    """A saved plan with the entries that it lacks, because an earlier version saved it."""
    defaults = Plan((), ()).data()
    terms = saved.get("terms")
    filled = {**defaults, **saved}
    if isinstance(terms, Mapping):
        filled["terms"] = {**defaults["terms"], **terms}
    return filled


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


# Several runs


def joined_plan(plans: Sequence[PlanData]) -> dict[str, Any] | None:
    """The smallest plan that continues all of these; None if there is none, or no plan at all."""
    joined = dict(plans[0]) if plans else {}
    for plan in plans[1:]:
        larger = dict(joined)
        for name in (*GROWING_LISTS, *GROWING_NUMBERS):
            larger = _joined_entry(larger, plan, name)
        if conflicts(joined, larger) or conflicts(plan, larger):
            return None
        joined = larger
    return joined or None


def _joined_entry(one: dict[str, Any], other: PlanData, name: str) -> dict[str, Any]:
    """The first plan with the members or the size that the other has more."""
    old, new = one.get(name), other.get(name)
    if isinstance(old, list) and isinstance(new, list):
        return {**one, name: [*old, *(each for each in new if each not in old)]}
    if type(old) is type(new) is int:
        return {**one, name: max(old, new)}
    terms, more = one.get("terms"), other.get("terms")
    if name not in one and isinstance(terms, dict) and isinstance(more, Mapping) and name in terms:
        return {**one, "terms": _joined_entry(terms, more, name)}
    return one


def same_terms(plans: Sequence[PlanData]) -> bool:
    """Whether programs and models had the same settings in all plans."""
    first, *others = ({"terms": with_defaults(plan)["terms"]} for plan in plans)
    return not any(name != "prices" for each in others for name, _, _ in _changes(first, each))


def external_players(plan: PlanData) -> set[str]:
    """The programs and models of a plan."""
    names = [*(plan.get("players") or ()), *(plan.get("against") or ())]
    return {
        name
        for name in names
        if isinstance(name, str) and name.startswith(("chat:", "process:", "process2:"))
    }


# From JSON


def read_plan(data: object) -> Plan:
    """The plan in JSON data, which may come from anywhere; ValueError says what is wrong."""
    if not isinstance(data, Mapping):
        raise ValueError("it is not the plan of a run")
    terms = data.get("terms", {})
    if not isinstance(terms, Mapping):
        raise ValueError('"terms" is not an object')
    plan = Plan(
        **_entries(Plan((), ()), data, skipped="terms"),
        terms=ExternalSettings(**_entries(DEFAULT_SETTINGS, terms)),
    )
    for name in ("players", "games", "against"):
        if not all(isinstance(each, str) for each in getattr(plan, name)):
            raise ValueError(f'"{name}" must be a list of names')
    for game in plan.games:
        try:
            written = read_game(game)[0]
        except UnknownGame as fault:
            raise ValueError(f'"games" has {json.dumps(game)}: {fault}') from None
        if written != game:
            raise ValueError(f'"games" has {json.dumps(game)}, which is not how a plan writes a game')
    return plan


def _entries(default: Any, data: PlanData, skipped: str = "") -> dict[str, Any]:
    """The fields of a dataclass that the data has, of the types that the default has."""
    found = {}
    for each in fields(default):
        if each.name == skipped or each.name not in data:
            continue
        value, usual = _frozen(data[each.name]), getattr(default, each.name)
        kinds: tuple[type, ...] = (type(usual),)
        if usual is None:
            kinds = (int, str, tuple, type(None))
        elif isinstance(usual, float):
            kinds = (int, float)
        if not isinstance(value, kinds) or isinstance(value, bool) != isinstance(usual, bool):
            raise ValueError(f'"{each.name}" cannot be {json.dumps(data[each.name])[:80]}')
        found[each.name] = value
    return found


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
