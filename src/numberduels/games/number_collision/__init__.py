"""Number Collision: everything that belongs to this game."""

from numberduels.games.number_collision.rules import NumberCollision
from numberduels.games.number_collision.text import NumberCollisionText
from numberduels.spec import GameSpec

# While lines may come back, every win is a win in one, and what must be seen to hold a draw is one reply.
# Only where they may not, and are few, is there more to see that can be judged.
SHALLOW = {"size": range(3, 7), "values": range(2, 6), "repetition": ("allowed",)}
DEEP = {"size": range(5, 9), "values": (1,), "repetition": ("forbidden",)}

spec = GameSpec(
    name="number-collision",
    title="Number Collision",
    summary="Fill a line where equal neighbours vanish; fill the last cell to win.",
    rules=NumberCollision,
    text=NumberCollisionText,
    theory="theory:NumberCollisionTheory",
    claims="claims:CLAIMS",
    batch="batch:NumberCollisionBatch",
    board="board:board",
    puzzles={1: SHALLOW, 2: DEEP, 3: DEEP, 4: DEEP, 5: DEEP},
)
