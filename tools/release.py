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
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from hashlib import sha256
from pathlib import Path

from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).parents[1]
INTERFACE = "tests/public_api.txt"
VERSION_LINES = {
    "src/numberduels/__init__.py": ('^__version__ = ".*"$', '__version__ = "{}"'),
    "CITATION.cff": ("^version: .*$", "version: {}"),
    "CHANGELOG.md": ("^## Unreleased$(?=\n+[^#\n]|\n+### )", "## {}"),
}
"""The files that hold the version: the line, and what it becomes. The section Unreleased must have a text."""

TESTS = (
    ("-m", "ruff", "format", "--check", "--quiet"),
    ("-m", "ruff", "check", "--quiet"),
    ("-m", "mypy"),
    ("-m", "pytest", "-n", "2", "--dist", "worksteal"),
)
ALWAYS = ("-m", "pytest", "-q", "-m", "not long", "tests/test_package.py", "tests/test_public_api.py")
"""The tests that look at the version and at what is built; they are run in the copy in any case."""


class Refused(Exception):
    """This cannot be released; the message says why in one line."""


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
    here = f"v{version}" in git("tag", "--points-at", "HEAD", root=root).split()
    if tagged and not here:
        raise Refused(f"this commit has no tag v{version}")
    if not tagged and git("tag", "--list", f"v{version}", root=root):
        raise Refused(f"there is a tag v{version} already")


def last_released(changelog: str) -> str:
    """The newest version that has a heading in the changelog.

    >>> last_released("# What has changed\\n\\n## Unreleased\\n\\n## 0.5.0\\n\\n## 0.4.0\\n")
    '0.5.0'
    """
    found = re.search(r"^## (\d\S*)", changelog, re.MULTILINE)
    if not found:
        raise Refused("CHANGELOG.md has no released version")
    return found[1]


def check_higher(version: str, last: str) -> None:
    """Refuse what is not a version, or not above the last one."""
    try:
        higher = Version(version) > Version(last)
    except InvalidVersion:
        raise Refused(f"{version!r} is not a version; write it as 1.2.3 or 1.2.3rc1") from None
    if not higher:
        raise Refused(f"version {version} is not higher than {last}, the last one")


def set_version(folder: Path, version: str) -> None:
    """Write a version into the files that hold it."""
    for name, (pattern, line) in VERSION_LINES.items():
        path = folder / name
        text, count = re.subn(
            pattern, line.format(version), path.read_text(encoding="utf-8"), flags=re.MULTILINE
        )
        if count != 1:
            raise Refused(f"{name}: expected one line that matches {pattern!r}, found {count}")
        path.write_text(text, encoding="utf-8")


def check_version_set(folder: Path, version: str) -> None:
    """Refuse a tagged commit whose files hold another version."""
    for name, (_, line) in VERSION_LINES.items():
        if line.format(version) not in (folder / name).read_text(encoding="utf-8").splitlines():
            raise Refused(f"{name} does not hold version {version}")


def check_interface(before: str, now: str, last: str, version: str) -> None:
    """Refuse a version that promises more than it holds.

    Something gone needs a major version, something new a minor one. Below 1.0, and in a pre-release, nothing
    is promised.
    """
    old, new, was, will = set(before.splitlines()), set(now.splitlines()), Version(last), Version(version)
    if was.major == 0 or was.is_prerelease or will.major > was.major:
        return
    if gone := sorted(old - new):
        raise Refused(f"{gone[0]!r} is gone since {last}: that needs version {was.major + 1}.0.0")
    if new - old and will.minor == was.minor:
        raise Refused(f"there is more than in {last}: that needs version {was.major}.{was.minor + 1}.0")


def interface_before(root: Path, *, tagged: bool) -> tuple[str, str] | None:
    """The public interface of the last release before this one, and its version; None if there is none."""
    try:
        tag = git(
            "describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD~1" if tagged else "HEAD", root=root
        )
    except Refused:
        return None
    return git("show", f"{tag}:{INTERFACE}", root=root), tag.removeprefix("v")


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


def check_wheel(names: set[str], source: set[str], version: str) -> None:
    """Refuse a wheel that is not the source, the documentation and the metadata with the licence."""
    information, site = f"numberduels-{version}.dist-info/", "numberduels/site/"
    for needed in (f"{information}licenses/LICENSE", f"{site}index.html"):
        if needed not in names:
            raise Refused(f"the wheel has no {needed}")
    rest = {name for name in names if not name.startswith((information, site))}
    if rest != source:
        raise Refused(f"the wheel differs from src: {sorted(rest ^ source)[:3]}")


def prepare(version: str, copy: Path, scratch: Path, *, tagged: bool, tests: bool) -> Path:
    """Do everything in the copy; returns the folder with what would be released."""
    if tagged:
        check_version_set(copy, version)
    else:
        check_higher(version, last_released((copy / "CHANGELOG.md").read_text(encoding="utf-8")))
        set_version(copy, version)
    if before := interface_before(copy, tagged=tagged):
        check_interface(before[0], (copy / INTERFACE).read_text(encoding="utf-8"), before[1], version)
    for command in TESTS if tests else ():
        run("tests", copy, *command)
    if not tests:
        print("- tests: not run here; --tests-passed says that they have passed for this commit")
    run("tests of the version", copy, *ALWAYS)
    run("documentation", copy, "-m", "tools.documentation")
    first = build(copy, scratch / "first")
    check_same(first, build(copy, scratch / "second"))
    source = set(git("ls-files", root=copy / "src").splitlines())
    with zipfile.ZipFile(next(path for path in first if path.suffix == ".whl")) as wheel:
        check_wheel(set(wheel.namelist()), source, version)
    run("metadata", copy, "-m", "twine", "check", "--strict", *map(str, first))
    sums = "".join(f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in first)
    (scratch / "first" / "SHA256SUMS").write_text(sums, encoding="utf-8")
    return scratch / "first"


def main() -> int:
    """Prepare the release that the command line names; exit status 1 with the reason if it is refused."""
    parser = argparse.ArgumentParser(description="Prepare a release in a copy, and refuse what is not ready.")
    parser.add_argument("version")
    parser.add_argument("--tests-passed", action="store_true", help="CI has just run them for this commit")
    parser.add_argument("--tagged", action="store_true", help="the commit has the version and its tag")
    parser.add_argument("--write", action="store_true", help="then write the version into this checkout")
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
