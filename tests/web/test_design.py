"""The design: tokens, the choice of a theme, files that style sheets name."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path

from starlette.testclient import TestClient

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
