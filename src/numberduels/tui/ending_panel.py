"""EndingPanel: how a game ended, where it was decided, and what can be done next."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static

from numberduels.tui.live_game import LiveGame
from numberduels.tui.play_text import result_text


class EndingPanel(Vertical):
    """The result, and buttons named `rematch`, `review` and `next-opponent`, which the screen answers."""

    DEFAULT_CSS = """
    EndingPanel { height: auto; border: round $success; padding: 0 1; }
    EndingPanel #choices { height: auto; }
    EndingPanel #choices Button { margin: 0 1 0 0; min-width: 12; height: 1; border: none; }
    EndingPanel #result { text-style: bold; }
    """

    def compose(self) -> ComposeResult:
        """Sentences, and the buttons below them."""
        yield Static("", id="result", markup=False)
        yield Static("", id="decided", markup=False)
        with Horizontal(id="choices"):
            yield Button("Rematch (n)", id="rematch", variant="success")
            yield Button("Review (w)", id="review")
            yield Button("", id="next-opponent")

    def show(self, game: LiveGame) -> None:
        """Tell the result of this game, which is over; `tell_decision` follows if a move was made."""
        lines = [result_text(game)]
        if match := game.match_result:
            lines.append(match)
        self.query_one("#result", Static).update("\n".join(lines))
        self.tell_decision("Looking where it was decided …" if game.table.ply else "")
        following = game.next_game() is not None
        self.query_one("#rematch", Button).label = "Next game (n)" if following else "Rematch (n)"
        other = self.query_one("#next-opponent", Button)
        other.display = bool(game.next_opponent)
        other.label = f"Play {game.next_opponent} (o)"

    def tell_decision(self, text: str) -> None:
        """Tell where the game was decided."""
        self.query_one("#decided", Static).update(text)
