"""The MCP server, with the client of the package: in the process, over standard streams and over HTTP."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from golden_episodes import EPISODES, run_example
from mcp import Client, StdioServerParameters
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID

from numberduels.harness.mcp.calls import Calls
from numberduels.harness.mcp.server import BOARD, make_server
from numberduels.harness.mcp.tools import TASKS

DUEL = str(Path(sys.executable).parent / "duel")
TOOLS = {
    "list_games", "new_game", "position", "move",
    "hint", "values", "review", "puzzle",
}  # fmt: skip
SIX = "summation-duel:size=4:target=6"
"""By hand: of the first moves only 3 wins."""


async def inline(task: str, *arguments: Any, client: str) -> Any:  # noqa: ARG001
    """Runs a task in this process."""
    return TASKS[task](*arguments)


@contextmanager
def web_server(folder: Path, *options: str) -> Iterator[str]:
    """`duel serve --mcp` on a free port; its address."""
    command = [DUEL, "serve", "--mcp", "--port", "0", "--store", str(folder / "duels.sqlite"), *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+/", process.stdout.readline())
            assert found is not None
            yield found[0]
        finally:
            process.terminate()


@asynccontextmanager
async def connected(kind: str, folder: Path) -> AsyncIterator[Any]:
    """A client that is connected to a new server in this way."""
    if kind == "process":
        async with Client(make_server(Calls(inline))) as client:
            yield client
    elif kind == "stdio":
        home = {**os.environ, "NUMBERDUELS_HOME": str(folder)}
        async with Client(StdioServerParameters(command=DUEL, args=["mcp"], env=home)) as client:
            yield client
    else:
        with web_server(folder) as address:
            async with Client(f"{address}mcp") as client:
                yield client


async def call(client: Any, name: str, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    found: dict[str, Any] = result.structured_content
    return found


async def refused(client: Any, name: str, **arguments: Any) -> str:
    result = await client.call_tool(name, arguments)
    assert result.is_error, result.structured_content
    message: str = result.content[0].text
    assert "Traceback" not in message and 'File "' not in message
    return message


async def replay(client: Any, golden: dict[str, Any]) -> None:
    settings = golden["settings"]
    names = ("game", "opponent", "seat", "opening", "attempts", "reward")
    shown = await call(client, "new_game", seed=golden["seed"], **{name: settings[name] for name in names})
    assert (
        shown["you"] == f"Player {golden['seat']}"
        and shown["moves"][: len(golden["opening"])] == golden["opening"]
    )
    for step in golden["steps"]:
        assert (shown["position"], shown["legal_moves"]) == (step["position"], step["legal_moves"])
        done = await call(client, "move", game_id=shown["game_id"], move=step["answer"], judge=True)
        for name in ("move", "cause", "reply", "reward", "judgement"):
            assert done[name] == step[name], name
        shown = done["position"]
        assert (shown["done"], shown["outcome"]) == (step["done"], step["outcome"])
    assert (shown["position"], shown["moves"]) == (golden["final_position"], golden["moves"])


@pytest.mark.parametrize("kind", ["stdio", "http"])
def test_a_client_plays_from_outside(kind: str, tmp_path: Path) -> None:
    async def run() -> None:
        async with connected(kind, tmp_path) as client:
            assert {tool.name for tool in (await client.list_tools()).tools} == TOOLS
            for golden in EPISODES:
                await replay(client, golden)
            assert "there is no game with this id" in (await refused(client, "position", game_id="x")).lower()

    asyncio.run(run())


def test_the_tools_say_what_is_right(tmp_path: Path) -> None:
    async def run() -> None:
        async with connected("process", tmp_path) as client:
            games = await call(client, "list_games")
            assert "summation-duel" in [each["name"] for each in games["games"]]
            shown = await call(client, "new_game", game=SIX, opponent="perfect", seed=1)
            game = {"game_id": shown["game_id"]}
            assert (await call(client, "position", **game))["legal_moves"] == ["1", "2", "3", "4"]
            assert (await call(client, "hint", **game))["move"] == "3"
            values = await call(client, "values", **game)
            found = {each["move"]: each["value"] for each in values["moves"]}
            assert found == {"1": "loss", "2": "loss", "3": "win", "4": "loss"} and values["value"] == "win"
            done = await call(client, "move", move="4", **game)
            assert (done["reply"], done["position"]["outcome"]) == ("2", "loss")
            assert done["judgement"] is None and done["reward"] is None  # nobody asked for them
            review = await call(client, "review", **game)
            assert [each["verdict"] for each in review["moves"]] == [
                "threw away a win",
                "kept",
            ]  # 1 wins, too
            assert review["moves"][0]["better"] == ["3"] and review["accuracy"][0] == 0

    asyncio.run(run())


def test_a_puzzle_is_asked_and_its_answer_checked(tmp_path: Path) -> None:
    async def run() -> None:
        async with connected("process", tmp_path) as client:
            asked = await call(client, "puzzle", game="summation-duel", level=1, seed="3")
            assert asked["right"] is None and asked["explanation"] == [] and "ANSWER" in asked["question"]
            given = [
                await call(client, "puzzle", game="summation-duel", level=1, seed="3", answer=answer)
                for answer in asked["answers"]
            ]
            assert [each["right"] for each in given].count(True) == 1
            assert all(each["explanation"] for each in given)

    asyncio.run(run())


HOSTILE: list[tuple[str, dict[str, Any]]] = [
    ("new_game", {"game": "python:/etc/passwd:X"}),
    ("new_game", {"game": "range-war:size=" + "9" * 5000}),
    ("new_game", {"game": "x" * 100_000}),
    ("new_game", {"game": None}),
    ("new_game", {"opponent": "process:rm -rf /"}),
    ("new_game", {"opponent": "os:system"}),
    ("new_game", {"opening": -1}),
    ("new_game", {"attempts": 10**9}),
    ("new_game", {"seed": 10**40}),
    ("new_game", {"seat": 7}),
    ("position", {"game_id": "../../etc/passwd"}),
    ("move", {"game_id": "x" * 50_000, "move": "1"}),
    ("review", {}),
    ("review", {"record": "[Game \"range-war\"]\n" * 5000}),
    ("review", {"record": "\x00"}),
    ("puzzle", {"level": 99}),
    ("puzzle", {"level": 1, "answer": "\ud800"}),
    ("no_such_tool", {}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "arguments"), HOSTILE)
def test_hostile_input_gets_an_error_and_the_server_goes_on(
    name: str, arguments: Any, tmp_path: Path
) -> None:
    async def run() -> None:
        async with connected("process", tmp_path) as client:
            try:
                await refused(client, name, **arguments)
            except Exception as fault:  # a protocol error, for what is no valid call at all
                assert not isinstance(fault, AssertionError), fault
            assert (await call(client, "list_games"))["games"]

    asyncio.run(run())


HARD = "number-collision:size=8:values=2:repetition=forbidden"
"""A game that takes minutes to solve."""


def http(address: str, client: str) -> Any:
    """An HTTP client at this address, as the trusted proxy in front of the server tells it."""
    import httpx2

    headers = {"x-forwarded-for": client, "accept": "application/json, text/event-stream"}
    return httpx2.AsyncClient(base_url=address, headers=headers, timeout=300)


async def post(client: Any, name: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool without any session; the result."""
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }
    answer = await client.post("mcp", json=body)
    assert answer.status_code == 200 and "mcp-session-id" not in answer.headers, answer.text
    found: dict[str, Any] = answer.json()["result"]
    return found


