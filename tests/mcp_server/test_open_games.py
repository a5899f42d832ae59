"""OpenGames: limits on the games in progress, and no client at the cost of another."""

from __future__ import annotations

import pytest

from numberduels.harness.mcp.calls import OpenGame, OpenGames

STATE = b"state"


def add(games: OpenGames, client: str, state: bytes = STATE) -> OpenGame:
    return games.add(games.new_id(), client, state)


def kept(games: OpenGames, *some: OpenGame) -> list[bool]:
    """Which of these games are still there."""

    def there(game: OpenGame) -> bool:
        try:
            return games.find(game.id) is game
        except LookupError as fault:
            assert "there is no game with this id" in str(fault)
            return False

    return [there(each) for each in some]


def test_ids_are_long_and_different() -> None:
    ids = {OpenGames().new_id() for _ in range(40)}
    assert len(ids) == 40 and min(map(len, ids)) >= 16


def test_a_client_with_too_many_games_loses_the_one_not_used_for_longest() -> None:
    games = OpenGames(max_games_each=2)
    first, second, other = add(games, "a"), add(games, "a"), add(games, "b")
    games.find(first.id)
    third = add(games, "a")
    assert kept(games, first, second, third, other) == [True, False, True, True]


def test_a_client_whose_games_are_too_large_loses_the_one_not_used_for_longest() -> None:
    games = OpenGames(max_bytes_each=100)
    other, first, second = add(games, "b", b"x" * 99), add(games, "a", b"x" * 60), add(games, "a")
    games.change(second, b"x" * 60)
    assert kept(games, other, first, second) == [True, False, True]
    games.change(second, b"x" * 1000)
    assert kept(games, second) == [True], "the game that is being played stays"


def test_one_address_with_many_games_costs_no_other_address_a_game() -> None:
    games = OpenGames(max_games=100, max_games_each=10)
    early = [add(games, f"early {number}") for number in range(30)]
    for _ in range(1_000):
        add(games, "greedy")
    assert kept(games, *early) == [True] * 30
    assert len(games) == 40
    add(games, "late")


def test_when_the_server_is_full_a_new_client_is_refused_and_the_others_go_on() -> None:
    games = OpenGames(max_games=3)
    first, other, third = add(games, "a"), add(games, "a"), add(games, "b")
    with pytest.raises(ValueError, match="too many games in progress: try again later"):
        games.require_room("c")
    again = add(games, "a")
    assert kept(games, first, other, third, again) == [False, True, True, True]


def test_an_idle_game_is_forgotten() -> None:
    now = [0.0]
    games = OpenGames(max_games=2, idle_seconds=10, clock=lambda: now[0])
    idle, used = add(games, "a"), add(games, "a")
    now[0] = 9.0
    games.find(used.id)
    now[0] = 11.0
    games.require_room("b")
    assert kept(games, used, idle) == [True, False]
