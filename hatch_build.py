"""Puts the built documentation into the wheel of a release, where `duel --help` points to.

The hook is off unless HATCH_BUILD_HOOK_ENABLE_CUSTOM=true, so that a wheel does not depend on what happens to
be in the folder `site`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class DocumentationHook(BuildHookInterface):
    """Adds the folder `site` to the wheel as numberduels/site."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name the folder before the files are collected; an editable install has it beside its source."""
        site = Path(self.root) / "site"
        if version == "editable":
            return
        if not (site / "index.html").is_file():
            raise FileNotFoundError(f"there is no documentation in {site}: run `make docs` first")
        build_data["force_include"][str(site)] = "numberduels/site"
