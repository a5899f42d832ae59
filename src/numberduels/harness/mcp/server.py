"""The MCP server: the tools with their descriptions, the board as an MCP App, and the endpoint for HTTP."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Annotated, Any, Literal, TypeVar

from mcp.server.apps import Apps, ResourceCsp
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.transport_security import TransportSecuritySettings
from mcp_types import ToolAnnotations
from pydantic import Field
from starlette.routing import Route

from numberduels import __version__
from numberduels.harness.mcp.calls import Calls
from numberduels.harness.mcp.tools import (
    AskedPuzzle,
    GameList,
    HintedMove,
    PlayedMove,
    PositionValues,
    ReviewedGame,
    ShownPosition,
    board_page,
)

BOARD = "ui://numberduels/board.html"

INSTRUCTIONS = """\
Number Duels has two-player number games with exact solvers. Begin a game with new_game, then make moves \
with move; the opponent replies at once. position shows the game without telling what is good. \
hint, values and review tell it exactly: use them only if you are asked for help or analysis."""

READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)

GameId = Annotated[str, Field(description="The game_id that new_game returned.")]

PATH = "/mcp"
LOCAL = ("127.0.0.1", "localhost", "[::1]")
MAX_BODY = 64 << 10
"""Bytes of a request."""

T = TypeVar("T")


def make_server(calls: Calls, address: Callable[[Any], str] = lambda _: "") -> Any:
    """The server with all tools; `address` tells the client of an HTTP request."""
    apps = Apps()
    apps.add_html_resource(
        BOARD,
        board_page(),
        name="board",
        title="Board",
        description="The board of a game, to look at and to play on.",
        csp=ResourceCsp(connect_domains=[], resource_domains=[], frame_domains=[], base_uri_domains=[]),
        prefers_border=True,
    )
    on_board = partial(apps.tool, resource_uri=BOARD, structured_output=True)

    async def compute(ctx: Context, kind: type[T], task: str, *arguments: Any) -> T:  # noqa: ARG001
        """Run a task with results of this kind for this client; its errors become error results."""
        request = ctx.request_context.request
        client = address(request) if request is not None else ""
        try:
            result: T = await calls(client, task, *arguments)
            return result
        except (ValueError, LookupError) as fault:
            raise ToolError(_sentence(fault)) from None

    @on_board(annotations=CHANGES)
    async def new_game(
        ctx: Context,
        game: Annotated[
            str, Field(description="A game of list_games with options, such as range-war:size=12.")
        ] = "range-war",
        opponent: Annotated[
            str, Field(description="An opponent of list_games; none lets you play both seats.")
        ] = "casual",
        seat: Annotated[
            Literal["first", "second", "random"], Field(description="Your seat; the first moves first.")
        ] = "first",
        seed: Annotated[
            int | None, Field(description="The same seed gives the same deal and the same opponent.")
        ] = None,
        opening: Annotated[int, Field(description="Random first moves that nobody chose.")] = 0,
        attempts: Annotated[int, Field(description="Tries for one move; then the game is lost.")] = 20,
        reward: Annotated[
            Literal["kept", "value_change", "outcome"], Field(description="What judged moves earn.")
        ] = "kept",
    ) -> ShownPosition:
        """Begin a game against the computer, or with both seats."""
        return await compute(
            ctx, ShownPosition, "new_game", game, opponent, seat, seed, opening, attempts, reward
        )

    @on_board(annotations=READ_ONLY)
    async def position(ctx: Context, game_id: GameId) -> ShownPosition:
        """Show a game: position, legal moves, moves so far, and who is to move."""
        return await compute(ctx, ShownPosition, "position", game_id)

    @on_board(annotations=CHANGES)
    async def move(
        ctx: Context,
        game_id: GameId,
        move: Annotated[
            str, Field(description="As in legal_moves, such as 5 or 3@5, or a text with a last line MOVE: 5.")
        ],
        judge: Annotated[
            bool, Field(description="Whether to tell how good the move was, after it was made.")
        ] = False,
    ) -> PlayedMove:
        """Make a move; the opponent replies at once. A move that cannot be played has a fault."""
        return await compute(ctx, PlayedMove, "move", game_id, move, judge)

    server: Any = MCPServer(
        "numberduels",
        title="Number Duels",
        version=__version__,
        instructions=INSTRUCTIONS,
        extensions=[apps],
        log_level="WARNING",
    )
    tool = partial(server.tool, structured_output=True)

    @tool(annotations=READ_ONLY)
    async def list_games(ctx: Context) -> GameList:
        """List the games with their options, and the opponents from weak to strong."""
        return await compute(ctx, GameList, "list_games")

    @tool(annotations=READ_ONLY)
    async def hint(ctx: Context, game_id: GameId) -> HintedMove:
        """Tell a good move for the player to move, and why it is good."""
        return await compute(ctx, HintedMove, "hint", game_id)

    @tool(annotations=READ_ONLY)
    async def values(ctx: Context, game_id: GameId) -> PositionValues:
        """Tell the exact value of the position and of every legal move."""
        return await compute(ctx, PositionValues, "values", game_id)

    @tool(annotations=READ_ONLY)
    async def review(
        ctx: Context,
        game_id: Annotated[str | None, Field(description="A game of new_game.")] = None,
        record: Annotated[str | None, Field(description="Or a game as `duel` saves it.")] = None,
    ) -> ReviewedGame:
        """Judge every move of a game: mistakes, better moves, and why."""
        if (game_id is None) == (record is None):
            raise ToolError("Review takes either a game_id or a record.")
        if record is not None:
            return await compute(ctx, ReviewedGame, "review_record", record)
        return await compute(ctx, ReviewedGame, "review", game_id)

    @tool(annotations=READ_ONLY)
    async def puzzle(
        ctx: Context,
        game: Annotated[str, Field(description="A game of list_games, without options.")] = "range-war",
        level: Annotated[int, Field(description="From 1, easy, to 5, for experts.")] = 1,
        seed: Annotated[str, Field(description="Chooses the puzzle; 1, 2, 3 are different ones.")] = "1",
        answer: Annotated[str | None, Field(description="Your answer, to have it checked.")] = None,
    ) -> AskedPuzzle:
        """Ask a puzzle with one right answer; call it again with an answer to have that checked."""
        return await compute(ctx, AskedPuzzle, "puzzle", game, level, seed, answer)

    return server


def _sentence(fault: Exception) -> str:
    """The message of an error, with a capital letter and a period."""
    text = str(fault.args[0] if isinstance(fault, KeyError) and fault.args else fault).strip()
    text = " ".join(text.split())[:500]
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def mcp_endpoint(
    calls: Calls, address: Callable[[Any], str], hosts: Sequence[str] = ()
) -> tuple[list[Any], Callable[[], AbstractAsyncContextManager[None]]]:
    """The routes of the endpoint, and the context in which they work.

    Every request stands for itself: games are found by their ids, so there are no sessions that one address
    could use up, and no streams that stay open. `address` tells who sends a request.

    Requests must be for one of these host names, by default for this machine: a page of another site could
    otherwise reach a server that only this machine is meant to use.
    """
    server = make_server(calls, address)
    names = list(hosts) or list(LOCAL)
    allowed = [*names, *(f"{name}:*" for name in names)]
    security = TransportSecuritySettings(
        allowed_hosts=allowed,
        allowed_origins=[f"{scheme}://{name}" for scheme in ("http", "https") for name in allowed],
    )
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=security,
        max_request_body_size=MAX_BODY,
        stateless_http=True,
        json_response=True,
    )
    [endpoint] = [route.endpoint for route in app.routes if route.path == PATH]
    return [Route(PATH, endpoint, methods=["POST"])], server.session_manager.run
