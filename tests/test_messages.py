"""Messages: the English text that each of them is, beside what the English language says."""

from __future__ import annotations

import pickle
from typing import Any

from numberduels.game.messages import ENGLISH, Message
from tables import table


@table(
    "value, said",
    [
        (3, "3"),
        (0, "0"),
        ("a {brace}", "a {brace}"),
        ((), ""),
        ((4,), "4"),
        ((4, 6, 8), "4, 6 and 8"),
        (("one", (2, 3)), "one and 2 and 3"),
        (Message("number {number}", number=7), "number 7"),
        ((Message("{numbers}", numbers=(1, 2)), 5), "1 and 2 and 5"),
        (True, "True"),
        (None, "None"),
        (1.5, "1.5"),
    ],
)
def test_a_message_is_what_the_english_language_says(value: Any, said: str) -> None:
    message = Message("it is {value}, of {count}", "they are {value}, of {count}", value=value, count=2)
    assert message == f"they are {said}, of 2"
    assert ENGLISH.say(message) == message


def test_the_count_decides_between_singular_and_plural() -> None:
    texts = [Message("{count} number", "{count} numbers", count=count) for count in (0, 1, 2)]
    assert texts == ["0 numbers", "1 number", "2 numbers"]
    assert Message("a number", "numbers") == "a number"


def test_a_message_keeps_its_values_through_pickle() -> None:
    message = Message("leaves {numbers}", numbers=(4, 8))
    again = pickle.loads(pickle.dumps(message))
    assert (again, again.template, again.values) == (message, "leaves {numbers}", {"numbers": (4, 8)})
