"""Games that the menu starts: ask what to play, and play it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numberduels.cli.choices import Choice, pick
from numberduels.cli.console import Console
from numberduels.cli.parser import CliError
from numberduels.game import registry
from numberduels.game.contract import HUMAN
from numberduels.game.spec import GameSpec
from numberduels.play.game_setup import FIRST, GameSetup, match_names, preferred_rules, rules_offered
from numberduels.players import LADDER, describe_opponent, opponent_name

if TYPE_CHECKING:
    from numberduels.cli.play_result import PlayResult
    from numberduels.play.settings import Settings

DELAY = 0.6
"""Seconds before a move of the computer, so that it can be followed."""


def choose_game(console: Console, question: str, default: str = "") -> GameSpec:
    """Ask for a game."""
    specs = {spec.name: spec for spec in registry.specs()}
    choices = [Choice(spec.name, spec.title, spec.summary) for spec in specs.values()]
    return specs[pick(console, question, choices, default if default in specs else choices[0].key)]


def choose_setup(console: Console, settings: Settings) -> GameSetup:
    """Ask what to play; Enter takes what was played last."""
    spec = choose_game(console, "Which game?", settings.game)
    rules = _choose_rules(console, spec, settings)
    opponent = _choose_opponent(console, settings.opponent)
    starters = [Choice(key, text) for key, text in FIRST.items()]
    first = pick(console, "Who starts?", starters, settings.first)
    return GameSetup(spec, rules, opponent, first, settings.sizes.get(spec.name, {}))


def _choose_rules(console: Console, spec: GameSpec, settings: Settings) -> str:
    choices = [Choice(*each) for each in rules_offered(spec, settings.sizes.get(spec.name, {}))]
    if len(choices) == 1:
        return choices[0].key
    return pick(console, "Which rules?", choices, preferred_rules(spec, settings))


def _choose_opponent(console: Console, default: str) -> str:
    kinds = dict.fromkeys((HUMAN, *LADDER, default))
    choices = [Choice(kind, opponent_name(kind), describe_opponent(kind)) for kind in kinds]
    return pick(console, "Who plays against you?", choices, default)


def play_setup(console: Console, setup: GameSetup, name: str) -> PlayResult:
    """Play one game, or a match of two if the rule set is one. `name` is what the player is called."""
    from numberduels.cli.arguments import make_seat
    from numberduels.cli.play import PlaySettings, fresh_seed, start_play

    try:
        game = setup.game()
    except ValueError as fault:
        raise CliError(f"{fault}; change your sizes in the settings") from None
    you, other = match_names(name, setup.opponent)
    names = you, other  # a match tells its players apart by their names
    if not setup.is_match:
        names = name if you == name else "", "" if setup.opponent == HUMAN else other
    return start_play(
        PlaySettings(
            setup.spec,
            game,
            (
                make_seat(HUMAN, names[0])._replace(stand_in=you),
                make_seat(setup.opponent, names[1])._replace(stand_in=other),
            ),
            fresh_seed(),
            setup.first,
            rounds=1 if setup.is_match else 0,
            delay=DELAY if console.interactive else 0,
            friendly=True,
            from_menu=True,
        ),
        console,
    )
