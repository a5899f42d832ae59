"""The taskset and the environment for verifiers, with the real package and a scripted model server."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import verifiers.v1 as vf
from golden_episodes import EPISODES, NAMES, run_example

from numberduels.harness.episode_tasks import EpisodeTasks
from numberduels.harness.verifiers_env import DuelVerifiersEnv

ID = "numberduels-verifiers"
Messages = list[dict[str, str]]


@contextmanager
def model_server(answer: Callable[[Messages], str | int]) -> Iterator[str]:
    """An OpenAI-compatible server whose model answers so; a number is the status of a failure."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            found = answer(request["messages"])
            message = {"role": "assistant", "content": found}
            body: dict[str, Any] = {
                "id": "1",
                "object": "chat.completion",
                "created": 1,
                "model": request["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }
            if isinstance(found, int):
                body = {"error": {"message": "no"}}
            data = json.dumps(body).encode()
            self.send_response(found if isinstance(found, int) else 200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def load(**config: Any) -> DuelVerifiersEnv:
    player = config.pop("player", {})
    env = vf.load_environment(vf.resolve_env_config({"taskset": {"id": ID, **config}, "player": player}))
    assert isinstance(env, DuelVerifiersEnv)
    return env


def play(env: DuelVerifiersEnv, number: int, answer: Callable[[Messages], str | int]) -> list[vf.Episode]:
    """The episodes of the first tasks, played by a model that answers so."""

    async def run(base_url: str) -> list[vf.Episode]:
        client = vf.EvalClientConfig(base_url=base_url, api_key_var="NO_SUCH_KEY")
        context = vf.ModelContext(model="scripted", client=client)
        async with env.serving():
            return [await env.run_episode(task, context) for task in env.taskset.take(number)]

    with model_server(answer) as base_url:
        return asyncio.run(run(base_url))


def first_legal(messages: Messages) -> str:
    return f"MOVE: {messages[-1]['content'].partition('Legal moves: ')[2].split(',')[0].split()[0]}"


@pytest.mark.parametrize("golden", EPISODES, ids=NAMES)
def test_an_episode_replays_the_golden_episodes(golden: dict[str, Any]) -> None:
    settings = dict(golden["settings"])
    games, answers, seen = settings.pop("game"), iter(golden["steps"]), []

    def answer(messages: Messages) -> str:
        step = next(answers)
        seen.append((messages[-1]["content"], step))
        return str(step["answer"])

    env = load(games=games, split="all", start=golden["seed"], settings=settings)
    (episode,) = play(env, 1, answer)
    assert episode.ok, episode.errors
    (trace,) = episode.traces
    played = trace.info["episode"]
    for step, expected in zip(played["steps"], golden["steps"], strict=True):
        for name in ("answer", "move", "cause", "judgement", "reward", "reply", "done", "outcome"):
            assert step[name] == expected[name]
    retry = False
    for prompt, step in seen:  # after a fault the prompt tells the fault instead of the position
        assert retry or step["position"] in prompt
        retry = bool(step["cause"])
    assert trace.reward == played["score"]
    assert trace.num_turns == len(golden["steps"])


def test_the_model_has_the_whole_conversation() -> None:
    conversations: list[Messages] = []

    def answer(messages: Messages) -> str:
        conversations.append(messages)
        return first_legal(messages)

    (episode,) = play(load(games="range-war:size=12"), 1, answer)
    assert episode.ok and len(conversations) > 1
    assert [each["role"] for each in conversations[0]] == ["system", "user"]
    for before, after in pairwise(conversations):
        assert after[: len(before)] == before and after[len(before)]["role"] == "assistant"


def test_perfect_play_has_the_best_reward_and_silence_the_worst() -> None:
    config = {"games": "range-war:size=12,summation-duel", "opponent": "casual"}
    best = {}
    for task in EpisodeTasks(config["games"], opponent="casual").tasks("train", 4):
        episode = task.episode()
        while not episode.done:
            prompt, move = episode.prompt, episode.oracle_moves()[0]
            best[prompt] = f"MOVE: {move}"
            episode.play(move)
    perfect = play(load(**config), 4, lambda messages: best[messages[-1]["content"]])
    assert [each.traces[0].reward for each in perfect] == [0.0] * 4
    assert all(each.traces[0].metrics["win"] == 1.0 for each in perfect)
    silent = play(load(**config), 4, lambda _: "I would rather not.")
    assert [each.traces[0].reward for each in silent] == [-1.0] * 4
    assert all(each.traces[0].metrics["forfeit_unreadable"] == 1.0 for each in silent)


def test_a_game_that_a_limit_stops_is_forfeited() -> None:
    (episode,) = play(load(games="range-war:size=20", player={"max_turns": 1}), 1, first_legal)
    (trace,) = episode.traces
    assert (trace.reward, trace.metrics["finished"]) == (-1.0, 0.0)


def test_a_server_that_fails_is_an_error_and_no_bad_play() -> None:
    (episode,) = play(load(), 1, lambda _: 400)
    assert not episode.ok and "400" in str(episode.errors or episode.traces[0].errors)
    assert all(not trace.rewards for trace in episode.traces)


def test_the_command_of_verifiers_evaluates_the_taskset(tmp_path: Path) -> None:
    with model_server(first_legal) as base_url:
        command: list[Any] = [
            *(Path(sys.executable).with_name("vf-eval"), ID, "-n", "2", "-m", "scripted", "-o", tmp_path),
            *("--client.base-url", base_url, "--client.api-key-var", "NO_SUCH_KEY", "--no-push", "--no-rich"),
            *("--env.taskset.games", "range-war", "--env.taskset.opponent", "casual"),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert "reward" in run_example("verifiers_episodes", base_url, "scripted")
    (traces,) = tmp_path.rglob("traces.jsonl")
    assert len(traces.read_text(encoding="utf-8").splitlines()) == 2
