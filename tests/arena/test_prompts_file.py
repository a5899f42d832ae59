"""What a run keeps of the conversations with models: every message once, by its hash."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from numberduels.arena.merge import check_run, merge_runs
from numberduels.arena.plan import Plan
from numberduels.arena.prompts_file import PROMPTS, message_id, read_prompts
from numberduels.arena.results_file import GAMES, read_results
from numberduels.arena.run import run_plan
from numberduels.players.external import ExternalSettings
from players.chat_server import ChatServer, first_legal, say
from tables import table


def model_run(folder: Path, server: ChatServer, rounds: int = 1, **settings: Any) -> None:
    terms = ExternalSettings(base_url=server.url, concurrency=1, **settings)
    run_plan(
        Plan(("chat:toy", "random"), ("range-war:size=5:opening=lower",), rounds, terms=terms), str(folder)
    )


def attempts(folder: Path) -> list[Any]:
    games = read_results(str(folder / GAMES))
    return [attempt for game in games for move in game.moves for attempt in move.attempts]


def test_every_conversation_can_be_read_again_as_it_was_sent(tmp_path: Path) -> None:
    with ChatServer(["MOVE: 99"]) as server:
        model_run(tmp_path, server)
    prompts = read_prompts(str(tmp_path))
    sent = [asked.messages for asked in server.asked]
    kept = [[prompts[name] for name in attempt.prompt] for attempt in attempts(tmp_path)]
    assert sorted(map(json.dumps, kept)) == sorted(map(json.dumps, sent)) and len(sent[1]) == 4


def test_a_message_is_kept_once_also_when_a_run_is_continued(tmp_path: Path) -> None:
    with ChatServer() as server:
        model_run(tmp_path, server, 1)
        model_run(tmp_path, server, 3)
    lines = [json.loads(line) for line in (tmp_path / PROMPTS).read_text().splitlines()]
    assert len({line["id"] for line in lines}) == len(lines)
    assert [line["id"] for line in lines] == [message_id(line["role"], line["content"]) for line in lines]
    assert sum(line["role"] == "system" for line in lines) == 2, "one for each seat"
    assert {name for attempt in attempts(tmp_path) for name in attempt.prompt} == {
        line["id"] for line in lines
    }


def test_an_incomplete_line_is_removed_before_the_next_message(tmp_path: Path) -> None:
    with ChatServer() as server:
        model_run(tmp_path, server, 1)
        with open(tmp_path / PROMPTS, "a") as file:
            file.write('{"id": "abc", "ro')
        model_run(tmp_path, server, 2)
    assert len(read_prompts(str(tmp_path))) == len((tmp_path / PROMPTS).read_text().splitlines())


def test_a_run_without_models_has_no_prompts(tmp_path: Path) -> None:
    run_plan(Plan(("greedy", "random"), ("range-war:size=5:opening=lower",), 1), str(tmp_path))
    assert not (tmp_path / PROMPTS).exists() and read_prompts(str(tmp_path)) == {}


@table("line", ['{"id": "abc", "role": "user", "content": "Hello"}', '{"role": 5}', "[]"])
def test_a_message_under_another_id_is_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / PROMPTS).write_text(f"{line}\n")
    with pytest.raises(ValueError, match=r"line 1 of prompts\.jsonl is not"):
        read_prompts(str(tmp_path))


def test_merged_runs_keep_the_prompts_of_both(tmp_path: Path) -> None:
    with ChatServer() as server:
        model_run(tmp_path / "one", server, 1)
        model_run(tmp_path / "two", server, 2)
    runs = [check_run(str(tmp_path / name), lambda _done, _total: None) for name in ("one", "two")]
    merge_runs(runs, str(tmp_path / "out"))
    both = {**read_prompts(str(tmp_path / "one")), **read_prompts(str(tmp_path / "two"))}
    assert read_prompts(str(tmp_path / "out")) == both and len(both) > 3


def test_what_came_back_is_kept(tmp_path: Path) -> None:
    def thinking(asked: Any) -> Any:
        text = json.loads(first_legal(asked).body)["choices"][0]["message"]["content"]
        return say(text, reasoning_content="Let me see.")(asked)

    with ChatServer(["MOVE: 99"], otherwise=thinking) as server:
        model_run(tmp_path, server)
    found = attempts(tmp_path)
    refused = [attempt for attempt in found if attempt.fault]
    assert [(attempt.cause, attempt.finish) for attempt in refused] == [("illegal", "stop")]
    assert all(attempt.reasoning == "Let me see." for attempt in found if not attempt.fault)


def test_what_nobody_said_is_not_in_the_line(tmp_path: Path) -> None:
    with ChatServer() as server:
        model_run(tmp_path, server)
    line = json.loads((tmp_path / GAMES).read_text().splitlines()[0])
    (attempt, *_) = next(move["attempts"] for move in line["moves"] if move.get("attempts"))
    assert set(attempt) == {
        *("answer", "fault", "seconds", "tokens_in", "tokens_out", "cost", "finish", "prompt"),
    }
