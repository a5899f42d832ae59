"""A game being played: who may do what, when it is over, its file, and what comes after it."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from game_records import record_of
from numberduels import make
from numberduels.game import registry
from numberduels.game.contract import IllegalMove, Unreadable
from numberduels.game.table import Table, replay
from numberduels.games.range_war.rules import RangeWar
from numberduels.play.live_game import LiveGame, accepts_draw
from numberduels.play.saved_games import saved_games, saved_matches, unfinished
from numberduels.play.series import Series
from numberduels.play.setup import OWN_SIZES, Setup, continue_saved, next_of_match, play_on, start_game
from numberduels.solvers import DRAW, make_oracle
from ours import OURS


def started(
    game: str = "range-war",
    rule_set: str = "book",
    opponent: str = "casual",
    first: str = "1",
    seed: str = "7",
) -> LiveGame:
    return start_game(Setup(registry.spec(game), rule_set, opponent, first), ("Ada", ""), seed)


def finish(game: LiveGame) -> None:
    """Play random moves to the end."""
    rng = Random(1)
    while not game.over:
        game.play(game.text.format_move(rng.choice(game.table.moves)))
    assert game.save() == ""


def played(*moves: str, **setup: str) -> LiveGame:
    """A game with these moves, saved."""
    game = started(**setup)
    for move in moves:
        game.play(move)
    assert game.save() == ""
    return game


def test_a_refused_move_changes_nothing() -> None:
    game = played("6")
    before = Path(game.path).read_text()
    for text, fault in (("7", IllegalMove), ("6", IllegalMove), ("", Unreadable), ("x" * 9_999, Unreadable)):
        with pytest.raises(fault):
            game.play(text)
    assert game.save() == "" and (game.table.ply, Path(game.path).read_text()) == (1, before)


def test_a_game_without_a_move_leaves_no_file() -> None:
    game = started()
    game.resign()
    assert game.save() == "" and saved_games() == []
    game = played("6")
    assert len(saved_games()) == 1
    assert game.undo() and game.save() == "" and saved_games() == []


def test_undo_takes_back_the_answer_of_the_computer_too() -> None:
    game = started()
    game.play("6")
    game.play("3")  # as the computer
    assert game.undo() and game.table.played == ()
    assert not game.undo()
    friends = played("6", "3", opponent="human")  # one move at a time, and the end of the game
    friends.resign()
    assert friends.over and friends.undo() == [3] and not friends.over


def test_who_starts_is_by_lot_unless_chosen() -> None:
    assert {started(first="random", seed=str(seed)).person for seed in range(20)} == {0, 1}
    assert {started(first="2", seed=str(seed)).person for seed in range(20)} == {1}


def test_a_saved_game_goes_on_where_it_was() -> None:
    game = played("6")
    again = continue_saved(unfinished()[0])
    assert (again.table.played, again.names, again.seats) == (game.table.played, game.names, game.seats)
    again.play("3")
    assert again.save() == "" and again.path == game.path and len(saved_games()) == 1


def test_a_match_of_two_games_swaps_the_seats_and_adds_the_points() -> None:
    game = started("number-snatch", "balanced")
    deal = game.table.start
    finish(game)
    first = game.scores
    following = game.next_game()
    assert first and following and following.table.start == deal
    assert (following.person, game.person) == (1, 0)
    assert following.names == game.names[::-1]
    finish(following)
    second = following.scores
    assert second and following.next_game() is None
    margin = first[0] - first[1] + second[1] - second[0]
    expected = "level" if not margin else f"by {abs(margin)} points"
    assert expected in following.match_result
    assert [each.finished for each in saved_matches()] == [True]


def test_an_interrupted_match_goes_on_with_the_same_game() -> None:
    game = started("number-snatch", "balanced")
    game.play(game.text.format_move(game.table.moves[0]))
    game.save()
    again = continue_saved(saved_matches()[0])
    assert again.table.played == game.table.played and again.match is not None
    finish(again)
    assert continue_saved(saved_matches()[0]).title.endswith("game 2 of 2")


def test_the_match_goes_to_whoever_has_won_more() -> None:
    for opponent, result in (
        ("casual", "The computer wins the match by "),
        ("human", "The match goes to your friend by "),
    ):
        game = start_game(Setup(registry.spec("number-snatch"), "balanced", opponent, "1"), seed="7")
        game.resigned = 0
        assert game.match_result == ""
        following = game.next_game()
        assert following
        following.resigned = 1  # the seats are swapped
        assert following.match_result.startswith(result)


@pytest.mark.parametrize("rule_set", ["book", "balanced"])
@pytest.mark.parametrize("name", OURS)
def test_a_rematch_is_the_same_game_with_the_seats_swapped(name: str, rule_set: str) -> None:
    game = started(name, rule_set)
    game.resign()
    again = game.rematch()
    assert (again.person, again.names[1], again.seats[0]) == (1, "Ada", "casual")
    assert (again.title, again.match is None) == (game.title, game.match is None)


def test_a_rematch_keeps_sizes_of_your_own() -> None:
    game = start_game(Setup(registry.spec("range-war"), OWN_SIZES, sizes={"size": "12"}))
    assert game.rematch().table.game == registry.spec("range-war").make({"size": "12"})
    game = start_game(Setup(registry.spec("number-snatch"), OWN_SIZES, sizes={"numbers": "2,5,7,9"}))
    assert game.table.moves == (2, 5, 7, 9)


@pytest.mark.parametrize(
    ("opponent", "labels", "name"),
    [("casual", ("You", "The computer"), "the computer"), ("human", ("Player 1", "Player 2"), "")],
)
def test_a_person_without_a_name_is_named_on_the_screen_only(
    opponent: str, labels: tuple[str, str], name: str
) -> None:
    game = start_game(Setup(registry.spec("range-war"), "book", opponent, "1"))
    assert game.labels == labels and game.record().names == ("", name)
    game.resign()
    assert "" in game.rematch().names and name in game.rematch().names


@pytest.mark.parametrize("opponent", ["casual", "human"])
def test_a_match_without_names_and_its_rematch_can_be_kept(opponent: str) -> None:
    game = start_game(Setup(registry.spec("number-snatch"), "balanced", opponent, "1"), seed="7")
    game.resign()
    game.save()
    following = game.next_game()
    assert following
    following.resign()
    following.save()
    again = following.rematch()
    assert again.match and game.match and again.match.names == game.match.names
    again.resign()
    again.save()
    assert sorted(each.finished for each in saved_matches()) == [False, True]


def test_after_a_win_comes_a_stronger_computer_and_after_a_loss_a_weaker_one() -> None:
    game = started()
    game.play("1")  # nothing is lower: won
    assert game.winner == game.person and game.next_opponent == "skilled"
    lost = started()
    lost.resign()
    assert lost.next_opponent == "beginner"
    beaten = started(opponent="perfect")
    beaten.play("1")
    assert beaten.next_opponent == ""


def test_moves_are_described_with_what_they_did() -> None:
    game = started("restricted-removal")
    game.play("6")
    assert game.described_moves()[0][1:] == ("6", "locks 2 and 3")
    game.undo()
    game.play("5")
    assert game.described_moves()[0][1:] == ("5", "locks 10")


def test_a_file_never_seats_a_program(tmp_path: Path) -> None:
    path = Path(played("6").path)
    path.write_text(path.read_text().replace('[Seat2 "casual"]', f'[Seat2 "process:touch {tmp_path}/bad"]'))
    with pytest.raises(ValueError, match="built-in player"):
        continue_saved(unfinished()[0])


def test_a_full_disk_is_said_once_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    game = started()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    game.play("6")
    assert "No space left" in game.save() and game.save_failed
    game.play("3")
    assert game.save() == "" and game.unsaved == "No space left on device"
    monkeypatch.undo()
    assert game.save() == "" and not game.save_failed


def test_moves_of_a_continued_game_that_are_taken_back_do_not_come_back() -> None:
    played("6")
    again = continue_saved(saved_games()[0])
    assert again.undo() and again.table.ply == 0 and again.save() == ""
    assert saved_games()[0].record.moves == ()


def test_a_draw_may_be_offered_only_in_a_game_that_need_not_end() -> None:
    assert not started("range-war").can_draw
    game = started("number-collision")
    assert game.can_draw and not game.over
    game.agree_draw()
    assert game.over and game.winner is None and not game.can_draw
    assert game.record().result == "1/2-1/2"


def test_after_the_choice_of_seats_the_first_move_stays() -> None:
    game = played("6", opponent="human")
    game.choose_seats(swap=True)
    assert (game.names, game.record().swapped) == (("", "Ada"), True)
    assert game.undo() == [] and game.table.played == (6,)
    game.play("5")
    assert game.undo() == [5]


def test_computers_stop_at_the_ply_limit_and_people_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    from numberduels.game import table as tables

    monkeypatch.setattr(tables, "PLY_LIMIT", 1)
    game = started("number-collision", opponent="random")
    game.play(game.text.format_move(game.table.moves[0]))
    assert not game.over
    game.seats = ("random", "random")
    assert game.over and game.winner is None


def test_only_a_friendly_match_allows_advice() -> None:
    spec = registry.spec("range-war")
    assert started().friendly
    for friendly in (True, False):
        match = Series(spec, spec.make(), ("Ann", "Bob"), rounds=1, friendly=friendly)
        assert next_of_match(match).friendly == friendly


def test_play_on_takes_the_seat_of_the_person_or_the_one_to_move() -> None:
    game = record_of(RangeWar(), (6, 5), seats=("casual", "human"))
    live = play_on(game, 2, name="Ada", opponent="perfect")
    assert (live.seats, live.names, live.table.ply) == (("casual", "human"), ("the computer", "Ada"), 2)
    friends = play_on(record_of(RangeWar(), (6,)), 1, name="", opponent="human")
    assert friends.seats == ("casual", "human")
    with pytest.raises(ValueError, match="is over here"):
        play_on(record_of(RangeWar(), (1,)), 1, name="", opponent="casual")


def test_a_computer_takes_a_draw_unless_it_can_win() -> None:
    game = make("number-collision", size=3)
    state = game.start(Random(0))
    value = make_oracle(game).evaluate(state).value
    assert accepts_draw(replay(game)) == (value >= DRAW)


def test_where_nobody_can_compute_it_a_computer_takes_a_draw_at_the_third_repetition(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = replay(make("restricted-removal", size=60))
    for times, accepts in ((2, False), (3, True)):
        monkeypatch.setattr(Table, "times_reached", times)
        assert accepts_draw(table, most_positions=1) == accepts
