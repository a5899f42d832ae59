"""Kept games and matches in words: the opponent, how it stands, and when it was played."""

from __future__ import annotations

import os
from datetime import date, datetime, timedelta
from typing import NamedTuple

from numberduels.game.contract import HUMAN, Seat
from numberduels.game.formatting import printable
from numberduels.game.record import DRAWN, UNFINISHED, Record
from numberduels.play.saved_games import (
    SavedGame,
    SavedMatch,
    UnopenedGame,
    saved_games,
    saved_matches,
    short_id,
)
from numberduels.play.series import Series
from numberduels.players import COMPUTER, opponent_name

LONGEST = 60
"""The most characters of a part of a line."""


class KeptLine(NamedTuple):
    """One kept game or match, in words."""

    id: str
    title: str
    opponent: str
    standing: str
    when: str


def kept(limit: int | None = None, notes: list[str] | None = None) -> list[SavedGame | SavedMatch]:
    """The kept games and matches that can be opened, newest first."""
    found: list[SavedGame | SavedMatch] = [*saved_games(limit, notes), *saved_matches(limit, notes)]
    found.sort(key=lambda each: each.modified, reverse=True)
    return found[:limit]


def describe(each: SavedGame | SavedMatch | UnopenedGame) -> KeptLine:
    """A kept game or match in words."""
    if isinstance(each, UnopenedGame):
        parts = printable(each.game), "", "a game of another library"
    elif isinstance(each, SavedGame):
        parts = each.record.spec.title, opponent(each.record.seats, each.record.names), standing(each.record)
    else:
        series = each.series
        title = f"{series.spec.title}, match"
        parts = title, opponent(series.seats, series.names), match_standing(series)
    # Somebody else may have named the file and written the names in it.
    title, against, state = (_cut(text) for text in parts)
    return KeptLine(_cut(printable(each.id)), title, against, state, when(each.modified))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def opponent(seats: tuple[str, str], names: tuple[str, str]) -> str:
    """Who plays against the person at this keyboard.

    >>> opponent(("casual", "human"), ("", "")), opponent(("human", "human"), ("Ada", "Max"))
    ('against casual', 'Ada and Max')
    >>> opponent(("human", "human"), ("Ada", "")), opponent(("greedy", "perfect"), ("", ""))
    ('against a friend', 'greedy and perfect')
    """
    if seats == (HUMAN, HUMAN) and all(names):
        return " and ".join(names)
    if HUMAN in seats:
        return f"against {opponent_name(seats[1 - seats.index(HUMAN)])}"
    return " and ".join(seats)


def player_names(seats: tuple[str, str], names: tuple[str, str]) -> tuple[str, str]:
    """What the players are called, with words for those who have no name.

    >>> player_names(("casual", "human"), ("", "")), player_names(("human", "human"), ("Ada", ""))
    (('the computer', 'you'), ('Ada', 'Player 2'))
    """
    person = _person(seats)
    first, second = (
        name or (COMPUTER if seats[seat] != HUMAN else "you" if seat == person else f"Player {seat + 1}")
        for seat, name in enumerate(names)
    )
    return first, second


def _person(seats: tuple[str, str]) -> Seat | None:
    """The seat of the one person; None if there are two or none."""
    if (seats[0] == HUMAN) == (seats[1] == HUMAN):
        return None
    return 0 if seats[0] == HUMAN else 1


def standing(record: Record) -> str:
    """How a game stands: who won, or whose turn it is."""
    person, table = _person(record.seats), record.table()
    text = record.spec.text_for(record.game, record.names)
    if record.result == UNFINISHED:
        if person is None:
            return f"unfinished, {text.label(table.turn)} to move"
        return "unfinished, your turn" if table.turn == person else "unfinished, their turn"
    if record.result == DRAWN:
        return "a draw"
    winner: Seat = 0 if record.result == "1-0" else 1
    if person is None:
        return f"{text.label(winner)} won"
    return "you won" if winner == person else "you lost"


def match_standing(series: Series) -> str:
    """How a match stands."""
    if not series.over:
        return f"unfinished, game {series.standing.games + 1} of {series.total}"
    ahead = series.standing.ahead
    if not ahead:
        return "level"
    winner: Seat = 0 if ahead > 0 else 1
    person = _person(series.seats)
    if person is None:
        return f"{series.names[winner]} won"
    return "you won" if winner == person else "you lost"


def when(modified: float) -> str:
    """The day, and for today and yesterday the time."""
    moment = datetime.fromtimestamp(modified)
    for day, name in ((date.today(), "today"), (date.today() - timedelta(1), "yesterday")):
        if moment.date() == day:
            return f"{name} {moment:%H:%M}"
    return f"{moment:%Y-%m-%d}"


def in_one_line(each: SavedGame | SavedMatch) -> str:
    """A kept game as one entry of a menu."""
    line = describe(each)
    return f"{line.title} {line.opponent}: {line.standing}, {line.when}"


def plain_ids(paths: list[str]) -> list[str]:
    """The ids of these files, without those that a shell might read as anything but one word."""
    ids = (short_id(path) for path in paths if os.path.basename(path).isascii())
    return [each for each in ids if each.replace("-", "").replace("_", "").isalnum() and each[0] != "-"]
