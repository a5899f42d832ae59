"""Draws docs/session.svg: a real session, as a terminal shows it; `make pictures` does this, too."""

from __future__ import annotations

import subprocess
import sys
from html import escape
from pathlib import Path

COMMAND = "duel play number-snatch --numbers 2,5,8,10 --names Ada,Max --vs perfect --seed 2"
TYPED = "5 8"
TARGET = Path(__file__).with_name("session.svg")
COLOURS = {"Player 1 (Ada)": "#5ec4d8", "Player 2 (Max)": "#d68fd6"}
LINE, WIDTH, MARGIN = 19, 760, 20


def session() -> list[str]:
    """The lines that the command prints, itself first."""
    duel = Path(sys.executable).with_name("duel")
    typed = "".join(f"{move}\n" for move in TYPED.split())
    done = subprocess.run(
        [duel, *COMMAND.split()[1:]], input=typed, capture_output=True, text=True, check=True
    )
    return [f"$ {COMMAND}", *done.stdout.splitlines()]


def picture(lines: list[str]) -> str:
    """The lines as an SVG picture."""
    rows = []
    for number, line in enumerate(lines):
        text = escape(line)
        for label, colour in COLOURS.items():
            text = text.replace(label, f'<tspan fill="{colour}">{label}</tspan>')
        rows.append(f'<text x="{MARGIN}" y="{MARGIN + 14 + LINE * number}">{text}</text>')
    height = 2 * MARGIN + LINE * len(lines)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" role="img"'
        ' font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14" fill="#e6e6e6"'
        ' xml:space="preserve">\n'
        "<title>A session of Number Snatch in a terminal</title>\n"
        f'<rect width="{WIDTH}" height="{height}" rx="8" fill="#1d2330"/>\n' + "\n".join(rows) + "\n</svg>\n"
    )


if __name__ == "__main__":
    TARGET.write_text(picture(session()), encoding="utf-8")
