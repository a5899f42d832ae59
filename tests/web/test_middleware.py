"""Security of a real server: secrets, other sites, hostile requests, limits."""

from __future__ import annotations

import asyncio
import json
from html import escape
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from starlette.testclient import TestClient

from numberduels.game.record import read
from numberduels.web.http.middleware import HEADERS, POLICY, cross_site
from numberduels.web.match.seating import hash_secret
from tables import table

from .in_process import InProcessServer, in_process, unlimited
from .in_process import begin as begin_by_form
from .serving import PATIENCE, Line, Server, serving, somebody

ACTIONS = ["move", "undo", "takeback", "accept", "decline", "resign", "rematch"]


def begin(visitor: Any, **fields: Any) -> dict[str, Any]:
    data = {"game": "summation-duel", "mode": "here", "options": {"size": 6, "target": 15}} | fields
    answer = visitor.post("/api/duels", json=data)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


def begin_on_page(visitor: Any, **fields: str) -> str:
    """The address of a new game; the browser has its cookie from here on."""
    return begin_by_form(visitor, **{"game": "summation-duel"} | fields)


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


# Seats are secrets


def test_without_the_secret_nobody_moves_resigns_or_takes_back(visitor: TestClient) -> None:
    made = begin(visitor)
    place, token = f"/api/duels/{made['id']}", made["token"]
    visitor.post(f"{place}/move", json={"move": 6}, headers=bearer(token))
    strangers: list[dict[str, str]] = [
        {},
        bearer("x"),
        bearer(hash_secret(token)),
        bearer(token[:-1]),
        bearer(token.swapcase()),
        bearer(made["id"]),
        {"authorization": f"Basic {token}"},
        {"cookie": "duel="},
        {"cookie": f"duel={hash_secret(token)}"},
        {"cookie": f"token={token}"},
    ]
    for headers in strangers:
        for action in ACTIONS:
            answer = visitor.post(f"{place}/{action}", json={"move": 3}, headers=headers | somebody())
            assert (answer.status_code, answer.json()["key"]) == (403, "stranger"), (action, headers)
    for action in ACTIONS:
        assert visitor.post(f"/g/{made['id']}/{action}", data={"move": "3"}).status_code == 403
    state = visitor.get(place).json()
    assert (state["version"], state["moves"]) == (2, ["6"])
    assert visitor.post(f"{place}/move", json={"move": 3}, headers=bearer(token)).status_code == 200


def test_nobody_takes_a_seat_without_the_invitation(visitor: TestClient) -> None:
    made = begin(visitor, mode="friend")
    place = f"/api/duels/{made['id']}/join"
    key = made["invitation"]
    for wrong in ("", made["id"], hash_secret(key), key[:-1], made["token"], True, None):
        answer = visitor.post(place, json={"invitation": wrong})
        assert (answer.status_code, answer.json()["key"]) == (403, "uninvited")
    assert visitor.post(f"/g/{made['id']}/join", data={"name": "Eve"}).status_code == 403
    assert visitor.post(place, json={"invitation": made["invitation"]}).status_code == 200
    answer = visitor.post(place, json={"invitation": made["invitation"]})
    assert (answer.status_code, answer.json()["key"]) == (409, "taken")


def test_a_token_that_could_be_guessed_is_not_taken(visitor: TestClient) -> None:
    answer = visitor.post("/api/duels", json={"game": "range-war", "mode": "here"}, headers=bearer("1234"))
    assert len(answer.json()["token"]) >= 32
    token = "my own long and secret token"
    answer = visitor.post("/api/duels", json={"game": "range-war", "mode": "here"}, headers=bearer(token))
    assert answer.json()["token"] == token


def test_secrets_are_not_stored_or_shown(tmp_path: Path) -> None:
    with in_process(unlimited(tmp_path / "duels.sqlite")) as server:
        _hides_secrets(server, server.visitor(), tmp_path)


