"""Figures of a paper as SVG: accuracy by game, and changes with their intervals."""

from __future__ import annotations

from html import escape
from typing import Any

COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000", "#999999")
"""Colours that people with colour blindness can tell apart."""
LEFT, TOP, HEIGHT, STEP, LINE = 60, 40, 240, 180, 22


def _svg(width: int, height: int, title: str, parts: list[str]) -> str:
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img"'
        f' font-family="sans-serif" font-size="12">\n<title>{escape(title)}</title>\n'
        f'<rect width="100%" height="100%" fill="white"/>\n'
        f'<text x="{LEFT}" y="20" font-size="14">{escape(title)}</text>\n{body}\n</svg>\n'
    )


def sizes_figure(title: str, rows: list[dict[str, Any]]) -> str:
    """The accuracy of each player in each game, with its interval: a line for each player."""
    games = list(dict.fromkeys(row["game"] for row in rows))
    players = list(dict.fromkeys(row["player"] for row in rows))
    width = LEFT + STEP * len(games) + 320
    parts = []
    for percent in (0, 25, 50, 75, 100):
        y = _height(percent / 100)
        parts.append(f'<line x1="{LEFT}" x2="{LEFT + STEP * len(games)}" y1="{y}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{percent} %</text>')
    for place, game in enumerate(games):
        x, label = LEFT + STEP * place + STEP // 2, escape(game.replace(":opening=", " "))
        parts.append(
            f'<text x="{x}" y="{TOP + HEIGHT + 20}" text-anchor="middle" font-size="10">{label}</text>'
        )
    for number, player in enumerate(players):
        colour = COLOURS[number % len(COLOURS)]
        points = []
        for row in (row for row in rows if row["player"] == player and row["accuracy"]["share"] is not None):
            x = LEFT + STEP * games.index(row["game"]) + STEP // 2 + 5 * number - 5 * len(players) // 2
            low, high = (_height(end) for end in row["accuracy"]["interval"])
            y = _height(row["accuracy"]["share"])
            points.append(f"{x},{y}")
            parts.append(f'<line x1="{x}" x2="{x}" y1="{low}" y2="{high}" stroke="{colour}"/>')
            parts.append(f'<circle cx="{x}" cy="{y}" r="3.5" fill="{colour}"/>')
        parts.append(f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" opacity="0.5"/>')
        x, y = LEFT + STEP * len(games) + 16, TOP + LINE * number + 10
        parts.append(f'<circle cx="{x}" cy="{y - 4}" r="4" fill="{colour}"/>')
        parts.append(f'<text x="{x + 10}" y="{y}">{escape(player)}</text>')
    height = max(TOP + HEIGHT + 40, TOP + LINE * len(players) + 20)
    return _svg(width, height, title, parts)


def _height(share: float) -> float:
    return round(TOP + HEIGHT * (1 - share), 1)


def effects_figure(effects: list[dict[str, Any]]) -> str:
    """The change of the accuracy by each condition, with its interval, one below the other."""
    shown = [each for each in effects if each["accuracy"]]
    left, scale = 330, 150
    bottom = TOP + LINE * len(shown)
    parts = [f'<line x1="{left + scale}" x2="{left + scale}" y1="30" y2="{bottom}" stroke="#999"/>']
    for number, each in enumerate(shown):
        y = TOP + LINE * number + 10
        others = ", ".join(f"{name}={word}" for name, word in (each["others"] or {}).items())
        label = f"{each['model']}: {each['factor']} {each['from']} to {each['to']}" + (
            f" ({others})" if others else ""
        )
        x = left + scale * (1 + each["accuracy"]["change"])
        low, high = (
            left + scale * (1 + end)
            for end in each["accuracy"]["interval"] or (each["accuracy"]["change"],) * 2
        )
        parts.append(
            f'<text x="{left - 8}" y="{y + 4}" text-anchor="end" font-size="11">{escape(label)}</text>'
        )
        parts.append(f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{y}" y2="{y}" stroke="{COLOURS[0]}"/>')
        parts.append(f'<circle cx="{x:.1f}" cy="{y}" r="3.5" fill="{COLOURS[0]}"/>')
    title = "Change of the accuracy, from -100 to +100 percentage points"
    return _svg(left + 2 * scale + 20, TOP + LINE * len(shown) + 20, title, parts)
