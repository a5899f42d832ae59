"""What every interface promises: PettingZoo, Gymnasium and its vectors, batches, OpenSpiel."""

from __future__ import annotations

import pickle
from copy import deepcopy
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from numberduels.envs import openspiel
from numberduels.game.contract import IllegalMove
from tables import table

from .contract import (
    INTERFACES,
    Batch,
    Interface,
    OpenSpiel,
    Vector,
    course,
    follow,
    plain,
    walk,
)
from .variants import BOOK, LARGE, SAMPLE, SMALL, Variant, install, untouched


def interfaces(*but: type[Interface]) -> pytest.MarkDecorator:
    """A test for each interface but these."""
    kinds = [kind for kind in INTERFACES if kind not in but]
    return pytest.mark.parametrize("kind", kinds, ids=lambda kind: kind.__name__)


every_interface = interfaces()

OUTSIDE = [
    Variant("counters", {"size": 5}),
    Variant("cards", {}),
    Variant("cards", {"size": 3, "top": 3}),  # which can end in a tie
    Variant("cards", {"hand": (1, 2, 4)}),
]


def make(kind: type[Interface], variant: Variant, **more: Any) -> Interface:
    """The interface, without a limit where OpenSpiel's games take none."""
    if kind is OpenSpiel and hasattr(variant.game, "max_plies"):
        more.pop("limit", None)
    return kind(variant, **more)


# The rules beside it


@every_interface
@table("variant, steps", [*((each, 25) for each in SMALL + BOOK), *((each, 12) for each in LARGE)])
def test_games_go_as_the_rules_say(kind: type[Interface], variant: Variant, steps: int) -> None:
    limit = 30 if variant.name == "number-collision" else None
    steps = steps if kind.rows == 1 else steps // 2
    ends = follow(make(kind, variant, limit=limit), variant.game, limit, 1, steps)
    assert ends or variant not in SMALL
    assert variant.name == "number-collision" or not ends["truncated"]


@every_interface
@table("limit", [1, 2, 5])
@table("variant", SAMPLE)
def test_the_limit_of_moves_truncates_what_has_not_ended(
    kind: type[Interface], variant: Variant, limit: int
) -> None:
    if kind is OpenSpiel and hasattr(variant.game, "max_plies"):
        return
    for seat in ("first", "second") if kind.replies else ("",):
        more = {"seat": seat} if seat else {}
        assert follow(kind(variant, limit=limit, **more), variant.game, limit, 2, 12), seat


@every_interface
def test_games_of_other_packages_go_as_their_rules_say(
    kind: type[Interface], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch)
    openspiel.register_all()
    for variant in OUTSIDE:
        more = {"seat": "first"} if kind.replies else {}  # so that the deal is shown
        ends = follow(make(kind, variant, limit=9, **more), variant.game, 9, 3, 40)
        assert ends["terminated"] and not ends["truncated"], variant


# Chance


@every_interface
@table("variant", SAMPLE)
def test_the_same_seed_gives_the_same_games_whatever_goes_on_beside_them(
    kind: type[Interface], variant: Variant
) -> None:
    def games(seed: int) -> Any:
        more: Any = {"opponent": "random", "seat": "random"} if kind.replies else {}
        return course(make(kind, variant, limit=9, **more), (seed, None, None))

    with untouched():
        alone = list(games(1)), list(games(2))
        beside = list(zip_longest(games(1), games(2)))
    assert [list(each) for each in zip(*beside, strict=True)] == [list(each) for each in alone]


@interfaces(OpenSpiel)
def test_other_seeds_deal_other_games_and_without_a_seed_each_environment_has_its_own(
    kind: type[Interface],
) -> None:
    deals = []
    for seed in (1, 2, 3, None, None, None):
        face = kind(Variant("number-snatch", {}))
        face.reset(seed)
        deals.append(str(plain(face.shown())))
    assert len(set(deals)) == len(deals)


# Copies, and what is handed out


