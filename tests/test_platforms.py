"""Other platforms, by simulation: nothing that is missing there is needed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from tools.architecture import MODULES

from numberduels import files
from numberduels.record import read
from simulated_windows import OTHERS, run_as_windows
from tables import table

MAIN = """
from numberduels.cli.main import main
status = main(sys.argv[1:])
sys.stdout.flush()
os._exit(status)
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with a space and an umlaut."""
    path = tmp_path / "Spiele für zwei"
    monkeypatch.setenv("NUMBERDUELS_HOME", str(path))
    return path


def duel(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    """Run the command on a simulated Windows."""
    return run_as_windows(MAIN, *arguments, typed=typed)


@pytest.mark.long
def test_every_module_can_be_imported_on_windows() -> None:
    # The adapters to the harnesses have environments of their own.
    names = [f"numberduels.{name}" for name in MODULES if name and not name.startswith("harness.")]
    program = f"""
import importlib
for name in {names!r}:
    if name.endswith(("__main__", "tui.terminal")):  # the app asks for the latter on other platforms only
        continue
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as fault:
        # An extra that is not installed is nobody's fault; a module that Windows lacks would be ours.
        if fault.name.split(".")[0] in sys.stdlib_module_names or fault.name.startswith("numberduels"):
            raise
"""
    done = run_as_windows(program, packages=OTHERS)
    assert (done.stderr, done.returncode) == ("", 0)


@pytest.mark.long
def test_a_game_is_played_saved_and_continued_on_windows(home: Path) -> None:
    begun = duel("play", "range-war", typed="7\n")
    assert begun.returncode == 1 and "The game is saved." in begun.stdout
    (saved,) = (home / "games").iterdir()
    assert read(saved.read_text(encoding="utf-8")).moves == (7,)
    ended = duel("continue", typed="".join(f"{number}\n" for number in [*range(1, 11)] * 10))
    assert ended.returncode == 0, ended.stderr
    assert "wins!" in ended.stdout


@pytest.mark.long
@pytest.mark.usefixtures("home")
def test_settings_are_kept_under_a_lock_on_windows() -> None:
    assert duel("config", "name", "Zoë").returncode == 0
    assert "Zoë" in duel("config").stdout


@pytest.mark.long
def test_a_program_is_refused_in_one_line_on_windows() -> None:
    program = "os.name = 'nt'\n" + MAIN
    done = run_as_windows(program, "play", "range-war", "--vs", "process:bot")
    assert (done.stderr, done.returncode) == ("duel: programs can play on Linux and macOS only\n", 2)


@pytest.mark.long
def test_a_run_of_the_arena_is_played_in_workers_on_windows(tmp_path: Path) -> None:
    folder = tmp_path / "a run"
    run = ("arena", "run", "--out", str(folder), "--games", "range-war", "--players", "random,greedy")
    done = duel(*run, "--rounds", "1", "--workers", "2")
    assert done.returncode == 0, done.stderr
    assert duel("arena", "report", str(folder)).returncode == 0


LOCKS = """
import threading
from numberduels.file_locks import lock_file
path = sys.argv[1]
first = os.open(path, os.O_RDWR | os.O_CREAT)
os.write(first, b"kept")
lock_file(first)
assert os.lseek(first, 0, os.SEEK_CUR) == 4, "the place in the file is left alone"
second = os.open(path, os.O_RDWR)
try:
    lock_file(second, wait=False)
except BlockingIOError:
    print("held")
waiter = threading.Thread(target=lock_file, args=(second,))
waiter.start()
os.close(first)
waiter.join(60)
print("free" if not waiter.is_alive() else "still held", os.path.getsize(path))
"""


@pytest.mark.long
def test_a_file_is_locked_on_windows(tmp_path: Path) -> None:
    done = run_as_windows(LOCKS, str(tmp_path / "a lock"))
    assert (done.stdout, done.stderr) == ("held\nfree 4\n", "")


@pytest.mark.long
def test_a_running_process_is_never_asked_by_a_signal_on_windows() -> None:
    program = """
from numberduels import processes
os.kill = lambda *_: sys.exit("on Windows this would end the process")
print(processes.has_ended(os.getpid()))
processes.lower_priority(1)
processes.limit_memory(1 << 30)
"""
    done = run_as_windows(program)
    assert (done.stdout, done.stderr) == ("False\n", "")


@pytest.mark.long
@table("answers, colours", [((1, 1), True), ((0, 0), False), ((1, 0), False)])
def test_the_console_of_windows_is_told_to_understand_escape_codes(
    answers: tuple[int, int], colours: bool
) -> None:
    program = f"""
