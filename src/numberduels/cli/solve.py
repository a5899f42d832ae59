"""`duel solve`: who wins a position and what each move is worth, or how long the game lasts."""

from __future__ import annotations

import argparse
import json
from random import Random
from typing import Any

from numberduels.analysis.game_length import (
    METHOD,
    LengthBounds,
    LengthSearch,
    LengthSolution,
    NoConflictGraph,
)
from numberduels.analysis.solution import Solution, SolutionSearch, fairest
from numberduels.cli.argument_parser import CliError, Parser
from numberduels.cli.arguments import (
    GAME_HELP,
    OPTIONS_OF_THE_GAME,
    add_options,
    add_rule_set,
    find_game,
    find_game_argument,
    make_game,
)
from numberduels.cli.console import print_folded
from numberduels.cli.progress import ProgressBar
from numberduels.cli.signals import exit_status
from numberduels.game import options
from numberduels.game.contract import IllegalMove, Unreadable
from numberduels.game.formatting import enumeration, plural, short
from numberduels.game.spec import GameSpec
from numberduels.game.table import Table, deal, replay
from numberduels.game.text import AnyGameText
from numberduels.solvers import TooLarge, Worth

MAX_POSITIONS = 1_000_000
"""The most positions to search."""

FEW_MOVES = 10
"""So many best moves are listed, even if they are all there are."""


def run(arguments: list[str]) -> int:
    """Solve a position and print the result."""
    about = "Say who wins a game from the start, or after some moves, and by which moves."
    parser = Parser("solve", about, OPTIONS_OF_THE_GAME.format("solve"))
    parser.add_argument("game", metavar="GAME", help=GAME_HELP)
    parser.add_argument("--after", metavar="MOVES", default="", help='moves played already, such as "6 4 9"')
    parser.add_argument("--seed", metavar="S", default="0", help="deals the numbers, where they are dealt")
    parser.add_argument("--winner", action="store_true", help="only who wins, not what each move is worth")
    parser.add_argument(
        "--goal",
        metavar="winner|length",
        choices=("winner", "length"),
        default="winner",
        help="what the players want: to win, or one of them a long game and the other one a short game",
    )
    parser.add_argument("--swap", action="store_true", help="also solve it with the pie rule, from the start")
    parser.add_argument("--nimbers", action="store_true", help="also print nimbers, where there are any")
    parser.add_argument("--json", action="store_true", help="for machines")
    named = find_game_argument(arguments, parser)
    add_rule_set(parser, named)
    add_options(parser, named)
    parsed = parser.parse_args(arguments)
    spec = find_game(parsed.game)
    game = deal(make_game(spec, parsed), Random(f"{parsed.seed} deal"))
    table = table_after(spec, game, parsed.after)
    if parsed.goal == "length":
        if parsed.swap or parsed.nimbers:
            raise CliError("--goal length is not about who wins: leave out --swap and --nimbers")
        return _print_lengths(spec, table, parsed)
    if parsed.swap and (table.ply or parsed.winner):
        raise CliError("--swap is about what each first move is worth: leave out --after and --winner")
    search = SolutionSearch(
        game, table.state, max_positions=MAX_POSITIONS, moves=not parsed.winner, nimbers=parsed.nimbers
    )
    try:
        with ProgressBar("solving") as bar:
            solution = search.run(bar.update)
    except TooLarge as fault:
        raise CliError(
            f"this position is beyond reach: {fault}{f'; {fault.reach}' if fault.reach else ''}"
        ) from None
    except KeyboardInterrupt as end:
        print_partial(spec, search, as_json=parsed.json)
        return exit_status(end)
    report, text = solution.report(), format_solution(spec, solution, nimbers=parsed.nimbers)
    if parsed.swap:
        report["swap"] = pie_rule_report(spec, solution)
        text += f"\n{format_pie_rule(report['swap'])}"
    if parsed.json:
        print(json.dumps(report))
    else:
        print_folded(f"{text}\n")
    return 0


def pie_rule_report(spec: GameSpec, solution: Solution) -> dict[str, Any]:
    """The solution with the pie rule: the second player may swap seats after the first move."""
    moves = fairest(solution.moves)
    worth = solution.moves[moves[0]]
    game_text = spec.text_for(solution.game)
    return {
        "winner": 2 if worth.value else None,  # the second player takes the better seat
        "margin": None if worth.margin is None else abs(worth.margin),
        "best": [game_text.format_move(move) for move in moves],
    }


