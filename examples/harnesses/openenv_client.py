"""Play three tasks on an OpenEnv server, with an exact reward for every move.

Start the server first: python -m numberduels.harness.openenv_app --port 8000
"""

import sys

from numberduels.harness.openenv_env import DuelAction, DuelClient

url = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"

with DuelClient(base_url=url).sync() as env:
    for index in range(3):
        result = env.reset(split="train", index=index)
        print(f"\n{result.observation.position}\n")
        while not result.done:
            move = result.observation.legal_moves[0]  # your agent's choice, or "... MOVE: 5"
            result = env.step(DuelAction(move=move))
            print(f"{move}: reward {result.reward:g}, answered by {result.observation.opponent_move}")
        print(f"{result.observation.outcome}, score {result.observation.review['score']:g}")
