"""EndingPanel: how a game ended, where it was decided, and what can be done next."""

from __future__ import annotations

from textual.app import ComposeResult

from numberduels.tui.live_game import LiveGame
from numberduels.tui.plain import Column, PlainButton, PlainText, Row
from numberduels.tui.play_text import result_text


class EndingPanel(Column):
    """The result, and buttons for what the screen can do next."""

    DEFAULT_CSS = """
    EndingPanel { height: auto; border: round $success; padding: 0 1; }
    EndingPanel #choices { height: auto; }
    EndingPanel #choices Button { margin: 0 1 0 0; min-width: 12; height: 1; border: none; }
    EndingPanel #result { text-style: bold; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.result = PlainText(name="result")
        self.decided = PlainText(name="decided")
        self.rematch = PlainButton("Rematch (n)", name="rematch", action="rematch", variant="success")
        self.review = PlainButton("Review (w)", name="review", action="review")
        self.other = PlainButton("", name="next-opponent", action="next_opponent")

    def compose(self) -> ComposeResult:
        """Sentences, and the buttons below them."""
        yield self.result
        yield self.decided
        yield Row(self.rematch, self.review, self.other, id="choices")

    def show(self, game: LiveGame, decided: str) -> None:
        """Tell the result of this game, which is over, and where it was decided."""
        lines = [result_text(game)]
        if match := game.match_result:
            lines.append(match)
        self.result.write("\n".join(lines))
        self.decided.write(decided)
        following = game.next_game() is not None
        self.rematch.label = "Next game (n)" if following else "Rematch (n)"
        self.other.display = bool(game.next_opponent)
        self.other.label = f"Play {game.next_opponent} (o)"
