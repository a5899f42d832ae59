"""A report of an audit as text."""

from __future__ import annotations

from numberduels.audit.report import FAILED, NOT_CHECKED, PASSED, AuditReport, Figures, Finding
from numberduels.game.formatting import plural

SIGNS = {PASSED: "ok", FAILED: "FAILED", NOT_CHECKED: "-"}


def render_text(report: AuditReport) -> str:
    """The report as a table of the checks and a table of the figures."""
    width = max((len(each.key) for each in report.findings), default=0)
    lines = [f"{report.title} ({report.game}), {report.kind}", ""]
    lines += [f"{SIGNS[each.status]:<7} {each.key:<{width}}  {describe(each)}" for each in report.findings]
    lines += ["", *figure_lines(report.figures)]
    if not report.complete:
        lines += ["", "The audit was stopped: this is what is known so far."]
    lines += ["", verdict(report)]
    return "\n".join(lines) + "\n"


def describe(finding: Finding) -> str:
    """What a check found, in a line."""
    if finding.status == NOT_CHECKED:
        return f"not checked: {finding.detail}"
    if finding.status == PASSED:
        early = "; the time was over" if finding.stopped_early else ""
        return f"{finding.title.rstrip('.')} ({finding.detail}{early})."
    return f"{finding.detail}{example_text(finding)}."


def example_text(finding: Finding) -> str:
    """The moves that show a fault, as the end of a sentence."""
    if finding.example is None:
        return ""
    seed = "" if finding.seed is None else f", reset with seed {finding.seed}"
    return f" (moves: {' '.join(finding.example) or 'none'}{seed})"


def verdict(report: AuditReport) -> str:
    """The sum of it in a sentence."""
    counts = {status: sum(each.status == status for each in report.findings) for status in SIGNS}
    failed = ", ".join(each.key for each in report.failed)
    end = f"{counts[FAILED]} failed ({failed})" if failed else "none failed"
    return f"{plural(counts[PASSED], 'check')} passed, {end}, {counts[NOT_CHECKED]} not checked."


def figure_lines(figures: Figures) -> list[str]:
    """The figures, one a line."""
    lines = [f"{name:<22}{value}" for name, value in facts(figures)]
    if figures.players:
        lines += ["", f"{'against random play':<22}{'first':>7}{'second':>8}{'kept':>7}"]
    for each in figures.players:
        if each.reason:
            lines.append(f"{each.name:<22}not measured: {each.reason}")
        else:
            shares = f"{percent(each.first):>7}{percent(each.second):>8}{percent(each.kept):>7}"
            lines.append(f"{each.name:<22}{shares}")
    return lines


def facts(figures: Figures) -> list[tuple[str, str]]:
    """The figures about the game, as names and values."""
    found = []
    if figures.length:
        mean, low, high = figures.length
        found.append(
            ("length", f"{mean:.1f} moves on average, {low} to {high}, in {figures.games} random games")
        )
    if figures.random_first is not None:
        found.append(("first player", f"scores {percent(figures.random_first)} if both play at random"))
    if figures.truncated:
        found.append(("truncated", f"{figures.truncated} of {figures.games} random games"))
    if figures.winner:
        plies = "" if figures.plies is None else f", in {figures.plies} moves"
        found.append(("best play", f"{WINNERS[figures.winner]}{plies}"))
        found.append(("solved by", f"{figures.method}: {figures.positions:,} positions"))
    elif figures.unsolved:
        found.append(("best play", f"not known: {figures.unsolved}"))
    if figures.matters is not None:
        found.append(("decisions that matter", percent(figures.matters)))
    return found


WINNERS = {"first": "the first player wins", "second": "the second player wins", "nobody": "nobody wins"}


def percent(share: float | None) -> str:
    """A share in percent; a dash if it is not known.

    >>> percent(0.875), percent(None)
    ('88%', '-')
    """
    return "-" if share is None else f"{share:.0%}"
