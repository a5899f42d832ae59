"""A chart of an integer sequence: one stem for each term."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from numberduels.analysis.sequences import IntegerSequence

LEFT, TOP, HEIGHT, RIGHT = 60, 62, 220, 24
WIDEST, NARROWEST = 16, 3
"""The most and the fewest pixels of a term."""

STYLE = """\
  .ground { fill: #fffdf8 } .text { fill: #2d3748 } .scale { stroke: #d5dbe3 }
  .stem { stroke: #2b6cb0 } .point { fill: #2b6cb0 }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #16191f } .text { fill: #e2e8f0 } .scale { stroke: #3a4250 }
    .stem { stroke: #7fb2ea } .point { fill: #7fb2ea }
  }"""


def draw_sequence(sequence: IntegerSequence, points: Sequence[tuple[int, int]]) -> str:
    """Draw the pairs (n, a(n)) as a self-contained SVG for light and dark pages."""
    step = max(NARROWEST, min(WIDEST, 900 // len(points)))
    right = LEFT + step * len(points)
    width, height = max(right + RIGHT, 560), TOP + HEIGHT + 44
    terms = [term for _, term in points]
    low, high = min(*terms, 0), max(*terms, 1)
    first, last = points[0][0], points[-1][0]

    def y(term: int) -> float:
        return TOP + HEIGHT * (high - term) / (high - low)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}" role="img" aria-labelledby="title desc"'
        ' font-family="system-ui, sans-serif" font-size="12">',
        f'<title id="title">{escape(sequence.name)}, n from {first} to {last}</title>',
        f'<desc id="desc">a(n) is {escape(sequence.definition)}: {", ".join(map(str, terms))}.</desc>',
        f"<style>\n{STYLE}\n</style>",
        '<rect class="ground" width="100%" height="100%"/>',
        f'<text class="text" x="{LEFT}" y="26" font-size="17" font-weight="600">'
        f"{escape(sequence.name)}</text>",
        f'<text class="text" x="{LEFT}" y="45">{escape(sequence.definition)}</text>',
    ]
    for level in _levels(low, high):
        parts.append(f'<path class="scale" d="M{LEFT} {y(level):.1f}H{right}"/>')
        parts.append(
            f'<text class="text" x="{LEFT - 8}" y="{y(level) + 4:.1f}" text-anchor="end">{level}</text>'
        )
    every = _spacing(36 / step)
    for place, (n, term) in enumerate(points):
        x = LEFT + step * (place + 0.5)
        parts.append(
            f'<g><title>a({n}) = {term}</title><path class="stem" d="M{x:.1f} {y(0):.1f}V{y(term):.1f}"/>'
            f'<circle class="point" cx="{x:.1f}" cy="{y(term):.1f}" r="{min(step / 2.6, 3.4):.1f}"/></g>'
        )
        if n % every == 0:
            parts.append(
                f'<text class="text" x="{x:.1f}" y="{TOP + HEIGHT + 20}" text-anchor="middle">{n}</text>'
            )
    parts.append(f'<text class="text" x="{LEFT - 8}" y="{TOP + HEIGHT + 20}" text-anchor="end">n</text>')
    return "\n".join([*parts, "</svg>\n"])


def _levels(low: int, high: int) -> list[int]:
    """About five round levels for the scale, zero among them.

    >>> _levels(0, 7), _levels(0, 215)
    ([0, 2, 4, 6], [0, 50, 100, 150, 200])
    """
    step = _spacing((high - low) / 5)
    return list(range(-(-low // step) * step, high + 1, step))


def _spacing(least: float) -> int:
    """The smallest of 1, 2, 5, 10, 20, 50, ... that is at least this.

    >>> _spacing(2.3), _spacing(43)
    (5, 50)
    """
    power = 1
    while True:
        for step in (power, 2 * power, 5 * power):
            if step >= least:
                return step
        power *= 10
