"""The folder of a run: every message to a model once, every whole line read, several folders as one run."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cli.running import duel, refused
from numberduels.arena.plan import Plan
from numberduels.arena.report import read_report
from numberduels.arena.run import run_plan
from numberduels.arena.run_folder import (
    GAMES,
    PROMPTS,
    LinesFile,
    join_games,
    message_id,
    read_lines,
    read_run,
)
from numberduels.players.external import ExternalSettings
from players.chat_server import ChatServer, first_legal, say

PLAN = Plan(("greedy", "random"), ("range-war:size=10:opening=lower",), rounds=4)


def test_a_torn_line_is_cut_off_and_the_others_stay(tmp_path: Path) -> None:
    path = tmp_path / GAMES
    path.write_bytes(b'{"key":"a"}\n{"key":"b"}\n{"key":"' + b"c" * 200_000)
    assert [line["key"] for line in read_lines(str(path))] == ["a", "b"]
    file = LinesFile(str(path))
    file.append([{"key": "d"}])
    file.close()
    assert [line["key"] for line in read_lines(str(path))] == ["a", "b", "d"]


# Prompts


def model_run(folder: Path, server: ChatServer, rounds: int = 1) -> None:
    terms = ExternalSettings(base_url=server.url, concurrency=1)
    plan = Plan(("chat:toy", "random"), ("range-war:size=5:opening=lower",), rounds, terms=terms)
    run_plan(plan, str(folder))


def attempts(folder: Path) -> list[Any]:
    return [
        attempt for game in read_run(str(folder)).games for move in game.moves for attempt in move.attempts
    ]


def test_every_conversation_can_be_read_again_as_it_was_sent(tmp_path: Path) -> None:
    with ChatServer(["MOVE: 99"]) as server:
        model_run(tmp_path, server)
    prompts = {line.pop("id"): line for line in read_lines(str(tmp_path / PROMPTS))}
    sent = [asked.messages for asked in server.asked]
    kept = [[prompts[name] for name in attempt.prompt] for attempt in attempts(tmp_path)]
    assert sorted(map(json.dumps, kept)) == sorted(map(json.dumps, sent)) and len(sent[1]) == 4


def test_a_message_is_kept_once_also_when_a_run_is_continued_after_a_kill(tmp_path: Path) -> None:
    with ChatServer() as server:
        model_run(tmp_path, server, 1)
        with open(tmp_path / PROMPTS, "a") as file:
            file.write('{"id": "abc", "ro')
        model_run(tmp_path, server, 3)
    lines = [json.loads(line) for line in (tmp_path / PROMPTS).read_text().splitlines()]
    assert len({line["id"] for line in lines}) == len(lines)
    assert [line["id"] for line in lines] == [message_id(line["role"], line["content"]) for line in lines]
    assert sum(line["role"] == "system" for line in lines) == 2, "one for each seat"
    assert {name for attempt in attempts(tmp_path) for name in attempt.prompt} == {
        line["id"] for line in lines
    }


def test_what_came_back_is_kept_and_what_nobody_said_is_not_in_the_line(tmp_path: Path) -> None:
    def thinking(asked: Any) -> Any:
        text = json.loads(first_legal(asked).body)["choices"][0]["message"]["content"]
        return say(text, reasoning_content="Let me see.")(asked)

    with ChatServer(["MOVE: 99"], otherwise=thinking) as server:
        model_run(tmp_path, server)
    found = [
        each
        for line in read_lines(str(tmp_path / GAMES))
        for move in line["moves"]
        for each in move.get("attempts", ())
    ]
    (refused,) = [each for each in found if each["fault"]]
    always = {"answer", "fault", "seconds", "tokens_in", "tokens_out", "cost", "finish", "prompt"}
    assert set(refused) == always | {"cause"} and (refused["cause"], refused["finish"]) == ("illegal", "stop")
    answered = [each for each in found if not each["fault"]]
    assert all(set(each) == always | {"reasoning"} for each in answered)
    assert {each["reasoning"] for each in answered} == {"Let me see."}


# Several runs


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three runs; to be copied, not changed."""
    folder = tmp_path_factory.mktemp("runs")
    run_plan(PLAN, str(folder / "one"))
    run_plan(replace(PLAN, players=("greedy", "perfect"), rounds=2), str(folder / "two"))
    run_plan(replace(PLAN, seed="9"), str(folder / "seed9"))
    return folder


@pytest.fixture
def at(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The three runs in the current folder."""
    monkeypatch.chdir(shutil.copytree(runs, tmp_path / "at"))
    return tmp_path / "at"


def change(folder: Path, number: int, edit: Callable[[dict[str, Any]], None]) -> None:
    """Change a line of a run; lines count from 0."""
    lines = list(read_lines(str(folder / GAMES)))
    edit(lines[number])
    (folder / GAMES).write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_a_report_on_several_runs_counts_every_game_once(at: Path) -> None:
    done = duel("arena", "report", "one", "two", "seed9", "one", "--json")
    assert json.loads(done.out)["games"] == 20 and not (at / "one" / "report.html").exists()
    told = duel("arena", "report", "one", "two", "--html", "both.html")
    assert told.status == 0 and "not over" not in told.out
    assert (at / "both.html").read_text().count("<html") == 1
    refused(duel("arena", "report", "one", "nowhere"), "'nowhere' holds no run")


def test_a_report_on_several_runs_says_how_many_games_are_missing(at: Path) -> None:
    games = at / "two" / GAMES
    games.write_text("".join(games.read_text().splitlines(keepends=True)[:-1]))
    assert "The run is not over: 1 of 12 are still to be played." in duel("arena", "report", "one", "two").out


def test_a_game_that_was_abandoned_gives_way_to_the_one_that_was_finished(at: Path) -> None:
    shutil.copytree("one", "broken")
    error = {"seat": 0, "cause": "error", "message": ""}
    change(at / "broken", 3, lambda line: line.update(end="error", result="*", forfeit=error))
    for order in (["broken", "one"], ["one", "broken"]):
        assert [game.end for game in join_games([*map(read_run, order)])] == ["stuck"] * 8
    games = at / "broken" / GAMES  # as a run leaves it that was continued: the game is there twice
    games.write_text(games.read_text() + (at / "one" / GAMES).read_text().splitlines(keepends=True)[3])
    assert [game.end for game in read_run("broken").unique().values()] == ["stuck"] * 8


def test_games_that_were_played_differently_count_twice_but_times_and_versions_do_not_matter(
    at: Path,
) -> None:
    shutil.copytree("one", "other")
    change(
        at / "other", 0, lambda line: line.update(seconds=9.5, ended="2020-01-01T00:00:00Z", version="0.1")
    )
    assert len(read_report("one", "other").games) == 8
    change(at / "other", 5, lambda line: line["moves"][-1].update(verdict="kept" + "?"))
    assert len(read_report("one", "other").games) == 9


def test_models_with_other_settings_are_other_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with ChatServer() as server:
        for name, reasoning in (("aloud", True), ("short", False)):
            terms = ExternalSettings(base_url=server.url, reasoning=reasoning, attempts=1)
            run_plan(Plan(("chat:toy", "random"), PLAN.games, rounds=1, terms=terms), name)
    rows = read_report("aloud", "short").stats.players
    assert {row.player: row.started for row in rows} == {
        "chat:toy [aloud]": 2,
        "chat:toy [short]": 2,
        "random": 4,
    }
