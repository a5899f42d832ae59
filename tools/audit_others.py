"""Audit environments that other people wrote, and print the table of docs/audit.md.

    python -m tools.audit_others >table.md

Each audit runs `duel audit` in a process of its own, so that a crash ends one audit only. It needs
`pip install 'numberduels[envs]' 'pettingzoo[classic]'`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

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

COLUMNS = (
    "environment",
    "random games, positions",
    "failed checks",
    "moves in a random game",
    "first player at random",
    "best play (positions solved)",
    "decisions that matter",
    "kept by greedy, mcts:100",
)


def audit(name: str) -> str:
    """Audit one environment: its line of the table."""
    command = [sys.executable, "-m", "numberduels", "audit", name, *BUDGET, "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return f"| `{name}` | given up after {PATIENCE} seconds |"
    if done.returncode not in (0, 1):
        return f"| `{name}` | status {done.returncode}: {done.stderr.strip()[-300:]} |"
    return row(name, json.loads(done.stdout))


def row(name: str, report: dict[str, Any]) -> str:
    """The line of one environment."""
    figures = report["figures"]
    contract = next(each for each in report["findings"] if each["key"] == "contract")
    length, winner = figures["length"], figures["winner"]
    players = {each["name"]: each["kept"] for each in figures["players"]}
    best = f"{winner} player".replace("nobody player", "nobody")
    cells = (
        f"`{name}`",
        f"{contract['games']}, {contract['positions']:,}",
        ", ".join(report["failed"]) or "none",
        f"{length[0]:.0f} ({length[1]} to {length[2]})" if length else "-",
        _percent(figures["random_first"]),
        f"{best} ({figures['positions']:,})" if winner else "-",
        _percent(figures["matters"]),
        ", ".join(_percent(players.get(each)) for each in ("greedy", "mcts:100")) if winner else "-",
    )
    return f"| {' | '.join(cells)} |"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"


if __name__ == "__main__":
    print(f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|", sep="\n")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for line in pool.map(audit, ENVIRONMENTS):
            print(line, flush=True)
