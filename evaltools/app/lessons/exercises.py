"""Exercises: their list, the form that makes one, and one as the teacher shows it with what the class has answered."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from statistics import fmean
from typing import Any, Literal

import streamlit as st

from evaltools.app.components.blocks import show_blocks, show_problems
from evaltools.app.components.keyboard import keyboard
from evaltools.app.components.tree_editor import one_tree_editor
from evaltools.app.lab import edited_by_link
from evaltools.app.lessons.layout import apply_projection, apply_slide, as_plain
from evaltools.app.lessons.phones import (
    answered_by,
    attempt,
    follow,
    phones_button,
    show_command,
    show_join,
    show_large_code,
)
from evaltools.app.session import state
from evaltools.app.widgets.pickers import label_about, previous_and_next
from evaltools.app.widgets.saving import made_here
from evaltools.blocks import Block, Quoted, Text, answer, drawn, note, sentences, steps
from evaltools.classroom import shelf
from evaltools.classroom.exercises import (
    FEEDBACK,
    MAX_ITEMS,
    MAX_WORDS,
    Exercise,
    Item,
    Marking,
    Mistake,
    items_of_run,
    items_of_text,
    mark,
    mistakes,
)
from evaltools.classroom.questions import TreeExercise, marking_lines
from evaltools.classroom.shelf import Answered
from evaltools.classroom.votes import class_store
from evaltools.corpus import Kind
from evaltools.drawing import Drawing, draw
from evaltools.errors import ParameterError, Problem
from evaltools.frameworks.constituency.framework import CONSTITUENCY
from evaltools.frameworks.constituency.views import mapping_drawing
from evaltools.marks import Marks, Status
from evaltools.outputs.lessons import tree_picture
from evaltools.outputs.tables import safe_cell
from evaltools.runs.store import Run
from evaltools.runs.subset import parse_numbers
from evaltools.text import capitalized, count_of, decimals

_WIDTHS = (300, 420)
_MAX_MISTAKES = 8
_MAX_LABELS = 16


def class_line(given: Answered, *, with_points: bool) -> Block:
    """Return how many have handed in; with points, also how many are right and the mean of their points."""
    marks = given.marks
    number = len(marks)
    if not number:
        return answer("No answer yet.")
    right = sum(each.is_right for each in marks.values())
    mean = fmean(each.points for each in marks.values())
    if not with_points:
        return answer(f"{answered_by(number)}.")
    return answer(f"{count_of(number, 'answer')}, {right} right. Mean: {decimals(mean, 0)} points of 100.")


def mistake_list(found: Sequence[Mistake], total: int) -> Block:
    """Return the commonest mistakes, numbered from 1, each with its brackets in the sentence."""
    rows = []
    for number, mistake in enumerate(found[:_MAX_MISTAKES], start=1):
        text = f"{capitalized(mistake.text)} – {len(mistake.answers)} of {total} answers"
        drawn = [(width, _drawn(mistake.sentence, mistake.number, width)) for width in _WIDTHS]
        rows.append((number, Quoted((), (), drawn), text, ""))
    return sentences(rows, "Commonest mistakes")


@lru_cache(maxsize=256)
def _drawn(sentence: Marks, repair: int | None, width: int) -> str:
    options: dict[str, Any] = {} if repair is None else {"focus": repair}
    return draw(sentence, width=width, shorten=True, theme="auto", gold_name="", parse_name="", **options)


def answer_title(each: Marking) -> str:
    """Return the result of an answer in a few words.

    Examples
    --------
    >>> from evaltools.classroom.exercises import item_of, mark
    >>> from evaltools.corpus import Tree
    >>> item = item_of("1", Tree.from_string("(S (NP (N dogs)) (VP (V bark)))"))
    >>> answer_title(mark(item, ()))
    '0 points, 2 corrections missing'
    """
    repairs = f"{count_of(each.repairs, 'correction')} missing"
    return "✓ right" if each.is_right else f"{decimals(each.points, 0)} points, {repairs}"


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
        cells = ["" if each is None else decimals(each.points, 1) for each in given]
        total = sum(each.points for each in given if each is not None)
        name = [safe_cell(names.get(student, ""))] if exercise.ask_names else []
        writer.writerow([numbers[student], *name, *cells, decimals(total, 1)])
    return file.getvalue()


MADE = "exercise_made"
"""Key of the name of the exercise that was made last, in the session."""

_OPEN = "exercise_copied"
"""Key of whether an exercise was copied into the form, in the session."""
_PASTED, _RUN = "Paste trees", "Sentences of the open run"
_DRAW = ""
_MAX_TITLE = 80
_EXAMPLE = "(S (NP (N dogs)) (VP (V bark)))"


def make_exercise(run: Run | None) -> None:
    """Show the form that makes an exercise."""
    of_trees = run if run is not None and run.framework is CONSTITUENCY else None
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
                items, problems = _items(of_trees if source == _RUN else None)
                made = Exercise(title.strip() or "Exercise", items, str(feedback), ask_names, solution)
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


def _items(run: Run | None) -> tuple[tuple[Item, ...], tuple[Problem, ...]]:
    value = st.session_state.get
    if run is None:
        return items_of_text(str(value("exercise_gold") or ""), str(value("exercise_parses") or ""))
    try:
        numbers = parse_numbers(str(value("exercise_numbers") or ""), "sentences", last_sentence=run.n_sentences)
        if not numbers:
            raise ParameterError("no sentence")
    except ParameterError as error:
        return (), (Problem("number", "sentences", None, None, str(error), "numbers such as 3, 7-9"),)
    return items_of_run(run, numbers, str(value("exercise_parser") or ""))


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
    show_problems(problems, key="exercise_problems")


_DONE = ":material/check_circle:"


def exercise_list(run: Run | None) -> None:
    """List the exercises, and offer to make one."""
    listed = shelf.exercises()
    text = (
        "Students draw or correct trees on their phones, see at once where they are not right, and get points; you see "
        "the class’s answers as they come."
    )
    show_blocks(note(text), key="exercises_about")
    made = st.session_state.get(MADE)
    if made in listed:
        st.success("The exercise is made. Phones show it when you open it.", icon=_DONE)
    with st.container(key="exercise_rows"):
        for name, exercise in listed.items():
            _row(name, exercise, is_new=name == made)
    make_exercise(run)


def _row(name: str, exercise: Exercise, *, is_new: bool) -> None:
    left, middle, right = st.columns([6, 1, 1], vertical_alignment="center", gap="medium")
    number = len(exercise.items)
    words = " ".join(exercise.items[0].gold_tree.words) if exercise.items else ""
    with left:
        about = f"{count_of(number, 'sentence')}"
        show_blocks(Text(exercise.title, "heading"), answer(words), note(about), key=f"about_{name}")
    with middle:
        kind: Literal["primary", "secondary"] = "primary" if is_new else "secondary"
        st.button(
            label_about("Open", exercise.title),
            key=f"open_{name}",
            width="stretch",
            type=kind,
            on_click=_open,
            args=(name,),
        )
    with right, st.popover(label_about("More", exercise.title), width="stretch", key=f"more_{name}"):
        st.button("Copy into the form", key=f"copy_{name}", on_click=copy_into_form, args=(exercise,))
        if name != shelf.PRACTICE:
            st.text("The answers to it stay with their class.")
            st.button(
                "Delete the exercise", key=f"remove_{name}", icon=":material/delete:", on_click=_remove, args=(name,)
            )


def _open(name: str) -> None:
    st.session_state.pop(MADE, None)
    state.put(exercise=name, list=None)


def _remove(name: str) -> None:
    try:
        shelf.remove_exercise(name)
    except OSError as error:
        st.toast(f"The exercise cannot be deleted: {error.strerror or error}", icon=":material/error:")


_EARLY = "evaltools_exercise_early"
"""Whether points and mistakes are shown before the sentence is closed."""

_FIT_BELOW, _LEAST = 58, 90
"""How much of the window's height a picture below the sentence may take, and its smallest scale, in hundredths."""
_REPAIRS = 420
"""Width for which corrections are drawn, in pixels; the drawing then grows to that of its column."""
_MARKS = {Status.SPURIOUS: "> spurious", Status.RELABELED: "≠ relabeled"}
_PROJECTS = "exercise_projects"
_CLOSING = "exercise_closing"
"""Key of the sentence that the teacher is asked about before it is closed, in the session."""
_WHOLE = "exercise_whole"
"""Key of whether the exercise filled the screen before an answer was projected."""
_FULL = "exercise_full"


