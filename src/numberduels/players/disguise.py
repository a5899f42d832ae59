"""The same game under another name and with other numbers, to tell reasoning from recall.

Every number that a model sees is multiplied, and every number that it answers is divided again. That keeps
order, sums, multiples and factors as they are, so that a disguised game is the same game.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from numberduels.core import IllegalMove

FACTOR = 7

NUMBER = re.compile("(?<!Player )(?<![0-9])[0-9]+")
"""A number of the game; the digits of Player 1 and Player 2 are none."""
RUN = re.compile("([0-9]+)-([0-9]+)")
CELLS = re.compile(r"(?:\[ *[0-9]*\]){2,}")
LONGEST_RUN = 10_000
LONGEST = 12
"""Digits beyond this many are no number of any game here."""


class Disguise:
    """Puts texts of a game into other words and numbers, and answers back.

    >>> disguise = Disguise([("Available Numbers", "Open tokens")])
    >>> disguise.out("Player 1: Available Numbers: 1-3,5")
    'Player 1: Open tokens: 7,14,21,35'
    >>> disguise.back("21 at 35")
    '3 at 5'
    """

    def __init__(self, words: Sequence[tuple[str, str]] = (), factor: int = FACTOR) -> None:
        """Take a table of words, each with the neutral one that stands for it."""
        self.factor = factor
        self._words = dict(words)
        longest_first = sorted(self._words, key=len, reverse=True)
        # A single pass, so that no replacement is replaced in turn; and no word inside another.
        self._any = re.compile(
            "|".join(rf"(?<!\w){re.escape(word)}(?!\w)" for word in longest_first) or "(?!)"
        )

    def out(self, text: str) -> str:
        """What the model is shown of a text of the game: of its board, its moves, its refusals."""
        text = self._any.sub(lambda found: self._words[found[0]], text)
        return aligned(self.scaled(RUN.sub(_spelled, text)))

    def scaled(self, text: str) -> str:
        """The text with the numbers of the disguise."""
        return NUMBER.sub(lambda found: str(int(found[0]) * self.factor), text)

    def back(self, text: str) -> str:
        """The game's own text of a move that the model wrote; IllegalMove where a number is none of these.

        >>> Disguise().back("22")
        Traceback (most recent call last):
        numberduels.core.IllegalMove: There is no label 22 in this game.
        """
        return NUMBER.sub(self._divided, text)

    def _divided(self, found: re.Match[str]) -> str:
        digits = found[0].lstrip("0") or "0"
        if len(digits) > LONGEST:
            raise IllegalMove(f"There is no label {digits[:LONGEST]}... in this game.")
        number, rest = divmod(int(digits), self.factor)
        if rest:
            raise IllegalMove(f"There is no label {digits} in this game.")
        return str(number)


def _spelled(run: re.Match[str]) -> str:
    """The numbers of a run one by one: between multiples lie numbers that are not meant."""
    first, last = int(run[1]), int(run[2])
    if not first <= last <= first + LONGEST_RUN:
        return run[0]
    return ",".join(map(str, range(first, last + 1)))


def aligned(text: str) -> str:
    """The text with the cells of its rows as wide as the widest of them.

    >>> print(aligned("[7][14]\\n[ ][7]"))
    [ 7][14]
    [  ][ 7]
    """
    rows = CELLS.findall(text)
    width = max((len(cell.strip(" ]")) for row in rows for cell in row.split("[")), default=0) or 1

    def padded(row: re.Match[str]) -> str:
        return "".join(f"[{cell.strip(' ]'):>{width}}]" for cell in row[0].split("[")[1:])

    return CELLS.sub(padded, text)
