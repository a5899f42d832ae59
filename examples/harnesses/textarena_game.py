"""TextArena: a random player against a careful one, each move with its exact judgement.

pip install 'numberduels[textarena]'
"""

from random import Random

import textarena as ta

from numberduels.harness import textarena_env

textarena_env.register()
env = ta.make("NumberDuels-SummationDuel-v0", opening=0)
env.reset(num_players=2, seed=7)
rng = Random(7)
done = False
while not done:
    player, observation = env.get_observation()  # what an agent of TextArena is given
    careful, legal = env.episode.oracle_moves(), env.episode.legal_moves()
    move = careful[0] if player == 1 else rng.choice(legal)
    done, info = env.step(f"MOVE: {move}")
    print(f"player {player} plays {move}: {info['judgement']['verdict']}, reward {info['reward']}")
rewards, game_info = env.close()
print("rewards", rewards)
