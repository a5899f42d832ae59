"""Who may know whom: the directions of imports, read from the source of every module."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from tools import architecture
from tools.architecture import MODULES, SOURCE, imports, statements

GAMES = sorted(path.name for path in (SOURCE / "games").iterdir() if (path / "rules.py").exists())
BASE = "core bits catalogues loading messages options text game_text spec"


def within(name: str, packages: Iterable[str]) -> bool:
    return any(name == each or name.startswith(f"{each}.") for each in packages)


def below(*packages: str) -> list[str]:
    return [name for name in MODULES if within(name, packages)]


def test_the_reader_of_imports_sees_all_kinds_of_them() -> None:
    assert "core" in imports("games.range_war.rules")  # from a module
    assert {"options", "registry"} <= imports("record")  # from the package
    assert "files" in imports("cli.saving")  # inside a function
    assert "record" in imports("cli.session") and len(GAMES) == 6


KNOWS_ONLY = {
    "games.<game>.rules": "core bits messages options text games.<game>.position_history",
    "games.<game>.text": "games.<game>.rules game_text messages text bits core",
    "games.<game>.batch": "games.<game>.rules bits core batch",
    "games.<game>.batch_theory": "games.<game>.batch batch",
    "games.<game>.board": "games.<game>.rules board bits core messages text",
    "solvers table": "bits core messages work_estimate solvers",
    "batch": "core batch",
    "board": "core messages registry",
    "board_text": "board messages",
    "adopted": f"{BASE} adopted",
    BASE: BASE,
    "store": "store",
    "profile": "analysis core file_locks files options oracles players profile record registry series spec"
    " text",
}
"""These modules, and those below them, import nothing else of ours; `<game>` is each game in turn."""

DOES_NOT_KNOW = {
    "games.<game>": "cli registry record players files",
    "solvers table players record files registry testing": "games cli",
    "envs cli tui web": "games",
    "web.match web.engine web.errors web.settings": "web.http",
    "web.engine": "web.match",
}


def each_game(rules: dict[str, str]) -> Iterator[tuple[list[str], list[str]]]:
    """The modules of a rule and what it names, once for each game if it is about games."""
    for modules, named in rules.items():
        for game in GAMES if "<game>" in modules else [""]:
            yield modules.replace("<game>", game).split(), named.replace("<game>", game).split()


def test_modules_know_only_what_they_may() -> None:
    offenders = [
        f"{module} imports {each}"
        for modules, known in each_game(KNOWS_ONLY)
        for module in below(*modules)
        for each in imports(module)
        if not within(each, known)
    ]
    assert offenders == []


def test_modules_do_not_know_what_is_above_them() -> None:
    offenders = [
        f"{module} imports {each}"
        for modules, unknown in each_game(DOES_NOT_KNOW)
        for module in below(*modules)
        for each in imports(module)
        if within(each, unknown)
    ]
    assert offenders == []


def test_no_game_knows_another_game_and_only_claims_replay_games() -> None:
    for game in GAMES:
        for module in below(f"games.{game}"):
            for each in imports(module):
                assert not each.startswith("games.") or within(each, [f"games.{game}"]), f"{module}: {each}"
                assert each != "table" or module.endswith(".claims"), module


FRONTS = ("arena", "dataset", "envs", "cli", "harness", "mcp_server", "tui", "web")
"""What people meet, each built on the specs below; only the command line may start another one."""


STARTERS = {
    "cli": ("__main__",),
    "arena": ("cli.arena",),
    "dataset": ("cli.dataset",),
    "harness": ("mcp_server",),  # its games are episodes
    "mcp_server": ("cli.mcp", "cli.mcp_workers", "cli.serve_mcp"),
    "tui": ("cli.main",),
    "web": ("cli.mcp", "cli.mcp_workers", "cli.serve", "cli.serve_mcp"),
}
"""Who may know a front: the commands that start it, and what is built on it."""


def test_nobody_knows_a_front() -> None:
    offenders = [
        f"{module} knows {front}"
        for front in FRONTS
        for module in set(MODULES) - set(below(front, *STARTERS.get(front, ())))
        if any(within(each, [front]) for each in imports(module))
    ]
    assert offenders == []


def test_settings_and_logs_load_no_solver() -> None:
    program = "from numberduels.profile import lesson_log, puzzle_log, saved_games, settings"
    assert "numberduels.solvers" not in loaded(program)


def test_no_two_modules_import_each_other_at_run_time() -> None:
    """Imports on both sides would make the order of loading matter."""
    TopologicalSorter({name: imports(name, at_run_time=True) for name in MODULES}).prepare()


def test_no_package_imports_another_in_a_circle() -> None:
    for unit, used in architecture.units().items():
        assert all(architecture.level(each) < architecture.level(unit) for each in used)
    assert architecture.layers()[0][0] == "base"


def test_the_picture_of_the_layers_is_up_to_date() -> None:
    assert architecture.main(check=True) == 0


def test_the_walks_in_the_documents_name_files_that_exist() -> None:
    text = (architecture.ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:[\w<>]+/)*[\w<>]+\.(?:py|html))`", text)
    assert len(named) > 40
    for each in named:
        assert list(SOURCE.glob(each.replace("<game>", "*"))), each


def test_there_are_no_dependencies() -> None:
    with (architecture.ROOT / "pyproject.toml").open("rb") as file:
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
    "web.http.connections": {"uvicorn"},
    "web.http.markdown": {"markdown_it", "markupsafe"},
    "web.http.metrics": {"prometheus_client"},
    "web.http.responses": {"msgspec", "starlette"},
    "web.http.schemas": {"msgspec"},
    "web.match.service": {"msgspec"},
    "web.match.state": {"msgspec"},
    "web.http.monitoring": {"prometheus_client", "starlette"},
    "web.http.rendering": {"jinja2", "starlette"},
    "web.http.qr": {"markupsafe", "segno"},
}
"""The modules of the server that import more than its framework, or something else."""
HARNESSES = {
    "harness.inspect_tasks": {"inspect_ai"},
    "harness.openenv_app": {"fastapi", "openenv", "uvicorn"},
    "harness.openenv_env": {"openenv"},
    "harness.openenv_models": {"openenv", "pydantic"},
    "harness.textarena_env": {"textarena"},
    "mcp_server.http": {"mcp", "starlette"},
    "mcp_server.server": {"mcp", "mcp_types", "pydantic"},
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


def imported(module: str) -> set[str]:
    """The packages that a module imports, ours among them."""
    return {name.split(".")[0] for name, _ in statements(module)}


def test_nothing_but_the_standard_library_is_imported() -> None:
    offenders = {
        module: more
        for module in MODULES
        if (more := imported(module) - sys.stdlib_module_names - {"numberduels"} - extras(module))
    }
    assert offenders == {}


def test_matches_and_engine_know_no_http() -> None:
    for module in below("web.match", "web.engine", "web.errors", "web.settings"):
        assert "starlette" not in imported(module), module


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


def test_the_menu_of_a_new_user_loads_no_game_and_no_parser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NUMBERDUELS_HOME", str(tmp_path / "not there yet"))
    modules = loaded("from numberduels.cli.main import main; assert main(['--plain']) == 0", "quit\n")
    heavy = UNWELCOME - {"numberduels.files"} | {"argparse", "dataclasses", "numberduels.registry"}
    assert not modules & heavy


def test_a_whole_game_of_range_war_loads_nothing_heavy() -> None:
    modules = loaded("from numberduels.cli.main import main; assert main(['play', 'range-war']) == 0", "1\n")
    assert not modules & {*UNWELCOME, "inspect"}
    specs = {name for name in modules if name.startswith("numberduels.games.")}
    assert specs == {f"numberduels.games.range_war{part}" for part in ("", ".rules", ".text")}


def test_the_package_itself_loads_nothing() -> None:
    assert [name for name in loaded("import numberduels") if within(name, ["numberduels"])] == ["numberduels"]
