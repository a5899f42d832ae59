"""A game of another package, with sentences of its own, on the pages of a real server."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .serving import Server, serving

GAME = '''\
"""Last Counter under another name, with a board whose sentences are named as sentences of our games are."""

from dataclasses import dataclass

from numberduels.board import Bar, Board, Effect, Tile
from numberduels.games.template.rules import LastCounter
from numberduels.games.template.text import LastCounterText
from numberduels.messages import Message
from numberduels.spec import GameSpec


@dataclass(frozen=True, slots=True)
class Counters(LastCounter):
    pass


def board(game, state, played):
    moves = [str(move) for move in game.moves(state)]
    return Board(
        tuple(Tile(move, "open", move) for move in moves),
        {move: Effect("takes", Message("takes {count} counters", count=int(move))) for move in moves},
        bars=(Bar("total", Message("Pile"), state[0], game.size),),
        note=Effect("higher", Message("{count} counters are left", count=state[0])),
    )


spec = GameSpec("counters", "Counters", "Take one or two.", Counters, LastCounterText, board="counters:board")
'''


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("plugin")
    installed = folder / "packages"
    declared = installed / "counters-1.0.dist-info"
    declared.mkdir(parents=True)
    (declared / "entry_points.txt").write_text("[numberduels.games]\ncounters = counters:spec\n")
    (installed / "counters.py").write_text(GAME)
    (installed / "rules.md").write_text("# Counters\n\nTake one or two.\n")
    with serving(folder, environment={"PYTHONPATH": str(installed)}) as running:
        yield running


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_sentences_of_a_plugin_are_its_own_in_every_language(server: Server, language: str) -> None:
    with server.visitor() as visitor:
        visitor.headers["accept-language"] = language
        made = visitor.post("/new", data={"game": "counters", "mode": "here"})
        place = made.headers["location"]
        page = visitor.get(place).text
        assert "takes 2 counters" in page
        assert "7 counters are left" in page
        assert "Pile: 7" in page
        assert visitor.post(f"{place}/move", data={"move": "2"}).status_code == 303
        assert "takes 2 counters" in visitor.get(place).text, "and of the move that was made"
        assert "takes 1 counters" in visitor.get("/learn/counters").text


def test_a_plugin_without_a_picture_has_none(server: Server) -> None:
    with server.visitor() as visitor:
        for path in ("/", "/learn"):
            page = visitor.get(path).text
            assert "Counters" in page
            assert "pictures/range-war.svg" in page
            assert "pictures/counters" not in page
