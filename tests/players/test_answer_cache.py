"""The cache of answers: the same request is sent once, and its files are data."""

from __future__ import annotations

import json
import os
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.running import duel
from numberduels.arena.run_folder import GAMES, read_lines
from numberduels.games.range_war.rules import RangeWar
from numberduels.players.chat import AnswerCache, ChatPlayer, RequestControl, read_answer
from numberduels.players.external import ExternalSettings
from numberduels.players.model_options import write_options
from numberduels.players.player import Forfeit
from numberduels.players.replies import Reply
from players.chat_server import Answer, Asked, ChatServer, fail, first_legal, say
from tables import table

GAME = RangeWar(5)
START = GAME.start(Random(0))
REPLY = Reply("MOVE: 5", 1.5, 11, 3, 0.25, "stop", "Hm.", 2, 4, "truncated")
"""A reply in which no field has its default."""
ID = "0" * 64


def player(server: ChatServer, folder: Path, **options: Any) -> ChatPlayer:
    settings = ExternalSettings(base_url=server.url, attempts=1, models=(("m", write_options(options)),))
    made = ChatPlayer("m", settings, sleep=lambda _: None)
    made.requests = RequestControl(AnswerCache(str(folder)))
    return made


def choose(player: ChatPlayer) -> Any:
    return player.choose(GAME, START, Random(0))


def test_every_field_of_a_reply_is_kept(tmp_path: Path) -> None:
    assert all(value != default for value, default in zip(REPLY, Reply(""), strict=True))
    cache = AnswerCache(str(tmp_path))
    cache.keep(ID, REPLY)
    assert AnswerCache(str(tmp_path)).find(ID) == REPLY


def test_the_same_request_is_sent_once_and_the_answer_is_marked(tmp_path: Path) -> None:
    with ChatServer([say("MOVE: 2", tokens=(40, 7))]) as server:
        first, second = player(server, tmp_path), player(server, tmp_path)
        assert choose(first) == choose(second) == 2
        assert len(server.asked) == 1
    fresh, cached = first.attempts[0], second.attempts[0]
    assert (fresh.cached, cached.cached) == (False, True)
    assert cached == fresh._replace(cached=True, cost=0.0)


@table("change", [{"temperature": 1}, {"headers": {"X-Title": "2"}}, {"model": "k"}, {"base_url": "?v=2"}])
def test_another_request_is_sent(tmp_path: Path, change: dict[str, Any]) -> None:
    with ChatServer() as server:
        choose(player(server, tmp_path))
        if "base_url" in change:
            change = {"base_url": f"{server.url}{change['base_url']}"}
        choose(player(server, tmp_path, **change))
        assert len(server.asked) == 2


def test_failures_are_not_kept(tmp_path: Path) -> None:
    with ChatServer([fail(400, "No."), "MOVE: 3"]) as server:
        asking = player(server, tmp_path)
        with pytest.raises(Forfeit):
            choose(asking)
        assert not list(tmp_path.iterdir())
        assert choose(asking) == 3


def test_no_key_is_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "sk-secret-0123456789"
    monkeypatch.setenv("NUMBERDUELS_API_KEY", secret)
    monkeypatch.setenv("OTHER_KEY", secret)

    def leak(asked: Asked) -> Answer:
        return say(f"{json.dumps(asked.headers)}\nMOVE: 2", reasoning=asked.path)(asked)

    with ChatServer(otherwise=leak) as server:
        asking = player(server, tmp_path, headers={"X-Key": {"env": "OTHER_KEY"}})
        assert choose(asking) == 2
    (file,) = tmp_path.iterdir()
    assert secret not in file.read_text() and "[key]" in file.read_text()


def edited(**fields: Any) -> bytes:
    return json.dumps({"request": ID, "reply": REPLY._asdict() | fields}).encode()


BROKEN = {
    "empty": b"",
    "no JSON": b"import os",
    "deep": b"[" * 100_000,
    "of another request": json.dumps({"request": "1" * 64, "reply": REPLY._asdict()}).encode(),
    "without a field": json.dumps({"request": ID, "reply": {"text": "MOVE: 1"}}).encode(),
    "with a field too many": edited(__class__="os.system"),
    "text is a number": edited(text=5),
    "negative tokens": edited(tokens_in=-1),
    "no number of seconds": edited(seconds=float("nan")),
    "an enormous cost": edited(cost=10**400),
    "an unknown cause": edited(cause="magic"),
    "a cause that is a list": edited(cause=[]),
}


@table("data", BROKEN.values())
def test_a_file_that_is_no_answer_is_missing_and_gets_replaced(tmp_path: Path, data: bytes) -> None:
    assert read_answer(edited(), ID) == REPLY  # the others differ from this in one thing
    (tmp_path / f"{ID}.json").write_bytes(data)
    cache = AnswerCache(str(tmp_path))
    assert cache.find(ID) is None
    cache.keep(ID, REPLY)
    assert cache.find(ID) == REPLY


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_links_and_pipes_are_neither_read_nor_written(tmp_path: Path) -> None:
    folder, other = tmp_path / "cache", tmp_path / "other.json"
    folder.mkdir()
    other.write_bytes(edited())
    (folder / f"{ID}.json").symlink_to(other)
    cache = AnswerCache(str(folder))
    assert cache.find(ID) is None
    cache.keep(ID, REPLY._replace(text="new"))
    assert cache.fault is not None and other.read_bytes() == edited()
    os.mkfifo(folder / f"{'1' * 64}.json")
    assert cache.find("1" * 64) is None


def test_an_answer_that_cannot_be_kept_does_not_stop_the_game(tmp_path: Path) -> None:
    with ChatServer(["MOVE: 2"]) as server:
        asking = player(server, tmp_path / "missing")
        assert choose(asking) == 2
    assert asking.requests and asking.requests.cache and asking.requests.cache.fault


def lines(folder: Path) -> list[dict[str, Any]]:
    return list(read_lines(str(folder / GAMES)))


def answers(folder: Path) -> list[dict[str, Any]]:
    moves = [move for line in lines(folder) for move in line["moves"]]
    return [each for move in moves for each in move.get("attempts", ())]


def test_a_second_run_with_the_cache_sends_nothing_and_costs_nothing(tmp_path: Path) -> None:
    with ChatServer(otherwise=first_legal) as server:

        def arena(name: str, *more: str) -> None:
            options = f"--games range-war:size=6 --rounds 3 --model-options {tmp_path / 'models.toml'}"
            folders = ["--cache", str(tmp_path / "cache"), "--out", str(tmp_path / name)]
            ran = duel("arena", "run", "--players", "chat:m,random", *options.split(), *folders, *more)
            assert ran.status == 0, ran

        (tmp_path / "models.toml").write_text("[m]\nprice = [1000, 1000]")
        arena("first")
        asked = len(server.asked)
        arena("second", "--budget", "0.0001")  # less than one answer
        assert len(server.asked) == asked
    first, second = lines(tmp_path / "first"), lines(tmp_path / "second")
    assert {line["key"]: line["record"] for line in first} == {line["key"]: line["record"] for line in second}
    assert all(each["cached"] is True and each["cost"] == 0 for each in answers(tmp_path / "second"))
    assert sum(not each.get("cached") for each in answers(tmp_path / "first")) == asked
