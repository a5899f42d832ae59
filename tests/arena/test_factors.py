"""Differences between conditions, against figures computed by hand."""

from __future__ import annotations

from typing import Any

import pytest

from numberduels.arena.factors import FactorEffect, Opening, factor_effects, paired_difference
from numberduels.arena.results import GameResult, read_result


def game(
    player: str, round_: int, verdicts: str, won: bool = True, label: str = "range-war:size=5"
) -> GameResult:
    """A game that the player begins: its decisions are k (kept), l (lost) and n (no move)."""
    words = {"k": "kept", "l": "threw away a win", "n": "no move"}
    moves: list[dict[str, Any]] = [
        {"seat": 0, "move": None if each == "n" else "1", "seconds": 0.1, "verdict": words[each]}
        | {"before": "win", "after": "win" if each == "k" else "loss", "keeping": 1, "losing": 1}
        for each in verdicts
    ]
    line = {
        "game": "range-war",
        "key": f"{label} | {player} | perfect | {round_}",
        "round": round_,
        "seed": f"7 {label} {round_}",
        "players": [player, "perfect"],
        "result": "1-0" if won else "0-1",
        "moves": moves,
    }
    return read_result(1, line)


def effect(games: list[GameResult], factor: str, others: Any = None) -> FactorEffect:
    (found,) = [e for e in factor_effects(games) if e.factor == factor and e.others == others]
    return found


def test_two_openings_by_hand() -> None:
    """With the list 3 of 4 and 4 of 4 kept, without it 1 of 4 and 3 of 4: 7/8 and 4/8."""
    games = [
        game("chat:m [legal=yes]", 1, "kkkl"),
        game("chat:m [legal=yes]", 2, "kkkk"),
        game("chat:m [legal=no]", 1, "klln", won=False),
        game("chat:m [legal=no]", 2, "kkkl"),
    ]
    found = effect(games, "legal")
    assert (found.model, found.change) == ("chat:m", ("yes", "no"))
    accuracy = found.differences["accuracy"]
    assert accuracy.change == pytest.approx(4 / 8 - 7 / 8) and accuracy.openings == 2
    assert accuracy.interval == pytest.approx((1 / 4 - 3 / 4, 3 / 4 - 1))  # one opening twice
    assert found.differences["score"].change == pytest.approx(-1 / 2)
    assert found.differences["no_move"].change == pytest.approx(1 / 8)


def test_openings_that_only_one_variant_has_played_do_not_count() -> None:
    games = [
        game("chat:m [legal=yes]", 1, "kk"),
        game("chat:m [legal=yes]", 2, "ll"),
        game("chat:m [legal=no]", 1, "kl"),
    ]
    accuracy = effect(games, "legal").differences["accuracy"]
    assert (accuracy.change, accuracy.interval, accuracy.openings) == (-0.5, None, 1)


def test_each_game_has_the_same_weight() -> None:
    """In one game -1 over two openings, in another 0 over one: the mean is -1/2, not -2/3."""
    other = "summation-duel"
    games = [
        *(game("chat:m [legal=yes]", number, "k") for number in (1, 2)),
        *(game("chat:m [legal=no]", number, "l") for number in (1, 2)),
        game("chat:m [legal=yes]", 1, "k", label=other),
        game("chat:m [legal=no]", 1, "k", label=other),
    ]
    assert effect(games, "legal").differences["accuracy"].change == pytest.approx(-0.5)


def test_with_two_factors_each_is_told_over_the_other_and_under_each_of_its_values() -> None:
    rates = {("yes", "no"): "kkkk", ("no", "no"): "kkkl", ("yes", "yes"): "kkll", ("no", "yes"): "llll"}
    games = [
        game(f"chat:m [legal={legal}, disguise={disguise}]", 1, verdicts)
        for (legal, disguise), verdicts in rates.items()
    ]
    assert effect(games, "legal").differences["accuracy"].change == pytest.approx(3 / 8 - 6 / 8)
    plain = effect(games, "legal", (("disguise", "no"),)).differences["accuracy"]
    hidden = effect(games, "legal", (("disguise", "yes"),)).differences["accuracy"]
    assert (plain.change, hidden.change) == (-0.25, -0.5)
    assert effect(games, "disguise").differences["accuracy"].change == pytest.approx(2 / 8 - 7 / 8)


def test_pairing_narrows_the_interval() -> None:
    """Openings differ much, the variants differ by the same amount in each: the interval is a point."""
    openings = [Opening((hits, 10), (hits + 1, 10)) for hits in (0, 3, 6, 9)]
    found = paired_difference([openings], "seed")
    assert found.change == pytest.approx(0.1) and found.interval == pytest.approx((0.1, 0.1))


def test_the_order_of_the_games_does_not_matter() -> None:
    openings = [Opening((1, 3), (2, 3)), Opening((0, 3), (3, 3)), Opening((2, 3), (2, 3))]
    assert paired_difference([openings], "s") == paired_difference([openings[::-1]], "s")


def test_players_without_conditions_have_no_effects() -> None:
    assert factor_effects([game("chat:m", 1, "k"), game("perfect", 1, "k")]) == []
