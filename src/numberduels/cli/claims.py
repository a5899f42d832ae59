"""`duel claims`: check the claims that the rule books make about their games."""

from __future__ import annotations

import sys
from textwrap import fill, indent
from typing import Any

from numberduels.analysis.claims import Claim, Finding, claims_of
from numberduels.cli.argument_parser import Parser
from numberduels.cli.arguments import find_game
from numberduels.cli.console import print_folded
from numberduels.cli.progress import ProgressBar
from numberduels.cli.wrapping import terminal_width
from numberduels.game import record, registry

WIDTH = 78
MARGIN = " " * 4


def run(arguments: list[str]) -> int:
    """Check the claims of a game, or of every game, and print what comes out."""
    parser = Parser(
        "claims",
        "Check what the rule books say about themselves. Everything is found out now, by playing,\n"
        "searching and solving; where a claim is false and a game can show it, that game is printed\n"
        "as a record, ready for duel saved replay.",
    )
    parser.add_argument("game", metavar="GAME", nargs="?", help="only this game's book")
    parser.add_argument("--json", action="store_true", help="as a list of objects, for programs")
    parsed = parser.parse_args(arguments)
    names = [find_game(parsed.game).name] if parsed.game is not None else registry.names()
    if parsed.json:
        import json

        found: list[dict[str, Any]] = []
        try:
            for name in names:
                found.extend(_data(claim) for claim in claims_of(registry.adopted_spec(name)))
        finally:  # an interrupt prints the claims that are checked
            print(json.dumps(found, indent=2))
        return 0
    for name in names:
        _print(name)
    return 0


def _data(claim: Claim) -> dict[str, Any]:
    """A claim and what came out, as plain data."""
    finding = _checked(claim)
    return {
        "game": claim.game,
        "number": claim.number,
        "claim": claim.text,
        "verdict": finding.verdict,
        "evidence": finding.evidence,
        "record": record.write(finding.record) if finding.record else None,
    }


def _print(name: str) -> None:
    """The claims of one game; each is printed as soon as it is checked."""
    spec = registry.adopted_spec(name)
    claims = claims_of(spec)
    print_folded(f"{spec.title}\n{'=' * len(spec.title)}\n\n")
    if not claims:
        print_folded("Its book says nothing that is checked here.\n\n")
    for claim in claims:
        print_folded(f"{_told(claim, _checked(claim))}\n\n")


def _checked(claim: Claim) -> Finding:
    with ProgressBar(f"checking {claim.game}, claim {claim.number}"):
        return claim.check()


def _told(claim: Claim, finding: Finding) -> str:
    """A claim, its verdict, the evidence, and the game that shows it, if there is one."""
    width = min(terminal_width(sys.stdout) or WIDTH, WIDTH)
    text = fill(f"{claim.number}. {claim.text}", width, subsequent_indent=MARGIN)
    text += "\n" + fill(
        f"{finding.verdict.upper()}. {finding.evidence}",
        width,
        initial_indent=MARGIN,
        subsequent_indent=MARGIN,
    )
    if finding.record:
        text += "\n\n" + indent(record.write(finding.record).rstrip("\n"), 2 * MARGIN)
    return text
