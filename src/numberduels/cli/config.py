"""`duel config`: show and change the settings."""

from __future__ import annotations

from collections.abc import Callable

from numberduels.cli.argument_parser import CliError, Parser
from numberduels.cli.arguments import find_game, refusing
from numberduels.cli.console import print_folded
from numberduels.game import registry
from numberduels.game.formatting import printable, short
from numberduels.play.settings import KEYS, Settings, load_settings, update_settings
from numberduels.play.setup import OWN_SIZES

ABOUT = {
    "name": "what you are called",
    "opponent": "who plays against you: human, beginner, casual, skilled, expert, perfect ...",
    "rule_set": "the rules that are offered first: book, balanced, or sizes for your own sizes",
    "first": "who begins: 1 for you, 2 for the other, or random",
    "game": "the game that is offered first",
    "theme": "the colours of the full-screen table: auto, dark or light",
}
SIZES = "sizes.GAME.OPTION"


def run(arguments: list[str]) -> int:
    """List the settings, print one, set one, or set it back. The status is 1 if it cannot be saved."""
    keys = "".join(f"  {key:<18} {ABOUT[key]}\n" for key in KEYS)
    parser = Parser(
        "config",
        "Show and change what duel keeps about you. The menu and the full-screen table use it; duel play\n"
        f"follows its own options only.\n{keys}  {SIZES:<18} a size, such as sizes.range-war.size\n",
        "duel config lists all settings, duel config KEY prints one, duel config KEY VALUE changes it.",
    )
    parser.add_argument("key", metavar="KEY", nargs="?", help="which setting")
    parser.add_argument("value", metavar="VALUE", nargs="?", help="its new value")
    parser.add_argument("--reset", action="store_true", help="back to the default: one setting, or all")
    parsed = parser.parse_args(arguments)
    if parsed.reset:
        if parsed.value is not None:
            raise CliError("--reset takes a KEY and no VALUE")
        if parsed.key is None:
            return _save(lambda settings: Settings(other=settings.other))
        return set_value(parsed.key, "")
    if parsed.value is not None:
        return set_value(parsed.key, parsed.value)
    return _show(parsed.key)


def _show(key: str | None) -> int:
    notes: list[str] = []
    values = load_settings(notes).values()
    if key is None:
        width = max(map(len, values))
        for each, text in values.items():
            print_folded(f"{each:<{width}}  {text}".rstrip() + "\n")
    else:
        print_folded(f"{values.get(_known(key), '')}\n")
    for note in notes:
        print_folded(f"{printable(note)}\n")
    return 0


def _known(key: str) -> str:
    """The key of a setting; CliError if there is none of that name."""
    key = key.replace("-", "_") if not key.startswith("sizes.") else _size_key(key)
    with refusing():
        Settings().with_value(key, "")
    return key


def _size_key(key: str) -> str:
    """The key of a size with the whole name of its game; CliError if the game has no such option."""
    from numberduels.game import options

    game, _, option = key.removeprefix("sizes.").rpartition(".")
    if not game:
        raise CliError(f"a size is called {SIZES}, not {short(key)}")
    spec = find_game(game)
    names = [each.name for each in options.declared(spec.rules)]
    if option not in names:
        raise CliError(f"{spec.title} has no option {short(option)}; there are {', '.join(names)}")
    return f"sizes.{spec.name}.{option}"


def set_value(key: str, text: str) -> int:
    """Change one setting; the status is 1 if it cannot be saved."""
    key = _known(key)
    if text:
        text = _checked(key, text)

    def change(settings: Settings) -> Settings:
        changed = settings.with_value(key, text)
        if text and key.startswith("sizes."):
            game, _, _ = key.removeprefix("sizes.").rpartition(".")
            find_game(game).make(changed.sizes[game])
        return changed

    return _save(change)


def _checked(key: str, text: str) -> str:
    """The value as it is kept; CliError if no game has it."""
    if key == "game":
        return find_game(text).name
    if key == "opponent":
        return text.lower()
    if key == "rule_set":
        keys = list(dict.fromkeys(each.key for spec in registry.specs() for each in spec.rule_sets))
        keys.append(OWN_SIZES)
        if text.lower() not in keys:
            raise CliError(f"rule_set is {', '.join(keys[:-1])} or {keys[-1]}, not {short(text)}")
        return text.lower()
    return text


def _save(change: Callable[[Settings], Settings]) -> int:
    notes: list[str] = []
    with refusing():
        update_settings(notes, change)
    for note in notes:
        print_folded(f"{printable(note)}\n")
    return 1 if notes else 0
