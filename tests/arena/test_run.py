"""A run loses nothing that was finished, counts nothing twice, and plays the same games wherever it runs."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cli.running import duel, refused
from numberduels.arena.game_runner import play_game
from numberduels.arena.plan import Plan, PlannedGame
from numberduels.arena.results import GameResult
from numberduels.arena.run import (
    CHUNK_SECONDS,
    RunAborted,
    play_chunk,
    play_chunks,
    run_plan,
)
from numberduels.arena.run_folder import GAMES, RunFolderError, read_lines
from numberduels.players.external import ExternalSettings
from players.chat_server import ChatServer, fail, slow
from processes import PATIENCE, NamedPipe, wait_until_gone
from tables import table

DUEL = str(Path(sys.executable).with_name("duel"))
PLAN = Plan(
    ("greedy", "random"), ("range-war:size=10:opening=lower", "number-snatch:size=6:top=12"), rounds=10
)


def result(key: str, seconds: float = 0.0) -> GameResult:
    return GameResult("range-war", ("a", "b"), "1-0", (), key=key, seconds=seconds)


def played(folder: Path) -> list[tuple[str, str, str]]:
    """Every game of a folder, without what depends on the clock."""
    return sorted((line["key"], line["record"], line["result"]) for line in read_lines(str(folder / GAMES)))


def arena(folder: Path, *arguments: str, **more: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [DUEL, "arena", "run", "--out", str(folder), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


def tells_its_id(pipe: Path) -> str:
    """A program that never answers; each process of it writes its id to a pipe."""
    return (
        "import os, signal\n"
        f"open({str(pipe)!r}, 'w').write(f'{{os.getpid()}}\\n')\n"
        "while True: signal.pause()\n"
    )


def workers_of(pid: int) -> list[int]:
    """The worker processes of a run."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                if parent == pid and b"engine.worker" in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue  # it has just ended
    return found


class Held:
    """A run whose players stop as soon as a game is kept, and go on when they are let go."""

    total = 12

    def __init__(self, folder: Path) -> None:
        self.folder, self.run = folder, folder / "run"
        self.name = f"{folder.name}:choose"
        self.kept, self.gate = NamedPipe(folder / "kept"), folder / "gate"
        self.opened: list[int] = []
        os.mkfifo(self.gate)
        (folder / f"{folder.name}.py").write_text(
            "import os\n"
            "def choose(game, state, rng):\n"
            f"    games = {str(self.run / GAMES)!r}\n"
            "    if os.path.exists(games) and os.path.getsize(games):\n"
            f"        with open({str(self.kept.path)!r}, 'w') as kept:\n"
            "            kept.write('kept')\n"
            f"        open({str(self.gate)!r}).close()  # it opens when another opens it for writing\n"
            "    return rng.choice(game.moves(state))\n"
        )
        self.plan = Plan((self.name, "random"), ("summation-duel:size=6:target=15",), rounds=6)

    def start(self) -> subprocess.Popen[str]:
        """Start the run on two workers, in a process group of its own."""
        options = ["--players", ",".join(self.plan.players), "--games", self.plan.games[0]]
        options += ["--rounds", str(self.plan.rounds), "--workers", "2"]
        return arena(self.run, *options, cwd=self.folder, start_new_session=True)

    def let_go(self) -> None:
        """Hold nobody any longer."""
        self.opened.append(os.open(self.gate, os.O_RDWR))

    def whole(self) -> list[tuple[str, str, str]]:
        """The games of the whole plan, played here."""
        games = map(play_game, self.plan.schedule())
        return sorted((game.key, game.record, game.result) for game in games)


@pytest.fixture
def held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    monkeypatch.chdir(tmp_path)
    made = Held(tmp_path)
    with made.kept:
        yield made
    for file in made.opened:
        os.close(file)


