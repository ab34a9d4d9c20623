"""Making an exercise: trees that are pasted, or sentences of the open run."""

from __future__ import annotations

import re

import streamlit as st

from evaltools.classroom import shelf
from evaltools.classroom.exercises import (
    CREDITS,
    FEEDBACK,
    MAX_ITEMS,
    MAX_WORDS,
    Exercise,
    Item,
    items_of_run,
    items_of_text,
)
from evaltools.drawing.blocks import note, table
from evaltools.errors import ParameterError, Problem
from evaltools.frameworks.presets import PRESETS
from evaltools.frameworks.registry import framework_of_material
from evaltools.runs.store import Run
from evaltools.text import count_of
from evaltools.ui.components.blocks import show_blocks

__all__ = ["MADE", "copy_into_form", "make_exercise", "numbers_in"]

MADE = "exercise_made"
"""Key of the name of the exercise that was made last, in the session."""

_OPEN = "exercise_copied"
"""Key of whether an exercise was copied into the form, in the session."""
_PASTED, _RUN = "Paste trees", "Sentences of the open run"
_DRAW = ""
_NO_RULES = "none"
_MAX_LISTED = 20
_MAX_TITLE = 80
_EXAMPLE = "(S (NP (N dogs)) (VP (V bark)))"
_RANGE = re.compile(r"(\d{1,7})(?:\s*[-–]\s*(\d{1,7}))?")


def numbers_in(text: str) -> list[int]:
    """Return the numbers of a list such as ``3, 7-9``.

    Examples
    --------
    >>> numbers_in("3, 7–9 12")
    [3, 7, 8, 9, 12]
    """
    numbers: list[int] = []
    for part in re.sub(r"\s*([-–])\s*", r"\1", text).replace(",", " ").replace(";", " ").split():
        match = _RANGE.fullmatch(part)
        if match is None:
            raise ParameterError(f"{part!r} is not a number; expected sentence numbers such as 3, 7-9")
        first, last = int(match[1]), int(match[2] or match[1])
        numbers += range(first, min(last, first + MAX_ITEMS) + 1)
    return numbers


def make_exercise(run: Run | None) -> None:
    """Show the form that makes an exercise."""
    of_trees = run if run is not None and run.framework is framework_of_material("trees") else None
    sources = [_PASTED] if of_trees is None else [_PASTED, _RUN]
    with st.expander("Make an exercise", icon=":material/edit_note:", expanded=bool(st.session_state.get(_OPEN))):
        source = st.segmented_control(
            "The trees", sources, default=_PASTED, required=True, key="exercise_source", disabled=len(sources) == 1
        )
        with st.form("exercise_form", border=False):
            title = st.text_input("Title", max_chars=_MAX_TITLE, key="exercise_title", placeholder="Attachment")
            if source == _RUN and of_trees is not None:
                _ask_for_sentences(of_trees)
            else:
                _ask_for_trees()
            left, right = st.columns(2)
            with left:
                credit = st.selectbox(
                    "Points are counted by",
                    list(CREDITS),
                    format_func=CREDITS.__getitem__,
                    key="exercise_credit",
                    help="In points of 100: how far the answer is, by this figure, on the way from the tree that "
                    "students begin with (0) to the gold tree (100).",
                )
            with right:
                rules = st.selectbox(
                    "Preset applied to all trees",
                    [_NO_RULES, *(name for name in PRESETS if name != _NO_RULES)],
                    key="exercise_rules",
                    help="Such as standard, which removes empty elements, functions of labels, and punctuation.",
                )
            feedback = st.selectbox(
                "Students who have handed in see",
                list(FEEDBACK),
                format_func=FEEDBACK.__getitem__,
                key="exercise_feedback",
                help="Students see this until you close the sentence, and may hand in again; the last answer counts. "
                "If you grade the answers, choose “points only”: then they do not see where the tree is wrong.",
            )
            ask_names = st.checkbox("Ask for names (students may leave them out)", key="exercise_names")
            st.caption(
                "Marks without a name have a number only, and you cannot tell whose they are. The number of a student "
                "stays the same in every file; phones show it, so that students can tell you theirs."
            )
            solution = st.checkbox("Show the gold tree to those who have handed in", key="exercise_solution")
            problems_at = st.container()  # above the button, where the reader looks
            if st.form_submit_button("Make the exercise", type="primary"):
                items, problems = _items(of_trees if source == _RUN else None, str(rules))
                made = Exercise(title.strip() or "Exercise", items, str(credit), str(feedback), ask_names, solution)
                with problems_at:
                    _keep(made, problems)


