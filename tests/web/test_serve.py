"""`duel serve`: its options and its error messages."""

from __future__ import annotations

import signal
import socket
import subprocess
from pathlib import Path

import pytest

from cli.running import duel, refused
from numberduels.cli.serve import _config, _parser, _settings
from numberduels.web.settings import ServerSettings
from tables import table

from .serving import DUEL, PATIENCE


def settings(*arguments: str) -> ServerSettings:
    return _settings(_parser().parse_args(list(arguments)))


def test_without_options_the_settings_are_the_defaults() -> None:
    assert settings() == ServerSettings()


def test_proxy_headers_are_used_only_with_trust(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "*")  # which uvicorn would believe
    assert _config("127.0.0.1", 80, 1, settings())["proxy_headers"] is False
    told = _config("127.0.0.1", 80, 1, settings("--trust", "127.0.0.1, 10.0.0.0/8,::1"))
    assert (told["proxy_headers"], told["forwarded_allow_ips"]) == (True, "127.0.0.1,10.0.0.0/8,::1")


def test_a_school_has_higher_limits_of_an_address() -> None:
    school = settings("--people", "300", "--memory", "256")
    assert (school.rate, school.games, school.questions, school.memory) == (300, 10_000, 640, 256)
    assert school.streams == ServerSettings().streams, "of everybody together"


def test_hosts_are_names_without_a_port() -> None:
    given = settings("--allow-host", "Duels.Example.org, b.example", "--allow-host", "[::1]")
    assert given.hosts == ("duels.example.org", "b.example", "[::1]")


@table(
    "options, phrases",
    [
        (["--workers", "2"], ["--store postgresql://"]),
        (["--port", "99999"], ["--port", "65535"]),
        (["--people", "many"], ["--people", "from 1 to 1000000"]),
        (["--trust", "localhost"], ["--trust", "127.0.0.1", "'localhost'"]),
        (["--allow-host", "duels.example:80"], ["--allow-host", "without a port"]),
        (["--store", "mysql://localhost/duels"], ["a store is a file"]),
        (["--store", "{folder}"], ["{folder}"]),
        (["--store", "{folder}/text"], ["{folder}/text", "not a database"]),
        (["--host", "192.0.2.1"], ["'192.0.2.1'", "cannot be listened on"]),
        (["--host", ""], ["--host takes an address"]),
    ],
)
def test_what_cannot_be_served_is_said_in_one_line(
    tmp_path: Path, options: list[str], phrases: list[str]
) -> None:
    (tmp_path / "text").write_text("this is no database, " * 100)
    filled = [option.format(folder=tmp_path) for option in options]
    if "--store" not in options:
        filled += ["--store", str(tmp_path / "duels.sqlite")]
    if not {"--port", "--host"} & set(options):
        filled += ["--port", "0"]
    refused(duel("serve", *filled), *(phrase.format(folder=tmp_path) for phrase in phrases))


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        ran = duel("serve", "--port", port, "--store", str(tmp_path / "duels.sqlite"))
        refused(ran, port, "in use")


@pytest.mark.long
def test_port_0_takes_a_free_port_and_prints_it_and_ctrl_c_ends_it_without_a_word(tmp_path: Path) -> None:
    command = [DUEL, "serve", "--port", "0", "--thinkers", "1", "--store", str(tmp_path / "duels.sqlite")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            port = int(line.split("http://127.0.0.1:")[1].split("/")[0])
            with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
                connection.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")
                assert connection.recv(100).startswith(b"HTTP/1.1 200")
        finally:
            process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=PATIENCE) == ("", "")
        assert process.returncode == 0
