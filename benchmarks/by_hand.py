"""The loops of `rules` and `envs` written out for one game: what Python needs if no call stands between.

Each move is checked, played and drawn uniformly, and observations and masks are handed out as copies, as the
package does it. What is left out are the interfaces: environments, agents, rewards, infos, other games.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from benchmarks.loops import Chance, Loop
from numberduels import make
from numberduels.game.bits import CHUNK, HIGH_MEMBERS, LOW, LOW_MEMBERS, members

members(1 << CHUNK)  # fills HIGH_MEMBERS


def snatch_rules_by_hand(moves: int) -> Loop:
    """Number Snatch at book size: deal, list the moves, draw, check, play."""
    deal = make("number-snatch").start

    def loop() -> int:
        rng = Random(1)
        chance = rng.random
        count = 0
        while count < moves:
            left, last, mine, theirs = deal(rng)
            while left:
                numbers = LOW_MEMBERS[left & LOW] + HIGH_MEMBERS[left >> CHUNK]
                number = numbers[int(chance() * len(numbers))]
                if number < 1 or not left >> number & 1:
                    raise ValueError(number)
                left ^= 1 << number
                stolen = last if last and not number % last else 0
                mine, theirs, last = theirs - stolen, mine + number + stolen, number
                count += 1
        return count

    return loop


def snatch_by_hand(chance: Chance, moves: int, *, own_moves: bool = False) -> Loop:
    """Number Snatch with observation and mask at each move; with `own_moves`, at every second one.

    Then the moves between are a random opponent's, and are not counted.
    """
    deal, rng = make("number-snatch").start, Random(1)
    observation, mask = np.zeros(24, np.uint8), np.zeros(20, np.int8)
    numbers, flags = observation.data, mask.view(np.uint8).data

    def loop() -> int:
        count = 0
        while count < moves:
            left, last, mine, theirs = deal(rng)
            for place in range(20):
                numbers[place] = flags[place] = left >> place + 1 & 1
            numbers[20] = numbers[21] = numbers[22] = turn = 0
            numbers[23] = 1
            seen = observation.copy(), mask.copy()
            while left:
                if own_moves and turn:
                    choices = LOW_MEMBERS[left & LOW] + HIGH_MEMBERS[left >> CHUNK]
                    action = choices[int(chance() * len(choices))] - 1
                else:
                    legal = seen[1].nonzero()[0]
                    action = int(legal[int(chance() * len(legal))])
                    count += 1
                number = action + 1
                if action < 0 or not left >> number & 1:
                    raise ValueError(action)
                left ^= 1 << number
                stolen = last if last and not number % last else 0
                mine, theirs, last = theirs - stolen, mine + number + stolen, number
                numbers[action] = flags[action] = 0
                numbers[20] = number
                numbers[21], numbers[22] = (mine, theirs) if turn else (theirs, mine)
                turn ^= 1
                numbers[23] = turn + 1
                if not (own_moves and turn and left):
                    seen = observation.copy(), mask.copy()
        return count

    return loop


def collision_by_hand(chance: Chance, moves: int, *, own_moves: bool = False) -> Loop:
    """Number Collision with observation and mask at each move; `own_moves` as in `snatch_by_hand`."""
    game: Any = make("number-collision")
    places, row = game.all_moves(), [bytes(5), b"\1" * 5]
    observation, mask = np.zeros(11, np.uint8), np.zeros(50, np.int8)
    cells, flags = observation.data, mask.view(np.uint8).data

    def loop() -> int:
        count = 0
        while count < moves:
            cells[:], flags[:] = bytes(10) + b"\1", b"\1" * 50
            empty, turn = 10, 0
            seen = observation.copy(), mask.copy()
            while empty:
                if own_moves and turn:
                    while not flags[action := int(chance() * 50)]:
                        pass
                else:
                    legal = seen[1].nonzero()[0]
                    action = int(legal[int(chance() * len(legal))])
                    count += 1
                if action < 0 or not flags[action]:
                    raise ValueError(action)
                number, position = places[action]
                cell = position - 1
                before = cell and cells[cell - 1] == number
                after = position < 10 and cells[position] == number
                if before:
                    cells[cell - 1] = 0
                    flags[5 * cell - 5 : 5 * cell] = row[1]
                    empty += 1
                if after:
                    cells[position] = 0
                    flags[5 * position : 5 * position + 5] = row[1]
                    empty += 1
                if not (before or after):
                    cells[cell] = number
                    flags[5 * cell : 5 * cell + 5] = row[0]
                    empty -= 1
                turn ^= 1
                cells[10] = turn + 1
                if not (own_moves and turn and empty):
                    seen = observation.copy(), mask.copy()
        return count

    return loop
