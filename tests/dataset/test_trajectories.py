"""Games as conversations: they replay, they are read back as the arena reads answers, rewards are exact."""

from __future__ import annotations

from typing import Any

from numberduels.game.registry import read_game, spec
from numberduels.game.table import Table, replay
from numberduels.harness.dataset.trajectories import COLUMNS, TrajectoryPlan, play_trajectories
from numberduels.players import make_player
from numberduels.players.conversation import Conversation
from numberduels.players.external import ExternalSettings
from numberduels.solvers import Retrograde
from ours import OURS
from tables import table


def played(
    text: str, player: str, count: int = 2, form: str = "messages", **more: Any
) -> list[dict[str, Any]]:
    plan = TrajectoryPlan((make_player(player), make_player(more.pop("opponent", player))), **more)
    return list(play_trajectories(*read_game(text), count, "7", plan, form))


def replayed(rows: list[dict[str, Any]], settings: ExternalSettings) -> Table[Any, Any]:
    """The game that two conversations tell, each answer read as the arena reads a model's."""
    game = read_game(rows[0]["rules"])[1]
    parse = spec(rows[0]["game"]).text_for(game).parse_move
    table = replay(game, map(parse, rows[0]["opening"]))
    answers = {
        row["seat"] - 1: [each["content"] for each in row["messages"] if each["role"] == "assistant"]
        for row in rows
    }
    conversation = Conversation(game, settings)
    while answers.get(table.turn):
        move, fault = conversation.answer(table.state, answers[table.turn].pop(0))[:2]
        assert not fault
        table.play(move)
    assert not any(answers.values())
    return table


@table("text", OURS)
@table("disguise", [False, True])
def test_the_two_conversations_of_a_game_tell_the_whole_game(text: str, disguise: bool) -> None:
    settings = ExternalSettings(disguise=disguise)
    rows = played(text, "skilled", settings=settings, explain=True)
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        assert first["rules"] == second["rules"] and (first["seat"], second["seat"]) == (1, 2)
        table = replayed([first, second], settings)
        if table.outcome is None:
            assert first["outcome"] == second["outcome"] == "unfinished"
        else:
            assert table.outcome.winner is not None
            assert (first, second)[table.outcome.winner]["outcome"] == "win"
            assert (first, second)[1 - table.outcome.winner]["outcome"] == "loss"


def test_prompt_and_completion_have_one_decision_each() -> None:
    rows, games = played("range-war", "skilled", form="prompt-completion"), played("range-war", "skilled")
    assert len(rows) == sum(len(row["moves"]) for row in games)
    for row in rows:
        assert [each["role"] for each in row["prompt"]] == ["system", "user"]
        assert row["completion"] == [{"role": "assistant", "content": f"MOVE: {row['move']}"}]
        assert row.keys() == COLUMNS["prompt-completion"].keys()
    assert len({row["id"] for row in rows}) == len(rows)


def test_rewards_are_the_difference_of_the_values_that_the_general_solver_finds() -> None:
    for row in played("summation-duel:size=6:target=12", "random", 4):
        game = read_game(row["rules"])[1]
        solver: Any = Retrograde(game)
        names = {"win": 1, "loss": -1}
        for move in row["moves"]:
            assert move["reward"] == (names[move["after"]] - names[move["before"]]) / 2
        first = row["moves"][0]
        if row["seat"] == 1:
            state = replay(game, map(int, row["opening"])).state
            assert names[first["before"]] == solver.value(state)
            assert names[first["after"]] == solver.evaluate_move(state, int(first["move"])).value
            assert (first["move"] in first["best"]) == (first["reward"] == 0)


def test_points_given_away_are_told_and_scaled_in_the_disguise() -> None:
    plain = played("number-snatch:size=6:top=12", "random", 3)
    hidden = played("number-snatch:size=6:top=12", "random", 3, settings=ExternalSettings(disguise=True))
    given = [move["points_given"] for row in plain for move in row["moves"]]
    assert any(given)
    assert [7 * points for points in given] == [m["points_given"] for row in hidden for m in row["moves"]]


def test_two_players_change_seats_from_game_to_game() -> None:
    rows = played("range-war", "perfect", 2, opponent="random")
    assert [(row["seat"], row["player"], row["opponent"]) for row in rows] == [
        (1, "perfect", "random"),
        (2, "random", "perfect"),
        (1, "random", "perfect"),
        (2, "perfect", "random"),
    ]


def test_only_best_moves_are_explained() -> None:
    for row in played("range-war", "random", 4, explain=True):
        answers = [each["content"] for each in row["messages"] if each["role"] == "assistant"]
        for answer, move in zip(answers, row["moves"], strict=True):
            assert (answer == f"MOVE: {move['move']}") == (move["reward"] < 0)
            assert answer.endswith(f"MOVE: {move['move']}")


def test_a_game_that_need_not_end_is_left_unfinished() -> None:
    rows = played("number-collision", "perfect", 1)
    assert {row["outcome"] for row in rows} == {"unfinished"}
    assert sum(len(row["moves"]) for row in rows) == 58  # 60 plies, of which two were drawn
