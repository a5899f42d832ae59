"""The OpenEnv environment, with the real package: over a local server, its client and its validators."""

from __future__ import annotations

import asyncio
import json
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
import uvicorn
from golden_episodes import EPISODES, NAMES, ROOT, run_example
from openenv.validation.parsers.openenv_yaml import OpenEnvYamlParser

from numberduels.game.options import BadOption
from numberduels.harness.episode_results import EpisodeStep
from numberduels.harness.episode_tasks import STANDARD_GAMES
from numberduels.harness.openenv_app import Guard, make_app
from numberduels.harness.openenv_env import (
    NUM_TASKS,
    DuelAction,
    DuelClient,
    DuelEnvironment,
    DuelObservation,
)
from numberduels.harness.text_episode import TextEpisode

PACKAGE = ROOT / "examples" / "harnesses" / "openenv"
CANARY = "canary-solution"


@contextmanager
def serving(*games: str, **settings: Any) -> Iterator[str]:
    """A server on a free port of this machine."""
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()  # so that a client waits for the server
    app = make_app(",".join(games or STANDARD_GAMES), **settings)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="websockets-sansio"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving() as address:
        yield address


def fetch(address: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(address, data, {"content-type": "application/json"})) as response:
        return json.load(response)


@pytest.mark.parametrize("golden", EPISODES, ids=NAMES)
def test_the_client_replays_the_golden_episodes(golden: dict[str, Any]) -> None:
    settings = dict(golden["settings"])
    game = settings.pop("game")
    with serving(game, **settings) as address, DuelClient(base_url=address).sync() as env:
        result = env.reset(seed=golden["seed"], game=game, episode_id="golden")
        assert result.observation.player == golden["seat"]
        for step in golden["steps"]:
            assert result.observation.position == step["position"]
            assert result.observation.legal_moves == (step["legal_moves"] if settings["legal"] else [])
            result = env.step(DuelAction(move=step["answer"]))
            assert (result.reward, result.done) == (step["reward"], step["done"])
            assert result.observation.opponent_move == step["reply"]
            assert result.observation.outcome == step["outcome"]
        assert result.observation.review["steps"][-1]["judgement"] == golden["steps"][-1]["judgement"]
        state = env.state()
        assert (state.episode_id, state.step_count, state.done) == ("golden", len(golden["steps"]), True)


def play_first_moves(address: str, index: int) -> list[tuple[str, float | None]]:
    """What one client sees that always makes the first legal move."""
    seen = []
    with DuelClient(base_url=address).sync() as env:
        result = env.reset(split="train", index=index)
        while not result.done:
            seen.append((result.observation.position, result.reward))
            result = env.step(DuelAction(move=result.observation.legal_moves[0]))
    return [*seen, (result.observation.position, result.reward)]


def test_sessions_at_the_same_time_do_not_disturb_each_other(url: str) -> None:
    alone = [play_first_moves(url, index) for index in range(8)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda index: play_first_moves(url, index), range(8)))
    assert together == alone


def test_the_server_lists_splits_and_tasks(url: str) -> None:
    api = f"{url}/numberduels"
    assert [each["name"] for each in fetch(f"{api}/splits")] == ["train", "test"]
    seen = {}
    for split, size in NUM_TASKS.items():
        assert fetch(f"{api}/num_tasks", {"split": split})["num_tasks"] == size
        tasks = fetch(f"{api}/task_range", {"split": split, "start": 0, "stop": 30})["tasks"]
        assert tasks[7] == fetch(f"{api}/task", {"split": split, "index": 7})["task"]
        seen[split] = {(each["game"], each["seed"]) for each in tasks}
    assert not seen["train"] & seen["test"]


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ({"split": "test", "index": 1, "seed": 1}, "give an index with a split, or a seed"),
        ({"game": "python:evil.py:Game"}, "game must be range-war:size=20"),
        ({"opponent": "mcts:100000"}, "opponent must be random"),
        ({"gamme": "range-war"}, "option must be split"),
    ],
)
def test_a_wrong_option_is_explained_to_the_client(url: str, options: dict[str, Any], fault: str) -> None:
    with DuelClient(base_url=url).sync() as env, pytest.raises(RuntimeError, match=re.escape(fault)):
        env.reset(**options)


def test_a_step_after_the_end_is_refused_and_a_step_before_the_start_too(url: str) -> None:
    with DuelClient(base_url=url).sync() as env:
        with pytest.raises(RuntimeError, match="reset first"):
            env.step(DuelAction(move="1"))
        result = env.reset(seed=1)
        while not result.done:
            result = env.step(DuelAction(move="no move"))
        assert result.observation.outcome == "loss"
        with pytest.raises(RuntimeError, match="the episode is over"):
            env.step(DuelAction(move="1"))


# No solution leaks


def observations(env: DuelEnvironment, seed: int) -> Iterator[tuple[DuelObservation, str]]:
    """All observations of an episode with the state beside them."""
    seen = env.reset(seed=seed)
    while True:
        yield seen, env.state.model_dump_json()
        if seen.done:
            return
        seen = env.step(DuelAction(move=seen.legal_moves[seed % len(seen.legal_moves)]))


