"""The style sheet of charts, for light and dark pages."""

from __future__ import annotations

BLUE, ORANGE, GREEN, VIOLET, PINK, GREY = (
    ("#2b6cb0", "#7fb2ea"),
    ("#c05621", "#f0a070"),
    ("#2f855a", "#7ccf9c"),
    ("#805ad5", "#bda2f4"),
    ("#97266d", "#f08fc0"),
    ("#4a5568", "#a0aec0"),
)
"""Colours, each for a light and for a dark page."""

GROUND, TEXT, SOFT, SCALE = (
    ("#fffdf8", "#16191f"),
    ("#2d3748", "#e2e8f0"),
    ("#4a5568", "#a9b4c2"),
    ("#e2e8f0", "#333b48"),
)


def style_sheet(*colours: tuple[str, str]) -> str:
    """A style element with the classes `ground`, `text`, `soft` and `scale`, and for the k-th colour, counted
    from 0, `line<k>` for strokes and `mark<k>` for fills.

    >>> ".line0 { stroke: #2b6cb0 }" in style_sheet(BLUE)
    True
    """
    light, dark = (
        [
            f".ground {{ fill: {GROUND[shade]} }} .text {{ fill: {TEXT[shade]} }}",
            f".soft {{ fill: {SOFT[shade]} }} .scale {{ stroke: {SCALE[shade]} }}",
            *(
                f".line{place} {{ stroke: {pair[shade]} }} .mark{place} {{ fill: {pair[shade]} }}"
                for place, pair in enumerate(colours)
            ),
        ]
        for shade in (0, 1)
    )
    lines = [*light, "@media (prefers-color-scheme: dark) {", *(f"  {each}" for each in dark), "}"]
    return "\n".join(["<style>", *(f"  {line}" for line in lines), "</style>"])