def _hides_secrets(server: InProcessServer, visitor: TestClient, folder: Path) -> None:
    made = begin(visitor, mode="friend")
    joined = visitor.post(f"/api/duels/{made['id']}/join", json={"invitation": made["invitation"]}).json()
    place = begin_on_page(visitor, mode="friend")
    # The third cookie has the last choices, which are no secret.
    by_form = [cookie.value or "" for cookie in visitor.cookies.jar if cookie.name != "last"]
    assert len(by_form) == 2
    secrets = [made["token"], made["invitation"], joined["token"], *by_form]
    kept = b"".join(each.read_bytes() for each in folder.iterdir())
    assert len(set(secrets)) == 5
    for secret in secrets:
        assert len(secret) >= 32
        assert secret.encode() not in kept
        assert hash_secret(secret).encode() in kept, "which shows that we looked at the right place"
    pages = [place, f"{place}/join", f"{place}/record", f"/g/{made['id']}", f"/api/duels/{made['id']}"]
    told = "".join(server.visitor().get(page).text for page in [*pages, "/metrics", "/"])
    for secret in secrets:
        assert secret not in told
        assert hash_secret(secret) not in told


# Other sites


@table(
    "headers, own",
    [
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"origin": "http://testserver"}, True),
        ({}, True),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"sec-fetch-site": "same-site"}, False),
        ({"sec-fetch-site": "cross-site", "origin": "http://testserver"}, False),
        ({"origin": "https://evil.example"}, False),
        ({"origin": "null"}, False),
        ({"origin": "http://["}, False),
        ({"origin": "http://testserver.evil.example"}, False),
        ({"origin": ""}, False),
    ],
)
def test_posts_of_other_sites_are_refused(visitor: TestClient, headers: dict[str, str], own: bool) -> None:
    place = begin_on_page(visitor)
    for path in (f"{place}/move", f"/api/duels/{place[3:]}/move", "/new", "/api/duels"):
        answer = visitor.post(path, data={"move": "6", "game": "range-war"}, headers=headers)
        assert (answer.status_code != 403) is own, (path, answer.text)
    assert (visitor.get(f"/api/duels/{place[3:]}").json()["version"] > 1) is own


@table(
    "origin, scheme, host, own",
    [
        ("https://duels.example", "https", "duels.example", True),
        ("http://duels.example", "https", "duels.example", False),
        ("https://duels.example", "http", "duels.example", False),
        ("https://Duels.example", "https", "duels.EXAMPLE:443", True),
        ("http://duels.example", "http", "duels.example:80", True),
        ("https://duels.example:444", "https", "duels.example", False),
        ("https://duels.example:80", "https", "duels.example", False),
        ("duels.example", "https", "duels.example", False),
    ],
)
def test_an_origin_is_compared_with_its_scheme(origin: str, scheme: str, host: str, own: bool) -> None:
    assert cross_site({b"origin": origin.encode(), b"host": host.encode()}, scheme) != own


def test_a_bot_with_a_token_is_no_browser() -> None:
    assert not cross_site({b"authorization": b"Bearer x", b"sec-fetch-site": b"cross-site"}, "https")


# What every answer says


def test_every_kind_of_answer_has_all_headers(visitor: TestClient) -> None:
    place = begin_on_page(visitor, mode="computer", level="random")
    visitor.post(f"{place}/resign")
    match = place[3:]
    paths = ["/", "/learn", "/puzzles", place, f"{place}/review", f"{place}/record", f"/api/duels/{match}"]
    paths += ["/static/site.js", "/healthz", "/metrics", "/nothing", "/g/nosuchgame", "/api/nothing"]
    answers = {path: visitor.get(path) for path in [*paths, "/static/nothing"]} | {
        "redirect": visitor.post("/new", data={"game": "range-war", "mode": "here"}),
        "wrong method": visitor.put("/"),
        "refused": visitor.post(f"{place}/move"),
        "bad": visitor.post("/api/duels", content=b"{", headers={"content-type": "application/json"}),
        "foreign": visitor.post("/new", headers={"origin": "https://evil.example"}),
        "too long": visitor.post("/new", content=b"x" * 20_000),
        "head": visitor.head(place),
    }
    assert [answers[name].status_code for name in ("foreign", "too long")] == [403, 413]
    with visitor.stream("GET", f"/api/duels/{match}/stream") as stream:
        answers["stream"] = stream
        assert "content-encoding" not in stream.headers, "else an event would wait for more to compress"
        assert next(stream.iter_text()).startswith("retry:")
    for name, answer in answers.items():
        for header, value in HEADERS:
            assert answer.headers.get_list(header.decode()) == [value.decode()], (name, header)
        assert "server" not in answer.headers


