"""Engine tasks return what the functions behind them return, as plain data."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from numberduels.analysis import puzzles
from numberduels.analysis.claims import claims_of
from numberduels.analysis.review import review_game
from numberduels.analysis.solution import find_hint, solve
from numberduels.engine import tasks
from numberduels.game import options, record, registry
from numberduels.game.contract import IllegalMove, Unreadable, has_fixed_start
from numberduels.game.options import format_value
from numberduels.game.table import Table
from numberduels.play.setup import is_offered
from numberduels.players import KINDS, LEVELS, make_player
from tables import table

FIVE = ["range-war", "number-snatch", "restricted-removal", "summation-duel", "number-collision"]


@pytest.fixture(autouse=True)
def nothing_is_kept() -> Iterator[None]:
    forget()
    yield
    forget()


def forget() -> None:
    for each in (tasks._prepared, tasks._oracle, tasks._puzzle):
        each.cache_clear()


def played(name: str, plies: int = 3, **texts: str) -> tuple[Table[Any, Any], dict[str, str], list[str]]:
    """A game with some moves made at random, and how it is told to a task."""
    rng = Random(f"{name} {texts}")
    game = registry.spec(name).make(texts)
    start = game.start(rng)
    if not has_fixed_start(game):
        game = game.with_start(start)
    table: Table[Any, Any] = Table(game, start)
    while table.ply < plies and len(table.moves) > 1:
        table.play(rng.choice(table.moves))
        if table.outcome:
            table.undo()
            break
    notation = registry.spec(name).text_for(game).format_move
    return table, options.format_options(game), [notation(move) for move in table.played]


def chosen(game: str, texts: dict[str, str], moves: list[str]) -> dict[str, str]:
    return tasks.choose(game, texts, moves, "random", "")


# Players


@table("name", FIVE)
@table("player", LEVELS)
def test_the_move_is_that_of_the_player(name: str, player: str) -> None:
    table, texts, moves = played(name)
    chooser = make_player(player)
    chooser.prepare(table.game, table.start)
    move = chooser.choose(table.game, table.state, Random(f"7 {' '.join(moves)}"))
    told = tasks.choose(name, texts, moves, player, "7")
    assert told == {"move": registry.spec(name).text_for(table.game).format_move(move), "by": player}
    assert tasks.choose(name, texts, moves, player, "7") == told  # with what is kept, too


def test_visitors_may_choose_every_computer_player_but_the_one_that_takes_any_time() -> None:
    assert set(LEVELS) == set(KINDS) - {"mcts"}


@table("player", ["mcts", "mcts:10", "human", "", "process:true", "os:getpid", "chat:x"])
def test_no_other_player_is_offered(player: str) -> None:
    with pytest.raises(ValueError, match="there is no player"):
        tasks.choose("range-war", {}, [], player, "")
    with pytest.raises(ValueError, match="there is no player"):
        tasks.check_player("range-war", {}, player)


def test_every_level_is_able_to_play_what_the_form_offers() -> None:
    """So nobody asks whether it is, before such a game begins."""
    for spec in map(registry.spec, FIVE):
        for rules in spec.rule_sets:
            texts = {name: format_value(value) for name, value in rules.options.items()}
            assert is_offered(spec.make(texts))
            for level in ("expert", "perfect"):  # weaker ones play by the solution of the expert, or by none
                tasks.check_player(spec.name, texts, level)


def test_a_player_that_cannot_play_says_why() -> None:
    texts = {"size": "100", "target": "1000"}
    with pytest.raises(ValueError, match=r"perfect cannot finish this game: .* up to size"):
        tasks.check_player("summation-duel", texts, "perfect")
    with pytest.raises(ValueError, match="perfect cannot finish this game"):
        tasks.choose("summation-duel", texts, ["1"], "perfect", "")


def test_the_seed_that_tries_a_level_lets_every_level_see() -> None:
    from numberduels.players.ladder import SLIPS, slip_of

    slips = [slip_of(level, spec.rules()) for spec in registry.specs() for level in SLIPS]
    assert Random(tasks.NO_MISTAKE_SEED).random() >= max(slips)


# Advice


@table("name", FIVE)
def test_a_hint_is_that_of_the_table(name: str) -> None:
    table, texts, moves = played(name)
    move, why = find_hint(table.game, table.state, Random(" ".join(moves)))
    notation = registry.spec(name).text_for(table.game).format_move
    assert tasks.hint(name, texts, moves) == {"move": notation(move), "why": why}


@table("name", FIVE)
def test_values_are_those_of_the_solution(name: str) -> None:
    table, texts, moves = played(name)
    report = solve(table.game, table.state).report()
    told = tasks.values(name, texts, moves)
    assert told["value"] == report["value"]
    assert [{"move": move} | worth for move, worth in told["moves"].items()] == report["moves"]
    assert json.loads(json.dumps(told)) == told


def test_a_full_memory_is_emptied_and_not_a_reason_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    from numberduels.solvers import Retrograde, TooLarge

    monkeypatch.setattr(tasks, "make_oracle", lambda game: Retrograde(game, 40))
    answered = 0
    texts = {"size": "8", "target": "12"}
    for first in range(1, 9):
        for second in (number for number in range(1, 9) if number != first and first + number < 12):
            moves = [str(first), str(second)]
            table, _ = tasks._table("summation-duel", texts, moves)
            try:
                Retrograde(table.game, 40).evaluate_moves(table.state)
            except TooLarge:
                with pytest.raises(ValueError, match="more than 40 positions"):
                    tasks.values("summation-duel", texts, moves)
            else:
                assert tasks.values("summation-duel", texts, moves)["moves"]
                answered += 1
    assert answered > 5


def test_a_position_at_the_end_has_a_value_and_no_moves() -> None:
    told = tasks.values("range-war", {"size": "3"}, ["1"])
    assert (told["value"], told["moves"]) == ("loss", {})
    for task in (tasks.hint, chosen):
        with pytest.raises(ValueError, match="the game is over"):
            task("range-war", {"size": "3"}, ["1"])


# What cannot be read

BAD: dict[str, tuple[str, dict[str, str], list[str], str]] = {
    "no such game": ("chess", {}, [], "there is no game called 'chess'"),
    "no such option": ("range-war", {"colour": "red"}, [], "there is no option 'colour'"),
    "no such size": ("range-war", {"size": "0"}, [], "size must be a whole number"),
    "no number": ("range-war", {"size": "many"}, [], "size must be a whole number"),
    "no deal": ("number-snatch", {}, [], "the deal is missing"),
    "unreadable": ("range-war", {}, ["6", "up"], "move 2: "),
    "illegal": ("range-war", {}, ["6", "7"], "move 2: Number 7 is not lower than 6$"),
    "after the end": ("range-war", {}, ["1", "2"], "move 2: The game is over before it$"),
}


@table("game, texts, moves, says", BAD.values())
def test_what_cannot_be_read_is_refused(
    game: str, texts: dict[str, str], moves: list[str], says: str
) -> None:
    for task in (tasks.hint, tasks.values, chosen):
        with pytest.raises(ValueError, match=says):
            task(game, texts, moves)


# Reviews

BOOK = '[Game "range-war"]\n[Player1 "Ada"]\n\n1. 6 4 2. 9 5 3. 7 3 4. 8 2 5. 10 1 0-1\n'
SNATCH = '[Game "number-snatch"]\n[Numbers "2,5,15"]\n\n1. 5 15 2. 2 0-1\n'


@table("text", [BOOK, SNATCH])
def test_a_review_is_the_report(text: str) -> None:
    read = record.read(text)
    told = tasks.review(text)
    assert told == review_game(read).report()
    json.dumps(told)


def test_what_is_no_record_is_refused() -> None:
    with pytest.raises(ValueError, match="line 3, move 2"):
        tasks.review('[Game "range-war"]\n\n1. 6 7 *')


# Puzzles


@table("name", FIVE)
@table("level", [1, 2])
def test_a_puzzle_has_all_that_a_page_needs_and_not_the_solution(name: str, level: int) -> None:
    told = tasks.puzzle(name, level, "w")
    each = puzzles.find_puzzle(name, level, "w")
    for moves, at in zip(told["positions"], each.tables, strict=True):
        shown, _ = tasks._table(told["game"], told["options"], moves)
        assert (shown.game, shown.state) == (each.game, at.state)
    assert told["answers"] == list(each.answers) and told["task"] == each.task
    assert (told["level"], told["depth"], told["seed"]) == (level, each.depth, "w")
    assert told["to_move"] == [table.turn + 1 for table in each.tables]
    assert (told["kind"], told["asks_for"], told["hints"]) == (each.kind, each.asks_for, list(each.hints))
    assert not {"solution", "answer"} & set(told)
    assert json.loads(json.dumps(told)) == told


@table("name", FIVE)
def test_every_answer_to_a_puzzle_is_judged(name: str) -> None:
    each = puzzles.find_puzzle(name, 1, "w")
    for answer in each.answers:
        told = tasks.check_solution(name, 1, "w", answer)
        assert told["right"] == (answer == each.answer)
        assert told["solution"] == each.answer and told["answer"] == each.solution_lines()
        assert told["refutation"] == ([] if told["right"] else each.refutation_lines(answer))


@table("answer", ["", "up", "1000", "0"])
def test_what_is_no_answer_solves_nothing(answer: str) -> None:
    with pytest.raises((IllegalMove, Unreadable)):
        tasks.check_solution("range-war", 2, "1", answer)


def test_a_puzzle_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match="level must be a whole number from 1 to 5"):
        tasks.puzzle("range-war", 6, "")
    with pytest.raises(ValueError, match="there is no game"):
        tasks.puzzle("chess", 1, "")


# Claims


def test_claims_come_with_what_was_found() -> None:
    told = tasks.claims("range-war")
    book = claims_of(registry.spec("range-war"))
    assert [(each["number"], each["says"]) for each in told] == [(each.number, each.text) for each in book]
    found = book[0].check()
    assert (told[0]["verdict"], told[0]["finding"]) == (found.verdict, found.evidence)
    for each in told:
        assert each["verdict"] in ("true", "false", "partly", "open") and each["finding"]
        assert each["record"] is None or record.read(each["record"])
    json.dumps(told)