@dataclass(frozen=True, slots=True)
class Course:
    """The class that answers the item that is shown."""

    name: str  # Name of the exercise
    exercise: Exercise
    number: int  # Index of the item

    @property
    def item(self) -> Item:
        """The item that is shown."""
        return self.exercise.items[self.number]

    @property
    def question(self) -> str:
        """The id of the item's question."""
        return shelf.question_of(self.name, self.item)

    @property
    def is_closed(self) -> bool:
        """Whether answers are no longer taken."""
        return not shelf.ballots().is_open(self.question)

    def follow(self) -> None:
        """Have phones show the item."""
        exercise, closed = self.exercise, self.is_closed
        question = TreeExercise(
            self.item,
            f"Sentence {self.number + 1} of {len(exercise.items)}",
            _labels(exercise),
            exercise.feedback,
            exercise.ask_names,
            exercise.show_solution,
            closed,
        )
        follow(exercise.title, self.question, question, closed=closed)

    def close(self) -> None:
        """Take no more answers to the item, and show its gold tree on the phones."""
        attempt(lambda: shelf.ballots().close(self.question))
        self.follow()

    def reopen(self) -> None:
        """Take answers to the item again."""
        attempt(lambda: shelf.ballots().reopen(self.question))
        self.follow()


def _labels(exercise: Exercise) -> tuple[str, ...]:
    """Return the labels of brackets of an exercise, the most frequent ones, in alphabetical order."""
    counts = Counter(
        label
        for item in exercise.items
        for tree in (item.gold_tree, item.start_tree)
        for label, kind in zip(tree.labels, tree.kinds, strict=True)
        if kind is Kind.PHRASE and label
    )
    return tuple(sorted(label for label, _ in counts.most_common(_MAX_LABELS)))


