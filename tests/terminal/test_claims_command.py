"""`duel claims`: what it prints, for people and for programs."""

from __future__ import annotations

import json
import re

import pytest

from numberduels import record, registry
from numberduels.claims import claims_of
from numberduels.games.template import room as template
from numberduels.terminal.cli import main

from .running import duel, refused


def test_one_game_as_text() -> None:
    ran = duel("claims", "range-war")
    assert (ran.err, ran.status) == ("", 0)
    assert ran.out.startswith("Range War\n=========\n\n1. No game ends in a draw.\n    TRUE. ")
    assert max(map(len, ran.out.splitlines())) <= 90
    numbers = re.findall(r"^(\d+)\. ", ran.out, re.M)
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]


def test_a_game_that_shows_it_can_be_copied_from_the_text() -> None:
    out = duel("claims", "range-war").out
    blocks = re.findall(r"(?:^ {8}\[.*\n)+\n(?:^ {8}.*\n)+", out, re.M)
    games = [record.read(re.sub(r"^ {8}", "", block, flags=re.M)) for block in blocks]
    assert [game.moves for game in games] == [(1,), (6, 4, 9, 5, 7)]


def test_every_game_in_order() -> None:
    out = duel("claims").out
    titles = re.findall(r"^(.+)\n=+\n", out, re.M)
    assert titles == [registry.room(name).title for name in registry.names()]
    claims = sum(len(claims_of(registry.room(name))) for name in registry.names())
    assert len(re.findall(r"^    (?:TRUE|FALSE|PARTLY|OPEN)\. ", out, re.M)) == claims


@pytest.mark.parametrize("arguments", [("summation-duel", "--json"), ("--json", "summation-duel")])
def test_json(arguments: tuple[str, ...]) -> None:
    ran = duel("claims", *arguments)
    assert (ran.err, ran.status) == ("", 0)
    data = json.loads(ran.out)
    claims = claims_of(registry.room("summation-duel"))
    assert [(each["game"], each["number"], each["claim"]) for each in data] == [
        ("summation-duel", claim.number, claim.text) for claim in claims
    ]
    for each in data:
        assert list(each) == ["game", "number", "claim", "verdict", "evidence", "record"]
        assert each["verdict"] in ("true", "false", "partly", "open")
        assert each["record"] is None or record.read(each["record"]).room.name == "summation-duel"
    assert data[0]["verdict"] == "false" and data[0]["record"].endswith(
        "1. 1 10 2. 2 9 3. 3 8 4. 4 7 5. 5 6 1-0\n"
    )


def test_a_game_without_claims_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "room", lambda _: template)
    assert main(["claims", "last-counter"]) == 0
    assert capsys.readouterr().out == (
        "Last Counter\n============\n\nIts book says nothing that is checked here.\n\n"
    )
    assert main(["claims", "last-counter", "--json"]) == 0
    assert capsys.readouterr().out == "[]\n"


def test_the_same_every_time() -> None:
    assert duel("claims", "restricted-removal") == duel("claims", "restricted-removal")


def test_faults_are_one_line() -> None:
    refused(duel("claims", "chess"), "there is no game called 'chess'")
    refused(duel("claims", "range-war", "number-snatch"), "unrecognized arguments")
    refused(duel("claims", "--xml"), "duel claims --help")
