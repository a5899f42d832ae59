"""A table learns Restricted Removal by playing itself, and the exact solver says how much it knows.

It prints in which share of the positions where a win can be thrown away the table's action keeps it."""

from collections import defaultdict
from collections.abc import Iterator
from random import Random

from numberduels import envs
from numberduels.solvers import make_oracle

ENV = envs.aec("restricted-removal", size=12)
GAME, ENCODING, SOLVER = ENV.episode.game, ENV.episode.encoding, make_oracle(ENV.episode.game)


def learn(games: int, every: int) -> Iterator[tuple[int, float]]:
    states = [GAME.start(Random())]
    for state in states:
        states += {GAME.play(state, move) for move in GAME.moves(state)} - set(states)
    hard = [state for state in states if len(SOLVER.best_moves(state)) < len(GAME.moves(state))]
    rng, table = Random(1), defaultdict[bytes, dict[int, float]](dict)
    for played in range(1, games + 1):
        ENV.reset()
        while not ENV.terminations["player_1"]:
            seen, mask = ENV.observe(ENV.agent_selection).values()
            worth, legal = table[seen.tobytes()], mask.nonzero()[0].tolist()
            action = rng.choice(legal) if rng.random() < 0.6 else max(legal, key=lambda a: worth.get(a, 0))
            ENV.step(action)
            replies = table[ENV.observe(ENV.agent_selection)["observation"].tobytes()].values()
            worth[action] = 1 if ENV.terminations["player_1"] else -max(replies, default=0)
        if played % every == 0:
            known = [table[ENCODING.observe(state)[0].tobytes()] or {0: 0} for state in hard]
            picks = [ENCODING.moves[max(worth, key=lambda a: worth[a])] for worth in known]
            yield played, sum(m in SOLVER.best_moves(s) for m, s in zip(picks, hard, strict=True)) / len(hard)


if __name__ == "__main__":
    for played, share in learn(games=6_000, every=250):
        print(f"{played:>6} games  {'#' * round(40 * share):<40}  {share:.1%}")