def exercise_page(name: str, exercise: Exercise) -> None:
    """Show one sentence of an exercise."""
    whole = state.get("full") == "1"
    apply_projection(whole_screen=whole)
    if whole:
        apply_slide()
    number = state.get_number("item", 1, 1, len(exercise.items))
    course = Course(name, exercise, number - 1)
    keyboard(
        number,
        len(exercise.items),
        key="exercise_keys",
        whole=whole,
        button=_FULL,
        answer="exercise_close",
        on_step=_go,
        on_leave=partial(state.put, full=None),
    )
    is_solving = state.get("solve") == "1"
    if not is_solving:
        course.follow()
        if state.get("code") == "1" and class_store() is not None:
            show_large_code()
            return
    with st.container(key="lesson_title"):
        st.header(as_plain(f"{exercise.title}: sentence {number} of {len(exercise.items)}"), anchor=False)
    given, student = _given(course), state.get("answer")
    projects = student in given.marks and not is_solving
    bar = partial(_bar, course, whole=whole, projects=projects, is_solving=is_solving)
    if not whole:
        bar()
    if is_solving:
        solve_view(exercise, course.item)
    elif projects:
        _projected(course, given, student)
    else:
        _sentence(course)
    if whole:
        bar()


def _bar(course: Course, *, whole: bool, projects: bool, is_solving: bool) -> None:
    number, last = course.number + 1, len(course.exercise.items)
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_bar"):
        if projects:
            st.button("Back to the class", key="projected_back", type="primary", on_click=_back)
        else:
            before, after = number - 1 or None, number + 1 if number < last else None
            previous_and_next("exercise", before, after, _go)
        phones_button()
        title = "Leave full screen" if whole else "Full screen"
        st.button(title, key=_FULL, shortcut="F", on_click=state.put, kwargs={"full": None if whole else 1})
        if not projects:
            title = "Back to the class" if is_solving else "Solve it here"
            st.button(title, key="exercise_solve", on_click=_solve, args=(None if is_solving else 1,))
            with st.container(width="content"):  # a fragment alone would take the rest of the line
                _marks(course)
            st.button("All exercises", key="exercise_all", on_click=_leave)
        if not is_solving:
            _closing(course)


def _solve(on: int | None) -> None:
    state.put(**SOLVING, solve=on)


def _closing(course: Course) -> None:
    """Offer to close the sentence, at the end of the bar and only after a second press."""
    if course.is_closed:
        st.button("Reopen", key="exercise_reopen", on_click=course.reopen)
    elif st.session_state.get(_CLOSING) == course.question:
        st.button(
            "Close it now", key="exercise_close_sure", type="primary", shortcut="V", on_click=_close, args=(course,)
        )
        st.button("Keep it open", key="exercise_keep", on_click=_ask_to_close, args=("",))
    else:
        asked = course.question
        st.button(
            "Close and show the solution …", key="exercise_close", shortcut="V", on_click=_ask_to_close, args=(asked,)
        )


