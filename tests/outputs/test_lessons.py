"""Exercise sheets, solutions and hand-outs: complete files, without the solution where it is not asked for."""

from __future__ import annotations

import re
import shutil
import subprocess
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from evaltools.classroom.lessons import bundled_lessons, parse_lesson
from evaltools.classroom.material import Vote
from evaltools.outputs.lessons import SHEETS, lesson_sheet, to_html, to_latex

if TYPE_CHECKING:
    from pathlib import Path

LESSONS = bundled_lessons()


@pytest.mark.parametrize("name", list(LESSONS))
@pytest.mark.parametrize("sheet", list(SHEETS))
@pytest.mark.slow
def test_every_sheet_is_complete(name: str, sheet: str):
    lesson = LESSONS[name]
    html, latex = (lesson_sheet(lesson, sheet, language) for language in ("html", "latex"))
    assert html.startswith("<!DOCTYPE html>")
    assert "{{" not in re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    HTMLParser().feed(html)
    assert latex.count(r"\begin{document}") == latex.count(r"\end{document}") == 1
    assert latex.count(r"\documentclass") == 1
    begun, ended = (re.findall(rf"\\{word}{{(\w+)}}", latex) for word in ("begin", "end"))
    assert sorted(begun) == sorted(ended)
    parts = len(lesson.steps) if sheet == "handout" else len(lesson.exercises)
    assert html.count("<h2") == latex.count(r"\section*") == parts


@pytest.mark.parametrize("name", list(LESSONS))
def test_the_exercise_sheet_has_no_solution(name: str):
    sheet, solutions = (lesson_sheet(LESSONS[name], kind, "html") for kind in ("exercises", "solutions"))
    assert "Solution." not in sheet
    assert solutions.count("Solution.") == len(LESSONS[name].exercises)
    assert "with these numbers" not in sheet


def test_the_handout_does_not_give_a_vote_away():
    html = lesson_sheet(LESSONS["vote"], "handout", "html")
    for step in LESSONS["vote"].steps:
        if isinstance(step.material, Vote):
            assert to_html(step.answer) not in html
            assert re.sub("<.*?>", "", to_html(step.answer)) not in re.sub("<.*?>", "", html)


def test_the_handout_says_that_it_is_for_afterwards_and_repeats_no_list():
    html = lesson_sheet(LESSONS["brackets"], "handout", "html")
    assert "For afterwards" in html
    assert "Click the spurious bracket" not in html
    assert html.count("NP: stars with telescopes") == 1
    assert "Name: ____" in lesson_sheet(LESSONS["brackets"], "exercises", "html")


def test_texts_of_others_are_written_as_text():
    text = "<script>alert(1)</script> ![p](http://example.com/p.png) `a` **b**"
    assert "<script" not in to_html(text)
    assert "<img" not in to_html(text)
    assert "<strong>b</strong>" in to_html(text)
    assert to_latex(r"\input{x} $a_b$ & #") == r"\textbackslash{}input\{x\} \$a\_b\$ \& \#"


def test_lists_and_tables():
    assert to_html("* a\n* b").count("<li>") == 2
    assert to_latex("* a\n* b").count(r"\item") == 2
    table = "| a | b |\n|---|---|\n| 1 | 2 |"
    assert to_html(table).count("<td>") == 2
    assert to_latex(table) == "\\begin{tabular}{ll}\na & b \\\\\n\\hline\n1 & 2 \\\\\n\\end{tabular}"


@pytest.mark.parametrize("language", ["html", "latex"])
def test_a_lesson_of_ones_own_without_exercises_has_a_handout(language: str):
    lesson = parse_lesson('title = "<b>"\nabout = "x"\n[[step]]\ntitle = "One & two"\n', "mine.toml")
    text = lesson_sheet(lesson, "handout", language)
    assert "<b>" not in text.replace("<body>", "") if language == "html" else r"One \& two" in text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex here")
@pytest.mark.parametrize("sheet", list(SHEETS))
def test_latex_compiles(tmp_path: Path, sheet: str):
    (tmp_path / "sheet.tex").write_text(lesson_sheet(LESSONS["attachment"], sheet, "latex"), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "sheet.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert b"Overfull" not in done.stdout
