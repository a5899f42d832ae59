"""The JSON API of a real server: whole games, streams, races, and errors."""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import aclosing
from pathlib import Path
from random import Random
from typing import Any

import httpx2 as httpx
import msgspec
import pytest

from numberduels.game import registry
from numberduels.game.record import read
from numberduels.web.errors import ERRORS
from numberduels.web.http import api, openapi
from numberduels.web.http.responses import RESPONSES
from numberduels.web.match.state import ENDINGS
from tables import table

from .in_process import InProcessServer
from .serving import PATIENCE, Line, Message, Server, events, serving, wait_until

GAMES = {
    "range-war": {"size": 8},
    "number-snatch": {"size": 6},
    "restricted-removal": {"size": 9},
    "summation-duel": {"size": 6, "target": 15},
    "number-collision": {"size": 3, "values": 2, "repetition": "forbidden"},
}
every_game = table("game", list(GAMES))


@pytest.fixture
def bot(server: InProcessServer) -> Any:
    """A bot that sees to it that every answer is as the description says."""
    client = server.visitor()
    client.event_hooks["response"].append(as_described)
    return client


DESCRIBED = openapi.openapi_document()
TYPES = {each.__name__: each for each in RESPONSES}


def as_described(answer: httpx.Response) -> None:
    """See that the status, the kind and the content of an answer are among those that are described."""
    answer.read()
    method, path = answer.request.method.lower(), answer.request.url.path
    for template, methods in DESCRIBED["paths"].items():
        if re.fullmatch(template.replace("{duel}", "[^/]+"), path) and method in methods:
            responses = methods[method]["responses"]
            assert str(answer.status_code) in responses, (
                f"{method} {path}: {answer.status_code} {answer.text}"
            )
            ((kind, content),) = responses[str(answer.status_code)]["content"].items()
            assert answer.headers["content-type"].startswith(kind)
            if kind == "application/json":
                msgspec.json.decode(answer.content, type=TYPES[content["schema"]["$ref"].rpartition("/")[2]])
            return


def begin(bot: httpx.Client, game: str = "summation-duel", **fields: Any) -> dict[str, Any]:
    """A new duel; the bot has its token from here on."""
    answer = bot.post("/api/duels", json={"game": game, "options": GAMES[game], "mode": "here"} | fields)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    bot.headers["authorization"] = f"Bearer {made['token']}"
    return made


