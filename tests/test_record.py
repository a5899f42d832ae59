"""Games as text: what is written reads back, and what is broken is refused with its line."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game_records import record_of
from numberduels.game.contract import Seat
from numberduels.game.record import LONGEST, BadRecord, Record, read, write
from numberduels.games import template
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.games.template.rules import LastCounter
from tables import table

# Walks through all games


@st.composite
def games(draw: st.DrawFn) -> Any:
    kind = draw(st.sampled_from([RangeWar, NumberSnatch, RestrictedRemoval, SummationDuel, NumberCollision]))
    if kind is RangeWar:
        return RangeWar(draw(st.integers(1, 30)), draw(st.sampled_from(["lower", "free"])))
    if kind is NumberSnatch:
        return NumberSnatch(numbers=tuple(draw(st.sets(st.integers(1, 60), min_size=1, max_size=20))))
    if kind is RestrictedRemoval:
        return RestrictedRemoval(draw(st.integers(2, 40)))
    if kind is SummationDuel:
        size = draw(st.integers(1, 20))
        return SummationDuel(size, draw(st.integers(1, size * (size + 1) // 2)))
    repetition = draw(st.sampled_from(["allowed", "forbidden"]))
    return NumberCollision(draw(st.integers(1, 12)), draw(st.integers(1, 9)), repetition)


PRINTABLE = st.text(st.characters(codec="utf-8").filter(str.isprintable), max_size=12)
TEXT = st.one_of(
    PRINTABLE,
    st.sampled_from(['"', "\\", '\\"', '"]', "[", 'a"b\\c', "Zoë", "a\u200db", "名前", " x ", "\\\\"]),
)


@st.composite
def records(draw: st.DrawFn) -> Record:
    game = draw(games())
    rng = Random(draw(st.integers(0, 10**9)))
    state, moves = game.start(rng), []
    for _ in range(draw(st.integers(0, 60))):
        if game.outcome(state) is not None:
            break
        moves.append(rng.choice(game.moves(state)))
        state = game.play(state, moves[-1])
    resigned: Seat | None = draw(st.sampled_from([None, 0, 1])) if game.outcome(state) is None else None
    return record_of(
        game,
        tuple(moves),
        names=(draw(TEXT), draw(TEXT)),
        seats=(draw(st.sampled_from(["human", "greedy", "mcts:400"])), draw(TEXT)),
        date=draw(st.sampled_from(["2026.11.15", "????.??.??"])),
        seed=draw(TEXT),
        resigned=resigned,
        other=draw(st.sampled_from([(), (("Site", draw(TEXT)),)])),
    )


@given(records())
def test_what_is_written_reads_back(record: Record) -> None:
    text = write(record)
    assert read(text) == record
    assert write(read(text)) == text
    assert max(map(len, text.split("\n\n")[-1].splitlines())) <= 78


@given(records())
def test_line_ends_and_blanks_do_not_matter(record: Record) -> None:
    text = write(record)
    assert read("\ufeff" + text.replace("\n", "\r\n")) == record
    assert read(text.replace("\n", " \t\n\n")) == record
    head, _, moves = text.partition("\n\n")
    assert read(f"{head}\n\n{' '.join(moves.split())}") == record


SUM = record_of(
    SummationDuel(4, 6),
    (4, 2),
    names=("Alice", "Bob"),
    seats=("human", "greedy"),
    date="2026.11.15",
    seed="7",
)

SUM_TEXT = """\
[Game "summation-duel"]
[Size "4"]
[Target "6"]
[Player1 "Alice"]
[Player2 "Bob"]
[Seat1 "human"]
[Seat2 "greedy"]
[Date "2026.11.15"]
[Seed "7"]
[Result "0-1"]

