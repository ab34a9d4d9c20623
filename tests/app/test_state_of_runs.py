"""Behind the pages: jobs, notes, subsets, wording."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest

import evaltools
from evaltools.app.session.jobs import Job, JobState
from evaltools.errors import InputError, Problem
from evaltools.frameworks.constituency.views import formula_rows, status_note, summary_line
from evaltools.frameworks.stored import file_of
from evaltools.progress import Progress
from tests.pages.tiny import HOSTILE_PARSER, score_tiny


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> evaltools.Run:
    return score_tiny(tmp_path_factory.mktemp("tiny"))


def test_a_job_that_is_cancelled_keeps_nothing():
    begun = threading.Event()

    def work(progress: Progress) -> evaltools.Run:
        begun.set()
        progress.total = 10
        progress.cancelled.wait(30)
        progress.update("scoring", 1)
        raise AssertionError

    job = Job("1", "something", work)
    thread = threading.Thread(target=job.run)
    thread.start()
    assert begun.wait(30)
    job.cancel()
    thread.join(30)
    assert job.state is JobState.CANCELLED
    assert job.path is None
    assert job.describe() == "stopping …"


def test_a_job_that_fails_says_why():
    def refused(progress: Progress) -> evaltools.Run:
        raise InputError(Problem("empty", "gold.ptb", 3, None, "no tree", "a tree"))

    def broken(progress: Progress) -> evaltools.Run:
        raise ZeroDivisionError("by zero")

    jobs = [Job("1", "one", refused), Job("2", "two", broken)]
    for job in jobs:
        job.run()
        assert job.state is JobState.FAILED
    assert [job.work for job in jobs] == [None, None]  # the files that were uploaded are let go
    assert jobs[0].message == "gold.ptb:3: no tree; expected a tree"
    assert "ZeroDivisionError" in jobs[1].message


def test_a_job_tells_how_far_it_is():
    job = Job("1", "one", lambda progress: pytest.fail("not started"))
    assert job.describe() == "reading the files …"
    job.progress.update("reading")
    job.progress.total = 1000
    assert job.describe() == "0 of 1,000 sentences · estimating the time left …"
    job._since -= 1
    job.progress.update("scoring", 250)
    assert job.share == pytest.approx(250 / 1100)  # writing is left, too
    assert re.fullmatch(r"250 of 1,000 sentences · [\d,]+ sentences per second · \d+ s left", job.describe())
    job.progress.update("writing")
    assert job.describe() == "writing the run …"


def test_a_subset_scores_like_the_whole(run: evaltools.Run, tmp_path: Path):
    chosen = [6, 2, 3, 7]
    for name, parser in (("gold", None), ("test", HOSTILE_PARSER)):
        text, notation = file_of(run, parser, chosen)
        assert notation == "ptb"
        (tmp_path / f"{name}.ptb").write_text(text, "utf-8")
    again = evaltools.score(tmp_path / "gold.ptb", {"p": tmp_path / "test.ptb"}, out=tmp_path / "run")
    whole = run.sentences(HOSTILE_PARSER).set_index("sentence").loc[chosen]
    part = again.sentences("p")
    assert part["status"].tolist() == whole["status"].tolist()
    for metric in run.metrics:
        assert part[metric].tolist() == pytest.approx(whole[metric].tolist(), nan_ok=True)


def test_formulas_with_numbers_come_to_the_score(run: evaltools.Run):
    for sentence in (1, 2, 6, 7):
        for title, _, numbers, value in formula_rows(run.alignment(sentence, HOSTILE_PARSER)):
            if value not in ("", "–"):
                made = eval(numbers.replace("−", "-").replace("·", "*").replace("×", "*"))
                assert value in (f"{100 * made:.2f} %", f"{made:,.2f}", f"{made:.3f}"), (sentence, title)


def test_moves_are_told_beside_the_cost():
    alignment = evaltools.align("(S (A (B v (C w (D y y2))) x))", "(S (A (B v (C w (D y y2 x)))))")
    rows = {title: (numbers, value) for title, _, numbers, value in formula_rows(alignment)}
    assert rows["Cost"] == ("1 + 1 + 0", "2.000")
    assert rows["with moves"] == ("2 − 1", "1.000")
    assert "Cost" not in {title for title, *_ in formula_rows(evaltools.align("(S (A a))", "(S (B a))"))}


def test_the_formula_of_t_jaccard_holds_where_fewer_nodes_are_matched_than_words_are_equal():
    alignment = evaltools.align("(S a (P1 (P2 (P3 (P4 b)))))", "(S (Q1 (Q2 (Q3 (Q4 a)))) b)")
    formulas = formula_rows(alignment)
    rows = {title: (numbers, value) for title, _, numbers, value in formulas if numbers.startswith("1 − (1")}
    assert rows["Dice"] == ("1 − (1 + 1 + 5) / (7 + 7 − 2 × 2)", "30.00 %")
    assert rows["Jaccard"] == ("1 − (1 + 1 + 5) / (1 + 1 + 5 + 1 − 1)", "0.00 %")


@pytest.mark.parametrize(
    ("sentence", "says"),
    [(1, ""), (3, "has no tree"), (4, "word 3 is “her” in gold and “his”"), (5, "deletes every word")],
)
def test_what_is_odd_about_a_sentence_is_said(run: evaltools.Run, sentence: int, says: str):
    said = status_note(run.alignment(sentence, HOSTILE_PARSER), "gold", HOSTILE_PARSER)
    assert says in said
    assert bool(says) == bool(said)


def test_the_letters_of_the_repair_formulas_have_their_numbers(run: evaltools.Run):
    texts = {title: text for title, text, *_ in formula_rows(run.alignment(1, HOSTILE_PARSER))}
    repairs = texts["R-mapping: repairs"].replace("\N{NO-BREAK SPACE}", " ")
    assert repairs.startswith("S ")
    assert repairs.split(" · ")[1] == "W 3 scored words"
    texts = {title: text for title, text, *_ in formula_rows(run.alignment(4, HOSTILE_PARSER))}
    assert texts["R-mapping: repairs"] == ""


def test_equal_trees_are_called_equal(run: evaltools.Run):
    line = summary_line(run.alignment(1, "better"), 1, "gold", "better")
    assert line == "Sentence 1, 4 words (3 scored), better compared with gold: the two trees are equal."
    assert summary_line(run.alignment(3, "better"), 3, "gold", "better").startswith("Sentence 3, 2 words, better")
