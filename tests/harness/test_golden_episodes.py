"""The golden episodes that every adapter replays: they are those of the core, and right by hand."""

from __future__ import annotations

import json
from typing import Any

from tools import golden_episode

EPISODES: list[dict[str, Any]] = json.loads(golden_episode.PATH.read_text(encoding="utf-8"))


def test_the_file_is_what_the_core_plays() -> None:
    assert golden_episode.golden_episodes() == EPISODES


def test_the_first_episode_is_right_by_the_rules() -> None:
    """Summation Duel with 1 to 4 and target 6, worked out by hand.

    5 is not among the numbers. 3 wins: after 1 comes 2, after 2 comes 1, and 4 goes over. Every other first
    move loses to the number that makes six, or in the case of 1 to 4, after which every number goes over.
    """
    first = EPISODES[0]
    illegal, opening_move, last = first["steps"]
    assert (illegal["cause"], illegal["reward"], illegal["done"]) == ("illegal", 0, False)
    assert illegal["legal_moves"] == opening_move["legal_moves"] == ["1", "2", "3", "4"]
    assert (opening_move["judgement"]["keeping"], opening_move["judgement"]["losing"]) == (1, 3)
    assert (opening_move["reward"], last["reward"], last["outcome"]) == (1, 1, "win")
    assert opening_move["reply"] in ("1", "2") and sum(map(int, first["moves"])) == 6
    assert first["score"] == 1
