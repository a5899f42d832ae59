"""Write the SBOMs of the package: CycloneDX, for the base and for the extra `web`.

    python -m tools.sbom [FOLDER]

CycloneDX's own tool reads a fresh environment that has the package and nothing else. References to addresses
are left out, so that the files say what is in the package and not where somebody got it.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
KINDS = {"base": "", "web": "[web]"}


def without_addresses(value: Any) -> Any:
    """The document without references to addresses.

    >>> without_addresses({"externalReferences": [{"url": "somewhere"}], "components": [{"name": "x"}]})
    {'components': [{'name': 'x'}]}
    """
    if isinstance(value, dict):
        return {key: without_addresses(each) for key, each in value.items() if key != "externalReferences"}
    return [without_addresses(each) for each in value] if isinstance(value, list) else value


def write_sboms(source: Path, package: Path, version: str, folder: Path) -> list[Path]:
    """Install a package, once for each kind, and write what that environment has."""
    written = []
    for kind, extra in KINDS.items():
        with tempfile.TemporaryDirectory() as scratch:
            environment, found = Path(scratch) / "env", Path(scratch) / "sbom.json"
            _run("-m", "venv", "--without-pip", str(environment))
            python = environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
            _run("-m", "pip", "--python", str(python), "install", "--quiet", f"{package}{extra}")
            options = ["--output-reproducible", "--short-PURLs", "--of", "JSON", "-o", str(found)]
            pyproject = ["--pyproject", str(source / "pyproject.toml"), "--mc-type", "library"]
            _run("-m", "cyclonedx_py", "environment", *pyproject, *options, str(python))
            document = without_addresses(json.loads(found.read_text(encoding="utf-8")))
        document["metadata"]["component"]["version"] = version
        path = folder / f"numberduels-{version}-{kind}.cdx.json"
        path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        written.append(path)
    return written


def _run(*arguments: str) -> None:
    done = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"python {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")


def main() -> None:
    """Write the SBOMs of this checkout."""
    from numberduels import __version__

    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "dist")
    folder.mkdir(exist_ok=True)
    for path in write_sboms(ROOT, ROOT, __version__, folder):
        print(path)


if __name__ == "__main__":
    main()
