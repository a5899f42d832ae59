"""Firefox: two friends play a game."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from web.browsers import SMALL
from web.firefox import Firefox, Visitor, running_firefox
from web.serving import Server, serving

pytestmark = pytest.mark.long

TURN = "document.querySelector('.playing')?.dataset.mine === 'yes'"
OVER = "document.querySelector('.playing')?.dataset.status === 'over'"
PLY = "document.querySelector('.playing')?.dataset.ply"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """One Firefox for all tests; in the end no script has failed in it."""
    with running_firefox(tmp_path_factory.mktemp("firefox")) as browser:
        yield browser
        assert browser.faults == []


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("served")) as running:
        yield running


def choose(visitor: Visitor, selector: str) -> None:
    """Choose a radio button of the home page by its label."""
    visitor.click(f"label:has({selector})")
    visitor.wait_for(f"document.querySelector('{selector}').checked")


def begin(visitor: Visitor, server: Server, game: str, mode: str) -> None:
    """Begin a game by the form of the home page."""
    visitor.goto(f"{server.url}/?game={game}")
    choose(visitor, f'[name=mode][value="{mode}"]')
    visitor.click("form.new-game details summary")
    for name, text in SMALL[game].items():
        visitor.evaluate(f"document.querySelector('[name=\"{game}.options.{name}\"]').value = '{text}'")
    visitor.click("form.new-game button.main")
    visitor.wait_for("document.querySelector('.playing')")


def test_two_friends_play_to_the_end_each_seeing_the_other_move(firefox: Firefox, server: Server) -> None:
    players = one, other = firefox.visitor(), firefox.visitor(390, 844)
    begin(one, server, "range-war", "friend")
    other.goto(one.evaluate("document.querySelector('.invite input').value"))
    other.click("form button.main")
    for each in players:
        each.wait_for("document.querySelector('.playing')?.dataset.status === 'playing'")
        each.evaluate("window.neverLeft = true")
        each.wait_for("document.querySelector('[data-presence]').classList.contains('online')")
    for ply in range(1, 10):
        mover = next(each for each in players if each.evaluate(TURN))
        mover.click(".board button[name=move]")
        for each in players:
            each.wait_for(f"{PLY} === '{ply}'")
        if one.evaluate(OVER):
            break
    results = {each.evaluate("document.querySelector('.finale h2').textContent") for each in players}
    assert results == {"You win!", "You lose."}
    assert all(each.evaluate("window.neverLeft") for each in players)
