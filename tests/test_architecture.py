"""Who may know whom: the directions of imports, read from the source of every module."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from tools import architecture

import numberduels

ROOT = Path(numberduels.__file__).parent
GAMES = sorted(path.name for path in (ROOT / "games").iterdir() if (path / "rules.py").exists())
BASE = {"core", "bits", "catalogues", "loading", "messages", "options", "text", "game_text", "spec"}


def module_name(path: Path) -> str:
    """The name below `numberduels`: games.range_war.rules, or nothing for the package itself."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}


@cache
def imports(name: str, *, at_run_time: bool = False) -> set[str]:
    """Every module of ours that a module imports, inside functions too; relative imports there are none."""
    found = set()
    for node in _nodes(ast.parse(MODULES[name].read_text(encoding="utf-8")), at_run_time):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name} imports relatively"
            assert node.module is not None
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                is_module = whole.removeprefix("numberduels.") in MODULES
                found.add(whole if is_module else node.module)
    ours = {each for each in found if each.split(".")[0] == "numberduels"}
    return {each.partition(".")[2] for each in ours}


def _nodes(tree: ast.AST, at_run_time: bool) -> Iterator[ast.AST]:
    """All nodes; at run time without those below `if TYPE_CHECKING`."""
    for child in ast.iter_child_nodes(tree):
        if at_run_time and isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        yield child
        yield from _nodes(child, at_run_time)


def below(*packages: str) -> list[str]:
    return [name for name in MODULES if any(name == each or name.startswith(f"{each}.") for each in packages)]


def test_the_reader_of_imports_sees_all_kinds_of_them() -> None:
    assert "core" in imports("games.range_war.rules")  # from a module
    assert {"options", "registry"} <= imports("record")  # from the package
    assert "files" in imports("cli.saving")  # inside a function
    assert "record" in imports("cli.session") and len(GAMES) == 6


@pytest.mark.parametrize("game", GAMES)
def test_rules_know_only_the_base(game: str) -> None:
    own = {f"games.{game}.position_history"}
    assert imports(f"games.{game}.rules") <= {"core", "bits", "messages", "options", "text"} | own


@pytest.mark.parametrize("game", GAMES)
def test_the_text_of_a_game_knows_its_own_rules_and_the_base(game: str) -> None:
    allowed = {f"games.{game}.rules", "game_text", "messages", "text", "bits", "core"}
    assert imports(f"games.{game}.text") <= allowed


@pytest.mark.parametrize("game", GAMES)
def test_no_game_knows_another_game(game: str) -> None:
    above = {"cli", "registry", "table", "record", "players", "files"}
    for module in below(f"games.{game}"):
        unwelcome = above - {"table"} if module.endswith(".claims") else above  # claims replay games
        for each in imports(module):
            assert not each.startswith("games.") or f"{each}.".startswith(f"games.{game}."), (
                f"{module} knows {each}"
            )
            assert each.split(".")[0] not in unwelcome


@pytest.mark.parametrize(
    "module", below("solvers", "table", "players", "record", "files", "registry", "testing")
)
def test_solvers_tables_and_players_know_no_game_and_no_command_line(module: str) -> None:
    for each in imports(module):
        assert each.split(".")[0] not in ("games", "cli"), f"{module} knows {each}"


@pytest.mark.parametrize("module", below("solvers", "table"))
def test_solvers_and_tables_know_nothing_but_the_core(module: str) -> None:
    known = ("bits", "core", "messages", "work_estimate")
    assert all(each in known or each.startswith("solvers") for each in imports(module))


@pytest.mark.parametrize("module", below("batch"))
def test_batches_know_nothing_but_the_core(module: str) -> None:
    assert all(each == "core" or each.startswith("batch") for each in imports(module))


@pytest.mark.parametrize("game", [game for game in GAMES if f"games.{game}.batch" in MODULES])
def test_the_batch_of_a_game_knows_its_own_rules_and_the_general_batches(game: str) -> None:
    general_oracle = set(below("batch"))
    assert imports(f"games.{game}.batch") <= {f"games.{game}.rules", "bits", "core"} | general_oracle


@pytest.mark.parametrize("game", [game for game in GAMES if f"games.{game}.batch_theory" in MODULES])
def test_the_batch_theory_of_a_game_knows_its_own_batch_and_the_general_batches(game: str) -> None:
    assert imports(f"games.{game}.batch_theory") <= {f"games.{game}.batch", *below("batch")}


@pytest.mark.parametrize("game", [game for game in GAMES if f"games.{game}.board" in MODULES])
def test_the_board_of_a_game_knows_its_own_rules_and_the_general_board(game: str) -> None:
    assert imports(f"games.{game}.board") <= {
        f"games.{game}.rules",
        "board",
        "bits",
        "core",
        "messages",
        "text",
    }


