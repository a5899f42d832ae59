"""What an earlier version kept about a player is still known."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

from numberduels.play import lessons, puzzles, saved_games, settings

SAMPLE = Path(__file__).parents[1] / "samples" / "profile" / "1.0.0"


def test_the_profile_of_1_0_is_read_without_a_note(own_home: Path) -> None:
    shutil.copytree(SAMPLE, own_home)
    notes: list[str] = []
    mine = settings.load_settings(notes)
    assert (mine.name, mine.opponent, mine.sizes) == ("Ada", "skilled", {"range-war": {"size": "12"}})
    results = puzzles.read_results(notes)
    assert [(each.daily, each.solved, each.tries) for each in results] == [(False, True, 2), (True, True, 2)]
    assert puzzles.streak(results, date(2026, 11, 17)) == 1
    assert lessons.done("range-war", notes) == {"nearest"}
    assert [each.record.moves for each in saved_games.saved_games() if not each.finished] == [(7, 3)]
    assert notes == []


def test_games_that_0_1_kept_are_listed(own_home: Path) -> None:
    shutil.copytree(SAMPLE.parents[1] / "records" / "0.1.0", own_home / "games")
    assert len(saved_games.unfinished()) == 5
