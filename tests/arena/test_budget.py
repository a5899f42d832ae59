"""A budget stops a run before it gets dearer, and a larger one goes on."""

from __future__ import annotations

from pathlib import Path

from cli.running import duel
from numberduels.arena.budget import Budget
from numberduels.arena.results_file import GAMES, read_lines
from players.chat_server import ChatServer


def cost(folder: Path) -> float:
    lines = read_lines(str(folder / GAMES))
    attempts = (each for line in lines for move in line["moves"] for each in move.get("attempts", ()))
    return float(sum(each["cost"] for each in attempts))


def test_a_spent_budget_starts_no_more_games_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    with ChatServer() as server:
        options = [
            "--players",
            "chat:toy,random",
            "--games",
            "range-war",
            "--rounds",
            "6",
            "--concurrency",
            "1",
        ]
        options += ["--base-url", server.url, "--out", str(tmp_path), "--price", "chat:toy=1000,1000"]
        first = duel("arena", "run", *options, "--budget", "0.000001")
        assert first.status == 1 and first.out.startswith("The budget of 1e-06 is spent"), first
        # The game that is being played when the first one ends is finished, and another may have begun.
        played = len(list(read_lines(str(tmp_path / GAMES))))
        assert 1 <= played <= 3 and cost(tmp_path) > 0.000001
        asked = len(server.asked)
        assert duel("arena", "run", *options, "--budget", "0.000001").status == 1
        assert len(server.asked) == asked
        assert duel("arena", "run", *options, "--budget", "1000000").status == 0
    assert len(list(read_lines(str(tmp_path / GAMES)))) == 12


def test_a_budget_without_a_price_says_so(tmp_path: Path) -> None:
    with ChatServer() as server:
        options = ["--players", "chat:toy,random", "--games", "range-war", "--rounds", "1"]
        done = duel(
            "arena", "run", *options, "--base-url", server.url, "--out", str(tmp_path), "--budget", "1"
        )
    assert "no price is known for 'chat:toy'" in done.err


def test_lines_from_anywhere_are_counted_safely() -> None:
    budget = Budget(1.0)
    for moves in (None, "x", [1], [{"attempts": 3}], [{"attempts": [None, {"cost": "9"}, {"cost": 0.25}]}]):
        budget.add_line({"moves": moves})
    assert budget.cost == 0.25 and not budget.spent
