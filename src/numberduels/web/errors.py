"""The error that is shown to a visitor or a bot."""

from __future__ import annotations


class UserError(Exception):
    """A request that cannot be fulfilled. It has a key for programs and a sentence for people.

    >>> error = UserError("option.large", "Size may be at most 9.", "options.size", most=9)
    >>> error.key, error.message_key, str(error)
    ('option', 'option.large', 'Size may be at most 9.')
    """

    def __init__(self, message_key: str, text: str, field: str = "", **values: object) -> None:
        super().__init__(text)
        self.message_key = message_key
        """Key of the sentence in the catalogues; may have a part after a dot."""
        self.key = message_key.partition(".")[0]
        """The part before the dot: what the API sends."""
        self.field = field
        """Name of the form field that caused the error; empty if no single field did."""
        self.values = values
        """Values for the placeholders of a translated sentence."""


def sentence(error: Exception) -> str:
    """The message of an error as a sentence.

    >>> sentence(ValueError("size is too large")), sentence(ValueError("size: 'x' is not a number."))
    ('Size is too large.', "Size: 'x' is not a number.")
    """
    text = str(error).rstrip(".")
    return f"{text[:1].upper()}{text[1:]}."