def copy_into_form(exercise: Exercise) -> None:
    """Fill the form with an exercise, to make another one from it."""
    starts = ["" if item.is_drawn else item.start for item in exercise.items]
    st.session_state.update(
        exercise_source=_PASTED,
        exercise_title=exercise.title,
        exercise_gold="\n".join(item.gold for item in exercise.items),
        exercise_parses="\n".join(starts) if any(starts) else "",
        exercise_credit=exercise.credit,
        exercise_rules=_NO_RULES,
        exercise_feedback=exercise.feedback,
        exercise_names=exercise.ask_names,
        exercise_solution=exercise.show_solution,
        **{_OPEN: True},
    )


def _ask_for_trees() -> None:
    st.text_area(
        "Gold trees",
        key="exercise_gold",
        placeholder=_EXAMPLE,
        height=140,
        help=f"In any format of constituency trees; at most {MAX_ITEMS} sentences of {MAX_WORDS} words.",
    )
    st.text_area(
        "Trees to correct, in the same order (empty: students draw the trees)",
        key="exercise_parses",
        placeholder="(S (N dogs) (VP (V bark)))",
        height=90,
        help="To have some trees corrected and others drawn, write one line for each gold tree, and leave the lines of "
        "those to draw empty.",
    )


def _ask_for_sentences(run: Run) -> None:
    left, right = st.columns(2)
    with left:
        st.text_input(f"Sentences, of {run.n_sentences:,}", key="exercise_numbers", placeholder="3, 7-9")
    with right:
        st.selectbox(
            "Students",
            [_DRAW, *run.parsers],
            format_func=lambda name: f"correct the parse of {name}" if name else "draw the tree",
            key="exercise_parser",
        )


def _items(run: Run | None, rules: str) -> tuple[tuple[Item, ...], tuple[Problem, ...]]:
    value = st.session_state.get
    if run is None:
        return items_of_text(str(value("exercise_gold") or ""), str(value("exercise_parses") or ""), rules)
    try:
        numbers = numbers_in(str(value("exercise_numbers") or ""))
        if not numbers:
            raise ParameterError("no sentence")
    except ParameterError as error:
        return (), (Problem("number", "sentences", None, None, str(error), "numbers such as 3, 7-9"),)
    return items_of_run(run, numbers, str(value("exercise_parser") or ""), rules)


def _keep(exercise: Exercise, problems: tuple[Problem, ...]) -> None:
    """Store an exercise without problems, or list what is wrong."""
    if exercise.items and not problems:
        try:
            st.session_state[MADE] = shelf.keep_exercise(exercise)
        except OSError as error:
            st.error("The exercise cannot be saved.", icon=":material/error:")
            st.code(error.strerror or str(error), language=None, wrap_lines=True)
            return
        st.rerun()
    number = f"{count_of(len(problems), 'problem')}"
    st.error(f"The exercise was not made: {number} to correct.", icon=":material/error:")
    rows = [
        (False, (item.file or "–", str(item.sentence or "–"), str(item.line or "–"), item.found, item.expected))
        for item in problems[:_MAX_LISTED]
    ]
    more = len(problems) - _MAX_LISTED
    show_blocks(
        table(("field", "sentence", "line", "found", "expected"), rows, numbers=(1, 2)),
        *([note(f"and {more} more")] if more > 0 else []),
        key="exercise_problems",
    )
