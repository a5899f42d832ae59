"""Who wins, and with which first moves? Every position solved, nothing guessed."""

from random import Random

import numberduels
from numberduels.solve import LOSS, Retrograde

for size in range(2, 13):
    game = numberduels.make("restricted-removal", size=size)
    start = game.start(Random())
    solved = Retrograde(game, start)
    winning = [move for move in game.moves(start) if solved.after(start, move).value == LOSS]
    print(f"2..{size:<3} player {1 if winning else 2} wins", winning or "")
