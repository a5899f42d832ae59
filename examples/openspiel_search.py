"""OpenSpiel's own alpha-beta search on our games says who wins, as our solver does."""

import pyspiel
from open_spiel.python.algorithms.minimax import alpha_beta_search

import numberduels
import numberduels.envs.openspiel

for size in range(2, 13):
    game = pyspiel.load_game(f"numberduels_restricted_removal(size={size})")
    value, _ = alpha_beta_search(game)
    solution = numberduels.solve(numberduels.make("restricted-removal", size=size))
    assert (value == 1) == (solution.winner == 0)
    print(f"2..{size:<3} player {1 if value == 1 else 2} wins")
