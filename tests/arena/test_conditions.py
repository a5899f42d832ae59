"""`--vary` and `--samples` from the command to the report, against a scripted model."""

from __future__ import annotations

import json
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from cli.running import duel, refused
from numberduels.arena.results import read_result
from numberduels.game.record import read
from numberduels.game.table import replay
from numberduels.solvers import Retrograde
from players.chat_server import Answer, Asked, ChatServer, legal, say
from tables import table

GAME = "range-war:size=8"
SUM = "summation-duel:size=7:target=15"


def only_with_a_list(asked: Asked) -> Answer:
    """Answers with the first legal move if the prompt lists the legal moves, otherwise with nothing."""
    listed = "Legal moves:" in asked.prompt
    return say(f"MOVE: {legal(asked.prompt)[0]}" if listed else "I do not know.")(asked)


class Alternating:
    """Answers each question first with the first legal move, then with the last, and so on."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    def __call__(self, asked: Asked) -> Answer:
        with self._lock:
            self.asked[asked.prompt] += 1
            even = self.asked[asked.prompt] % 2 == 0
        return say(f"MOVE: {legal(asked.prompt)[-1 if even else 0]}")(asked)


def arena(folder: Path, url: str, *more: str, players: str = "chat:m", game: str = GAME) -> None:
    ran = duel(
        *("arena", "run", "--players", players, "--games", game, "--seed", "7", "--base-url", url),
        *(*more, "--out", str(folder)),
    )
    assert ran.status == 0, ran


def report(folder: Path) -> dict[str, Any]:
    ran = duel("arena", "report", str(folder), "--json")
    assert ran.status == 0, ran
    found: dict[str, Any] = json.loads(ran.out)
    return found


def lines(folder: Path) -> list[dict[str, Any]]:
    text = (folder / "games.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def keeps(line: dict[str, Any]) -> tuple[bool, bool]:
    """Whether the first and the last legal move keep the value, by the general solver."""
    saved = read(line["record"])
    table = replay(saved.game, saved.moves[: line["opening"]])
    solver: Any = Retrograde(saved.game)
    best = solver.best_moves(table.state)
    return table.moves[0] in best, table.moves[-1] in best


def test_a_model_plays_under_every_condition_and_the_difference_is_told(tmp_path: Path) -> None:
    options = ("--positions", "10", "--vary", "legal", "--attempts", "1")
    with ChatServer(otherwise=only_with_a_list) as server:
        arena(tmp_path, server.url, *options, players="chat:m,random")
        asked = len(server.asked)
        arena(tmp_path, server.url, *options, players="chat:m,random")
        assert len(server.asked) == asked == 20  # nothing is asked twice
    saved = lines(tmp_path)
    names = ("chat:m [legal=yes]", "chat:m [legal=no]", "random")
    positions = [{line["seed"] for line in saved if line["players"] == [name]} for name in names]
    assert positions[0] == positions[1] == positions[2] and len(positions[0]) == 10
    first = sum(keeps(line)[0] for line in saved if line["players"] == ["chat:m [legal=yes]"])
    assert 0 < first < 10
    found = report(tmp_path)
    (effect,) = found["factors"]
    assert (effect["model"], effect["factor"]) == ("chat:m", "legal")
    assert (effect["from"], effect["to"]) == ("yes", "no")
    assert effect["accuracy"]["change"] == pytest.approx(-first / 10)
    assert effect["no_move"] == {"change": 1.0, "interval": [1.0, 1.0], "openings": 10}
    assert effect["score"] is None and found["samples"] == []
    rows = {row["player"]: row["accuracy"]["share"] for row in found["players"]}
    assert rows["chat:m [legal=yes]"] == pytest.approx(first / 10) and rows["chat:m [legal=no]"] == 0
    text = duel("arena", "report", str(tmp_path)).out
    assert "Conditions side by side" in text and "yes to no" in text and "+100 (+100 to +100)" in text
    assert "Models played under each combination of these conditions: legal." in text
    assert "Conditions side by side" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_whole_games_are_compared_opening_by_opening(tmp_path: Path) -> None:
    """Without the list every game is forfeited; against random the model wins what it wins with the list."""
    with ChatServer(otherwise=only_with_a_list) as server:
        arena(tmp_path, server.url, "--vary", "legal,disguise", "--rounds", "3", "--against", "random")
    saved = [read_result(number, line) for number, line in enumerate(lines(tmp_path), 1)]
    assert len(saved) == 4 * 3 * 2  # four variants, three openings, both seats
    assert len({game.seed for game in saved}) == 3
    won = {
        name: sum(game.ends is not None and game.ends[game.players.index(name)] == "won" for game in played)
        for name in ("chat:m [legal=yes, disguise=no]", "chat:m [legal=no, disguise=no]")
        if (played := [game for game in saved if name in game.players])
    }
    assert won["chat:m [legal=no, disguise=no]"] == 0
    (effect,) = [
        each
        for each in report(tmp_path)["factors"]
        if each["factor"] == "legal" and each["others"] == {"disguise": "no"}
    ]
    assert effect["score"]["change"] == pytest.approx(-won["chat:m [legal=yes, disguise=no]"] / 6)
    assert effect["score"]["openings"] == 3


def test_models_among_the_fixed_opponents_are_varied_too(tmp_path: Path) -> None:
    options = ("--vary", "legal", "--rounds", "1", "--against", "chat:k")
    with ChatServer(otherwise=only_with_a_list) as server:
        arena(tmp_path, server.url, *options, players="chat:m,random")
    pairs = {frozenset(line["players"]) for line in lines(tmp_path)}
    assert pairs == {
        frozenset(pair)
        for word in ("yes", "no")
        for pair in (
            (f"chat:m [legal={word}]", f"chat:k [legal={word}]"),
            ("random", f"chat:k [legal={word}]"),
        )
    }


def test_samples_are_asked_counted_and_grow(tmp_path: Path) -> None:
    behaviour = Alternating()
    with ChatServer(otherwise=behaviour) as server:
        arena(tmp_path, server.url, "--positions", "6", "--samples", "2", game=SUM)
        assert len(server.asked) == 12
        arena(tmp_path, server.url, "--positions", "6", "--samples", "4", game=SUM)
        assert len(server.asked) == 24
    assert set(behaviour.asked.values()) == {4}
    saved = lines(tmp_path)
    assert sorted(line["sample"] for line in saved if line["round"] == 1) == [1, 2, 3, 4]
    keys = {line["key"].removeprefix(f"{SUM} | chat:m | ") for line in saved if line["round"] == 1}
    assert keys == {"1", "1 | sample 2", "1 | sample 3", "1 | sample 4"}
    kept = [keeps(line) for line in saved if line["sample"] == 1]
    right = [2 * first + 2 * last for first, last in kept]  # of four answers
    assert len(set(right)) > 1
    (row,) = report(tmp_path)["samples"]
    assert (row["positions"], row["answers"], row["agreement"]["mean"]) == (6, 24, 0.5)
    by_hand = {0: (0, 0, 0), 2: (1 / 2, 5 / 6, 1), 4: (1, 1, 1)}
    for place, k in enumerate(("1", "2", "4")):
        assert row["pass_at"][k]["mean"] == pytest.approx(sum(by_hand[each][place] for each in right) / 6)
    assert row["majority_keeps"]["mean"] == pytest.approx(sum(each / 4 for each in right) / 6)  # always a tie
    text = duel("arena", "report", str(tmp_path)).out
    assert "Several answers to a position" in text and "pass@4" in text


def test_a_seed_among_the_options_of_a_model_differs_between_samples(tmp_path: Path) -> None:
    (tmp_path / "models.toml").write_text('["chat:m"]\nseed = 40\n', encoding="utf-8")
    options = ("--model-options", str(tmp_path / "models.toml"))
    with ChatServer() as server:
        arena(tmp_path / "run", server.url, "--positions", "1", "--samples", "3", *options)
        assert sorted(asked.body["seed"] for asked in server.asked) == [40, 41, 42]


def test_merged_folders_keep_variants_and_samples(tmp_path: Path) -> None:
    with ChatServer() as server:
        for name, positions in (("a", "2"), ("b", "3")):
            arena(tmp_path / name, server.url, "--positions", positions, "--samples", "2", "--vary", "board")
    ran = duel("arena", "merge", str(tmp_path / "a"), str(tmp_path / "b"), "--out", str(tmp_path / "c"))
    assert ran.status == 0, ran
    assert len(lines(tmp_path / "c")) == 3 * 2 * 2
    found = report(tmp_path / "c")
    assert [row["answers"] for row in found["samples"]] == [6, 6]
    assert found["factors"][0]["accuracy"]["openings"] == 3


@table(
    "arguments, phrase",
    [
        ("--players chat:m,perfect --vary colour", "--vary takes legal, reasoning, disguise, board"),
        ("--players chat:m,perfect --vary legal,legal", "--vary names legal twice"),
        ("--players chat:m,perfect --vary legal --no-legal", "--vary legal has all its values already"),
        ("--players random,perfect --vary legal", "--vary is for language models"),
        ("--players chat:m,chat:m --vary legal", "named twice"),
        ("--players chat:m,perfect --samples 4", "say --positions N, too"),
        ("--players perfect --positions 2 --samples 0", "--samples takes a whole number from 1 to 1000"),
        ("--players perfect --positions 2 --samples many", "--samples takes a whole number"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, arguments: str, phrase: str) -> None:
    ran = duel("arena", "run", *arguments.split(), "--games", GAME, "--out", str(tmp_path / "run"))
    refused(ran, phrase)
    assert not (tmp_path / "run").exists()


def test_a_single_model_needs_an_opponent_even_with_variants(tmp_path: Path) -> None:
    ran = duel(
        *("arena", "run", "--player", "chat:m [legal=yes]", "--player", "chat:m [legal=no]"),
        *("--games", GAME, "--base-url", "http://127.0.0.1:9/v1", "--out", str(tmp_path / "run")),
    )
    refused(ran, "name an opponent")
