"""Boards: what a page shows of each game is true, says no less than the rules allow, and no more."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numberduels.game import registry
from numberduels.game.board import KINDS, Bar, Board, Effect, Tile, board_of
from numberduels.game.messages import Message
from numberduels.games.number_collision.rules import NumberCollision, Place
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.games.template import spec as template
from numberduels.games.template.rules import LastCounter
from numberduels.web.http.i18n import translator
from numberduels.web.http.rendering import environment
from tables import table

THE_LIST = (2, 5, 7, 10, 12, 13, 15, 17, 18, 20)


def reached(game: Any, *moves: Hashable) -> Any:
    state = game.start(Random(0))
    for move in moves:
        state = game.play(state, move)
    return state


def after(game: Any, *moves: Hashable) -> Board:
    return board_of(game, reached(game, *moves), moves)


def picture(board: Board) -> str:
    """The tiles in one line: each label, and behind it the first two letters of its kind."""
    return " ".join(f"{tile.label or '_'}{tile.kind[:2]}" for tile in board.tiles)


def told(board: Board, move: object) -> str:
    return board.effects[str(move)].text


def note(board: Board) -> str | None:
    return board.note.text if board.note else None


def labels(board: Board, places: Sequence[int]) -> list[str]:
    return [board.tiles[place].name or board.tiles[place].label for place in places]


# Examples

SNATCH = NumberSnatch(numbers=THE_LIST)
LATE_SUM = (SummationDuel(), 10, 9, 8, 7, 6, 5, 3)
WITHOUT_RETURN = NumberCollision(4, 1, "forbidden")


@table(
    "played, shown",
    [
        ((RangeWar(10), 7, 4, 6, 2), "1cl 2se 3op 4se 5op 6fi 7fi 8op 9op 10op"),
        ((RangeWar(5), 1), "1fi 2cl 3cl 4cl 5cl"),
        ((SNATCH, 5, 15), "2op 5fi 7op 10op 12op 13op 15se 17op 18op 20op"),
        ((NumberSnatch(numbers=(1, 2, 4)), 1, 2, 4), "1fi 2se 4fi"),
        ((RestrictedRemoval(10), 5, 2, 9), "2re 3lo 4lo 5re 6lo 7op 8lo 9re 10lo"),
        (LATE_SUM, "1op 2op 3fi 4op 5se 6fi 7se 8fi 9se 10fi"),
        ((SummationDuel(4, 6), 4, 3), "1cl 2cl 3se 4fi"),
        ((NumberCollision(5, 3), Place(3, 2), Place(3, 4)), "_em 3fi _em 3fi _em"),
        ((NumberCollision(2, 2), Place(1, 1), Place(2, 2)), "1fi 2fi"),
        ((WITHOUT_RETURN, Place(1, 1)), "1fi _cl _em _em"),  # a 1 beside the 1 brings back the empty line
    ],
)
def test_a_board_shows_each_number_as_it_is(played: Any, shown: str) -> None:
    assert picture(after(*played)) == shown


@table(
    "played, said",
    [
        ((RangeWar(5),), "any number"),
        ((RangeWar(10), 7), "lower than 7"),
        ((RangeWar(10), 7, 4), "higher than 4"),
        ((RangeWar(10, "free"), 7), "lower or higher than 7"),
        ((RangeWar(5), 1), "no number lower than 1 is left"),
        ((RangeWar(3), 3, 2), "no number higher than 2 is left"),
        ((RangeWar(1, "free"), 1), "no number is left"),
        ((SNATCH,), None),
        ((SNATCH, 5), "last taken: 5; a multiple of it snatches it"),
        ((SNATCH, 5, 15), "last taken: 15; nothing left can snatch it"),
        ((NumberSnatch(numbers=(1, 2, 4)), 1, 2, 4), None),
        ((SummationDuel(),), "50 to go"),
        ((SummationDuel(4, 6), 4, 3), None),
        ((WITHOUT_RETURN, Place(1, 1)), "position 2 would bring back an earlier line"),
        ((NumberCollision(4, 1), Place(1, 1)), None),
    ],
)
def test_a_note_says_what_holds_for_the_next_move(played: Any, said: str | None) -> None:
    assert note(after(*played)) == said


@table(
    "played, move, effect",
    [
        ((RangeWar(5),), 1, "leaves nothing: wins"),
        ((RangeWar(5),), 5, "leaves 1-4"),
        ((RangeWar(10), 7, 4, 6, 2), 8, "leaves 1, 3, 5"),
        ((SNATCH, 5), 12, "takes 12"),
        ((SNATCH, 5), 15, "takes 15 and snatches 5"),
        ((RestrictedRemoval(10),), 7, "locks nothing"),
        ((RestrictedRemoval(10), 5, 2, 9), 7, "leaves nothing: wins"),
        ((RestrictedRemoval(19),), 2, "locks 4, 6, 8, 10, 12, 14, 16 and 18"),
        ((RestrictedRemoval(20),), 2, "locks 9 numbers"),
        ((SummationDuel(),), 10, "makes 10, 40 to go"),
        (LATE_SUM, 2, "makes 50 exactly: wins"),
        (LATE_SUM, 4, "makes 52: over the target, loses"),
        ((NumberCollision(4, 3),), "3@2", "fills position 2"),
        ((NumberCollision(5, 3), Place(3, 2), Place(3, 4)), "3@3", "clears positions 2, 3 and 4"),
        ((NumberCollision(2, 2), Place(1, 1)), "2@2", "fills position 2: wins"),
        (
            (NumberCollision(2, 1, "forbidden"),),
            "1@1",
            "every empty cell would bring back an earlier line: wins",
        ),
    ],
)
def test_an_effect_says_what_a_move_does(played: Any, move: object, effect: str) -> None:
    assert told(after(*played), move) == effect


def test_range_war_counts_what_is_too_much_to_list() -> None:
    board = after(RangeWar(40), 40, *(each for low in range(2, 16, 2) for each in (low, 40 - low)))
    effect = board.effects["1"]
    assert effect.key == "leaves_many" and effect.text.values == {"count": len(effect.touches)}


def test_without_the_moves_whose_turn_it_is_tells_who_took_the_last_number() -> None:
    assert picture(board_of(SNATCH, reached(SNATCH, 5))).startswith("2op 5fi 7op ")
    assert picture(board_of(SNATCH, reached(SNATCH, 5, 15))).startswith("2op 5re 7op 10op 12op 13op 15se ")


# All of them


SIZES: dict[str, list[Any]] = {
    "range-war": [RangeWar(1), RangeWar(), RangeWar(10, "free"), RangeWar(40)],
    "number-snatch": [NumberSnatch(), NumberSnatch(numbers=THE_LIST), NumberSnatch(12, 12 + 1)],
    "restricted-removal": [RestrictedRemoval(2), RestrictedRemoval(), RestrictedRemoval(60)],
    "summation-duel": [SummationDuel(1, 1), SummationDuel(), SummationDuel(20, 100)],
    "number-collision": [
        NumberCollision(1, 1),
        NumberCollision(),
        NumberCollision(4, 2, "forbidden"),
        NumberCollision(6, 1, "forbidden"),
    ],
}


@st.composite
def positions(draw: st.DrawFn) -> tuple[Any, Any, list[Any]]:
    """A game, a position of it, and the moves that led there."""
    game = draw(st.sampled_from([game for games in SIZES.values() for game in games]))
    rng = Random(draw(st.integers(0, 10_000)))
    state, played = game.start(rng), []
    for _ in range(draw(st.integers(0, 45))):
        moves = game.moves(state)
        if not moves:
            break
        played.append(rng.choice(moves))
        state = game.play(state, played[-1])
    return game, state, played


def written(game: Any, state: Any) -> dict[str, Any]:
    words = registry.spec_of(game).text_for(game)
    return {words.format_move(move): move for move in game.moves(state)}


@given(positions())
@settings(deadline=None, max_examples=150)
def test_a_board_offers_the_legal_moves_and_no_others(position: tuple[Any, Any, list[Any]]) -> None:
    game, state, played = position
    board = board_of(game, state, played)
    legal = written(game, state)
    assert list(board.effects) == list(legal)
    offered = [hand + tile.move for tile in board.tiles if tile.move for hand in board.hand or ("",)]
    if board.hand and game.repetition == "forbidden":
        assert {move.partition("@")[2] for move in offered} == {move.partition("@")[2] for move in legal}
    else:
        assert sorted(offered) == sorted(legal)


@given(positions())
@settings(deadline=None, max_examples=150)
def test_kinds_and_places_are_in_range(position: tuple[Any, Any, list[Any]]) -> None:
    board = board_of(*position)
    assert {tile.kind for tile in board.tiles} <= set(KINDS)
    assert all(tile.kind in ("open", "empty") for tile in board.tiles if tile.move)
    places = range(len(board.tiles))
    assert all(place in places for place in board.last)
    for move, effect in board.effects.items():
        assert all(place in places for place in effect.touches)
        assert all(board.tiles[place].move not in (move, f"@{move[2:]}") for place in effect.touches)
        assert "{" not in effect.text and effect.key.isidentifier()
    assert len(board.last) >= bool(position[2])


@given(positions())
@settings(deadline=None, max_examples=150)
def test_what_an_effect_says_is_what_happens(position: tuple[Any, Any, list[Any]]) -> None:
    game, state, played = position
    board = board_of(game, state, played)
    some = list(written(game, state).items())
    for name, move in Random(len(played)).sample(some, min(len(some), 6)):
        effect, later = board.effects[name], game.play(state, move)
        following = board_of(game, later, [*played, move])
        outcome = game.outcome(later)
        if not isinstance(game, NumberSnatch):  # where the last number is taken, the points decide
            mover = game.turn(state)
            assert effect.text.endswith("wins") == (outcome is not None and outcome.winner == mover)
            assert effect.text.endswith("loses") == (outcome is not None and outcome.winner != mover)
        touched = labels(board, effect.touches)
        changed = {
            new.name or new.label
            for old, new in zip(board.tiles, following.tiles, strict=True)
            # An empty cell of Number Collision may be closed in one turn and not in the next.
            if (old.label if isinstance(game, NumberCollision) else (old.label, old.kind))
            != (new.label if isinstance(game, NumberCollision) else (new.label, new.kind))
        }
        match game:
            case RangeWar():
                assert touched == [tile.label for tile in following.tiles if tile.kind == "open"]
            case RestrictedRemoval():
                assert {*touched, name} == changed
            case NumberCollision():
                assert {*touched, str(move.position)} == changed | {str(move.position)}
                assert set(labels(following, following.last)) == {*touched, str(move.position)}
            case NumberSnatch():
                gain = following.bars[game.turn(state)].value - board.bars[game.turn(state)].value
                assert gain == move + (int(touched[0]) if touched else 0)
                assert changed == {name}
            case SummationDuel():
                assert effect.text.values["total"] == following.bars[0].value and not touched


def test_a_game_without_a_board_is_shown_by_its_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "spec_of", lambda _: template)
    game = LastCounter(7)
    assert board_of(game, game.start(Random(0))).tiles == (Tile("1", "open", "1"), Tile("2", "open", "2"))


# As a page


def html(board: Board, **more: Any) -> ElementTree.Element:
    """The board drawn, which must be well-formed."""
    macros: Any = environment().get_template("board.html").module
    text = str(macros.draw(board, translator("en"), **more))
    assert " style=" not in text and "<script" not in text and " on" not in text.replace(" one", "").lower()
    return ElementTree.fromstring(text)


def heard(page: ElementTree.Element) -> list[str]:
    """What each tile says to who cannot see it."""
    return ["".join(tile.itertext()) for tile in page.iterfind(".//*[@data-place]/*[@class='heard']")]


@table("name", SIZES)
def test_every_board_is_drawn_at_every_stage(name: str) -> None:
    for game in SIZES[name]:
        rng = Random(5)
        played: list[Any] = []
        state = game.start(rng)
        while len(played) < 30:
            board = board_of(game, state, played)
            worth = dict(zip(board.effects, ("win", "draw", "loss") * 200, strict=False))
            page = html(board, act="/move", values=worth, best=tuple(board.effects)[:1])
            buttons = page.findall(".//button[@value]")
            assert [button.get("value") for button in buttons] == [t.move for t in board.tiles if t.move]
            assert len(page.findall(".//input")) == len(board.hand)
            assert len(heard(page)) == len(board.tiles)
            assert not html(board).findall(".//button") and not html(board).findall(".//input")
            if not game.moves(state):
                break
            played.append(rng.choice(game.moves(state)))
            state = game.play(state, played[-1])


def test_a_tile_says_its_number_its_kind_and_its_effect() -> None:
    said = heard(html(after(RestrictedRemoval(10), 7), act="/", values={"2": "win"}, best=("2",)))
    assert said[0] == "2, open, locks 4, 6, 8 and 10, win, best"
    assert said[5] == "7, removed, last move"
    assert heard(html(after(RangeWar(3), 3), names=("Ann", "")))[2] == "3, taken by Ann, last move"


def test_a_cell_says_what_differs_between_the_numbers_in_hand() -> None:
    said = heard(
        html(after(NumberCollision(3, 3), Place(2, 1)), act="/", values={"1@3": "win", "2@3": "win"})
    )
    assert said[0] == "position 1, 2, filled, last move"
    assert said[1] == "position 2, empty, with 2: clears positions 1 and 2"
    assert said[2] == "position 3, empty, fills position 3, with 1, 2: win"
    said = heard(html(after(NumberCollision(2, 2, "forbidden"), Place(1, 1)), act="/"))
    assert said[1] == "position 2, empty, with 2: fills position 2: wins, with 1: not allowed"


def test_the_number_in_hand_stays_chosen() -> None:
    board = after(NumberCollision())
    for chosen, checked in (("3", "3"), ("", "1"), ("99", "1")):
        page = html(board, act="/", chosen=chosen)
        assert [each.get("value") for each in page.findall(".//input[@checked]")] == [checked]


def test_the_number_of_the_best_move_is_marked() -> None:
    page = html(after(NumberCollision(3, 3)), act="/", best=("2@1", "2@3"))
    said = ["".join(each.itertext()) for each in page.findall(".//label")]
    assert said == ["1", "2★, best", "3"]


def test_bars_are_told_and_never_wider_than_whole() -> None:
    page = html(after(SummationDuel(4, 6), 4, 3))
    (text,) = page.findall(".//*[@class='bar-text']")
    assert "".join(text.itertext()).strip() == "Total: 7 of 6"
    assert [rect.get("width") for rect in page.findall(".//rect")] == ["1000", "1000"]


def test_hostile_words_are_escaped() -> None:
    evil = "<i>\"'&</i>"
    effect = Effect("evil", Message("does {what}", what=evil))
    tiles = (Tile(evil, "open", evil, evil), Tile("", "empty", "@1", "1"))
    bars = (Bar("points", Message(evil), 1, 2), Bar("points", Message("points"), 1, 2, 0))
    for hand in ((), (evil,)):
        moves = [each + tile.move for tile in tiles for each in hand or ("",)]
        board = Board(tiles, dict.fromkeys(moves, effect), hand, (0,), bars, effect)
        page = html(board, act=f"/{evil}", values={moves[0]: "win"}, best=(moves[0],), names=(evil, evil))
        assert page.find(".//i") is None
        assert evil in "".join(page.itertext()) and "&lt;" not in "".join(page.itertext())
        assert page.find(".//button[@value]").get("value") == evil  # type: ignore[union-attr]  # it is there