def test_the_general_board_names_no_game() -> None:
    assert imports("board") <= {"core", "messages", "registry"}
    assert imports("board_text") <= {"board", "messages"}


@pytest.mark.parametrize("module", below("adopted"))
def test_adopted_games_know_only_the_base(module: str) -> None:
    assert all(each in BASE or each.split(".")[0] == "adopted" for each in imports(module))


@pytest.mark.parametrize("module", below("envs"))
def test_environments_name_no_game(module: str) -> None:
    assert not any(each.startswith("games") for each in imports(module))


@pytest.mark.parametrize("module", sorted(BASE))
def test_the_base_knows_only_the_base(module: str) -> None:
    assert imports(module) <= BASE


FRONTS = ("arena", "dataset", "envs", "cli", "harness", "mcp_server", "tui", "web")
"""What people meet, each built on the specs below; only the command line may start another one."""


STARTERS = {
    "cli": ("__main__",),
    "arena": ("cli.arena",),
    "dataset": ("cli.dataset",),
    "harness": ("mcp_server",),  # its games are episodes
    "mcp_server": ("cli.mcp", "cli.serve_mcp"),
    "tui": ("cli.main",),
    "web": ("cli.serve", "cli.serve_mcp"),
}
"""Who may know a front: the commands that start it, and what is built on it."""


@pytest.mark.parametrize("front", FRONTS)
def test_nobody_knows_a_front(front: str) -> None:
    for module in set(MODULES) - set(below(front, *STARTERS.get(front, ()))):
        assert not any(each == front or each.startswith(f"{front}.") for each in imports(module)), module


@pytest.mark.parametrize("module", below("profile"))
def test_what_is_kept_about_the_player_names_no_game(module: str) -> None:
    allowed = {
        "analysis",
        "core",
        "file_locks",
        "files",
        "options",
        "oracles",
        "players",
        "profile",
        "record",
        "registry",
        "series",
    }
    assert {each.split(".")[0] for each in imports(module)} <= allowed | {"spec", "text"}


def test_settings_and_logs_load_no_solver() -> None:
    for module in ("settings", "puzzle_log", "lesson_log", "saved_games"):
        assert "numberduels.solvers" not in loaded(f"import numberduels.profile.{module}")


def test_the_terminal_names_no_game() -> None:
    for module in below("cli", "tui"):
        assert not any(each.startswith("games") for each in imports(module))


def test_no_two_modules_import_each_other_at_run_time() -> None:
    """Imports on both sides would make the order of loading matter."""

    def reaches(start: str, goal: str) -> bool:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            for each in imports(waiting.pop(), at_run_time=True) - seen:
                if each == goal:
                    return True
                seen.add(each)
                waiting.append(each)
        return False

    # The package itself offers everything by name, and loads it when asked.
    circles = [name for name in MODULES if name and reaches(name, name)]
    assert circles == []


def test_no_package_imports_another_in_a_circle() -> None:
    for unit, used in architecture.units().items():
        assert all(architecture.level(each) < architecture.level(unit) for each in used)
    assert architecture.layers()[0][0] == "base"


def test_the_picture_of_the_layers_is_up_to_date() -> None:
    assert architecture.main(check=True) == 0


