"""What the tools of the MCP server do, without protocol and worker processes; and the page of the board."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from adopted.samples import code_that_leaves_a_trace
from numberduels.game import adopted
from numberduels.harness.mcp import tools
from numberduels.harness.mcp.tools import TASKS, ShownPosition, board_page

SIX = "summation-duel:size=4:target=6"
"""By hand: of the first moves only 3 wins."""


LARGE = "summation-duel:size=60:target=500"
"""More than anybody wants to wait for: refused by counted work, never by a clock."""


def begin(**changed: Any) -> tuple[bytes, ShownPosition]:
    values: dict[str, Any] = {
        "game_id": "a", "game": SIX, "opponent": "perfect", "seat": "first", "seed": 1, "opening": 0,
        "attempts": 3, "reward": "kept",
    }  # fmt: skip
    return tools.new_game(**values | changed)


def test_the_board_offers_exactly_the_legal_moves() -> None:
    for game in ("range-war", "number-snatch", "restricted-removal", "summation-duel"):
        _, shown = begin(game=game, opening=2)
        assert {tile.move for tile in shown.board if tile.move} == set(shown.legal_moves), game
    _, shown = begin(game="number-collision:size=4")
    offered = {number + tile.move for number in shown.hand for tile in shown.board if tile.move}
    assert offered == set(shown.legal_moves)


def test_a_position_tells_no_value() -> None:
    text = str(asdict(begin()[1])).lower()
    assert not any(word in text for word in ("win", "loss", "verdict", "remoteness", "reward"))


def test_a_game_that_is_over_takes_no_move_and_offers_none() -> None:
    state, _ = begin()
    state, done = tools.move("a", state, "4", judge=False)
    over = done.position
    assert over.done and over.legal_moves == [] and not any(tile.move for tile in over.board)
    forfeited = tools.move("a", begin(attempts=1)[0], "9", judge=False)[1].position
    assert forfeited.done and not any(tile.move for tile in forfeited.board)
    for call in (lambda: tools.move("a", state, "1", judge=False), lambda: tools.hint("a", state)):
        with pytest.raises(ValueError, match="the game is over"):
            call()


def test_a_record_is_reviewed_unless_it_is_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    record = '[Game "range-war"]\n[Size "10"]\n[Opening "lower"]\n\n6 5 *\n'
    review = tools.review_record(record)
    assert [each.verdict for each in review.moves] == ["threw away a win", "only move"]
    monkeypatch.setattr(tools, "MAX_RECORD_MOVES", 1)
    with pytest.raises(ValueError, match="a game with at most 1 moves can be reviewed"):
        tools.review_record(record)


def test_what_is_too_much_is_refused() -> None:
    for changed, message in (
        ({"game": "range-war:size=101"}, "size must be a whole number from 1 to 100"),
        ({"game": "openspiel:nim"}, "is no game of this server"),
        ({"game": "pettingzoo:tictactoe_v3"}, "is no game of this server"),
        ({"opponent": "mcts:10"}, "opponent must be random or greedy"),
        ({"opponent": "human"}, "opponent must be random or greedy"),
        ({"game": "x" * 501}, "game has at most 500 characters"),
        ({"seed": -1}, "seed must be a whole number"),
        (
            {"game": LARGE, "seat": "second"},
            "perfect cannot finish this game: there are more than 100,000 positions",
        ),
        ({"game": LARGE, "opponent": "random"}, "reward kept needs a game that can be solved: .* 100,000"),
    ):
        with pytest.raises(ValueError, match=message):
            begin(**changed)


def test_no_call_loads_a_game_of_another_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client is not the person at the keyboard: not even a game that this person allowed is loaded."""
    code, trace = code_that_leaves_a_trace(tmp_path)
    monkeypatch.setenv(adopted.ALLOWED, f"{code}\npettingzoo:tictactoe_v3")
    loaded: list[str] = []
    monkeypatch.setattr(adopted, "load_environment", loaded.append)
    for name in (code, f"{code}:deal=1", "openspiel:nim", "pettingzoo:tictactoe_v3"):
        with pytest.raises(ValueError, match="is no game of this server"):
            begin(game=name)
        with pytest.raises(ValueError, match=r"this is not a record: line 1: .* is not offered here"):
            tools.review_record(f'[Game "{name}"]\n\n*\n')
        with pytest.raises(ValueError, match="there is no game called"):
            TASKS["puzzle"](name, 1, "1", None)
    assert not trace.exists() and loaded == []


def test_the_policy_names_the_script_and_the_style_by_their_hashes() -> None:
    page = board_page()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy is not None and policy[1].startswith("default-src 'none';")
    for tag in ("script", "style"):
        (inner,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = b64encode(sha256(inner.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy[1]
    assert "unsafe" not in policy[1] and "*" not in policy[1]


def test_it_loads_nothing_and_writes_no_markup() -> None:
    page = board_page()
    for word in ("http:", "https:", "src=", "href=", "url(", "innerHTML", "eval(", "fetch(", "import "):
        assert word not in page
