"""SettingsScreen: what the player prefers. Every change is kept at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, NamedTuple

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from numberduels.game import options, registry
from numberduels.game.contract import HUMAN
from numberduels.game.spec import GameSpec
from numberduels.play.settings import LONGEST_NAME, LONGEST_TEXT, Settings, settings_path
from numberduels.play.setup import OWN_SIZES, option_fault
from numberduels.players import LADDER, describe_opponent, opponent_name
from numberduels.tui.base import DuelScreen
from numberduels.tui.widgets import Box, Guarded, PlainText, Scroll, TextField

BACK, ON = "◂ ", " ▸"


class Value(NamedTuple):
    """One of the values: as it is kept, as it is called, and a few words about it."""

    key: str
    label: str
    about: str = ""


class ChoiceField(Guarded, Widget, can_focus=True):
    """The chosen value between two arrows. Left and right, Enter and a click choose another one."""

    DEFAULT_CSS = """
    ChoiceField { height: auto; width: 1fr; }
    ChoiceField > .choice--label { color: $foreground; text-style: bold; }
    ChoiceField > .choice--about { color: $text-muted; }
    ChoiceField:focus > .choice--label { color: $background; background: $primary; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {"choice--label", "choice--about"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Change", key_display="←→"),
        Binding("right", "step(1)", "Change", show=False),
        Binding("enter,space", "step(1)", "Change", show=False),
    ]

    class Changed(Message):
        """Another value was chosen by the player."""

        def __init__(self, choice: ChoiceField) -> None:
            super().__init__()
            self.choice = choice

        @property
        def control(self) -> ChoiceField:
            """The widget."""
            return self.choice

    def __init__(self, values: Sequence[Value], value: str = "", *, name: str) -> None:
        """`name` is also the id."""
        super().__init__(id=name)
        self.values = tuple(values)
        self._place = 0
        self.set(value)

    @property
    def value(self) -> str:
        """The key of the chosen value."""
        return self.values[self._place].key

    def set(self, value: str) -> None:
        """Choose a value without telling anybody; an unknown one changes nothing."""
        keys = [each.key for each in self.values]
        if value in keys:
            self._place = keys.index(value)
            self.refresh(layout=True)

    def action_step(self, step: int) -> None:
        """Choose the next value; after the last one comes the first."""
        self._place = (self._place + step) % len(self.values)
        self.refresh(layout=True)
        self.post_message(self.Changed(self))

    def on_click(self, event: events.Click) -> None:
        """The left arrow goes back, everything else on."""
        self.focus()
        self.action_step(-1 if event.y == 0 and event.x < len(BACK) else 1)

    def _text(self) -> Text:
        value = self.values[self._place]
        label = self.get_component_rich_style("choice--label")
        about = self.get_component_rich_style("choice--about")
        text = Text.assemble((f"{BACK}{value.label}{ON}", label), end="")
        return text.append(f"  {value.about}", about) if value.about else text

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the words take."""
        return max(len(self._text().wrap(self.app.console, max(width, 1))), 1)

    def render(self) -> Text:
        """The value between its arrows, and the words about it."""
        return self._text()


THEMES = (
    Value("auto", "automatic", "as the terminal says"),
    Value("dark", "dark"),
    Value("light", "light"),
)
FIRST = (Value("random", "by lot"), Value("1", "you"), Value("2", "the other player"))

PLAIN = ("theme", "opponent", "rule_set", "first")
"""The settings that are chosen from a few values."""


class Form(Scroll, can_focus=False):
    """Fields below each other; up and down go from field to field."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "app.focus_previous", "Previous field", show=False),
        Binding("down", "app.focus_next", "Next field", key_display="↑↓"),
    ]


