"""The smallest legal game, played by every test run. Copy this folder to add a game."""

from numberduels.games.template.rules import LastCounter
from numberduels.games.template.text import LastCounterText
from numberduels.spec import GameSpec

spec = GameSpec(
    name="last-counter",
    title="Last Counter",
    summary="Take one or two counters from a pile; who takes the last one wins.",
    rules=LastCounter,
    text=LastCounterText,
)