def fault(answer: httpx.Response, status: int, key: str) -> Any:
    """See that the answer is a fault of that kind; the state that it tells."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/json"
    told = answer.json()
    assert set(told) == {"error", "key", "state"}
    assert told["key"] == key
    assert re.fullmatch(r"[A-Z'].*[.\w]", told["error"]), told["error"]
    assert "Traceback" not in answer.text
    return told["state"]


# Whole games


@every_game
def test_a_bot_plays_a_whole_game_against_the_computer(bot: httpx.Client, game: str) -> None:
    made = begin(bot, game, mode="computer", level="perfect", seat="2", name="Robby")
    place = f"/api/duels/{made['id']}"
    assert (made["seat"], made["invitation"]) == (2, None)
    rng, state = Random(game), made["state"]

    def our_turn_or_over() -> bool:
        state.update(bot.get(place).json())
        return bool(state["turn"] == 2 or state["status"] == "over")

    while True:
        wait_until(our_turn_or_over)
        if state["status"] == "over":
            break
        move = {"move": rng.choice(state["legal"]), "ply": state["ply"]}
        answer = bot.post(f"{place}/move", json=move)
        assert answer.status_code == 200, answer.text
    assert state["winner"] in (1, 2, None)
    kept = read(bot.get(f"{place}/record").text)
    assert kept.names == ("", "Robby")
    assert [*map(kept.spec.text_for(kept.game).format_move, kept.moves)] == state["moves"]
    review = bot.get(f"{place}/review").json()
    assert len(review["moves"]) == state["ply"]


@pytest.mark.long
def test_a_lost_line_catches_up_from_the_last_event_it_saw(tmp_path: Path) -> None:
    with serving(tmp_path) as server, server.visitor() as bot:
        _catches_up(server, bot)


def _catches_up(server: Server, bot: httpx.Client) -> None:
    made = begin(bot)
    path = f"/api/duels/{made['id']}/stream"

    async def first(seen: int) -> Message:
        async with aclosing(events(server.port, path, seen)) as stream, asyncio.timeout(PATIENCE):
            return await anext(stream)

    def move(number: int) -> None:
        assert bot.post(f"/api/duels/{made['id']}/move", json={"move": number}).status_code == 200

    assert asyncio.run(first(0)).id == 1
    move(6)
    move(3)
    caught_up = asyncio.run(first(1))
    assert (caught_up.id, caught_up.data["moves"]) == (3, ["6", "3"])

    async def silent_then_told() -> Message:
        line = Line(server.port, made["token"])
        async with aclosing(events(server.port, path, 3)) as stream, asyncio.timeout(PATIENCE):
            await line.post(f"/api/duels/{made['id']}/move", move="5")
            line.close()
            return await anext(stream)

    # Who has seen everything is told nothing but what is new.
    assert asyncio.run(silent_then_told()).data["moves"] == ["6", "3", "5"]


# Everything else that a bot can do


def test_undo_hint_and_values_against_the_computer(bot: httpx.Client) -> None:
    place = f"/api/duels/{begin(bot, mode='computer', level='greedy')['id']}"
    hint = bot.get(f"{place}/hint").json()
    assert set(hint) == {"move", "why"}
    values = bot.get(f"{place}/values").json()
    assert values["moves"][hint["move"]]["value"] == values["value"]
    assert bot.post(f"{place}/move", json={"move": hint["move"]}).status_code == 200
    wait_until(lambda: bot.get(place).json()["ply"] == 2)
    assert bot.post(f"{place}/undo").json()["moves"] == []


# The description


def test_openapi_has_every_route_and_no_other(bot: httpx.Client) -> None:
    openapi_document = bot.get("/api/openapi.json").json()
    assert openapi_document["openapi"].startswith("3.1")
    told = {
        (path, method.upper())
        for path, methods in openapi_document["paths"].items()
        for method in methods
        if method != "parameters"
    }
    there = {
        (route.path, method)
        for route in api.ROUTES
        for method in (route.methods or ())
        if method != "HEAD" and route.path != "/api/openapi.json"
    }
    assert told == there


def test_every_error_key_is_documented() -> None:
    sources = [path for path in Path(api.__file__).parents[1].rglob("*.py") if path.stem != "statuses"]
    text = "".join(path.read_text(encoding="utf-8") for path in sources)
    said = {
        *re.findall(r'(?:UserError|_option_error)\(\s*"([a-z_]+)[."]', text),
        *re.findall(r'"key": "([a-z_]+)"', text),
    }
    middleware = (Path(api.__file__).parent / "middleware.py").read_text(encoding="utf-8")
    said |= {*re.findall(r'return "([a-z_]+)", ', middleware)}
    assert len(said) > 30 and said <= {*ERRORS}
    assert {key for key in ERRORS if f'"{key}"' not in text} == set(), "nobody says these"
    docs = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
    assert [key for key in ENDINGS if f"`{key}`" not in docs] == []
    rows = {f"| `{key}` | {kind.status} | {kind.about} |" for key, kind in ERRORS.items()}
    assert rows <= {*docs.splitlines()}


def test_the_list_of_games_is_enough_to_begin_one(bot: httpx.Client) -> None:
    told = bot.get("/api/games").json()
    assert told["levels"][-1] == "perfect"
    assert {*GAMES} <= {game["name"] for game in told["games"]}
    for game in told["games"]:
        assert [each["key"] for each in game["rules"]] == [
            each.key for each in registry.spec(game["name"]).rule_sets
        ]
        options = {each["name"]: each["default"] for each in game["options"]}
        answer = bot.post("/api/duels", json={"game": game["name"], "mode": "here", "options": options})
        assert answer.status_code == 201, answer.text


# A bot need not know the rules


def test_the_state_holds_the_board_the_points_and_the_total(bot: httpx.Client) -> None:
    place = f"/api/duels/{begin(bot, 'number-snatch', options={'numbers': [2, 3, 6]})['id']}"
    bot.post(f"{place}/move", json={"move": 2})
    state = bot.get(place).json()
    assert state["scores"] == [2, 0] and state["totals"] == {}
    assert [tile["kind"] for tile in state["board"]["tiles"]] == ["first", "open", "open"]
    assert state["board"]["effects"]["6"]["text"] == "takes 6 and snatches 2"
    state = bot.post(f"{place}/move", json={"move": 6}).json()
    assert state["scores"] == [0, 8]

    place = f"/api/duels/{begin(bot)['id']}"
    state = bot.post(f"{place}/move", json={"move": 4}).json()
    assert state["scores"] is None and state["totals"] == {"total": {"value": 4, "of": 15}}
    assert state["board"]["note"]["values"] == {"left": 11}
    assert state["board"]["last"] == [3]


# My duels


def listed(bot: httpx.Client, **asking: Any) -> tuple[list[str], str | None]:
    answer = bot.get("/api/me/duels", params=asking)
    assert answer.status_code == 200, answer.text
    return [each["id"] for each in answer.json()["duels"]], answer.json()["next"]


def test_duels_are_listed_page_by_page(bot: httpx.Client) -> None:
    made = [begin(bot)["id"] for _ in range(5)]
    found, last = listed(bot, limit=2)
    while last:
        page, last = listed(bot, limit=2, before=last)
        found += page
    assert found == made[::-1]


def test_the_list_needs_a_token(bot: httpx.Client) -> None:
    answer = bot.get("/api/me/duels")
    fault(answer, 401, "no_token")
    assert answer.headers["www-authenticate"] == "Bearer"
    bot.headers["authorization"] = "Bearer never-heard-of-this-one"
    for asking in ({}, {"before": "1-a"}):
        fault(bot.get("/api/me/duels", params=asking), 401, "unknown_token")
    for path in ("/me/events", "/api/me/stream"):
        assert bot.get(path, headers={"authorization": ""}).status_code == 401
    begin(bot)
    for wrong in ({"limit": 0}, {"limit": 51}, {"limit": "many"}, {"before": "x"}, {"before": "1-' OR 1"}):
        fault(bot.get("/api/me/duels", params=wrong), 422, "field")


# What is wrong


@table(
    "status, moves",
    [
        (422, [True, False, None, 1.5, [], [[]], {"a": 6}]),
        (409, [-1, 10**30, "six", "\ud800", "6\0", " ", "", "9" * 5_000]),
    ],
)
def test_a_move_of_an_odd_kind_is_refused(bot: httpx.Client, status: int, moves: list[Any]) -> None:
    place = f"/api/duels/{begin(bot)['id']}"
    for move in moves:
        state = fault(_post(bot, f"{place}/move", json.dumps({"move": move})), status, "illegal")
        assert state["ply"] == 0


def test_an_unknown_field_is_refused(bot: httpx.Client) -> None:
    answer = bot.post("/api/duels", json={"game": "range-war", "lvl": "perfect"})
    fault(answer, 422, "field")
    assert answer.json()["error"] == "Lvl: Object contains unknown field `lvl`."
    answer = bot.post("/api/duels", json={"game": "range-war", "options": {"size": 101}})
    fault(answer, 422, "option")
    assert answer.json()["error"] == "Size: Expected `int` <= 100."


@table("ply", [True, -1, 0.5, "first", [0, 1], 10**9, "0" * 99])
def test_a_ply_that_is_no_count_is_refused(bot: httpx.Client, ply: Any) -> None:
    place = f"/api/duels/{begin(bot)['id']}"
    assert fault(bot.post(f"{place}/move", json={"move": 6, "ply": ply}), 400, "unreadable")["ply"] == 0


NO_OBJECTS = ["{", "[]", "6", "null", '"move"', "\ud800", f'{{"move": {"9" * 5_000}}}', "[" * 5_000]


@table("body", NO_OBJECTS)
def test_a_body_that_is_no_json_object_is_refused(bot: httpx.Client, body: str) -> None:
    place = f"/api/duels/{begin(bot)['id']}"
    assert fault(_post(bot, f"{place}/move", body), 400, "unreadable")["ply"] == 0


def _post(bot: httpx.Client, path: str, body: str) -> httpx.Response:
    data = body.encode("utf-8", "surrogatepass")
    return bot.post(path, content=data, headers={"content-type": "application/json"})


@table(
    "fields, key",
    [
        ({}, "unknown_game"),
        ({"game": "chess"}, "unknown_game"),
        ({"game": None}, "unknown_game"),
        ({"game": "\ud800"}, "unknown_game"),
        ({"game": "range-war", "mode": "there"}, "mode"),
        ({"game": "range-war", "level": "godlike"}, "level"),
        ({"game": "range-war", "seat": True}, "seat"),
        ({"game": "range-war", "best_of": 4}, "best_of"),
        ({"game": "range-war", "options": {"size": True}}, "option"),
        ({"game": "range-war", "options": {"size": 0}}, "option"),
        ({"game": "range-war", "options": {"opening": "upper"}}, "option"),
        ({"game": "number-snatch", "options": {"numbers": [1, 1]}}, "option"),
        ({"game": "summation-duel", "options": {"size": 3, "target": 50}}, "option"),
    ],
)
def test_a_game_that_cannot_be_is_refused(bot: httpx.Client, fields: dict[str, Any], key: str) -> None:
    answer = _post(bot, "/api/duels", json.dumps(fields))
    options = fields.get("options", {})
    together = len(options) > 1 or "numbers" in options  # each would do, and both do not
    assert fault(answer, 409 if together else 422, key) is None
    assert ".." not in answer.json()["error"]


def test_there_is_no_such_game(bot: httpx.Client) -> None:
    begin(bot)
    for path in ("", "/record", "/review", "/stream", "/hint"):
        assert fault(bot.get(f"/api/duels/nosuchgamenosu{path}"), 404, "missing") is None
    for path in ("move", "join", "resign", "rematch"):
        assert fault(bot.post(f"/api/duels/nosuchgamenosu/{path}", json={"move": 1}), 404, "missing") is None
    assert fault(_post(bot, "/api/duels/nosuchgamenosu/move", "{"), 404, "missing") is None
    for odd in ("%00", "%ed%a0%80", "x" * 5_000, "..%2f..", "%F0%9F%98%80"):
        assert bot.get(f"/api/duels/{odd}").status_code == 404


def test_a_wrong_method_names_the_right_one(bot: httpx.Client) -> None:
    match = begin(bot)["id"]
    for method, path, right in (
        ("GET", f"/api/duels/{match}/move", "POST"),
        ("DELETE", f"/api/duels/{match}", "GET"),
        ("PATCH", "/api/games", "GET"),
    ):
        answer = bot.request(method, path)
        fault(answer, 405, "method")
        assert right in answer.headers["allow"]


def test_a_huge_body_is_refused(bot: httpx.Client) -> None:
    place = f"/api/duels/{begin(bot)['id']}/move"
    for body in (b" " * 20_000, iter([b" " * 1_000] * 40)):  # the second does not tell its length
        fault(bot.post(place, content=body, headers={"content-type": "application/json"}), 413, "too_long")


def test_forms_are_as_good_as_json(bot: httpx.Client) -> None:
    answer = bot.post("/api/duels", data={"game": "range-war", "mode": "here", "options.size": "12"})
    assert answer.json()["state"]["options"]["size"] == 12