1. 4 2 0-1
"""


def test_a_record_looks_like_this() -> None:
    assert write(SUM) == SUM_TEXT
    assert read(SUM_TEXT) == SUM


def test_a_game_that_is_not_installed_is_written_and_read_with_its_spec() -> None:
    class Mine(LastCounter):
        pass

    spec = replace(template.spec, name="mine", rules=Mine)
    record = Record(spec, Mine(4), (2, 1, 1), names=("Ada", "Bo"))
    text = write(record)
    assert text.startswith('[Game "mine"]\n[Size "4"]\n') and text.endswith("\n1. 2 1 2. 1 1-0\n")
    assert read(text, spec) == record
    with pytest.raises(BadRecord, match="line 1: the game is 'range-war', not mine"):
        read('[Game "range-war"]\n\n*', spec)


def test_a_resigned_game_says_so() -> None:
    text = write(record_of(RangeWar(), (6,), resigned=1))
    assert '[Result "1-0"]\n[Termination "resigned"]\n' in text and text.endswith("\n1. 6 1-0\n")
    assert read(text).resigned == 1


def test_a_draw_by_agreement_says_so_and_looks_unfinished_to_older_readers() -> None:
    game = record_of(NumberCollision(), (Place(3, 5),), agreed=True)
    text = write(game)
    assert '[Result "*"]\n[Termination "draw agreed"]\n' in text and text.endswith("\n1. 3@5 *\n")
    assert read(text) == game and game.result == "1/2-1/2"
    assert read(text.replace("*", "1/2-1/2")) == game


@table("result", ["1-0", "0-1"])
def test_a_draw_by_agreement_has_no_winner(result: str) -> None:
    text = f'[Game "range-war"]\n[Termination "draw agreed"]\n\n1. 6 {result}'
    with pytest.raises(BadRecord, match=r"the result of these moves is \*"):
        read(text)


@table("changes", [{"moves": (1,)}, {"moves": (6,), "resigned": 0}])
def test_a_finished_game_cannot_be_drawn_by_agreement(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="cannot be drawn by agreement"):
        record_of(RangeWar(), agreed=True, **changes)
    with pytest.raises(ValueError, match="cannot be resigned"):
        record_of(RangeWar(), (1,), resigned=0)


def test_tags_that_mean_nothing_here_are_kept() -> None:
    record = read('[Site "a \\"b\\""]\n[Game "range-war"]\n[Event "x"]\n\n*')
    assert record == record_of(RangeWar(), other=(("Site", 'a "b"'), ("Event", "x")))
    assert read(write(record)) == record


@table(
    "other",
    [(("Game", "x"),), (("Size", "3"),), (("Two words", "x"),), (("A", "\n"),), (("A", "1"), ("A", "2"))],
)
def test_another_tag_that_could_not_be_read_back_is_not_recorded(other: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(ValueError, match="another tag"):
        record_of(RangeWar(), other=other)


# Broken records


@table(
    "text, fault",
    [
        ("", 'line 1: a record begins with a tag like [Game "range-war"]'),
        ("[Game range-war]\n\n*", "line 1: '[Game range-war]' is not a tag like"),
        ('[Game "range-war\\"]\n\n*', "line 1: "),
        ('[Game "range-war"]\n[1Tag "x"]\n\n*', "line 2: "),
        ('[Game "range-war"]\n[Player1 "a\x1b[2Jb"]\n\n*', "line 2: "),
        (f'[Game "range-war"]\n[Player2 "{"x" * 101}"]\n\n*', "line 2: a name has at most 100 characters"),
        ('[Game "chess"]\n\n*', "line 1: there is no game called 'chess'; the games are"),
        ('[Game "range-war"]\n[Game "range-war"]\n\n*', "line 2: the tag Game is there twice"),
        ('[Game "range-war"]\n\n', "line 1: the moves do not end with a result, one of 1-0 0-1 1/2-1/2 *"),
        ('[Game "range-war"]\n\n1. 6 7 *', "line 3, move 2: Number 7 is not lower than 6."),
        ('[Game "range-war"]\n\n1. six *', "line 3, move 1: 'six' is not a whole number."),
        ('[Game "range-war"]\n\n1. 1 2 *', "line 3, move 2: The game is over before it."),
        ('[Game "range-war"]\n[Player1 ""]\n[Size "0"]\n\n*', "line 3: size must be a whole number"),
        ('[Game "range-war"]\n\n2. 6 *', "line 3: '2.' does not number the move that follows it"),
        ('[Game "range-war"]\n\n01. 6 *', "line 3: '01.' does not number"),
        ('[Game "range-war"]\n\n1. 1. 6 *', "line 3: '1.' does not number"),
        ('[Game "range-war"]\n\n1. 6 1-0', "line 3: the result of these moves is *, not 1-0"),
        ('[Game "range-war"]\n\n1. 1 *', "line 3: the result of these moves is 1-0, not *"),
        ('[Game "range-war"]\n[Result "*"]\n\n1. 1 1-0', "line 2: the moves end with the result 1-0"),
        (
            '[Game "range-war"]\n[Termination "resigned"]\n\n1. 6 1/2-1/2',
            "line 4: the result of these moves is *",
        ),
        ('[Game "range-war"]\n\n1. 6 *\n[Size "9"]', "line 4: the moves do not end with a result"),
        ('[Game "number-snatch"]\n\n*', "line 1: the deal is missing"),
        ('[Game "number-snatch"]\n[Numbers "1,2"]\n[Size "3"]\n\n*', "line 3: size 3 does not fit the list"),
        ('[Game "number-collision"]\n\n1. 3 5 *', "line 3, move 1: '3' is not of the form: place 3 at 5."),
    ],
)
def test_a_broken_record_is_refused_with_its_line_and_its_fault(text: str, fault: str) -> None:
    with pytest.raises(BadRecord) as refusal:
        read(text)
    assert fault in str(refusal.value)
    assert re.match(r"line \d+(, move \d+)?: ", str(refusal.value))


def test_a_text_beyond_all_measure_is_refused() -> None:
    with pytest.raises(BadRecord, match=f"a record has at most {LONGEST:,} characters"):
        read(" " * (LONGEST + 1))


# Fuzz


def never_anything_but_bad(text: str) -> Record | None:
    """Read a text that may be broken in any way; only BadRecord may come of it."""
    try:
        return read(text)
    except BadRecord as fault:
        assert str(fault).startswith("line ") and str(fault).isprintable()
        return None


def test_every_truncation_of_a_record_is_itself_or_nothing() -> None:
    games_in_full = [
        SUM,
        record_of(RangeWar(), (6, 4, 9, 5, 7, 3, 8, 2, 10, 1)),
        record_of(RangeWar(), (10, 1), resigned=1),
        record_of(NumberCollision(), (Place(1, 10), Place(1, 1))),
        record_of(NumberSnatch(numbers=(1, 10, 11)), (1, 10, 11)),
    ]
    for record in games_in_full:
        text = write(record)
        for cut in range(len(text)):
            found = never_anything_but_bad(text[:cut])
            assert found is None or (found == record and text[cut:].isspace())


MUTATION = st.tuples(
    st.sampled_from(["insert", "delete", "replace", "double", "swap"]),
    st.integers(0, 10_000),
    st.one_of(
        st.sampled_from(list('[]"\\\n\r\t .*-0123456789@,\0\x1b')),
        st.characters(),
        st.sampled_from(["1-0", "*"]),
    ),
)


def mutated(text: str, kind: str, place: int, piece: str) -> str:
    at = place % (len(text) + 1)
    lines = text.split("\n")
    match kind:
        case "insert":
            return text[:at] + piece + text[at:]
        case "delete":
            return text[:at] + text[at + 1 :]
        case "replace":
            return text[:at] + piece + text[at + 1 :]
        case "double":
            return "\n".join([*lines[: place % len(lines)], *lines[place % len(lines) - 1 :]])
        case _:
            other = (place * 7 + 1) % len(lines)
            lines[place % len(lines)], lines[other] = lines[other], lines[place % len(lines)]
            return "\n".join(lines)


@settings(max_examples=150)
@given(records(), st.lists(MUTATION, min_size=1, max_size=4))
def test_a_spoilt_record_is_a_record_or_refused(
    record: Record, mutations: list[tuple[str, int, str]]
) -> None:
    text = write(record)
    for kind, place, piece in mutations:
        text = mutated(text, kind, place, piece)
    found = never_anything_but_bad(text)
    if found is not None:
        assert read(write(found)) == found


@table("name", ["a\nb", "a\N{NO-BREAK SPACE}b", "\x1b[2J", "\ud800"])
def test_a_name_that_could_not_be_read_back_is_not_recorded(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be printed"):
        record_of(RangeWar(), names=(name, ""))


@table("rest", ["1. 6 *", "1. 1 1-0", '[Termination "draw agreed"]\n\n1. 6 *'])
def test_only_a_resigned_game_can_be_lost_on_time(rest: str) -> None:
    game = read(f'[Game "range-war"]\n[Forfeit "time"]\n{rest}')
    assert not game.timed_out and "Forfeit" not in write(game)


def test_a_game_that_is_lost_on_time_says_so_and_looks_resigned_to_older_readers() -> None:
    game = record_of(RangeWar(), (6,), resigned=1, timed_out=True)
    text = write(game)
    assert '[Termination "resigned"]\n[Forfeit "time"]\n' in text and text.endswith("\n1. 6 1-0\n")
    assert read(text) == game
    with pytest.raises(ValueError, match="names the seat"):
        record_of(RangeWar(), (6,), timed_out=True)


def test_a_line_of_moves_is_full_at_78_characters() -> None:
    def lengths(plies: int) -> list[int]:
        text = write(record_of(SummationDuel(200, 4_000), tuple(range(100, 100 + plies))))
        return [len(line) for line in text.split("\n\n")[-1].splitlines()]

    assert lengths(14) == [78]  # seven times "1. 100 101 ", and the star
    assert lengths(15) == [76, len("8. 114 *")]
