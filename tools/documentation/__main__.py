"""Build the documentation into `site/`: python -m tools.documentation. Every fault is an error."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tools.documentation.includes import UnknownPart
from tools.documentation.markdown_links import BrokenLink
from tools.documentation.repository import CONFIGURATION, ROOT, SITE, STAGE
from tools.documentation.site_check import site_faults
from tools.documentation.staging import BadNavigation, stage

NETWORK_SCRIPT = '<script src="https://unpkg.com/iframe-worker/shim" type="text/javascript"></script>'
"""What Zensical's offline plugin puts into pages for the search, which needs the network."""

FILE_WORKER = "assets/file_worker.js"
"""Our script in its place."""


def main() -> int:
    """Collect the pages, build the site, check it; exit status 1 with the faults if there are any."""
    try:
        stage(STAGE)
    except (BadNavigation, BrokenLink, UnknownPart) as fault:
        print(fault, file=sys.stderr)
        return 1
    shutil.rmtree(SITE, ignore_errors=True)
    build = [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "-f", str(CONFIGURATION)]
    done = subprocess.run(build, cwd=ROOT, check=False)
    if done.returncode:
        return 1
    for path in SITE.rglob("*.html"):
        use_own_worker(path)
    faults = site_faults(SITE)
    print(*faults, sep="\n", end="\n" if faults else "", file=sys.stderr)
    if not faults:
        print(f"{sum(1 for _ in SITE.rglob('*.html'))} pages: {SITE / 'index.html'}")
    return 1 if faults else 0


def use_own_worker(path: Path) -> None:
    """Let a page load the search worker of the site instead of the one from the network."""
    depth = len(path.relative_to(SITE).parts) - 1
    text = path.read_text(encoding="utf-8")
    own = f'<script src="{"../" * depth}{FILE_WORKER}"></script>'
    path.write_text(text.replace(NETWORK_SCRIPT, own), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
