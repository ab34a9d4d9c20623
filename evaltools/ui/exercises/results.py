"""What a class has answered, as blocks and as a file: how many, their points, the commonest mistakes, the marks."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from functools import lru_cache
from statistics import fmean
from typing import Any

from evaltools.classroom.exercises import CREDITS, Exercise, Mark, Mistake
from evaltools.classroom.shelf import Answered
from evaltools.drawing import draw
from evaltools.drawing.blocks import Block, answer, marked, scores
from evaltools.marks import MarkedSentence
from evaltools.outputs.tables import safe_cell
from evaltools.text import capitalized, count_of, decimals

_BINS = ((80, "80–100 points, not right"), (50, "50–79 points"), (0, "0–49 points"))
_WIDTHS = (300, 420)
_MAX_MISTAKES = 8


def points(each: Mark, credit: str) -> float:
    """Return the points of an answer, from 0 to 100."""
    return 100 * each.credit(credit)


def class_line(given: Answered, credit: str, *, with_points: bool) -> Block:
    """Return how many have handed in; with points, also how many are right and the mean of their points."""
    marks = given.marks
    number = len(marks)
    if not number:
        return answer("No answer yet.")
    right = sum(each.is_right for each in marks.values())
    mean = fmean(points(each, credit) for each in marks.values())
    answers = count_of(number, "answer")
    if not with_points:
        return answer(f"{answers}.")
    return answer(
        f"{answers}, {right} right. Mean of {answers}: {decimals(mean, 0)} points of 100 ({CREDITS[credit]})."
    )


def distribution(marks: Mapping[str, Mark], credit: str) -> Block:
    """Return the distribution of the points."""
    counts = {"Right": 0} | {title: 0 for _, title in _BINS}
    for each in marks.values():
        if each.is_right:
            counts["Right"] += 1
        else:
            counts[next(title for low, title in _BINS if round(points(each, credit)) >= low)] += 1
    total = len(marks)
    rows = [(title, count / total, f"{count} of {total}", "") for title, count in counts.items()] if total else []
    return scores(rows, "Answers by points")


def mistake_list(found: Sequence[Mistake], total: int) -> Block:
    """Return the commonest mistakes, numbered from 1, each with its brackets in the sentence."""
    rows, pictures = [], {}
    for number, mistake in enumerate(found[:_MAX_MISTAKES], start=1):
        text = capitalized(mistake.text)
        rows.append((number, (), (), f"{text} – {len(mistake.answers)} of {total} answers"))
        pictures[number] = [(width, _drawn(mistake.sentence, mistake.number, width)) for width in _WIDTHS]
    return marked(rows, heading="Commonest mistakes", pictures=pictures)


@lru_cache(maxsize=256)
def _drawn(sentence: MarkedSentence, repair: int | None, width: int) -> str:
    options: dict[str, Any] = {} if repair is None else {"focus": repair}
    return draw(sentence, width=width, shorten=True, theme="auto", gold_name="", test_name="", **options)


def answer_title(each: Mark, credit: str) -> str:
    """Return the result of an answer in a few words.

    Examples
    --------
    >>> from evaltools.classroom.exercises import item_of, mark
    >>> from evaltools.corpus import Tree
    >>> item = item_of("1", Tree.from_string("(S (NP (N dogs)) (VP (V bark)))"))
    >>> answer_title(mark(item, ()), "bracketing")
    '0 points, 2 corrections missing'
    """
    repairs = f"{count_of(each.repairs, 'correction')} missing"
    return "✓ right" if each.is_right else f"{decimals(points(each, credit), 0)} points, {repairs}"


def marks_csv(exercise: Exercise, answered: Sequence[Answered], numbers: Mapping[str, int]) -> str:
    """Write the points of every student: a row for each, with a number, and the name if names were asked for.

    An item that a student has not answered is empty and counts as 0 in the total.
    """
    students = sorted({student for each in answered for student in each.answers}, key=numbers.__getitem__)
    names = {student: given.name for each in answered for student, given in each.answers.items() if given.name}
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    heads = [f"sentence {each.item.id}" for each in answered]
    named = ["name"] if exercise.ask_names else []
    writer.writerow(["student", *named, *heads, f"total of {100 * len(answered)}"])
    for student in students:
        given = [each.marks.get(student) for each in answered]
        cells = ["" if each is None else decimals(points(each, exercise.credit), 1) for each in given]
        total = sum(points(each, exercise.credit) for each in given if each is not None)
        name = [safe_cell(names.get(student, ""))] if exercise.ask_names else []
        writer.writerow([numbers[student], *name, *cells, decimals(total, 1)])
    return file.getvalue()
