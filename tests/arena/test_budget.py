"""A budget stops a run before it gets dearer, and a larger one goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cli.running import Ran, duel
from numberduels.arena.run_folder import GAMES, line_cost, read_lines
from players.chat_server import Answer, Asked, ChatServer, first_legal, say, send
from tables import table

COST = (11 + 3) * 1000 / 1e6
"""The cost of one answer of the scripted server: 11 tokens in and 3 out."""


def arena(folder: Path, *more: str, price: int | None = 1000) -> Ran:
    """Run with this price of a million tokens."""
    folder.mkdir(exist_ok=True)
    (folder / "models.toml").write_text("" if price is None else f"[toy]\nprice = [{price}, {price}]")
    return duel(
        *("arena", "run", "--players", "chat:toy,random", "--games", "range-war", "--rounds", "6"),
        *("--model-options", str(folder / "models.toml"), "--concurrency", "1", "--out", str(folder), *more),
    )


def lines(folder: Path) -> list[dict[str, Any]]:
    return list(read_lines(str(folder / GAMES)))


def paid_answers(folder: Path) -> list[dict[str, Any]]:
    moves = [move for line in lines(folder) for move in line["moves"]]
    return [each for move in moves for each in move.get("attempts", ()) if not each.get("cached")]


def test_no_request_is_sent_when_the_budget_is_spent_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    with ChatServer() as server:
        first = arena(tmp_path, "--budget", str(2.5 * COST))
        assert first.status == 1 and first.out.startswith("The budget of 0.035 is spent"), first
        assert "0.042" in first.out
        assert len(server.asked) == 3  # the third answer passes the limit
        assert len(paid_answers(tmp_path)) == 3  # also those of the game that was broken off
        again = arena(tmp_path, "--budget", str(2.5 * COST))
        assert again.status == 1 and len(server.asked) == 3
        last = arena(tmp_path, "--budget", "1000")
        assert last.status == 0, last
        assert len({line["key"] for line in lines(tmp_path) if line["end"] != "error"}) == 12
        assert len(server.asked) == len(paid_answers(tmp_path))
    told = duel("arena", "report", str(tmp_path), "--json")
    assert told.status == 0 and '"own_errors": 0' in told.out


def test_a_budget_is_refused_after_one_answer_without_a_known_cost(tmp_path: Path) -> None:
    with ChatServer() as server:
        ran = arena(tmp_path, "--budget", "1", price=None)
        assert ran.status == 2 and ran.err.count("\n") == 1, ran
        assert "--budget cannot be kept: the answers of 'chat:toy' have no known cost" in ran.err
        assert len(server.asked) == 1
        assert arena(tmp_path, "--budget", "1000").status == 0


def test_a_price_is_of_no_use_if_the_server_counts_no_tokens(tmp_path: Path) -> None:
    def uncounted(asked: Asked) -> Answer:
        return say(first_legal(asked).body and "MOVE: 1", tokens=None)(asked)

    with ChatServer(otherwise=uncounted) as server:
        ran = arena(tmp_path, "--budget", "1")
        assert ran.status == 2 and "the server must count tokens" in ran.err
        assert len(server.asked) == 1
        free = arena(tmp_path / "free", "--budget", "1", price=0)
        assert free.status == 0, free


def test_a_cost_that_the_server_reports_counts(tmp_path: Path) -> None:
    answer = {"choices": [{"message": {"content": "MOVE: 1"}}], "usage": {"cost": 0.4}}
    with ChatServer(otherwise=send(answer)) as server:
        ran = arena(tmp_path, "--budget", "1", "--attempts", "5", price=None)
        assert ran.status == 1 and "the answers so far cost 1.2" in ran.out, ran
        assert len(server.asked) == 3


def test_retries_of_a_decision_stop_at_the_budget_too(tmp_path: Path) -> None:
    with ChatServer(otherwise=say("I do not know.")) as server:
        ran = arena(tmp_path, "--budget", str(1.5 * COST), "--attempts", "9")
        assert ran.status == 1 and len(server.asked) == 2
    (line,) = lines(tmp_path)
    assert line["moves"][-1]["move"] is None and len(line["moves"][-1]["attempts"]) == 2
    assert (line["end"], line["result"], line["forfeit"]) == ("error", "*", None), "it counts for nobody"


@table("cost", ["9", True, -3, 10**400, None, [1]])
def test_a_cost_that_is_none_counts_nothing(cost: Any) -> None:
    attempts = [None, {"cost": cost}, {"cost": 0.25}]
    assert line_cost({"moves": [{"attempts": attempts}]}) == 0.25
