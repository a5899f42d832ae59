"""The audit: is an environment any good? Checks with examples, and figures by the solver.

It knows the game contract, the players and the solvers, and no front. Start with `run.py`; `subject.py` is
what is audited, `checks.py` is what is asked of it, `report.py` is the answer.

>>> from numberduels.audit.run import audit_game
>>> from numberduels.audit.report import Budget
>>> report = audit_game("summation-duel:size=4:target=6", Budget(games=4))
>>> report.failed
[]
"""
