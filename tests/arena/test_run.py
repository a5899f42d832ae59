"""A run loses nothing that was finished, counts nothing twice, and plays the same games wherever it runs."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from numberduels.arena.ledger import GAMES, Ledger, lines
from numberduels.arena.plan import Plan
from numberduels.arena.run import PIECE, Changed, errands, run
from players.chat_server import ChatServer, fail, slow

DUEL = str(Path(sys.executable).with_name("duel"))
PLAN = Plan(
    ("greedy", "random"), ("range-war:size=10:opening=lower", "number-snatch:size=6:top=12"), rounds=10
)
SLOW = [
    "--players",
    "mcts:3000,random",
    "--games",
    "range-war",
    "--rounds",
    "12",
    "--workers",
    "2",
    "--seed",
    "1",
]


def played(folder: Path) -> list[tuple[str, str, str]]:
    """Every game of a folder, without what depends on the clock."""
    return sorted((line["key"], line["record"], line["result"]) for line in lines(str(folder / GAMES)))


def arena(folder: Path, *arguments: str, **more: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [DUEL, "arena", "run", "--out", str(folder), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


def until(condition: Any, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)


def count(folder: Path) -> int:
    path = folder / GAMES
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_the_same_plan_gives_the_same_games_whatever_the_workers(tmp_path: Path) -> None:
    run(PLAN, str(tmp_path / "one"), workers=1)
    run(PLAN, str(tmp_path / "two"), workers=2)
    games = played(tmp_path / "one")
    assert games == played(tmp_path / "two")
    assert len(games) == len({key for key, _, _ in games}) == 40


def test_games_are_played_in_the_order_of_the_plan_so_that_a_part_of_a_run_is_fair(tmp_path: Path) -> None:
    run(PLAN, str(tmp_path), workers=1)
    keys = [line["key"] for line in lines(str(tmp_path / GAMES))]
    assert keys == [fixture.key for fixture in PLAN.fixtures()]


def test_a_run_that_is_over_has_nothing_left_to_do(tmp_path: Path) -> None:
    run(PLAN, str(tmp_path), workers=1)
    before = (tmp_path / GAMES).read_bytes()
    told: list[tuple[int, int]] = []
    run(PLAN, str(tmp_path), workers=1, progress=lambda done, total: told.append((done, total)))
    assert told == [(40, 40)] and (tmp_path / GAMES).read_bytes() == before


def test_a_run_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    process = arena(tmp_path / "killed", *SLOW, start_new_session=True)
    until(lambda: count(tmp_path / "killed") >= 2 or process.poll() is not None)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    kept = played(tmp_path / "killed")
    assert process.returncode == -signal.SIGKILL and 2 <= len(kept) < 24
    for name in ("killed", "whole"):
        assert arena(tmp_path / name, *SLOW).communicate()[1] == ""
    assert set(kept) <= set(played(tmp_path / "killed")) == set(played(tmp_path / "whole"))
    assert len(played(tmp_path / "killed")) == 24


def test_ctrl_c_ends_a_run_at_once_and_says_how_to_go_on(tmp_path: Path) -> None:
    process = arena(tmp_path, *SLOW, start_new_session=True)
    until(lambda: count(tmp_path) >= 6 or process.poll() is not None)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=20)
    kept = len(played(tmp_path))
    assert (process.returncode, out) == (130, "")
    assert err == f"Stopped: {kept} of 24 games kept, and the same command goes on.\n"


def test_ctrl_c_does_not_wait_for_a_model_and_ends_the_programs(tmp_path: Path) -> None:
    stubborn = tmp_path / "stubborn.py"
    stubborn.write_text(
        "import os, time\n"
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
        "while True: time.sleep(1)\n"
    )
    with ChatServer([slow(30)] * 8) as server:
        players = f"chat:toy,process:{sys.executable} {stubborn}"
        options = ["--games", "range-war", "--base-url", server.url, "--seconds", "60", "--opening", "0"]
        process = arena(tmp_path / "run", "--players", players, *options)
        until(lambda: server.asked and (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=10)
    assert process.returncode == 130 and err.startswith("Stopped: 0 of 20 games kept")
    program = int((tmp_path / "pid").read_text())
    until(lambda: not Path(f"/proc/{program}").exists())


def test_a_worker_that_is_killed_costs_nothing(tmp_path: Path) -> None:
    process = arena(tmp_path / "wounded", *SLOW)
    until(lambda: count(tmp_path / "wounded") >= 2 or process.poll() is not None)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    workers = [child for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
    os.kill(int(workers[0]), signal.SIGKILL)
    _, err = process.communicate()
    assert (process.returncode, err) == (0, ""), err
    arena(tmp_path / "whole", *SLOW).communicate()
    assert played(tmp_path / "wounded") == played(tmp_path / "whole")


def test_a_full_disk_loses_nothing_that_was_finished(tmp_path: Path) -> None:
    arguments = ["--players", "greedy,random", "--games", "range-war", "--rounds", "30", "--workers", "1"]

    def small() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, resource.RLIM_INFINITY))

    process = arena(tmp_path, *arguments, preexec_fn=small)
    _, err = process.communicate()
    assert process.returncode == 2 and err.count("\n") == 1
    assert "cannot be written" in err and "the same command goes on" in err
    kept = played(tmp_path)
    assert 0 < len(kept) < 60 and (tmp_path / GAMES).read_bytes().endswith(b"\n")
    assert arena(tmp_path, *arguments).communicate()[1] == ""
    assert len(played(tmp_path)) == 60 and set(kept) <= set(played(tmp_path))


def test_another_plan_is_refused_and_the_difference_is_shown(tmp_path: Path) -> None:
    run(PLAN, str(tmp_path), workers=1)
    other = Plan(("greedy", "random"), PLAN.games, rounds=11, seed="5")
    with pytest.raises(Changed, match=r'rounds was 10 and is now 11; seed was "0" and is now "5"'):
        run(other, str(tmp_path), workers=1)
    assert len(played(tmp_path)) == 40


def test_a_second_run_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    process = arena(tmp_path, *SLOW)
    until(lambda: count(tmp_path) >= 1 or process.poll() is not None)
    _, err = arena(tmp_path, *SLOW).communicate()
    assert "another run is writing there" in err
    process.kill()
    process.communicate()  # which ends only when the workers, who hold the other end, are gone, too


def test_a_torn_line_is_cut_off_and_the_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b'{"key":"a"}\n{"key":"b"}\n{"key":"' + b"c" * 200_000)
    assert [line["key"] for line in lines(str(path))] == ["a", "b"]
    ledger = Ledger(str(path))
    ledger.add([{"key": "d"}])
    ledger.close()
    assert path.read_bytes() == b'{"key":"a"}\n{"key":"b"}\n{"key":"d"}\n'


def test_a_broken_line_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_bytes(b'{"key":"a"}\nnonsense\n{"key":"b"}\n')
    with pytest.raises(ValueError, match=r"line 2 of games\.jsonl is not a game"):
        list(lines(str(path)))


def test_a_dask_cluster_plays_the_same_games_though_a_worker_is_killed(tmp_path: Path) -> None:
    program = """
