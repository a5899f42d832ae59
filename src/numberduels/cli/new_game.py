"""`duel new-game NAME`: write the skeleton of a game package, made from `games/template`."""

from __future__ import annotations

import keyword
import os
import re
import sys

from numberduels.cli.argument_parser import CliError, Parser
from numberduels.cli.console import error_reason, print_folded, shell_command
from numberduels.game import registry
from numberduels.game.formatting import printable, short

ABOUT = """\
Write the skeleton of a new game into a new folder: a package with rules, text and the rules as
Markdown, a test that checks it, and a pyproject.toml that makes it known to duel. It is a small
complete game already; change it into yours step by step.
"""

PYPROJECT = """\
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[project]
name = "{name}"
version = "0.1"
dependencies = ["numberduels"]

[project.entry-points."numberduels.games"]
{name} = "{package}:spec"

[tool.hatch.build.targets.wheel]
packages = ["{package}"]
"""

TEST = '''\
"""{title} keeps the contract of a game."""

from {package} import spec
from numberduels import check_game


def test_the_game_keeps_the_contract() -> None:
    check_game(spec, spec.rules(size=3), spec.rules(size=40))
'''

TEMPLATE = "numberduels.games.template"


def run(arguments: list[str]) -> int:
    """Write the skeleton and say what to do next."""
    parser = Parser("new-game", ABOUT)
    parser.add_argument("name", metavar="NAME", help="what is typed to play it, such as nim-heap")
    parser.add_argument("--folder", metavar="DIR", help="the new folder (default: NAME)")
    parsed = parser.parse_args(arguments)
    name: str = parsed.name
    package = name.replace("-", "_")
    if fault := _name_fault(name, package):
        raise CliError(f"{short(name)} cannot name a game package: {fault}")
    if name in registry.names():
        raise CliError(f"there is a game called {name} already")
    folder: str = name if parsed.folder is None else parsed.folder
    try:
        _write(folder, skeleton(name, package))
    except FileExistsError:
        raise CliError(
            f"{short(folder, 200)} is there already: name a new folder with --folder DIR"
        ) from None
    except (OSError, ValueError) as error:
        raise CliError(f"{short(folder, 200)} cannot be written: {error_reason(error)}") from None
    print_folded(
        f"The game {name} is in the folder {printable(folder)}. To install, play and test it:\n"
        f"  python -m pip install --editable {printable(folder)}\n"
        f"  {shell_command('play', name)}\n"
        "  python -m pip install pytest\n"
        f"  python -m pytest {printable(folder)}\n"
    )
    return 0


def _name_fault(name: str, package: str) -> str:
    """Why no package of this name can be imported without hiding another; "" if it can."""
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        return "use small letters, digits and hyphens (nim-heap)"
    if keyword.iskeyword(package):
        return "it is a Python keyword; take another name (nim-heap)"
    taken = {"numberduels", "test", "tests"} | sys.stdlib_module_names
    return "another package has this name; take another one (nim-heap)" if package in taken else ""


def skeleton(name: str, package: str) -> dict[str, str]:
    """Every file of the skeleton by its path: the template's files with its names replaced, and two more."""
    from importlib.resources import files

    title = name.replace("-", " ").title()
    names = {
        TEMPLATE: package,
        "last-counter": name,
        "Last Counter": title,
        "LastCounter": title.replace(" ", ""),
    }
    found = {
        "pyproject.toml": PYPROJECT.format(name=name, package=package),
        f"tests/test_{package}.py": TEST.format(title=title, package=package),
    }
    for file in files(TEMPLATE).iterdir():
        if file.is_file() and not file.name.endswith(".pyc"):
            text = re.sub("|".join(names), lambda match: names[match[0]], file.read_text(encoding="utf-8"))
            # A comment that begins so is about the template alone.
            found[f"{package}/{file.name}"] = re.sub(r"(?m)^# Template: .*\n", "", text)
    return found


def _write(folder: str, texts: dict[str, str]) -> None:
    os.makedirs(folder)
    for path, text in texts.items():
        whole = os.path.join(folder, *path.split("/"))
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        with open(whole, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
