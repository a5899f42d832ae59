"""A game at the table: seats, files, what comes after it."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from numberduels.game import record, registry
from numberduels.game.contract import IllegalMove, Unreadable
from numberduels.play.game_setup import OWN_SIZES, GameSetup
from numberduels.play.live_game import LiveGame, continued, start_game
from numberduels.play.saved_games import saved_games, saved_matches, unfinished_games
from ours import OURS


def started(
    game: str = "range-war",
    rule_set: str = "book",
    opponent: str = "casual",
    first: str = "1",
    seed: str = "7",
) -> LiveGame:
    return start_game(GameSetup(registry.spec(game), rule_set, opponent, first), ("Ada", ""), seed)


def finish(game: LiveGame) -> None:
    """Play random moves to the end."""
    rng = Random(1)
    while not game.over:
        game.play(game.text.format_move(rng.choice(game.table.moves)))


def test_every_move_is_in_the_file_at_once() -> None:
    game = started()
    for move in ("6", "3"):
        game.play(move)
        assert record.read(Path(game.path).read_text()).moves[-1] == int(move)


def test_a_refused_move_changes_nothing() -> None:
    game = started()
    game.play("6")
    before = Path(game.path).read_text()
    for text, fault in (("7", IllegalMove), ("6", IllegalMove), ("", Unreadable), ("x" * 9_999, Unreadable)):
        with pytest.raises(fault):
            game.play(text)
    assert (game.table.ply, Path(game.path).read_text()) == (1, before)


def test_a_game_without_a_move_leaves_no_file() -> None:
    game = started()
    game.save()
    assert saved_games() == []
    game.play("6")
    assert game.undo() and saved_games() == []


def test_undo_takes_back_the_answer_of_the_computer_too() -> None:
    game = started()
    game.play("6")
    game.play("3")  # as the computer
    assert game.undo() and game.table.played == ()
    assert not game.undo()


def test_two_people_take_back_one_move_at_a_time() -> None:
    game = started(opponent="human")
    game.play("6")
    game.play("3")
    assert game.undo() and game.table.played == (6,)


def test_who_starts_is_by_lot_unless_chosen() -> None:
    assert {started(first="random", seed=str(seed)).person for seed in range(20)} == {0, 1}
    assert {started(first="2", seed=str(seed)).person for seed in range(20)} == {1}


def test_a_saved_game_goes_on_where_it_was() -> None:
    game = started()
    game.play("6")
    again = continued(unfinished_games()[0])
    assert (again.table.played, again.names, again.seats) == (game.table.played, game.names, game.seats)
    again.play("3")
    assert again.path == game.path and len(saved_games()) == 1


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
    again = continued(saved_matches()[0])
    assert again.table.played == game.table.played and again.match is not None
    finish(again)
    assert continued(saved_matches()[0]).title.endswith("game 2 of 2")


def test_the_match_goes_to_whoever_has_won_more() -> None:
    for opponent, result in (
        ("casual", "The computer wins the match by "),
        ("human", "The match goes to your friend by "),
    ):
        game = start_game(GameSetup(registry.spec("number-snatch"), "balanced", opponent, "1"), seed="7")
        game.resigned = 0
        assert game.match_result == ""
        following = game.next_game()
        assert following
        following.resigned = 1  # the seats are swapped
        assert following.match_result.startswith(result)


def test_of_two_people_the_one_to_move_resigns_and_otherwise_the_person() -> None:
    for opponent, played, resigned in (("human", 0, 0), ("human", 1, 1), ("casual", 0, 0), ("casual", 1, 0)):
        game = started(opponent=opponent)
        for move in ["6"][:played]:
            game.play(move)
        game.resign()
        assert (game.resigned, game.winner) == (resigned, 1 - resigned), (opponent, played)


@pytest.mark.parametrize("rule_set", ["book", "balanced"])
@pytest.mark.parametrize("name", OURS)
def test_a_rematch_is_the_same_game_with_the_seats_swapped(name: str, rule_set: str) -> None:
    game = started(name, rule_set)
    game.resign()
    again = game.rematch()
    assert (again.person, again.names[1], again.seats[0]) == (1, "Ada", "casual")
    assert (again.title, again.match is None) == (game.title, game.match is None)


def test_a_rematch_keeps_sizes_of_your_own() -> None:
    game = start_game(GameSetup(registry.spec("range-war"), OWN_SIZES, sizes={"size": "12"}))
    assert game.rematch().table.game == registry.spec("range-war").make({"size": "12"})


@pytest.mark.parametrize(
    ("opponent", "labels", "name"),
    [("casual", ("You", "The computer"), "the computer"), ("human", ("Player 1", "Player 2"), "")],
)
def test_a_person_without_a_name_is_named_on_the_screen_only(
    opponent: str, labels: tuple[str, str], name: str
) -> None:
    game = start_game(GameSetup(registry.spec("range-war"), "book", opponent, "1"))
    assert game.labels == labels and game.record().names == ("", name)
    game.resign()
    assert "" in game.rematch().names and name in game.rematch().names


@pytest.mark.parametrize("opponent", ["casual", "human"])
def test_a_match_without_names_and_its_rematch_can_be_kept(opponent: str) -> None:
    game = start_game(GameSetup(registry.spec("number-snatch"), "balanced", opponent, "1"), seed="7")
    game.resign()
    following = game.next_game()
    assert following
    following.resign()
    again = following.rematch()
    assert again.match and game.match and again.match.names == game.match.names
    again.resign()
    assert sorted(each.finished for each in saved_matches()) == [False, True]


def test_a_list_of_your_own_numbers_can_be_played() -> None:
    game = start_game(GameSetup(registry.spec("number-snatch"), OWN_SIZES, sizes={"numbers": "2,5,7,9"}))
    assert game.table.moves == (2, 5, 7, 9)


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
    game = started()
    game.play("6")
    path = Path(game.path)
    path.write_text(path.read_text().replace('[Seat2 "casual"]', f'[Seat2 "process:touch {tmp_path}/bad"]'))
    with pytest.raises(ValueError, match="built-in player"):
        continued(unfinished_games()[0])


def test_a_full_disk_is_said_once_and_the_game_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    from numberduels.play import storage

    monkeypatch.setattr(storage, "_reported", set())
    game = started()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert "No space left" in game.play("6")
    assert game.play("3") == "" and game.table.ply == 2


def test_moves_of_a_continued_game_that_are_taken_back_do_not_come_back() -> None:
    game = started()
    game.play("6")
    again = continued(saved_games()[0])
    assert again.undo() and again.table.ply == 0
    assert saved_games()[0].record.moves == ()
