"""Setup: which game, by which rules, against whom, and who begins; and how games begin or go on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, NamedTuple

from numberduels.game import options, registry
from numberduels.game.contract import HUMAN, OTHER
from numberduels.game.files import GameFile, read_text
from numberduels.game.record import Record
from numberduels.game.spec import GameSpec
from numberduels.game.table import deal, replay
from numberduels.play.game_in_progress import person_of
from numberduels.play.live_game import LiveGame, first_seat, fresh_seed
from numberduels.play.saved_games import SavedGame, SavedMatch
from numberduels.play.series import LONGEST, Series
from numberduels.play.settings import Settings
from numberduels.players import COMPUTER, allowed_in_files

OWN_SIZES = "sizes"
"""The key of the rules with the sizes that the player has set."""

FIRST = {"1": "you", "2": "the other player", "random": "by lot"}
"""Who begins, in words."""


class OfferedRules(NamedTuple):
    """Rules that a player can choose: their key, a title and a sentence."""

    key: str
    title: str
    about: str


def rules_offered(spec: GameSpec, sizes: Mapping[str, str]) -> list[OfferedRules]:
    """The rule sets of a game, and the player's own sizes if there are any.

    >>> from numberduels.game import registry
    >>> [each.title for each in rules_offered(registry.spec("range-war"), {"size": "7"})]
    ['by the book', 'balanced', 'your sizes']
    """
    found = [OfferedRules(each.key, str(each.title), str(each.about)) for each in spec.rule_sets]
    if sizes:
        told = ", ".join(f"{name} {text}" for name, text in sizes.items())
        found.append(OfferedRules(OWN_SIZES, "your sizes", f"{told} (from your settings)"))
    return found


def preferred_rules(spec: GameSpec, settings: Settings) -> str:
    """The key of the rules that are preferred; the last rule set of a game that does not have them."""
    keys = [each.key for each in rules_offered(spec, settings.sizes.get(spec.name, {}))]
    return settings.rule_set if settings.rule_set in keys else spec.rule_sets[-1].key


@dataclass(frozen=True, slots=True)
class Setup:
    """What is chosen before a game begins."""

    spec: GameSpec
    rules: str = "book"
    """The key of a rule set, or OWN_SIZES."""
    opponent: str = "casual"
    """human, or a built-in computer player."""
    first: str = "random"
    """Who begins: 1 for the player, 2 for the opponent, or random."""
    sizes: Mapping[str, str] = field(default_factory=dict)
    """The player's own sizes as text; they count only if the rules are OWN_SIZES."""

    def game(self) -> Any:
        """The game with its options; ValueError says what is wrong with the player's own sizes."""
        if self.rules == OWN_SIZES:
            return self.spec.make(self.sizes)
        return self.spec.build(self.spec.rule_set(self.rules).options)

    @property
    def is_match(self) -> bool:
        """Whether two games are played on the same deal."""
        return self.rules != OWN_SIZES and self.spec.rule_set(self.rules).games > 1


def setup_of(spec: GameSpec, game: Any, *, match: bool = False) -> Setup:
    """The setup that a game was made with: a rule set, or else its options as sizes."""
    for each in spec.rule_sets:
        if spec.build(each.options) == game and (each.games > 1) == match:
            return Setup(spec, each.key)
    return Setup(spec, OWN_SIZES, sizes=options.format_undealt(game))


def is_offered(game: Any) -> bool:
    """Whether these are the options of a rule set of the game: every level is known to play those.

    >>> from numberduels.games.range_war.rules import RangeWar
    >>> is_offered(RangeWar()), is_offered(RangeWar(size=77))
    (True, False)
    """
    spec = registry.spec_of(game)
    return any(game == spec.build(each.options) for each in spec.rule_sets)


def match_names(name: str, opponent: str) -> tuple[str, str]:
    """What the player and the opponent are called where both need different names.

    >>> match_names("Ada", "human"), match_names("", "casual"), match_names("The Computer", "casual")
    (('Ada', 'your friend'), ('you', 'the computer'), ('you', 'the computer'))
    """
    other = "your friend" if opponent == HUMAN else COMPUTER
    return (name if name and name.casefold() != other else "you"), other


