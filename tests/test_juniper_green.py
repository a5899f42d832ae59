"""One folder is one game: a package outside the project, installed by pip, has every feature of our games."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.catalogues import main as catalogues

import numberduels
from players.chat_server import ChatServer
from tables import table
from web.serving import Server, serving

EXAMPLE = Path(__file__).parents[1] / "examples" / "juniper_green"
NAME = "juniper-green"
DUEL = "import sys; from numberduels.cli.main import main; sys.exit(main())"


def run(site: Path, *arguments: str, typed: str = "") -> str:
    """Run Python with the installed package; what it prints."""
    environment = {**os.environ, "PYTHONPATH": str(site), "NUMBERDUELS_HOME": str(site / "home")}
    done = subprocess.run(
        [sys.executable, *arguments], env=environment, input=typed, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def duel(site: Path, *arguments: str, typed: str = "") -> str:
    """Run the command `duel` with the installed package; what it prints."""
    return run(site, "-c", DUEL, *arguments, typed=typed)


# Without an installation


def test_nothing_in_the_source_names_it() -> None:
    for path in Path(numberduels.__file__).parent.rglob("*"):
        if path.is_file() and path.suffix != ".pyc":
            assert b"juniper" not in path.read_bytes().lower(), path


def test_the_guide_names_each_of_its_files_and_otherwise_those_of_our_games() -> None:
    guide = (EXAMPLE.parents[1] / "docs" / "adding_a_game.md").read_text(encoding="utf-8")
    folder = EXAMPLE / "juniper_green"
    files = {
        path.relative_to(folder).as_posix() for path in folder.rglob("*") if "__pycache__" not in str(path)
    }
    listed = set(re.findall(r"`([\w/]+\.\w+)`", guide.partition("## The files")[2].partition("\n## ")[0]))
    assert listed >= {name for name in files if (folder / name).is_file()}
    games = Path(numberduels.__file__).parent / "games"
    assert [name for name in listed - files if not any(games.glob(f"*/{name}"))] == []


@pytest.mark.long
def test_its_own_tests_pass() -> None:
    run(EXAMPLE, "-m", "pytest", "-p", "no:cacheprovider", str(EXAMPLE), "--rootdir", str(EXAMPLE))


def test_its_catalogues_are_complete_and_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    assert catalogues(check=True, folder=EXAMPLE / "juniper_green") == 0, capsys.readouterr().out


# Installed by pip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which pip has installed the package."""
    folder = tmp_path_factory.mktemp("outside")
    source, target = folder / "source", folder / "site"
    shutil.copytree(EXAMPLE, source, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    install += ["--no-build-isolation", "--no-index", "--target", str(target), str(source)]
    subprocess.run([sys.executable, *install], check=True, capture_output=True)
    return target


@pytest.mark.long
def test_it_is_played_to_the_end_through_a_pipe(site: Path) -> None:
    session = duel(site, "play", NAME, "--size", "3", "--names", "Ada,Bob", typed="3\n2\n1\n3\n")
    assert session == (
        "Juniper Green\nNumbers left: 1-3\n\n"
        "Player 1 (Ada)'s turn.\nThe first number must be even.\nStrike out a number: 3\n"
        "Invalid choice. The first number must be even, and 3 is odd.\n\n"
        "Player 1 (Ada)'s turn.\nThe first number must be even.\nStrike out a number: 2\n\n"
        "Player 1 (Ada) strikes out 2.\nNumbers left: 1,3\n\n"
        "Player 2 (Bob)'s turn.\nYou must strike out a factor or a multiple of 2.\nStrike out a number: 1\n\n"
        "Player 2 (Bob) strikes out 1.\nNumbers left: 3\n\n"
        "Player 1 (Ada)'s turn.\nYou must strike out a factor or a multiple of 1.\nStrike out a number: 3\n\n"
        "Player 1 (Ada) strikes out 3.\nNumbers left: none\n\n"
        "Player 2 (Bob) has no factor or multiple of 3 left.\nPlayer 1 (Ada) wins!\n"
    )


@table(
    "command, typed, told",
    [
        ("games", "", "--opening even (what the first number must be: even, or any)"),
        ("rules juniper-green", "", "After 6, for example, you may strike out 1, 2, 3, 12 or 18."),
        ("solve juniper-green --size 40", "", "Best: 22, 26"),
        ("play juniper-green --size 3", "hint\nquit\n", "to everything: after 1 strike out 3."),
        ("puzzle juniper-green --seed 1", "quit\n", "Find the only move that wins."),
        ("claims juniper-green", "", "    PARTLY. "),
        ("sweep juniper-green-winner --size 2..4", "", "2 2\n3 1\n4 2\n"),
    ],
)
@pytest.mark.long
def test_every_command_knows_it(site: Path, command: str, typed: str, told: str) -> None:
    assert told in duel(site, *command.split(), typed=typed)


ENVIRONMENTS = """
import numpy as np
from numberduels import make
from numberduels.envs import aec, batch
from numberduels.envs.batch_env import make_batch
from numberduels.game.registry import spec

env = aec("juniper-green", size=12)
env.reset(seed=1)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    if terminated:
        print(agent, reward)
        env.step(None)
    else:
        assert len(observation["observation"]) == 14  # twelve numbers, the last one and the turn
        env.step(int(np.flatnonzero(observation["action_mask"])[0]))

print(type(make_batch(spec("juniper-green"), make("juniper-green", size=30), 10)).__module__)
games = batch("juniper-green", n=500, size=30)
games.reset(seed=1)
ended = 0
for _ in range(40):
    rewards, terminated, truncated = games.step(games.sample())
    ended += terminated.sum()
    assert (rewards[terminated].sum(axis=1) == 0).all() and not truncated.any()
print(ended >= 500)
"""


@pytest.mark.long
def test_agents_play_it_in_turn_and_in_batches(site: Path) -> None:
    # The lowest legal moves are 2, 1, 3, 6, 12, 4 and 8.
    assert run(site, "-c", ENVIRONMENTS) == "player_2 -1\nplayer_1 1\njuniper_green.batch\nTrue\n"


@pytest.mark.long
def test_a_model_plays_it_in_disguise(site: Path, tmp_path: Path) -> None:
    with ChatServer() as server:
        arena = [
            "arena",
            "run",
            "--players",
            "chat:model",
            "--against",
            "random",
            "--rounds",
            "1",
            "--workers",
            "1",
            "--disguise",
        ]
        arena += ["--workers", "1", "--disguise", "--games", f"{NAME}:size=6", "--out", str(tmp_path / "run")]
        duel(site, *arena)
        prompts = [asked.prompt for asked in server.asked]
    assert prompts
    for prompt in prompts:
        assert "This is Family Chain." in prompt and "the greatest is 42." in prompt
        assert "Open tokens: " in prompt and "You must take a token that is kin to" in prompt
        assert not re.search("juniper|strike|struck|factor|multiple", prompt, re.IGNORECASE)
    games = (tmp_path / "run" / "games.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(games) == 2 and all(json.loads(line)["result"] in ("1-0", "0-1") for line in games)


# In the browser


@pytest.fixture(scope="module")
def hosted(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that has the package."""
    with serving(tmp_path_factory.mktemp("served"), environment={"PYTHONPATH": str(site)}) as server:
        yield server


@pytest.mark.long
def test_its_board_is_on_the_page(hosted: Server) -> None:
    with hosted.visitor() as visitor:
        made = visitor.post("/new", data={"game": NAME, "mode": "here", "options.size": "6"})
        place = made.headers["location"]
        page = visitor.get(place).text
        assert "an even number" in page and "leaves 1 and 2" in page and "Struck out: 0 of 6" in page
        assert visitor.post(f"{place}/move", data={"move": "4"}).status_code == 303
        assert "a factor or a multiple of 4" in visitor.get(place).text
        assert "strikes out 6, a multiple of 2" in visitor.get(f"/learn/{NAME}").text
        assert "58 and 62 win for the first player" in visitor.get(f"/learn/{NAME}/claims").text
        assert "Find the only move that wins." in visitor.get(f"/puzzles/{NAME}/1/1").text


@pytest.mark.long
def test_its_board_its_hints_and_its_rules_are_german_on_a_german_page(hosted: Server) -> None:
    with hosted.visitor(**{"accept-language": "de"}) as visitor:
        form = {"game": NAME, "mode": "computer", "level": "beginner", "options.size": "6"}
        place = visitor.post("/new", data=form).headers["location"]
        page = visitor.get(place).text
        assert "eine gerade Zahl" in page and "lässt 1 und 2 übrig" in page and "Gestrichen: 0 von 6" in page
        assert "Hier verliert jeder Zug; " in visitor.get(place, params={"hint": "1"}).text
        refused = visitor.post(f"{place}/move", data={"move": "3"})
        assert "Die erste Zahl muss gerade sein, und 3 ist ungerade." in refused.text
        assert "streicht die 6, ein Vielfaches von 2" in visitor.get(f"/learn/{NAME}").text
        explorer = visitor.get(f"/learn/{NAME}", params={"m": "4,3"}).text
        assert "Die Zahl 3 ist kein Teiler oder Vielfaches von 4." in explorer
        assert "muss gerade sein" in visitor.get("/").text
