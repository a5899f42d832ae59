"""An extension of Griffe: the examples in docstrings become code blocks."""

from __future__ import annotations

import doctest
import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


class DoctestBlocks(griffe.Extension):
    """Puts fences round the examples of every docstring."""

    def on_object(self, *, obj: Any, **_: Any) -> None:
        """Change one object's docstring when it has been read."""
        if obj.docstring:
            obj.docstring.value = fence_examples(obj.docstring.value)


def fence_examples(text: str) -> str:
    """The text with a fence round every example, in which empty lines of output are empty.

    >>> fence_examples("A sum:\\n\\n>" ">> 1 + 1\\n2\\n\\nThat is all.")
    'A sum:\\n\\n```pycon\\n>>> 1 + 1\\n2\\n```\\n\\nThat is all.'
    """
    return EXAMPLE.sub(lambda found: f"```pycon\n{found[0].replace(doctest.BLANKLINE_MARKER, '')}\n```", text)
