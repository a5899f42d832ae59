"""The environment as TRL's GRPOTrainer drives it: reset with a row, call the tool, ask for the reward.

To train with it:

    from datasets import Dataset
    from trl import GRPOTrainer

    rows = Dataset.from_list(duel_rows(500, opponent="casual"))
    GRPOTrainer(model="Qwen/Qwen3-0.6B", train_dataset=rows, environment_factory=DuelTRLEnv).train()
"""

from numberduels.harness.trl_env import DuelTRLEnv, duel_rows

for row in duel_rows(3, "range-war:size=12,summation-duel", opponent="casual"):
    env = DuelTRLEnv()
    print(env.reset(**row), end="\n\n")
    answer = ""
    while "The game is over" not in answer:
        move = env.episode.legal_moves()[0] if env.episode else ""  # what the model would write into the call
        answer = env.move(move)
        print(answer, end="\n\n")
    print("reward", env.get_reward(), end="\n\n")
