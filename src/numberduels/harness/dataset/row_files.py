"""Rows of data as a file for other programs: Parquet or JSON lines, by the suffix of its name.

The columns are described once, by plain Python types, and both formats follow the description:

    {"game": str, "ply": int, "share": float, "forced": bool, "moves": [str], "worth": {"value": str}}

A list holds one type, a dict is a struct. Every value may also be None. Parquet needs `pyarrow`, which the
extra `data` installs.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, BinaryIO, Self

from numberduels.game.files import atomic_writer
from numberduels.game.formatting import short

Columns = Mapping[str, Any]
"""The columns by name, each with its type."""

SUFFIXES = (".parquet", ".jsonl")
CHUNK = 5_000
"""Rows that are held in memory and written together."""


def check_format(path: str) -> None:
    """Check that the suffix names a format that can be written here; ValueError says what would be right."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix not in SUFFIXES:
        raise ValueError(f"the file name must end with .parquet or .jsonl, not {short(suffix)}")
    if suffix == ".parquet":
        try:
            import pyarrow.parquet  # noqa: F401  # to say it before the work
        except ModuleNotFoundError:
            raise ValueError(
                "pyarrow is not installed; Parquet files need it: pip install 'numberduels[data]';"
                " .jsonl files need nothing"
            ) from None


class RowWriter:
    """Writes rows to an open file in chunks. A row must have exactly the columns that were described."""

    def __init__(self, file: BinaryIO, columns: Columns) -> None:
        self._file = file
        self._columns = columns
        self._waiting: list[dict[str, Any]] = []
        self.rows = 0
        """The number of rows so far."""

    def write(self, row: dict[str, Any]) -> None:
        """Write one row."""
        if row.keys() != self._columns.keys():
            different = ", ".join(sorted(row.keys() ^ self._columns.keys()))
            raise ValueError(f"the row does not fit the columns: {different}")
        self._waiting.append(row)
        self.rows += 1
        if len(self._waiting) >= CHUNK:
            self.flush()

    def flush(self) -> None:
        """Write the rows that wait."""
        if self._waiting:
            self.write_chunk(self._waiting)
            self._waiting = []

    def write_chunk(self, rows: list[dict[str, Any]]) -> None:
        """Write these rows at once."""
        for row in rows:
            ordered = {name: row[name] for name in self._columns}
            self._file.write(json.dumps(ordered, ensure_ascii=False, allow_nan=False).encode() + b"\n")

    def close(self) -> None:
        """Write what belongs to the end of the file. The file stays open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None:
            self.flush()
            self.close()
            return
        with suppress(Exception):  # the first error is the one to tell
            self.close()


class ParquetRowWriter(RowWriter):
    """The same rows as Parquet, compressed by zstd."""

    def __init__(self, file: BinaryIO, columns: Columns) -> None:
        super().__init__(file, columns)
        import pyarrow
        from pyarrow import parquet

        self._schema = pyarrow.schema([(name, arrow_type(kind)) for name, kind in columns.items()])
        self._table = pyarrow.Table
        self._parquet = parquet.ParquetWriter(file, self._schema, compression="zstd")

    def write_chunk(self, rows: list[dict[str, Any]]) -> None:
        self._parquet.write_table(self._table.from_pylist(rows, schema=self._schema))

    def close(self) -> None:
        self._parquet.close()


def arrow_type(kind: Any) -> Any:
    """The type of a column for pyarrow."""
    import pyarrow

    if isinstance(kind, list):
        return pyarrow.list_(arrow_type(kind[0]))
    if isinstance(kind, dict):
        return pyarrow.struct([(name, arrow_type(each)) for name, each in kind.items()])
    plain = {str: pyarrow.string, int: pyarrow.int64, float: pyarrow.float64, bool: pyarrow.bool_}
    return plain[kind]()


@contextmanager
def row_writer(path: str, columns: Columns, *, force: bool = False) -> Iterator[RowWriter]:
    """A writer for rows. The file appears complete when the block ends, and after an error not at all.

    A file that is there already is replaced only with `force`; otherwise OSError, as for all files here.
    """
    check_format(path)
    kind = ParquetRowWriter if path.lower().endswith(".parquet") else RowWriter
    with ExitStack() as stack:
        file = stack.enter_context(atomic_writer(path, force=force))
        yield stack.enter_context(kind(file, columns))


def write_rows(path: str, columns: Columns, rows: Iterable[dict[str, Any]], *, force: bool = False) -> int:
    """Write a whole file of rows, and return how many there were."""
    with row_writer(path, columns, force=force) as writer:
        for row in rows:
            writer.write(row)
    return writer.rows
