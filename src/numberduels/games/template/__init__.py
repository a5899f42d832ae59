"""The smallest legal game, played by every test run. Copy this folder to add a game."""

from numberduels.games.template.rules import LastCounter
from numberduels.games.template.text import LastCounterWords
from numberduels.spec import Room

room = Room(
    name="last-counter",
    title="Last Counter",
    about="Take one or two counters from a pile; who takes the last one wins.",
    game=LastCounter,
    words=LastCounterWords,
)
