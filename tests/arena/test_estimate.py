"""`--dry-run`: what a run would ask, without asking."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.running import duel
from players.chat_server import ChatServer

GAME = "range-war:size=7"


def dry(folder: Path, *more: str) -> str:
    ran = duel("arena", "run", "--games", GAME, "--out", str(folder), "--dry-run", *more)
    assert ran.status == 0, ran
    return " ".join(ran.out.split())


def numbers(text: str, pattern: str) -> tuple[int, ...]:
    found = re.search(pattern, text)
    assert found, text
    return tuple(int(each.replace(",", "")) for each in found.groups())


def test_nothing_is_sent_and_nothing_is_written(tmp_path: Path) -> None:
    with ChatServer() as server:
        told = dry(tmp_path / "run", "--players", "chat:m,random", "--rounds", "2")
        assert server.asked == []
    assert told.startswith("4 games in all, 0 of them played already.")
    assert "cost: unknown without a price in --model-options." in told
    assert told.endswith("No request was sent and nothing was written.")
    assert not list(tmp_path.iterdir())


def test_single_decisions_are_counted_as_the_server_counts_them(tmp_path: Path) -> None:
    options = ("--players", "chat:m", "--positions", "8")
    told = dry(tmp_path, *options, "--attempts", "3")
    assert numbers(told, r"about ([\d,]+) requests \(at most ([\d,]+) ") == (8, 24)
    with ChatServer() as server:
        ran = duel("arena", "run", "--games", GAME, "--out", str(tmp_path), *options)
        assert ran.status == 0 and len(server.asked) == 8
        again = dry(tmp_path, *options)
        characters = sum(len(message["content"]) for asked in server.asked for message in asked.messages)
    (tokens,) = numbers(told, r"about ([\d,]+) tokens in")
    assert abs(tokens - characters / 4) <= 1
    assert again.startswith("8 decisions in all, 8 of them played already.") and "about 0 requests" in again


def test_it_needs_no_key_and_no_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("A_MISSING_KEY", raising=False)
    monkeypatch.delenv("NUMBERDUELS_BASE_URL", raising=False)
    options = tmp_path / "models.toml"
    server = 'base_url = "http://a.example/v1"'
    options.write_text(
        f'["m"]\n{server}\napi_key_env = "A_MISSING_KEY"\nmax_tokens = 20\n'
        "price = [1000000, 1000000]\n[k]\nprice = [0, 0]\n"
    )
    given = ("--players", "chat:m,chat:k", "--rounds", "1", "--model-options", str(options))
    told = dry(tmp_path / "run", *given)
    tokens_in, tokens_out = numbers(told, r"chat:m: .*?([\d,]+) tokens in and ([\d,]+) out \(20 an answer\)")
    assert f"cost: about {tokens_in + tokens_out:.4g}." in told
    assert "All models together cost about" in told
    real = duel("arena", "run", "--games", GAME, "--out", str(tmp_path / "run"), *given)
    assert real.status == 2 and "A_MISSING_KEY" in real.err
