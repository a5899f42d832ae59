"""What a release refuses; `make release` does the whole of it in CI."""

from __future__ import annotations

import shutil
import subprocess
import zipfile
from itertools import pairwise
from pathlib import Path

import pytest
from tools import release, wheel_contents
from tools.release_rules import (
    Refused,
    check_higher,
    check_interface,
    last_released,
    parse_version,
    release_changelog,
)

from tables import table

ROOT = Path(__file__).parents[1]


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository on main with one commit."""
    monkeypatch.delenv("CI", raising=False)
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "ada@example.org")
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    (tmp_path / "file").write_text("one")
    git(tmp_path, "add", "file")
    git(tmp_path, "commit", "--quiet", "--message=One")
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


@pytest.mark.long
def test_a_clean_checkout_of_main_may_be_released(checkout: Path) -> None:
    release.check_checkout(checkout, "1.0.0", tagged=False)


@pytest.mark.long
def test_uncommitted_changes_are_refused(checkout: Path) -> None:
    (checkout / "file").write_text("two")
    with pytest.raises(Refused, match="there are uncommitted changes"):
        release.check_checkout(checkout, "1.0.0", tagged=False)


@pytest.mark.long
def test_another_branch_is_refused(checkout: Path) -> None:
    git(checkout, "switch", "--quiet", "--create", "idea")
    with pytest.raises(Refused, match="made from main, and this is idea"):
        release.check_checkout(checkout, "1.0.0", tagged=False)


@pytest.mark.long
def test_a_commit_without_a_branch_is_refused(checkout: Path) -> None:
    git(checkout, "checkout", "--quiet", "--detach")
    with pytest.raises(Refused, match="this is no branch"):
        release.check_checkout(checkout, "1.0.0", tagged=False)


@pytest.mark.long
@table("place", [["--detach"], ["-b", "idea"]])
def test_ci_tries_a_release_of_whatever_it_tests(
    place: list[str], checkout: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(checkout, "checkout", "--quiet", *place)
    monkeypatch.setenv("CI", "true")
    release.check_checkout(checkout, "1.0.0", tagged=False)


@pytest.mark.long
def test_a_tag_must_be_there_or_must_not(checkout: Path) -> None:
    with pytest.raises(Refused, match=r"no tag v1\.0\.0"):
        release.check_checkout(checkout, "1.0.0", tagged=True)
    git(checkout, "tag", "v1.0.0")
    release.check_checkout(checkout, "1.0.0", tagged=True)
    with pytest.raises(Refused, match=r"a tag v1\.0\.0 already"):
        release.check_checkout(checkout, "1.0.0", tagged=False)


@table("text", ["1.0", "v1.0.0", "1.0.0-rc1", "01.0.0", "1.0.0rc0", "1.0.0.dev1"])
def test_what_is_no_version_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="is no version"):
        parse_version(text)


def test_versions_have_the_order_of_pep_440() -> None:
    ordered = ["0.9.10", "0.10.0", "1.0.0a1", "1.0.0b1", "1.0.0rc1", "1.0.0rc2", "1.0.0", "1.0.1a1", "1.0.1"]
    assert all(parse_version(low) < parse_version(high) for low, high in pairwise(ordered))


@table("version", ["0.5.0", "0.4.9", "0.5.0rc1"])
def test_a_version_that_is_not_higher_is_refused(version: str) -> None:
    with pytest.raises(Refused, match=r"not higher than 0\.5\.0"):
        check_higher(version, "0.5.0")


@table(
    "changelog, reason",
    [("## 0.5.0\n\n- x\n", "no section"), ("## Unreleased\n\n## 0.5.0\n\n- x\n", "is empty")],
)
def test_a_changelog_that_tells_nothing_is_refused(changelog: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        release_changelog(changelog, "1.0.0")


@table(
    "before, now, last, version, needed",
    [
        ("a\nb", "a", "1.2.3", "1.3.0", "2.0.0"),
        ("a", "a\nb", "1.2.3", "1.2.4", "1.3.0"),
    ],
)
def test_a_version_that_promises_more_than_it_holds_is_refused(
    before: str, now: str, last: str, version: str, needed: str
) -> None:
    with pytest.raises(Refused, match=f"that needs version {needed}"):
        check_interface(before, now, last, version)
    assert check_interface(before, now, last, needed)


def test_below_1_0_and_before_a_final_version_nothing_is_promised() -> None:
    assert check_interface("a", "", "0.5.0", "0.5.1") == "1 lines gone, 0 new since 0.5.0"
    assert check_interface("a", "", "1.0.0rc1", "1.0.0") == "1 lines gone, 0 new since 1.0.0rc1"


def test_the_version_is_set_in_all_files_that_hold_it(tmp_path: Path) -> None:
    for name in release.VERSION_LINES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    (tmp_path / "CHANGELOG.md").write_text("# What has changed\n\n## Unreleased\n\n- New.\n\n## 0.5.0\n")
    with pytest.raises(Refused, match=r"does not hold version 9\.0\.0"):
        release.check_version_set(tmp_path, "9.0.0")
    release.set_version(tmp_path, "9.0.0")
    release.check_version_set(tmp_path, "9.0.0")
    assert last_released((tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")) == "9.0.0"


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
    wheel_contents.check_wheel(WHOLE, {"numberduels/__init__.py"}, "1.0.0")
    with pytest.raises(Refused, match=reason):
        wheel_contents.check_wheel(names, {"numberduels/__init__.py"}, "1.0.0")


@pytest.mark.long
@pytest.mark.skipif(not shutil.which("sha256sum"), reason="there is no sha256sum")
def test_checksums_are_those_of_sha256sum(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "x.whl", "w") as made:
        made.writestr("a", "b")
    release.write_checksums(tmp_path)
    done = subprocess.run(
        ["sha256sum", "--check", "SHA256SUMS"], cwd=tmp_path, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, b"x.whl: OK\n")
