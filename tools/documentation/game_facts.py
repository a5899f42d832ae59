"""Parts of the pages about games, computed: options, winning answers, claims of the book, boards, charts."""

from __future__ import annotations

import io
import re
import sys
from contextlib import redirect_stdout
from itertools import islice
from pathlib import Path
from random import Random
from shlex import split
from typing import Any

from numberduels.analysis.claims import claims_of
from numberduels.analysis.sequences import IntegerSequence, sequences_of
from numberduels.cli.main import main
from numberduels.game import options, record, registry
from numberduels.game.board import board_of
from numberduels.game.board_image import Scene, draw_image
from numberduels.game.registry import read_game
from numberduels.game.spec import load_object
from numberduels.game.table import replay
from numberduels.solvers import make_oracle
from tools.documentation.repository import ROOT

VERDICTS = {"true": "It holds.", "false": "It does not hold.", "partly": "It holds in part.", "open": "Open."}

LONGEST_GAME = 36
"""Words of a record that a page shows: twelve moves of each player, with their numbers."""

SHOWN_TERMS = 24
"""Terms of a sequence that a page shows."""


def options_table(name: str) -> str:
    """The options of a game and its rule sets, as tables."""
    spec = registry.spec(name)
    rows = ["| option | default | meaning |", "|---|---|---|"]
    for each in options.declared(spec.rules):
        default = options.format_value(each.default)
        rows.append(f"| `--{each.name}` | {f'`{default}`' if default else ''} | {each.metadata['about']} |")
    rows += ["", "| rules | what they are | command |", "|---|---|---|"]
    for rules in spec.rule_sets:
        command = f"duel play {name}" + ("" if rules.key == "book" else f" --rules {rules.key}")
        rows.append(f"| {rules.title} | {rules.about} | `{command}` |")
    return "\n".join(rows)


def claims_list(name: str) -> str:
    """The claims of a game's book, each with its verdict, its evidence and the game that shows it."""
    parts = []
    for claim in claims_of(registry.spec(name)):
        finding = claim.check()
        text = f"{claim.number}. *{claim.text}*\n    **{VERDICTS[finding.verdict]}** {finding.evidence}"
        if finding.record:
            moves = record.write(finding.record).partition("\n\n")[2]
            text += f"\n    A game that shows it: {shortened(moves, f'duel claims {name}')}"
        parts.append(text)
    return "\n\n".join(parts)


def shortened(moves: str, command: str) -> str:
    """The moves of a record on one line; of a long game the beginning, and the command that prints all.

    >>> shortened("1. 3 2\\n2. 4 1 0-1\\n", "duel claims range-war")
    '`1. 3 2 2. 4 1 0-1`'
    >>> shortened("1. 3 2 " * 20, "duel claims range-war")[-47:]
    '...` (`duel claims range-war` prints all of it)'
    """
    words = moves.split()
    if len(words) <= LONGEST_GAME:
        return f"`{' '.join(words)}`"
    return f"`{' '.join(words[:LONGEST_GAME])} ...` (`{command}` prints all of it)"


def winning_answers(name: str) -> str:
    """For every first move of a game that Player 2 wins: the first of the answers that win.

    >>> print(winning_answers("restricted-removal:size=4"))
    | Player 2 answers | if Player 1 begins with |
    |---|---|
    | 2 | 3 |
    | 3 | 2, 4 |
    """
    _, game = read_game(name)
    oracle = make_oracle(game)
    start = game.start(Random(0))
    answers: dict[Any, list[str]] = {}
    for first in game.moves(start):
        state = game.play(start, first)
        answer = next(each for each in game.moves(state) if oracle.evaluate_move(state, each).value > 0)
        answers.setdefault(answer, []).append(str(first))
    rows = ["| Player 2 answers | if Player 1 begins with |", "|---|---|"]
    return "\n".join([*rows, *(f"| {answer} | {', '.join(answers[answer])} |" for answer in sorted(answers))])


def draw_board(words: str, path: Path) -> str:
    """Draw the board of a game after some moves: `range-war:size=10 6 3 8`. Returns the picture in words."""
    name, *moves = words.split()
    _, game = read_game(name)
    spec = registry.spec(name.partition(":")[0])
    text = spec.text_for(game)
    table = replay(game, [text.parse_move(move.replace("@", " ")) for move in moves])
    seat = game.turn(table.state)
    status = f"Player {seat + 1} to move"
    board = board_of(game, table.state, table.played)
    draw_image(Scene(spec.title, status, board, marked=seat), zoom=2).save(path, optimize=True)
    return f"{spec.title} after {', '.join(move.replace('@', ' at ') for move in moves)}: {status}"


def draw_sweep(words: str, path: Path) -> str:
    """Draw what `duel sweep` finds: `range-war --size 1..30`. Returns the command."""
    printed = io.StringIO()
    with redirect_stdout(printed):
        status = main(["sweep", *split(words), "--out", str(path), "--force"])
    if status:
        raise ValueError(f"duel sweep {words} ended with status {status}: {printed.getvalue()}")
    return f"duel sweep {words}"


def sequences_list() -> str:
    """All sequences of our games and of the example of a game in a package of its own."""
    sys.path.append(str(ROOT / "examples" / "juniper_green"))
    parts = []
    for spec in [*map(registry.spec, registry.OURS), load_object("juniper_green:spec")]:
        parts += [f"## {spec.title}\n", *map(_sequence, sequences_of(spec))]
    return "\n".join(parts)


def _sequence(sequence: IntegerSequence) -> str:
    indices = sequence.indices[:SHOWN_TERMS]
    terms = ", ".join(str(term) for term in islice(sequence.terms(indices), SHOWN_TERMS))
    status = re.sub(r"docs/([\w/]+\.md)", r"[details](\1)", sequence.status_text)
    return (
        f"### {sequence.name}\n\na(n) is {sequence.definition}. From n = {indices[0]} on:\n\n    {terms}\n\n"
        f"- Method: {sequence.method}.\n- Status: {status}.\n"
        f"- Command: `duel sweep {sequence.name} --size {sequence.indices[0]}..{sequence.indices[-1]}`\n"
    )
