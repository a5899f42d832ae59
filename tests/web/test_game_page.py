"""The pages of a match: players, title, end, size, draws, series, invitations, and the review."""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise

from starlette.testclient import TestClient

from numberduels.analysis.review import review_game
from numberduels.engine.pool import EngineError
from numberduels.game import record, registry
from numberduels.players import LEVELS
from numberduels.web.http.match_pages import CHART_HEIGHT, chart_of
from numberduels.web.http.rendering import MOST_COLUMNS, TALL, WIDE, best_grid
from tables import table

from .in_process import InProcessServer, begin, invitation_key, join, move_fields, raising

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
    join(one, other, place)
    for each in (one, watcher):
        begin(each)  # from here on they differ by nothing but their seats
    assert strips(one.get(place).text) == ["player-2", "player-1 on-turn mine"]
    assert strips(other.get(place).text) == ["player-1 on-turn", "player-2 mine"]
    assert strips(watcher.get(place).text) == ["player-2", "player-1 on-turn"]
    assert title(one.get(place).text) == "● It is your turn. · Range War"
    assert title(other.get(place).text) == title(watcher.get(place).text) == "Ada is to move. · Range War"


# The end


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
    size = {"options.size": "12"}
    place = begin(visitor, "restricted-removal", "computer", level="skilled", seat="1", name="Ada", **size)
    visitor.post(f"{place}/resign")
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


def test_the_page_and_all_that_it_loads_is_small(visitor: TestClient) -> None:
    def weight(path: str) -> int:
        with visitor.stream("GET", path, headers={"accept-encoding": "gzip"}) as answer:
            assert answer.status_code == 200
            return sum(map(len, answer.iter_raw()))

    place = begin(visitor, "number-collision", "computer", level="casual", seat="1")
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


# The review


def played(visitor: TestClient, moves: list[str]) -> str:
    """The address of a game of Range War with these moves."""
    place = begin(visitor)
    play(visitor, place, *moves)
    return place


RANGE_WAR = ["6", "3", "7", "5", "8", "4", "9", "2", "10", "1"]
"""6 throws the win away: only 1 to 5 keep it. 3 misses it, because it skips 4 and 5."""


def test_the_sentence_that_decides_comes_before_everything(visitor: TestClient) -> None:
    place = played(visitor, RANGE_WAR)
    page = unescape(visitor.get(f"{place}/review").text)
    spec = registry.spec("range-war")
    game = spec.make()
    told = review_game(record.Record(spec, game, tuple(map(int, RANGE_WAR)))).summary
    main = page[page.index("<main") :]
    assert main.index(str(told)) < main.index('<svg class="plot"') < main.index('id="mistakes"')


def test_every_mistake_leads_to_the_board_with_the_better_move(visitor: TestClient) -> None:
    place = played(visitor, RANGE_WAR)
    page = unescape(visitor.get(f"{place}/review").text)
    links = re.findall(r'class="turning-point[^"]*" href="([^"]*)"', page)
    assert links[0] == f"{place}?ply=0&better=1"  # 6 throws away what 1, 2, 3, 4 and 5 keep
    board = visitor.get(links[0]).text
    assert re.search(r'class="tile [^"]*best[^"]*"[^>]*data-move="[1-5]"', board)


def test_a_game_that_goes_on_shows_no_better_move(visitor: TestClient) -> None:
    place = played(visitor, ["6", "5"])
    page = visitor.get(f"{place}?ply=0&better=1").text
    assert 'role="alert"' in page and "★" not in page


@table("count", [1, 2, 11, 60, 200])
def test_everything_is_inside_the_picture_and_labels_do_not_overlap(count: int) -> None:
    moves = [{"ply": ply, "mistake": False} for ply in range(1, count)]
    found = chart_of({"values": [1, -1] * (count // 2) + [1] * (count % 2), "margins": None, "moves": moves})
    assert all(each.x >= 50 / len(found) and each.x + 50 / len(found) <= 100.001 for each in found)
    assert all(0 < each.sign_y <= CHART_HEIGHT for each in found)
    labels = [each for each in found if each.label]
    phone = 320
    for one, other in pairwise(labels):
        assert (other.x - one.x) / 100 * phone >= 8 * len(other.label)


# Draws, series, invitations


def offer_draw(visitor: TestClient, **options: str) -> tuple[str, str | None]:
    """Offer the computer a draw in a new game; the status of the game, and why it has ended."""
    place = begin(visitor, "number-collision", "computer", seat="1", **options)
    visitor.post(f"{place}/offer")
    state = visitor.get(f"/api/duels/{place[3:]}").json()
    return state["status"], state["why"]


def test_the_computer_accepts_a_draw_that_it_cannot_win_and_plays_on_without_an_answer(
    server: InProcessServer, visitor: TestClient
) -> None:
    small = {"options.size": "4", "options.values": "2"}
    assert offer_draw(visitor, **small) == ("over", "agreed"), "the empty line is a draw"
    server.question_pool.trouble = raising(EngineError())
    assert offer_draw(visitor) == ("playing", None)
    server.question_pool.trouble = lambda _: None


def test_two_people_agree_on_a_draw_by_forms_alone(server: InProcessServer) -> None:
    ann, bob = server.visitor(), server.visitor()
    place = begin(ann, "number-collision", "friend", seat="1")
    join(ann, bob, place)
    assert f"{place}/offer" in ann.get(place).text and f"{place}/accept-draw" not in bob.get(place).text
    ann.post(f"{place}/offer")
    assert "You have offered a draw." in ann.get(place).text and f"{place}/offer" not in ann.get(place).text
    assert f"{place}/accept-draw" in bob.get(place).text
    assert bob.post(f"{place}/accept-draw").status_code == 303
    for visitor in (ann, bob):
        assert "The players agreed on a draw." in visitor.get(place).text


def test_a_page_shows_the_series_and_who_wins_it(server: InProcessServer) -> None:
    visitor = server.visitor()
    place = begin(visitor, best_of="3", name="Ann", other="Bob")
    assert "best of 3" in visitor.get(place).text
    visitor.post(f"{place}/move", data={"move": "6"})
    visitor.post(f"{place}/resign")  # Bob, who is to move
    assert "Next game of the series" in visitor.get(place).text
    place = visitor.post(f"{place}/rematch").headers["location"]
    visitor.post(f"{place}/resign")  # Bob again: the seats are swapped
    page = visitor.get(place).text
    assert "Player 2 wins the series." in page and "Rematch, seats swapped" in page


def test_an_invitation_is_taken_back_by_a_form(server: InProcessServer) -> None:
    ann, bob = server.visitor(), server.visitor()
    place = begin(ann, mode="friend")
    link = invitation_key(ann, place)
    assert f"{place}/cancel" in ann.get(place).text and f"{place}/cancel" not in bob.get(place).text
    assert ann.post(f"{place}/cancel").status_code == 303
    page = ann.get(place).text
    assert "This invitation was taken back." in page and f"{place}/rematch" not in page
    assert "join?key" not in page
    late = bob.get(f"{place}/join", params={"key": link})
    assert late.status_code == 409 and "This invitation was taken back." in late.text
    assert bob.post(f"{place}/join", data={"invitation": link}).status_code == 409
