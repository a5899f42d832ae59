"""Boards as lines of characters: every game, any width, and nothing told by colour alone."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from numberduels.game import registry
from numberduels.game.board import KINDS, Bar, Board, Tile, board_of
from numberduels.game.board_text import STYLES, draw_board, plain_text
from numberduels.game.messages import Message
from numberduels.game.table import Table, deal, replay
from ours import OURS


def text_of(name: str, moves: tuple[str, ...], width: int = 80, options: str = "", **more: Any) -> str:
    """The drawn board after these moves."""
    spec = registry.spec(name)
    game = spec.make(dict(pair.split("=") for pair in options.split()))
    table = replay(game, [spec.text_for(game).parse_move(move) for move in moves])
    return plain_text(draw_board(board_of(game, table.state, table.played), width, **more))


def test_the_number_line_shows_the_allowed_side_and_who_took_what() -> None:
    assert text_of("range-war", ("6", "4"), options="size=8").splitlines()[:4] == [
        "higher than 4",
        " 1    2    3    4   [5]   6   [7]  [8]",
        " .    .    .    2*        1",
        "[5] = can be played  1 = Player 1  2 = Player 2  . = not now  * = last move",
    ]


def test_a_pool_has_bars_for_the_scores_and_names_what_would_be_snatched() -> None:
    lines = text_of("number-snatch", ("3",), options="numbers=3,5,12").splitlines()
    assert lines[1].startswith("Player 1, points [####") and lines[1].endswith("] 3 of 20")
    assert lines[2] == f"Player 2, points [{'.' * 30}] 0 of 20"
    assert "12: takes 12 and snatches 3" in lines


def test_a_preview_marks_the_move_and_what_it_is_about() -> None:
    lines = text_of("number-collision", ("3@2",), options="size=4 values=3", move="3@3").splitlines()
    assert lines[1:3] == ["[ ]  [3]  [3]  [ ]", "      !    ^"]
    assert lines[-1] == "3@3: clears positions 2 and 3"
    lines = text_of("restricted-removal", (), move="4").splitlines()
    assert lines[1].split() == ["!", "^", "!"]  # 2 and 8 would be locked


def test_many_effects_are_counted_not_listed() -> None:
    lines = text_of("range-war", (), options="size=60").splitlines()
    assert lines[-1] == "and 49 more moves"
    assert len([line for line in lines if ": leaves" in line]) == 10
    assert ": leaves" not in text_of("range-war", (), effects=0)


def random_table(name: str, seed: int) -> Table[Any, Any]:
    rng = Random(seed)
    table = replay(deal(registry.spec(name).make(), rng))
    for _ in range(rng.randrange(12)):
        if not table.outcome:
            table.play(rng.choice(table.moves))
    return table


@given(st.sampled_from(OURS), st.integers(0, 10_000), st.integers(1, 200), st.booleans())
def test_no_line_is_wider_than_the_terminal(name: str, seed: int, width: int, preview: bool) -> None:
    table = random_table(name, seed)
    board = board_of(table.game, table.state, table.played)
    move = next(iter(board.effects), "") if preview else ""
    lines = draw_board(board, width, move=move, labels=("Player 1 (Ada)", "Player 2 (the computer)"))
    for line in lines:
        assert len(plain_text([line])) <= max(width, 16)
        assert all(segment.style in ("", *KINDS, *STYLES) for segment in line)


@given(st.sampled_from(OURS), st.integers(0, 10_000))
def test_every_tile_is_shown_with_its_label(name: str, seed: int) -> None:
    table = random_table(name, seed)
    board = board_of(table.game, table.state, table.played)
    tiles = [
        segment
        for line in draw_board(board, 60, legend=False, effects=0)
        for segment in line
        if segment.style in KINDS and segment.text.strip(" []") and "[#" not in segment.text
    ]
    shown = {segment.text.strip(" []") for segment in tiles}
    assert {tile.label for tile in board.tiles if tile.label} <= shown | {""}


def test_kinds_differ_without_colour() -> None:
    """Two tiles that differ only in their kind are never drawn alike."""
    drawn = set()
    for kind in KINDS:
        board = Board((Tile("5", kind, "5" if kind == "open" else ""),))
        drawn.add(plain_text(draw_board(board, 40, legend=False)))
    # The frames of open numbers, filled and empty places are equal: an empty place has no label.
    assert len(drawn) == len(KINDS) - 2


def test_a_bar_that_has_no_end_or_is_past_it_is_drawn() -> None:
    bars = (Bar("a", Message("over"), 12, 10), Bar("b", Message("empty"), 0, 0))
    text = plain_text(draw_board(Board((), bars=bars), 40))
    assert "over  [###" in text and "." not in text.splitlines()[0]
