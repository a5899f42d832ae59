"""Juniper Green: everything that belongs to this game."""

from juniper_green.rules import JuniperGreen
from juniper_green.text import JuniperGreenText
from numberduels.game.spec import GameSpec

spec = GameSpec(
    name="juniper-green",
    title="Juniper Green",
    summary="Strike out a factor or a multiple of the last number; whoever cannot loses.",
    rules=JuniperGreen,
    text=JuniperGreenText,
)
