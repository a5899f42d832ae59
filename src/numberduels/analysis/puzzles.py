"""find_puzzle(): positions in which exactly one move keeps the win or the draw, graded by depth.

The search plays a random game at a random size and walks back from its end, so that every position
comes with the moves that lead to it. An exact solver decides which moves keep the value. In a game of
points winning counts, not the margin.

**Depth and level.** A search of d plies shows that a move wins, that it loses, or neither. The depth of
a puzzle is the smallest d that identifies the solution: it is shown to win, or every other move is shown
to lose. The level is the number of own moves within that depth: depth 1 or 2 is level 1, 3 or 4 is level
2, and so on; depth 9 and more is level 5.

>>> one = find_puzzle("range-war", level=2, seed="1")
>>> one.moves, one.solution, one.depth
((9, 5, 6, 3, 8, 4), 7, 4)
>>> one == find_puzzle("range-war", level=2, seed="1")
True
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from numberduels import options, registry
from numberduels.core import Bounded, M, RandomStart, Scored, Symmetric
from numberduels.game_text import AnyGameText, player_label
from numberduels.messages import Message
from numberduels.oracles import make_oracle, strongest_moves
from numberduels.solvers import DRAW, LOSS, WIN, Margins, Oracle, Retrograde, TooLarge, Worth
from numberduels.spec import GameSpec
from numberduels.table import Table

LEVELS = range(1, 6)

DEEPEST = 2 * LEVELS[-1] - 1
"""The depth of the highest level; deeper puzzles are not distinguished."""

GAMES = 300
"""The most random games of one search."""

LONGEST = 100
"""A longer random game is dropped."""

WALKS = 40
"""Random continuations from the first position that can be solved."""

REACH = 6_000
"""The most positions to solve for one random game."""

BUDGET = 400_000
"""The most positions of one search."""

TASKS = {WIN: "Find the only move that wins.", DRAW: "Find the only move that holds the draw."}
LINE = 16
"""The most moves of an example line."""


class NoPuzzle(ValueError):
    """No puzzle of that level was found; the message is one sentence for the player."""


@dataclass(frozen=True)
class Puzzle:
    """A position with one right move. `game` and `moves` lead to it."""

    spec: GameSpec
    game: Any
    moves: tuple[Hashable, ...]
    state: Any
    solution: Any
    why: str
    """Why the solution keeps the value."""
    value: int
    """WIN, or DRAW where nothing wins: what the solution keeps."""
    level: int
    depth: int
    """The plies to search until the solution is identified; DEEPEST means that many or more."""
    seed: str
    oracle: Oracle[Any, Any] = field(repr=False, compare=False)

    @property
    def wrong(self) -> list[Any]:
        """Every legal move but the solution."""
        return [move for move in self.game.moves(self.state) if move != self.solution]

    @property
    def game_text(self) -> AnyGameText:
        """The words of its game."""
        return self.spec.text_for(self.game)

    def answer(self) -> list[str]:
        """What the solution does and why, and how it could lead to the end; each line is a message."""
        move = self._told(self.solution)
        if self.value == WIN:
            first = Message("{move} wins. {why}", move=move, why=self.why)
        else:
            first = Message("{move} holds the draw. {why}", move=move, why=self.why)
        return [first, *self._continuation(self.state, self.solution)]

    def refutation(self, move: Any) -> list[str]:
        """Why a wrong move is wrong: how it ends the game, or the reply to it and its reason."""
        game_text = self.game_text
        after = self.game.play(self.state, move)
        if self.game.outcome(after):
            closing = game_text.closing(after).strip().split("\n")
            return [Message("{move} ends the game:", move=self._told(move)), *closing]
        reply = strongest_moves(self.oracle, after)[0]
        who: dict[str, Any] = {"player": player_label(self.game.turn(after))}
        told = who | {"move": game_text.typed(move), "reply": game_text.typed(reply)}
        if self.oracle.evaluate_move(after, reply).value == WIN:
            first = Message("After {move}, {player} answers {reply} and wins.", **told)
        else:
            first = Message("After {move}, {player} answers {reply} and holds the draw.", **told)
        advice = Message("Advice to {player}: {why}", why=self.oracle.why(after, reply), **who)
        return [first, advice, *self._continuation(after, reply)]

    def _continuation(self, state: Any, move: Any) -> list[str]:
        """How a winning move could lead to the end, both sides doing their best; nothing after a draw."""
        if self.oracle.evaluate_move(state, move).value != WIN:
            return []
        winner, line, state = self.game.turn(state), [move], self.game.play(state, move)
        while not self.game.outcome(state):
            if len(line) == LINE:
                return []
            line.append(strongest_moves(self.oracle, state)[0])
            state = self.game.play(state, line[-1])
        if len(line) == 1:
            return []
        moves, player = " ".join(map(self.game_text.format_move, line)), player_label(winner)
        return [Message("For example: {moves}, and {player} has won.", moves=moves, player=player)]

    def _told(self, move: Any) -> str:
        """The move at the head of a sentence."""
        text = self.game_text.typed(move)
        return text[:1].upper() + text[1:]


def find_puzzle(spec: GameSpec | str, level: int = 1, seed: str = "") -> Puzzle:
    """Find the puzzle of this level and seed; NoPuzzle if there is none."""
    options.check_whole("level", level, LEVELS[0], LEVELS[-1])
    spec = registry.spec(spec) if isinstance(spec, str) else spec
    rng = Random(f"{seed} puzzle {spec.name} {level}")
    spent = 0
    for _ in range(GAMES):
        table = _random_game(spec, level, rng)
        if table is None:
            continue
        grader = PositionGrader(table.game)
        for moves, state in _candidates(table, grader, rng):
            if found := grader.only_move(state, len(moves), level):
                return _made(spec, table.game, moves, state, found, seed)
        spent += grader.positions + table.ply
        if spent > BUDGET:
            break
    raise NoPuzzle(f"no puzzle of level {level} was found for {spec.name}: try another level or another seed")


def _made(
    spec: GameSpec,
    game: Any,
    moves: Sequence[Hashable],
    state: Any,
    found: tuple[Any, int],
    seed: str,
) -> Puzzle:
    solution, depth = found
    oracle = make_oracle(game)
    return Puzzle(
        spec=spec,
        game=game,
        moves=tuple(moves),
        state=state,
        solution=solution,
        why=oracle.why(state, solution),
        value=oracle.evaluate_move(state, solution).value,
        level=level_of(depth),
        depth=depth,
        seed=seed,
        oracle=oracle,
    )


# Candidate positions


def _random_game(spec: GameSpec, level: int, rng: Random) -> Table[Any, Any] | None:
    """A random game at a random size; None if it does not end soon."""
    try:
        game = spec.rules(**_drawn(spec, level, rng))
    except ValueError:
        return None  # these options do not fit each other
    start = game.start(rng)
    if isinstance(game, RandomStart):
        game = game.with_start(start)
    table: Table[Any, Any] = Table(game, start)
    _play_on(table, rng)
    return table if table.outcome else None


def _drawn(spec: GameSpec, level: int, rng: Random) -> dict[str, Any]:
    """Random options, larger for higher levels; lists of numbers are left to the deal."""
    dense = spec.puzzles.get(level, {})
    values: dict[str, Any] = {}
    for each in options.declared(spec.rules):
        if each.name in dense:
            values[each.name] = rng.choice(dense[each.name])
        elif isinstance(each.default, int):
            values[each.name] = rng.randint(1 + each.default // 6, max(2, each.default * (level + 2) // 3))
        elif each.metadata["choices"]:
            values[each.name] = rng.choice(list(each.metadata["choices"]))
    return values


def _play_on(table: Table[Any, Any], rng: Random) -> None:
    """Play random moves to the end, or to the longest length."""
    while table.ply < LONGEST and not table.outcome:
        table.play(rng.choice(table.moves))


def _candidates(
    table: Table[Any, Any], grader: PositionGrader, rng: Random
) -> Iterator[tuple[tuple[Hashable, ...], Any]]:
    """Positions that can be solved, with the moves that lead to them, of this game and of variations.

    Walking back from the end finds the first position that can be solved. Everything after it is then
    solved, too, so that random continuations from there cost little.
    """
    steps = list(table.steps())
    root = len(steps)
    while root and grader.can_solve(steps[root - 1][0]):
        root -= 1
    seen = set()
    for _ in range(WALKS):
        for ply, (before, _, _) in list(enumerate(table.steps()))[root:]:
            if before not in seen:
                seen.add(before)
                yield table.played[:ply], before
        table = Table(table.game, table.start, table.played[:root])
        _play_on(table, rng)


# Grading


class PositionGrader:
    """Recognises the puzzles of one game with a general solver, and computes their depth.

    The theory of a game could solve more, but its reach depends on the version and on what is installed,
    and the same seed must give the same puzzle everywhere.
    """

    def __init__(self, game: Any) -> None:
        self.game = game
        self.oracle: Oracle[Any, Any] = (Margins if isinstance(game, Scored) else Retrograde)(game, REACH)
        self.look_ahead = LookAhead(game)

    @property
    def positions(self) -> int:
        """The number of positions searched."""
        return self.oracle.positions + self.look_ahead.positions

    def can_solve(self, state: Any) -> bool:
        """Whether the position can be solved."""
        try:
            self.oracle.evaluate_moves(state)
        except TooLarge:
            return False
        return True

    def only_move(self, state: Any, ply: int, level: int) -> tuple[Any, int] | None:
        """The only move that keeps a win or a draw, and its depth, if it has this level."""
        left = self.game.max_plies - ply if isinstance(self.game, Bounded) else DEEPEST
        if level_of(left) < level:
            return None
        try:
            choices = self.oracle.evaluate_moves(state)
            solution = only_keeper(choices)
            if solution is None:
                return None
            depth = depth_of(choices, solution) or self.look_ahead.depth(state, solution, left)
        except TooLarge:
            return None
        return (solution, depth) if level_of(depth) == level else None


def only_keeper(choices: Mapping[M, Worth]) -> M | None:
    """The only move that keeps the value, if there is exactly one.

    >>> only_keeper({"a": Worth(WIN), "b": Worth(DRAW)})
    'a'
    >>> only_keeper({"a": Worth(DRAW), "b": Worth(DRAW), "c": Worth(LOSS)})
    """
    best = max((worth.value for worth in choices.values()), default=LOSS)
    keepers = [move for move, worth in choices.items() if worth.value == best]
    return keepers[0] if best > LOSS and len(keepers) == 1 < len(choices) else None


def depth_of(choices: Mapping[M, Worth], solution: M) -> int | None:
    """The depth from the remoteness of the moves; None if the solver does not know it.

    A search shows that a move wins or loses when it reaches the end of the game.

    >>> depth_of({"a": Worth(WIN, 5), "b": Worth(LOSS, 4), "c": Worth(LOSS, 2)}, "a")
    4
    >>> depth_of({"a": Worth(WIN, 5), "b": Worth(DRAW)}, "a")
    5
    """
    decisive = [worth.remoteness for worth in choices.values() if worth.value != DRAW]
    plies = [each for each in decisive if each is not None]
    if len(plies) < len(decisive):
        return None
    proofs = []
    if choices[solution].value == WIN:
        proofs.append(choices[solution].remoteness or 0)
    wrong = [worth for move, worth in choices.items() if move != solution]
    if all(worth.value == LOSS for worth in wrong):
        proofs.append(max(worth.remoteness or 0 for worth in wrong))
    return min(*proofs, DEEPEST)


def level_of(depth: int) -> int:
    """The level of a depth: the own moves within it, at most five.

    >>> [level_of(depth) for depth in (1, 2, 3, 8, 9, 40)]
    [1, 1, 2, 4, 5, 5]
    """
    return min((depth + 1) // 2, LEVELS[-1])


class LookAhead:
    """A depth-limited search with the rules alone."""

    def __init__(self, game: Any, most: int = 4 * REACH) -> None:
        self.game = game
        self.most = most
        self.positions = 0
        self._seen: dict[tuple[Any, int], int] = {}
        self._pointed = isinstance(game, Scored)
        self._ends: dict[tuple[Any, int], bool] = {}
        self._twin: Callable[[Any], Any] = (
            game.canonical if isinstance(game, Symmetric) else lambda state: state
        )

    def depth(self, state: Any, solution: Any, left: int = DEEPEST) -> int:
        """The smallest depth that identifies the solution, at most DEEPEST.

        `left` is the most moves that the game can still have.
        """
        after = {move: self.game.play(state, move) for move in self.game.moves(state)}
        for depth in range(1, min(left, DEEPEST)):
            if not self._may_end(state, depth):
                continue
            top = -self.value(after[solution], depth - 1)
            if top == LOSS:
                continue
            others = (-self.value(each, depth - 1) for move, each in after.items() if move != solution)
            if all(other < top for other in others):
                return depth
        return min(left, DEEPEST)

    def value(self, state: Any, plies: int) -> int:
        """WIN or LOSS if a search of so many plies shows it, else DRAW; TooLarge beyond the limit."""
        twin = self._twin(state), plies
        found = self._seen.get(twin)
        if found is None:
            self._count()
            found = self._seen[twin] = self._look(state, plies)
        return found

    def _look(self, state: Any, plies: int) -> int:
        outcome = self.game.outcome(state)
        if outcome is not None:
            if outcome.winner is None:
                return DRAW
            return WIN if outcome.winner == self.game.turn(state) else LOSS
        if not plies:
            return DRAW
        best = LOSS
        for move in self.game.moves(state):
            best = max(best, -self.value(self.game.play(state, move), plies - 1))
            if best == WIN:
                break
        return best

    def _may_end(self, state: Any, plies: int) -> bool:
        """Whether the game can end within the plies; checked only for games of points, where it is cheap."""
        if not self._pointed:
            return True
        twin = self.game.without_scores(state), plies
        found = self._ends.get(twin)
        if found is None:
            self._count()
            moves = self.game.moves(state)
            found = not moves or (
                plies > 0 and any(self._may_end(self.game.play(state, move), plies - 1) for move in moves)
            )
            self._ends[twin] = found
        return found

    def _count(self) -> None:
        self.positions += 1
        if self.positions > self.most:
            raise TooLarge(f"there are more than {self.most:,} positions")