def option_fault(spec: GameSpec, sizes: Mapping[str, str]) -> tuple[str, str] | None:
    """What is wrong with the player's own sizes: the option and a sentence; None if nothing is.

    Options that are not given are the book's. The option is empty if several do not fit together.

    >>> from numberduels.game import registry
    >>> option_fault(registry.spec("range-war"), {"size": "0"})
    ('size', 'size must be a whole number from 1 to 10000, not 0')
    """
    try:
        spec.make(dict(sizes))
    except options.BadOption as fault:
        return fault.name, str(fault)
    except ValueError as fault:
        return "", str(fault)
    return None


# How games begin


def start_game(setup: Setup, names: tuple[str, str] = ("", ""), seed: str = "") -> LiveGame:
    """A new game, or the first game of a match if the rules are for two games.

    `names` are those of the player and the opponent; an empty one is for a person without a name.
    ValueError says what is wrong with the player's own sizes.
    """
    seed = seed or fresh_seed()
    game, begins = setup.game(), first_seat(setup.first, seed)
    kinds = (HUMAN, setup.opponent)
    names = names[0], names[1] or ("" if setup.opponent == HUMAN else COMPUTER)
    if setup.is_match:
        named = names if all(names) else match_names(names[0], setup.opponent)
        return next_of_match(
            Series(setup.spec, game, named, seats=kinds, seed=seed, rounds=1, first=begins, friendly=True)
        )
    other = OTHER[begins]
    return LiveGame(
        setup.spec,
        replay(deal(game, Random(f"{seed} deal"))),
        names=(names[begins], names[other]),
        seats=(kinds[begins], kinds[other]),
        seed=seed,
    )


def next_of_match(match: Series, file: GameFile | None = None) -> LiveGame:
    """The game of a match that is to be played next: one that was begun, or a new one."""
    if begun := match.current:
        return _continued(begun, file, replace(match, played=match.played[:-1]))
    index = len(match.played)
    scheduled = match.scheduled_game(index)
    one, other = match.order(index)
    return LiveGame(
        match.spec,
        replay(scheduled.game),
        names=(match.names[one], match.names[other]),
        seats=(match.seats[one], match.seats[other]),
        seed=scheduled.seed,
        file=file,
        match=match,
    )


def continue_saved(saved: SavedGame | SavedMatch) -> LiveGame:
    """Go on with a saved game or match; ValueError if a file seats a player that no file may seat."""
    alone = isinstance(saved, SavedGame)
    played = saved.record if isinstance(saved, SavedGame) else saved.series
    if not all(map(allowed_in_files, played.seats)) or HUMAN not in played.seats:
        raise ValueError(
            "This game cannot be continued here: a file may seat only you and a built-in player."
        )
    try:
        holds = read_text(saved.path, LONGEST)
    except (OSError, ValueError):
        holds = None
    file = GameFile(played.spec.name, saved.path, kind="games" if alone else "matches", holds=holds)
    if isinstance(saved, SavedGame):
        return _continued(saved.record, file, None)
    if saved.series.swap:
        raise ValueError("A match with the pie rule goes on in line mode: duel continue.")
    return next_of_match(saved.series, file)


def play_on(record: Record, ply: int, *, name: str, opponent: str) -> LiveGame:
    """A new game from a position of a record against its computer, or else against `opponent`.

    The person takes the seat that a person had in the record, or the one to move. ValueError if the game is
    over in that position.
    """
    table = record.table(ply)
    if table.outcome:
        raise ValueError("The game is over here. Choose an earlier move.")
    seat = person_of(record.seats)
    kind = "" if seat is None else record.seats[OTHER[seat]]
    if seat is None or not allowed_in_files(kind):
        seat, kind = table.turn, "casual" if opponent == HUMAN else opponent
    kinds, names = (HUMAN, kind), (name, COMPUTER)
    return LiveGame(
        record.spec,
        table,
        names=names[::-1] if seat else names,
        seats=kinds[::-1] if seat else kinds,
        seed=fresh_seed(),
    )


def _continued(begun: Record, file: GameFile | None, match: Series | None) -> LiveGame:
    return LiveGame(
        begun.spec,
        begun.table(),
        names=begun.names,
        seats=begun.seats,
        seed=begun.seed,
        file=file,
        begun=begun,
        match=match,
    )