def format_pie_rule(swap: dict[str, Any]) -> str:
    """The solution with the pie rule as text."""
    if swap["winner"] is None:
        end = "nobody wins"
    else:
        end = "the second player wins, by taking the better seat"
        end += f", by {swap['margin']} at the least" if swap["margin"] else ""
    return f"With the pie rule {end}. The fairest first moves: {enumeration(swap['best'])}"


def table_after(spec: GameSpec, game: Any, moves: str) -> Table[Any, Any]:
    """The game after these moves, which are separated by spaces or commas."""
    table = replay(game)
    game_text = spec.text_for(game)
    for number, text in enumerate(moves.replace(",", " ").split(), 1):
        try:
            table.play_text(text, game_text.parse_move)
        except (IllegalMove, Unreadable) as fault:
            raise CliError(f"--after, move {number} ({short(text)}): {fault}") from None
    return table


def format_solution(spec: GameSpec, solution: Solution, *, nimbers: bool = False) -> str:
    """The solution as text."""
    game_text = spec.text_for(solution.game)
    lines = [game_text.position(solution.state).rstrip(), *_winner_lines(game_text, solution, nimbers)]
    if solution.moves:
        lines.append(f"Best: {_best(game_text, solution)}")
        lines += move_lines(game_text, solution.moves, nimbers)
    positions = plural(solution.positions, "position")
    lines.append(f"By {solution.method}: {positions} in {solution.seconds:.2f} s.")
    return "\n".join(lines)


def _best(game_text: AnyGameText, solution: Solution) -> str:
    """The best moves; where there are many moves and no bad one, only how many."""
    if len(solution.best) == len(solution.moves) > FEW_MOVES:
        return f"all {len(solution.best)} moves"
    return enumeration([game_text.format_move(move) for move in solution.best])


def print_partial(spec: GameSpec, search: SolutionSearch, *, as_json: bool) -> None:
    """Print what was found before the search was stopped."""
    if as_json:
        print(json.dumps(search.partial_report()))
        return
    game_text = spec.text_for(search.game)
    lines = [game_text.position(search.state).rstrip()]
    if search.worth is None:
        lines.append("The search was stopped before it was known who wins.")
    else:
        known = search.solution(search.worth)
        lines += _winner_lines(game_text, known, nimbers=True)
        if search.moves:
            judged = f"{len(search.moves)} of {plural(len(search.game.moves(search.state)), 'move')}"
            lines += [f"Judged so far, {judged}:", *move_lines(game_text, search.moves, nimbers=False)]
        lines.append("The search was stopped; this is what is known so far.")
    print_folded("\n".join([*lines, f"By {search.oracle.method}.\n"]))


def _winner_lines(game_text: AnyGameText, solution: Solution, nimbers: bool) -> list[str]:
    """Who wins; with `nimbers` also the nimber, if it is known."""
    mover = game_text.label(solution.to_move)
    if solution.game.outcome(solution.state):
        lines = [f"The game is over: a {solution.value} for {mover}."]
    elif solution.winner is None:
        lines = [f"{mover} is to move, and with best play nobody wins."]
    else:
        winner = game_text.label(solution.winner)
        lines = [f"{mover} is to move, and {winner} wins{_distance(solution.worth)}."]
    if nimbers and solution.worth.nimber is not None:
        lines.append(f"The nimber of the position is {solution.worth.nimber}.")
    return lines


def move_lines(game_text: AnyGameText, moves: dict[Any, Worth], nimbers: bool = False) -> list[str]:
    """The moves by their worth, the best first."""
    groups: dict[Worth, list[str]] = {}
    for move, worth in moves.items():
        shown = worth if nimbers else worth._replace(nimber=None)
        groups.setdefault(shown, []).append(game_text.format_move(move))
    labels = {worth: worth.value_name + _distance(worth) + _nimber(worth) for worth in groups}
    width = max([15, *map(len, labels.values())])
    return [
        f"  {labels[worth]:<{width}}  {enumeration(groups[worth])}"
        for worth in sorted(groups, key=_rank, reverse=True)
    ]


