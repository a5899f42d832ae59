"""The menu of the line mode: `duel` without a full-screen table, and `duel --plain`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from numberduels.cli.choices import Back, Choice, ask_yes_or_no, pick
from numberduels.cli.console import Console
from numberduels.cli.errors import CliError
from numberduels.cli.prompt_commands import Quit, split_command

if TYPE_CHECKING:
    from numberduels.cli.play_result import PlayResult
    from numberduels.play.game_setup import GameSetup
    from numberduels.play.saved_games import SavedGame, SavedMatch
    from numberduels.play.settings import Settings

TITLE = "Number Duels: five games with numbers for two players\n"
RECENT = 9
"""How many kept games are offered."""


def menu(console: Console) -> int:
    """Ask what to do and do it, as long as the user wants; returns the exit status."""
    return Menu(console).run()


class Menu:
    """The menu. Every action returns to it; the end of the input leaves it."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._last = ""
        """The key of the last choice, which Enter repeats."""
        self._setup: GameSetup | None = None
        """What was played last in this session, or as the settings keep it."""
        self._ended = False
        """Whether the input ended in the middle of a game, a puzzle or a lesson."""

    def run(self) -> int:
        """Offer everything until the user leaves."""
        self.console.say(TITLE)
        self.console.say(self._greeting())
        try:
            while not self._ended:
                self._once()
        except (Quit, EOFError):
            return 0
        return 1

    def _once(self) -> None:
        """One choice, and what follows from it."""
        unfinished = self._unfinished()
        choices = self._choices(unfinished)
        keys = [each.key for each in choices]
        default = self._last if self._last in keys else keys[0]
        key = pick(self.console, "What would you like to do?", choices, default, top=True)
        if key == "quit":
            raise Quit
        self._last = key
        actions: dict[str, Callable[[], None]] = {
            "continue": lambda: self._continue(unfinished),
            "again": self._again,
            "play": self._play,
            "daily": self._daily,
            "puzzle": self._puzzles,
            "learn": self._learn,
            "stats": self._statistics,
            "list": self._kept_games,
            "settings": self._settings,
            "rules": self._rules,
        }
        try:
            actions[key]()
        except Back:
            pass
        except CliError as fault:
            self.console.say(f"\nThat does not work: {fault}.\n")

    def _choices(self, unfinished: SavedGame | SavedMatch | None) -> list[Choice]:
        choices = []
        if unfinished:
            choices.append(Choice("continue", f"Continue: {_told(unfinished)}"))
        if setup := self._setup_now():
            choices.append(Choice("again", f"Again: {setup.summary}"))
        return [
            *choices,
            Choice("play", "Play: choose a game" if setup else "Play a game"),
            Choice("daily", "Today's puzzle"),
            Choice("puzzle", "Puzzles of any level"),
            Choice("learn", "Learn a game step by step"),
            Choice("stats", "Statistics"),
            Choice("list", "List of your games"),
            Choice("settings", "Settings"),
            Choice("rules", "Rules of a game"),
            Choice("quit", "Quit"),
        ]

    # What is kept. Nothing is imported for it if there is nothing.

    def _greeting(self) -> str:
        """The name and the streak of the player."""
        if not _anything_kept():
            return ""
        notes: list[str] = []
        name = _load_settings(notes).name
        lines = [f"Hello {name}!"] if name else []
        lines += filter(None, [_streak_line()])
        return "".join(f"{line}\n" for line in [*lines, *notes])

    def _unfinished(self) -> SavedGame | SavedMatch | None:
        if not _anything_kept():
            return None
        from numberduels.play.saved_games import SavedMatch, newest_unfinished
        from numberduels.players import allowed_in_files

        found = newest_unfinished()
        if found is None:
            return None
        seats = (found.series if isinstance(found, SavedMatch) else found.record).seats
        # Whoever plays against a program must name it on the command line again.
        return found if all(map(allowed_in_files, seats)) else None

    def _setup_now(self) -> GameSetup | None:
        if self._setup is None and _anything_kept():
            from numberduels.play.game_setup import remembered

            self._setup = remembered(_load_settings())
        return self._setup

    # Games

    def _play(self) -> None:
        from numberduels.cli.game_setup import choose_setup

        settings = _load_settings()
        setup = choose_setup(self.console, settings)
        if not (settings.name or settings.game):
            self._ask_name()
        self._play_setup(setup)

    def _again(self) -> None:
        assert self._setup, "offered only then"
        self._play_setup(self._setup)

    def _play_setup(self, setup: GameSetup) -> None:
        """Play, and offer the review and a rematch with the seats swapped."""
        from dataclasses import replace

        from numberduels.cli.game_setup import play_setup
        from numberduels.play.game_setup import remember

        self._setup = setup
        self._tell(remember(setup))
        self._last = "again"
        while True:
            self.console.say("\n")
            result = play_setup(self.console, setup, _load_settings().name)
            if not self._after(result, rematch=True):
                return
            setup = replace(setup, first="1" if result.first else "2")

    def _continue(self, game: SavedGame | SavedMatch | None) -> None:
        from numberduels.cli.game_setup import DELAY
        from numberduels.cli.resume import resume

        assert game, "offered only then"
        self.console.say("\n")
        delay = str(DELAY if self.console.interactive else 0)
        self._after(resume(game.path, "--delay", delay, from_menu=True), rematch=False)

    def _after(self, result: PlayResult, *, rematch: bool) -> bool:
        """What comes after a game; True if it is a rematch."""
        self._ended = result.input_ended
        if not result.finished:
            return False
        choices = [Choice("rematch", "Rematch", "the other player starts")] if rematch else []
        if result.name:
            choices.append(Choice("review", "Review", "every move judged, and what was better"))
        choices.append(Choice("menu", "Menu"))
        default = "review" if result.name else choices[0].key
        while len(choices) > 1:
            key = pick(self.console, "And now?", choices, default)
            if key != "review":
                return key == "rematch"
            self.console.say("\n")
            _review(*result.name)
            default = choices[0].key
        return False

    def _ask_name(self) -> None:
        """Ask once what the player is called."""
        from numberduels.play.settings import Settings, update_settings

        prompt = "\nWhat is your name?\nType it, or Enter for none: "
        while True:
            reply = self.console.ask(prompt).strip()
            if split_command(reply)[0] == "quit":
                raise Quit
            try:
                name = Settings().with_value("name", reply).name
            except ValueError as fault:
                prompt = f"That is no good: {fault}.\nYour name, or Enter for none: "
                continue
            notes: list[str] = []
            update_settings(notes, name=name)
            self._tell(notes)
            return

    # Puzzles and lessons

    def _daily(self) -> None:
        from datetime import date

        from numberduels.cli.daily import Today

        self.console.say("\n")
        with self._noticing_end():
            Today(self.console, date.today()).run()

    def _puzzles(self) -> None:
        from numberduels.analysis.puzzles import LEVEL_NAMES, LEVELS, puzzle_levels
        from numberduels.cli.play import fresh_seed
        from numberduels.cli.puzzle import set_puzzles
        from numberduels.game import registry

        games = [Choice("any", "any game"), *(Choice(each.name, each.title) for each in registry.specs())]
        game = pick(self.console, "Puzzles of which game?", games, "any")
        there = LEVELS if game == "any" else puzzle_levels(registry.spec(game))
        levels = [Choice(f"{level}", f"level {level}", LEVEL_NAMES[level]) for level in there]
        level = pick(self.console, "How hard?", levels, levels[0].key)
        self.console.say("\n")
        spec = None if game == "any" else registry.spec(game)
        with self._noticing_end():
            set_puzzles(self.console, spec, int(level), fresh_seed())

    def _learn(self) -> None:
        from numberduels.cli.game_setup import choose_game
        from numberduels.cli.learn import give_lessons

        spec = choose_game(self.console, "Which game would you like to learn?", _load_settings().game)
        with self._noticing_end():
            give_lessons(self.console, spec)

    @contextmanager
    def _noticing_end(self) -> Iterator[None]:
        """Leave the menu, too, if the input ends in the middle of what was chosen."""
        try:
            yield
        except EOFError:
            self._ended = True

    # The rest

    def _statistics(self) -> None:
        self.console.say("\n")
        _run("stats")

    def _rules(self) -> None:
        from numberduels.cli.game_setup import choose_game
        from numberduels.cli.rule_text import show_rules

        show_rules(self.console, choose_game(self.console, "The rules of which game?", _load_settings().game))

    def _kept_games(self) -> None:
        """Offer the newest games, and what can be done with the chosen one."""
        from numberduels.play.kept_text import in_one_line, kept

        games = {each.id: each for each in kept(RECENT)}
        if not games:
            self.console.say("\nNo game is kept here yet.\n")
            return
        choices = [Choice(name, in_one_line(each)) for name, each in games.items()]
        game = games[pick(self.console, "Which game?", choices)]
        self._kept_game(game)

    def _kept_game(self, game: SavedGame | SavedMatch) -> None:
        from numberduels.cli.delete_games import delete
        from numberduels.play.saved_games import SavedMatch

        choices = [
            Choice("review", "Review", "every move judged, and what was better"),
            Choice("replay", "Replay", "the game once more"),
            Choice("delete", "Delete", "for good"),
        ]
        if not game.finished:
            choices.insert(0, Choice("continue", "Continue", "play on"))
        key = pick(self.console, "What do you want to do with it?", choices, choices[0].key)
        if key == "continue":
            self._continue(game)
        elif key == "delete":
            if ask_yes_or_no(self.console, "\nDelete it for good?", False):
                delete(self.console, game.path)
        else:
            last = ["--game", str(len(game.series.played))] if isinstance(game, SavedMatch) else []
            self.console.say("\n")
            if key == "review":
                _review(game.path, *last)
            else:
                _run(key, game.path, *last)

    def _settings(self) -> None:
        """Show the settings and change one."""
        from numberduels.cli.config import ABOUT, set_value

        values = _load_settings().values()
        choices = [Choice(key, f"{key} {values[key] or '(none)'}", about) for key, about in ABOUT.items()]
        key = pick(self.console, "Which setting?", choices)
        text = self.console.ask(f"\nThe new {key}, or Enter to leave it: ").strip()
        if text and set_value(key, text) == 0:
            self._setup = None
            self.console.say("Saved.\n")

    def _tell(self, notes: list[str]) -> None:
        self.console.say("".join(f"{note}\n" for note in notes))


def _told(game: SavedGame | SavedMatch) -> str:
    from numberduels.play.kept_text import describe

    line = describe(game)
    return f"{line.title} {line.opponent}"


def _run(name: str, *arguments: str) -> int:
    """Run a command as the shell would."""
    from numberduels.cli.commands import load_command

    return load_command(name)(list(arguments))


def _review(*arguments: str) -> None:
    """Judge a game; the player of this menu is "you"."""
    from numberduels.cli.review import start

    start(list(arguments), from_menu=True)


def _load_settings(notes: list[str] | None = None) -> Settings:
    from numberduels.play.settings import load_settings

    return load_settings(notes)


def _anything_kept() -> bool:
    """Whether this user has settings, games or logs; quick, because a new user has none."""
    import os

    from numberduels.game import files

    return os.path.exists(files.config_folder()) or os.path.exists(files.data_folder())


def _streak_line() -> str:
    """The streak of daily puzzles, if there is one."""
    from numberduels.cli.streak_text import streak_line

    return streak_line()
