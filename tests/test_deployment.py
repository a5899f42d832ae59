"""The files of deploy/: they fit together, the documents quote them, and what they run works."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from configparser import RawConfigParser
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tables import table

if sys.platform != "linux":
    pytest.skip("servers of this kind run on Linux", allow_module_level=True)

from needs import lacking
from numberduels.cli.serve import _parser, _settings
from numberduels.web.settings import ServerSettings
from postgresql import Server as Database
from postgresql import binaries

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
HOSTING = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
PATIENCE = 120
"""Seconds before a hanging program fails its test; nothing is timed by it."""


def text_of(name: str) -> str:
    return (DEPLOY / name).read_text(encoding="utf-8")


def dockerfile() -> list[tuple[str, str]]:
    """The instructions of the Dockerfile."""
    joined = text_of("Dockerfile").replace("\\\n", " ")
    lines = [line.strip() for line in joined.splitlines()]
    found = [line.split(maxsplit=1) for line in lines if line and not line.startswith("#")]
    return [(word, value) for word, value in found]


def instruction(name: str) -> list[str]:
    """The values of all instructions of one kind."""
    return [value for word, value in dockerfile() if word == name]


def compose() -> dict[str, Any]:
    """The compose file with the variables of an .env file, as Compose would read them."""
    yaml = pytest.importorskip("yaml")
    text = re.sub(r"\$\{DOMAIN:\?[^}]*\}", "duels.example.org", text_of("compose.yaml"))
    text = text.replace("${WORKERS:-2}", "2")
    assert "${" not in text
    found: dict[str, Any] = yaml.safe_load(text.replace("$$", "$"))
    return found


def served(command: list[str]) -> ServerSettings:
    """The settings of a `duel serve` command; CliError if it is none."""
    assert command[0] == "serve"
    return _settings(_parser().parse_args(command[1:]))


def unit() -> RawConfigParser:
    """The systemd unit."""
    parser = RawConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # its keys have capitals
    parser.read_string(text_of("numberduels.service"))
    return parser


@table(
    "kind, name",
    [
        ("dockerfile", "Dockerfile"),
        ("yaml", "compose.yaml"),
        ("caddyfile", "Caddyfile"),
        ("ini", "numberduels.service"),
    ],
)
def test_the_documents_quote_the_files(kind: str, name: str) -> None:
    quoted = re.findall(
        rf"`deploy/{name}`[^\n]*:\n\n```{kind}\n(.*?)^```$", HOSTING, re.DOTALL | re.MULTILINE
    )
    assert quoted == [text_of(name)]


# The image


def test_the_image_copies_files_that_exist_and_that_are_sent_to_the_build() -> None:
    allowed = {line[1:] for line in text_of("Dockerfile.dockerignore").splitlines() if line.startswith("!")}
    sources = {
        source for value in instruction("COPY") if "--from" not in value for source in value.split()[:-1]
    }
    assert {source.removeprefix("./") for source in sources} == allowed
    assert all((ROOT / source).exists() for source in sources)


def test_the_server_of_the_image_runs_without_rights_on_the_exposed_port() -> None:
    (user,) = instruction("USER")
    assert int(user) >= 1000 and f"--uid {user}" in instruction("RUN")[1]
    entry, command = json.loads(instruction("ENTRYPOINT")[0]), json.loads(instruction("CMD")[0])
    assert entry == ["duel"]
    served(command)
    (port,) = instruction("EXPOSE")
    assert command[command.index("--port") + 1] == port
    assert f"127.0.0.1:{port}/healthz" in instruction("HEALTHCHECK")[0]


# Compose


def test_only_the_proxy_is_open_to_the_outside() -> None:
    services = compose()["services"]
    assert set(services) == {"proxy", "server", "database"}
    assert [name for name, each in services.items() if "ports" in each] == ["proxy"]
    assert not set(services["proxy"]["networks"]) & set(services["database"]["networks"])
    assert compose()["networks"]["back"]["internal"] is True


def test_the_server_of_compose_has_workers_that_share_the_database() -> None:
    settings = served(compose()["services"]["server"]["command"])
    assert settings.store == "postgresql://duels@database/duels"
    assert (settings.trust, settings.hosts) == ("*", ("duels.example.org",))
    environment = compose()["services"]["database"]["environment"]
    assert (environment["POSTGRES_USER"], environment["POSTGRES_DB"]) == ("duels", "duels")


def test_the_password_is_a_secret_that_is_not_committed() -> None:
    name = compose()["secrets"]["database_password"]["file"].removeprefix("./")
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert {f"/deploy/{name}", "/deploy/.env"} <= set(ignored)
    assert f">{name}\n" in HOSTING
    for service in ("server", "database"):
        assert compose()["services"][service]["secrets"] == ["database_password"]


# The unit


def test_the_unit_serves_from_its_own_folder() -> None:
    service = unit()["Service"]
    program, *command = shlex.split(service["ExecStart"])
    assert served(command).trust == "127.0.0.1"
    assert service["Environment"] == f"NUMBERDUELS_HOME=/var/lib/{service['StateDirectory']}"
    folder = program.removesuffix("/bin/duel")
    assert f"python3 -m venv {folder}\n" in HOSTING and f"{folder}/bin/pip install" in HOSTING


@pytest.mark.long
def test_systemd_accepts_the_unit_and_finds_it_safe(tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze") or lacking("systemd-analyze", "apt-get install systemd")
    copy = tmp_path / "numberduels.service"
    program = unit()["Service"]["ExecStart"].split()[0]
    copy.write_text(text_of("numberduels.service").replace(program, sys.executable), encoding="utf-8")
    checked = subprocess.run(
        [analyze, "verify", "--man=no", copy], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert (checked.stderr, checked.returncode) == ("", 0)
    rated = subprocess.run(
        [analyze, "security", "--offline=yes", "--threshold=20", "--no-pager", copy],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert rated.returncode == 0, rated.stdout[-200:]


# What they run


def free_port() -> int:
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        port: int = door.getsockname()[1]
        return port


@contextmanager
def running(command: list[str], environment: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A server that is told to stop at the end; it must end without a fault."""
    with subprocess.Popen(command, env={**os.environ, **environment}) as process:
        try:
            yield process
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE) == 0
        finally:
            process.kill()


