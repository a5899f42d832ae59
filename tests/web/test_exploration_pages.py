"""The pages on which a theorem is tried out."""

from __future__ import annotations

import re
from html import unescape

from starlette.testclient import TestClient

from numberduels.analysis.exploration import exploration_of
from numberduels.game import registry
from tables import table

from .in_process import FIVE

every_game = table("game", FIVE)


def shown_winners(page: str) -> list[int]:
    return [int(each) for each in re.findall(r'<a class="winner-(\d)"', page)]


@every_game
def test_every_number_of_an_exploration_has_a_page(visitor: TestClient, game: str) -> None:
    found = exploration_of(registry.spec(game))
    assert found and found.first in found.values
    for place in (0, len(found.values) // 2, len(found.values) - 1):
        answer = visitor.get(f"/learn/{game}/theorem?at={place}")
        page = unescape(answer.text)
        assert answer.status_code == 200
        assert re.search(rf'aria-current="true"><span class="number">{found.values[place]}<', page)
        assert len(shown_winners(page)) == len(found.values)
        assert f'value="{place}"' in page  # the slider


def test_range_war_is_won_by_the_first_player_from_the_middle_only(visitor: TestClient) -> None:
    page = visitor.get("/learn/range-war/theorem").text
    assert shown_winners(page) == [2] * 6 + [1] + [2] * 6


def test_summation_duel_is_lost_for_player_1_at_every_multiple_of_11(visitor: TestClient) -> None:
    winners = shown_winners(visitor.get("/learn/summation-duel/theorem").text)
    assert {winners[target - 1] for target in (11, 22, 33, 44, 55)} == {2}
    # Found by exhaustive search, independently.
    assert winners[50 - 1] == 1 and winners[42 - 1] == 1 and winners[20 - 1] == 1


def test_the_values_on_the_board_are_those_of_this_number(visitor: TestClient) -> None:
    page = visitor.get("/learn/summation-duel/theorem?at=41").text  # the target 42, where only 6 wins
    assert re.findall(r'class="value (\w+)"', page) == ["loss"] * 5 + ["win"] + ["loss"] * 4


def test_number_collision_is_won_with_one_empty_cell_only(visitor: TestClient) -> None:
    winners = shown_winners(visitor.get("/learn/number-collision/theorem").text)
    assert winners[0] in (1, 2) and set(winners[1:]) == {0}


@table("at", ["99", "-1", "x", "<script>", "9" * 40])
def test_a_number_that_is_not_there_shows_the_first_one(visitor: TestClient, at: str) -> None:
    answer = visitor.get("/learn/range-war/theorem", params={"at": at})
    assert answer.status_code == 200 and 'aria-current="true"><span class="number">4<' in answer.text
    assert "<script>" not in answer.text.replace('<script type="module"', "")


def test_a_game_without_one_has_no_such_page(visitor: TestClient) -> None:
    assert visitor.get("/learn/no-such-game/theorem").status_code == 404
