"""Records and matches of every released version are still read, and written the same."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from numberduels.game import record, registry
from numberduels.game.record import Record
from numberduels.play import series
from tables import table

SAMPLES = Path(__file__).parent / "samples" / "records"
FOLDER = SAMPLES / "0.5.0"
EXPECTED: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
"""What version 0.5 had recorded in each file; `NAME#1` is the first game of a match."""


def sample(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def contents(game: Record) -> dict[str, Any]:
    text = game.spec.text_for(game.game)
    return {
        "game": repr(game.game),
        "moves": [text.format_move(move) for move in game.moves],
        "names": list(game.names),
        "seats": list(game.seats),
        "date": game.date,
        "seed": game.seed,
        "result": game.result,
        "resigned": game.resigned,
        "swapped": game.swapped,
        "other": [list(tag) for tag in game.other],
    }


@table("path", sorted(SAMPLES.glob("*/*.duel")))
def test_a_record_of_any_version_is_read_and_written_the_same(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert record.write(record.read(text)) == text


PLAYED = {
    "range-war": (7, 3),
    "number-snatch": (20, 18),
    "restricted-removal": (5, 6, 7),
    "summation-duel": (10, 9, 8),
    "number-collision": ((3, 5), (3, 6), (1, 1)),
}
"""What was typed when versions 0.1 to 0.4 wrote their records; in Range War the last move was refused."""


@table("version", ["0.1.0", "0.2.0", "0.3.0", "0.4.0"])
@table("game", PLAYED)
def test_the_first_versions_wrote_what_was_played(version: str, game: str) -> None:
    found = record.read((SAMPLES / version / f"{game}.duel").read_text(encoding="utf-8"))
    assert found.moves == PLAYED[game]
    assert (found.names, found.seats, found.seed) == (("Ada", "Max"), ("human", "human"), "5")
    assert found.result == "*"


@table("path", sorted(FOLDER.glob("*.duel")))
def test_a_record_of_0_5_is_read(path: Path) -> None:
    game = record.read(sample(path.name))
    assert contents(game) == EXPECTED[path.stem]


@table("path", sorted(FOLDER.glob("*.match")))
def test_a_match_of_0_5_is_read_and_written_the_same(path: Path) -> None:
    match = series.read(sample(path.name))
    for number, game in enumerate(match.played, 1):
        assert contents(game) == EXPECTED[f"{path.stem}#{number}"]
    games, wins, margin = match.standing
    standing = {"standing": [games, list(wins), margin], "over": match.over, "total": match.total}
    assert standing == EXPECTED[path.stem]
    assert series.write(match) == sample(path.name)


def test_the_samples_cover_every_game() -> None:
    sampled = {record.read(sample(path.name)).spec.name for path in FOLDER.glob("*.duel")}
    ours = {
        name for name in registry.names() if registry.spec(name).rules.__module__.startswith("numberduels.")
    }
    assert sampled == ours
