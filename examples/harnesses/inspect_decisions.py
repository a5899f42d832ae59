"""Evaluate a model on single decisions with Inspect. Here a mock model always names the first legal move.

With a real one: inspect eval numberduels/decisions --model openai/gpt-4o-mini -T samples=20
"""

from tempfile import TemporaryDirectory

from inspect_ai import eval as inspect_eval
from inspect_ai.model import ChatMessage, ModelOutput, ModelUsage, get_model


def answer(messages: list[ChatMessage], *_: object) -> ModelOutput:
    move = messages[-1].text.partition("Legal moves: ")[2].split(",")[0]
    output = ModelOutput.from_content("mockllm/model", f"MOVE: {move}")
    output.usage = ModelUsage(
        input_tokens=0, output_tokens=0
    )  # else Inspect counts with a tokenizer it downloads
    return output


model = get_model("mockllm/model", custom_outputs=answer)
with TemporaryDirectory() as folder:
    (log,) = inspect_eval(
        "numberduels/decisions", model=model, task_args={"samples": 20}, log_dir=folder, display="none"
    )
for each in log.results.scores:
    print(f"{each.name:20} {each.metrics['mean'].value:.2f}")
