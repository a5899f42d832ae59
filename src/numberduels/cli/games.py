"""`duel games`: what there is to play."""

from __future__ import annotations

from numberduels import options, registry
from numberduels.cli.console import show
from numberduels.cli.parser import Parser


def run(arguments: list[str]) -> int:
    """List every game with its sentence and its options."""
    Parser("games", "List the games and their options.").parse_args(arguments)
    for name in registry.names():
        try:
            spec = registry.spec(name)
        except registry.UnknownGame as fault:
            show(f"{name}\n    {fault}\n\n")
            continue
        show(f"{name}\n    {spec.summary}\n")
        for each in options.declared(spec.rules):
            default = options.shown(each.default)
            show(f"    --{each.name} {f'{default} ' if default else ''}({each.metadata['about']})\n")
        show("\n")
    show("To play: duel play GAME\nTo read the rules: duel rules GAME\n")
    return 0
