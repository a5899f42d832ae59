"""A game in a package of its own, installed for real, is played like one of ours."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PYPROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "twenty-one"
version = "1.0"

[project.entry-points."numberduels.games"]
twenty-one = "twenty_one:spec"
"""

SPEC = """\
from numberduels.spec import GameSpec
from twenty_one.game import TwentyOne, TwentyOneText

spec = GameSpec("twenty-one", "Twenty-One", "Count up by one to three; who says the last number loses.",
            TwentyOne, TwentyOneText)
"""

GAME = '''\
"""Count up together; whoever must say the goal loses, unless both agree to call it off at half."""

from dataclasses import dataclass
from numberduels.core import IllegalMove, Outcome, Unreadable
from numberduels.options import option, check_whole
from numberduels.game_text import GameText


@dataclass(frozen=True)
class TwentyOne:
    goal: int = option(21, "the number that nobody wants to say")
    tone: str = option("kind", "what is said to the loser", choices=("kind", "rude"))

    def __post_init__(self):
        check_whole("goal", self.goal, 1, 500)

    def start(self, rng):
        return 0, 0

    def turn(self, state):
        return state[1]

    def moves(self, state):
        return tuple(f"+{step}" for step in (1, 2, 3) if state[0] + step <= self.goal)

    def play(self, state, move):
        if move not in self.moves(state):
            raise IllegalMove(f"{move} goes beyond {self.goal}.")
        return state[0] + int(move), 1 - state[1]

    def outcome(self, state):
        return Outcome(state[1], "said") if state[0] == self.goal else None


class TwentyOneText(GameText):
    def opening(self, state):
        return f"Count to {self.game.goal}!\\n"

    def position(self, state):
        return f"We are at {state[0]}.\\n"

    def heading(self, state):
        return ""

    def prompt(self, state):
        return f"{self.mover(state)}: "

    def parse_move(self, text):
        step = text.strip().removeprefix("+")
        if step not in ("1", "2", "3"):
            raise Unreadable("Say +1, +2 or +3.")
        return f"+{step}"

    def announce(self, before, move, after):
        return f"{after[0]}!\\n"

    def closing(self, state):
        return f"{self.opponent(state)} said {self.game.goal}. {self.mover(state)} wins!\\n"
'''

CHECKS = """
from random import Random
from numberduels import Record, Table, check_game, make, names
from numberduels.record import read, write
from numberduels.registry import spec

assert names()[5] == "twenty-one", names()
check_game(spec("twenty-one"), make("twenty-one", goal=5, tone="rude"), make("twenty-one", goal=1))

rng, table = Random(1), Table(make("twenty-one", goal=9, tone="rude"))
while table.outcome is None:
    record = Record(spec("twenty-one"), table.game, table.played, names=("Ada", 'B"ob'))
    assert read(write(record)) == record
    table.play(rng.choice(table.moves))
record = Record(spec("twenty-one"), table.game, table.played)
assert read(write(record)) == record and record.result in ("1-0", "0-1")
assert write(record).startswith('[Game "twenty-one"]\\n[Goal "9"]\\n[Tone "rude"]\\n')

from numberduels.players import make_player
for kind in ("random", "greedy", "mcts:50", "perfect"):
    assert make_player(kind).choose(table.game, (0, 0), Random(0)) in ("+1", "+2", "+3")
assert make_player("perfect").choose(table.game, (6, 0), Random(0)) == "+2"
"""


ENTRY_POINTS = "[numberduels.games]\ntwenty-one = twenty_one:spec\n"


def put(folder: Path) -> None:
    """Write the package there."""
    (folder / "twenty_one").mkdir()
    for name, text in {
        "__init__.py": SPEC,
        "game.py": GAME,
        "rules.md": "# Twenty-One\n\nCount up by one to three.\n",
    }.items():
        (folder / "twenty_one" / name).write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package as pip would leave it."""
    target = tmp_path_factory.mktemp("site")
    put(target)
    (target / "twenty_one-1.0.dist-info").mkdir()
    (target / "twenty_one-1.0.dist-info" / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    return target


@pytest.mark.long
def test_pip_leaves_it_where_it_is_found(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "site"
    source.mkdir()
    put(source)
    (source / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    install += ["--no-build-isolation", "--no-index", "--target", str(target), str(source)]
    subprocess.run([sys.executable, *install], check=True, capture_output=True)
    (found,) = target.glob("twenty_one-*.dist-info/entry_points.txt")
    assert found.read_text(encoding="utf-8").strip() == ENTRY_POINTS.strip()
    run(target, "-c", CHECKS)


def run(site: Path, *arguments: str, stdin: str = "", status: int = 0) -> str:
    home = str(site / "home")
    environment = {**os.environ, "PYTHONPATH": str(site), "NUMBERDUELS_HOME": home}
    done = subprocess.run(
        [sys.executable, *arguments], env=environment, input=stdin, capture_output=True, text=True
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


DUEL = ("-c", "import sys; from numberduels.cli.main import main; sys.exit(main())")


@pytest.mark.long
def test_it_keeps_the_contract_and_its_records_read_back(site: Path) -> None:
    run(site, "-c", CHECKS)


@pytest.mark.long
def test_it_is_listed_after_ours_with_its_options(site: Path) -> None:
    listed = run(site, *DUEL, "games")
    assert listed.index("summation-duel\n") < listed.index("twenty-one\n    Count up by one to three;")
    assert "--goal 21 (the number that nobody wants to say)" in listed


@pytest.mark.long
def test_its_book_can_be_read(site: Path) -> None:
    assert "Count up by one to three." in run(site, *DUEL, "rules", "twenty-one")


def test_it_is_played_to_the_end_through_a_pipe(site: Path) -> None:
    session = run(
        site, *DUEL, "play", "twenty-one", "--goal", "4", "--names", "Ada,Bob", stdin="+3\nfour\n+2\n1\n"
    )
    assert session == (
        "Count to 4!\n\nPlayer 1 (Ada): +3\n3!\n\n"
        "Player 2 (Bob): four\nInvalid choice. Say +1, +2 or +3. Type help for all commands.\n\n"
        "Player 2 (Bob): +2\nInvalid choice. +2 goes beyond 4.\n\n"
        "Player 2 (Bob): 1\n4!\nPlayer 2 (Bob) said 4. Player 1 (Ada) wins!\n"
    )


@pytest.mark.long
def test_it_is_saved_and_resumed(site: Path) -> None:
    path = site / "saved.duel"
    run(site, *DUEL, "play", "twenty-one", "--goal", "4", stdin=f"+3\nsave {path}\nquit\n")
    assert path.read_text(encoding="utf-8").endswith("\n1. +3 *\n")
    assert "Player 2 said 4. Player 1 wins!" in run(site, *DUEL, "play", "--resume", str(path), stdin="1\n")


@pytest.mark.long
def test_the_computer_plays_it(site: Path) -> None:
    played = run(site, *DUEL, "play", "twenty-one", "--p1", "perfect", "--p2", "greedy", "--seed", "1")
    assert "wins!" in played
