"""Number Collision, one room of the house: rules, words and book."""

from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_collision.words import NumberCollisionWords
from numberduels.rooms import Room

room = Room(
    name="number-collision",
    title="Number Collision",
    about="Fill a line where equal neighbours vanish; fill the last cell to win.",
    game=NumberCollision,
    words=NumberCollisionWords,
    theory="numberduels.games.number_collision.theory:NumberCollisionTheory",
    claims="numberduels.games.number_collision.claims:CLAIMS",
)
