"""The same game under another name and with other numbers, to tell reasoning from recall.

The messages of a game are said with the texts of its catalogue `locale/disguise.mo`. Every number is
multiplied before a model sees it, and every number that it answers is divided again. That keeps order, sums,
multiples and factors as they are, so a disguised game is the same game.
"""

from __future__ import annotations

import re

from numberduels.game.catalogues import translator
from numberduels.game.contract import IllegalMove
from numberduels.game.messages import Language
from numberduels.game.spec import GameSpec

CODE = "disguise"
FACTOR = 7

NUMBER = re.compile("(?<!Player )(?<![0-9])[0-9]+")
"""A number of the game; the digits of Player 1 and Player 2 are none."""
MAX_DIGITS = 12
"""Longer numbers belong to no game here."""


class Disguise(Language):
    """The language of a disguised game.

    >>> from numberduels.game.registry import spec
    >>> disguise = Disguise(spec("range-war"))
    >>> disguise.number(3), disguise.scale("3@5"), disguise.unscale("21 at 35")
    ('21', '21@35', '3 at 5')
    """

    consecutive = False

    def __init__(self, spec: GameSpec, factor: int = FACTOR) -> None:
        """ValueError if the game has no disguise."""
        if spec.resource("prompt_disguised.txt") is None:
            raise ValueError(f"there is no disguise for {spec.name}")
        super().__init__(translator(CODE, spec.rules.__module__))
        self.factor = factor

    def number(self, number: int) -> str:
        return str(number * self.factor)

    def scale(self, text: str) -> str:
        """A move or the rules with the numbers of the disguise."""
        return NUMBER.sub(lambda found: self.number(int(found[0])), text)

    def unscale(self, text: str) -> str:
        """What a model wrote with the game's own numbers; IllegalMove where a number is none of the disguise.

        >>> from numberduels.game.registry import spec
        >>> Disguise(spec("range-war")).unscale("22")
        Traceback (most recent call last):
        numberduels.game.contract.IllegalMove: There is no label 22 in this game.
        """
        return NUMBER.sub(self._divided, text)

    def _divided(self, found: re.Match[str]) -> str:
        digits = found[0].lstrip("0") or "0"
        if len(digits) > MAX_DIGITS:
            raise IllegalMove(f"There is no label {digits[:MAX_DIGITS]}... in this game.")
        number, rest = divmod(int(digits), self.factor)
        if rest:
            raise IllegalMove(f"There is no label {digits} in this game.")
        return str(number)
