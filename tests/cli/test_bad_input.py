"""Bad input never ends a game, costs a turn, changes the state or reaches the terminal raw."""

from __future__ import annotations

import io
import re
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numberduels.cli.console import Console
from numberduels.cli.seats import SeatSetup
from numberduels.cli.session import COMMANDS, Session
from numberduels.game import registry
from numberduels.game.formatting import printable
from numberduels.game.table import Table
from numberduels.play.live_game import LiveGame
from tables import table

from .running import GAMES

JUNK = {
    "nothing": b"",
    "blanks": b" \t ",
    "a fraction": b"3.5",
    "underscore": b"1_0",
    "two numbers": b"4 5",
    "Arabic-Indic digits": "٤".encode(),
    "full-width digits": "\N{FULLWIDTH DIGIT FOUR}".encode(),
    "just too large": b"11",
    "ten thousand digits": b"4" * 10_000,
    "a megabyte": b"x" * 1_000_000,
    "NUL": b"\0",
    "invalid UTF-8": b"\xff\xfe4",
    "a surrogate": b"\xed\xa0\x80",
    "clear screen": b"\x1b[2J",
    "a title": b"\x1b]0;owned\x07",
    "right to left": "\u202e4".encode(),
    "bell and backspace": b"\x07\x08\x7f",
    "a format": b"%s{0}{self}",
}
FIRST = {
    "range-war": ("6", "4"),
    "number-snatch": ("5", "15"),
    "restricted-removal": ("5", "2"),
    "summation-duel": ("7", "8"),
    "number-collision": ("place 3 at 5", "place 3 at 6"),
}
"""Two legal moves; in between them it is Player 2's turn."""

OPTIONS = {"number-snatch": {"numbers": "1,2,5,15"}}
RAW = re.compile(r"[^\n\x20-\x7e\x80-\U0010ffff]|[\x80-\x9f\u200e\u200f\u2028-\u202e]")
"""What could command a terminal."""


def talk(name: str, data: bytes) -> tuple[Session, str]:
    """A session in this process that reads these bytes to their end."""
    spec = registry.spec(name)
    game = spec.make(OPTIONS.get(name))
    out = io.StringIO()
    console = Console(io.TextIOWrapper(io.BytesIO(data)), out)
    live = LiveGame(spec, Table(game, game.start(Random(1))), seed="1")
    live.write_file = lambda: None  # type: ignore[method-assign]  # not on the disk
    session = Session(console, live, (SeatSetup(), SeatSetup()))
    with pytest.raises(EOFError):
        session.run()
    return session, out.getvalue()


@table("name", GAMES)
def test_bad_input_is_told_in_one_line_and_the_same_player_is_asked_again(name: str) -> None:
    first, second = (move.encode() for move in FIRST[name])
    for what, junk in JUNK.items():
        if name == "number-collision" and junk == b"4 5":
            junk = b"4 5 6"  # there, two numbers are a move
        if name == "number-snatch" and junk == b"11":
            junk = b"5"
        session, out = talk(name, b"\n".join([first, junk, junk, second, b""]))
        assert out.count("\nInvalid ") == 2, what
        assert session.table.ply == 2
        refusals = re.findall(r"\n(Invalid .*)\n\n(Player \d)", out)
        assert [player for _, player in refusals] == ["Player 2", "Player 2"]
        assert all(len(sentence) < 120 and sentence.endswith(".") for sentence, _ in refusals)
        assert not RAW.search(out)


def test_a_line_is_judged_as_a_whole_however_long() -> None:
    session, _ = talk("range-war", b"6" + b" " * 5_000 + b"7\n")
    assert session.table.ply == 0


QUIET = st.binary(max_size=300).filter(
    lambda line: not any(line.lower().lstrip().startswith(name.encode()) for name in COMMANDS)
)


@settings(max_examples=75, deadline=None)
@given(name=st.sampled_from(sorted(FIRST)), junk=st.lists(QUIET, max_size=5))
def test_no_bytes_at_all_upset_a_session(name: str, junk: list[bytes]) -> None:
    session, out = talk(name, b"\n".join([*junk, b""]))
    made = out.count("\nPlayer 1 selected") if name == "range-war" else session.table.ply
    asked = len(re.findall("^(?:Select|Enter|Choose) ", out, re.M))
    assert asked == session.table.ply + out.count("\nInvalid ") + 1
    assert made <= session.table.ply
    assert not RAW.search(out)


@given(st.text())
def test_printable_text_is_kept_and_nothing_else(text: str) -> None:
    shown = printable(text)
    assert len(shown) == len(text)
    assert shown.isprintable()
