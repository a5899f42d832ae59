"""Messages: sentences with values to fill in, and the languages in which they are said.

Every sentence is written once, in English, where it is used: that text is also its id in the catalogues of
other languages. Values stay values until the sentence is said, because each language writes numbers and lists
in its own way.

>>> print(Message("Number {number} has already been claimed.", number=3))
Number 3 has already been claimed.
>>> print(Message("leaves {count} number", "leaves {count} numbers", count=2))
leaves 2 numbers
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gettext import NullTranslations

Value = Any
"""A number, a text, a message, or several of them in a tuple."""


class Message(str):
    """A sentence in English that knows its values, so that another language can say it.

    The second text is the plural; the value `count` decides between the two.
    """

    __slots__ = ("plural", "template", "values")

    template: str
    plural: str
    values: dict[str, Value]

    def __new__(cls, template: str, plural: str = "", /, **values: Value) -> Message:
        text = plural if plural and values.get("count", 1) != 1 else template
        made = str.__new__(cls, _fill_english(text, values) if values else text)
        made.template = template
        made.plural = plural
        made.values = values
        return made

    def __reduce__(self) -> Any:
        return _restored_message, (self.template, self.plural, self.values)


def _fill_english(text: str, values: dict[str, Value]) -> str:
    """The same as `ENGLISH.fill`, faster: a board makes many messages, and only lists need any work."""
    for each in values.values():
        if type(each) is tuple:
            return ENGLISH.fill(text, values)
    return text.format_map(values)


def _restored_message(template: str, plural: str, values: dict[str, Value]) -> Message:
    return Message(template, plural, **values)


def mark(template: str) -> str:
    """Mark a text for the catalogues where it is written, if its message is made elsewhere."""
    return template


def sentences(first: Message, second: Message) -> Message:
    """Two messages, one after the other."""
    return Message("{first} {second}", first=first, second=second)


def either(values: Sequence[Value]) -> Value:
    """The values as a choice.

    >>> print(either([10, 15, 20]))
    10, 15 or 20
    """
    if len(values) == 1:
        return values[0]
    if len(values) == 2:
        return Message("{one} or {other}", one=values[0], other=values[1])
    return Message("{one}, {others}", one=values[0], others=either(values[1:]))


class MessageError(ValueError):
    """An error whose text is a message.

    >>> str(MessageError("There is no label {number} in this game.", number=22))
    'There is no label 22 in this game.'
    """

    def __init__(self, template: str, /, **values: Value) -> None:
        self.message = Message(template, **values)
        super().__init__(self.message)

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

    def say(self, message: str) -> str:
        """The message in this language; a text that is no message stays as it is."""
        if not isinstance(message, Message):
            return message
        return self.say_text(message.template, message.plural, message.values)

    def say_text(self, template: str, plural: str, values: dict[str, Value]) -> str:
        """The message of these texts and values in this language, without making it in English first."""
        return self.fill(self._translate(template, plural, values.get("count", 1)), values)

    def fill(self, text: str, values: dict[str, Value]) -> str:
        """The text with its values, as this language writes them; without values, as it is."""
        return text.format(**{name: self._filled(each) for name, each in values.items()}) if values else text

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
        return self._translate(mark("{some} and {last}"), "", 1).format(
            some=", ".join(parts[:-1]), last=parts[-1]
        )

    def _filled(self, value: Value) -> str:
        if isinstance(value, tuple):
            return self.series([self._filled(each) for each in value])
        return (
            self.number(value)
            if type(value) is int
            else self.say(str(value) if not isinstance(value, str) else value)
        )


ENGLISH = Language()


# Catalogues: the texts of a language, compiled by gettext, in the folder `locale` of a package

SHARED = "numberduels.game"
"""The package whose catalogues hold what all games share."""


def load_file(module: str, name: str) -> bytes | None:
    """The content of a file in the folder of a module; None if there is no such file.

    >>> load_file("numberduels.games.range_war.rules", "no such file")
    """
    from pkgutil import get_data

    try:
        return get_data(module, name)
    except OSError:
        return None


@cache
def catalogue(code: str, module: str = SHARED) -> NullTranslations:
    """The catalogue of a language beside a module, then the shared one; empty where there is none."""
    from gettext import GNUTranslations, NullTranslations
    from io import BytesIO

    data = load_file(module, f"locale/{code}.mo")
    found = GNUTranslations(BytesIO(data)) if data else NullTranslations()
    if module != SHARED:
        found.add_fallback(catalogue(code))
    return found


def translator(code: str, module: str = SHARED) -> Translate:
    """What finds the texts of this language; English where the catalogues have none."""
    found = catalogue(code, module)

    def translate(template: str, plural: str, count: int) -> str:
        return found.ngettext(template, plural, count) if plural else found.gettext(template)

    return translate


@cache
def language(code: str, module: str = SHARED) -> Language:
    """The language of this code, with the catalogues of the package that a module is in."""
    return ENGLISH if code == "en" else Language(translator(code, module))
