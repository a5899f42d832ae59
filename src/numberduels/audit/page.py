"""A report of an audit as one HTML page that loads nothing from outside."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from html import escape

from numberduels.audit.report import FAILED, NOT_CHECKED, PASSED, AuditReport
from numberduels.audit.text import example_text, facts, percent, verdict

STYLE = """\
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 2rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid #8886; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.failed { font-weight: bold; color: light-dark(#a00, #f99); }
.passed { color: light-dark(#060, #8d8); }
code { overflow-wrap: anywhere; }
"""

SIGNS = {PASSED: "✓ passed", FAILED: "✗ failed", NOT_CHECKED: "? not checked"}
CLASSES = {PASSED: "passed", FAILED: "failed", NOT_CHECKED: "open"}


def render_page(report: AuditReport) -> str:
    """The report as an HTML document."""
    digest = b64encode(sha256(STYLE.encode()).digest()).decode()
    title = escape(f"Audit of {report.title}")
    stopped = "" if report.complete else "<p>The audit was stopped: this is what was known.</p>"
    budget = report.budget
    return f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-{digest}'">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>{STYLE}</style>
</head>
<body>
<h1>{title}</h1>
<p><code>{escape(report.game)}</code>, {escape(report.kind)}. {escape(verdict(report))}</p>{stopped}
<h2>Checks</h2>
<table><tr><th>check<th>result<th>what was found</tr>
{"".join(_finding_rows(report))}</table>
<h2>Figures</h2>
<table>
{"".join(_fact_rows(report))}</table>
{_players(report)}
<p>Budget: {budget.positions:,} positions for the solver, {budget.games} games, {budget.plies:,} moves in
a game, {budget.seconds:g} seconds, seed {budget.seed}.</p>
</body>
</html>
"""


def _finding_rows(report: AuditReport) -> Iterable[str]:
    for each in report.findings:
        example = f"<br><code>{escape(example_text(each).strip())}</code>" if each.example is not None else ""
        yield (
            f'<tr><td>{escape(each.title)}<td class="{CLASSES[each.status]}">{SIGNS[each.status]}'
            f"<td>{escape(each.detail)}{example}</tr>\n"
        )


def _fact_rows(report: AuditReport) -> Iterable[str]:
    for name, value in facts(report.figures):
        yield f"<tr><th>{escape(name)}<td>{escape(value)}</tr>\n"


def _players(report: AuditReport) -> str:
    rows = []
    for each in report.figures.players:
        if each.reason:
            rows.append(
                f'<tr><td>{escape(each.name)}<td colspan="3">not measured: {escape(each.reason)}</tr>\n'
            )
        else:
            cells = (percent(share) for share in (each.first, each.second, each.kept))
            rows.append(
                f"<tr><td>{escape(each.name)}{''.join(f'<td class=number>{cell}' for cell in cells)}</tr>\n"
            )
    if not rows:
        return ""
    return (
        "<h2>Players against random play</h2>\n<p>1 for a win, 1/2 for a tie. Kept: right decisions where a"
        " wrong one was possible.</p>\n<table><tr><th>player<th>as first<th>as second<th>kept</tr>\n"
        f"{''.join(rows)}</table>"
    )
