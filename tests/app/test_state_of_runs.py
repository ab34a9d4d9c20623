"""Behind the pages: jobs, notes, subsets, wording."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import evaltools
from evaltools.app.session.jobs import Job, JobState
from evaltools.errors import InputError, Problem
from evaltools.frameworks.constituency.views import formula_rows, status_note, summary_line
from evaltools.frameworks.stored import file_of
from evaltools.progress import Progress
from tests.pages.dependency_corpus import score_dependencies
from tests.pages.semantic_corpus import score_graphs
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


@pytest.mark.parametrize("score", [score_tiny, score_dependencies, score_graphs], ids=lambda score: score.__name__)
def test_a_subset_scores_like_the_whole(score: Callable[[Path], evaltools.Run], tmp_path: Path):
    run, chosen = score(tmp_path), [6, 2, 3, 1]
    files = {}
    for name, parser in (("gold", None), ("p", HOSTILE_PARSER)):
        text, notation = file_of(run, parser, chosen)
        files[name] = tmp_path / f"{name} of a part.{notation}"
        files[name].write_text(text, "utf-8")
    part = evaltools.score(files["gold"], {"p": files["p"]}, out=tmp_path / "part").sentences("p")
    whole = run.sentences(HOSTILE_PARSER).set_index("sentence").loc[chosen]
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