@pytest.fixture(scope="module")
def over(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that is over, played with a key in the environment; to be copied, not changed."""
    folder = tmp_path_factory.mktemp("over")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBERDUELS_API_KEY", "sk-secret")
        run_plan(PLAN, str(folder), workers=1)
    return folder


@pytest.fixture
def finished(over: Path, tmp_path: Path) -> Path:
    """A run that is over, in a folder of the test's own."""
    return Path(shutil.copytree(over, tmp_path / "finished"))


def test_the_same_plan_gives_the_same_games_whatever_the_workers(over: Path, tmp_path: Path) -> None:
    run_plan(PLAN, str(tmp_path), workers=2)
    games = played(over)
    assert games == played(tmp_path)
    assert len(games) == len({key for key, _, _ in games}) == 40


def test_games_are_played_in_the_order_of_the_plan_so_that_a_part_of_a_run_is_fair(over: Path) -> None:
    keys = [line["key"] for line in read_lines(str(over / GAMES))]
    assert keys == [scheduled.key for scheduled in PLAN.schedule()]


@pytest.mark.long
def test_a_run_that_is_killed_goes_on_where_it_was(held: Held) -> None:
    process = held.start()
    held.kept.read()
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    kept = played(held.run)
    assert process.returncode == -signal.SIGKILL and 1 <= len(kept) < held.total
    held.let_go()
    assert held.start().communicate()[1] == ""
    assert set(kept) <= set(played(held.run)) and played(held.run) == held.whole()


@pytest.mark.long
def test_ctrl_c_does_not_wait_for_a_model_and_ends_the_programs(tmp_path: Path) -> None:
    stubborn = tmp_path / "stubborn.py"
    stubborn.write_text(tells_its_id(tmp_path / "pipe"))
    with NamedPipe(tmp_path / "pipe") as pipe, ChatServer(otherwise=slow(PATIENCE)) as server:
        players = f"chat:toy,process:{sys.executable} {stubborn}"
        options = ["--games", "range-war", "--seconds", "600"]
        process = arena(tmp_path / "run", "--players", players, *options)
        assert server.first.wait(PATIENCE)
        programs = pipe.read().split()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
        assert server.open, "the model has not answered"
    assert process.returncode == 130 and err.startswith("Stopped: 0 of 20 games kept")
    for program in programs:
        wait_until_gone(int(program))


@pytest.mark.long
def test_a_worker_that_is_killed_costs_nothing(held: Held) -> None:
    process = held.start()
    held.kept.read()
    os.kill(workers_of(process.pid)[0], signal.SIGKILL)
    held.let_go()
    _, err = process.communicate()
    assert (process.returncode, err) == (0, ""), err
    assert played(held.run) == held.whole()


@pytest.mark.long
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
    assert duel("arena", "run", "--out", str(tmp_path), *arguments).err == ""
    assert len(played(tmp_path)) == 60 and set(kept) <= set(played(tmp_path))


@table(
    "change, difference",
    [
        ({"seed": "5"}, 'seed was "0" and is now "5"'),
        ({"rounds": 9}, "rounds was 10 and is now 9"),
        ({"opening": 3}, "opening was 2 and is now 3"),
        ({"players": ("greedy", "perfect")}, r'players was \["greedy", "random"\] and is now'),
        ({"against": ("perfect",)}, r'against was \[\] and is now \["perfect"\]'),
        ({"positions": 4}, "positions was 0 and is now 4"),
        ({"terms": ExternalSettings(seconds=5)}, "seconds was 30.0 and is now 5"),
    ],
)
def test_a_plan_that_would_change_games_is_refused_and_the_difference_is_shown(
    finished: Path, change: dict[str, Any], difference: str
) -> None:
    before = (finished / "run.json").read_bytes(), played(finished)
    with pytest.raises(RunFolderError, match=difference):
        run_plan(replace(PLAN, **change), str(finished), workers=1)
    assert ((finished / "run.json").read_bytes(), played(finished)) == before


def test_a_run_that_grows_plays_what_is_missing_and_the_games_are_those_of_the_larger_plan(
    finished: Path, tmp_path: Path
) -> None:
    larger = replace(
        PLAN,
        rounds=12,
        players=("beginner", *PLAN.players),
        games=(*PLAN.games, "summation-duel:size=6:target=15"),
    )
    before = (finished / GAMES).read_bytes()
    added: list[list[str]] = []
    run_plan(larger, str(finished), workers=1, tell_growth=added.append)
    assert added == [["players beginner", "games summation-duel:size=6:target=15", "12 rounds instead of 10"]]
    assert (finished / GAMES).read_bytes().startswith(before)
    run_plan(larger, str(tmp_path / "at once"), workers=1)
    assert played(finished) == played(tmp_path / "at once") and len(played(finished)) == 12 * 3 * 3 * 2
    assert (finished / "run.json").read_bytes() == (tmp_path / "at once" / "run.json").read_bytes()


def test_a_second_run_in_the_same_folder_is_refused(finished: Path) -> None:
    def again(_done: int, _total: int) -> None:
        with pytest.raises(RunFolderError, match="another run is writing there"):
            run_plan(PLAN, str(finished))
        told.append(True)

    told: list[bool] = []
    run_plan(PLAN, str(finished), progress=again)
    assert told == [True]


@table(
    "arguments, fault",
    [
        (["--players", "perfect"], "--players takes two or more"),
        (["--players", "perfect,chess"], "there is no player 'chess'"),
        (["--players", "random,random"], "the player 'random' is named twice"),
    ],
)
def test_what_cannot_be_run_is_refused_in_one_line(tmp_path: Path, arguments: list[str], fault: str) -> None:
    refused(duel("arena", "run", "--out", str(tmp_path / "none"), *arguments), f"duel: {fault}")
    assert not (tmp_path / "none").exists()


def test_the_plan_is_noted_and_holds_no_secret(over: Path) -> None:
    assert json.loads((over / "run.json").read_text()) == PLAN.data()
    assert not any("sk-secret" in path.read_text() for path in over.iterdir())


def test_games_that_were_abandoned_are_told_and_played_again(tmp_path: Path) -> None:
    options = ["--players", "chat:toy,random", "--games", "summation-duel", "--rounds", "2"]
    with ChatServer([fail(401)] * 4):
        command = ["arena", "run", "--out", str(tmp_path), *options]
        first = duel(*command)
        assert first.status == 1
        assert first.out.startswith("4 of 4 games were abandoned, because a player could not be reached.")
        assert "'chat:toy': The server answered with status 401" in " ".join(first.out.split())
        report = duel("arena", "report", str(tmp_path))
        assert "chat:toy (4 times): The server answered with status 401" in " ".join(report.out.split())
        second = duel(*command, "--concurrency", "2")  # which changes no game
        assert (second.status, second.err) == (0, "")
        assert second.out.startswith("All games of this run are played.")
    ends = [line["end"] for line in read_lines(str(tmp_path / GAMES))]
    assert ends[:4] == ["error"] * 4 and "error" not in ends[4:] and len(ends) == 8


def test_where_models_answer_belongs_to_the_plan_even_from_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["arena", "run", "--out", str(tmp_path), "--players", "chat:toy,random", "--rounds", "1"]
    command += ["--games", "range-war"]
    with ChatServer():
        assert duel(*command).err == ""
    monkeypatch.setenv("NUMBERDUELS_BASE_URL", "http://127.0.0.1:9/v1")
    refused(duel(*command), "base_url was")


@pytest.mark.long
@table("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_no_program_outlives_its_run(tmp_path: Path, number: int) -> None:
    silent = tmp_path / "silent.py"
    silent.write_text(tells_its_id(tmp_path / "pipe"))
    options = ["--games", "range-war", "--workers", "1", "--seconds", "600"]
    with NamedPipe(tmp_path / "pipe") as pipe:
        process = arena(tmp_path / "run", "--players", f"process:{sys.executable} {silent},random", *options)
        program = int(pipe.read())
    process.send_signal(number)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == (-number if number == signal.SIGKILL else 128 + number)
    wait_until_gone(program)


def test_slow_games_are_handed_in_one_by_one() -> None:
    # Many quick games first must not lead to long chunks of slow ones.
    plan = Plan(("greedy", "random", "perfect"), PLAN.games[:1], rounds=40)
    schedule = sorted(plan.schedule(), key=lambda scheduled: "perfect" in scheduled.players)
    now = 0.0

    def pretend(scheduled: PlannedGame) -> GameResult:
        nonlocal now
        seconds = 0.3 if "perfect" in scheduled.players else 0.001
        now += seconds
        return result(scheduled.key, seconds)

    with ThreadPoolExecutor(1) as pool:
        chunks = list(play_chunks(pool, 1, schedule, partial(play_chunk, play=pretend, clock=lambda: now)))
    assert sorted(each.key for kept in chunks for each in kept) == sorted(each.key for each in schedule)
    assert max(map(len, chunks)) > 10
    assert all(sum(each.seconds or 0 for each in kept[:-1]) <= CHUNK_SECONDS for kept in chunks)


def test_a_game_that_is_broken_halts_the_run_and_loses_nothing() -> None:
    def broken(scheduled: PlannedGame) -> GameResult:
        if scheduled.round == 2:
            raise RuntimeError("oh")
        return result(scheduled.key)

    schedule = list(PLAN.schedule())
    at = next(place for place, scheduled in enumerate(schedule) if scheduled.round == 2)
    assert len(play_chunk(schedule, play=broken, clock=lambda: 0.0)[0]) == at > 1
    with pytest.raises(RunAborted, match="cannot be played: RuntimeError: 'oh'"):
        play_chunk(schedule[at:], play=broken)


def test_a_player_that_cannot_play_a_game_is_refused_before_the_first_one(tmp_path: Path) -> None:
    games = "number-collision:size=7:values=4:repetition=forbidden"
    ran = duel("arena", "run", "--out", str(tmp_path), "--players", "perfect,random", "--games", games)
    refused(ran, "duel: perfect cannot play number-collision:size=7")
    assert not (tmp_path / GAMES).exists()
