"""What must be in the distributions of a release, and what must not."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path

from tools.release_rules import Refused

SITE = "numberduels/site/"


def check_contents(files: list[Path], source: Path, version: str) -> None:
    """Refuse distributions that lack something or hold something else."""
    named = {path.suffix: path for path in files}
    if set(named) != {".whl", ".gz"} or len(files) != 2:
        raise Refused(f"expected a wheel and a source distribution, found {[path.name for path in files]}")
    with zipfile.ZipFile(named[".whl"]) as wheel:
        check_wheel(set(wheel.namelist()), source_files(source), version)
    with tarfile.open(named[".gz"]) as archive:
        top = f"numberduels-{version}/src/"
        packed = {name.removeprefix(top) for name in archive.getnames() if name.startswith(top)}
    if packed != source_files(source):
        raise Refused(
            f"the source distribution differs from src: {sorted(packed ^ source_files(source))[:3]}"
        )


def check_wheel(names: set[str], source: set[str], version: str) -> None:
    """Refuse a wheel that is not the source, the documentation and the metadata with the licence."""
    information = f"numberduels-{version}.dist-info/"
    for needed in (f"{information}licenses/LICENSE", f"{SITE}index.html"):
        if needed not in names:
            raise Refused(f"the wheel has no {needed}")
    rest = {name for name in names if not name.startswith((information, SITE))}
    if rest != source:
        raise Refused(f"the wheel differs from src: {sorted(rest ^ source)[:3]}")


def source_files(root: Path) -> set[str]:
    """The files of the packages, relative to src."""
    folder = root / "src"
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
