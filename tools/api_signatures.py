"""Signatures of public names, read from the source without importing it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parents[1] / "src"
CALLED = {"__init__", "__new__", "__call__", "__len__", "__iter__", "__getitem__", "__enter__", "__exit__"}
"""Special methods that are part of the interface of a class."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Definition(NamedTuple):
    """Where a name is defined, and the statement that defines it."""

    module: str
    node: ast.stmt


def signatures(module: str, names: str) -> Iterator[str]:
    """Lines that describe these names of a module, separated by spaces; `*` stands for its `__all__`.

    >>> list(signatures("numberduels.game.bits", "span"))
    ['numberduels.game.bits.span(low: int, high: int) -> int']
    """
    wanted = exported(module) if names == "*" else names.split()
    for name in sorted(wanted):
        yield from _describe(f"{module}.{name}", definition(module, name))


def exported(module: str) -> list[str]:
    """The names in `__all__` of a module."""
    node = definition(module, "__all__").node
    assert isinstance(node, ast.Assign)
    names: list[str] = ast.literal_eval(node.value)
    return names


def definition(module: str, name: str) -> Definition:
    """The definition of a name; through imports it is followed to the module that has it."""
    for node in _statements(module):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if (alias.asname or alias.name) == name:
                    if node.module.split(".")[0] != "numberduels":
                        return Definition(module, node)
                    return definition(node.module, alias.name)
        elif name in _defined(node):
            return Definition(module, node)
    raise LookupError(f"{module} has no name {name}; change PUBLIC in tools/public_api.py")


@cache
def _statements(module: str) -> list[ast.stmt]:
    """The statements of a module, with those below `if TYPE_CHECKING`."""
    path = SOURCE.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    if not file.exists():
        raise LookupError(f"there is no module {module}; change PUBLIC in tools/public_api.py")
    found = []
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        found += node.body if isinstance(node, ast.If | ast.Try) else [node]
    return found


def _defined(node: ast.stmt) -> list[str]:
    """The names that a statement defines."""
    if isinstance(node, Function | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.AnnAssign):
        return [node.target.id] if isinstance(node.target, ast.Name) else []
    if isinstance(node, ast.Assign):
        return [each.id for target in node.targets for each in ast.walk(target) if isinstance(each, ast.Name)]
    return []


def _describe(name: str, found: Definition) -> Iterator[str]:
    node = found.node
    if isinstance(node, Function):
        yield f"{name}{_signature(node)}"
    elif isinstance(node, ast.ClassDef):
        head = f"class {name}({', '.join(map(ast.unparse, [*node.bases, *node.keywords]))})"
        yield " ".join([head, *(f"@{ast.unparse(each)}" for each in node.decorator_list)])
        members = _members(found)
        fields = [each for each in members if isinstance(members[each], ast.AnnAssign)]  # their order matters
        for member in [*fields, *sorted(members.keys() - set(fields))]:
            yield _member(f"{name}.{member}", members[member])
    elif isinstance(node, ast.AnnAssign):
        yield f"{name}: {ast.unparse(node.annotation)}"
    elif isinstance(node, ast.Assign) and _is_type_name(name.rpartition(".")[2]):
        yield f"{name} = {ast.unparse(node.value)}"
    else:
        yield name


def _is_type_name(name: str) -> bool:
    """Whether a name is written as a type, such as Seat, and not as a constant."""
    return name[0].isupper() and not name.isupper()


def _members(found: Definition) -> dict[str, ast.stmt]:
    """The public members of a class by name, with those that it has from our other classes."""
    assert isinstance(found.node, ast.ClassDef)
    members: dict[str, ast.stmt] = {}
    for base in found.node.bases:
        name = ast.unparse(base.value if isinstance(base, ast.Subscript) else base)
        if _is_ours(found.module, name):
            members |= _members(definition(found.module, name))
    for node in found.node.body:
        for name in _defined(node):
            if (not name.startswith("_") or name in CALLED) and not _is_setter(node):
                members[name] = node
    return members


def _is_setter(node: ast.stmt) -> bool:
    """Whether this is the second definition of a property."""
    return isinstance(node, Function) and any(isinstance(each, ast.Attribute) for each in node.decorator_list)


def _is_ours(module: str, name: str) -> bool:
    try:
        return isinstance(definition(module, name).node, ast.ClassDef)
    except LookupError:  # a class of the standard library or of another package
        return False


def _member(name: str, node: ast.stmt) -> str:
    if isinstance(node, Function):
        kinds = [ast.unparse(each) for each in node.decorator_list]
        return " ".join([f"{name}{_signature(node)}", *(f"@{kind}" for kind in kinds)])
    if isinstance(node, ast.AnnAssign):
        default = f" = {ast.unparse(node.value)}" if node.value else ""
        return f"{name}: {ast.unparse(node.annotation)}{default}"
    return name


def _signature(node: Function) -> str:
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"({ast.unparse(node.args)}){returns}" + (
        " async" if isinstance(node, ast.AsyncFunctionDef) else ""
    )
