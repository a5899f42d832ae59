"""What a reason says is true: every claim of every reason, for every move of every position of small sizes.

A claim is a phrase of the message's template with the values that it is about. It is checked with the rules
and with solvers that know no game by name. A reason whose phrases or values nobody checks is an error, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tools.catalogues import SOURCE, messages

from numberduels import solvers
from numberduels.game.bits import members
from numberduels.game.messages import Message
from numberduels.game.registry import spec_of
from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_snatch.rules import NumberSnatch
from numberduels.games.range_war.rules import RangeWar
from numberduels.games.restricted_removal.rules import RestrictedRemoval
from numberduels.games.summation_duel.rules import SummationDuel
from numberduels.solvers import DRAW, LOSS, WIN, Margins, Nimbers, Oracle, Retrograde, make_oracle
from tables import table


@dataclass(frozen=True)
class Said:
    """A reason for one move, and what is known about the position from elsewhere."""

    game: Any
    known: Oracle[Any, Any]
    state: Any
    move: Any
    values: dict[str, Any]

    @cached_property
    def after(self) -> Any:
        return self.game.play(self.state, self.move)

    @cached_property
    def choices(self) -> tuple[Any, ...]:
        return tuple(self.game.moves(self.state))

    @cached_property
    def replies(self) -> tuple[Any, ...]:
        return tuple(self.game.moves(self.after))

    @property
    def before(self) -> int:
        return self.known.value(self.state)

    @property
    def value(self) -> int:
        """The value of the move for the player who makes it."""
        return -self.known.value(self.after)

    @property
    def margin(self) -> int:
        return -(self.known.evaluate(self.after).margin or 0)

    def moves(self, name: str) -> list[Any]:
        """The moves that a value names, in order."""
        return [self.parse(each) for each in flat(self.values[name])]

    def parse(self, text: Any) -> Any:
        return spec_of(self.game).text_for(self.game).parse_move(str(text))

    def winning(self, state: Any) -> set[Any]:
        return {
            each for each in self.game.moves(state) if self.known.value(self.game.play(state, each)) == LOSS
        }

    def answers(self) -> dict[Any, Any]:
        """The answers that are listed, by the replies; each of them is legal and wins."""
        found = {
            self.parse(each.values["reply"]): self.parse(each.values["answer"])
            for each in self.values["answers"]
        }
        assert len(found) == len(self.values["answers"])
        for reply, answer in found.items():
            assert reply in self.replies and answer in self.winning(self.game.play(self.after, reply))
        return found

    def over(self, state: Any) -> bool:
        return self.game.outcome(state) is not None


def flat(value: Any) -> Iterator[Any]:
    """The single values of a list or of a choice."""
    if isinstance(value, tuple):
        for each in value:
            yield from flat(each)
    elif isinstance(value, Message) and set(value.values) <= {"one", "other", "others"} and value.values:
        for each in value.values.values():
            yield from flat(each)
    else:
        yield value


def number(value: Any) -> int:
    """The number that a value tells."""
    if isinstance(value, Message):
        return value.values["count"] if value.values else {"none": 0}[value]
    return int(value)


Check = Callable[[Said], Any]
CLAIMS: list[tuple[str, frozenset[str], Check]] = []


def claim(*phrases: str, covers: str = "") -> Callable[[Check], Check]:
    """A check for the templates with one of these phrases; `covers` names the values that it looks at."""

    def register(check: Check) -> Check:
        CLAIMS.extend((phrase, frozenset(covers.split()), check) for phrase in phrases)
        return check

    return register


def check_reason(said: Said, reason: Message, seen: set[str]) -> None:
    """Every phrase is true, every value is looked at."""
    seen.add(reason.template)
    if reason.template == "{first} {second}":
        for each in reason.values.values():
            check_reason(said, each, seen)
        return
    for value in reason.values.values():
        seen.update(each.template for each in nested(value))
    told = Said(said.game, said.known, said.state, said.move, reason.values)
    found = [each for each in CLAIMS if each[0] in reason.template]
    where = (said.game, said.state, said.move, str(reason))
    assert found, ("nobody checks", *where)
    covered = frozenset[str]().union(*(covers for _, covers, _ in found))
    assert set(reason.values) <= covered, ("nobody checks a value of", *where)
    for phrase, _, check in found:
        assert check(told), (phrase, *where)


def nested(value: Any) -> Iterator[Message]:
    if isinstance(value, tuple):
        for each in value:
            yield from nested(each)
    elif isinstance(value, Message):
        yield value
        yield from nested(tuple(value.values.values()))


# Claims of all games

claim("Every move loses here", "every move loses here")(
    lambda said: said.before == LOSS and len(said.choices) >= 1
)
claim("It loses")(lambda said: said.before > said.value == LOSS)
claim("{move} at least leaves them only {answer}.", covers="move answer")(
    lambda said: said.moves("move") == [said.move] and said.moves("answer") == list(said.replies)
)
claim("the only answer that wins", covers="move answer")(
    lambda said: said.moves("move") == [said.move] and set(said.moves("answer")) == said.winning(said.after)
)


@claim("they can win with {answers}", covers="move answers")
def can_win_with(said: Said) -> Any:
    named, winning = said.moves("answers"), said.winning(said.after)
    return said.moves("move") == [said.move] and len(named) == min(len(winning), 3) and set(named) <= winning


claim("they answer {answer}", "and then they win with {answer}", covers="answer move")(
    lambda said: set(said.moves("answer")) <= said.winning(said.after)
)


@claim("and the game is over", "they remove {answer}, and nothing is left", covers="answer move")
def answer_ends_the_game(said: Said) -> Any:
    (answer,) = said.moves("answer")
    return said.over(said.game.play(said.after, answer)) and answer in said.winning(said.after)


claim("It is your only move", "It is your only number")(
    lambda said: said.choices == (said.move,) and said.value == LOSS
)


@claim("so they are stuck and you win", "It ends the game, and you win.")
def stuck(said: Said) -> Any:
    outcome = said.game.outcome(said.after)
    return not said.replies and outcome.winner == said.game.turn(said.state)


claim("You have an answer to everything: {answers}", covers="answers")(
    lambda said: set(said.answers()) == set(said.replies)
)


@claim("It wins, whatever they answer")
def wins(said: Said) -> Any:
    return said.value == WIN


claim("It gives the win away")(lambda said: said.before == WIN > said.value)
claim("It holds the draw")(lambda said: said.before == said.value == DRAW)


# Range War


def sides(said: Said) -> tuple[int, int]:
    """How many free numbers the opponent and the player have after the move, each on their side."""
    free, last, _ = said.after
    above, below = (sum(each > last for each in members(free)), sum(each < last for each in members(free)))
    goes_up = bool(said.replies) and said.replies[0] > last
    either_way = goes_up is False and bool(said.replies) and said.replies[-1] > last
    if either_way:
        return max(above, below), min(above, below)
    return (above, below) if goes_up else (below, above)


@claim("{theirs}", covers="theirs ours")
def counts_are_right(said: Said) -> Any:
    theirs, ours = sides(said)
    told = {name: number(said.values[name]) for name in ("theirs", "ours") if name in said.values}
    return told.items() <= {"theirs": theirs, "ours": ours}.items()


claim("they run out first", "They run out first")(lambda said: said.value == WIN)
claim("you run out first", "and leave you {ours}", "you have none after it, and they win")(
    lambda said: said.value == LOSS
)
claim("you have none after it")(lambda said: sides(said)[1] == 0)
claim("No number is left")(lambda said: not said.after[0])
claim("No lower number is left", "No higher number is left")(lambda said: bool(said.after[0]))
claim("No lower")(lambda said: all(each > said.move for each in members(said.after[0])))
claim("No higher")(lambda said: all(each < said.move for each in members(said.after[0])))


def skipped(said: Said) -> list[int]:
    low, high = sorted((said.state[1], said.move))
    return [each for each in members(said.state[0]) if low < each < high]


claim("{skipped}", covers="skipped")(lambda said: number(said.values["skipped"]) == len(skipped(said)) > 0)
claim("ake the nearest", "The nearest")(lambda said: not skipped(said))


@claim("holds out longest")
def lasts_longest(said: Said) -> Any:
    plies = {each: said.known.evaluate_move(said.state, each).remoteness or 0 for each in said.choices}
    return plies[said.move] == max(plies.values())


@claim("the longer side")
def somebody_has_the_longer_side(said: Said) -> Any:
    theirs, ours = sides(said)
    return theirs != ours or "ours" not in said.values or said.value == WIN


@claim("It gives them the longer side", "Go to the longer side")
def longer_side(said: Said) -> Any:
    free, last, _ = said.state
    above, below = (sum(each > last for each in members(free)), sum(each < last for each in members(free)))
    went_longer = (above > below) == (said.move > last)
    return above != below and went_longer == (said.value == WIN)


@claim("both sides are equally long")
def equally_long(said: Said) -> Any:
    free, last, _ = said.state
    return 2 * sum(each > last for each in members(free)) == len(members(free))


@claim("It is the middle")
def middle(said: Said) -> Any:
    return 2 * said.move == said.game.size + 1


claim("there is no middle")(lambda said: said.game.size % 2 == 0)
claim("It is not the middle")(lambda said: said.game.size % 2 == 1 and 2 * said.move != said.game.size + 1)
claim("at least leaves them only {replies}", covers="move replies")(
    lambda said: said.moves("move") == [said.move] and said.moves("replies") == list(said.replies)
)


# Number Snatch


@claim("It snatches their {last}", covers="last points")
def snatches(said: Said) -> Any:
    last = said.values["last"]
    without = said.game.without_scores(said.state)[3]
    _, _, mine, theirs = said.state
    _, _, theirs_after, mine_after = said.after
    swing = (mine_after - theirs_after) - (mine - theirs) - said.move
    return last == said.state[1] == without and swing == number(said.values["points"])


def snatchers(said: Said) -> list[int]:
    return [each for each in said.replies if each % said.move == 0]


claim(
    "they can snatch the {move} with {threats}",
    "They can snatch the {move} with {threats}",
    covers="move threats",
)(lambda said: said.moves("move") == [said.move] and said.moves("threats") == snatchers(said) != [])
claim("othing left can snatch", covers="move")(
    lambda said: not snatchers(said) and said.values.get("move", said.move) == said.move
)
claim("in turn")(lambda said: bool(said.state[1]) and said.move % said.state[1] == 0)


@claim("is the largest")
def largest(said: Said) -> Any:
    return said.move == max(said.choices) and bool(said.replies)


claim("It is the last number")(lambda said: not said.replies)
claim("you win by {count}", covers="count")(lambda said: said.margin == said.values["count"] > 0)
claim("you lose by {count}", covers="count")(lambda said: -said.margin == said.values["count"] > 0)


@claim("{move} at least keeps it down to {count}", covers="move count")
def keeps_it_down(said: Said) -> Any:
    least = max(said.known.evaluate_move(said.state, each).margin or 0 for each in said.choices)
    return said.values["move"] == said.move and said.margin == least == -said.values["count"]


claim("{move} loses by {count}", covers="move count")(
    lambda said: said.values["move"] == said.move and -said.margin == said.values["count"] > 0
)
claim("level", covers="move")(
    lambda said: said.margin == 0 and said.values.get("move", said.move) == said.move
)
claim("and then you win")(lambda said: said.value == WIN)
claim("and then they win.")(lambda said: said.value == LOSS)


# Restricted Removal


def groups(said: Said) -> list[tuple[int, ...]]:
    return [members(part) for part, _ in said.game.components(said.after)]


def named_groups(value: Any) -> list[tuple[int, ...]]:
    return [tuple(map(int, str(each).strip("[]").split(", "))) for each in flat(value)]


@cache
def lengths(game: RestrictedRemoval, available: int) -> frozenset[int]:
    """All numbers of moves in which a set can be played to the end."""
    if not available:
        return frozenset({0})
    after = (game.play((available, 0), move)[0] for move in members(available))
    return frozenset(1 + length for rest in after for length in lengths(game, rest))


claim("It leaves {groups}", covers="groups")(
    lambda said: sorted(named_groups(said.values["groups"])) == sorted(groups(said))
)


@claim("each takes one move", covers="groups")
def groups_of_one_move(said: Said) -> Any:
    parts = [part for part, _ in said.game.components(said.after)]
    return len(parts) == 2 and all(lengths(said.game, part) == {1} for part in parts)


claim("they take one, you take the other", "so you make the last")(
    lambda said: all(length % 2 == 0 for length in lengths(said.game, said.after[0]))
)
claim("which don't lock each other")(
    lambda said: len(said.replies) == 2 and said.replies[1] % said.replies[0] != 0
)
claim("exactly {moves} moves are left", "It leaves {moves} moves", covers="moves")(
    lambda said: lengths(said.game, said.after[0]) == {number(said.values["moves"])}
)
claim("so they make the last one")(
    lambda said: all(length % 2 for length in lengths(said.game, said.after[0]))
)


@claim("built alike: {pairs}", covers="pairs groups")
def pairs_are_alike(said: Said) -> Any:
    all_groups = groups(said)
    for pair in said.values["pairs"]:
        one, other = named_groups((pair.values["one"], pair.values["other"]))
        all_groups.remove(one)
        all_groups.remove(other)
        if not any(same_locks(one, order) for order in permutations(other)):
            return False
    rest = sum(1 << each for group in all_groups for each in group)
    named = "groups" not in said.values or sorted(named_groups(said.values["groups"])) == sorted(all_groups)
    return named and all(length % 2 == 0 for length in lengths(said.game, rest))


def same_locks(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    def locks(numbers: tuple[int, ...]) -> list[bool]:
        return [not max(a, b) % min(a, b) for a in numbers for b in numbers]

    return locks(one) == locks(other)


claim("The rest takes an even number of moves")(
    lambda said: 2 * len(said.values["pairs"]) < len(groups(said))
)
claim("you have an answer to each", covers="left")(
    lambda said: said.value == WIN and number(said.values.get("left", len(said.replies))) == len(said.replies)
)
claim("It leaves {numbers}", covers="numbers")(lambda said: said.moves("numbers") == list(said.replies))
claim("For example, {answers}", covers="answers")(lambda said: 0 < len(said.answers()) <= len(said.replies))


# Summation Duel

claim("{target}", covers="target")(lambda said: said.values["target"] == said.game.target)
claim("{total}", covers="total")(lambda said: said.values["total"] == said.after[1])
claim("It makes exactly {target}: you win")(lambda said: said.after[1] == said.game.target)


def fitting(said: Said) -> list[int]:
    return [each for each in said.replies if said.after[1] + each <= said.game.target]


claim("and every number left goes over {target}: they must go over")(
    lambda said: bool(said.replies) and not fitting(said)
)
claim("they cannot hit {target} now")(lambda said: said.game.target - said.after[1] not in said.replies)


def hit_after(said: Said, reply: int) -> Any:
    return said.game.target - said.after[1] - reply


@claim("whatever they add, you can", "or you hit it next")
def you_hit_next(said: Said) -> Any:
    can = all(
        hit_after(said, each) in said.replies and hit_after(said, each) != each for each in fitting(said)
    )
    return can and all(hit_after(said, reply) == answer for reply, answer in said.answers().items())


claim("they go over {target}, or", "an answer to every number that fits")(
    lambda said: said.value == WIN and 0 < len(fitting(said)) < len(said.replies)
)
claim("whatever they add")(lambda said: said.value == WIN and fitting(said) == list(said.replies))
claim("It goes over {target}: you lose", "this one goes over {target} at once")(
    lambda said: said.after[1] > said.game.target
)
claim("Every number left goes over {target}, so every move loses")(
    lambda said: all(said.state[1] + each > said.game.target for each in said.choices)
)


@claim("they add {answer} and hit {target}", covers="move answer target")
def they_hit(said: Said) -> Any:
    (answer,) = said.moves("answer")
    return answer in said.replies and said.after[1] + answer == said.game.target


claim("after {move} they add", covers="move")(lambda said: said.moves("move") == [said.move])


# Number Collision


def can_fill(game: Any, line: Any) -> bool:
    return any(not game.play(line, place)[0] for place in game.moves(line))


claim("It fills the last empty cell")(lambda said: not said.after[0])
claim("would bring back an earlier line")(lambda said: bool(said.after[0]) and said.game.history_matters)
claim("one cell stays empty, and they fill it", "It leaves exactly one empty cell, and they fill it")(
    lambda said: said.after[0].bit_count() == 1 and can_fill(said.game, said.after)
)


@claim("there is a number that fits the last empty cell")
def fits(said: Said) -> Any:
    return said.state[0].bit_count() == 1 and can_fill(said.game, said.state)


claim("One cell stays empty, but no number fits it")(
    lambda said: said.after[0].bit_count() == 1 and not can_fill(said.game, said.after)
)
claim("{left} empty cells", covers="left")(
    lambda said: said.after[0].bit_count() == number(said.values["left"]) >= 2
)


@claim("as long as you don't leave exactly one empty cell")
def safe(said: Said) -> Any:
    return said.value == DRAW


@claim("collides and", "Only a collision helps here: it")
def collides(said: Said) -> Any:
    return said.after[0].bit_count() > said.state[0].bit_count()


@claim("Anything else leaves exactly one, and they fill it")
def nothing_else_holds(said: Said) -> Any:
    others = [said.game.play(said.state, each) for each in said.choices]
    staying = [line for line in others if line[0].bit_count() < said.state[0].bit_count()]
    return bool(staying) and all(line[0].bit_count() == 1 and can_fill(said.game, line) for line in staying)


claim("Whatever they place, you can fill the last empty cell and win")(
    lambda said: all(can_fill(said.game, said.game.play(said.after, each)) for each in said.replies)
)


# Every move of every position


def everywhere(game: Any) -> Iterator[Any]:
    """Every position that can be reached, each once."""
    waiting = [game.start(Random(0))]
    seen = set(waiting)
    while waiting:
        state = waiting.pop()
        yield state
        for move in game.moves(state):
            child = game.play(state, move)
            if child not in seen:
                seen.add(child)
                waiting.append(child)


def some(game: Any, count: int) -> set[Any]:
    """The positions of so many random games, the first ones left out where they would take long to solve."""
    rng, found = Random(1), set()
    for _ in range(count):
        state = game.start(rng)
        while moves := game.moves(state):
            found.add(state)
            state = game.play(state, rng.choice(moves))
    return found


SETTINGS: dict[str, list[Any]] = {
    "range_war": [RangeWar(size, opening) for size in range(1, 9) for opening in ("lower", "free")],
    "number_snatch": [
        NumberSnatch(numbers=numbers)
        for numbers in ((1,), (3, 4), (1, 2, 3), (1, 2, 3, 6), (2, 3, 4, 6, 8, 12), (4, 5, 9, 10, 15))
    ],
    "restricted_removal": [RestrictedRemoval(size) for size in range(2, 14)],
    "summation_duel": [
        SummationDuel(size, target) for size in range(1, 7) for target in range(1, size * (size + 1) // 2 + 1)
    ],
    "number_collision": [
        *(NumberCollision(size, values) for size in range(1, 5) for values in range(1, 4)),
        *(NumberCollision(size, values, "forbidden") for size, values in ((2, 2), (3, 2), (4, 1), (5, 1))),
    ],
}
LARGER: dict[str, list[Any]] = {
    "range_war": [],
    "number_snatch": [NumberSnatch(numbers=(2, 5, 7, 10, 12, 13, 15, 17, 18, 20))],
    "restricted_removal": [RestrictedRemoval(16), RestrictedRemoval(20), RestrictedRemoval(30)],
    "summation_duel": [SummationDuel(10, 42), SummationDuel(10, 50), SummationDuel(12, 40)],
    "number_collision": [],
}

STARS = (5, 10, 15), (7, 14, 21)
"""Two groups whose length depends on how they are played, built alike."""
SPECIAL: list[tuple[Any, Any]] = [
    *(
        (RestrictedRemoval(60), (sum(1 << each for part in (*STARS, (11,), rest) for each in part), 0))
        for rest in ((), (13, 17), (13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59))
    ),
    (RestrictedRemoval(36), RestrictedRemoval(36).start(Random(0))),
]
"""Positions of Restricted Removal whose reasons are rare: pairs, with rests of several lengths; and large."""


def solver(game: Any) -> Oracle[Any, Any]:
    if isinstance(game, NumberSnatch):
        return Margins(game)
    return Nimbers(game) if isinstance(game, RestrictedRemoval) else Retrograde(game)


def check_everything(
    game: Any, states: Iterable[Any], seen: set[str], oracle: Oracle[Any, Any] | None = None
) -> None:
    oracle, known = oracle or make_oracle(game), solver(game)
    for state in states:
        for move in game.moves(state):
            check_reason(Said(game, known, state, move, {}), oracle.why(state, move), seen)


@table("name", SETTINGS)
def test_every_reason_is_true_and_every_text_is_needed(name: str, tmp_path: Path) -> None:
    seen: set[str] = set()
    for game in SETTINGS[name]:
        check_everything(game, everywhere(game), seen)
    for game in LARGER[name]:
        check_everything(game, some(game, 6), seen)
    for game, state in SPECIAL if name == "restricted_removal" else ():
        check_everything(game, [state], seen)
    teaching = (SOURCE / f"games/{name}/teaching.py").read_text(encoding="utf-8")
    # The module begins with the reasons; test_misere.py has those of the misere game.
    explained = re.split("^EXPLORATION|^def explored|^def explain_misere", teaching, flags=re.M)[0]
    reasons = tmp_path / "reasons.py"
    reasons.write_text(explained, encoding="utf-8")
    texts = {text[0] if isinstance(text, tuple) else text for text in messages(reasons, "de")}
    assert texts and texts - seen == set()


class PlacementSolver(Retrograde[Any, Any]):
    """Retrograde analysis of Number Collision that writes placements as records do."""

    def move_value(self, move: Any) -> str:
        return f"{move.number}@{move.position}"


UNUSED = {
    "It ends the game in a tie.",
    "If you both play your best from here, the points end level.",
}
"""Texts of general solvers for ties, which none of these games has."""


def test_every_reason_of_a_general_solver_is_true(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[str] = set()
    lines = NumberCollision(3, 3), NumberCollision(4, 2), NumberCollision(3, 2, "forbidden")
    for few in (2, 60):  # with more moves, the texts do not count them
        monkeypatch.setattr(solvers.oracle, "FEW", few)
        for game in SETTINGS["number_snatch"]:
            check_everything(game, everywhere(game), seen, Margins(game))
        for game in (RangeWar(6), RangeWar(5, "free"), SummationDuel(6, 15), SummationDuel(7, 13)):
            check_everything(game, everywhere(game), seen, Retrograde(game))
        check_everything(
            RestrictedRemoval(10), everywhere(RestrictedRemoval(10)), seen, Nimbers(RestrictedRemoval(10))
        )
        for line in lines:
            check_everything(line, everywhere(line), seen, PlacementSolver(line))
    texts = {
        text[0] if isinstance(text, tuple) else text for text in messages(SOURCE / "solvers/oracle.py", "de")
    }
    assert texts - seen == UNUSED
