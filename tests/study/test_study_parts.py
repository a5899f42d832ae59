"""The parts of a study: its configuration, its files, its tables as text, its charts."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from interval_charts import PERCENT, SHAPES, Estimate, Panel, Row, draw_panels, draw_rows, mark
from scripted_server import find_moves
from study_config import make_study, read_study
from study_files import MANIFEST, write_files
from table_files import to_csv, to_latex, to_markdown

from numberduels.arena.intervals import Proportion
from numberduels.arena.table_model import Column, Name, ReportTable
from numberduels.cli.parser import CliError
from tables import table

GAMES = {"range-war": ["size=5"]}


@table(
    "data, told",
    [
        ({}, "there are no games"),
        ({"games": {"range-war": "size=5"}}, "the sizes of 'range-war' must be a list"),
        ({"games": {"range-war": [5]}}, "must be a list of texts"),
        ({"games": {"range-war": ["size=5", "size=5"]}}, "twice"),
        ({"games": GAMES, "player": ["a"]}, "did you mean players"),
        ({"games": GAMES, "rounds": "3"}, "rounds must be a whole number"),
        ({"games": GAMES, "rounds": True}, "rounds must be a whole number"),
        ({"games": GAMES, "players": "a"}, "players must be a list of texts"),
        ({"games": GAMES, "baselines": ["random"]}, "nobody is studied"),
        ({"games": GAMES, "opponents": []}, "opponents must name"),
    ],
)
def test_a_wrong_entry_is_named(data: dict[str, Any], told: str) -> None:
    with pytest.raises(CliError, match=told):
        make_study(data)


def test_a_file_that_is_no_configuration_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("games = [")
    for name, told in (("bad.toml", "is not a TOML file"), ("none.toml", "cannot be read")):
        with pytest.raises(CliError, match=told):
            read_study(str(tmp_path / name))


def test_the_configurations_of_the_example_have_three_sizes_of_each_game() -> None:
    folder = Path(__file__).parents[2] / "examples" / "study"
    for name in ("demo.toml", "builtin.toml", "models.toml"):
        study, _ = read_study(str(folder / name))
        assert {len(sizes) for sizes in study.games.values()} == {3}, name
        for game, sizes in study.games.items():
            assert len({study.label(game, size) for size in sizes}) == 3


def test_an_opponent_is_no_player_of_whole_games_and_built_in_players_have_no_conditions() -> None:
    study = make_study(
        {"games": GAMES, "players": ["mcts:9"], "opponents": ["random"], "baselines": ["random"]}
    )
    arguments = study.arguments("games", "out")
    assert [arguments[at + 1] for at, each in enumerate(arguments) if each == "--player"] == ["mcts:9"]
    assert "--vary" not in arguments


# Files


def test_a_changed_file_is_kept_and_the_others_are_replaced(tmp_path: Path) -> None:
    folder = str(tmp_path)
    assert write_files(folder, {"a.md": "1", "t/b.md": "1"}) == []
    (tmp_path / "a.md").write_text("mine")
    assert write_files(folder, {"a.md": "2", "t/b.md": "2"}) == ["a.md"]
    assert [(tmp_path / name).read_text() for name in ("a.md", "t/b.md")] == ["mine", "2"]
    assert write_files(folder, {"a.md": "3"}, force=True) == []
    assert (tmp_path / "a.md").read_text() == "3"


def test_a_file_from_elsewhere_is_kept(tmp_path: Path) -> None:
    (tmp_path / "paper.md").write_text("an older paper")
    (tmp_path / MANIFEST).write_text("not JSON")
    assert write_files(str(tmp_path), {"paper.md": "new"}) == ["paper.md"]


def test_after_a_crash_between_two_files_none_looks_changed_by_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = str(tmp_path)
    write_files(folder, {"a": "1", "b": "1"})
    real = __import__("study_files").files.write_text

    def crash(path: str, *arguments: Any, **options: Any) -> None:
        if path.endswith("b"):
            raise KeyboardInterrupt
        real(path, *arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr("study_files.files.write_text", crash)
        with pytest.raises(KeyboardInterrupt):
            write_files(folder, {"a": "2", "b": "2"})
    assert write_files(folder, {"a": "3", "b": "3"}) == []
    assert [(tmp_path / name).read_text() for name in ("a", "b")] == ["3", "3"]


# Tables

TABLE = ReportTable(
    "T",
    [Column("Player"), Column("Accuracy"), Column("Games")],
    [[Name("a_b|<i>"), Proportion(5, 10), 3], [Name("c&d"), Proportion(), None]],
)


def test_a_table_in_markdown() -> None:
    assert to_markdown(TABLE).splitlines() == [
        "| Player | Accuracy | Games |",
        "| --- | ---: | ---: |",
        r"| a\_b\|\<i> | 50% (23-77) | 3 |",
        "| c&d | - | - |",
    ]


def test_a_table_in_latex() -> None:
    text = to_latex(TABLE, "x")
    assert r"a\_b\textbar{}\textless{}i\textgreater{} & 50\% (23-77) & 3 \\" in text
    assert r"c\&d & - & - \\" in text
    assert r"\begin{tabular}{lrr}" in text


def test_a_table_in_csv_has_full_numbers() -> None:
    head, first, second = to_csv(TABLE).splitlines()
    assert head == "player,accuracy,accuracy_low,accuracy_high,accuracy_hits,accuracy_of,games"
    cells = first.split(",")
    assert (cells[0], cells[1], cells[4:]) == ("a_b|<i>", "0.5", ["5", "10", "3"])
    assert float(cells[2]) == pytest.approx(0.2366, abs=1e-4)  # Wilson's interval of 5 of 10
    assert second == "c&d,,,,,,"


# Charts


def places(svg: str) -> list[float]:
    """Where the marks of a chart are, from the left."""
    found = [
        each.get("transform", "") for each in ElementTree.fromstring(svg).iter() if each.get("transform")
    ]
    return [float(each.removeprefix("translate(").split()[0]) for each in found]


def test_marks_are_where_their_values_are() -> None:
    rows = [Row(str(value), Estimate(value, value, value), "x") for value in (0, 50, 100)]
    low, middle, high = places(draw_rows("T", "", PERCENT, [("group", rows)]))
    assert low < middle < high
    assert middle == pytest.approx((low + high) / 2, abs=0.2)


def test_names_are_escaped_and_series_differ_without_colour() -> None:
    names = [f"<script>{number}" for number in range(12)]
    panel = Panel("game", ["size=1", "size=2"], [[Estimate(50, 40, 60), None] for _ in names])
    svg = draw_panels("T", "", PERCENT, names, [panel])
    assert "<script>" not in svg
    assert len({mark(number, 0, 0, 0) for number in range(2 * len(SHAPES))}) == 2 * len(SHAPES)


def test_without_a_list_the_scripted_models_take_numbers_of_the_position() -> None:
    prompt = "A move is NUMBER@POSITION\nThe position now:\n[1][2]\n\nIt is your turn"
    assert find_moves([{"content": prompt}]) == ["1@1", "2@2"]