class SettingsScreen(DuelScreen):
    """A form. What a game refuses is said beside the field, and is not kept."""

    DEFAULT_CSS = """
    SettingsScreen Form { height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; }
    SettingsScreen .field { height: auto; layout: horizontal; }
    SettingsScreen .field > .label { width: 26; color: $text-muted; }
    SettingsScreen .field:focus-within > .label { color: $primary; text-style: bold; }
    SettingsScreen.-narrow .field { layout: vertical; }
    SettingsScreen.-narrow .field > .label { width: 1fr; }
    SettingsScreen .field > Input { width: 1fr; max-width: 44; }
    SettingsScreen .fault { display: none; color: $error; padding: 0 0 0 26; }
    SettingsScreen.-narrow .fault { padding: 0; }
    SettingsScreen .fault.-shown { display: block; }
    SettingsScreen .part { margin: 1 0 0 0; color: $primary; text-style: bold; }
    """

    def __init__(self) -> None:
        super().__init__("Settings")
        self.controls: dict[str, ChoiceField | TextField] = {}
        """What is changed, by its id."""
        self._faults: dict[str, PlainText] = {}
        """The sentences below the fields, by the id of the field."""

    # What is shown

    def body(self) -> ComposeResult:
        """The fields."""
        settings = self.duel.settings
        with Form():
            name = TextField(settings.name, "You", name="name", compact=True, max_length=LONGEST_NAME)
            yield from self._field("Your name", name)
            yield from self._field("Colours", ChoiceField(THEMES, settings.theme, name="theme"))
            opponents = ChoiceField(_opponents(settings), settings.opponent, name="opponent")
            yield from self._field("Opponent", opponents)
            yield from self._field("Rules", ChoiceField(_rule_sets(), settings.rule_set, name="rule_set"))
            yield from self._field("Who starts", ChoiceField(FIRST, settings.first, name="first"))
            yield PlainText("Your own sizes", classes="part")
            yield PlainText("An empty field is as the rules say.", classes="muted")
            for spec in registry.specs():
                yield from self._size_fields(spec)
            yield PlainText(f"Kept in {settings_path()}", name="path", classes="muted")

    def _field(self, label: str, control: ChoiceField | TextField) -> Iterator[Widget]:
        """A label, what is changed, and room for a sentence below."""
        name = control.id or ""
        self.controls[name] = control
        yield Box(PlainText(label, classes="label"), control, classes="field")
        yield self._room_for_fault(name)

    def _room_for_fault(self, name: str) -> PlainText:
        self._faults[name] = PlainText(name=f"{name}-fault", classes="fault")
        return self._faults[name]

    def _size_fields(self, spec: GameSpec) -> Iterator[Widget]:
        own = self.duel.settings.sizes.get(spec.name, {})
        yield PlainText(spec.title, classes="part")
        for each in options.declared(spec.rules):
            field, text = _field_id(spec, each.name), own.get(each.name, "")
            if named := each.metadata["choices"]:
                by_the_book = Value("", named.get(each.default, each.default), "(by the book)")
                values = [by_the_book, *(Value(key, label) for key, label in named.items())]
                control: ChoiceField | TextField = ChoiceField(values, text, name=field)
            else:
                default = f"{options.format_value(each.default) or 'none'} (by the book)"
                control = TextField(text, default, name=field, compact=True, max_length=LONGEST_TEXT)
            yield from self._field(each.metadata["label"], control)
        yield self._room_for_fault(_field_id(spec))

    def on_mount(self) -> None:
        """No text has the focus, so that no key changes it; what is wrong in the file is said."""
        self.focus_on(self.controls["theme"])
        for spec in registry.specs():
            self._accepts(spec)

    # What is changed

    @on(ChoiceField.Changed)
    def _chosen(self, event: ChoiceField.Changed) -> None:
        name, value = event.choice.id or "", event.choice.value
        if name not in PLAIN:
            self._save()
            return
        self._keep(**{name: value})
        if name == "theme":
            self.duel.use_theme(value)

    @on(TextField.Changed)
    def _typed(self, event: TextField.Changed) -> None:
        if event.input.id == "name":
            self._show_fault("name", self._name_fault())
        for spec in registry.specs():
            if (event.input.id or "").startswith(_field_id(spec)):
                self._accepts(spec)

    @on(TextField.Blurred)
    @on(TextField.Submitted)
    def _left(self) -> None:
        self._save()

    def action_back(self) -> None:
        """Keep what was typed, then close the screen."""
        self._save()
        self.leave()

    # What is wrong

    def _name_fault(self) -> str:
        try:
            Settings().with_value("name", self.controls["name"].value.strip())
        except ValueError as fault:
            return f"{fault}."
        return ""

    def _sizes(self, spec: GameSpec) -> dict[str, str]:
        """The sizes of a game as they stand in the form."""
        found = {}
        for each in options.declared(spec.rules):
            found[each.name] = "".join(self.controls[_field_id(spec, each.name)].value.split())
        return {name: text for name, text in found.items() if text}

    def _accepts(self, spec: GameSpec) -> bool:
        """Whether a game accepts its sizes; if not, the reason is shown."""
        labels = {each.name: each.metadata["label"] for each in options.declared(spec.rules)}
        name, sentence = option_fault(spec, self._sizes(spec)) or ("", "")
        for option, label in labels.items():
            if sentence.startswith(f"{option} "):  # the form calls it by its label
                sentence = label + sentence.removeprefix(option)
        beside = name if name in labels else ""
        for each in ("", *labels):
            shown = f"{sentence}. Not kept." if sentence and each == beside else ""
            self._show_fault(_field_id(spec, each), shown)
        return not sentence

    def _show_fault(self, field: str, text: str) -> None:
        fault = self._faults[field]
        fault.write(text)
        fault.set_class(bool(text), "-shown")
        if text:
            self.heading.write("Settings")
            self.once_arranged(fault.scroll_visible, animate=False)

    # Saving

    def _save(self) -> None:
        """Keep the name and the sizes that the games accept."""
        settings, changes = self.duel.settings, dict[str, Any]()
        name = self.controls["name"].value.strip()
        if name != settings.name and not self._name_fault():
            changes["name"] = name
        sizes = {
            spec.name: self._sizes(spec)
            for spec in registry.specs()
            if self._sizes(spec) != settings.sizes.get(spec.name, {}) and self._accepts(spec)
        }
        if sizes:
            changes["change"] = lambda kept: kept.with_sizes(sizes)
        if changes:
            self._keep(**changes)

    def _keep(self, **changes: Any) -> None:
        kept = self.duel.change_settings(**changes)
        self.heading.write("Settings: kept" if kept else "Settings: NOT SAVED, they last until you leave")


def _field_id(spec: GameSpec, option: str = "") -> str:
    return f"size-{spec.name}-{option}" if option else f"size-{spec.name}"


def _opponents(settings: Settings) -> list[Value]:
    """The computer players from weak to strong, a friend, and whoever was chosen elsewhere."""
    kinds = dict.fromkeys((*LADDER, HUMAN, settings.opponent))
    return [Value(kind, opponent_name(kind), describe_opponent(kind)) for kind in kinds]


def _rule_sets() -> list[Value]:
    """Every rule set that some game has, and the player's own sizes."""
    titles = {each.key: each.title for spec in registry.specs() for each in spec.rule_sets}
    own = Value(OWN_SIZES, "your sizes", "in games for which you have set some below")
    return [*(Value(key, title) for key, title in titles.items()), own]
