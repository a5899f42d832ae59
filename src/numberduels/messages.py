"""Messages: sentences with values to fill in, and the languages in which they are said.

Every sentence is written once, in English, where it is used: that text is also its id in the catalogues of
other languages. Values stay values until the sentence is said, because each language writes numbers and lists
in its own way.

>>> found = Message("Number {number} has already been claimed.", number=3)
>>> str(found)
'Number 3 has already been claimed.'
>>> str(Message("leaves {count} number", "leaves {count} numbers", count=2))
'leaves 2 numbers'
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Value = Any
"""A number, a text, a message, or several of them in a tuple."""


class Message:
    """A sentence and its values. The second text is the plural, chosen by the value `count`."""

    __slots__ = ("plural", "template", "values")

    def __init__(self, template: str, plural: str = "", /, **values: Value) -> None:
        self.template = template
        self.plural = plural
        self.values = values

    def __str__(self) -> str:
        return ENGLISH.say(self)

    def __repr__(self) -> str:
        return f"Message({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash((self.template, self.plural))

    def _key(self) -> tuple[str, str, dict[str, Value]]:
        return self.template, self.plural, self.values


class MessageError(ValueError):
    """An error whose text is a message.

    >>> str(MessageError("There is no label {number} in this game.", number=22))
    'There is no label 22 in this game.'
    """

    def __init__(self, template: str, /, **values: Value) -> None:
        self.message = Message(template, **values)
        super().__init__(str(self.message))

    def __reduce__(self) -> Any:
        return _restored, (type(self), self.message.template, self.message.values)


def _restored(kind: type[MessageError], template: str, values: dict[str, Value]) -> MessageError:
    return kind(template, **values)


def message_of(fault: Exception) -> Message:
    """The message of an error; of an error that has none, its text."""
    return fault.message if isinstance(fault, MessageError) else Message(str(fault))


Translate = Callable[[str, str, int], str]
"""Finds the text of a message in a catalogue: given the English text, its plural and the count."""


def english(template: str, plural: str, count: int) -> str:
    """The English text, in the singular or the plural."""
    return plural if plural and count != 1 else template


class Language:
    """Says messages with the texts of one catalogue."""

    consecutive = True
    """Whether the numbers of a game follow each other as they are written, so that 1-3 is a run."""

    def __init__(self, translate: Translate = english) -> None:
        self._translate = translate

    def say(self, message: Message) -> str:
        """The message as a text."""
        values = message.values
        text = self._translate(message.template, message.plural, values.get("count", 1))
        if not values:
            return text
        return text.format(**{name: self._filled(value) for name, value in values.items()})

    def number(self, number: int) -> str:
        """A number of a game."""
        return str(number)

    def series(self, parts: Sequence[str]) -> str:
        """Several things in a sentence.

        >>> ENGLISH.series(["4", "6", "8"])
        '4, 6 and 8'
        """
        if len(parts) < 2:
            return "".join(parts)
        return self.say(Message("{some} and {last}", some=", ".join(parts[:-1]), last=parts[-1]))

    def _filled(self, value: Value) -> str:
        if isinstance(value, Message):
            return self.say(value)
        if isinstance(value, tuple):
            return self.series([self._filled(each) for each in value])
        return self.number(value) if type(value) is int else str(value)


ENGLISH = Language()
