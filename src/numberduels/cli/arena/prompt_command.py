"""`duel arena prompt`: what a language model is sent."""

from __future__ import annotations

from numberduels.cli.arguments import read_count
from numberduels.cli.external import add_external_options, read_external_settings
from numberduels.cli.parser import CliError, Parser
from numberduels.cli.play import read_seed
from numberduels.game.adopted import allow, is_adopted, split_text

ABOUT = "Print the messages that a language model is sent at its first decision in a run with these options."


def run(arguments: list[str]) -> int:
    """Print the two messages of a question."""
    from numberduels.arena.plan import OPENING, Plan
    from numberduels.game import registry
    from numberduels.game.notation import read_game
    from numberduels.game.table import Table
    from numberduels.players.conversation import Conversation

    parser = Parser("arena prompt", ABOUT)
    parser.add_argument("game", metavar="GAME", help="a name and its options, such as range-war:size=12")
    parser.add_argument("--seed", metavar="S", default="0", help="the seed of the run (default: 0)")
    parser.add_argument("--round", metavar="N", default="1", help="the round of the run (default: 1)")
    parser.add_argument(
        "--opening",
        metavar="N",
        default=str(OPENING),
        help=f"first moves that are drawn, where nothing is dealt (default: {OPENING})",
    )
    parser.add_argument("--json", action="store_true", help="the messages of the request as JSON")
    add_external_options(parser, many=True)
    parsed = parser.parse_args(arguments)
    settings = read_external_settings(parsed)
    if is_adopted(parsed.game):
        allow(split_text(parsed.game)[0])
    try:
        name, _ = read_game(parsed.game)
    except (ValueError, registry.UnknownGame) as fault:
        raise CliError(str(fault)) from None
    number = read_count("--round", parsed.round, 1, 1_000_000)
    opening = read_count("--opening", parsed.opening, 0, 20)
    plan = Plan((), (name,), seed=read_seed(parsed.seed), opening=opening, terms=settings)
    game, start, moves = plan.opening_of(name, number)
    table = Table(game, start, moves)
    try:
        messages = Conversation(game, settings).question(table.state, table.played, len(moves))
    except ValueError as fault:  # the game has no disguise
        raise CliError(str(fault)) from None
    if parsed.json:
        import json

        print(json.dumps(messages, indent=1, ensure_ascii=False))
    else:
        print("\n\n".join(f"[{message['role']}]\n{message['content']}" for message in messages))
    return 0
