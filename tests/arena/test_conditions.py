"""`--vary` from the command to the report, against a scripted model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.running import duel, refused
from numberduels.arena.conditions import FactorEffect, factor_effects
from numberduels.arena.results import GameResult, read_result
from numberduels.game.record import read
from numberduels.game.table import replay
from numberduels.solvers import Retrograde
from players.chat_server import Answer, Asked, ChatServer, legal, say
from tables import table

GAME = "range-war:size=8"


def only_with_a_list(asked: Asked) -> Answer:
    """Answers with the first legal move if the prompt lists the legal moves, otherwise with nothing."""
    listed = "Legal moves:" in asked.prompt
    return say(f"MOVE: {legal(asked.prompt)[0]}" if listed else "I do not know.")(asked)


def arena(folder: Path, *more: str, players: str = "chat:m", game: str = GAME) -> None:
    ran = duel(
        *("arena", "run", "--players", players, "--games", game, "--seed", "7"),
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
        arena(tmp_path, *options, players="chat:m,random")
        asked = len(server.asked)
        arena(tmp_path, *options, players="chat:m,random")
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
    assert effect["score"] is None
    rows = {row["player"]: row["accuracy"]["share"] for row in found["players"]}
    assert rows["chat:m [legal=yes]"] == pytest.approx(first / 10) and rows["chat:m [legal=no]"] == 0
    text = duel("arena", "report", str(tmp_path)).out
    assert "Conditions side by side" in text and "yes to no" in text and "+100 (+100 to +100)" in text
    assert "Models played under each combination of these conditions: legal." in text
    assert "Conditions side by side" in (tmp_path / "report.html").read_text(encoding="utf-8")


@table(
    "arguments, phrase",
    [
        ("--players chat:m,perfect --vary legal --no-legal", "--vary legal has all its values already"),
        ("--players random,perfect --vary legal", "--vary is for language models"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, arguments: str, phrase: str) -> None:
    ran = duel("arena", "run", *arguments.split(), "--games", GAME, "--out", str(tmp_path / "run"))
    refused(ran, phrase)
    assert not (tmp_path / "run").exists()


# Differences, against figures computed by hand


def game(
    player: str, round_: int, verdicts: str, won: bool = True, label: str = "range-war:size=5"
) -> GameResult:
    """A game that the player begins: its decisions are k (kept), l (lost) and n (no move)."""
    words = {"k": "kept", "l": "threw away a win", "n": "no move"}
    moves: list[dict[str, Any]] = [
        {"seat": 0, "move": None if each == "n" else "1", "seconds": 0.1, "verdict": words[each]}
        | {"before": "win", "after": "win" if each == "k" else "loss", "keeping": 1, "losing": 1}
        for each in verdicts
    ]
    line = {
        "game": "range-war",
        "key": f"{label} | {player} | perfect | {round_}",
        "round": round_,
        "seed": f"7 {label} {round_}",
        "players": [player, "perfect"],
        "result": "1-0" if won else "0-1",
        "moves": moves,
    }
    return read_result(1, line)


def effect(games: list[GameResult], factor: str, others: Any = None) -> FactorEffect:
    (found,) = [e for e in factor_effects(games) if e.factor == factor and e.others == others]
    return found


def test_two_openings_by_hand() -> None:
    """With the list 3 of 4 and 4 of 4 kept, without it 1 of 4 and 3 of 4: 7/8 and 4/8."""
    games = [
        game("chat:m [legal=yes]", 1, "kkkl"),
        game("chat:m [legal=yes]", 2, "kkkk"),
        game("chat:m [legal=no]", 1, "klln", won=False),
        game("chat:m [legal=no]", 2, "kkkl"),
    ]
    found = effect(games, "legal")
    assert (found.model, found.change) == ("chat:m", ("yes", "no"))
    accuracy = found.differences["accuracy"]
    assert accuracy.change == pytest.approx(4 / 8 - 7 / 8) and accuracy.openings == 2
    assert accuracy.interval == pytest.approx((1 / 4 - 3 / 4, 3 / 4 - 1))  # one opening twice
    assert found.differences["score"].change == pytest.approx(-1 / 2)
    assert found.differences["no_move"].change == pytest.approx(1 / 8)


def test_openings_that_only_one_variant_has_played_do_not_count() -> None:
    games = [
        game("chat:m [legal=yes]", 1, "kk"),
        game("chat:m [legal=yes]", 2, "ll"),
        game("chat:m [legal=no]", 1, "kl"),
    ]
    accuracy = effect(games, "legal").differences["accuracy"]
    assert (accuracy.change, accuracy.interval, accuracy.openings) == (-0.5, None, 1)


def test_each_game_has_the_same_weight() -> None:
    """In one game -1 over two openings, in another 0 over one: the mean is -1/2, not -2/3."""
    other = "summation-duel"
    games = [
        *(game("chat:m [legal=yes]", number, "k") for number in (1, 2)),
        *(game("chat:m [legal=no]", number, "l") for number in (1, 2)),
        game("chat:m [legal=yes]", 1, "k", label=other),
        game("chat:m [legal=no]", 1, "k", label=other),
    ]
    assert effect(games, "legal").differences["accuracy"].change == pytest.approx(-0.5)


def test_with_two_factors_each_is_told_over_the_other_and_under_each_of_its_values() -> None:
    rates = {("yes", "no"): "kkkk", ("no", "no"): "kkkl", ("yes", "yes"): "kkll", ("no", "yes"): "llll"}
    games = [
        game(f"chat:m [legal={legal}, disguise={disguise}]", 1, verdicts)
        for (legal, disguise), verdicts in rates.items()
    ]
    assert effect(games, "legal").differences["accuracy"].change == pytest.approx(3 / 8 - 6 / 8)
    plain = effect(games, "legal", (("disguise", "no"),)).differences["accuracy"]
    hidden = effect(games, "legal", (("disguise", "yes"),)).differences["accuracy"]
    assert (plain.change, hidden.change) == (-0.25, -0.5)
    assert effect(games, "disguise").differences["accuracy"].change == pytest.approx(2 / 8 - 7 / 8)
