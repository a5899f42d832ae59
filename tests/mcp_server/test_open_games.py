"""OpenGames: limits on the games in progress."""

from __future__ import annotations

import pytest

from numberduels.harness.episode_settings import EpisodeSettings
from numberduels.harness.text_episode import TextEpisode
from numberduels.mcp_server.open_games import OpenGames

EPISODE = TextEpisode(EpisodeSettings("range-war"), 1)


def test_ids_are_long_and_different() -> None:
    games = OpenGames()
    ids = {games.add("a", EPISODE).id for _ in range(40)}
    assert len(ids) == 40 and min(map(len, ids)) >= 16


def test_a_session_forgets_its_least_recently_used_game() -> None:
    games = OpenGames(max_games_each=2)
    first, second = games.add("a", EPISODE), games.add("a", EPISODE)
    other = games.add("b", EPISODE)
    games.find(first.id)
    games.add("a", EPISODE)
    assert games.find(first.id) is first and games.find(other.id) is other
    with pytest.raises(LookupError, match="there is no game with this id"):
        games.find(second.id)


def test_all_sessions_together_have_a_limit() -> None:
    games = OpenGames(max_games=3)
    kept = [games.add(str(each), EPISODE) for each in range(5)]
    assert len(games) == 3
    with pytest.raises(LookupError):
        games.find(kept[1].id)
    assert games.find(kept[2].id) is kept[2]


def test_an_idle_game_is_forgotten() -> None:
    now = [0.0]
    games = OpenGames(idle_seconds=10, clock=lambda: now[0])
    idle, used = games.add("a", EPISODE), games.add("a", EPISODE)
    now[0] = 9.0
    games.find(used.id)
    now[0] = 11.0
    assert games.find(used.id) is used and len(games) == 1
    with pytest.raises(LookupError):
        games.find(idle.id)


def test_a_game_that_another_call_uses_is_refused_in_one_line_and_free_afterwards() -> None:
    game = OpenGames().add("me", TextEpisode(EpisodeSettings("range-war"), 1))
    with game.in_use() as episode:
        assert episode is game.episode
        told = r"^an earlier call for this game .*: try again later$"
        with pytest.raises(ValueError, match=told), game.in_use(seconds=0):
            raise AssertionError("two calls use one game")
    with game.in_use(seconds=0) as episode:
        assert episode is game.episode