def test_a_planted_solution_is_seen_at_the_end_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(EpisodeStep, "judgement", lambda _: {"verdict": CANARY})
    monkeypatch.setattr(TextEpisode, "oracle_moves", lambda _: [CANARY])
    for seed in range(10):
        for seen, state in observations(DuelEnvironment(), seed):
            assert (CANARY in seen.model_dump_json()) == seen.done
            assert CANARY not in state


def test_hidden_legal_moves_are_hidden_everywhere() -> None:
    env = DuelEnvironment(legal=False)
    seen = env.reset(seed=1)
    assert seen.legal_moves == [] and "Legal moves" not in seen.prompt
    assert env.web_actions(seen.model_dump()) == []


def test_a_disguised_game_is_disguised_in_every_field() -> None:
    plain, disguised = (
        DuelEnvironment("number-snatch"),
        DuelEnvironment("number-snatch", disguise=True),
    )
    seen, other = plain.reset(seed=5), disguised.reset(seed=5)
    assert [str(7 * int(move)) for move in seen.legal_moves] == other.legal_moves
    seen = plain.step(DuelAction(move=seen.legal_moves[0]))
    other = disguised.step(DuelAction(move=other.legal_moves[0]))
    assert seen.opponent_move is not None and other.opponent_move == str(7 * int(seen.opponent_move))
    assert disguised.state.moves == [str(7 * int(move)) for move in plain.state.moves]
    assert "snatch" not in disguised.state.game + other.system.lower() + other.prompt.lower()


# The package that is deployed


def test_the_oracle_reaches_the_maximum_and_random_play_stays_below_the_margin(url: str) -> None:
    reward = OpenEnvYamlParser().parse(PACKAGE).reward
    command = [sys.executable, str(PACKAGE / "oracle.py"), "--url", url, "--tasks", "25"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    means = {(split, player): float(mean) for split, player, mean in map(str.split, done.stdout.splitlines())}
    assert len(means) == 4
    for split in NUM_TASKS:
        best = means[split, "oracle"]
        assert best >= reward.range[1] - reward.oracle_tolerance
        assert best - means[split, "random"] >= reward.floor_margin


def test_the_validator_of_openenv_passes_the_package_and_the_server(url: str) -> None:
    for arguments in ([str(PACKAGE), "--level", "static", "--skip-build"], ["--url", url, "--timeout", "60"]):
        command = [sys.executable, "-m", "openenv.cli", "validate", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "Verdict: PASS" in done.stdout, done.stdout + done.stderr


def test_the_example_plays_on_a_running_server(url: str) -> None:
    assert "reward" in run_example("openenv_client", url)


def test_no_client_and_no_setting_of_the_server_runs_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even code that was allowed for the command line."""
    trace, path = tmp_path / "it ran", tmp_path / "trap.py"
    path.write_text(f"open({str(trace)!r}, 'w').close()\nclass Env: pass\n", encoding="utf-8")
    code = f"python:{path}:Env"
    monkeypatch.setenv("NUMBERDUELS_ALLOW_CODE", f"{code}\npettingzoo:tictactoe_v3")
    for name in (code, "pettingzoo:tictactoe_v3", "openspiel:nim"):
        with pytest.raises(BadOption, match="game must be "):
            DuelEnvironment().reset(game=name)
        with pytest.raises(BadOption, match="is a game of another library, which this server never runs"):
            DuelEnvironment(f"range-war, {name}")
    assert not trace.exists()


def test_a_request_that_cannot_be_right_gets_one_line(url: str) -> None:
    """Another host, another site, a body that is too long, whole or in pieces, an unknown option."""
    httpx = pytest.importorskip("httpx")

    def pieces() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * 100_000

    local = url.removeprefix("http://")
    for expected, asked in (
        (421, {"headers": {"host": "evil.example"}}),
        (403, {"headers": {"origin": "http://evil.example"}}),
        (200, {"headers": {"origin": url}, "json": {"seed": 1}}),
        (413, {"content": b" " * 4_000_000}),
        (413, {"content": pieces()}),
        (422, {"json": {"opponent": "process:true"}}),
        (422, {"json": {"split": "train", "index": 10**9}}),
        (422, {"json": {"colour": "red"}}),
    ):
        answer = httpx.post(f"http://{local}/reset", timeout=60, **asked)
        assert answer.status_code == expected, (asked, answer.text)
        assert "Traceback" not in answer.text and "\n" not in answer.text
    assert httpx.post(f"{url}/step", json={"action": {"move": "1"}}, timeout=60).status_code == 422


def test_a_web_socket_of_another_site_or_for_another_host_is_closed() -> None:
    """A page of another site may open one without asking, and browsers tell the origin alone."""
    reached: list[Any] = []
    closed: list[Any] = []

    async def application(*_: Any) -> None:
        reached.append(True)

    async def send(message: Any) -> None:
        closed.append(message["type"])

    guard = Guard(application, "localhost,Duels.example")
    for host, origin, allowed in (
        ("localhost:8000", "", True),
        ("duels.example", "http://duels.example", True),
        ("localhost:8000", "http://evil.example", False),
        ("evil.example", "http://evil.example", False),
    ):
        headers = [(b"host", host.encode()), (b"origin", origin.encode())]
        asyncio.run(guard({"type": "websocket", "headers": headers}, None, send))
        assert (len(reached), closed) == ((1, []) if allowed else (0, ["websocket.close"])), (host, origin)
        reached.clear()
        closed.clear()
