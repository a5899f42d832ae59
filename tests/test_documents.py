"""What the documents show is what happens: their code runs, their commands print what they say."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tools.documentation import navigation, repository

from numberduels.game import record
from tables import table

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
RAW = "https://raw.githubusercontent.com/number-duels/number-duels/main/"
PAGE = "https://github.com/number-duels/number-duels/blob/main/"
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))


def blocks(kind: str, text: str = README) -> list[str]:
    """The code blocks of one kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def shell(command: str, home: Path, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run a line of a document, with this environment's `duel` in reach."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env={**os.environ, "PATH": path, "NUMBERDUELS_HOME": str(home)},
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )


def timeless(text: str) -> str:
    """The text without the seconds that something took."""
    return re.sub(r"\b\d+\.\d\d\b", "0.00", text)


@table(
    "name",
    [
        "README.md",
        "docs/datasets.md",
        "docs/environments.md",
        "docs/harnesses.md",
        "docs/reference/python.md",
        "docs/start/first_agent.md",
        "docs/start/first_solution.md",
        "docs/guides/write_a_bot.md",
    ],
)
def test_the_python_of_a_document_prints_what_it_shows(name: str) -> None:
    source = "\n".join(blocks("python", (ROOT / name).read_text(encoding="utf-8")))
    assert source.count(">>>") >= 4
    test = doctest.DocTestParser().get_doctest(source, {}, name, name, 0)
    result = doctest.DocTestRunner(optionflags=doctest.REPORT_UDIFF).run(test)
    assert result.failed == 0


@pytest.mark.long
@table(
    "name",
    [
        "README.md",
        "docs/terminal.md",
        "docs/adopted_games.md",
        "docs/theorems.md",
        "docs/sequences.md",
        "docs/erdos_872.md",
        "docs/start/first_agent.md",
        "docs/start/first_game.md",
        "docs/start/first_solution.md",
        "docs/games/restricted_removal.md",
    ],
)
def test_the_commands_of_a_document_print_what_it_shows(name: str, tmp_path: Path) -> None:
    commands = 0
    for block in blocks("console", (ROOT / name).read_text(encoding="utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, shown = part.partition("\n")
            done = shell(command, tmp_path)
            assert "duel: " not in done.stderr, command
            # A command shown without output is a game that waits for somebody: it must begin.
            assert timeless(done.stdout) == timeless(shown) if shown else done.stdout.splitlines(), command
            commands += 1
    assert commands


@pytest.mark.long
def test_the_picture_of_summation_duel_is_of_todays_table(tmp_path: Path) -> None:
    drawn = tmp_path / "table.svg"
    done = shell(f"duel sweep summation-duel --size 1..22 --target all --out {drawn}", tmp_path)
    assert done.returncode == 0, done.stderr
    assert drawn.read_text(encoding="utf-8") == (ROOT / "docs" / "summation-duel.svg").read_text(
        encoding="utf-8"
    )


@pytest.mark.long
def test_the_make_commands_of_the_readme_exist() -> None:
    targets = re.findall(r"^make (\w+)", "".join(blocks("sh")), re.MULTILINE)
    assert set(targets) == {"play", "test"}
    for target in targets:
        subprocess.run(["make", "--dry-run", target], cwd=ROOT, check=True, capture_output=True)


def test_every_variable_that_is_trusted_is_named() -> None:
    security = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    for path in (ROOT / "src").rglob("*.py"):
        for name in re.findall(r"NUMBERDUELS_[A-Z_]+", path.read_text(encoding="utf-8")):
            assert f"`{name}`" in security, path


def test_every_page_has_a_menu_entry() -> None:
    faults = navigation.navigation_faults(repository.sources(), navigation.listed_pages())
    assert not faults, "\n".join(faults)


def test_links_between_documents_lead_somewhere() -> None:
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for link in re.findall(r"\]\(([^)#\s]+)(?: \"[^\"]*\")?\)", path.read_text(encoding="utf-8")):
            if "://" not in link:
                assert (path.parent / link).exists(), f"{path.name}: {link}"


def test_the_readme_fits_three_screens_and_its_addresses_are_files_of_the_repository() -> None:
    assert len(README.splitlines()) <= 120
    addresses = re.findall(r"\]\(([^)]+)\)", README)
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", README)
    assert len(pictures) == 3 and all(each.startswith(RAW) for each in pictures)
    for address in addresses:  # a package index shows no relative ones
        assert address.startswith((RAW, PAGE)), address
        assert (ROOT / address.removeprefix(RAW).removeprefix(PAGE)).is_file(), address


@pytest.mark.long
def test_the_picture_of_a_session_is_of_todays_session() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import picture; print(picture.picture(picture.session()), end='')"],
        cwd=ROOT / "docs",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == (ROOT / "docs" / "session.svg").read_text(encoding="utf-8")


@pytest.mark.long
def test_the_picture_of_the_learner_is_of_todays_example(tmp_path: Path) -> None:
    drawn = tmp_path / "learning.svg"
    subprocess.run([sys.executable, "-m", "benchmarks.learning", drawn], cwd=ROOT, check=True)
    text = drawn.read_text(encoding="utf-8")
    assert text == (ROOT / "docs" / "learning.svg").read_text(encoding="utf-8")
    assert "is 100 % from" in text  # it ends with perfect play


# A terminal is dark.
@table("path", [path for path in sorted((ROOT / "docs").glob("*.svg")) if path.name != "session.svg"])
def test_every_picture_has_colours_for_dark_pages(path: Path) -> None:
    picture = path.read_text(encoding="utf-8")
    style = re.search(r"<style>(.*?)</style>", picture, re.DOTALL)
    assert style and re.search(r"prefers-color-scheme: ?dark", style[1])
    drawn = picture.replace(style[0], "")
    assert not re.findall(r'(?:fill|stroke)="#\w+"', drawn)  # a colour that is the same on every page


def test_the_record_in_the_documents_is_one() -> None:
    shown = re.search(r"\n\n((?:    .*\n|\n)+)", (ROOT / "docs" / "records.md").read_text(encoding="utf-8"))
    assert shown
    text = "".join(line[4:] or "\n" for line in shown[1].splitlines(keepends=True)).strip() + "\n"
    assert record.write(record.read(text)) == text


@pytest.mark.long
@table("path", EXAMPLES)
def test_every_example_runs_and_is_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) < 40
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout
