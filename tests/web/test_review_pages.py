"""The review: one sentence first, a chart in the theme's colours, each mistake one tap from the board."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import unescape
from itertools import pairwise

from starlette.testclient import TestClient

from numberduels.analysis.review import review_game
from numberduels.game import record, registry
from numberduels.web.http.match_pages import CHART_HEIGHT, ChartColumn, chart_of
from tables import table


def played(visitor: TestClient, game: str, moves: list[str], **fields: str) -> str:
    """The address of a game with these moves, which is over."""
    place = visitor.post("/new", data={"game": game, "mode": "here", **fields}).headers["location"]
    for ply, move in enumerate(moves):
        assert visitor.post(f"{place}/move", data={"move": move, "ply": str(ply)}).status_code == 303
    return str(place)


RANGE_WAR = ["6", "3", "7", "5", "8", "4", "9", "2", "10", "1"]
"""6 throws the win away: only 1 to 5 keep it. 3 misses it, because it skips 4 and 5."""


def test_the_sentence_that_decides_comes_before_everything(visitor: TestClient) -> None:
    place = played(visitor, "range-war", RANGE_WAR)
    page = unescape(visitor.get(f"{place}/review").text)
    spec = registry.spec("range-war")
    game = spec.make()
    told = review_game(record.Record(spec, game, tuple(map(int, RANGE_WAR)))).summary
    main = page[page.index("<main") :]
    assert main.index(str(told)) < main.index('<svg class="plot"') < main.index('id="mistakes"')


def test_every_mistake_leads_to_the_board_with_the_better_move(visitor: TestClient) -> None:
    place = played(visitor, "range-war", RANGE_WAR)
    page = unescape(visitor.get(f"{place}/review").text)
    links = re.findall(r'class="turning-point[^"]*" href="([^"]*)"', page)
    assert links[0] == f"{place}?ply=0&better=1"  # 6 throws away what 1, 2, 3, 4 and 5 keep
    board = visitor.get(links[0]).text
    assert re.search(r'class="tile [^"]*best[^"]*"[^>]*data-move="[1-5]"', board)


def test_a_move_that_could_not_be_better_shows_no_better_one(visitor: TestClient) -> None:
    place = played(visitor, "range-war", RANGE_WAR)
    last = len(RANGE_WAR) - 1
    assert 'class="star"' not in visitor.get(f"{place}?ply={last}&better=1").text


def test_a_game_that_goes_on_shows_no_better_move(visitor: TestClient) -> None:
    place = played(visitor, "range-war", ["6", "5"])
    page = visitor.get(f"{place}?ply=0&better=1").text
    assert 'role="alert"' in page and "★" not in page


# The geometry


def chart(values: Sequence[int | None], margins: Sequence[int] | None = None) -> list[ChartColumn]:
    moves = [{"ply": ply, "mistake": False} for ply in range(1, len(values))]
    return chart_of({"values": values, "margins": margins, "moves": moves})


@table("count", [1, 2, 11, 60, 200])
def test_everything_is_inside_the_picture_and_labels_do_not_overlap(count: int) -> None:
    found = chart([1, -1] * (count // 2) + [1] * (count % 2))
    assert all(each.x >= 50 / len(found) and each.x + 50 / len(found) <= 100.001 for each in found)
    assert all(0 < each.sign_y <= CHART_HEIGHT for each in found)
    labels = [each for each in found if each.label]
    phone = 320
    for one, other in pairwise(labels):
        assert (other.x - one.x) / 100 * phone >= 8 * len(other.label)
