"""The names of the sample environments."""

from __future__ import annotations

from pathlib import Path

from numberduels.game import adopted, registry
from numberduels.game.spec import GameSpec

SAMPLES = Path(__file__).with_name("sample_envs.py")


def named(name: str) -> str:
    """How the command line names a sample."""
    return f"python:{SAMPLES}:{name}"


def typed_spec(text: str) -> GameSpec:
    """The spec of a game that a person has typed."""
    adopted.allow(text)
    return registry.adopted_spec(text)


def code_that_leaves_a_trace(folder: Path) -> tuple[str, Path]:
    """The name of a game whose code leaves a file when it runs, and that file."""
    trace = folder / "it ran"
    path = folder / "trap.py"
    path.write_text(f"open({str(trace)!r}, 'w').close()\nclass Env: pass\n", encoding="utf-8")
    return f"python:{path}:Env", trace