def test_the_walks_in_the_documents_name_files_that_exist() -> None:
    text = (ROOT.parent.parent / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:[\w<>]+/)*[\w<>]+\.(?:py|html))`", text)
    assert len(named) > 40
    for each in named:
        assert list(ROOT.glob(each.replace("<game>", "*"))), each


def test_there_are_no_dependencies() -> None:
    with (ROOT.parent.parent / "pyproject.toml").open("rb") as file:
        assert tomllib.load(file)["project"]["dependencies"] == []


NUMPY = (
    "solvers.subset_table",
    "games.summation_duel.rest_table",
    "games.summation_duel.sum_table",
    "batch",
    "envs",
)
SERVER = {
    "store.postgres": {"asyncpg"},
    "cli.serve": {"uvicorn"},
    "web.http.markdown": {"markdown_it", "markupsafe"},
    "web.http.metrics": {"prometheus_client"},
    "web.http.responses": {"msgspec", "starlette"},
    "web.http.schemas": {"msgspec"},
    "web.match.service": {"msgspec"},
    "web.match.state": {"msgspec"},
    "web.http.monitoring": {"prometheus_client", "starlette"},
    "web.http.rendering": {"jinja2", "starlette"},
    "web.http.protocol": {"uvicorn"},
    "web.http.qr": {"markupsafe", "segno"},
}
"""The modules of the server that import more than its framework, or something else."""
HARNESSES = {
    "harness.inspect_tasks": {"inspect_ai"},
    "harness.openenv_app": {"openenv", "uvicorn"},
    "harness.openenv_env": {"openenv"},
    "harness.openenv_models": {"openenv", "pydantic"},
    "harness.textarena_env": {"textarena"},
    "mcp_server.http": {"mcp"},
    "mcp_server.server": {"anyio", "mcp", "mcp_types", "pydantic"},
    "harness.verifiers_chat": {"openai", "verifiers"},
    "harness.verifiers_env": {"pydantic", "verifiers"},
}
"""The adapters, each with the package of its harness."""
ENVIRONMENTS = ("PIL", "gymnasium", "open_spiel", "pettingzoo", "pygame", "pyspiel")


def extras(module: str) -> set[str]:
    """What a module may import beyond the standard library: it is loaded only where an extra is installed."""
    if module in ("arena.run", "cli.arena.run_command"):
        return {"distributed"}
    if module in below("web", "store") or module == "cli.serve":
        return SERVER.get(module, {"starlette"} if module in below("web") else set())
    if module in below("tui"):
        return {"rich", "textual"}
    if module in HARNESSES:
        return HARNESSES[module]
    if module == "board_image":
        return {"PIL"}
    if module == "row_files":
        return {"pyarrow"}
    if module == "adopted.openspiel":
        return {"open_spiel", "pyspiel"}
    may = {"numpy"} if module in below(*NUMPY) or module.endswith((".batch", ".batch_theory")) else set()
    return may | set(ENVIRONMENTS) if module in below("envs") else may


@pytest.mark.parametrize("module", list(MODULES))
def test_nothing_but_the_standard_library_is_imported(module: str) -> None:
    for node in ast.walk(ast.parse(MODULES[module].read_text(encoding="utf-8"))):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        for name in names:
            top = name.split(".")[0]
            known = {"numberduels", *extras(module)}
            assert top in known or top in sys.stdlib_module_names, f"{module} imports {name}"


def loaded(program: str, stdin: str = "") -> set[str]:
    """The modules that are loaded when the program has run; it leaves them on the last line of stderr."""
    tail = "\nimport sys; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program + tail], input=stdin, capture_output=True, text=True, check=True
    )
    return set(done.stderr.splitlines()[-1].split())


UNWELCOME = {
    "asyncio",
    "importlib.metadata",
    "json",
    "numberduels.files",
    "numberduels.record",
    "numberduels.solvers",
    "numpy",
    "pathlib",
    "textual",
}

PLAY_TO_THE_END = "from numberduels.cli.main import main; assert main(['play', 'range-war']) == 0"


def test_the_command_line_loads_nothing_heavy() -> None:
    assert not loaded("import numberduels.cli.main") & UNWELCOME


def test_the_menu_of_a_new_user_loads_no_game_and_no_parser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBERDUELS_HOME", str(tmp_path / "not there yet"))
    modules = loaded("from numberduels.cli.main import main; assert main(['--plain']) == 0", "quit\n")
    heavy = UNWELCOME - {"numberduels.files"} | {"argparse", "dataclasses", "numberduels.registry"}
    assert not modules & heavy


def test_a_whole_game_of_range_war_loads_nothing_heavy() -> None:
    modules = loaded(PLAY_TO_THE_END, "1\n")
    assert not modules & {*UNWELCOME, "inspect"}
    specs = {name for name in modules if name.startswith("numberduels.games.")}
    assert specs == {f"numberduels.games.range_war{part}" for part in ("", ".rules", ".text")}


def test_the_package_itself_loads_nothing() -> None:
    assert {name for name in loaded("import numberduels") if name.startswith("numberduels")} == {
        "numberduels"
    }


@pytest.mark.parametrize("module", below("store"))
def test_stores_know_nothing_but_stores(module: str) -> None:
    assert all(each.startswith("store") for each in imports(module))


@pytest.mark.parametrize("module", below("web"))
def test_the_server_names_no_game(module: str) -> None:
    assert not any(each.startswith("games") for each in imports(module))


@pytest.mark.parametrize("module", below("web.match", "web.engine", "web.errors", "web.settings"))
def test_matches_and_engine_know_no_http(module: str) -> None:
    assert "starlette" not in MODULES[module].read_text(encoding="utf-8")
    assert not any(each.startswith("web.http") for each in imports(module))


@pytest.mark.parametrize("module", below("web.engine"))
def test_the_engine_knows_no_match(module: str) -> None:
    assert not any(each.startswith("web.match") for each in imports(module))