def test_scripts_and_styles_are_ours_alone() -> None:
    rules = dict(rule.strip().split(" ", 1) for rule in POLICY.split(";"))
    assert rules["default-src"] == rules["base-uri"] == rules["frame-ancestors"] == "'none'"
    assert {rules[kind] for kind in ("script-src", "style-src", "connect-src", "form-action")} == {"'self'"}


# Names and texts

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "{{ 7 * 7 }}{% raise %}",
    "]]><svg onload=alert(1)>",
    "&lt;b&gt;",
    '[Winner "me"]\\',
]


def test_hostile_names_are_shown_as_they_are(visitor: TestClient) -> None:
    for name in HOSTILE:
        place = begin_on_page(visitor, name=name, other=f"{name[:28]}2")
        visitor.post(f"{place}/move", data={"move": "6"})
        visitor.post(f"{place}/resign")
        kept = read(visitor.get(f"{place}/record").text)
        assert kept.names[0] == name
        page = visitor.get(place).text
        assert escape(name).replace("&#x27;", "&#39;").replace("&quot;", "&#34;") in page
        for path in ("", "/review"):
            text = visitor.get(place + path).text
            if name.startswith(("<", '"', "'", "]")):
                assert name not in text


def test_names_are_short_and_visible(visitor: TestClient) -> None:
    odd = "  A\u202en\x00n\ud800\n\n<b>\u200b\x1b[31m" + "x" * 5_000
    answer = visitor.post(
        "/api/duels",
        content=json.dumps({"game": "range-war", "mode": "here", "name": odd}),
        headers={"content-type": "application/json"},
    )
    name = answer.json()["state"]["players"][0]["name"]
    assert name.startswith("Ann<b>[31mxxx")
    assert len(name) == 30


def test_request_data_is_never_html_of_the_page(visitor: TestClient) -> None:
    script = "<script>alert(1)</script>"
    friend = begin_on_page(visitor, mode="friend")
    visitor.cookies.clear()
    for answer in (
        visitor.get(f"/{script}"),
        visitor.get(f"/g/{script}"),
        visitor.get(f"/learn/{script}"),
        visitor.get(f"/puzzles/{script}"),
        visitor.get("/", params={"language": script}),
        visitor.get(friend, params={"ply": script, "values": script, "hint": script}),
        visitor.get(f"{friend}/join", params={"key": script}),
        visitor.post("/new", data={"game": script}),
        visitor.post(
            "/new", data={"game": "range-war", "options.size": script, "name": script, "seat": script}
        ),
        visitor.post(f"{friend}/join", data={"invitation": script, "name": script}),
    ):
        assert "alert(1)</script>" not in answer.text
        assert answer.status_code != 500


# The way to the server


FEW = {"burst": 5, "rate": 0.01}


def posted(server: Server, addresses: list[str]) -> list[int]:
    """The answers to posts of which a proxy tells these addresses."""

    async def post() -> list[int]:
        line = Line(server.port)
        found = []
        for each in addresses:
            line.headers = {"x-forwarded-for": each}
            found.append((await line.post("/api/duels/nothing/move")).status)
        line.close()
        return found

    return asyncio.run(post())


