"""`duel games`: list the games and their options."""

from __future__ import annotations

from numberduels.cli.console import print_folded
from numberduels.cli.parser import Parser
from numberduels.game import options, registry


def run(arguments: list[str]) -> int:
    """List every game with its summary and its options."""
    Parser("games", "List the games and their options.").parse_args(arguments)
    for name in registry.names():
        try:
            spec = registry.spec(name)
        except registry.UnknownGame as fault:
            print_folded(f"{name}\n    {fault}\n\n")
            continue
        print_folded(f"{name}\n    {spec.summary}\n")
        for each in options.declared(spec.rules):
            default = options.format_value(each.default)
            print_folded(f"    --{each.name} {f'{default} ' if default else ''}({each.metadata['about']})\n")
        for rules in spec.rule_sets[1:]:
            print_folded(f"    --rules {rules.key} ({rules.about})\n")
        print_folded("\n")
    print_folded("To play: duel play GAME\nTo read the rules: duel rules GAME\n")
    return 0
