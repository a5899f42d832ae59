"""Prepare a release, and refuse what is not ready. The checkout is not changed, except for the folder dist.

    python -m tools.release 1.0.0rc1                  a dry run in a copy of what is committed
    python -m tools.release 1.0.0rc1 --tests-passed   without the tests, for a CI job that has just run them
    python -m tools.release 1.0.0 --tagged            the commit already has this version and its tag
    python -m tools.release 1.0.0 --write             then write the version into this checkout

In the copy it sets the version, runs the checks and the tests, builds the documentation, builds the
distributions twice and compares them, checks what is in them, and writes them to dist with the
checksums. The tests of the integrations and of the lowest versions are those of `.ci/run`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

from tools.release_rules import (
    Refused,
    check_higher,
    check_interface,
    last_released,
    release_changelog,
    replaced,
)
from tools.wheel_contents import check_contents

ROOT = Path(__file__).parents[1]
VERSION_LINES = {
    "src/numberduels/__init__.py": ('^__version__ = ".*"$', '__version__ = "{}"'),
    "CITATION.cff": ("^version: .*$", "version: {}"),
}
"""The files that hold the version, beside the changelog: the line, and what it becomes."""

TESTS = (
    ("-m", "ruff", "format", "--check", "--quiet"),
    ("-m", "ruff", "check", "--quiet"),
    ("-m", "mypy"),
    ("-m", "pytest", "-n", "2", "--dist", "worksteal"),
)
ALWAYS = ("-m", "pytest", "-q", "-m", "not long", "tests/test_package.py", "tests/test_public_api.py")
"""The tests that look at the version and at what is built; they are run in the copy in any case."""

INTERFACE = "tests/public_api.txt"


def git(*arguments: str, root: Path = ROOT) -> str:
    """The output of a git command; Refused with its message if it fails."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Refused(f"git {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout.strip()


def check_checkout(root: Path, version: str, *, tagged: bool) -> None:
    """Refuse uncommitted changes, a branch other than main, and a tag that is missing or taken.

    A tagged release needs no branch, and CI tries a release of whatever it tests.
    """
    if changed := git("status", "--porcelain", root=root):
        raise Refused(f"there are uncommitted changes:\n{changed}")
    branch = git("branch", "--show-current", root=root)
    if branch != "main" and not (os.environ.get("CI") or (tagged and not branch)):
        raise Refused(f"releases are made from main, and this is {branch or 'no branch'}")
    tags = git("tag", "--points-at", "HEAD", root=root).split()
    if tagged and f"v{version}" not in tags:
        raise Refused(f"this commit has no tag v{version}")
    if not tagged and git("tag", "--list", f"v{version}", root=root):
        raise Refused(f"there is a tag v{version} already")


def set_version(folder: Path, version: str) -> None:
    """Write a version into the files that hold it."""
    for name, (pattern, line) in VERSION_LINES.items():
        path = folder / name
        text = replaced(path.read_text(encoding="utf-8"), pattern, line.format(version), name)
        path.write_text(text, encoding="utf-8")
    path = folder / "CHANGELOG.md"
    path.write_text(release_changelog(path.read_text(encoding="utf-8"), version), encoding="utf-8")


def check_version_set(folder: Path, version: str) -> None:
    """Refuse a tagged commit whose files hold another version."""
    for name, (_, line) in VERSION_LINES.items():
        if line.format(version) not in (folder / name).read_text(encoding="utf-8").splitlines():
            raise Refused(f"{name} does not hold version {version}")
    if last_released((folder / "CHANGELOG.md").read_text(encoding="utf-8")) != version:
        raise Refused(f"CHANGELOG.md has no section {version} at its top")


def interface_before(root: Path, *, tagged: bool) -> tuple[str, str] | None:
    """The last released version before this one, and its public interface; None if it wrote none down."""
    start = "HEAD~1" if tagged else "HEAD"
    command = ["git", "describe", "--tags", "--abbrev=0", "--match", "v*", start]
    found = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    if found.returncode:
        return None
    tag = found.stdout.strip()
    return tag.removeprefix("v"), git("show", f"{tag}:{INTERFACE}", root=root)


def run(step: str, copy: Path, *arguments: str, **variables: str) -> None:
    """Run a Python command in the copy, with the source of the copy; Refused if it fails."""
    print(f"- {step}: python {' '.join(arguments)}", flush=True)
    environment = os.environ | {"PYTHONPATH": str(copy / "src"), **variables}
    if subprocess.run([sys.executable, *arguments], cwd=copy, env=environment, check=False).returncode:
        raise Refused(f"{step} failed")


def build(copy: Path, folder: Path) -> list[Path]:
    """Build the distributions of a release, with the documentation."""
    seconds = git("log", "-1", "--format=%ct", root=copy)
    variables = {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "true", "SOURCE_DATE_EPOCH": seconds}
    run("build", copy, "-m", "hatchling", "build", "--directory", str(folder), **variables)
    return sorted(folder.iterdir())


def check_same(first: list[Path], second: list[Path]) -> None:
    """Refuse two builds that differ in a byte."""
    for one, other in zip(first, second, strict=True):
        if one.name != other.name or one.read_bytes() != other.read_bytes():
            raise Refused(f"two builds of {one.name} differ")


def write_checksums(folder: Path) -> None:
    """Write SHA256SUMS for all files of a folder."""
    lines = [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(lines), encoding="utf-8")


def prepare(version: str, copy: Path, scratch: Path, *, tagged: bool, tests: bool) -> Path:
    """Do everything in the copy; returns the folder with what would be released."""
    changelog = (copy / "CHANGELOG.md").read_text(encoding="utf-8")
    if tagged:
        check_version_set(copy, version)
    else:
        check_higher(version, last_released(changelog))
        set_version(copy, version)
    before = interface_before(copy, tagged=tagged)
    now = (copy / INTERFACE).read_text(encoding="utf-8")
    compared = check_interface(before[1], now, before[0], version) if before else "no earlier release has one"
    print(f"- interface: {compared}")
    for command in TESTS if tests else ():
        run("tests", copy, *command)
    if not tests:
        print("- tests: not run here; --tests-passed says that they have passed for this commit")
    run("tests of the version", copy, *ALWAYS)
    run("documentation", copy, "-m", "tools.documentation")
    first, second = build(copy, scratch / "first"), build(copy, scratch / "second")
    check_same(first, second)
    check_contents(first, copy, version)
    run("metadata", copy, "-m", "twine", "check", "--strict", *map(str, first))
    write_checksums(scratch / "first")
    return scratch / "first"


def main() -> int:
    """Prepare the release that the command line names; exit status 1 with the reason if it is refused."""
    parser = argparse.ArgumentParser(description="Prepare a release in a copy, and refuse what is not ready.")
    parser.add_argument("version")
    parser.add_argument("--tests-passed", action="store_true", help="CI has just run them for this commit")
    parser.add_argument("--tagged", action="store_true", help="the commit has the version and its tag")
    parser.add_argument(
        "--write", action="store_true", help="write the version into this checkout at the end"
    )
    options = parser.parse_args()
    try:
        check_checkout(ROOT, options.version, tagged=options.tagged)
        with tempfile.TemporaryDirectory(prefix="release-") as scratch:
            copy = Path(scratch) / "numberduels"
            git("clone", "--quiet", "--no-hardlinks", str(ROOT), str(copy))
            git("checkout", "--quiet", git("rev-parse", "HEAD"), root=copy)
            tests = not options.tests_passed
            folder = prepare(options.version, copy, Path(scratch), tagged=options.tagged, tests=tests)
            shutil.rmtree(ROOT / "dist", ignore_errors=True)
            shutil.copytree(folder, ROOT / "dist")
        if options.write:
            set_version(ROOT, options.version)
    except Refused as reason:
        print(f"Not released: {reason}", file=sys.stderr)
        return 1
    print(f"\nVersion {options.version} is ready in dist:")
    print(*(f"  {path.name}" for path in sorted((ROOT / "dist").iterdir())), sep="\n")
    if not options.tagged:
        print(NEXT_STEPS.format(version=options.version))
    return 0


NEXT_STEPS = """
Nothing is published. What is left to do:
  1. make release VERSION={version} RELEASE=--write     writes the version and the changelog
  2. git commit --all --message "Version {version}"
  3. git tag --sign v{version} --message "Version {version}"
  4. git push origin main v{version}                    the workflow `release` builds again and publishes"""


if __name__ == "__main__":
    sys.exit(main())