def wait_until_healthy(process: subprocess.Popen[bytes], python: str, port: int) -> None:
    """Run the health check of the image until it succeeds."""
    words = json.loads(instruction("HEALTHCHECK")[0].partition("CMD ")[2])
    check = [python, *(word.replace(":8000/", f":{port}/") for word in words[1:])]
    deadline = time.monotonic() + PATIENCE
    while subprocess.run(check, capture_output=True, check=False, timeout=PATIENCE).returncode:
        assert process.poll() is None, "the server has ended"
        assert time.monotonic() < deadline, "the server does not become healthy"


def with_port(command: list[str], port: int) -> list[str]:
    return [word.replace("8000", str(port)).replace("0.0.0.0", "127.0.0.1") for word in command]


@pytest.mark.long
def test_the_steps_of_the_image_make_a_server_that_is_healthy(tmp_path: Path) -> None:
    build, venv = tmp_path / "build", tmp_path / "venv"
    build.mkdir()
    for value in instruction("COPY"):
        if "--from" not in value:
            for source in value.split()[:-1]:
                subprocess.run(["cp", "-r", str(ROOT / source), build], check=True)
    (step,) = instruction("RUN")[:1]
    step = step.replace("/venv", str(venv)).replace("python -m", f"{sys.executable} -m")
    subprocess.run(["sh", "-ec", step], cwd=build, check=True, timeout=10 * PATIENCE)
    port = free_port()
    (entry,) = json.loads(instruction("ENTRYPOINT")[0])
    command = [str(venv / "bin" / entry), *with_port(json.loads(instruction("CMD")[0]), port)]
    with running(command, {"NUMBERDUELS_HOME": str(tmp_path / "data")}) as process:
        wait_until_healthy(process, str(venv / "bin" / "python"), port)
    assert (tmp_path / "data" / "duels.sqlite").exists()


@pytest.fixture
def database() -> Iterator[Database]:
    """A PostgreSQL where the user `guest` needs a password."""
    programs = binaries() or lacking("PostgreSQL", "apt-get install postgresql")
    server = Database(programs)
    try:
        rules = server.folder / "data" / "pg_hba.conf"
        rules.write_text(f"local all guest scram-sha-256\n{rules.read_text()}")
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(server.folder, ignore_errors=True)


@pytest.mark.long
def test_the_server_of_compose_reads_the_password_from_its_secret(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PGPASSWORD", raising=False)
    asyncio.run(database._ask("CREATE ROLE guest LOGIN SUPERUSER PASSWORD 'open sesame'"))
    secret = tmp_path / "password"
    secret.write_text("open sesame\n")
    service, port = compose()["services"]["server"], free_port()
    duel = str(Path(sys.executable).parent / "duel")
    url = database.fresh().replace("duels@", "guest@")
    shell = [
        word.replace("/run/secrets/database_password", str(secret)).replace("exec duel", f"exec {duel}")
        for word in service["entrypoint"]
    ]
    options = [word.replace("postgresql://duels@database/duels", url) for word in service["command"]]
    command = [*shell, *with_port(options, port)]
    with running(command, {"NUMBERDUELS_HOME": str(tmp_path / "not used")}) as process:
        wait_until_healthy(process, sys.executable, port)
        assert b"sesame" not in Path(f"/proc/{process.pid}/cmdline").read_bytes()
    assert not (tmp_path / "not used").exists()
