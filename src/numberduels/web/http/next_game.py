"""After a game against the computer: the next opponent, and a form that begins that game at once."""

from __future__ import annotations

from numberduels.engine.levels import LEVELS
from numberduels.game import options
from numberduels.web.match.model import OVER, Match
from numberduels.web.match.seats import Seats


def next_level(match: Match, seats: Seats) -> str:
    """The level to play next: a stronger one after a win or a tie, a weaker one after a loss; else empty."""
    level = next((info.level for info in match.seat_infos if info.level), "")
    if match.status != OVER or match.is_first_of_two or not seats or level not in LEVELS:
        return ""
    at = LEVELS.index(level) + (1 if match.winner is None or match.winner in seats else -1)
    return LEVELS[at] if 0 <= at < len(LEVELS) else ""


def new_game_fields(match: Match, seats: Seats) -> dict[str, str]:
    """The fields of the form, except the level: the same rules and the same name, but a new deal."""
    fields = {"game": match.spec.name, "mode": "computer", "seat": "random"}
    if seats:
        fields["name"] = match.seat_infos[seats[0]].name
    rules = [each.key for each in match.spec.rule_sets if each.games == match.games]
    if match.games > 1 and rules:
        fields["rules"] = rules[0]
    for each in options.declared(match.spec.rules):
        if not isinstance(each.default, tuple):  # a list of numbers is the deal
            fields[f"options.{each.name}"] = options.format_value(getattr(match.game, each.name))
    return fields
