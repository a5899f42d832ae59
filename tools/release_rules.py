"""What makes a version fit for release: its number, the changelog, the public interface. Pure functions."""

from __future__ import annotations

import re
from typing import NamedTuple

PATTERN = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:(a|b|rc)([1-9]\d*))?")
UNRELEASED = "## Unreleased"


class Refused(Exception):
    """This cannot be released; the message says why in one line."""


class Version(NamedTuple):
    """A version such as 1.0.0 or 1.0.0rc1; tuples compare as versions do."""

    major: int
    minor: int
    patch: int
    stage: str = "z"
    """a, b or rc; a final version comes after all of them."""
    number: int = 0

    @property
    def is_final(self) -> bool:
        """Whether this is no pre-release."""
        return self.stage == "z"


def parse_version(text: str) -> Version:
    """Read a version.

    >>> parse_version("1.0.0rc1") < parse_version("1.0.0") < parse_version("1.0.1")
    True
    """
    found = PATTERN.fullmatch(text)
    if not found:
        raise Refused(f"{text!r} is no version; write it as 1.2.3 or 1.2.3rc1")
    major, minor, patch = (int(part) for part in found.groups()[:3])
    return Version(major, minor, patch, found[4] or "z", int(found[5] or 0))


def check_higher(version: str, last: str) -> None:
    """Refuse a version that is not above the last one."""
    if parse_version(version) <= parse_version(last):
        raise Refused(f"version {version} is not higher than {last}, the last one")


def last_released(changelog: str) -> str:
    """The newest version that has a heading in the changelog.

    >>> last_released("# What has changed\\n\\n## Unreleased\\n\\n## 0.5.0\\n\\n## 0.4.0\\n")
    '0.5.0'
    """
    found = re.search(r"^## (\d\S*)", changelog, re.MULTILINE)
    if not found:
        raise Refused("CHANGELOG.md has no released version")
    return found[1]


def release_changelog(changelog: str, version: str) -> str:
    """The changelog with the section Unreleased as that of a version; it must say something.

    >>> release_changelog("## Unreleased\\n\\n- New.\\n\\n## 0.5.0\\n", "1.0.0")
    '## 1.0.0\\n\\n- New.\\n\\n## 0.5.0\\n'
    """
    head, heading, rest = changelog.partition(f"{UNRELEASED}\n")
    if not heading:
        raise Refused(f"CHANGELOG.md has no section {UNRELEASED!r} to become version {version}")
    if not rest.partition("\n## ")[0].strip():
        raise Refused("the section Unreleased of CHANGELOG.md is empty: tell users what has changed")
    return f"{head}## {version}\n{rest}"


def replaced(text: str, pattern: str, new: str, file: str) -> str:
    """The text with the one line that matches replaced."""
    result, count = re.subn(pattern, new, text, flags=re.MULTILINE)
    if count != 1:
        raise Refused(f"{file}: expected one line that matches {pattern}, found {count}")
    return result


def check_interface(before: str, now: str, last: str, version: str) -> str:
    """Refuse a version that promises more than it holds; returns what was found.

    Something gone needs a major version, something new a minor one. Below 1.0, and in a pre-release, nothing
    is promised.
    """
    old, new = set(before.splitlines()), set(now.splitlines())
    gone, added = len(old - new), len(new - old)
    was, will = parse_version(last), parse_version(version)
    found = f"{gone} lines gone, {added} new since {last}"
    if was.major == 0 or not was.is_final or will.major > was.major:
        return found
    if gone:
        line = sorted(old - new)[0]
        raise Refused(f"{found}, such as {line!r}: that needs version {was.major + 1}.0.0")
    if added and will.minor == was.minor:
        raise Refused(f"{found}: that needs version {was.major}.{was.minor + 1}.0")
    return found