kernel = types.SimpleNamespace(GetStdHandle=lambda which: which)
def get_mode(handle, mode):
    mode._obj.value = 3
    return {answers[0]}
def set_mode(handle, mode):
    assert (handle, mode) == (-11, 7)
    return {answers[1]}
kernel.GetConsoleMode, kernel.SetConsoleMode = get_mode, set_mode
ctypes.windll = types.SimpleNamespace(kernel32=kernel)
os.environ.pop("TERM", None)
os.environ.pop("NO_COLOR", None)
from numberduels.cli import console
print(console._wants_colour())
"""
    done = run_as_windows(program)
    assert (done.stdout, done.stderr) == (f"{colours}\n", "")


def test_a_command_to_copy_is_quoted_as_windows_does_it() -> None:
    program = r"""
sys.argv[0] = "duel"
from numberduels.cli.console import shell_command
print(shell_command("review", "C:\\My games\\a.duel").partition("review")[2])
"""
    assert run_as_windows(program).stdout == ' "C:\\My games\\a.duel"\n'


@table(
    "platform, variables, data, config",
    [
        ("linux", {}, "~/.local/share", "~/.config"),
        ("linux", {"XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"}, "/d", "/c"),
        ("darwin", {"XDG_DATA_HOME": "/d"}, "~/Library/Application Support", "~/Library/Application Support"),
        ("win32", {"LOCALAPPDATA": "/l", "APPDATA": "/r"}, "/l", "/r"),
        ("win32", {}, "~/AppData/Local", "~/AppData/Roaming"),
    ],
)
def test_the_folders_of_the_user_follow_the_platform(
    platform: str, variables: dict[str, str], data: str, config: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NUMBERDUELS_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert files.data_folder() == os.path.join(os.path.expanduser(data), "numberduels")
    assert files.config_folder() == os.path.join(os.path.expanduser(config), "numberduels")


@table("name", ["openspiel:mnk(m=3,n=3,k=3)", r"python:C:\games\my env.py:Env", "a" * 300, "ä?*<>|"])
def test_a_kept_game_has_a_file_name_that_every_platform_allows(name: str, home: Path) -> None:
    path = Path(files.new_path(name))
    assert path.parent == home / "games"
    assert not set(path.name) & set('<>:"/\\|?*') and path.name.isascii() and len(path.name) < 140
    path.write_bytes(b"")


@pytest.mark.long
def test_a_record_with_the_line_ends_of_windows_is_the_same_record(home: Path) -> None:
    assert duel("play", "range-war", typed="7\n3\n").returncode == 1
    (saved,) = (home / "games").iterdir()
    text = saved.read_bytes().decode()
    assert "\r" not in text, "records have the same bytes on every platform"
    saved.write_bytes(text.replace("\n", "\r\n").encode())
    assert read(saved.read_bytes().decode()).moves == (7, 3)
    assert duel("replay", str(saved)).returncode == 0


@pytest.mark.long
@table("encoding", ["cp1252", "ascii", "cp437", "utf-8"])
@table("command", ["rules number-collision", "solve number-collision", "games", "--help"])
def test_a_console_that_lacks_characters_shows_others_instead(encoding: str, command: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "numberduels", *command.split()],
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert (done.stderr, done.returncode) == (b"", 0)
    assert done.stdout.decode(encoding)


@pytest.mark.long
@pytest.mark.usefixtures("home")
def test_a_game_is_played_on_a_console_that_lacks_characters() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "numberduels", "play", "range-war", "--names", "Zoë,Bob"],
        input=b"1\n",
        env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert (done.stderr, done.returncode) == (b"", 0)
    assert b"Player 1 (Zo?)" in done.stdout


@pytest.mark.long
def test_a_log_of_the_player_is_the_same_on_every_platform(home: Path) -> None:
    program = """
os.O_BINARY = os.O_SYNC  # a flag that can be seen in the open file; without it Windows changes line ends
from numberduels.profile import storage
storage.append_line(sys.argv[1], {'word': 'Zoë'})
assert storage._OPEN_FLAGS & os.O_BINARY
"""
    path = home / "log.jsonl"
    assert run_as_windows(program, str(path)).stderr == ""
    assert json.loads(path.read_bytes()) == {"word": "Zoë"}
    assert path.read_bytes().count(b"\n") == 1 and b"\r" not in path.read_bytes()
