"""The files for language models on the command line: options, prompts, and what a run keeps of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from numberduels.players.model_options import BASE_URL, KEYS
from players.chat_server import ChatServer, fail
from tables import table

from .running import duel, moves_of, records

KEY = "sk-planted-Zq81-secret"


@pytest.fixture(autouse=True)
def bare_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key and no endpoint from outside reaches a test."""
    for name in (BASE_URL, *KEYS):
        monkeypatch.delenv(name, raising=False)


def arena(
    folder: Path, *options: str, players: str = "chat:toy,random", rounds: str = "1"
) -> tuple[str, int]:
    command = ["arena", "run", "--out", str(folder), "--players", players, "--rounds", rounds]
    ran = duel(*command, "--games", "range-war:size=4", "--concurrency", "1", *options)
    return ran.err, ran.status


def test_options_of_models_reach_their_servers_and_the_plan_without_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANTED_KEY", KEY)
    file, folder = tmp_path / "models.toml", tmp_path / "run"
    with ChatServer() as one, ChatServer() as two:
        file.write_text(
            f'[toy]\nbase_url = "{one.url}"\napi_key_env = "PLANTED_KEY"\ntemperature = 0\n'
            f'["other"]\nbase_url = "{two.url}?api-version=1"\nprice = [1000000, 0]\n'
        )
        assert arena(folder, "--model-options", str(file), players="chat:toy,chat:other") == ("", 0)
    assert {asked.headers.get("authorization") for asked in one.asked} == {f"Bearer {KEY}"}
    assert {asked.body.get("temperature") for asked in one.asked} == {0}
    assert {asked.path for asked in two.asked} == {"/v1/chat/completions?api-version=1"}
    kept = "".join(path.read_text() for path in folder.iterdir())
    assert KEY not in kept and "PLANTED_KEY" in kept and "api-version=1" in kept
    assert '"cost":11.0' in kept, "11 tokens of the prompt, at a million for a million"


def test_a_run_is_not_continued_with_other_options_of_its_models(tmp_path: Path) -> None:
    file, folder = tmp_path / "models.toml", tmp_path / "run"
    with ChatServer():
        assert arena(folder)[1] == 0
        file.write_text("[toy]\nseed = 1")
        told, status = arena(folder, "--model-options", str(file), rounds="2")
        assert status == 2 and "models was" in told and "seed" in told and told.count("\n") == 1
        file.write_text('[other]\nseed = 1\n["*"]\nprice = [1, 1]')
        assert arena(folder, "--model-options", str(file), rounds="2")[1] == 0, "of nobody who plays"
        more = "chat:toy,random,chat:other"
        assert arena(folder, "--model-options", str(file), players=more, rounds="2")[1] == 0
        file.write_text("[other]\nseed = 2")
        told, status = arena(folder, "--model-options", str(file), players=more, rounds="2")
        assert status == 2 and "models was" in told


@table(
    "text, reason",
    [
        ("x" * 100_001, "it is longer than 100,000 characters"),
        (b"\xff\xfe", "line 1: this is not UTF-8 text"),
        ("[toy", "it is not TOML: "),
        ('[toy]\napi_key_env = "NOT_SET_ANYWHERE"', "NOT_SET_ANYWHERE"),
        (None, "No such file"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_one_line(
    text: str | bytes | None, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    if text is not None:
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
    monkeypatch.setenv(BASE_URL, "http://127.0.0.1:9/v1")
    given = ["--model-options", str(file)]
    told, status = arena(tmp_path / "run", *given)
    assert status == 2 and told.startswith("duel: ") and told.count("\n") == 1 and reason in told


def test_the_command_that_goes_on_names_the_files_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "models.toml").write_text("[toy]\nseed = 5")
    monkeypatch.chdir(tmp_path)
    with ChatServer() as server:
        options = ["--model-options", "models.toml"]
        ran = duel("play", "range-war", "--vs", "chat:toy", *options, typed=b"5\n")
    assert f"--model-options {tmp_path / 'models.toml'}" in ran.out
    assert server.asked[0].body["seed"] == 5


@table("options", [[], ["--disguise", "--no-legal"], ["--board", "json", "--answer-only"]])
@table("game", ["range-war:size=6", "number-snatch", "number-collision:size=5"])
def test_the_prompt_that_is_shown_is_the_one_that_is_sent(
    game: str, options: list[str], tmp_path: Path
) -> None:
    command = f"arena run --players chat:toy,random --games {game} --rounds 1 --seed 9".split()
    shown = duel(*command, *options, "--show-prompt")
    assert (shown.err, shown.status) == ("", 0)
    with ChatServer(otherwise=fail(400)) as server:
        duel(*command, "--out", str(tmp_path), *options)
    sent = [[f"[{each['role']}]\n{each['content']}" for each in asked.messages] for asked in server.asked]
    assert shown.out in ["\n\n".join(messages) + "\n" for messages in sent]


def test_a_model_that_cannot_be_reached_ends_the_session_and_has_not_lost() -> None:
    with ChatServer(otherwise=fail(400)):
        ran = duel("play", "range-war", "--vs", "chat:toy", typed=b"6\n")
    assert "forfeits" not in ran.out and "wins" not in ran.out and ran.status != 0
    assert ran.err.endswith(": The server answered with status 400.\n") and ran.err.count("\n") == 1
    assert moves_of(records()[0]) == "1. 6 *"


def test_the_prompts_of_several_variants_and_games_are_told_apart() -> None:
    options = ["--games", "range-war:size=6,summation-duel", "--vary", "legal"]
    out = duel("arena", "run", "--show-prompt", "--players", "chat:m", *options).out
    heads = [line for line in out.splitlines() if line.startswith("# ")]
    assert len(heads) == 4 and heads[0] == "# chat:m [legal=yes], range-war:size=6:opening=lower"
    assert out.count("Legal moves: ") == 2


def test_the_old_name_of_the_command_that_shows_the_prompt_still_works() -> None:
    new = duel("arena", "run", "--show-prompt", "--players", "chat:m", "--games", "range-war:size=6")
    assert duel("arena", "prompt", "range-war:size=6").out == new.out != ""
    assert duel("arena", "prompt", "--help") == duel("arena", "run", "--help")
    assert "# chat:MODEL, number-snatch" in duel("arena", "prompt").out


@table(
    "arguments, reason",
    [
        (["--games", "nothing"], "nothing"),
        (["--games", "range-war:size=0"], "size"),
        (["--model-options", "/nowhere/file"], "No such file"),
        (["--board", "nothing"], "--board takes "),
        (["--players", "random"], "--show-prompt is for language models"),
    ],
)
def test_a_prompt_that_cannot_be_shown_is_refused_in_one_line(arguments: list[str], reason: str) -> None:
    ran = duel("arena", "run", "--show-prompt", "--players", "chat:m", *arguments)
    assert ran.status == 2 and ran.out == "" and ran.err.count("\n") == 1 and reason in ran.err