def test_one_address_cannot_keep_another_one_or_the_pages_waiting(tmp_path: Path) -> None:
    """Its hard games occupy one of two workers, one after the other; the other one is for everybody else."""

    async def run(address: str) -> None:
        async with http(address, "10.0.0.1") as greedy, http(address, "10.0.0.2") as other:
            hard = [asyncio.create_task(post(greedy, "new_game", game=HARD)) for _ in range(4)]
            for _ in range(10):  # fewer requests than the limit of an address
                if any(each.done() for each in hard):
                    break
                played = await post(other, "new_game", game=SIX, opponent="perfect")
                assert not played["isError"]
                assert (await other.get("learn/range-war")).status_code == 200
            assert not all(each.done() for each in hard), "the others were answered before"
            assert all([(await each)["isError"] for each in hard])

    with web_server(tmp_path, "--trust", "127.0.0.1", "--thinkers", "2") as address:
        asyncio.run(run(address))


def test_an_address_that_begins_many_conversations_locks_nobody_out(tmp_path: Path) -> None:
    """There are no sessions and no open streams, and its games make room only for its own games."""

    async def run(address: str) -> None:
        hello = {
            "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "t", "version": "1"},
            },
        }  # fmt: skip
        async with http(address, "10.0.0.1") as greedy, http(address, "10.0.0.2") as other:
            kept = (await post(other, "new_game", game=SIX))["structuredContent"]["game_id"]
            for _ in range(60):
                answer = await greedy.post("mcp", json=hello)
                assert answer.status_code == 200 and "mcp-session-id" not in answer.headers
            for _ in range(55):  # more games than it may have, fewer requests than its limit
                await post(greedy, "new_game", game=SIX)
            assert not (await post(other, "position", game_id=kept))["isError"]
            for method in ("GET", "DELETE"):
                assert (await other.request(method, "mcp")).status_code == 405

    with web_server(tmp_path, "--trust", "127.0.0.1") as address:
        asyncio.run(run(address))


def test_the_board_is_an_app_that_loads_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with connected("process", tmp_path) as client:
            tools = {tool.name: tool for tool in (await client.list_tools()).tools}
            for name in ("new_game", "position", "move"):
                assert tools[name].meta["ui"]["resourceUri"] == BOARD
            assert EXTENSION_ID in client.server_capabilities.extensions
            (page,) = (await client.read_resource(BOARD)).contents
            assert page.mime_type == APP_MIME_TYPE
            assert page.meta["ui"]["csp"] == {
                "connectDomains": [], "resourceDomains": [], "frameDomains": [], "baseUriDomains": [],
            }  # fmt: skip
            assert "default-src 'none'" in page.text

    asyncio.run(run())


def test_a_request_for_another_host_is_refused(tmp_path: Path) -> None:
    import httpx2

    with web_server(tmp_path) as address:
        headers = {"host": "evil.example", "accept": "application/json, text/event-stream"}
        done = httpx2.post(
            f"{address}mcp",
            headers=headers,
            json={"jsonrpc": "2.0", "id": 1, "method": "ping"},
            timeout=60,
        )
        assert done.status_code == 421
        assert httpx2.get(f"{address}healthz", timeout=60).status_code == 200  # the pages are beside it


def test_several_workers_are_refused() -> None:
    command = [DUEL, "serve", "--mcp", "--workers", "2", "--store", "postgresql://localhost/x"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and done.stderr.startswith("duel: --mcp keeps its games in one process")


def test_the_end_of_standard_input_ends_the_server() -> None:
    done = subprocess.run(
        [DUEL, "mcp"], input="not json\n", capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0 and "Traceback" not in done.stderr


def test_the_example_runs() -> None:
    assert "win" in run_example("mcp_client")
