"""An adopted game is taken wherever a game is named, and not where a visitor names one."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.running import duel
from numberduels.game import adopted, registry


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBERDUELS_HOME", str(tmp_path))


def test_it_is_played_kept_reviewed_and_counted(tmp_path: Path) -> None:
    file = str(tmp_path / "game.txt")
    played = duel("play", "openspiel:tic_tac_toe", "--save", file, typed=b"4\n1\n0\n8\n2\n5\n6\n")
    assert played.status == 0 and "Player 1 wins!" in played.out
    review = duel("review", file)
    assert "\nTic Tac Toe\n" in review.out and "result 1-0" in review.out and "mistake" in review.out
    duel("play", "openspiel:tic_tac_toe", "--vs", "perfect", typed=b"4\n")
    assert "Tic Tac Toe" in duel("list").out and "Tic Tac Toe" in duel("stats").out


def test_it_is_an_environment() -> None:
    from numberduels import envs

    adopted.allow("openspiel:tic_tac_toe")
    env = envs.aec("openspiel:tic_tac_toe")
    env.reset(seed=1)
    for action in (4, 1, 0, 8, 2, 5, 6):
        env.step(action)
    assert env.rewards == {"player_1": 1, "player_2": -1}
    games = envs.batch("openspiel:tic_tac_toe", n=3)
    games.reset(seed=1)
    assert games.legal().shape == (3, 9)


def test_the_server_and_the_settings_do_not_offer_it() -> None:
    for find in (registry.spec, registry.find_spec):
        with pytest.raises(registry.UnknownGame):
            find("openspiel:tic_tac_toe")
    assert not any(adopted.is_adopted(name) for name in registry.names())