def _ask_to_close(question: str) -> None:
    st.session_state[_CLOSING] = question


def _close(course: Course) -> None:
    _ask_to_close("")
    course.close()


def _back() -> None:
    state.put(answer=None, full=1 if st.session_state.pop(_WHOLE, False) else None)


def _file_name(title: str) -> str:
    """Return a title as part of the name of a file.

    Examples
    --------
    >>> _file_name("Week 3: PP/NP?")
    'Week-3-PP-NP'
    """
    return re.sub(r"\W+", "-", title).strip("-")[:60] or "exercise"


def _go(number: int) -> None:
    state.put(**SOLVING, item=None if number == 1 else number, answer=None)


def _leave() -> None:
    state.put(**SOLVING, exercise=None, item=None, answer=None, full=None, code=None, solve=None, list="exercises")


@st.fragment(run_every="1s")
def _marks(course: Course) -> None:
    """Offer the marks of now; a file made after the click is lost when two fragments end before it is fetched."""
    given = [shelf.answered(course.name, item, shelf.ballots()) for item in course.exercise.items]
    numbers = shelf.numbers(shelf.ballots(), (student for each in given for student in each.answers))
    st.download_button(
        "Marks (CSV)",
        marks_csv(course.exercise, given, numbers).encode("utf-8"),
        f"marks-{_file_name(course.exercise.title)}.csv",
        "text/csv",
        icon=":material/download:",
        key="exercise_csv",
        on_click="ignore",
    )


def _sentence(course: Course) -> None:
    """Show the sentence, how to join, the answers, and the solution once the sentence is closed."""
    item = course.item
    joins = class_store() is not None and not course.is_closed
    left, right = st.columns([3, 2], gap="medium") if joins else (st.container(), st.container())
    with left:
        words = " ".join(item.gold_tree.words)
        show_blocks(answer(words), note(item.what_to_do), key="exercise_sentence", large=True)
        if class_store() is None:
            show_command("Or solve it here.")
        _count(course, is_projected=state.get("full") == "1")
    if joins:
        with right:
            show_join()
    if not course.is_closed:
        title = "The words and their tags" if item.is_drawn else "The tree to correct"
        shown = tree_picture(item.start_tree, title, fit=_FIT_BELOW, min_percent=_LEAST)
        show_blocks(shown, key="exercise_start", large=True)
    _live(course, is_projected=state.get("full") == "1")


def _given(course: Course) -> shelf.Answered:
    return shelf.answered(course.name, course.item, shelf.ballots())


@st.fragment(run_every=0.5)
def _count(course: Course, *, is_projected: bool) -> None:
    """Show how many have answered, as answers come; how good they are when the sentence is closed, or on demand."""
    whole = course.is_closed or (not is_projected and bool(st.session_state.get(_EARLY)))
    line = class_line(_given(course), with_points=whole)
    show_blocks(line, key="exercise_line", large=True)


@st.fragment(run_every="1s")
def _live(course: Course, *, is_projected: bool) -> None:
    """Show what the class has answered, as answers come; while it is projected, nothing that gives the answer away."""
    given = _given(course)
    marks = given.marks
    if st.session_state.pop(_PROJECTS, False):
        st.rerun()
    if not course.is_closed:
        if not marks:
            return
        if is_projected:
            text = "Points and the commonest mistakes are shown when the sentence is closed."
            show_blocks(note(text), key="exercise_hidden", large=True)
            return
        early = st.toggle(
            "Show points and mistakes now, before the sentence is closed",
            value=bool(st.session_state.get(_EARLY)),  # the toggle forgets it while the code fills the window
            key="exercise_early",
        )
        st.session_state[_EARLY] = early
        if not early:
            return
    found, students = mistakes(marks), list(marks)
    left, right = st.columns([1, 1], gap="medium") if course.is_closed and found else (st.container(), st.container())
    with left:
        if course.is_closed:
            shown = tree_picture(course.item.gold_tree, "The gold tree", fit=_FIT_BELOW, min_percent=_LEAST)
            remark = [note(course.item.note)] if course.item.note else []
            show_blocks(shown, *remark, key="exercise_gold", large=True)
    with right:
        if found:
            show_blocks(
                mistake_list(found, len(marks)),
                note("Click a mistake to project an answer that has it."),
                key="exercise_mistakes",
                on_sentence=lambda number: _project(found[number - 1].answers[0]),
                large=True,
            )
    if not marks:
        return
    numbers = shelf.numbers(shelf.ballots(), marks)
    rows = [("right", f"Student {numbers[student]}: {answer_title(marks[student])}") for student in students]
    show_blocks(
        steps(rows, "Answers: click one to project it"),
        key="exercise_answers",
        on_step=lambda index: _project(students[index]),
        large=True,
    )


