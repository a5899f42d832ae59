"""`duel match`: a fair contest in games that favour a seat.

Every deal is played twice, once in each seat. What counts is the total margin in a game of points, and
the number of wins in all others. With the pie rule one player makes the first move and the other
chooses a seat.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from numberduels.analysis import fairest, oracle
from numberduels.core import Scored, Seat
from numberduels.rooms import Room
from numberduels.solve import LOSS, TooLarge
from numberduels.table import Table
from numberduels.terminal.console import Console, standard
from numberduels.terminal.outside import add_terms
from numberduels.terminal.parser import Parser
from numberduels.terminal.play import (
    FLAGS,
    chairs_of,
    fresh_seed,
    named_chairs,
    read_seed,
)
from numberduels.terminal.seating import (
    add_options,
    find_room,
    get_ready,
    made_game,
    named_room,
    read_count,
    read_delay,
    read_names,
)
from numberduels.terminal.session import HUMAN, Chair, Left, Session
from numberduels.terminal.solve import dealt


@dataclass
class Match:
    """Two chairs and what they have won so far."""

    console: Console
    room: Room
    chairs: tuple[Chair, Chair]
    delay: float
    wins: list[int] = field(default_factory=lambda: [0, 0])
    margin: int = 0
    """The points by which the first chair is ahead, all games together."""


def run(arguments: list[str]) -> int:
    """Play every deal in both seats and say who was better."""
    parser = Parser("match", "A fair contest: every deal is played twice, once in each seat.")
    parser.add_argument("game", metavar="GAME")
    parser.add_argument("--p1", metavar="WHO", help="one side (default: human)")
    parser.add_argument("--p2", metavar="WHO", help="the other side (default: human)")
    parser.add_argument("--vs", metavar="WHO", help="short for --p2")
    parser.add_argument("--names", metavar="A,B", help="what the two are called")
    parser.add_argument("--rounds", metavar="N", default="1", help="how many deals (default: 1)")
    parser.add_argument(
        "--swap", action="store_true", help="the pie rule: after the first move, the other chooses a seat"
    )
    parser.add_argument("--seed", metavar="S", help="the same seed gives the same match")
    parser.add_argument("--delay", metavar="SECONDS", default="0", help="pause before computer moves")
    parser.add_argument("--no-color", action="store_true", help="no colours on a terminal")
    add_options(parser, named_room(arguments, (*FLAGS, "--swap")))
    add_terms(parser)
    parsed = parser.parse_args(arguments)
    room = find_room(parsed.game)
    game = made_game(room, parsed)
    rounds = read_count("--rounds", parsed.rounds, 1, 999)
    names = read_names(parsed.names) if parsed.names is not None else ("", "")
    chairs = chairs_of(parsed, (HUMAN, HUMAN), names)
    if names == ("", ""):
        chairs = named_chairs(chairs)
    seed = fresh_seed() if parsed.seed is None else read_seed(parsed.seed)
    match = Match(standard(colour=not parsed.no_color), room, chairs, read_delay(parsed.delay))
    try:
        for number in range(1, rounds + 1):
            deal = dealt(game, f"{seed} {number}")
            for first in (0, 1):
                _play(match, deal, first, f"{seed} {number} {first}", swap=parsed.swap)
            match.console.say(_standing(match, deal, number, rounds))
    except Left:
        return 0
    except EOFError:
        return 1
    return 0


def _play(match: Match, game: Any, first: int, seed: str, *, swap: bool) -> None:
    """One game, begun by this chair; with the pie rule the other chair chooses a seat after one move."""
    order = (first, 1 - first)
    table: Table[Any, Any] = Table(game, game.start(Random(0)))
    get_ready(match.chairs, game, table.start)
    if swap:
        winner = _first_move(match, table, order, seed)
        if winner is not None:
            match.wins[order[winner]] += 1
            return
        if _changes(match, table, order, seed):
            order = (order[1], order[0])
    session = _sit(match, table, order, seed)
    if session.winner is not None:
        match.wins[order[session.winner]] += 1
    if isinstance(game, Scored) and table.outcome:
        ours, theirs = game.scores(table.state)
        match.margin += (ours - theirs) * (1 if order[0] == 0 else -1)
    match.console.say("\n")


def _sit(
    match: Match, table: Table[Any, Any], order: tuple[int, int], seed: str, stop: int | None = None
) -> Session:
    """Play on at the table with the chairs in this order."""
    session = _session(match, table, order, seed, stop)
    session.run()
    return session


def _session(
    match: Match, table: Table[Any, Any], order: tuple[int, int], seed: str, stop: int | None = None
) -> Session:
    chairs = match.chairs[order[0]], match.chairs[order[1]]
    return Session(match.console, match.room, table, chairs, seed=seed, delay=match.delay, stop=stop)


def _first_move(match: Match, table: Table[Any, Any], order: tuple[int, int], seed: str) -> Seat | None:
    """Let one player move first, for the other to choose a seat; who won, if it was given up before that."""
    cut = _cut(table.game, table.start) if match.chairs[order[0]].player else None
    if cut is None:
        session = _sit(match, table, order, seed, stop=1)
        return session.winner if session.resigned is not None else None
    table.play(Random(f"{seed} cut").choice(cut))
    return None


def _cut(game: Any, start: Any) -> list[Any] | None:
    """The fairest first moves, for a computer that must let the other choose; None beyond reach."""
    try:
        return fairest(oracle(game).choices(start))
    except TooLarge:
        return None


def _changes(match: Match, table: Table[Any, Any], order: tuple[int, int], seed: str) -> bool:
    """Whether the player who did not move first takes the other seat."""
    chair = match.chairs[order[1]]
    move = match.room.speak(table.game).typed(table.played[0])
    question = f"{chair.name}, the first move is {move}. Change seats? Type yes or no: "
    if not chair.player:
        changes = _session(match, table, order, seed).agrees(question)
    else:
        changes = _better_off(table)
        match.console.say(f"{question}{'yes' if changes else 'no'}\n")
    match.console.say("\n")
    return changes


def _better_off(table: Table[Any, Any]) -> bool:
    """Whether the player to move had better be the other one."""
    try:
        return oracle(table.game).at(table.state).value == LOSS
    except TooLarge:
        return False


def _standing(match: Match, game: Any, number: int, rounds: int) -> str:
    """Who is ahead after this round, and after the last one who has won."""
    names = match.chairs[0].name, match.chairs[1].name
    score = f"{names[0]} {match.wins[0]}, {names[1]} {match.wins[1]}"
    ahead = match.wins[0] - match.wins[1]
    if isinstance(game, Scored):
        ahead = match.margin
        leader = names[ahead < 0]
        score += f"; in points {leader} is ahead by {abs(ahead)}" if ahead else "; in points they are level"
    told = f"Standing after round {number} of {rounds}: wins {score}.\n"
    if number < rounds:
        return f"{told}\n"
    return told + (f"{names[ahead < 0]} wins the match.\n" if ahead else "The match ends level.\n")
