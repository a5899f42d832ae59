"""MCP: a client starts `duel mcp`, plays a game by the hints, and has it reviewed.

pip install 'numberduels[mcp]'
"""

import asyncio
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters

SERVER = StdioServerParameters(command=str(Path(sys.executable).parent / "duel"), args=["mcp"])


async def main() -> None:
    async with Client(SERVER) as client:
        arguments = {"game": "summation-duel:size=7:target=17", "opponent": "skilled", "seed": 7}
        shown = (await client.call_tool("new_game", arguments)).structured_content
        game = {"game_id": shown["game_id"]}
        while not shown["done"]:
            hint = (await client.call_tool("hint", game)).structured_content
            done = (await client.call_tool("move", {**game, "move": hint["move"]})).structured_content
            print(f"{done['move']}: {hint['why']} The reply is {done['reply']}.")
            shown = done["position"]
        review = (await client.call_tool("review", game)).structured_content
        print(shown["outcome"], "-", review["summary"])


asyncio.run(main())
