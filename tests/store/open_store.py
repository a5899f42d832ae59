"""A context manager for an open store, and a program that appends events until it is killed."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from numberduels.web.store.base import Store, make_store


@asynccontextmanager
async def open_store(place: str) -> AsyncIterator[Store]:
    store = make_store(place)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def append_for_ever(place: str) -> None:
    """Forty games grow at once; each event that is acknowledged is printed at once."""

    async def grow(store: Store, game: str) -> None:
        seq = 0
        while True:
            seq += 1
            await store.append(game, seq, "move", {"move": str(seq)})
            print(game, seq, flush=True)

    async with open_store(place) as store:
        await asyncio.gather(*(grow(store, f"game-{number}") for number in range(40)))


if __name__ == "__main__":
    asyncio.run(append_for_ever(sys.argv[1]))
