"""What a class has answered, as blocks and as a file: how many, their points, the commonest mistakes, the marks."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from evaltools.classroom.exercises import CREDITS, Answer, Exercise, Item, Mark, Mistake
from evaltools.drawing import draw
from evaltools.drawing.blocks import Block, answer, pictured, scores
from evaltools.reports.formats import safe_cell

__all__ = ["answer_title", "class_line", "distribution", "marks_csv", "mistake_list", "points"]

_BINS = ((80, "80–100 points, not right"), (50, "50–79 points"), (0, "0–49 points"))
_WIDTH = 300
_MAX_MISTAKES = 8


def points(marked: Mark, credit: str) -> float:
    """Return the points of an answer, from 0 to 100."""
    return 100 * marked.credit(credit)


def class_line(marks: Mapping[str, Mark], credit: str) -> Block:
    """Return how many have handed in, how many are right, and the mean of their points."""
    number = len(marks)
    if not number:
        return answer("No answer yet.")
    right = sum(marked.is_right for marked in marks.values())
    mean = fmean(points(marked, credit) for marked in marks.values())
    answers = f"{number} answer{'' if number == 1 else 's'}"
    return answer(f"{answers}, {right} right. Mean of {answers}: {mean:.0f} points of 100 ({CREDITS[credit]}).")


def distribution(marks: Mapping[str, Mark], credit: str) -> Block:
    """Return the distribution of the points."""
    counts = {"Right": 0} | {title: 0 for _, title in _BINS}
    for marked in marks.values():
        if marked.is_right:
            counts["Right"] += 1
        else:
            counts[next(title for low, title in _BINS if round(points(marked, credit)) >= low)] += 1
    total = len(marks)
    rows = [(title, count / total, f"{count} of {total}", "") for title, count in counts.items()] if total else []
    return scores(rows, "Answers by points")


def mistake_list(found: Sequence[Mistake], total: int) -> Block:
    """Return the commonest mistakes, each with its brackets in the sentence."""
    rows = []
    for mistake in found[:_MAX_MISTAKES]:
        focus: dict[str, Any] = {} if mistake.number is None else {"focus": mistake.number}
        svg = draw(mistake.sentence, width=_WIDTH, shorten=True, theme="auto", test_name="answer", **focus)
        number = len(mistake.answers)
        rows.append((svg, mistake.text[:1].upper() + mistake.text[1:], f"{number} of {total} answers", ""))
    return pictured(rows)


def answer_title(marked: Mark, credit: str) -> str:
    """Return the result of an answer in a few words.

    Examples
    --------
    >>> from evaltools.classroom.exercises import item_of, mark
    >>> from evaltools.corpus import Tree
    >>> item = item_of("1", Tree.from_string("(S (NP (N dogs)) (VP (V bark)))"))
    >>> answer_title(mark(item, ()), "bracketing")
    '50 points, 2 repairs left'
    """
    if marked.is_right:
        return "right"
    left = f"{marked.repairs} repair{'' if marked.repairs == 1 else 's'} left"
    return f"{points(marked, credit):.0f} points, {left}"


def marks_csv(exercise: Exercise, answered: Sequence[tuple[Item, Mapping[str, Answer], Mapping[str, Mark]]]) -> str:
    """Write the points of every student: a row for each, with a number, and the name if names were asked for.

    An item that a student has not answered is empty and counts as 0 in the total.
    """
    students = sorted({student for _, answers, _ in answered for student in answers})
    names = {
        student: answers[student].name for _, answers, _ in answered for student in answers if answers[student].name
    }
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    heads = [f"sentence {item.id}" for item, _, _ in answered]
    named = ["name"] if exercise.ask_names else []
    writer.writerow(["student", *named, *heads, f"total of {100 * len(answered)}"])
    for number, student in enumerate(students, start=1):
        given = [marks.get(student) for _, _, marks in answered]
        cells = ["" if marked is None else f"{points(marked, exercise.credit):.1f}" for marked in given]
        total = sum(points(marked, exercise.credit) for marked in given if marked is not None)
        name = [safe_cell(names.get(student, ""))] if exercise.ask_names else []
        writer.writerow([number, *name, *cells, f"{total:.1f}"])
    return file.getvalue()
