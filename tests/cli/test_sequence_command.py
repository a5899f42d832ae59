"""`duel sequence`: sequences as b-files, as a list and as a chart."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import pytest

from numberduels.analysis.sequences import IntegerSequence, ProofStatus
from numberduels.game.contract import ProgressCallback
from numberduels.solvers import TooLarge
from tables import table

from .running import duel, refused

NIMBERS = "restricted-removal-nimbers"


def terms(text: str) -> list[tuple[int, int]]:
    """The lines of a b-file that are no comments."""
    rows = [line.split(" ") for line in text.splitlines() if not line.startswith("#")]
    return [(int(n), int(term)) for n, term in rows]


def test_without_a_name_the_sequences_are_listed() -> None:
    ran = duel("sequence")
    assert ran.status == 0
    assert f"{NIMBERS}\n    a(n) is the nimber of Restricted Removal with the numbers 2 to n.\n" in ran.out
    assert "theorem: proven for every n (ceiling(n / 2)" in ran.out


def test_a_range_of_indices_is_printed_as_a_b_file() -> None:
    ran = duel("sequence", NIMBERS, "8..11")
    assert ran.status == 0 and ran.out.startswith(f"# {NIMBERS}: ")
    assert "# status: computed exactly\n" in ran.out
    assert terms(ran.out) == [(8, 0), (9, 3), (10, 3), (11, 2)]


def test_the_first_terms_are_printed() -> None:
    assert terms(duel("sequence", NIMBERS, "--terms", "4").out) == [(2, 1), (3, 0), (4, 0), (5, 1)]
    assert terms(duel("sequence", NIMBERS, "9").out) == [(9, 3)]


def test_without_indices_those_of_the_sequence_are_printed() -> None:
    assert terms(duel("sequence", "number-snatch-margins").out) == [(n, (n + 1) // 2) for n in range(1, 51)]


def squares_below_five(indices: range, _progress: ProgressCallback | None) -> Iterator[int]:
    for n in indices:
        if n == 5:
            raise TooLarge("5 is too large", "4 is within reach")
        yield n * n


def test_what_is_known_is_printed_before_a_term_out_of_reach(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    squares = IntegerSequence(
        "squares", "n times n", range(1, 9), squares_below_five, "a product", ProofStatus.THEOREM
    )
    monkeypatch.setattr("numberduels.cli.sequence.find_sequence", lambda _: squares)
    ran = duel("sequence", "squares", "--plot", str(tmp_path / "squares.svg"))
    assert ran.status == 1 and terms(ran.out) == [(1, 1), (2, 4), (3, 9), (4, 16)]
    assert ran.err == "duel: the next term is out of reach: 5 is too large; 4 is within reach\n"
    assert (tmp_path / "squares.svg").read_text(encoding="utf-8").count("<circle") == 4


@table(
    "arguments, reason",
    [
        (["nimbers"], "there is no sequence called 'nimbers'; did you mean"),
        (["xyzzy"], "there is no sequence called 'xyzzy'; duel sequence lists them"),
        (["--terms", "3"], "--terms and --plot are about one sequence: name it"),
        (["--plot", "x.svg"], "--terms and --plot are about one sequence: name it"),
        ([NIMBERS, "1..5"], "at most 10000 indices from 2 on, such as 2..11, not '1..5'"),
        ([NIMBERS, "9..5"], "not '9..5'"),
        ([NIMBERS, "a..b"], "not 'a..b'"),
        ([NIMBERS, "2..99999"], "not '2..99999'"),
        ([NIMBERS, "2..5", "--terms", "3"], "give one of them"),
        ([NIMBERS, "--terms", "0"], "--terms takes a whole number from 1 to 10000"),
        ([NIMBERS, "--plot", "x.png"], "--plot writes .svg files only"),
    ],
)
def test_what_cannot_be_printed_is_refused(arguments: list[str], reason: str) -> None:
    refused(duel("sequence", *arguments), reason)


def test_the_chart_has_a_mark_for_each_term_and_says_them_in_words(tmp_path: Path) -> None:
    file = tmp_path / "nimbers.svg"
    assert duel("sequence", NIMBERS, "2..9", "--plot", str(file)).status == 0
    text = file.read_text(encoding="utf-8")
    root = ET.fromstring(text)
    names = {each.tag.rpartition("}")[2]: each.text or "" for each in root}
    assert names["title"] == f"{NIMBERS}, n from 2 to 9"
    assert names["desc"].endswith(": 1, 0, 0, 1, 1, 0, 0, 3.")
    assert text.count("<circle") == 8 and "a(9) = 3" in text
    assert "prefers-color-scheme: dark" in text
    refused(duel("sequence", NIMBERS, "2..9", "--plot", str(file)), "exists already")


def test_one_term_makes_a_chart(tmp_path: Path) -> None:
    file = tmp_path / "one.svg"
    assert duel("sequence", NIMBERS, "3", "--plot", str(file)).status == 0
    ET.parse(file)
