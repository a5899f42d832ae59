"""The claims of the Number Collision book, with their checks, and the integer sequences of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from numberduels.analysis import claims
from numberduels.analysis.claims import CheckResult
from numberduels.analysis.sequences import IntegerSequence, ProofStatus, from_starts, winner
from numberduels.game.contract import ProgressCallback
from numberduels.game.table import replay
from numberduels.games.number_collision import spec
from numberduels.games.number_collision.line_search import count_lines
from numberduels.games.number_collision.rules import Line, NumberCollision, Place
from numberduels.games.number_collision.theory import least_classes, line_classes
from numberduels.solvers import DRAW, WIN, Retrograde, make_oracle
from numberduels.solvers.oracle import TooLarge

CLAIMS = claims.ClaimList(spec)
GAME = NumberCollision()

SMALL = 7
"""Cells of a line that is searched to its last position; the theory says the same of longer ones."""

OPENING = (Place(3, 5), Place(3, 6), Place(2, 1), Place(2, 2), Place(1, 10))
EMPTY = (0,) * 10
OPENING_LINES = ((0, 0, 0, 0, 3, 0, 0, 0, 0, 0), EMPTY, (2, *EMPTY[1:]), EMPTY, (*EMPTY[1:], 1))
"""The sample turns, and the line as it is drawn after each."""

BETWEEN = (Place(3, 4), Place(3, 6), Place(3, 5))
"""Two equal numbers, and a third between them."""

PICTURE = (4, 5, 1, 2, 4, 3, 2, 5, 3, 1)
FILLING = tuple(Place(number, position) for position, number in enumerate(PICTURE, 1))
"""The line that is drawn for the end of a game, and the moves that fill it from left to right."""


def _solved() -> Retrograde[Line, Place]:
    """Every position of the small line, solved."""
    oracle: Retrograde[Line, Place] = Retrograde(NumberCollision(size=SMALL))
    oracle.evaluate(oracle.game.start(Random(0)))
    return oracle


@CLAIMS.claim("There are no draws.")
def no_draws() -> CheckResult:
    oracle = _solved()
    drawn_start = oracle.evaluate(oracle.game.start(Random(0))).value == DRAW
    drawn = sum(oracle.evaluate(state).value == DRAW for state in oracle)
    cycle = _cycle()
    repeats = f"After {len(cycle)} moves the line can be as it was." if cycle else ""
    evidence = f"{repeats} On {SMALL} cells {drawn:,} of {oracle.positions:,} lines are drawn.".strip()
    return not drawn_start and not cycle, evidence, claims.Example(GAME, cycle)


def _cycle() -> tuple[Place, ...]:
    """Two moves that bring the empty line back; none if there are no such moves."""
    start = GAME.start(Random(0))
    for move in GAME.moves(start):
        after = GAME.play(start, move)
        for reply in GAME.moves(after):
            if GAME.play(after, reply) == start:
                return move, reply
    return ()


@CLAIMS.claim("Play goes on until somebody wins.")
def until_somebody_wins() -> CheckResult:
    oracle, rng, table = make_oracle(GAME), Random(1), replay(GAME)
    while table.ply < 60 and not table.outcome:
        table.play(rng.choice(oracle.best_moves(table.state)))
    evidence = f"After {table.ply} moves of two perfect players {claims.winner_name(table)} has won."
    return bool(table.outcome), evidence, claims.Example(GAME, table.played)


@CLAIMS.claim("A player can force the opponent into having no move.")
def forcing() -> CheckResult:
    oracle = _solved()
    worths = [oracle.evaluate(state) for state in oracle]
    wins = [worth.remoteness or 0 for worth in worths if worth.value == WIN]
    longest = max(wins, default=0)
    evidence = f"On {SMALL} cells {len(wins)} of {oracle.positions:,} lines are won for the player to move"
    start = oracle.evaluate(oracle.game.start(Random(0))).value
    return start == WIN or longest > 1, f"{evidence}, and the longest of these wins takes {longest} move."


@CLAIMS.claim("Making collisions wins the game and narrows the opponent's choices.")
def collisions() -> CheckResult:
    oracle = _solved()
    game: NumberCollision = oracle.game
    made = narrowed = ended = needed = 0
    for state in oracle:
        colliding = {move for move in game.moves(state) if _collides(game, state, move)}
        left = [game.play(state, move)[0].bit_count() for move in colliding]
        made += len(left)
        narrowed += sum(empty <= state[0].bit_count() for empty in left)
        ended += left.count(0)
        best = set(oracle.best_moves(state))
        needed += bool(best) and best <= colliding and len(best) < len(game.moves(state))
    evidence = (
        f"What is right: in {needed:,} of {oracle.positions:,} lines on {SMALL} cells only a collision avoids"
        f" a loss. But {claims.share(ended, made)} collisions end the game, and"
        f" {claims.share(made - narrowed, made)} leave the opponent more empty cells than before."
    )
    game_shown = claims.Example(GAME, (Place(1, 1), Place(1, 2)))
    return "true" if ended else "partly" if needed else "false", evidence, game_shown


def _collides(game: NumberCollision, state: Line, move: Place) -> bool:
    """Whether the number is gone after it was placed."""
    return bool(game.play(state, move)[0] >> move.position & 1)


@CLAIMS.claim("A collision removes the two numbers that collide.")
def both() -> CheckResult:
    oracle = _solved()
    game: NumberCollision = oracle.game
    gone = Counter(
        game.play(state, move)[0].bit_count() - state[0].bit_count() + 1
        for state in oracle
        for move in game.moves(state)
        if _collides(game, state, move)
    )
    counts = " and ".join(f"{count:,} remove {size} numbers" for size, count in sorted(gone.items()))
    evidence = f"Of {sum(gone.values()):,} collisions on {SMALL} cells {counts}."
    return claims.all_or_partly(size == 2 for size in gone), evidence, claims.Example(GAME, BETWEEN)


@CLAIMS.claim("A player is stuck only when no cell is empty.")
def stuck_when_full() -> CheckResult:
    oracle = _solved()
    over = [state for state in oracle if oracle.game.outcome(state)]
    full = sum(not state[0] for state in over)
    lines = sum(not state[0] for state in oracle)
    other = lines - full
    evidence = (
        f"On {SMALL} cells {claims.share(full, len(over))} final lines are full, and the game is over in"
        f" {claims.share(full, lines)} full lines."
    )
    return full == len(over) and not other, evidence


@CLAIMS.claim("The line does not go round: its first and last cells are not neighbours.")
def no_ring() -> CheckResult:
    stay = sum(map(bool, GAME.cells(replay(GAME, (Place(1, 1), Place(1, GAME.size))).state)))
    return (
        stay == 2,
        f"Of two equal numbers in cells 1 and {GAME.size}, {'both' if stay == 2 else stay} stay.",
    )


@CLAIMS.claim("The five sample turns lead to the lines that are drawn after them.")
def sample_turns() -> CheckResult:
    lines = [GAME.cells(after) for _, _, after in replay(GAME, OPENING).steps()]
    right = sum(ours == theirs for ours, theirs in zip(lines, OPENING_LINES, strict=True))
    return right == len(lines), f"{right} of {len(lines)} drawings are right."


@CLAIMS.claim("The picture of an end has exactly one empty cell.")
def one_empty_cell() -> CheckResult:
    empty = GAME.cells(replay(GAME, FILLING).state).count(0)
    return empty == 1, f"Of its {GAME.size} cells {empty or 'none'} are empty.", claims.Example(GAME, FILLING)


@CLAIMS.claim("In that picture Player 1, to move, has lost, and Player 2 has won.")
def picture_is_lost() -> CheckResult:
    table = replay(GAME, FILLING)
    winner, right = claims.winner_name(table), GAME.cells(table.state) == PICTURE and table.turn == 0
    evidence = f"After the {table.ply} moves that fill it Player {table.turn + 1} is to move; {winner} wins."
    return right and winner == "Player 2", evidence


@CLAIMS.claim("Foresight and tactics lead to victory.")
def skill() -> CheckResult:
    return claims.wins_more_often(GAME, 30)


BOOK_VALUES = 5
"""The highest number of the book."""


MOST_CELLS = 1_000
"""The longest line of the rules."""

MOST_CLASSES = 1_000_000
"""The most classes that are listed."""


def _lines(indices: range, _progress: ProgressCallback | None) -> Iterator[int]:
    for n in indices:
        if n > MOST_CELLS:
            raise TooLarge(f"a line has at most {MOST_CELLS} cells")
        yield count_lines(n, BOOK_VALUES)


def _classes(indices: range, progress: ProgressCallback | None) -> Iterator[int]:
    for n in indices:
        if n > MOST_CELLS or least_classes(n, BOOK_VALUES) > MOST_CLASSES:
            raise TooLarge(f"there are more than {MOST_CLASSES:,} classes")
        count = 0
        for _ in line_classes(n, BOOK_VALUES):
            count += 1
            if progress and not count % 10_000:
                progress(count, 0)
        yield count


SEQUENCES = (
    IntegerSequence(
        "number-collision-one-number-winner",
        "the player, 1 or 2, who wins Number Collision on n cells with one number, if no line may come back",
        range(1, 8),
        from_starts(lambda n: NumberCollision(n, 1, "forbidden"), winner),
        "a search of the lines within reach",
        ProofStatus.COMPUTED,
    ),
    IntegerSequence(
        "number-collision-lines",
        "the number of lines of n cells that can come up in Number Collision with the numbers 1 to 5",
        range(1, 31),
        _lines,
        "the recurrence a(n) = 5 a(n - 1) + a(n - 2)",
        ProofStatus.THEOREM,
        "docs/sequences.md",
    ),
    IntegerSequence(
        "number-collision-line-classes",
        "the number of lines of n cells that can come up in Number Collision with the numbers 1 to 5, where"
        " lines that differ by a reflection or by renaming the numbers count once",
        range(1, 10),
        _classes,
        "a list of the classes",
        ProofStatus.COMPUTED,
    ),
)
