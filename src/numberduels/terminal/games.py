"""`duel games`: what there is to play."""

from __future__ import annotations

from numberduels import options, registry
from numberduels.terminal.parser import Parser


def run(arguments: list[str]) -> int:
    """List every game with its sentence and its options."""
    Parser("games", "List the games and their options.").parse_args(arguments)
    for name in registry.names():
        try:
            room = registry.room(name)
        except registry.UnknownGame as fault:
            print(f"{name}\n    {fault}\n")
            continue
        print(f"{name}\n    {room.about}")
        for each in options.declared(room.game):
            default = options.shown(each.default)
            print(f"    --{each.name} {f'{default} ' if default else ''}({each.metadata['about']})")
        print()
    print("To play: duel play GAME. To read the rules: duel rules GAME.")
    return 0
