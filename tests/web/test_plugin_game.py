"""A game of another package, with sentences of its own, on the pages of a real server."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tables import table
from web.browsers import Visit, is_at, tiles
from web.serving import Server, serving

LAMPS = '''\
"""Put 1 or 2 on an empty lamp. A move is a number and a place, such as 2:3."""

from dataclasses import dataclass

from numberduels.game.board import Board, Effect, Tile
from numberduels.game.contract import IllegalMove, Outcome, Unreadable
from numberduels.game.text import GameText
from numberduels.game.messages import Message
from numberduels.game.options import option
from numberduels.game.spec import GameSpec


@dataclass(frozen=True, slots=True)
class Lamps:
    size: int = option(3, "lamps")

    def start(self, rng):
        return (0,) * self.size

    def turn(self, state):
        return sum(map(bool, state)) % 2

    def moves(self, state):
        return [(number, place) for place, lit in enumerate(state, 1) if not lit for number in (1, 2)]

    def play(self, state, move):
        if move not in self.moves(state):
            raise IllegalMove("That lamp is lit.")
        return (*state[: move[1] - 1], move[0], *state[move[1] :])

    def outcome(self, state):
        return None if 0 in state else Outcome(1 - self.turn(state), "lit")


class LampsText(GameText):
    def opening(self, state):
        return self.position(state)

    def position(self, state):
        return f"Lamps: {state}\\n"

    def prompt(self, state):
        return "Number:place? "

    def announce(self, before, move, after):
        return self.position(after)

    def closing(self, state):
        return f"{self.opponent(state)} wins!\\n"

    def format_move(self, move):
        return f"{move[0]}:{move[1]}"

    def spoken(self, move):
        return f"{move[0]} on lamp {move[1]}"

    def parse_move(self, text):
        try:
            number, place = map(int, text.split(":"))
        except ValueError:
            raise Unreadable("Write a number and a place, such as 2:3.") from None
        return number, place


def board(game, state, played):
    moves = game.moves(state)
    return Board(
        tuple(
            Tile(str(lit or ""), "filled" if lit else "empty", "" if lit else f":{place}", str(place))
            for place, lit in enumerate(state, 1)
        ),
        {f"{n}:{place}": Effect("lights", Message("lights lamp {place}", place=place)) for n, place in moves},
        hand=("1", "2") if moves else (),
    )


spec = GameSpec("lamps", "Lamps", "Light the last lamp.", Lamps, LampsText)
'''


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("plugin")
    installed = folder / "packages"
    declared = installed / "lamps-1.0.dist-info"
    declared.mkdir(parents=True)
    (declared / "entry_points.txt").write_text("[numberduels.games]\nlamps = lamps:spec\n")
    (installed / "lamps.py").write_text(LAMPS)
    with serving(folder, environment={"PYTHONPATH": str(installed)}) as running:
        yield running


@pytest.mark.long
@table("language", ["en", "de"])
def test_the_sentences_of_a_plugin_are_its_own_in_every_language(server: Server, language: str) -> None:
    with server.visitor() as visitor:
        visitor.headers["accept-language"] = language
        place = visitor.post("/new", data={"game": "lamps", "mode": "here"}).headers["location"]
        assert "lights lamp 2" in visitor.get(place).text
        assert visitor.post(f"{place}/move", data={"number": "1", "move": ":2"}).status_code == 303
        assert "lights lamp 2" in visitor.get(place).text, "of the move that was made"
        assert "lights lamp 1" in visitor.get("/learn/lamps").text
        assert "pictures/range-war.svg" in visitor.get("/").text
        assert "pictures/lamps" not in visitor.get("/").text, "it has no picture"


@pytest.mark.long
def test_a_plugin_writes_moves_of_two_parts_in_its_own_way(server: Server) -> None:
    with server.visitor() as visitor:
        made = visitor.post("/new", data={"game": "lamps", "mode": "computer", "level": "beginner"})
        place = made.headers["location"]
        hint = visitor.get(place, params={"hint": "1"}).text
        number = re.search(r"value=\"(\d)\" required=\"required\" checked", hint)
        assert number and f"<strong>Try {number[1]} on lamp " in hint, hint
        assert visitor.post(f"{place}/move", data={"number": "2", "move": ":3"}).status_code == 303
        assert "2 on lamp 3" in visitor.get(place).text
        assert "2:3" in visitor.get(f"{place}/record").text


@pytest.mark.long
def test_the_keys_find_a_place_by_its_name(server: Server, visit: Visit) -> None:
    page = visit(url=server.url)
    form: dict[str, str | float | bool] = {"game": "lamps", "mode": "here"}
    page.goto(page.request.post("/new", form=form, max_redirects=0).headers["location"])
    page.locator('.hand input[value="2"]').check()
    page.keyboard.press("3")
    expect(tiles(page).nth(2)).to_be_focused()
    page.keyboard.press("Enter")
    is_at(page, 1)
    expect(page.locator(".moves")).to_contain_text("2 on lamp 3")
