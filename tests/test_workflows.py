"""The workflows of hosted CI: pinned, with the least rights, and without the address of an index."""

from __future__ import annotations

import re
from pathlib import Path

from tables import table

ROOT = Path(__file__).parents[1]
WORKFLOWS = {
    path.stem: path.read_text(encoding="utf-8") for path in (ROOT / ".github/workflows").glob("*.yml")
}


def job(workflow: str, name: str) -> str:
    """The lines of one job."""
    jobs = re.split(r"^  (\w+):$", WORKFLOWS[workflow].partition("\njobs:\n")[2], flags=re.MULTILINE)
    return jobs[jobs.index(name) + 1]


def test_only_publishing_may_ask_for_an_identity() -> None:
    assert "id-token: write" in job("release", "publish")
    for workflow, text in WORKFLOWS.items():
        rest = text.replace(job("release", "publish"), "") if workflow == "release" else text
        assert ": write" not in rest


@table("name", WORKFLOWS)
def test_a_workflow_names_no_address_and_no_secret(name: str) -> None:
    assert not re.search(r"https?://|secrets\.|index-url|password", WORKFLOWS[name])


def test_hosted_ci_runs_the_script_that_we_run() -> None:
    assert "run: .ci/run" in job("ci", "linux")


def test_the_tested_pythons_are_the_classifiers() -> None:
    tested = {"3.11", *re.findall(r"3\.\d+", re.findall(r"python: \[(.*)\]", WORKFLOWS["ci"])[0])}
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert tested == set(re.findall(r"Python :: (3\.\d+)", project))
