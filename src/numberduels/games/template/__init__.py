"""Last Counter: take one or two counters from a pile; whoever takes the last one wins."""

# Template: the smallest legal game, and what `duel new-game` copies. Comments like this one are left out.

from numberduels.game.spec import GameSpec
from numberduels.games.template.rules import LastCounter
from numberduels.games.template.text import LastCounterText

spec = GameSpec(
    name="last-counter",
    title="Last Counter",
    summary="Take one or two counters from a pile; whoever takes the last one wins.",
    rules=LastCounter,
    text=LastCounterText,
)
