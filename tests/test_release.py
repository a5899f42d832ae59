"""What a release refuses; `make release` does the whole of it in CI."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from tools import release
from tools.release import Refused, check_higher, check_interface

from tables import table

ROOT = Path(__file__).parents[1]


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


@pytest.mark.long
def test_only_a_clean_checkout_of_main_is_released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "ada@example.org")
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    (tmp_path / "file").write_text("one")
    git(tmp_path, "add", "file")
    git(tmp_path, "commit", "--quiet", "--message=One")

    def refused(reason: str, *, tagged: bool = False) -> None:
        with pytest.raises(Refused, match=reason):
            release.check_checkout(tmp_path, "1.0.0", tagged=tagged)

    release.check_checkout(tmp_path, "1.0.0", tagged=False)
    refused(r"no tag v1\.0\.0", tagged=True)
    git(tmp_path, "tag", "v1.0.0")
    refused(r"a tag v1\.0\.0 already")
    git(tmp_path, "checkout", "--quiet", "--detach")
    release.check_checkout(tmp_path, "1.0.0", tagged=True)
    git(tmp_path, "tag", "--delete", "v1.0.0")
    refused("this is no branch")
    git(tmp_path, "switch", "--quiet", "--create", "idea")
    refused("made from main, and this is idea")
    monkeypatch.setenv("CI", "true")
    release.check_checkout(tmp_path, "1.0.0", tagged=False)
    (tmp_path / "file").write_text("two")
    refused("there are uncommitted changes")


@table("version", ["0.5.0", "0.4.9", "0.5.0rc1", "first"])
def test_a_version_that_is_not_higher_is_refused(version: str) -> None:
    with pytest.raises(Refused, match=r"not higher than 0\.5\.0|is not a version"):
        check_higher(version, "0.5.0")
    check_higher("0.10.0", "0.9.0")


@table(
    "before, now, last, version, needed",
    [("a\nb", "a", "1.2.3", "1.3.0", "2.0.0"), ("a", "a\nb", "1.2.3", "1.2.4", "1.3.0")],
)
def test_a_version_that_promises_more_than_it_holds_is_refused(
    before: str, now: str, last: str, version: str, needed: str
) -> None:
    with pytest.raises(Refused, match=f"that needs version {needed}"):
        check_interface(before, now, last, version)
    check_interface(before, now, last, needed)
    for promised_nothing in ("0.5.0", "1.2.3rc1"):
        check_interface(before, now, promised_nothing, version)


def test_the_version_is_set_in_all_files_that_hold_it(tmp_path: Path) -> None:
    for name in release.VERSION_LINES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    changelog = tmp_path / "CHANGELOG.md"
    for nothing_new in ("## 0.5.0\n\n- x\n", "## Unreleased\n\n## 0.5.0\n\n- x\n"):
        changelog.write_text(nothing_new)
        with pytest.raises(Refused, match=r"CHANGELOG\.md: expected one line"):
            release.set_version(tmp_path, "9.0.0")
    changelog.write_text("# What has changed\n\n## Unreleased\n\n- New.\n\n## 0.5.0\n")
    with pytest.raises(Refused, match=r"does not hold version 8\.0\.0"):
        release.check_version_set(tmp_path, "8.0.0")
    release.set_version(tmp_path, "9.0.0")
    release.check_version_set(tmp_path, "9.0.0")
    assert release.last_released(changelog.read_text(encoding="utf-8")) == "9.0.0"


def test_builds_that_differ_are_refused(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.whl").write_text(name)
    first, second = [tmp_path / "one" / "x.whl"], [tmp_path / "two" / "x.whl"]
    release.check_same(first, first)
    with pytest.raises(Refused, match=r"two builds of x\.whl differ"):
        release.check_same(first, second)


LICENSE = "numberduels-1.0.0.dist-info/licenses/LICENSE"
WHOLE = {LICENSE, "numberduels/site/index.html", "numberduels/__init__.py"}


@table(
    "names, reason",
    [
        (WHOLE - {LICENSE}, "has no .*LICENSE"),
        (WHOLE - {"numberduels/site/index.html"}, "has no .*index.html"),
        (WHOLE | {"tests/test_core.py"}, "differs from src"),
        (WHOLE - {"numberduels/__init__.py"}, "differs from src"),
    ],
)
def test_a_wheel_that_lacks_something_or_holds_more_is_refused(names: set[str], reason: str) -> None:
    release.check_wheel(WHOLE, {"numberduels/__init__.py"}, "1.0.0")
    with pytest.raises(Refused, match=reason):
        release.check_wheel(names, {"numberduels/__init__.py"}, "1.0.0")
