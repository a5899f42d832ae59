"""Charts as SVG: bars for sweeps and sequences, and a grid of winners.

A chart is a file of its own that needs nothing from elsewhere, and describes itself in words. It has colours
for light and dark pages; they never say anything alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from typing import NamedTuple

from numberduels.analysis.sequences import Winners, WinnerTable
from numberduels.game.formatting import plural

LEFT, TOP, PANEL, GAP = 96, 84, 120, 60
NARROWEST, WIDEST = 3, 48
"""The fewest and the most pixels of a column."""
ROW, ROW_GAP, LOW = 16, 4, 5
"""Pixels of a row of a grid, of the space below it, and of a cell of Player 1; one of Player 2 fills it."""

COLOURS = {
    "one": ("#0b5c9e", "#7fb2ea"),
    "two": ("#a35200", "#f0a070"),
    "even": ("#4a5568", "#a0aec0"),
    "text": ("#26323f", "#e2e8f0"),
    "ground": ("#fffdf8", "#16191f"),
    "scale": ("#d5dbe3", "#3a4250"),
}
"""The colour of each class on a light and on a dark page."""


class Panel(NamedTuple):
    """One row of bars: its name, a value for each column, and texts for levels, if they are no numbers."""

    name: str
    values: Sequence[int | None]
    levels: Mapping[int, str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BarChart:
    """Panels of bars above each other, with common columns.

    >>> chart = BarChart(title="Squares", description="n times n", axis="n", columns=[1, 2],
    ...     panels=[Panel("a(n)", [1, 4])])
    >>> chart.draw().count("<rect")
    3
    """

    title: str
    description: str
    axis: str
    """What the columns are."""
    columns: Sequence[int]
    panels: Sequence[Panel]
    subtitle: str = ""
    classes: Sequence[str] = ()
    """The class of each column, one of COLOURS; the first one without it."""
    step: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "step", max(NARROWEST, min(WIDEST, 900 // max(len(self.columns), 1))))

    def draw(self) -> str:
        """The chart as SVG."""
        parts, top = [_text(24, 48, self.subtitle)] if self.subtitle else [], TOP
        for panel in self.panels:
            parts += self._panel(panel, top)
            top += PANEL + GAP
        width = max(LEFT + self.step * len(self.columns) + 30, 760)
        return _frame(width, top, self.title, self.description, parts)

    def _panel(self, panel: Panel, top: int) -> Iterator[str]:
        """The bars, with a scale on the left and the columns below."""
        known = [value for value in panel.values if value is not None]
        high, low = max([1, *known]), min([0, *known, *(panel.levels or ())])
        unit, right = PANEL / (high - low), LEFT + self.step * len(self.columns)
        base = top + unit * high
        levels = panel.levels or {level: str(level) for level in round_numbers(low, high, 5)}
        yield _text(LEFT, top - 12, panel.name, 'font-weight="600"')
        for level, text in levels.items():
            y = base - unit * level
            yield f'<path class="scale" d="M{LEFT} {y:.1f}H{right}"/>'
            yield _text(LEFT - 8, y + 4, text, 'text-anchor="end"')
        for place, (column, value) in enumerate(zip(self.columns, panel.values, strict=True)):
            if value is None:
                continue
            x, height = LEFT + self.step * place, max(abs(unit * value), 2)
            y = base - height if value > 0 else base if value < 0 else base - 1
            kind, tip = self.classes[place] if self.classes else "one", f"{self.axis} {column}: {value}"
            yield _rect(kind, x + self.step * 0.15, y, self.step * 0.7, height, tip)
        every = -(-30 // self.step)
        below = top + PANEL + 22
        yield _text(LEFT - 8, below, self.axis, 'text-anchor="end"')
        for place, column in enumerate(self.columns):
            if place % every == 0:
                yield _text(LEFT + self.step * (place + 0.5), below, str(column), _CENTRED)


def round_numbers(low: int, high: int, most: int) -> list[int]:
    """About `most` round numbers from low to high.

    >>> round_numbers(0, 7, 5), round_numbers(0, 215, 5), round_numbers(-3, 3, 3)
    ([0, 2, 4, 6], [0, 50, 100, 150, 200], [-2, 0, 2])
    """
    steps = (unit * 10**power for power in range(12) for unit in (1, 2, 5))
    step = next(step for step in steps if step * most >= high - low)
    return list(range(-(-low // step) * step, high + 1, step))


def draw_winner_table(title: str, table: WinnerTable, winners: Winners) -> str:
    """Draw a winner table as SVG: a row for each size, a cell for each value of the option.

    A high block is a win of Player 2 and a low one of Player 1; full colour is proven by a theorem, and pale
    colour is computed only.
    """
    widest = max(value for _, value in winners)
    cell = max(1, min(12, 1000 // widest))
    parts = []
    for number, (winner, proven) in enumerate([(1, True), (1, False), (2, True), (2, False)]):
        x, y = LEFT + 280 * (number % 2), 40 + 22 * (number // 2)
        how = "by a theorem" if proven else "computed"
        parts += [_block(winner, proven, x, y, 22), _text(x + 30, y + 13, f"Player {winner} wins, {how}")]
    parts.append(_text(LEFT - 8, TOP + 8, "size", 'text-anchor="end"'))
    top, told = TOP + 14, []
    for size, row in groupby(sorted(winners), key=lambda cell: cell[0]):
        cells = list(row)
        lost = sum(winners[each] == 2 for each in cells)
        one, two = plural(len(cells) - lost, table.option), plural(lost, table.option)
        told.append(f"Size {size}: Player 1 wins {one}, Player 2 {two}.")
        parts.append(_text(LEFT - 8, top + 13, str(size), 'text-anchor="end"'))
        for (winner, proven), block in groupby(
            cells, key=lambda each: (winners[each], table.proven(each, winners))
        ):
            values = [value for _, value in block]
            parts.append(_block(winner, proven, LEFT + cell * (values[0] - 1), top, cell * len(values)))
        top += ROW + ROW_GAP
    parts.append(_text(LEFT - 8, top + 16, table.option, 'text-anchor="end"'))
    for value in [1, *range(50, widest + 1, 50)]:
        parts.append(_text(LEFT + cell * (value - 0.5), top + 16, str(value), _CENTRED))
    decided = sum(table.proven(each, winners) for each in winners)
    told.append(f"Theorems decide {decided} of {plural(len(winners), 'game')}.")
    heading = f"{title}: who wins for every size and {table.option}"
    return _frame(max(LEFT + cell * widest + 20, 760), top + 30, heading, " ".join(told), parts)


def winner_class(value: int | None) -> str:
    """The class of a value for Player 1: above zero if Player 1 wins."""
    return "one" if value and value > 0 else "two" if value else "even"


# Parts

_CENTRED = 'text-anchor="middle"'


def _frame(width: int, height: int, title: str, description: str, parts: Sequence[str]) -> str:
    light, dark = (
        " ".join(
            f".{name} {{ {'stroke' if name == 'scale' else 'fill'}: {shades[page]} }}"
            for name, shades in COLOURS.items()
        )
        for page in (0, 1)
    )
    pieces = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-labelledby="title desc"'
        ' font-family="system-ui, sans-serif" font-size="12">',
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="desc">{escape(description)}</desc>',
        f"<style>{light} @media (prefers-color-scheme: dark) {{ {dark} }}</style>",
        '<rect class="ground" width="100%" height="100%"/>',
        _text(24, 28, title, 'font-size="18" font-weight="600"'),
        *parts,
        "</svg>\n",
    ]
    return "\n".join(pieces)


def _text(x: float, y: float, text: str, more: str = "") -> str:
    return f'<text class="text" x="{x:.1f}" y="{y:.1f}" {more}>{escape(text)}</text>'


def _rect(kind: str, x: float, y: float, width: float, height: float, tip: str, more: str = "") -> str:
    return (
        f'<rect class="{kind}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
        f"{more}><title>{escape(tip)}</title></rect>"
    )


def _block(winner: int, proven: bool, x: float, top: int, width: float) -> str:
    """Neighbouring cells of a grid with the same winner."""
    height = ROW if winner == 2 else LOW
    pale = "" if proven else ' opacity="0.45"'
    kind = "two" if winner == 2 else "one"
    return _rect(kind, x, top + ROW - height, width, height, f"Player {winner} wins", pale)
