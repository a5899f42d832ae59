"""How often does the first player win when both play at random? Counted for every game."""

from random import Random

import numberduels

GAMES = 2_000

for name in numberduels.names():
    game = numberduels.make(name)
    rng = Random(1)
    first = 0
    for _ in range(GAMES):
        state = game.start(rng)
        while (outcome := game.outcome(state)) is None:
            state = game.play(state, rng.choice(game.moves(state)))
        first += outcome.winner == 0
    print(f"{name:<20} {first / GAMES:.0%}")
