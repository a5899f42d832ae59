"""The list of sequences in docs/sequences.md, computed.

python -m tools.sequence_page           write the list
python -m tools.sequence_page --check   exit with 1 if the list is out of date
"""

from __future__ import annotations

import re
import sys
from itertools import islice
from pathlib import Path

from numberduels.analysis.sequences import IntegerSequence, sequences_of
from numberduels.game import registry
from numberduels.game.loading import load_object
from numberduels.game.spec import GameSpec

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "sequences.md"
EXAMPLE = ROOT / "examples" / "juniper_green"
MARK = "<!-- The rest of this page is written by: python -m tools.sequence_page -->\n"
SHOWN = 24
"""Terms of each sequence on the page."""


def specs() -> list[GameSpec]:
    """Our games, and the example of a game in a package of its own."""
    if str(EXAMPLE) not in sys.path:
        sys.path.append(str(EXAMPLE))
    return [*(registry.spec(name) for name in registry.OURS), load_object("juniper_green:spec")]


def entry(sequence: IntegerSequence) -> str:
    """One sequence: its definition, its first terms, how they are computed, and the command."""
    indices = sequence.indices[:SHOWN]
    terms = ", ".join(str(term) for term in islice(sequence.terms(indices), SHOWN))
    return (
        f"### {sequence.name}\n\n"
        f"a(n) is {sequence.definition}. From n = {indices[0]} on:\n\n"
        f"    {terms}\n\n"
        f"- Method: {sequence.method}.\n"
        f"- Status: {linked(sequence.status_text)}.\n"
        f"- Command: `duel sweep {sequence.name} --size {sequence.indices[0]}..{sequence.indices[-1]}`\n"
    )


def linked(status: str) -> str:
    """A status whose page is a link.

    >>> linked("computed exactly (docs/erdos_872.md)")
    'computed exactly ([details](erdos_872.md))'
    """
    return re.sub(r"docs/([\w/]+\.md)", r"[details](\1)", status)


def listed() -> str:
    """All sequences, by game."""
    parts = []
    for spec in specs():
        if found := sequences_of(spec):
            parts += [f"## {spec.title}\n", *map(entry, found)]
    return "\n".join(parts)


def main(*, check: bool = False) -> int:
    """Write the list, or compare it."""
    text = PAGE.read_text(encoding="utf-8")
    fresh = f"{text.partition(MARK)[0]}{MARK}\n{listed()}"
    if check:
        return int(text != fresh)
    PAGE.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv[1:]))
