"""NewGameScreen: choose a game, its rules, the opponent and who starts. Enter starts with what is chosen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets.option_list import Option

from numberduels.game import registry
from numberduels.game.contract import HUMAN
from numberduels.game.formatting import capitalised
from numberduels.game.spec import GameSpec
from numberduels.play.setup import FIRST, OfferedRules, Setup, preferred_rules, rules_offered, start_game
from numberduels.players import LADDER, describe_opponent, opponent_name
from numberduels.tui.base import DuelScreen
from numberduels.tui.widgets import PlainButton, PlainList, PlainText, ScrollPanel

OPPONENTS = {kind: opponent_name(kind) for kind in (*LADDER, HUMAN)}
LISTS = {"game": "Game", "opponent": "Opponent", "rule-set": "Rules", "first": "Who starts"}


class NewGameScreen(DuelScreen):
    """Four lists; what is highlighted is chosen and explained. The last choice is remembered."""

    DEFAULT_CSS = """
    NewGameScreen #choices { height: 1fr; }
    NewGameScreen #lists { layout: grid; grid-size: 2; grid-rows: auto auto; height: auto; }
    NewGameScreen.-narrow #lists { layout: vertical; }
    NewGameScreen OptionList { height: auto; max-height: 10; border: round $foreground 30%; padding: 0 1;
        background: $background; }
    NewGameScreen OptionList:focus { border: round $primary; }
    NewGameScreen #about { height: auto; padding: 0 2; }
    NewGameScreen #start { width: 100%; height: 1; border: none; margin: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "start", "Start", priority=True),
        Binding("tab", "app.focus_next", "Next list"),
        Binding("i", "rules", "Rules"),
    ]

    def __init__(self) -> None:
        super().__init__("A new game")
        self.lists = {name: PlainList(name=name) for name in LISTS}
        self.about = PlainText(name="about")
        self._texts: dict[str, list[str]] = {}
        """The lines of each list without their signs."""

    def body(self) -> ComposeResult:
        """The lists in two columns, what they mean, and a button."""
        for name, title in LISTS.items():
            self.lists[name].border_title = title
        yield ScrollPanel(ScrollPanel(*self.lists.values(), id="lists"), self.about, id="choices")
        yield PlainButton("Start the game (Enter)", name="start", action="start", variant="success")

    def on_mount(self) -> None:
        """Fill the lists and choose what was chosen the last time."""
        settings = self.duel.settings
        self._fill("game", {spec.name: spec.title for spec in registry.specs()}, settings.game)
        self._fill("opponent", OPPONENTS, settings.opponent)
        self._fill("first", FIRST, settings.first)
        self._fill_rules(preferred_rules(self.spec, settings))
        self.focus_on(self.lists["game"])
        self._explain()

    def _fill(self, name: str, choices: dict[str, str], chosen: str) -> None:
        found = self.lists[name]
        self._texts[name] = list(choices.values())
        options = [Option(text, id=key) for key, text in choices.items()]
        found.fill(options, chosen if chosen in choices else next(iter(choices), None))
        self._mark(found)

    def _mark(self, found: PlainList) -> None:
        """Put a sign before the chosen line, since colour alone must not tell it."""
        for place, text in enumerate(self._texts[found.id or ""]):
            sign = "▸" if place == found.highlighted else " "
            found.replace_option_prompt_at_index(place, f"{sign} {text}")

    def _fill_rules(self, chosen: str) -> None:
        self._fill("rule-set", {each.key: each.title for each in self._rules}, chosen)

    @property
    def _sizes(self) -> Mapping[str, str]:
        """The player's own sizes of the chosen game."""
        return self.duel.settings.sizes.get(self.spec.name, {})

    @property
    def _rules(self) -> list[OfferedRules]:
        """The rules that the chosen game can be played by."""
        return rules_offered(self.spec, self._sizes)

    def _chosen(self, name: str) -> str:
        return self.lists[name].highlighted_id

    @property
    def spec(self) -> GameSpec:
        """The chosen game."""
        return registry.spec(self._chosen("game"))

    @on(PlainList.OptionHighlighted)
    def _changed(self, event: PlainList.OptionHighlighted) -> None:
        if event.option_list.id == "game":
            chosen = self._chosen("rule-set")
            kept = chosen in {each.key for each in self._rules}
            self._fill_rules(chosen if kept else preferred_rules(self.spec, self.duel.settings))
        self._mark(self.lists[event.option_list.id or ""])
        self._explain()

    def _explain(self) -> None:
        """Say in a sentence each what the chosen game, rules and opponent are."""
        keys = {name: self._chosen(name) for name in LISTS}
        if not all(keys.values()):
            return
        spec = self.spec
        rules = next((each for each in self._rules if each.key == keys["rule-set"]), self._rules[0])
        about = Text()
        for title, sentence in (
            (spec.title, spec.summary),
            (capitalised(rules.title), rules.about),
            (OPPONENTS[keys["opponent"]], describe_opponent(keys["opponent"])),
        ):
            about.append(f"{title}: ", "bold")
            about.append(f"{sentence}\n")
        self.about.write(about)

    def action_start(self) -> None:
        """Start the game that is chosen."""
        setup = Setup(
            self.spec,
            self._chosen("rule-set"),
            self._chosen("opponent"),
            self._chosen("first"),
            self._sizes,
        )
        try:
            game = start_game(setup, (self.duel.settings.name, ""))
        except ValueError as fault:
            self.notify(f"{fault}. Change your sizes in the settings.", severity="error")
            return
        self.duel.change_settings(
            game=self.spec.name, rule_set=setup.rules, opponent=setup.opponent, first=setup.first
        )
        self.open_instead("play", game)

    def action_rules(self) -> None:
        """Show the rules of the chosen game."""
        self.open("rules", self.spec)