def _project(student: str) -> None:
    st.session_state[_WHOLE] = state.get("full") == "1"
    state.put(answer=student, full=1)
    st.session_state[_PROJECTS] = True


def _projected(course: Course, given: shelf.Answered, student: str) -> None:
    """Show one answer, without saying whose it is; what is missing in it only when the sentence is closed."""
    marked = given.marks[student]
    verdict, figures, texts = marking_lines(marked, is_open=not course.is_closed)
    show_blocks(answer(verdict), note(figures), key="projected_line", large=True)
    shows_repairs = course.is_closed and bool(marked.sentence.repairs)
    left, right = st.columns([1, 1], gap="medium") if shows_repairs else (st.container(), st.container())
    with left:
        marks = [text for status, text in _MARKS.items() if status in marked.statuses]
        heading = f"An answer ({', '.join(marks)})" if marks else "An answer"
        size = {"fit": _FIT_BELOW, "min_percent": _LEAST}
        drawn = tree_picture(marked.tree, heading, **size, statuses=marked.statuses, name="the answer")
        show_blocks(drawn, key="projected_tree", large=True)
    with right:
        blocks = [_repairs(marked)] if shows_repairs else []
        left_out = texts if course.is_closed else ()
        show_blocks(*blocks, *(answer(capitalized(text)) for text in left_out), key="projected_repairs", large=True)


def _repairs(marked: Marking) -> Block:
    """Return the corrections as a drawing that fills its column."""
    options = {"parse_name": "class", "width": _REPAIRS}
    drawing = Drawing(marked.sentence, "What is to be corrected", "repairs", options=options)
    return drawn(drawing, fit=_FIT_BELOW, min_percent=_LEAST)


SOLVING: dict[str, None] = dict.fromkeys(("lab_edits", "lab_done", "lab_check", "lab_solution"))
"""What the link says of an attempt, to be put for another sentence."""


def solve_view(exercise: Exercise, item: Item) -> None:
    """Show the editor, the marking when asked for, and the gold tree."""
    attempt = edited_by_link(item.start_tree, item.notation)
    is_checked, is_solved = state.get("lab_check") == "1", state.get("lab_solution") == "1"
    marked = mark(item, attempt.edits[: attempt.done])
    tree = item.gold_tree
    labels = sorted({label for label, kind in zip(tree.labels, tree.kinds, strict=True) if kind is Kind.PHRASE})
    show_blocks(
        answer(item.what_to_do),
        note(f"Labels to use: {', '.join(labels)}. The tags are given."),
        key="solve_task",
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.button("Check", type="primary", key="solve_check", on_click=lambda: state.put(lab_check=1))
        title = "Hide the gold tree" if is_solved else "Show the gold tree"
        wanted = None if is_solved else 1
        st.button(title, key="solve_solution", on_click=lambda: state.put(lab_solution=wanted, lab_check=1))
    picture, verdict = st.columns([5, 3], gap="medium")
    with picture:
        st.markdown("**Your tree**")
        one_tree_editor(attempt, marked.statuses if is_checked else (), key="solve_editor")
    with verdict:
        if is_checked:
            result, points, texts = marking_lines(marked)
            listed = [answer(f"{number}. {capitalized(text)}") for number, text in enumerate(texts, start=1)]
            show_blocks(answer(result), *listed, note(points), key="solve_verdict")
        else:
            show_blocks(note("Check compares your tree with the gold tree."), key="solve_verdict")
    if is_solved:
        title = "Gold tree above, your tree below"
        drawing = mapping_drawing(marked.alignment, "t", fold=False, gold_name="gold tree", parse_name="your tree")
        remark = [note(item.note)] if item.note else []
        origin = made_here("exercise", exercise.title)
        show_blocks(drawn(replace(drawing, title=title)), *remark, key="solve_gold", origin=origin)
