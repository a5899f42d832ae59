"""Number Collision, one room of the house: rules, words and book."""

from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_collision.text import NumberCollisionWords
from numberduels.spec import Room

# While lines may come back, every win is a win in one, and what must be seen to hold a draw is one reply.
# Only where they may not, and are few, is there more to see that can be judged.
SHALLOW = {"size": range(3, 7), "values": range(2, 6), "repetition": ("allowed",)}
DEEP = {"size": range(5, 9), "values": (1,), "repetition": ("forbidden",)}

room = Room(
    name="number-collision",
    title="Number Collision",
    about="Fill a line where equal neighbours vanish; fill the last cell to win.",
    game=NumberCollision,
    words=NumberCollisionWords,
    theory="numberduels.games.number_collision.theory:NumberCollisionTheory",
    claims="numberduels.games.number_collision.claims:CLAIMS",
    rows="numberduels.games.number_collision.batch:NumberCollisionRows",
    board="numberduels.games.number_collision.board:board",
    puzzles={1: SHALLOW, 2: DEEP, 3: DEEP, 4: DEEP, 5: DEEP},
)
