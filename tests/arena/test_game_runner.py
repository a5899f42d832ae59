"""One game of a run: whatever the players do, it ends, and every move is judged."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from numberduels.arena.game_runner import PLAYERS, play_game
from numberduels.arena.plan import Plan, PlannedGame
from numberduels.game import record
from numberduels.game.registry import read_game
from numberduels.players.external import DEFAULT_SETTINGS
from numberduels.players.player import Attempt, Forfeit, Player
from tables import table


def play(scheduled: PlannedGame) -> dict[str, Any]:
    """The line that a run saves of a game."""
    return play_game(scheduled).to_json()


class Scripted(Player):
    """Does what it is told, and then fails in the way it is told."""

    def __init__(self, name: str, fault: Exception | None = None, after: int = 0, move: Any = None) -> None:
        self.name, self.fault, self.after, self.move = name, fault, after, move
        self.choices = 0
        self.heard: list[tuple[Any, ...]] = []
        self.closed = self.prepared = 0

    def prepare(self, game: Any, start: Any) -> None:
        self.prepared += 1

    def set_history(self, played: Any) -> None:
        self.heard.append(tuple(played))

    def choose(self, game: Any, state: Any, rng: Random) -> Any:
        self.choices += 1
        self.attempts = [Attempt("what?", "unreadable"), Attempt("5")]
        if self.choices > self.after:
            if self.fault:
                raise self.fault
            if self.move is not None:
                return self.move
        return rng.choice(game.moves(state))

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def sit(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Let a player of ours sit down under its name."""

    def seat(player: Player) -> Player:
        monkeypatch.setitem(PLAYERS.players, (player.name, DEFAULT_SETTINGS), player)
        return player

    return seat


def scheduled(game: str, *players: str, **more: Any) -> PlannedGame:
    return PlannedGame(Plan(players, (read_game(game)[0],), **more), read_game(game)[0], players, 1)


@table("game", ["range-war", "number-snatch", "restricted-removal", "summation-duel"])
def test_a_game_is_kept_as_a_record_with_a_verdict_on_every_choice(game: str) -> None:
    line = play(scheduled(game, "greedy", "random", seed="5"))
    kept = record.read(line["record"])
    assert kept.result == line["result"] and kept.result != "*"
    assert [move["move"] for move in line["moves"]] == [
        kept.spec.text_for(kept.game).format_move(move) for move in kept.moves
    ]
    assert [move["seat"] for move in line["moves"]] == [ply % 2 for ply in range(len(kept.moves))]
    for move in line["moves"]:
        assert ("verdict" in move) == (move["ply"] > line["opening"])


def test_each_player_is_prepared_once(sit: Any) -> None:
    for opening in (0, 1):
        players = [sit(Scripted("one")), sit(Scripted("two"))]
        play(scheduled("summation-duel", "one", "two", opening=opening))
        assert [each.prepared for each in players] == [1, 1], opening


def test_a_deal_takes_the_place_of_an_opening() -> None:
    lines = [
        play(each)
        for each in Plan(("greedy", "random"), ("number-snatch:size=6:top=12",), rounds=2).schedule()
    ]
    assert [line["opening"] for line in lines] == [0] * 4
    deals = [line["options"]["numbers"] for line in lines]
    assert deals[0] == deals[1] != deals[2] == deals[3]


@table(
    "fault, move, cause, message",
    [
        (Forfeit("timeout", "It was late."), None, "timeout", "It was late."),
        (Forfeit("crash", "It died."), None, "crash", "It died."),
        (RuntimeError("boom\x1b"), None, "crash", r"RuntimeError: 'boom\x1b'"),
        (None, 99, "illegal", "Number 99 is not on the line: it runs from 1 to 10."),
        (None, "abc", "crash", "TypeError"),
    ],
)
def test_a_player_that_fails_loses_and_the_cause_is_told(
    sit: Any, fault: Exception | None, move: Any, cause: str, message: str
) -> None:
    player = sit(Scripted("bad", fault, after=1, move=move))
    for players, result in ((("bad", "random"), "0-1"), (("random", "bad"), "1-0")):
        player.choices = 0
        line = play(scheduled("range-war", *players, seed="2"))
        if line["end"] != "forfeit":
            continue  # it was over before the second choice
        seat = players.index("bad")
        assert line["result"] == record.read(line["record"]).result == result
        assert line["forfeit"]["seat"] == seat and line["forfeit"]["cause"] == cause
        assert line["forfeit"]["message"].startswith(message)
        assert line["moves"][-1]["move"] is None and line["moves"][-1]["attempts"][0]["answer"] == "what?"
        assert player.closed
        return
    raise AssertionError("it never came to a second choice")


def test_who_cannot_be_reached_has_not_lost(sit: Any) -> None:
    sit(Scripted("gone", Forfeit("error", "No answer.")))
    line = play(scheduled("range-war", "gone", "random"))
    assert (line["result"], line["end"], line["forfeit"]["cause"]) == ("*", "error", "error")


def test_players_hear_all_moves_before_each_choice(sit: Any) -> None:
    player = sit(Scripted("ears"))
    line = play(scheduled("summation-duel", "ears", "random", seed="4"))
    moves = tuple(record.read(line["record"]).moves)
    assert player.heard == [moves[:ply] for ply in range(line["opening"], len(moves), 2)]


def test_a_game_that_goes_on_for_ever_is_unfinished_and_nobody_wins() -> None:
    line = play(scheduled("number-collision", "perfect", "perfect", limit=30))
    assert (line["result"], line["end"], len(line["moves"])) == ("*", "limit", 30)


def test_a_decision_is_asked_for_where_a_wrong_move_exists() -> None:
    for game in (
        "range-war",
        "number-snatch",
        "restricted-removal",
        "summation-duel",
        "number-collision:size=4",
    ):
        plan = Plan(("random", "perfect"), (read_game(game)[0],), positions=4, seed="6")
        lines = [play(each) for each in plan.schedule()]
        for line in lines:
            *drawn, choice = line["moves"]
            assert line["kind"] == "position" and len(line["players"]) == 1
            assert all("verdict" not in move for move in drawn) and len(drawn) == line["opening"]
            assert choice["keeping"] > 0 and choice["losing"] > 0
            if line["players"] == ["perfect"]:
                assert choice["before"] == choice["after"]
        random, perfect = lines[::2], lines[1::2]
        for one, other in zip(random, perfect, strict=True):  # the same positions for all
            assert [move["move"] for move in one["moves"][:-1]] == [
                move["move"] for move in other["moves"][:-1]
            ]
