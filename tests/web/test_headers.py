"""Headers for browsers, proxies and crawlers, host names, and files: icons, style sheets, service worker."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image
from starlette.testclient import TestClient

from numberduels.web.http import assets
from numberduels.web.http.middleware import FRAGMENT
from numberduels.web.store.base import Event, Unavailable
from numberduels.web.store.sqlite import SqliteStore
from tables import table

from .in_process import InProcessServer, begin, in_process, unlimited


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcessServer]:
    folder = tmp_path_factory.mktemp("headers")
    with in_process(unlimited(folder / "duels.sqlite", hosts=("duels.example", "[::1]"))) as running:
        yield running


@pytest.fixture
def visitor(server: InProcessServer) -> TestClient:
    return server.visitor(base_url="http://duels.example")


# Keeping


def test_every_file_that_a_page_names_may_be_kept_for_ever(visitor: TestClient) -> None:
    named: set[str] = set()
    for path in ("/", "/learn", "/puzzles", begin(visitor)):
        named |= set(re.findall(r'(?:href|src)="(/static/[^"]*)"', visitor.get(path).text))
    assert {"icon.svg", "page.css", "site.js", "pictures/range-war.svg"} <= {
        place.removeprefix("/static/").partition("?")[0] for place in named
    }
    for place in named:
        answer = visitor.get(place)
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable", place


def test_a_file_with_another_hash_is_not_cached_forever(visitor: TestClient) -> None:
    own = assets.asset_url("page.css")
    for place in ("/static/page.css", "/static/page.css?1", f"{own}0", f"{own}&x=1", "/static/nothing?1"):
        assert visitor.get(place).headers["cache-control"] == "private, no-cache", place


def test_pages_may_be_kept_for_going_back_and_parts_of_pages_and_answers_to_bots_may_not(
    visitor: TestClient,
) -> None:
    place = begin(visitor)
    for path in ("/", place, f"{place}/record", "/learn", "/nowhere"):
        assert visitor.get(path).headers["cache-control"] == "private, no-cache", path
    assert visitor.get(place, headers={FRAGMENT: "1"}).headers["cache-control"] == "no-store"
    whole, part = visitor.get(place).text, visitor.get(place, headers={FRAGMENT: "1"}).text
    assert "<html" in whole and "<html" not in part  # each is remembered by itself
    assert visitor.post(f"{place}/move", data={"move": "3"}).headers["cache-control"] == "no-store"
    for path in (f"/api/duels/{place[3:]}", "/api/games", "/healthz", "/metrics"):
        assert visitor.get(path).headers["cache-control"] == "no-store", path


# Compressing


def test_texts_are_compressed_if_the_client_accepts_it(visitor: TestClient) -> None:
    place = begin(visitor)
    for path in ("/", place, "/static/board.css", "/static/pictures/range-war.svg", "/api/openapi.json"):
        with visitor.stream("GET", path, headers={"accept-encoding": "gzip"}) as answer:
            small = b"".join(answer.iter_raw())
        plain = visitor.get(path, headers={"accept-encoding": "identity"})
        assert answer.headers["content-encoding"] == "gzip", path
        assert "content-encoding" not in plain.headers
        assert gzip.decompress(small) == plain.content
        assert len(small) < 0.7 * len(plain.content)
        assert "accept-encoding" in answer.headers["vary"].lower()


# Crawlers


def test_games_are_not_to_be_indexed_and_all_else_is(visitor: TestClient) -> None:
    place = begin(visitor)
    visitor.post(f"{place}/resign")
    for path in (place, f"{place}/review", f"{place}/record", "/g/nothing", f"/api/duels/{place[3:]}"):
        assert visitor.get(path).headers["x-robots-tag"] == "noindex", path
    for path in ("/", "/learn", "/puzzles", "/static/icon.svg"):
        assert "x-robots-tag" not in visitor.get(path).headers, path


def test_robots_txt_excludes_endless_pages(visitor: TestClient) -> None:
    answer = visitor.get("/robots.txt")
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/plain")
    lines = answer.text.splitlines()
    assert "User-agent: *" in lines and "Disallow: /api/" in lines and "Disallow: /puzzles/new" in lines
    assert "Disallow: /puzzles/" not in lines, "a puzzle is public"
    assert not any(line.startswith("Disallow: /g") for line in lines), "else nobody would see the noindex"


# Names


def test_other_host_names_are_refused(visitor: TestClient) -> None:
    def asked(host: str, path: str = "/", method: str = "GET") -> int:
        return visitor.request(method, path, headers={"host": host}).status_code

    for own in ("duels.example", "DUELS.example", "duels.example:8000", "[::1]", "[::1]:8000"):
        assert asked(own) == 200, own
    for other in ("evil.example", "duels.example.evil.example", "xduels.example", "", "[::2]", "127.0.0.1"):
        assert asked(other) == asked(other, "/static/icon.svg") == asked(other, "/new", "POST") == 400, other
        assert asked(other, "/healthz") == asked(other, "/metrics") == 200, "machines ask by address"
    told = visitor.get("/api/games", headers={"host": "evil.example"})
    assert told.json()["key"] == "host" and "evil" not in told.text


def test_two_host_headers_are_refused(visitor: TestClient) -> None:
    for names in (["duels.example", "evil.example"], ["evil.example", "duels.example"]):
        assert visitor.get("/", headers=[("host", name) for name in names]).status_code == 400


# Cookies


@table("scheme", ["http", "https"])
def test_every_cookie_is_for_this_site_and_no_script_and_secure_where_the_page_is(
    server: InProcessServer, scheme: str
) -> None:
    visitor = server.visitor(base_url=f"{scheme}://duels.example")
    made = visitor.post("/new", data={"game": "range-war", "mode": "friend"})
    cookies = made.headers.get_list("set-cookie")
    cookies += visitor.get("/?language=de").headers.get_list("set-cookie")
    assert [cookie.partition("=")[0].partition("_")[0] for cookie in cookies] == [
        "duel",
        "last",
        "invitation",
        "language",
    ]
    for cookie in cookies:
        assert "; httponly" in cookie.lower()
        assert "; samesite=lax" in cookie.lower()
        assert ("; secure" in cookie.lower()) == (scheme == "https")


# Errors


@table("path, kind", [("/api/duels", "application/json"), ("/new", "text/html")])
def test_an_unavailable_store_is_503_and_says_when_to_retry(
    path: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> Event:
        raise Unavailable("the disk is full")

    monkeypatch.setattr(SqliteStore, "append", fail)
    with in_process(unlimited(tmp_path / "duels.sqlite")) as server:
        answer = server.visitor().post(path, data={"game": "range-war", "mode": "here"})
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "2")
    assert answer.headers["content-type"].startswith(kind)
    assert "Nothing is lost" in answer.text


def test_the_manifest_installs_the_site_as_an_app(visitor: TestClient) -> None:
    answer = visitor.get("/manifest.webmanifest")
    assert answer.headers["content-type"].startswith("application/manifest+json")
    manifest = answer.json()
    assert {"name", "short_name", "start_url", "display", "theme_color"} <= manifest.keys()
    for icon in manifest["icons"]:
        found = visitor.get(icon["src"])
        assert found.headers["content-type"].startswith(icon["type"])
        if icon["type"] == "image/png":
            width, height = Image.open(BytesIO(found.content)).size
            assert icon["sizes"] == f"{width}x{height}"
    assert {"192x192", "512x512"} <= {icon["sizes"] for icon in manifest["icons"]}  # what Chromium requires
    assert "maskable" in {icon["purpose"] for icon in manifest["icons"]}
    for shortcut in manifest["shortcuts"]:
        assert visitor.get(shortcut["url"]).status_code == 200


def test_the_service_worker_changes_with_the_offline_page(visitor: TestClient) -> None:
    answer = visitor.get("/service-worker.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "private, no-cache"
    assert visitor.get("/service-worker.js").text == answer.text
    assert visitor.get("/service-worker.js", headers={"accept-language": "de"}).text != answer.text


STATIC = Path(__file__).parents[2] / "src" / "numberduels" / "web" / "http" / "static"
TOKENS = (STATIC / "tokens.css").read_text(encoding="utf-8")


def test_style_sheets_use_only_tokens_that_exist() -> None:
    defined = set(re.findall(r"(--[a-z0-9-]+):", "".join(path.read_text() for path in STATIC.rglob("*.css"))))
    for path in STATIC.rglob("*.css"):
        used = set(re.findall(r"var\((--[a-z0-9-]+)", path.read_text(encoding="utf-8")))
        assert used <= defined, path.name


def test_a_file_that_a_style_sheet_names_has_its_hash_in_its_name_and_is_cached_for_ever(
    visitor: TestClient,
) -> None:
    named = re.findall(r'url\("([^"]*)"\)', TOKENS)
    assert named
    for name in named:
        content = (STATIC / name).read_bytes()
        assert f".{sha256(content).hexdigest()[:12]}." in name
        assert "immutable" in visitor.get(f"/static/{name}").headers["cache-control"]
    assert "immutable" not in visitor.get("/static/tokens.css").headers["cache-control"]


def theme(page: str) -> str:
    found = re.search(r'<html lang="\w+"(?: data-theme="(\w+)")?>', page)
    assert found
    return found[1] or "auto"


def test_the_chosen_theme_is_kept_and_can_be_given_up(visitor: TestClient) -> None:
    place = visitor.post("/new", data={"game": "range-war", "mode": "here"}).headers["location"]
    assert theme(visitor.get("/").text) == "auto"
    assert theme(visitor.get("/learn?theme=dark").text) == "dark"
    assert theme(visitor.get("/").text) == theme(visitor.get(place).text) == "dark"
    assert theme(visitor.get(f"{place}?theme=light").text) == theme(visitor.get(place).text) == "light"
    assert theme(visitor.get("/?theme=purple").text) == "light"
    visitor.get("/?theme=auto")
    assert theme(visitor.get(place).text) == "auto"
