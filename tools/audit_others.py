"""Audit environments that other people wrote, and put the table into docs/audit.md.

    python -m tools.audit_others --out DIR           audit all of them; reports go into DIR as JSON
    python -m tools.audit_others --out DIR --write   write the table of the reports in DIR into docs/audit.md

Each audit runs `duel audit` in a process of its own, so that a crash ends one audit only. What is in DIR
already is not audited again. It needs `pip install 'numberduels[envs]' 'pettingzoo[classic]'`.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "audit.md"
BEGIN, END = "<!-- table begins -->", "<!-- table ends -->"

ENVIRONMENTS = (
    "openspiel:amazons(board_size=6)",
    "openspiel:antichess",
    "openspiel:breakthrough(columns=3,rows=5)",
    "openspiel:checkers",
    "openspiel:chess",
    "openspiel:chinese_checkers",
    "openspiel:clobber(columns=3,rows=4)",
    "openspiel:connect_four(columns=4,rows=4,x_in_row=3)",
    "openspiel:crazyhouse",
    "openspiel:cursor_go(board_size=5)",
    "openspiel:dots_and_boxes(num_cols=2,num_rows=2)",
    "openspiel:go(board_size=3)",
    "openspiel:gomoku(connect=3,size=4)",
    "openspiel:havannah(board_size=3)",
    "openspiel:hex(board_size=3)",
    "openspiel:hive",
    "openspiel:lines_of_action",
    "openspiel:mancala",
    "openspiel:mnk(k=3,m=3,n=4)",
    "openspiel:nim",
    "openspiel:nine_mens_morris",
    "openspiel:othello",
    "openspiel:oware",
    "openspiel:pentago",
    "openspiel:quoridor(board_size=3)",
    "openspiel:shogi",
    "openspiel:tic_tac_toe",
    "openspiel:twixt(board_size=5)",
    "openspiel:ultimate_tic_tac_toe",
    "openspiel:xiangqi",
    "openspiel:y(board_size=3)",
    "openspiel:python_tic_tac_toe",
    "pettingzoo:tictactoe_v3",
    "pettingzoo:connect_four_v3",
    "pettingzoo:chess_v6",
    "pettingzoo:go_v5(board_size=5)",
)
"""Every game of OpenSpiel that fits, small where its parameters allow, and the classic environments."""

BUDGET = ("--games", "40", "--positions", "60000", "--seconds", "15", "--plies", "3000", "--seed", "0")
AT_ONCE = 2
"""Audits that run at the same time."""
PATIENCE = 900
"""Seconds until an audit is given up."""

HEAD = (
    "| environment | random games, positions | passed, failed, not checked | failed | stopped by the time |"
    " moves in a random game | first player at random | best play (positions solved) |"
    " decisions that matter | kept by greedy, mcts:100 |\n|---|---|---|---|---|---|---|---|---|---|\n"
)
BEST = {"first": "first player", "second": "second player", "nobody": "nobody"}


def audit(text: str, path: Path) -> str:
    """Audit one environment; returns what to print about it."""
    program = "import sys; from numberduels.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "audit", text, *BUDGET, "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return f"given up after {PATIENCE} seconds"
    if done.returncode in (0, 1):
        path.write_text(done.stdout, encoding="utf-8")
        failed = json.loads(done.stdout)["failed"]
        return f"failed: {', '.join(failed)}" if failed else "none failed"
    return f"status {done.returncode}: {done.stderr.strip()[-300:]}"


def row(report: dict[str, Any]) -> str:
    """One line of the table."""
    findings, figures = report["findings"], report["figures"]
    counts = [
        sum(each["status"] == status for each in findings) for status in ("passed", "failed", "not checked")
    ]
    contract = next(each for each in findings if each["key"] == "contract")
    length = figures["length"]
    players = {each["name"]: each["kept"] for each in figures["players"]}
    kept = [_percent(players.get(name)) for name in ("greedy", "mcts:100")]
    all_games = figures["games"] >= report["budget"]["games"]
    cells = (
        f"`{report['game'].removesuffix(':deal=0')}`",
        f"{contract['games']}, {contract['positions']:,}",
        ", ".join(map(str, counts)),
        ", ".join(report["failed"]) or "none",
        ", ".join(each["key"] for each in findings if each["stopped_early"]) or "none",
        f"{length[0]:.0f} ({length[1]} to {length[2]})" if length else "-",
        _percent(figures["random_first"] if all_games else None),
        f"{BEST[figures['winner']]} ({figures['positions']:,})" if figures["winner"] else "-",
        _percent(figures["matters"]),
        ", ".join(kept) if figures["winner"] else "-",
    )
    return f"| {' | '.join(cells)} |\n"


def section(reports: list[dict[str, Any]]) -> str:
    """The settings, the table, and what was not checked."""
    kinds = " and ".join(sorted({report["kind"] for report in reports}))
    first = reports[0]["budget"]
    if any(report["budget"] != first for report in reports):
        raise SystemExit("the reports were made with different settings: audit all of them again")
    settings = " ".join(f"--{name} {value:g}" for name, value in first.items())
    return (
        f"{len(reports)} environments of {kinds}, each with `{settings}`.\n\n"
        f"{HEAD}{''.join(map(row, reports))}\nNot checked:\n\n{''.join(_not_checked(reports))}"
    )


def _not_checked(reports: list[dict[str, Any]]) -> list[str]:
    """A line for each check and each reason, with the number of environments."""
    reasons = Counter(
        (each["key"], re.sub(r"\b[\d,]+ positions?\b", "its positions", each["detail"]))
        for report in reports
        for each in report["findings"]
        if each["status"] == "not checked"
    )
    return [
        f"- {key}, in {count} of {len(reports)}: {reason}\n"
        for (key, reason), count in sorted(reasons.items())
    ]


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"


def file_name(text: str) -> str:
    """The name of the report of an environment."""
    return "".join(char if char.isalnum() or char in "_=" else "-" for char in text).strip("-") + ".json"


def main() -> int:
    """Audit, or write the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="the folder of the reports")
    parser.add_argument("--write", action="store_true", help="write the table into docs/audit.md")
    parsed = parser.parse_args()
    parsed.out.mkdir(parents=True, exist_ok=True)
    paths = {text: parsed.out / file_name(text) for text in ENVIRONMENTS}
    if parsed.write:
        reports = [json.loads(path.read_text(encoding="utf-8")) for path in paths.values() if path.exists()]
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{BEGIN}\n{section(reports)}{END}{after}", encoding="utf-8")
        return 0
    missing = {text: path for text, path in paths.items() if not path.exists()}
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for text, result in zip(missing, pool.map(audit, missing.keys(), missing.values()), strict=True):
            print(f"{text}: {result}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
