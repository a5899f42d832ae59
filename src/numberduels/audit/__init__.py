"""The audit: is an environment any good? Checks with examples, and figures by the solver.

>>> from numberduels.audit.run import audit_game
>>> from numberduels.audit.report import Budget
>>> report = audit_game("summation-duel:size=4:target=6", Budget(games=4))
>>> report.failed
[]
"""
