"""Who wins, and with which first moves? Every size solved exactly, nothing guessed."""

import numberduels

for size in range(2, 31):
    solution = numberduels.solve(numberduels.make("restricted-removal", size=size))
    winning = solution.best if solution.value == "win" else ""
    print(f"2..{size:<3} player {1 if winning else 2} wins", winning)
