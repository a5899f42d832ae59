"""Random against perfect through PettingZoo, with the perfect player in either seat of every game."""

from random import Random

from numberduels import envs, players

GAMES = 20

for name in ("range-war", "number-snatch", "restricted-removal", "summation-duel", "number-collision"):
    env, perfect, rng = envs.aec(name, limit=200), players.make_player("perfect"), Random(1)
    won = {"player_1": 0, "player_2": 0}
    for strong in won:
        for seed in range(GAMES):
            env.reset(seed=seed)
            for agent in env.agent_iter():
                observation, reward, termination, truncation, _ = env.last()
                if termination or truncation:
                    won[strong] += agent == strong and reward == 1
                    env.step(None)
                elif agent == strong:
                    episode = env.episode
                    move = perfect.choose(episode.game, episode.state, rng)
                    env.step(episode.encoding.action_of[move])
                else:
                    env.step(rng.choice(observation["action_mask"].nonzero()[0]))
    seats = ", ".join(f"{count} of {GAMES} as {seat}" for seat, count in won.items())
    print(f"{name:<20} perfect won {seats}")
