"""The MCP server: the tools with their descriptions, their time limit, and the board as an MCP App."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any, Literal, TypeVar

import anyio
from anyio.to_thread import run_sync
from mcp.server.apps import Apps, ResourceCsp
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

from numberduels import __version__
from numberduels.mcp_server.abandoned_calls import AbandonedCalls, Call
from numberduels.mcp_server.board_page import board_page
from numberduels.mcp_server.results import (
    GameList,
    GameReview,
    Hint,
    LegalMoves,
    MoveResult,
    Position,
    PuzzleResult,
    Values,
)
from numberduels.mcp_server.tools import DuelTools

BOARD = "ui://numberduels/board.html"

SECONDS = 30.0
"""The time limit of one call."""

THREADS = 4
"""Calls that are computed at the same time; others wait."""

MAX_ABANDONED = 4
"""Calls beyond their time limit that may still be computed; while there are so many, others are refused."""

INSTRUCTIONS = """\
Number Duels has two-player number games with exact solvers. Begin a game with new_game, then make moves \
with move; the opponent replies at once. position and legal_moves show the game without telling what is \
good. hint, values and review tell it exactly: use them only if you are asked for help or analysis."""

READ_ONLY = ToolAnnotations(read_only_hint=True, open_world_hint=False)
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)

GameId = Annotated[str, Field(description="The game_id that new_game returned.")]
Judge = Annotated[bool, Field(description="Whether to tell how good the move was, after it was made.")]

T = TypeVar("T")


def make_server(tools: DuelTools | None = None, seconds: float = SECONDS) -> Any:
    """The server with all tools; `seconds` is the time limit of a call."""
    duels = tools or DuelTools()
    limiter, abandoned = anyio.CapacityLimiter(THREADS), AbandonedCalls(MAX_ABANDONED)
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

    async def compute(function: Callable[[], T]) -> T:
        """Call the function in a thread within the time limit; its errors become error results."""
        call = Call(function, abandoned)
        try:
            with anyio.fail_after(seconds):
                return await run_sync(call, abandon_on_cancel=True, limiter=limiter)
        except TimeoutError:
            raise ToolError(f"This took longer than {seconds:g} seconds; try a smaller game.") from None
        except (ValueError, LookupError) as fault:
            raise ToolError(_sentence(fault)) from None
        finally:
            call.abandon()

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
    ) -> Position:
        """Begin a game against the computer, or with both seats."""
        begin = partial(duels.new_game, _session(ctx), game, opponent, seat, seed, opening, attempts, reward)
        return await compute(begin)

    @on_board(annotations=READ_ONLY)
    async def position(game_id: GameId) -> Position:
        """Show a game: position, legal moves, moves so far, and who is to move."""
        return await compute(partial(duels.position, game_id))

    @on_board(annotations=CHANGES)
    async def move(
        game_id: GameId,
        move: Annotated[str, Field(description="A move as legal_moves writes it, such as 5 or 3@5.")],
        judge: Judge = False,
    ) -> MoveResult:
        """Make a move; the opponent replies at once. A move that cannot be played has a fault."""
        return await compute(partial(duels.move, game_id, move, judge))

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
    async def list_games() -> GameList:
        """List the games with their options, and the opponents from weak to strong."""
        return await compute(duels.list_games)

    @tool(annotations=READ_ONLY)
    async def legal_moves(game_id: GameId) -> LegalMoves:
        """List the legal moves of a game."""
        return await compute(partial(duels.legal_moves, game_id))

    @tool(annotations=CHANGES)
    async def answer(
        game_id: GameId,
        text: Annotated[str, Field(description="Any text with a last line of the form MOVE: 5.")],
        judge: Judge = False,
    ) -> MoveResult:
        """Make the move of an answer in words, read as the answers of language models are read."""
        return await compute(partial(duels.answer, game_id, text, judge))

    @tool(annotations=READ_ONLY)
    async def hint(game_id: GameId) -> Hint:
        """Tell a good move for the player to move, and why it is good."""
        return await compute(partial(duels.hint, game_id))

    @tool(annotations=READ_ONLY)
    async def values(game_id: GameId) -> Values:
        """Tell the exact value of the position and of every legal move."""
        return await compute(partial(duels.values, game_id))

    @tool(annotations=READ_ONLY)
    async def review(
        game_id: Annotated[str | None, Field(description="A game of new_game.")] = None,
        record: Annotated[str | None, Field(description="Or a game as `duel` saves it.")] = None,
    ) -> GameReview:
        """Judge every move of a game: mistakes, better moves, and why."""
        return await compute(partial(duels.review, game_id, record))

    @tool(annotations=READ_ONLY)
    async def puzzle(
        game: Annotated[str, Field(description="A game of list_games, without options.")] = "range-war",
        level: Annotated[int, Field(description="From 1, easy, to 5, for experts.")] = 1,
        seed: Annotated[str, Field(description="Chooses the puzzle; 1, 2, 3 are different ones.")] = "1",
        answer: Annotated[str | None, Field(description="Your answer, to have it checked.")] = None,
    ) -> PuzzleResult:
        """Ask a puzzle with one right answer; call it again with an answer to have that checked."""
        return await compute(partial(duels.puzzle, game, level, seed, answer))

    return server


def _sentence(fault: Exception) -> str:
    """The message of an error, with a capital letter and a period."""
    text = str(fault.args[0] if isinstance(fault, KeyError) and fault.args else fault).strip()
    text = " ".join(text.split())[:500]
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "!", "?")) else ".")


def _session(ctx: Any) -> str:
    """Who calls: the session or the address over HTTP; the only client over standard input and output."""
    request = ctx.request_context.request
    if request is None:
        return "stdio"
    client = request.client
    return request.headers.get("mcp-session-id") or (client.host if client else "http")
