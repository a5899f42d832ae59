"""`duel claims`: what it prints, for people and for programs."""

from __future__ import annotations

import json
import re

import pytest

from numberduels.analysis.claims import claims_of
from numberduels.cli.main import main
from numberduels.game import record, registry
from numberduels.games.template import spec as template

from .running import duel


@pytest.fixture(scope="module")
def printed() -> str:
    """What is printed about Range War."""
    ran = duel("claims", "range-war")
    assert (ran.err, ran.status) == ("", 0)
    return ran.out


def test_one_game_as_text(printed: str) -> None:
    assert printed.startswith("Range War\n=========\n\n1. No game ends in a draw.\n    TRUE. ")
    assert max(map(len, printed.splitlines())) <= 90
    numbers = re.findall(r"^(\d+)\. ", printed, re.M)
    assert numbers == [str(number) for number in range(1, len(numbers) + 1)]


def test_a_game_that_shows_it_can_be_copied_from_the_text(printed: str) -> None:
    blocks = re.findall(r"(?:^ {8}\[.*\n)+\n(?:^ {8}.*\n)+", printed, re.M)
    games = [record.read(re.sub(r"^ {8}", "", block, flags=re.M)) for block in blocks]
    assert [game.moves for game in games] == [(1,), (6, 4, 9, 5, 7)]


def test_json() -> None:
    ran = duel("claims", "--json", "summation-duel")
    assert (ran.err, ran.status) == ("", 0)
    data = json.loads(ran.out)
    claims = claims_of(registry.spec("summation-duel"))
    assert [(each["game"], each["number"], each["claim"]) for each in data] == [
        ("summation-duel", claim.number, claim.text) for claim in claims
    ]
    for each in data:
        assert list(each) == ["game", "number", "claim", "verdict", "evidence", "record"]
        assert each["verdict"] in ("true", "false", "partly", "open")
        assert each["record"] is None or record.read(each["record"]).spec.name == "summation-duel"
    assert data[0]["verdict"] == "false" and data[0]["record"].endswith(
        "1. 1 10 2. 2 9 3. 3 8 4. 4 7 5. 5 6 1-0\n"
    )


def test_a_game_without_claims_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(registry, "spec", lambda _: template)
    assert main(["claims", "last-counter"]) == 0
    assert capsys.readouterr().out == (
        "Last Counter\n============\n\nIts book says nothing that is checked here.\n\n"
    )
    assert main(["claims", "last-counter", "--json"]) == 0
    assert capsys.readouterr().out == "[]\n"