def by_pickle(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


@every_interface
@table("copy", [deepcopy, by_pickle])
@table("variant", SAMPLE)
def test_a_copy_goes_on_alike_and_by_itself(kind: type[Interface], variant: Variant, copy: Any) -> None:
    more: Any = {"opponent": "random"} if kind.replies else {}
    face = make(kind, variant, limit=9, **more)
    list(course(face, [6], 1))
    twin = copy(face)
    before = plain(twin.shown())
    one = list(walk(face, Random(1)))
    assert plain(twin.shown()) == before
    assert list(walk(twin, Random(1))) == one


@every_interface
@table("variant", SAMPLE)
def test_what_is_handed_out_is_the_callers_to_keep_and_to_change(
    kind: type[Interface], variant: Variant
) -> None:
    troubled, smooth = (make(kind, variant, limit=9) for _ in range(2))
    kept = []
    for face in (troubled, smooth):
        face.reset(8)
    for _ in range(8):
        handed, right = troubled.shown(), smooth.shown()
        assert plain(handed) == plain(right)
        kept.append((right, plain(right)))
        actions = np.array([int(np.argmax(each.mask)) for each in right])
        for each in handed:
            if isinstance(each.mask, np.ndarray):
                each.observation[:], each.mask[:] = 1, 1
        given = actions.copy()
        results = troubled.step(given), smooth.step(actions)
        assert results[0] == results[1] and given.tolist() == actions.tolist()
        over = [row for row, each in enumerate(results[0]) if each.terminated or each.truncated]
        if over:
            troubled.restart(over)
            smooth.restart(over)
    assert all(plain(right) == then for right, then in kept)


# What is refused


@every_interface
@table("variant", SAMPLE)
def test_an_illegal_action_is_refused_in_the_words_of_the_rules_and_changes_nothing(
    kind: type[Interface], variant: Variant
) -> None:
    face, game, policy = make(kind, variant, limit=9), variant.game, Random(2)
    face.reset(2)
    refused = 0
    for _ in range(6):
        shown = face.shown()
        before = plain(shown)
        right = [
            policy.choice([action for action, flag in enumerate(each.mask) if flag] or [0]) for each in shown
        ]
        for row, each in enumerate(shown):
            wrong = [action for action, flag in enumerate(each.mask) if not flag]
            if not wrong or len(wrong) == len(each.mask):  # all are legal, or the game is over
                continue
            actions = [*right[:row], policy.choice(wrong), *right[row + 1 :]]
            with pytest.raises(IllegalMove) as rule:
                game.play(each.state, game.all_moves()[actions[row]])
            with pytest.raises(IllegalMove) as refusal:
                face.step(actions)
            assert str(refusal.value) == kind.refuses.format(row) + str(rule.value)
            assert plain(face.shown()) == before
            refused += 1
        results = face.step(right)
        if over := [row for row, each in enumerate(results) if each.terminated or each.truncated]:
            face.restart(over)
    assert refused


@every_interface
def test_what_is_no_action_is_refused_and_changes_nothing(kind: type[Interface]) -> None:
    face = kind(Variant("summation-duel", {}))
    face.reset(1)
    before = plain(face.shown())
    for number in (-2, 10, 2**40):
        with pytest.raises(ValueError, match=r"numbers from 0 to 9"):
            face.step([0] * (kind.rows - 1) + [number])
    for junk in (3.0, "3", None, np.float32(3), [3], True) if kind is not OpenSpiel else ("3", None, [3]):
        with pytest.raises((TypeError, ValueError)):
            face.step([junk] * kind.rows)
    assert plain(face.shown()) == before
    face.step([3] * kind.rows)


@interfaces(OpenSpiel)
def test_a_step_before_the_first_reset_is_refused(kind: type[Interface]) -> None:
    for face in (kind(Variant("range-war", {})), deepcopy(kind(Variant("range-war", {})))):
        with pytest.raises(Exception, match=r"reset the (environment|batch) first") as fault:
            face.step([0] * face.rows)
        assert type(fault.value).__name__ == ("RuntimeError" if kind is Batch else "ResetNeeded")
        face.reset(1)
        face.step([0] * face.rows)


@every_interface
@table(
    "name, choice, said",
    [
        ("range-war", {"size": 0}, "size must be a whole number from 1 to 10000, not 0"),
        ("number-collision", {"limit": 0}, "limit must be a whole number from 1 "),
        ("number-snatch", {"size": 21}, "cannot be dealt"),
    ],
)
def test_what_cannot_be_is_refused_by_a_sentence(
    kind: type[Interface], name: str, choice: dict[str, Any], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        kind(Variant(name, choice))


@interfaces(OpenSpiel, Batch, Vector)
def test_an_unknown_way_to_render_is_refused_and_without_one_nothing_is_rendered(
    kind: type[Interface],
) -> None:
    for mode in ("", "ANSI", 3):
        with pytest.raises(ValueError, match=r"render_mode must be ansi or rgb_array, not "):
            kind(Variant("range-war", {}), render_mode=mode)
    face = kind(Variant("range-war", {}))
    face.reset(1)
    assert face.env.render() is None
    face.env.close()
    face.env.close()
