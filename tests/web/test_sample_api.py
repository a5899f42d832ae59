"""Bots that were written for an earlier version go on: the API still takes and tells what it did."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from numberduels.web.http.openapi import openapi_document
from tables import table
from web.in_process import InProcessServer, in_process, unlimited

SAMPLES = Path(__file__).parents[1] / "samples"
STATES: dict[str, Any] = json.loads((SAMPLES / "api" / "0.5.0" / "states.json").read_text(encoding="utf-8"))

OPTIONS = {
    "here": {"size": 6, "opening": "lower", "ending": "normal"},
    "friend": {"size": 4, "top": 20, "numbers": [2, 5, 7, 9]},
    "computer": {"size": 4, "values": 2, "repetition": "allowed"},
}
SCORES = {"here": None, "friend": [9, 0], "computer": None}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[InProcessServer]:
    """A server with the games that version 0.5.0 stored."""
    place = tmp_path / "duels.sqlite"
    shutil.copy(SAMPLES / "store" / "0.5.0" / "duels.sqlite", place)
    with in_process(unlimited(place)) as running:
        yield running


def test_every_path_of_0_5_is_there() -> None:
    old = json.loads((SAMPLES / "api" / "0.5.0" / "openapi.json").read_text(encoding="utf-8"))["paths"]
    now = openapi_document()["paths"]
    missing = [f"{method} {path}" for path in old for method in old[path] if method not in now.get(path, {})]
    assert missing == []


@table("name", STATES)
def test_a_game_of_0_5_is_told_with_every_field_as_before(name: str, server: InProcessServer) -> None:
    before = STATES[name]["state"]
    now = server.visitor().get(f"/api/duels/{before['id']}").json()
    now["players"] = [{key: each[key] for key in ("kind", "name", "level")} for each in now["players"]]
    # Changed in 1.0: options are numbers, words and lists, one is new, and a resigned game tells its scores.
    assert now.pop("options") == OPTIONS[name]
    assert now.pop("scores") == SCORES[name]
    assert {key: now[key] for key in before if key not in ("options", "scores")} == {
        key: value for key, value in before.items() if key not in ("options", "scores")
    }


def test_a_token_of_0_5_still_moves(server: InProcessServer) -> None:
    game, token = STATES["computer"]["id"], STATES["computer"]["token"]
    answer = server.visitor().post(
        f"/api/duels/{game}/move",
        json={"move": "1@1", "ply": 0},
        headers={"authorization": f"Bearer {token}"},
    )
    assert answer.status_code == 200
    assert answer.json()["moves"][0] == "1@1"


def test_the_pages_and_the_review_of_a_game_of_0_5_open(server: InProcessServer) -> None:
    game = STATES["here"]["id"]
    visitor = server.visitor()
    assert visitor.get(f"/g/{game}").status_code == 200
    assert len(visitor.get(f"/api/duels/{game}/review").json()["moves"]) == 6
