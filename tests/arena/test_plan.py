"""What a run is to play."""

from __future__ import annotations

from collections import Counter

from numberduels.arena.plan import Plan

GAMES = ("range-war:size=10:opening=lower", "summation-duel:size=4:target=6")


def test_everybody_meets_everybody_in_both_seats_of_every_game_and_round() -> None:
    fixtures = list(Plan(("a", "b", "c"), GAMES, rounds=2).schedule())
    met = Counter((scheduled.game, scheduled.players) for scheduled in fixtures)
    orders = [("a", "b"), ("b", "a"), ("a", "c"), ("c", "a"), ("b", "c"), ("c", "b")]
    assert met == {(game, order): 2 for game in GAMES for order in orders}
    assert len({scheduled.key for scheduled in fixtures}) == len(fixtures) == 24


def test_both_seats_and_all_pairs_get_the_same_deal_and_each_round_another() -> None:
    fixtures = list(Plan(("a", "b", "c"), GAMES, rounds=2, seed="9").schedule())
    seeds = {(scheduled.game, scheduled.round): scheduled.seed for scheduled in fixtures}
    assert all(scheduled.seed == seeds[scheduled.game, scheduled.round] for scheduled in fixtures)
    assert len(set(seeds.values())) == 4
    assert not set(seeds.values()) & {each.seed for each in Plan(("a", "b"), GAMES, seed="8").schedule()}


def test_newcomers_meet_fixed_opponents_and_not_each_other() -> None:
    plan = Plan(("new", "newer"), GAMES[:1], rounds=1, against=("random", "perfect", "new"))
    assert {frozenset(scheduled.players) for scheduled in plan.schedule()} == {
        frozenset(pair)
        for pair in [
            ("new", "random"),
            ("new", "perfect"),
            ("newer", "random"),
            ("newer", "perfect"),
            ("newer", "new"),
        ]
    }


def test_with_positions_each_player_decides_alone_in_the_same_ones() -> None:
    fixtures = list(Plan(("a", "b"), GAMES, positions=3).schedule())
    assert len(fixtures) == 2 * 2 * 3 and all(len(scheduled.players) == 1 for scheduled in fixtures)
    assert {each.seed for each in fixtures if each.players == ("a",)} == {
        each.seed for each in fixtures if each.players == ("b",)
    }
