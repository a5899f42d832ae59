"""A picture of a winner table: a row for each size, a cell for each value of the option."""

from __future__ import annotations

from html import escape
from itertools import groupby

from numberduels.analysis.winner_table import Winners, WinnerTable
from numberduels.game.formatting import plural

LEFT, TOP, RIGHT, BOTTOM = 52, 92, 20, 40
ROW, GAP = 16, 4
"""The height of a row, and the space below it."""

LOW = 5
"""The height of a cell of Player 1; one of Player 2 is as high as the row."""

STYLE = """\
  .ground { fill: #fffdf8 } .text { fill: #2d3748 } .one { fill: #2b6cb0 } .two { fill: #c05621 }
  .computed { opacity: .45 }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #16191f } .text { fill: #e2e8f0 } .one { fill: #7fb2ea } .two { fill: #f0a070 }
  }"""

Style = tuple[int, bool]
"""The winner of a cell, and whether it is proven."""


def draw_table(title: str, table: WinnerTable, winners: Winners) -> str:
    """Draw the table as a self-contained SVG for light and dark pages.

    A high block is a win of Player 2 and a low one of Player 1; full colour is proven by a theorem, and pale
    colour is computed only. So nothing is said by the hue alone.
    """
    sizes = sorted({size for size, _ in winners})
    widest = max(value for _, value in winners)
    cell = max(1, min(12, 1000 // widest))
    width = max(LEFT + cell * widest + RIGHT, 640)
    height = TOP + (ROW + GAP) * len(sizes) + BOTTOM
    heading = f"{title}: who wins for every size and {table.option}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-labelledby="title desc"'
        ' font-family="system-ui, sans-serif" font-size="12">',
        f'<title id="title">{escape(heading)}</title>',
        f'<desc id="desc">{escape(describe(table, winners))}</desc>',
        f"<style>\n{STYLE}\n</style>",
        '<rect class="ground" width="100%" height="100%"/>',
        f'<text class="text" x="{LEFT}" y="28" font-size="18" font-weight="600">{escape(heading)}</text>',
        *_legend(),
        f'<text class="text" x="{LEFT - 8}" y="{TOP - 8}" text-anchor="end">size</text>',
    ]
    for place, size in enumerate(sizes):
        top = TOP + (ROW + GAP) * place
        parts.append(f'<text class="text" x="{LEFT - 8}" y="{top + 13}" text-anchor="end">{size}</text>')
        row = [(value, winners[size, value]) for value in range(1, widest + 1) if (size, value) in winners]
        styled = [(value, (winner, table.proven((size, value), winners))) for value, winner in row]
        for style, block in groupby(styled, key=lambda each: each[1]):
            values = [value for value, _ in block]
            parts.append(_block(style, LEFT + cell * (values[0] - 1), top, cell * len(values)))
    bottom = TOP + (ROW + GAP) * len(sizes) + 16
    parts.append(f'<text class="text" x="{LEFT - 8}" y="{bottom}" text-anchor="end">{table.option}</text>')
    for value in [1, *range(50, widest + 1, 50)]:
        x = LEFT + cell * (value - 0.5)
        parts.append(f'<text class="text" x="{x:g}" y="{bottom}" text-anchor="middle">{value}</text>')
    return "\n".join([*parts, "</svg>\n"])


def describe(table: WinnerTable, winners: Winners) -> str:
    """The picture in words: for each size how many values each player wins."""
    told = []
    for size, row in groupby(sorted(winners), key=lambda cell: cell[0]):
        cells = list(row)
        lost = sum(winners[cell] == 2 for cell in cells)
        one, two = plural(len(cells) - lost, table.option), plural(lost, table.option)
        told.append(f"Size {size}: Player 1 wins {one}, Player 2 {two}.")
    proven = sum(table.proven(cell, winners) for cell in winners)
    told.append(f"Theorems decide {proven} of {plural(len(winners), 'game')}.")
    return " ".join(told)


def _block(style: Style, x: float, top: float, width: float) -> str:
    """A run of cells of the same style."""
    winner, proven = style
    high = ROW if winner == 2 else LOW
    kind = ("one", "two")[winner - 1] + ("" if proven else " computed")
    return f'<rect class="{kind}" x="{x:g}" y="{top + ROW - high:g}" width="{width:g}" height="{high}"/>'


def _legend() -> list[str]:
    parts = []
    entries = [
        ((2, True), "Player 2 wins, proven"),
        ((2, False), "Player 2 wins, computed"),
        ((1, True), "Player 1 wins, proven"),
        ((1, False), "Player 1 wins, computed"),
    ]
    for number, (style, text) in enumerate(entries):
        x = LEFT + 280 * (number % 2)
        top = 40 + 22 * (number // 2)
        parts += [_block(style, x, top, 22), f'<text class="text" x="{x + 30}" y="{top + 13}">{text}</text>']
    return parts
