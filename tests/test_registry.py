"""Games are found through the entry points of installed packages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from numberduels.game import registry
from numberduels.game.check_game import check_game
from numberduels.game.registry import UnknownGame, names, spec, spec_of
from numberduels.game.spec import GameSpec
from numberduels.games import template
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.template.rules import LastCounter
from ours import OURS
from tables import table

Install = Callable[..., None]


class Homeless(LastCounter):
    """A game without a spec."""


@pytest.fixture
def others() -> list[str]:
    """Games of other packages that happen to be installed."""
    return names()[len(OURS) :]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a package that has nothing but this entry_points.txt."""
    monkeypatch.syspath_prepend(tmp_path)

    def write(text: str, package: str = "other", encoding: str = "utf-8") -> None:
        folder = tmp_path / f"{package}-1.0.dist-info"
        folder.mkdir(exist_ok=True)
        (folder / "entry_points.txt").write_text(text, encoding=encoding)

    return write


TEMPLATE = "[numberduels.games]\nlast-counter = numberduels.games.template:spec\n"


@table("name", OURS)
def test_a_spec_is_found_by_its_name_and_by_its_game(name: str) -> None:
    assert spec(name).name == name
    assert spec_of(spec(name).make()) is spec(name)
    assert spec(name).rulebook().startswith(f"# {spec(name).title}\n")


@table(
    "text, name",
    [
        ("range-war", "range-war"),
        ("range", "range-war"),
        ("Range War", "range-war"),
        ("  number snatch ", "number-snatch"),
        ("number-c", "number-collision"),
        ("last", "last-counter"),
        ("LastCounter", "last-counter"),
    ],
)
def test_a_person_finds_a_game_by_any_spelling_and_by_its_beginning(
    text: str, name: str, install: Install
) -> None:
    install(TEMPLATE)
    assert registry.find_spec(text).name == name


@table(
    "text, sentence",
    [
        ("number", "'number' can be number-snatch or number-collision: say which"),
        ("rnage-war", "no game called 'rnage-war'; did you mean range-war? The games are "),
        ("snatch", "did you mean number-snatch?"),
        ("chess", "no game called 'chess'; the games are "),
        ("", "no game called ''"),
        ("x" * 100_000, "no game called 'x"),
    ],
)
def test_what_names_no_game_or_several_is_told_with_what_there_is(text: str, sentence: str) -> None:
    with pytest.raises(UnknownGame) as fault:
        registry.find_spec(text)
    assert sentence in str(fault.value) and len(str(fault.value)) < 300


def test_a_game_without_a_spec_is_an_unknown_game() -> None:
    with pytest.raises(
        UnknownGame, match="Homeless belongs to no installed game, and its package has no GameSpec"
    ):
        spec_of(Homeless())


def test_the_template_is_found_through_a_real_entry_point(install: Install) -> None:
    install(TEMPLATE)
    assert "last-counter" in names()
    assert spec("last-counter") is template.spec
    assert spec_of(LastCounter(3)) is template.spec
    check_game(spec("last-counter"), LastCounter(3))


def test_nothing_is_loaded_before_it_is_asked_for(install: Install) -> None:
    install("[numberduels.games]\nbroken = no_such_module_anywhere:spec\n")
    assert "broken" in names()
    assert spec_of(RangeWar()).name == "range-war"
    with pytest.raises(UnknownGame, match="broken is installed but cannot be loaded"):
        spec("broken")


def test_a_spec_under_a_name_that_is_not_its_own_is_refused(install: Install) -> None:
    install("[numberduels.games]\nmy-last = numberduels.games.template:spec\n")
    with pytest.raises(UnknownGame, match="not a GameSpec of that name"):
        spec("my-last")


@table(
    "text",
    [
        "",
        "[console_scripts]\nlast-counter = numberduels.games.template:spec\n",
        "[numberduels.games.more]\nlast-counter = numberduels.games.template:spec\n",
        "[numberduels.games]\n# last-counter = numberduels.games.template:spec\n",
        "[numberduels.games]\n\n[other]\nlast-counter = numberduels.games.template:spec\n",
        "last-counter = numberduels.games.template:spec\n",
        "[numberduels.games]\nnot an entry\n",
    ],
)
def test_other_entries_are_no_games(text: str, others: list[str], install: Install) -> None:
    install(text)
    assert names() == [*OURS, *others]


def test_a_package_with_unreadable_entry_points_harms_nobody(others: list[str], install: Install) -> None:
    install("\N{LATIN SMALL LETTER E WITH ACUTE}", encoding="latin-1")
    assert names() == [*OURS, *others]


def test_the_name_of_a_game_of_ours_always_means_ours(install: Install) -> None:
    install("[numberduels.games]\nrange-war = numberduels.games.template:spec\n")
    assert spec("range-war").rules is RangeWar
    assert [each.name for each in registry.specs()][: len(OURS)] == list(OURS)


@table("find", [spec, registry.find_spec])
def test_entry_points_are_not_read_for_a_game_of_ours(
    find: Callable[[str], GameSpec], monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[tuple[str, ...]] = []

    def nothing_declared(folders: tuple[str, ...]) -> dict[str, str]:
        read.append(folders)
        return {}

    monkeypatch.setattr(registry, "_declared", nothing_declared)
    assert find("range-war").rules is RangeWar
    assert not read
    with pytest.raises(UnknownGame):
        find("no-such-game")
    assert read
