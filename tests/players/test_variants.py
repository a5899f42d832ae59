"""Variants of a model: their names, their settings, and who meets whom."""

from __future__ import annotations

from itertools import combinations

import pytest

from numberduels.players import make_player
from numberduels.players.chat import ChatPlayer
from numberduels.players.external import ExternalSettings, may_meet, read_factors, read_variant, vary
from tables import table


def test_a_variant_is_the_model_with_other_settings() -> None:
    settings = ExternalSettings(base_url="http://127.0.0.1:9/v1", seconds=3)
    player = make_player("chat:org/m:free [legal=no, reasoning=no, disguise=yes, board=json]", settings)
    assert isinstance(player, ChatPlayer) and player.model == "org/m:free"
    found = player.settings
    assert (found.legal, found.reasoning, found.disguise, found.board) == (False, False, True, "json")
    assert found.seconds == 3


@table(
    "name",
    [
        "chat:m [legal=maybe]",
        "chat:m [legal=no",
        "chat:m [legal=no, legal=yes]",
        "process:bot [legal=no]",
        "chat:m []",
    ],
)
def test_other_names_are_taken_as_they_are(name: str) -> None:
    assert read_variant(name).base == name and not read_variant(name).levels


@table("text", ["", "legal,", "legal,legal", "colour", "legal disguise", "LEGAL"])
def test_texts_that_are_no_factors_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^--vary [^\n]+$"):
        read_factors(text)


def test_models_meet_under_equal_conditions_and_no_model_meets_itself() -> None:
    players = [*vary("chat:a", ["legal"]), *vary("chat:b", ["legal"]), "perfect"]
    met = {pair for pair in combinations(players, 2) if may_meet(*pair)}
    assert met == {
        ("chat:a [legal=yes]", "chat:b [legal=yes]"),
        ("chat:a [legal=no]", "chat:b [legal=no]"),
        *((name, "perfect") for name in players[:4]),
    }
