"""A program that plays any of the games: it answers every question with a random legal move.

    duel play range-war --vs "process:python3 examples/clients/client.py"

The questions and answers are told in docs/protocol.md.
"""

import json
import random
import sys

for line in sys.stdin:
    question = json.loads(line)
    if question["type"] == "end":
        break
    if question["type"] == "move":
        move = random.choice(question["legal"])
        print(json.dumps({"move": move}), flush=True)
