"""A chart of a sweep: the winner, the winning first moves and the nimber or margin at each size."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING

from numberduels.cli.chart_style import BLUE, GREY, ORANGE, style_sheet

if TYPE_CHECKING:
    from numberduels.cli.sweep import SweepRow

STYLES = {1: (0, "Player 1 wins"), 2: (1, "Player 2 wins"), None: (2, "nobody wins")}
"""The number of the colour of each winner; shapes and titles say the same without colour."""

LEFT, TOP, PANEL, GAP = 60, 90, 120, 46
NARROW, WIDE = 3, 26


def draw_sweep(title: str, settings: str, rows: Sequence[SweepRow]) -> str:
    """Draw the rows of a sweep as a self-contained SVG."""
    step = max(NARROW, min(WIDE, 900 // max(len(rows), 1)))
    panels: list[tuple[str, Callable[[SweepRow], int | None]]] = []
    if any(row.winning_first_moves is not None for row in rows):
        panels.append(("winning first moves", lambda row: row.winning_first_moves))
    if any(row.nimber is not None for row in rows):
        panels.append(("nimber", lambda row: row.nimber))
    if any(row.margin is not None for row in rows):
        panels.append(("margin for Player 1", lambda row: row.margin))
    width = max(LEFT + step * len(rows) + 30, 520)
    height = TOP + 30 + len(panels) * (PANEL + GAP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img"'
        ' font-family="system-ui, sans-serif" font-size="12">',
        f"<title>{escape(title)}: who wins at each size</title>",
        f"<desc>{escape(describe_sweep(rows))}</desc>",
        style_sheet(BLUE, ORANGE, GREY),
        '<rect class="ground" width="100%" height="100%"/>',
        f'<text class="text" x="{LEFT}" y="28" font-size="18" font-weight="600">',
        f"{escape(title)}: who wins at each size</text>",
        f'<text class="soft" x="{LEFT}" y="46">{escape(settings)}</text>' if settings else "",
        *_legend(rows),
        *_winners(rows, step),
    ]
    for number, (name, height_of) in enumerate(panels):
        parts += _bars(rows, step, name, height_of, TOP + 30 + number * (PANEL + GAP))
    if not panels:
        parts += _sizes(rows, step, TOP + 28)
    return "\n".join([*parts, "</svg>\n"])


def describe_sweep(rows: Sequence[SweepRow]) -> str:
    """The chart in words."""
    told = []
    for winner, (_, name) in STYLES.items():
        sizes = [str(row.size) for row in rows if row.winner == winner]
        if sizes:
            told.append(f"{name} at {len(sizes)} of {len(rows)} sizes: {', '.join(sizes)}.")
    return " ".join(told)


def _mark(winner: int | None, x: float, y: float) -> str:
    """A disc for Player 1, a ring for Player 2, a dash for nobody."""
    colour, name = STYLES[winner]
    if winner is None:
        return f'<path class="line{colour}" d="M{x - 4} {y}h8" stroke-width="2"><title>{name}</title></path>'
    filled = f'class="line{colour} mark{colour}"' if winner == 1 else f'class="line{colour}" fill="none"'
    return f'<circle {filled} cx="{x}" cy="{y}" r="4" stroke-width="1.6"><title>{name}</title></circle>'


def _legend(rows: Sequence[SweepRow]) -> list[str]:
    there = [winner for winner in STYLES if any(row.winner == winner for row in rows)]
    parts = []
    for number, winner in enumerate(there):
        x = LEFT + 6 + 130 * number
        parts += [_mark(winner, x, 62), f'<text class="text" x="{x + 10}" y="66">{STYLES[winner][1]}</text>']
    return parts


def _winners(rows: Sequence[SweepRow], step: int) -> list[str]:
    return [_mark(row.winner, LEFT + step * (column + 0.5), TOP) for column, row in enumerate(rows)]


def _bars(
    rows: Sequence[SweepRow], step: int, name: str, height_of: Callable[[SweepRow], int | None], top: int
) -> list[str]:
    """One panel of bars, with a scale on the left and the sizes below."""
    values = [height_of(row) for row in rows]
    most = max((value for value in values if value is not None), default=0)
    least = min((value for value in values if value is not None), default=0)
    high, low = max(most, 1), min(least, 0)
    base = top + PANEL * high / (high - low)
    right = LEFT + step * len(rows)
    parts = [f'<text class="text" x="{LEFT}" y="{top - 8}" font-weight="600">{name}</text>']
    for level in sorted({low, 0, high}):
        y = base - PANEL * level / (high - low)
        parts.append(f'<path class="scale" d="M{LEFT} {y:.1f}H{right}"/>')
        parts.append(f'<text class="text" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{level}</text>')
    for column, (row, value) in enumerate(zip(rows, values, strict=True)):
        if value:
            colour = STYLES[row.winner][0]
            size = abs(PANEL * value / (high - low))
            y = base - size if value > 0 else base
            x = LEFT + step * column + step * 0.15
            parts.append(
                f'<rect class="mark{colour}" x="{x:.1f}" y="{y:.1f}" width="{step * 0.7:.1f}"'
                f' height="{size:.1f}">'
                f"<title>size {row.size}: {value}</title></rect>"
            )
    return parts + _sizes(rows, step, top + PANEL + 16)


def _sizes(rows: Sequence[SweepRow], step: int, y: int) -> list[str]:
    """The sizes under a panel; not each of them if they are many."""
    parts = [f'<text class="text" x="{LEFT - 8}" y="{y}" text-anchor="end">size</text>']
    every = -(-30 // step)
    for column, row in enumerate(rows):
        if column % every == 0:
            x = LEFT + step * (column + 0.5)
            parts.append(f'<text class="text" x="{x:.1f}" y="{y}" text-anchor="middle">{row.size}</text>')
    return parts
