"""The score over rematches, and best-of series."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from numberduels.game import registry
from numberduels.play.series import Standing
from numberduels.web.match import commands
from numberduels.web.match.events import created_data
from numberduels.web.match.model import Match
from numberduels.web.store.base import Event
from tables import table

from .in_process import InProcessServer, in_process, unlimited
from .test_match_model import ANN, BOB, MACHINE, Playing


def resigned(match: Match, loser: str) -> Match:
    """The match after the player of this name has resigned it."""
    seat = match.names.index(loser)
    match.apply(Event(match.version + 1, 0.0, *commands.resign(match, (0,) if seat == 0 else (1,))))
    return match


def rematch(match: Match) -> Match:
    return Match("next", Event(1, 0.0, "created", commands.rematch_data(match, (0,))))


def score(match: Match) -> dict[str, int]:
    return dict(zip(match.names, match.standing.wins, strict=True))


def test_rematches_keep_the_score_of_the_players_who_swap_seats() -> None:
    match = Playing(ANN, BOB).match
    for loser, ann, bob in [("Bob", 1, 0), ("Bob", 2, 0), ("Ann", 2, 1)]:
        resigned(match, loser)
        assert score(match) == {"Ann": ann, "Bob": bob}
        match = rematch(match)
        assert score(match) == {"Ann": ann, "Bob": bob}, "and it is not counted twice"
    assert match.standing.games == 3 and not match.is_series_over


def test_a_series_ends_when_nobody_can_catch_up_and_the_next_begins_at_nothing() -> None:
    match = resigned(Playing(ANN, BOB, best_of=3).match, "Bob")
    assert not match.is_series_over
    match = resigned(rematch(match), "Bob")
    assert match.is_series_over and score(match) == {"Ann": 2, "Bob": 0}
    again = rematch(match)
    assert (again.best_of, again.standing) == (3, Standing(0, (0, 0), None))


def test_a_draw_uses_up_a_game_of_the_series() -> None:
    match = Playing(ANN, BOB, "number-collision", best_of=3).match
    for seats in ((0,), (1,)):
        match.apply(
            Event(match.version + 1, 0.0, *commands.offer_draw(match, seats))
        )  # the second one accepts
    assert match.standing == Standing(1, (0, 0), None) and not match.is_series_over
    match = resigned(rematch(match), "Ann")
    assert not match.is_series_over
    match = resigned(rematch(match), "Bob")
    assert match.is_series_over and match.standing.ahead == 0


@table("best_of", [3, 5, 7])
def test_a_series_is_over_when_a_player_has_more_than_half_of_the_wins(best_of: int) -> None:
    half = best_of // 2
    assert not Standing(half, (half, 0), None).decides(best_of)
    assert Standing(half + 1, (half + 1, 0), None).decides(best_of)
    assert Standing(best_of, (half, half + 1), None).decides(best_of)


def test_two_games_on_one_deal_count_as_one_and_the_points_decide_it() -> None:
    game = registry.spec("number-snatch").build({"numbers": (3, 5, 8)})
    first = Match("first", Event(1, 0.0, "created", created_data(game, (ANN, BOB), games=2, best_of=3)))
    for seq, move in enumerate("853", 2):
        first.apply(Event(seq, 0.0, "moved", {"seat": seq % 2, "move": move}))
    assert first.status == "over" and first.standing.games == 0
    second = rematch(first)
    for seq, move in enumerate("385", 2):
        second.apply(Event(seq, 0.0, "moved", {"seat": seq % 2, "move": move}))
    assert second.total_lead == 0 - 6 and second.names == ("Bob", "Ann")
    assert second.standing == Standing(1, (0, 1), None), "Ann has six points more over both"


# Pages and the API


@pytest.fixture
def server(tmp_path: Path) -> Iterator[InProcessServer]:
    with in_process(unlimited(tmp_path / "duels.sqlite")) as running:
        yield running


def test_a_page_shows_the_series_and_who_wins_it(server: InProcessServer) -> None:
    visitor = server.visitor()
    fields = {"game": "range-war", "mode": "here", "best_of": "3", "name": "Ann", "other": "Bob"}
    place = visitor.post("/new", data=fields).headers["location"]
    assert "best of 3" in visitor.get(place).text
    visitor.post(f"{place}/move", data={"move": "6"})
    visitor.post(f"{place}/resign")  # Bob, who is to move
    assert "Next game of the series" in visitor.get(place).text
    place = visitor.post(f"{place}/rematch").headers["location"]
    visitor.post(f"{place}/resign")  # Bob again: the seats are swapped
    page = visitor.get(place).text
    assert "Player 2 wins the series." in page and "Rematch, seats swapped" in page
    state = visitor.get(f"/api/duels/{place.removeprefix('/g/')}").json()
    assert (state["best_of"], state["standing"], state["series_over"]) == (
        3,
        {"games": 2, "wins": [0, 2]},
        True,
    )


def test_the_computer_can_be_challenged_to_a_series(server: InProcessServer) -> None:
    made = server.visitor().post("/api/duels", json={"game": "range-war", "best_of": 5}).json()
    assert made["state"]["best_of"] == 5 and MACHINE.level
    refused = server.visitor().post("/api/duels", json={"game": "range-war", "best_of": 4})
    assert (refused.status_code, refused.json()["key"]) == (422, "best_of")
