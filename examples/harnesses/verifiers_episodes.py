"""Play three tasks with verifiers and a model behind an OpenAI-compatible endpoint.

python examples/harnesses/verifiers_episodes.py http://127.0.0.1:8080/v1 MODEL
"""

import asyncio
import sys

import verifiers.v1 as vf


async def main(base_url: str, model: str) -> None:
    taskset = {"id": "numberduels-verifiers", "games": "range-war,summation-duel", "opponent": "casual"}
    env = vf.load_environment(vf.resolve_env_config({"taskset": taskset}))
    client = vf.EvalClientConfig(base_url=base_url, api_key_var="OPENAI_API_KEY")
    async with env.serving():
        for task in env.taskset.take(3):
            episode = await env.run_episode(task, vf.ModelContext(model=model, client=client))
            for trace in episode.traces:
                print(task.data.name, "reward", trace.reward, "accuracy", trace.metrics["accuracy"])


if len(sys.argv) != 3:
    sys.exit("usage: verifiers_episodes.py BASE_URL MODEL")
asyncio.run(main(*sys.argv[1:]))