def _rank(worth: Worth) -> tuple[int, int, int, int]:
    """The sort key of a value: by value, then margin, then early wins and late losses, then the nimber."""
    plies = 1 << 30 if worth.remoteness is None else worth.remoteness
    return worth.value, worth.margin or 0, -worth.value * plies, -(worth.nimber or 0)


def _nimber(worth: Worth) -> str:
    return "" if worth.nimber is None else f", leaves nimber {worth.nimber}"


def _distance(worth: Worth) -> str:
    if worth.margin is not None:
        return f" by {abs(worth.margin)}" if worth.margin else " at level points"
    if worth.remoteness is not None:
        return f" in {plural(worth.remoteness, 'move')}"
    return ""


# How long the game lasts

MAX_LENGTH_POSITIONS = 300_000
"""The most positions to search for a length, about 5 kB each."""

WANTS = {"long": "wants a long game", "short": "wants a short game"}


def _print_lengths(spec: GameSpec, table: Table[Any, Any], parsed: argparse.Namespace) -> int:
    """Solve a position and print both lengths; an interrupt prints what is known by then."""
    game, state, interrupt = table.game, table.state, None
    try:
        search = LengthSearch(game, MAX_LENGTH_POSITIONS)
        with ProgressBar("solving") as bar:
            search.lengths.progress = bar.update
            solution = search.solve(game, state, moves=not parsed.winner)
    except NoConflictGraph as fault:
        raise CliError(str(fault)) from None
    except TooLarge as fault:
        wishes = _by_wish(search.known(game, state)).items()
        known = ", ".join(f"{_count(length)} if the player to move {WANTS[key]}" for key, length in wishes)
        raise CliError(f"this position is beyond reach: {fault}; so far: {known}") from None
    except KeyboardInterrupt as end:
        solution, interrupt = search.known(game, state), end
    if parsed.json:
        print(json.dumps(_length_report(spec, table, solution)))
    else:
        print_folded(f"{_format_lengths(spec, table, solution)}\n")
    return exit_status(interrupt) if interrupt else 0


def _format_lengths(spec: GameSpec, table: Table[Any, Any], solution: LengthSolution) -> str:
    """The solution as text."""
    game_text = spec.text_for(table.game)
    lines = [game_text.position(solution.state).rstrip()]
    lines.append("One player wants a long game, the other one a short game.")
    for key, length in _by_wish(solution).items():
        total = f", {_count(length, table.ply)} in all" if table.ply else ""
        lines.append(f"If the player to move {WANTS[key]}: {_count(length)} from here{total}.")
        if length.best:
            lines.append(f"  best: {enumeration([game_text.format_move(move) for move in length.best])}")
    positions = f"By {METHOD}: {plural(solution.positions, 'position')}"
    if solution.solved:
        lines.append(f"{positions} in {solution.seconds:.2f} s.")
    else:
        lines += ["The search was stopped; these are the bounds so far.", f"{positions}."]
    return "\n".join(lines)


def _by_wish(solution: LengthSolution) -> dict[str, LengthBounds]:
    """The lengths by what the player to move wants."""
    return {"long": solution.long_begins, "short": solution.short_begins}


def _count(length: LengthBounds, played: int = 0) -> str:
    """The number of moves, or its bounds, with those that are played already.

    >>> _count(LengthBounds(1, 1)), _count(LengthBounds(5, 8), 2)
    ('1 move', '7 to 10 moves')
    """
    low, high = played + length.low, played + length.high
    return plural(low, "move") if low == high else f"{low} to {high} moves"


def _length_report(spec: GameSpec, table: Table[Any, Any], solution: LengthSolution) -> dict[str, Any]:
    """The solution as plain data."""
    game_text = spec.text_for(table.game)
    return {
        "game": spec.name,
        "options": {each.name: getattr(table.game, each.name) for each in options.declared(type(table.game))},
        "goal": "length",
        "played": table.ply,
        "lengths": {
            key: {
                "at_least": length.low,
                "at_most": length.high,
                "best": [game_text.format_move(move) for move in length.best],
            }
            for key, length in _by_wish(solution).items()
        },
        "method": METHOD,
        "positions": solution.positions,
        "seconds": round(solution.seconds, 3),
    }
