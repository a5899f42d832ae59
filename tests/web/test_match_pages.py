"""Pages and the API of matches: draws, series, and invitations that are taken back."""

from __future__ import annotations

from numberduels.engine.pool import EngineError

from .in_process import InProcessServer, raising

OPTIONS = {"game": "number-collision", "options": {"size": 4, "values": 2}}


def test_the_computer_accepts_a_draw_that_it_cannot_win(server: InProcessServer) -> None:
    client = server.visitor()
    made = client.post("/api/duels", json=OPTIONS | {"mode": "computer"}).json()
    token = {"authorization": f"Bearer {made['token']}"}
    state = client.post(f"/api/duels/{made['id']}/offer", headers=token).json()
    assert (state["status"], state["why"]) == ("over", "agreed"), "the empty line is a draw"


def test_a_computer_that_has_no_answer_declines(server: InProcessServer) -> None:
    client = server.visitor()
    made = client.post("/api/duels", json={"game": "number-collision", "mode": "computer"}).json()
    token = {"authorization": f"Bearer {made['token']}"}
    server.question_pool.trouble = raising(EngineError())
    state = client.post(f"/api/duels/{made['id']}/offer", headers=token).json()
    server.question_pool.trouble = lambda _: None
    assert (state["status"], state["draw_offered_by"]) == ("playing", None)


def test_two_people_agree_on_a_draw_by_forms_alone(server: InProcessServer) -> None:
    ann, bob = server.visitor(), server.visitor()
    fields = {"game": "number-collision", "mode": "friend", "seat": "1"}
    place = ann.post("/new", data=fields).headers["location"]
    link = ann.cookies.get(f"invitation_{place.removeprefix('/g/')}", path=place)
    bob.post(f"{place}/join", data={"invitation": link})
    assert f"{place}/offer" in ann.get(place).text and f"{place}/accept-draw" not in bob.get(place).text
    ann.post(f"{place}/offer")
    assert "You have offered a draw." in ann.get(place).text and f"{place}/offer" not in ann.get(place).text
    assert f"{place}/accept-draw" in bob.get(place).text
    assert bob.post(f"{place}/accept-draw").status_code == 303
    for visitor in (ann, bob):
        assert "The players agreed on a draw." in visitor.get(place).text


def test_a_page_shows_the_series_and_who_wins_it(server: InProcessServer) -> None:
    visitor = server.visitor()
    fields = {"game": "range-war", "mode": "here", "best_of": "3", "name": "Ann", "other": "Bob"}
    place = visitor.post("/new", data=fields).headers["location"]
    assert "best of 3" in visitor.get(place).text
    visitor.post(f"{place}/move", data={"move": "6"})
    visitor.post(f"{place}/resign")  # Bob, who is to move
    assert "Next game of the series" in visitor.get(place).text
    place = visitor.post(f"{place}/rematch").headers["location"]
    visitor.post(f"{place}/resign")  # Bob again: the seats are swapped
    page = visitor.get(place).text
    assert "Player 2 wins the series." in page and "Rematch, seats swapped" in page
    state = visitor.get(f"/api/duels/{place.removeprefix('/g/')}").json()
    assert (state["best_of"], state["standing"], state["series_over"]) == (
        3,
        {"games": 2, "wins": [0, 2]},
        True,
    )


def test_an_invitation_is_taken_back_by_a_form(server: InProcessServer) -> None:
    ann, bob = server.visitor(), server.visitor()
    place = ann.post("/new", data={"game": "range-war", "mode": "friend"}).headers["location"]
    link = ann.cookies.get(f"invitation_{place.removeprefix('/g/')}", path=place)
    assert f"{place}/cancel" in ann.get(place).text and f"{place}/cancel" not in bob.get(place).text
    assert ann.post(f"{place}/cancel").status_code == 303
    page = ann.get(place).text
    assert "This invitation was taken back." in page and f"{place}/rematch" not in page
    assert "join?key" not in page
    late = bob.get(f"{place}/join", params={"key": link})
    assert late.status_code == 409 and "This invitation was taken back." in late.text
    assert bob.post(f"{place}/join", data={"invitation": link}).status_code == 409
