"""The error that is shown to a visitor or a bot."""

from __future__ import annotations

from numberduels.game.formatting import capitalised


class UserError(Exception):
    """A request that cannot be fulfilled. It has a key for programs and a sentence for people.

    >>> from numberduels.game.messages import Message
    >>> error = UserError("option.moves", Message("At most {most} moves.", most=9), "options.size")
    >>> error.key, error.code, str(error)
    ('option', 'option.moves', 'At most 9 moves.')
    """

    def __init__(self, code: str, text: str, field: str = "", page_text: str = "") -> None:
        """Take a message where a page can show the error, or a `page_text` where it says it differently."""
        super().__init__(text)
        self.text = page_text or text
        """What a page shows, in the language of the visitor; bots get the error's English text."""
        self.code = code
        """The key, and after a dot the special case, if its status is special."""
        self.key = code.partition(".")[0]
        """What the API sends."""
        self.field = field
        """Name of the form field that caused the error; empty if no single field did."""


def sentence(error: Exception) -> str:
    """The message of an error as a sentence.

    >>> sentence(ValueError("size is too large")), sentence(ValueError("size: 'x' is not a number."))
    ('Size is too large.', "Size: 'x' is not a number.")
    """
    return as_sentence(str(error))


def as_sentence(text: str) -> str:
    """The text with a capital letter and a period.

    >>> as_sentence("size is too large")
    'Size is too large.'
    """
    text = text.rstrip(".")
    return f"{capitalised(text)}."
