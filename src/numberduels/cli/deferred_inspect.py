"""Import `dataclasses` without `inspect`: a third of the time to the first prompt, and hardly ever used."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class DeferredInspect(ModuleType):
    """Stands for `inspect` inside `dataclasses`, and only there.

    It imports the real module when asked for more than the annotations of a class: for the signature of a
    dataclass without a docstring.
    """

    if sys.version_info < (3, 14):  # since then annotations are computed when read, and not by `inspect`

        @staticmethod
        def get_annotations(kind: type[Any]) -> dict[str, Any]:
            """The annotations of a class; Python 3.11 reads them in this way itself."""
            return dict(vars(kind).get("__annotations__", {}))

    def __getattr__(self, name: str) -> Any:
        import inspect

        return getattr(inspect, name)


def import_dataclasses() -> None:
    """Import `dataclasses`; everybody else who imports `inspect` still gets the real one."""
    if "dataclasses" in sys.modules or "inspect" in sys.modules:
        return
    sys.modules["inspect"] = DeferredInspect("inspect")
    try:
        import dataclasses  # noqa: F401  # it keeps what it finds under this name
    finally:
        del sys.modules["inspect"]
