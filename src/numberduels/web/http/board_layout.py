"""In how many columns and rows the tiles of a board are laid out, and how large a frame it needs."""

from __future__ import annotations

from functools import cache

from numberduels.game.board import Board

WIDE, TALL, SHORT = 1.9, 0.8, 1.8
"""Width by height of the room for tiles: on a wide screen, on a tall one such as a phone, and on a phone
whose browser, or the rest of the page, leaves little height."""

MOST_COLUMNS = {WIDE: 12, TALL: 7, SHORT: 7}
"""More columns would make tiles too narrow for a finger."""

LEAST = 0.1
"""The least size of a tile, as a part of the height: tiles do not become smaller, and the page scrolls."""

ROUND = 1.1
"""Rows of five or ten numbers are easy to read."""

INCOMPLETE, HARDLY_SEEN = 0.75, 0.95
"""A last row that is not full looks bad, but below three others it is hardly seen."""

KEYPAD = 3
"""In so many columns a last tile by itself stands in the middle, as on a telephone."""

MOST_ROWS = 12
"""With more rows than this, tiles have their least size."""


FRAME_WIDTH, FRAME_REST, FRAME_BAR, FRAME_LINE, FRAME_ROW = 600, 296, 54, 100, 47
"""Pixels of an embedded game: its width, the height of everything but the board, and of the board's parts."""


def frame_size(board: Board) -> tuple[int, int]:
    """Width and height of a frame in which an embedded game with this board need not scroll.

    It is wider than high: on tall screens, tiles are laid out otherwise.

    >>> from numberduels.game.board import board_of
    >>> from numberduels.games.range_war.rules import RangeWar
    >>> frame_size(board_of(RangeWar(10), RangeWar(10).start(None)))
    (600, 390)
    """
    line = bool(board.tiles) and bool(board.tiles[0].name)
    rows = best_grid(len(board.tiles), WIDE)[1]
    height = FRAME_REST + FRAME_BAR * len(board.bars) + (FRAME_LINE if line else FRAME_ROW * rows)
    return max(FRAME_WIDTH, height + 1), height


@cache
def tile_grid(count: int) -> str:
    """The classes of a board with this many tiles: columns and rows on a tall, a short and a wide screen.

    >>> tile_grid(10), tile_grid(9)
    ('tc-3 tr-4 sc-5 sr-2 wc-5 wr-2', 'tc-3 tr-3 sc-3 sr-3 wc-3 wr-3')
    """
    grids = {"t": best_grid(count, TALL), "s": best_grid(count, SHORT), "w": best_grid(count, WIDE)}
    return " ".join(
        f"{letter}c-{columns} {letter}r-{min(rows, MOST_ROWS)}" for letter, (columns, rows) in grids.items()
    )


def best_grid(count: int, ratio: float) -> tuple[int, int]:
    """Columns and rows for the largest square tiles in a room with this ratio of width to height.

    >>> best_grid(24, WIDE), best_grid(42, WIDE), best_grid(100, TALL)
    ((6, 4), (10, 5), (7, 15))
    """

    def worth(columns: int) -> tuple[float, int]:
        rows = -(-count // columns)
        size = min(ratio / columns, 1 / rows)
        if size < LEAST:
            return 0, columns
        size *= ROUND if columns in (5, 10) else 1
        full = count % columns == 0 or (columns == KEYPAD and count % columns == 1)
        if not full:
            size *= INCOMPLETE if rows <= KEYPAD else HARDLY_SEEN
        return round(size, 6), columns

    columns = max(range(1, min(max(count, 1), MOST_COLUMNS[ratio]) + 1), key=worth)
    return columns, -(-count // columns)
