"""Small helpers for texts: parse numbers, format lists and counts, quote safely, suggest similar words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from numberduels.game.contract import Unreadable

DIGITS = frozenset("0123456789")
WIDEST = 9
"""The most digits of a number in any game here."""


JOINERS = "\u200c\u200d"
"""Zero-width joiners, which some scripts and many emoji need."""


def showable(text: str) -> bool:
    """Whether a text is printable in one line and contains no control characters.

    >>> showable("Zoë"), showable("a\\N{ZERO WIDTH JOINER}b"), showable("a\\tb")
    (True, True, False)
    """
    return text.translate(_WITHOUT_JOINERS).isprintable()


_WITHOUT_JOINERS = dict.fromkeys(map(ord, JOINERS))


def printable(text: str) -> str:
    """The text with control characters replaced."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def short(text: str, most: int = 24) -> str:
    """The text in quotation marks, shortened, and with control characters escaped.

    >>> print(short("abc"), short("a" * 99), short("\\x1b[2J"))
    'abc' 'aaaaaaaaaaaaaaaaaaaaaaaa...' '\\x1b[2J'
    """
    cut = text[:most].encode("ascii", "backslashreplace").decode()
    safe = "".join(c if " " <= c <= "~" else repr(c)[1:-1] for c in cut)
    return f"'{safe}{'...' if len(text) > most else ''}'"


def split_list(text: str) -> tuple[str, ...]:
    """The parts of a list with commas between them; a comma in brackets or quotes is part of a name.

    >>> split_list("range-war, openspiel:mnk(m=3,n=3,k=3)"), split_list(" ,")
    (('range-war', 'openspiel:mnk(m=3,n=3,k=3)'), ())
    >>> split_list("chat:m [legal=no, board=json],process:./bot '1,2'")
    ('chat:m [legal=no, board=json]', "process:./bot '1,2'")
    """
    part = r"""(?:"[^"]*"|'[^']*'|\[[^\[\]]*\]|\((?:[^()]|\([^()]*\))*\)|[^,])+"""
    return tuple(filter(None, map(str.strip, re.findall(part, text))))


def read_number(text: str) -> int:
    """Parse a whole number written with ASCII digits only; Unreadable otherwise.

    >>> read_number(" 7 ")
    7
    >>> read_number("1_0")
    Traceback (most recent call last):
    numberduels.game.contract.Unreadable: '1_0' is not a whole number.
    """
    digits = text.strip(" \t\r\n")
    if not digits:
        raise Unreadable("No number was given.")
    if not DIGITS.issuperset(digits):
        raise Unreadable("{text} is not a whole number.", text=short(digits))
    if len(digits.lstrip("0")) > WIDEST:
        raise Unreadable("{text} is not a whole number of this game.", text=short(digits))
    return int(digits)


def comma(numbers: Sequence[int]) -> str:
    """The numbers separated by commas: 1,2,3."""
    return ",".join(map(str, numbers))


def bracket(numbers: Sequence[int]) -> str:
    """The numbers as a bracketed list: [1, 2, 3]."""
    return f"[{', '.join(map(str, numbers))}]"


def runs(numbers: Sequence[int]) -> str:
    """The numbers with runs of three or more shortened to a range.

    >>> runs([1, 2, 3, 4, 5, 6, 9, 10]), runs([1, 2, 4])
    ('1-6,9,10', '1,2,4')
    """
    pieces: list[str] = []
    first = 0
    while first < len(numbers):
        last = first
        while last + 1 < len(numbers) and numbers[last + 1] == numbers[last] + 1:
            last += 1
        if last - first >= 2:
            pieces.append(f"{numbers[first]}-{numbers[last]}")
        else:
            pieces.extend(str(number) for number in numbers[first : last + 1])
        first = last + 1
    return ",".join(pieces)


def series(numbers: Sequence[int]) -> str:
    """The numbers as in a sentence, with a final "and".

    >>> series([5, 6]), series([4, 5, 6])
    ('5 and 6', '4, 5 and 6')
    """
    return " and ".join([", ".join(map(str, numbers[:-1])), str(numbers[-1])])


def plural(number: int, one: str, many: str = "") -> str:
    """A number of things.

    >>> plural(1, "day"), plural(2, "day"), plural(2, "try", "tries"), plural(2_000, "game")
    ('1 day', '2 days', '2 tries', '2,000 games')
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def enumeration(items: Sequence[str], most: int = 40) -> str:
    """The items with commas between them; of a long list the first ones.

    >>> enumeration(["6", "7"]), enumeration(["2", "3", "5", "7"], most=2)
    ('6, 7', '2, 3 and 2 more')
    """
    return ", ".join(items[:most]) + (f" and {len(items) - most} more" if len(items) > most else "")


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """The rows as comma-separated values, in which a spreadsheet finds no formula to run.

    >>> print(csv_text([["=1+1", "@a", -5, "-5", "a,b", None]]), end="")
    '=1+1,'@a,-5,-5,"a,b",
    """
    import csv
    import io

    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([_without_formula(cell) for cell in row] for row in rows)
    return text.getvalue()


FORMULA = frozenset("=+-@|%\t\r\N{FULLWIDTH EQUALS SIGN}\N{FULLWIDTH PLUS SIGN}\N{FULLWIDTH COMMERCIAL AT}")
"""What a formula begins with, in some spreadsheet."""


def _without_formula(cell: object) -> object:
    if not isinstance(cell, str) or not FORMULA.intersection((cell[:1], cell.strip()[:1])):
        return cell
    return cell if cell[:1] == "-" and DIGITS.issuperset(cell[1:]) else f"'{cell}"


def capitalised(text: str) -> str:
    """The text as the head of a sentence.

    >>> capitalised("the computer")
    'The computer'
    """
    # A text that needs no change stays what it is: a message can still be translated.
    return text[:1].upper() + text[1:] if text[:1].islower() else text


def nearest(word: str, words: Iterable[str]) -> str:
    """The most similar of the words, or "" if none is similar.

    >>> nearest("udno", ["undo", "hint"]), nearest("snatch", ["number-snatch"]), nearest("chess", ["undo"])
    ('undo', 'number-snatch', '')
    """
    from difflib import get_close_matches  # only a mistake needs it

    word, words = word.lower()[:40], list(words)
    close = get_close_matches(word, words, n=1) or [each for each in words if len(word) > 2 and word in each]
    return close[0] if close else ""