import os, signal, sys, threading, time
from distributed import LocalCluster
from numberduels.arena.plan import Plan
from numberduels.arena.run import run
if __name__ == "__main__":
    plan = Plan(("mcts:2000", "random"), ("range-war:size=10:opening=lower",), rounds=12, seed="1")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        def kill():
            while not os.path.exists(games) or not os.path.getsize(games):
                time.sleep(0.02)
            os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
        games = sys.argv[1] + "/games.jsonl"
        threading.Thread(target=kill, daemon=True).start()
        run(plan, sys.argv[1], dask=cluster.scheduler_address)
"""
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "dask")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    run(Plan(("mcts:2000", "random"), PLAN.games[:1], rounds=12, seed="1"), str(tmp_path / "here"), workers=2)
    assert played(tmp_path / "dask") == played(tmp_path / "here")
    assert len(played(tmp_path / "dask")) == 24


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--players", "perfect"], "--players takes two or more"),
        (["--players", "perfect,chess"], "there is no player 'chess'"),
        (["--players", "random,random"], "the player 'random' is named twice"),
        (["--players", "random,greedy", "--games", "go"], "there is no game called 'go'"),
        (["--players", "random,greedy", "--rounds", "0"], "--rounds takes a whole number from 1"),
        (["--players", "random,greedy", "--executor", "ssh://x"], "--executor takes dask://HOST:PORT"),
        (["--players", "random,greedy", "--seconds", "nan"], "--seconds takes a number above 0"),
        (
            ["--players", "random,greedy", "--price", "chat:m"],
            "--price takes a model and what a million tokens",
        ),
        (
            ["--players", "random,greedy", "--price", "m=1,-2"],
            "--price takes a model and what a million tokens",
        ),
        (
            ["--players", "random,greedy", "--price", "m=1,nan"],
            "--price takes a model and what a million tokens",
        ),
    ],
)
def test_what_cannot_be_run_is_refused_in_one_line(tmp_path: Path, arguments: list[str], fault: str) -> None:
    process = arena(tmp_path / "none", *arguments)
    out, err = process.communicate()
    assert (process.returncode, out) == (2, "") and err.startswith(f"duel: {fault}") and err.count("\n") == 1
    assert not (tmp_path / "none").exists()


def test_the_plan_is_noted_and_holds_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBERDUELS_API_KEY", "sk-secret")
    run(PLAN, str(tmp_path), workers=1)
    noted = (tmp_path / "run.json").read_text()
    assert json.loads(noted) == PLAN.data()
    assert not any("sk-secret" in path.read_text() for path in tmp_path.iterdir())


def test_games_that_were_abandoned_are_told_and_played_again(tmp_path: Path) -> None:
    options = ["--players", "chat:toy,random", "--games", "summation-duel", "--rounds", "2"]
    with ChatServer() as server:
        url = server.url
        refusing = ["--base-url", url, *options]
        server.script += [fail(401)] * 4
        process = arena(tmp_path, *refusing)
        out, _ = process.communicate()
        assert process.returncode == 1
        assert out.startswith("4 of 4 games were abandoned, because a player could not be reached.")
        process = arena(tmp_path, *refusing, "--concurrency", "2")  # which changes no game
        out, err = process.communicate()
        assert (process.returncode, err) == (0, "") and out.startswith("All games of this run are played.")
    ends = [line["end"] for line in lines(str(tmp_path / GAMES))]
    assert ends[:4] == ["error"] * 4 and "error" not in ends[4:] and len(ends) == 8


def test_where_models_answer_belongs_to_the_plan_even_from_the_environment(tmp_path: Path) -> None:
    options = ["--players", "chat:toy,random", "--games", "range-war", "--rounds", "1"]
    with ChatServer() as server:
        environment = dict(os.environ, NUMBERDUELS_BASE_URL=server.url)
        assert arena(tmp_path, *options, env=environment).communicate()[1] == ""
    environment["NUMBERDUELS_BASE_URL"] = "http://127.0.0.1:9/v1"
    _, err = arena(tmp_path, *options, env=environment).communicate()
    assert "base_url was" in err and err.count("\n") == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_no_program_outlives_its_run(tmp_path: Path, number: int) -> None:
    silent = tmp_path / "silent.py"
    silent.write_text(
        "import os, time\n"
        f"open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
        "while True: time.sleep(1)\n"
    )
    options = ["--games", "range-war", "--workers", "1", "--seconds", "60", "--opening", "0"]
    process = arena(tmp_path / "run", "--players", f"process:{sys.executable} {silent},random", *options)
    until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
    process.send_signal(number)
    process.communicate(timeout=20)
    assert process.returncode == (-number if number == signal.SIGKILL else 128 + number)
    until(lambda: not Path(f"/proc/{(tmp_path / 'pid').read_text()}").exists(), 10)


def test_slow_games_are_handed_in_one_by_one(tmp_path: Path) -> None:
    # Many quick games first must not lead to long errands of slow ones.
    slow_one = tmp_path / "dawdler.py"
    slow_one.write_text(
        "import time\n"
        "def choose(game, state, rng):\n"
        "    time.sleep(0.3)\n"
        "    return rng.choice(game.moves(state))\n"
    )
    plan = Plan(("greedy", "random", "dawdler:choose"), PLAN.games[:1], rounds=2, opening=0)
    sys.path.insert(0, str(tmp_path))
    try:
        fixtures = sorted(plan.fixtures(), key=lambda fixture: "dawdler:choose" in fixture.players)
        with ThreadPoolExecutor(1) as pool:
            pieces = list(errands(pool, 1, fixtures))
    finally:
        sys.path.remove(str(tmp_path))
    assert sum(map(len, pieces)) == 12
    assert max(map(len, pieces)) > 1
    assert all(sum(line["seconds"] for line in kept[:-1]) <= PIECE for kept in pieces)


def test_a_player_that_cannot_play_a_game_is_refused_before_the_first_one(tmp_path: Path) -> None:
    games = "number-collision:size=7:values=4:repetition=forbidden"
    _, err = arena(tmp_path, "--players", "perfect,random", "--games", games).communicate()
    assert err.startswith("duel: perfect cannot play number-collision:size=7") and err.count("\n") == 1
    assert not (tmp_path / GAMES).exists()


def test_a_broken_line_stops_a_run_with_one_line(tmp_path: Path) -> None:
    run(PLAN, str(tmp_path), workers=1)
    (tmp_path / GAMES).write_bytes(b"nonsense\n" + (tmp_path / GAMES).read_bytes())
    with pytest.raises(ValueError, match=r"^line 1 of games\.jsonl is not a game"):
        run(PLAN, str(tmp_path), workers=1)
