"""Contrast of the colours in static/tokens.css, in both themes, as WCAG 2.2 measures it.

    python -m tools.contrast    the table of docs/design.md

A pair is a foreground on a background, with the least contrast that it must have: 4.5 for text, 3 for the
outlines of what can be pressed and for large glyphs.
"""

from __future__ import annotations

import re
from pathlib import Path

STATIC = Path(__file__).parents[1] / "src" / "numberduels" / "web" / "http" / "static"
THEMES = ("light", "dark")

TEXT, SHAPE = 4.5, 3.0
PAIRS = [
    *[(name, ground, TEXT) for name in ("ink", "soft") for ground in ("page", "surface", "raised")],
    *[(name, ground, TEXT) for name in ("accent", "good", "bad") for ground in ("page", "surface")],
    *[(name, ground, TEXT) for name in ("first", "second") for ground in ("page", "surface")],
    ("accent-ink", "accent", TEXT),
    ("ink", "accent-soft", TEXT),
    ("accent", "accent-soft", TEXT),
    ("ink", "warn", TEXT),
    ("page", "ink", TEXT),
    ("surface", "good", TEXT),
    ("surface", "bad", TEXT),
    ("first-ink", "first", TEXT),
    ("second-ink", "second", TEXT),
    ("first", "first-soft", TEXT),
    ("second", "second-soft", TEXT),
    ("ink", "first-soft", TEXT),
    ("ink", "second-soft", TEXT),
    ("soft", "first-soft", TEXT),
    ("soft", "second-soft", TEXT),
    ("tile-ink", "tile", TEXT),
    ("tile-ink", "tile-hover", TEXT),
    *[(name, "tile", TEXT) for name in ("good", "bad", "draw", "star", "soft")],
    ("sunk-ink", "sunk", TEXT),
    ("locked-ink", "locked", TEXT),
    ("locked-ink", "hatch", TEXT),
    ("filled-ink", "filled", TEXT),
    ("ink", "past", TEXT),
    ("soft", "past", TEXT),
    ("edge", "surface", SHAPE),
    ("edge", "page", SHAPE),
    ("tile-edge", "page", SHAPE),
    ("filled-edge", "page", SHAPE),
    ("focus", "page", SHAPE),
    ("focus", "surface", SHAPE),
    ("mark", "page", SHAPE),
    ("touched", "page", SHAPE),
    ("touched", "tile", SHAPE),
]
"""What stands on what, by the names of the tokens."""

RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
COLOUR = re.compile(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")
GAME = re.compile(r'\[data-game="([a-z-]+)"\]')

Colours = dict[str, tuple[str, str]]
"""By the name of a token, its value in each theme."""


def palettes(css: str) -> dict[str, Colours]:
    """The colours of pages without a game, under "", and those of each game."""
    found: dict[str, Colours] = {"": {}}
    for selector, body in RULE.findall(css):
        game = GAME.search(selector)
        own = {name: (light, dark) for name, light, dark in COLOUR.findall(body)}
        if game:
            found[game[1]] = found[""] | own
        else:
            found[""] |= own
    return found


def luminance(colour: str) -> float:
    """The relative luminance of a colour.

    >>> luminance("#ffffff"), luminance("#000000")
    (1.0, 0.0)
    """
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return round(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2], 6)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21.

    >>> contrast("#ffffff", "#000000"), contrast("#767676", "#ffffff")
    (21.0, 4.54)
    """
    low, high = sorted((luminance(one), luminance(other)))
    return round((high + 0.05) / (low + 0.05), 2)


def measured(colours: Colours) -> list[tuple[str, str, float, float, float]]:
    """For each pair: foreground, background, least contrast, contrast when light, contrast when dark."""
    return [
        (
            front,
            ground,
            least,
            contrast(colours[front][0], colours[ground][0]),
            contrast(colours[front][1], colours[ground][1]),
        )
        for front, ground, least in PAIRS
    ]


def table() -> str:
    """The contrasts as a Markdown table; of the pairs with an accent, those of each game, too."""
    lines = ["| foreground | background | needed | light | dark |", "|---|---|---|---|---|"]
    for game, colours in palettes((STATIC / "tokens.css").read_text(encoding="utf-8")).items():
        for front, ground, least, light, dark in measured(colours):
            if not game or "accent" in front + ground:
                name = f"{front} ({game})" if game else front
                lines.append(f"| {name} | {ground} | {least:g} | {light:g} | {dark:g} |")
    return "\n".join(lines)


if __name__ == "__main__":
    print(table())
