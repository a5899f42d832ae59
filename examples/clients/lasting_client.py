"""A program that is started once and plays many games at random, with the seed that each game brings.

    duel arena run --players "process2:python3 examples/clients/lasting_client.py,random" --out DIR

What would take long to load belongs before the loop. The messages are explained in docs/protocol.md.
"""

import json
import random
import sys

rng = random.Random()
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "new":
        rng = random.Random(message["seed"])
    if message["type"] in ("hello", "new"):
        print(json.dumps({"id": message["id"], "ready": True}), flush=True)
    elif message["type"] == "move":
        move = rng.choice(message["legal"])
        print(json.dumps({"id": message["id"], "move": move}), flush=True)
    elif message["type"] == "end":
        print("The game ended", message["result"], file=sys.stderr)
