"""The page of a match: players, title, past, end, rules in short, and how large it is."""

from __future__ import annotations

import re
from html import unescape

from starlette.testclient import TestClient

from numberduels.players import LEVELS
from numberduels.web.http.rendering import MOST_COLUMNS, TALL, WIDE, best_grid
from tables import table

from .in_process import FIVE, InProcessServer, begin, invitation_key, move_fields

MOST_BYTES = 60_000
"""What the page of a match and all that it loads may weigh, compressed."""


def play(visitor: TestClient, place: str, *moves: str) -> None:
    for move in moves:
        assert visitor.post(f"{place}/move", data=move_fields(move)).status_code == 303


def strips(page: str) -> list[str]:
    """The players from the top of the page to its bottom, with the classes that mark them."""
    return re.findall(r'class="seat (player-\d[^"]*)"', page)


def title(page: str) -> str:
    return unescape(page.partition("<title>")[2].partition("</title>")[0])


def test_whoever_looks_sits_at_the_bottom_and_whose_turn_it_is_is_marked(server: InProcessServer) -> None:
    one, other, watcher = (server.visitor() for _ in range(3))
    place = begin(one, "range-war", "friend", name="Ada", seat="1")
    other.post(f"{place}/join", data={"invitation": invitation_key(one, place), "name": "Bob"})
    assert strips(one.get(place).text) == ["player-2", "player-1 on-turn mine"]
    assert strips(other.get(place).text) == ["player-1 on-turn", "player-2 mine"]
    assert strips(watcher.get(place).text) == ["player-2", "player-1 on-turn"]
    assert title(one.get(place).text) == "● It is your turn. · Range War"
    assert title(other.get(place).text) == title(watcher.get(place).text) == "Ada is to move. · Range War"


# The end


def lost(visitor: TestClient, level: str, **fields: str) -> str:
    place = begin(visitor, "restricted-removal", "computer", level=level, seat="1", **fields)
    play(visitor, place, "7")
    visitor.post(f"{place}/resign")
    return place


def test_the_end_says_the_result_and_where_the_game_was_decided(visitor: TestClient) -> None:
    place = begin(visitor, "restricted-removal", name="Ada", other="Bob")
    play(visitor, place, "7")  # only 6 wins
    visitor.post(f"{place}/resign")
    page = visitor.get(place).text
    assert re.search(r'<h2 id="result"[^>]*>Ada wins\.</h2>', page)
    assert f'href="{place}?decided=1"' in page and "decided the game" not in page
    told = unescape(visitor.get(f"{place}?decided=1").text)
    assert "The resignation decided the game: Bob could still have won." in told


def test_the_next_opponent_is_weaker_after_a_loss_and_plays_by_the_same_rules(visitor: TestClient) -> None:
    place = lost(visitor, "skilled", name="Ada", **{"options.size": "12"})
    assert re.search(r'<h2 id="result"[^>]*>You lose\.</h2>', visitor.get(place).text)
    form = visitor.get(place).text.partition('action="/new"')[2].partition("</form>")[0]
    fields = dict(re.findall(r'name="([^"]*)" value="([^"]*)"', form))
    assert fields["level"] == LEVELS[LEVELS.index("skilled") - 1]
    again = visitor.post("/new", data=fields).headers["location"]
    state = visitor.get(f"/api/duels/{again[3:]}").json()
    assert state["options"]["size"] == 12
    assert sorted(each["name"] or each["level"] for each in state["players"]) == ["Ada", fields["level"]]


def test_the_next_opponent_is_stronger_after_a_win(visitor: TestClient) -> None:
    place = begin(visitor, "range-war", "computer", level="casual", seat="1")
    play(visitor, place, "1")  # nothing is lower
    assert "Next opponent: skilled" in visitor.get(place).text


# Moves of two parts


def test_moves_of_two_parts_are_said_as_a_person_says_them(visitor: TestClient) -> None:
    place = begin(visitor, "number-collision")
    play(visitor, place, "3@5")
    assert "Player 1 played 3 on cell 5: " in visitor.get(place).text
    assert "3@5" not in visitor.get(place).text
    assert "3 auf Feld 5" in visitor.get(f"{place}?language=de").text


@table("ratio", [WIDE, TALL])
@table("count", [1, 2, 3, 7, 9, 10, 15, 19, 42, 60, 99, 100])
def test_a_grid_has_room_for_all_tiles_and_no_empty_row(count: int, ratio: float) -> None:
    columns, rows = best_grid(count, ratio)
    assert columns * (rows - 1) < count <= columns * rows
    assert columns <= MOST_COLUMNS[ratio]


# Beside the board


@table("game", FIVE)
def test_the_page_and_all_that_it_loads_is_small(visitor: TestClient, game: str) -> None:
    def weight(path: str) -> int:
        with visitor.stream("GET", path, headers={"accept-encoding": "gzip"}) as answer:
            assert answer.status_code == 200
            return sum(map(len, answer.iter_raw()))

    place = begin(visitor, game, "computer", level="casual", seat="1")
    page = visitor.get(place).text
    head, _, body = page.partition("</head>")
    files = set(
        re.findall(r'<(?:link rel="(?:stylesheet|icon)"|script)[^>]*(?:href|src)="(/static/[^"]*)"', head)
    )
    files |= set(re.findall(r'src="(/static/[^"]*)"', body))
    (later,) = re.findall(r'data-later="([^"]*)"', body)
    files |= set(later.split()) | set(re.findall(r'<meta id="news"[^>]*content="([^"]*)"', head))
    fonts = {
        f"/static/{name}"
        for path in files
        for name in re.findall(r'url\("([^"]*)"\)', visitor.get(path).text)
    }
    assert {"page.css", "game-page.css", "match.js", "motion.js", "news.js"} <= {
        path.partition("?")[0].rpartition("/")[2] for path in files
    }
    assert fonts
    assert weight(place) + sum(map(weight, files | fonts)) <= MOST_BYTES
