"""What the book of Number Collision says about itself, and how to find out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from numberduels.analysis.claims import Book, Finding, Verdict, played, rewarded, shown, verdict
from numberduels.analysis.solution import make_oracle
from numberduels.games.number_collision.rules import Line, NumberCollision, Place
from numberduels.solvers import DRAW, WIN, Retrograde

CLAIMS = Book("number-collision")

SMALL = 7
"""Cells of a line that is searched to its last position; the theory says the same of longer ones."""

OPENING = (Place(3, 5), Place(3, 6), Place(2, 1), Place(2, 2), Place(1, 10))
OPENING_LINES = (
    (0, 0, 0, 0, 3, 0, 0, 0, 0, 0),
    (0,) * 10,
    (2, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    (0,) * 10,
    (0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
)
"""The sample turns, and the line as it is drawn after each."""

BETWEEN = (Place(3, 4), Place(3, 6), Place(3, 5))
"""Two equal numbers, and a third between them."""

PICTURE = (4, 5, 1, 2, 4, 3, 2, 5, 3, 1)
"""The line that is drawn for the end of a game."""


def _game() -> NumberCollision:
    return NumberCollision()


def _solved() -> Retrograde[Line, Place]:
    """Every position of the small line, solved."""
    game = NumberCollision(size=SMALL)
    oracle: Retrograde[Line, Place] = Retrograde(game)
    oracle.evaluate(game.start(Random(0)))
    return oracle


@CLAIMS.says("There are no draws.")
def no_draws() -> Finding:
    """Look for a line that comes back, and for a win that can be forced."""
    oracle = _solved()
    small = oracle.evaluate(oracle.game.start(Random(0))).value
    drawn = sum(oracle.evaluate(state).value == DRAW for state in oracle)
    circle = _circle(_game())
    holds = small != DRAW and not circle
    back = f"After {len(circle)} moves the line can be as it was, the same player to move. " if circle else ""
    return Finding(
        verdict(holds),
        f"{back}On {SMALL} cells, all {oracle.positions:,} lines searched (twins counted once), {drawn:,} are"
        " drawn: neither player can force an end. The empty line"
        f" {'is one' if small == DRAW else 'is not one'} of them.",
        shown(_game(), circle) if circle else None,
    )


def _circle(game: NumberCollision) -> tuple[Place, ...]:
    """Two moves that bring the empty line back; none, if there are no such moves."""
    start = game.start(Random(0))
    for move in game.moves(start):
        after = game.play(start, move)
        for reply in game.moves(after):
            if game.play(after, reply) == start:
                return move, reply
    return ()


@CLAIMS.says("Play goes on until somebody wins.")
def until_somebody_wins() -> Finding:
    """Let two careful players play on."""
    game, rng, plies = _game(), Random(1), 60
    oracle = make_oracle(game)
    moves: list[Place] = []
    state = game.start(rng)
    while len(moves) < plies and not game.outcome(state):
        moves.append(rng.choice(oracle.best_moves(state)))
        state = game.play(state, moves[-1])
    outcome = game.outcome(state)
    worth = oracle.evaluate(state).value
    return Finding(
        verdict(outcome is not None),
        f"Two perfect players have no winner after {len(moves)} moves;"
        f" the position is {'still drawn' if worth == DRAW else 'decided'}, and they can go on like this"
        " for ever."
        if outcome is None
        else f"Two perfect players had a winner after {len(moves)} moves.",
        shown(game, moves) if outcome is None else None,
    )


@CLAIMS.says("A player can force the opponent into having no move.")
def forcing() -> Finding:
    """See how far away the forced wins are."""
    oracle = _solved()
    start = oracle.evaluate(oracle.game.start(Random(0))).value
    wins = [oracle.evaluate(state).remoteness or 0 for state in oracle if oracle.evaluate(state).value == WIN]
    return Finding(
        verdict(start == WIN or max(wins, default=0) > 1),
        f"On {SMALL} cells {len(wins)} of {oracle.positions:,} lines are won for the player to move, and the"
        f" longest of these wins takes {max(wins, default=0)} move: the opponent has to leave the last cell"
        " open by their own mistake.",
    )


@CLAIMS.says("Making collisions wins the game and narrows the opponent's choices.")
def collisions() -> Finding:
    """See what collisions do to the empty cells, and which moves win."""
    oracle = _solved()
    game: NumberCollision = oracle.game
    made = narrowed = ended = needed = 0
    for state in oracle:
        before = state[0].bit_count()
        clashing = {move for move in game.moves(state) if _collides(game, state, move)}
        lefts = [game.play(state, move)[0].bit_count() for move in clashing]
        made += len(lefts)
        narrowed += sum(left <= before for left in lefts)
        ended += lefts.count(0)
        keeping = set(oracle.best_moves(state))
        needed += bool(keeping) and keeping <= clashing and len(keeping) < len(game.moves(state))
    came: Verdict = "true" if ended else "partly" if needed else "false"
    return Finding(
        came,
        f"Of {made:,} collisions on {SMALL} cells, {narrowed} leave the opponent no more empty cells than"
        f" there were, and {ended} end the game: a win is made by filling the last cell without a collision."
        f" What collisions do is save: in {needed:,} of {oracle.positions:,} lines nothing else avoids a"
        " loss.",
        shown(_game(), (Place(1, 1), Place(1, 2))) if came != "true" else None,
    )


def _collides(game: NumberCollision, state: Line, move: Place) -> bool:
    """Whether the number is gone after it was placed."""
    return bool(game.play(state, move)[0] >> move.position & 1)


@CLAIMS.says("A collision removes the two numbers that collide.")
def both() -> Finding:
    """Count how many numbers go, in every collision on the small line."""
    oracle = _solved()
    game: NumberCollision = oracle.game
    gone = Counter(
        game.play(state, move)[0].bit_count() - state[0].bit_count() + 1
        for state in oracle
        for move in game.moves(state)
        if _collides(game, state, move)
    )
    came: Verdict = "partly" if len(gone) > 1 else verdict(set(gone) == {2})
    counts = " and ".join(f"{size} numbers in {count:,}" for size, count in sorted(gone.items()))
    return Finding(
        came,
        f"Of {sum(gone.values()):,} collisions on {SMALL} cells, the placed number included, go {counts}:"
        " a number placed between two equal ones takes both along, as the book says in another place.",
        shown(_game(), BETWEEN) if came != "true" else None,
    )


@CLAIMS.says("A player is stuck only when no cell is empty.")
def stuck_when_full() -> Finding:
    """Look at every end on the small line."""
    oracle = _solved()
    over = [state for state in oracle if oracle.game.outcome(state)]
    full = sum(not state[0] for state in over)
    other = sum(not state[0] for state in oracle) - full
    return Finding(
        verdict(full == len(over) and not other),
        f"On {SMALL} cells, {full} of {len(over)} ends are full lines, and {other} full lines are no end.",
    )


@CLAIMS.says("The line does not go round: its first and last cells are not neighbours.")
def no_ring() -> Finding:
    """Put equal numbers into both."""
    game = _game()
    cells = game.cells(played(game, (Place(1, 1), Place(1, game.size))).state)
    stay = sum(map(bool, cells))
    return Finding(verdict(stay == 2), f"Of two equal numbers in cells 1 and {game.size}, {stay} stay.")


@CLAIMS.says("The five sample turns lead to the lines that are drawn after them.")
def sample_turns() -> Finding:
    """Play them again."""
    game = _game()
    lines = [game.cells(after) for _, _, after in played(game, OPENING).steps()]
    right = sum(ours == theirs for ours, theirs in zip(lines, OPENING_LINES, strict=True))
    return Finding(verdict(right == len(lines)), f"{right} of {len(lines)} drawings are right.")


@CLAIMS.says("The picture of an end has exactly one empty cell.")
def one_empty_cell() -> Finding:
    """Count them, in a game that leads to the picture."""
    game, moves = _game(), _filling(PICTURE)
    empty = game.cells(played(game, moves).state).count(0)
    holds = empty == 1
    return Finding(
        verdict(holds),
        f"It has {empty} empty cells of {game.size}.",
        None if holds else shown(game, moves),
    )


@CLAIMS.says("In that picture Player 1, to move, has lost, and Player 2 has won.")
def picture_is_lost() -> Finding:
    """Fill the line from left to right, and see who is to move."""
    table = played(_game(), _filling(PICTURE))
    right = _game().cells(table.state) == PICTURE and table.turn == 0
    winner = table.outcome.winner if table.outcome else None
    return Finding(
        verdict(right and winner == 1),
        f"The line can be filled from left to right in {table.ply} moves without a collision; then"
        f" Player {table.turn + 1} is to move, and the winner is"
        f" {'nobody' if winner is None else f'Player {winner + 1}'}.",
        shown(_game(), _filling(PICTURE)),
    )


def _filling(cells: tuple[int, ...]) -> tuple[Place, ...]:
    return tuple(Place(number, position) for position, number in enumerate(cells, 1))


@CLAIMS.says("Foresight and tactics lead to victory.")
def skill() -> Finding:
    """Play perfect against random, and against itself."""
    found = rewarded(_game(), 30)
    value = make_oracle(_game()).evaluate(_game().start(Random(0))).value
    drawn = (
        " Between two such players, though, nobody wins: the empty line is drawn." if value == DRAW else ""
    )
    return replace(found, evidence=f"{found.evidence}{drawn}")
