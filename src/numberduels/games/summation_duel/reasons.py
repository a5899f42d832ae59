"""Why to add a number in Summation Duel: what they can add then, and your answers."""

from __future__ import annotations

from numberduels.game.bits import members
from numberduels.game.messages import Message
from numberduels.games.summation_duel.rules import Sum
from numberduels.solvers.oracle import LOSS, Oracle

SHOWN = 3
"""The most answers that are listed."""


def explain(theory: Oracle[Sum, int], state: Sum, move: int) -> Message:
    """What a number does to the total, and what comes next."""
    unused, total = after = theory.game.play(state, move)
    target = theory.game.target
    if total == target:
        return Message("It makes exactly {target}: you win.", target=target)
    if theory.evaluate_move(state, move).value == LOSS:
        return _losing(theory, state, move)
    fitting = [number for number in members(unused) if total + number <= target]
    told = {"total": total, "target": target}
    if not fitting:
        return Message(
            "It makes {total}, and every number left goes over {target}: they must go over, and you win.",
            **told,
        )
    return _winning(theory, after, fitting, told)


def _winning(theory: Oracle[Sum, int], after: Sum, fitting: list[int], told: dict[str, int]) -> Message:
    """An answer to everything: where possible, the one that hits the target."""
    unused, total = after
    rest = theory.game.target - total
    hits = {reply: rest - reply for reply in fitting if rest - reply in fitting and rest != 2 * reply}
    everything = len(fitting) == unused.bit_count()
    listed = sorted(fitting, key=lambda reply: (reply not in hits, -reply))[:SHOWN]
    answers = tuple(
        Message(
            "after {reply} you add {answer}",
            reply=reply,
            answer=hits.get(reply) or _answer(theory, theory.game.play(after, reply)),
        )
        for reply in sorted(listed)
    )
    some = len(fitting) > SHOWN
    if len(hits) == len(fitting):
        if everything and some:
            return Message(
                "It makes {total}: they cannot hit {target} now, and whatever they add, you can. For example,"
                " {answers}.",
                answers=answers,
                **told,
            )
        if everything:
            return Message(
                "It makes {total}: they cannot hit {target} now, and whatever they add, you can: {answers}.",
                answers=answers,
                **told,
            )
        if some:
            return Message(
                "It makes {total}: they go over {target}, or you hit it next. For example, {answers}.",
                answers=answers,
                **told,
            )
        return Message(
            "It makes {total}: they go over {target}, or you hit it next: {answers}.",
            answers=answers,
            **told,
        )
    del told["target"]
    if everything and some:
        return Message(
            "It makes {total}, and you have an answer to whatever they add. For example, {answers}.",
            answers=answers,
            **told,
        )
    if everything:
        return Message(
            "It makes {total}, and you have an answer to whatever they add: {answers}.",
            answers=answers,
            **told,
        )
    if some:
        return Message(
            "It makes {total}, and you have an answer to every number that fits. For example, {answers}.",
            answers=answers,
            **told,
        )
    return Message(
        "It makes {total}, and you have an answer to every number that fits: {answers}.",
        answers=answers,
        **told,
    )


def _answer(theory: Oracle[Sum, int], state: Sum) -> int:
    """A winning move, if possible one that leaves nothing that fits; then the largest."""
    unused, total = state

    def fitting_after(move: int) -> int:
        return sum(total + move + each <= theory.game.target for each in members(unused) if each != move)

    return min(theory.best_moves(state), key=lambda move: (fitting_after(move), -move))


def _losing(theory: Oracle[Sum, int], state: Sum, move: int) -> Message:
    """Why a number loses, or why every number does."""
    unused, total = theory.game.play(state, move)
    target, lost = theory.game.target, theory.value(state) == LOSS
    if total > target:
        if not lost:
            return Message("It goes over {target}: you lose.", target=target)
        if all(state[1] + number > target for number in members(state[0])):
            return Message("Every number left goes over {target}, so every move loses here.", target=target)
        return Message("Every move loses here, and this one goes over {target} at once.", target=target)
    answer = target - total
    if unused >> answer & 1 and len(theory.game.moves(state)) > 1:
        told = {"move": move, "answer": answer, "target": target}
        if lost:
            return Message("Every move loses here; after {move} they add {answer} and hit {target}.", **told)
        return Message("It loses: they add {answer} and hit {target}.", answer=answer, target=target)
    return theory.why_it_loses(state, move)