@pytest.mark.long
def test_the_word_of_a_trusted_proxy_is_taken(tmp_path: Path) -> None:
    with serving(tmp_path, settings=FEW) as server:
        assert posted(server, [f"10.200.0.{number}" for number in range(10)]) == [404] * 10
        # What a visitor says of itself stands left of what the proxy says of it.
        told = [f"10.200.1.{number}, 10.201.0.1" for number in range(6)]
        assert posted(server, told) == [404] * 5 + [429]
        # All of one network of the new kind is one customer.
        assert posted(server, [f"2001:db8::1:{number}" for number in range(6)]) == [404] * 5 + [429]


@pytest.mark.long
def test_the_word_of_nobody_is_taken_unless_the_host_says_so(tmp_path: Path) -> None:
    with serving(tmp_path, settings=FEW, trust="") as server:
        headers = {"x-forwarded-proto": "https", "x-forwarded-for": "10.0.0.1"}
        data = {"game": "range-war", "mode": "here"}
        answer = httpx.post(f"{server.url}/new", data=data, headers=headers, timeout=PATIENCE)
        assert answer.status_code == 303
        assert "secure" not in answer.headers["set-cookie"].lower()
        assert posted(server, [f"10.200.0.{number}" for number in range(5)]) == [404] * 4 + [429]
        (line,) = (line for line in server.log_lines() if line["level"] == "warning")
        assert "--trust" in line["message"], "which is said once"


def test_head_is_get_without_the_body(visitor: TestClient) -> None:
    place = begin_on_page(visitor)
    for path in ("/", place, f"{place}/record", "/api/games", "/static/site.js", "/nothing", "/metrics"):
        got, asked = visitor.get(path), visitor.head(path)
        assert (asked.status_code, asked.content) == (got.status_code, b"")
        assert asked.headers["content-type"] == got.headers["content-type"]
    for stream in (f"{place}/events", f"/api/duels/{place[3:]}/stream"):
        asked = visitor.head(stream)
        assert visitor.get("/healthz").status_code == 200, "on the same connection"
        assert asked.headers["content-type"].startswith("text/event-stream")


def test_other_methods_do_nothing(visitor: TestClient) -> None:
    place = begin_on_page(visitor)
    for method in ("BREW", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "PROPFIND"):
        for path in ("/", place, f"{place}/move", f"/api/duels/{place[3:]}", "/static/site.js"):
            answer = visitor.request(method, path)
            assert answer.status_code in (400, 405)
            assert "access-control-allow-origin" not in answer.headers
    assert visitor.get(f"/api/duels/{place[3:]}").json()["version"] == 1


OUTSIDE = [
    "/static/../app.py",
    "/static/%2e%2e/app.py",
    "/static/..%2fapp.py",
    "/static/..%2f..%2f..%2f..%2fetc/passwd",
    "/static//etc/passwd",
    "/static/%2fetc%2fpasswd",
    "/static/..\\app.py",
    "/static/pictures/../../app.py",
    "/static/%00",
    "/static/",
    "/static",
]


@pytest.mark.long
def test_no_file_but_the_static_ones_is_served(tmp_path: Path) -> None:
    async def ask(server: Server) -> None:
        line = Line(server.port)
        for path in OUTSIDE:
            answer = await line.get(path)
            assert b"import" not in answer.body
            assert b"root:" not in answer.body
            assert answer.status in (307, 404), path
        line.close()

    with serving(tmp_path) as server:
        asyncio.run(ask(server))
        assert not any("fault" in line for line in server.log_lines())


def test_a_cookie_is_never_sent_back_in_a_body(visitor: TestClient) -> None:
    secret = "abcdefghijklmnopqrstuvwxyz"
    answer = visitor.post(
        "/api/duels", json={"game": "range-war", "mode": "here"}, headers={"cookie": f"duel={secret}"}
    )
    assert answer.status_code == 201 and secret not in answer.text
