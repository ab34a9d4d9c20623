"""The question of an exercise: a tree to draw or to correct, its marking, and the drawings on the way."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from html import escape, unescape
from typing import Any, ClassVar

import msgspec

from evaltools.classroom.editor import editor_data
from evaltools.classroom.exercises import (
    CREDITS,
    Answer,
    Item,
    Mark,
    check_edits,
    item_of,
    mark,
    read_answer,
    tree_after,
)
from evaltools.corpus import Tree
from evaltools.corpus.editing import edits_as_text
from evaltools.drawing import LEGEND, draw, tree_legend
from evaltools.errors import ParameterError
from evaltools.marks import Status
from evaltools.text import capitalized, count_of, percentage

__all__ = ["TreeExercise", "drawing_style", "marking_lines", "warm"]

_STYLE = re.compile("<style>(.*?)</style>", re.DOTALL)
_YOURS = "your tree"
_HINTS = {
    True: "Tap a tag, add its neighbors with ◂ ▸, then tap the label of the bracket above them.",
    False: "Drag a node to another parent. Tap one to relabel or delete it, or to insert a bracket above it; "
    "◂ ▸ add its neighbors.",
}


class TreeExercise(msgspec.Struct, frozen=True):
    """A sentence of an exercise, as phones show it."""

    kind: ClassVar[str] = "tree_exercise"
    max_length: ClassVar[int] = 12_000
    keeps_tries: ClassVar[bool] = True

    item: Item
    title: str  # Which sentence of the exercise it is
    labels: tuple[str, ...] = ()  # Labels to choose from
    credit: str = "bracketing"  # Of CREDITS
    feedback: str = "words"  # Of FEEDBACK
    ask_names: bool = False
    show_solution: bool = False  # Whether the gold tree is shown to those who have handed in
    is_closed: bool = False  # Whether it is shown to all

    def check(self, answer: str) -> str:
        """Return an answer as it is stored; raise ParameterError for anything else."""
        read = read_answer(self.item, answer)
        return msgspec.json.encode(Answer(read.edits, read.name if self.ask_names else "")).decode()

    def pictures(self) -> Mapping[str, str]:
        """Return no pictures: the gold tree is part of the page, if it is shown. Raise EvaltoolsError if damaged."""
        mark(self.item, ()).credit(self.credit)
        return {}

    def page(self, answer: str | None, *, is_open: bool, pictures: str, number: int = 0) -> str:
        """Return the editor, the marking of the student's own answer, and the gold tree if it may be shown."""
        own = self._own(answer)
        task = "Draw the tree" if self.item.is_drawn else "Correct the tree"
        words = self.item.gold_tree.words
        parts = [f"<h1>{escape(self.title)}: {task if is_open else 'closed'}</h1>", f"<p>{escape(' '.join(words))}</p>"]
        if own is not None:
            shown = self.feedback if is_open else "words"
            parts.append(_marking(mark(self.item, check_edits(own.edits)), self.credit, shown, is_open=is_open))
        elif not is_open:
            parts.append("<p>You have not handed in an answer.</p>")
        if is_open:
            parts.append(self._editor(own))
            if number:
                parts.append(f"<p>You are student {number} in your teacher’s list.</p>")
        elif own is not None:
            marked = mark(self.item, check_edits(own.edits))
            parts.append(f"<h2>Your tree</h2>{_picture(marked.tree, 'Your tree', marked.statuses)}")
        if self._shows_gold(own, is_open=is_open):
            missing = mark(self.item, check_edits(own.edits)).gold_statuses if own is not None else ()
            parts.append(f"<h2>The gold tree</h2>{_picture(self.item.gold_tree, 'The gold tree', missing, 'gold')}")
        return "\n".join(parts)

    def _editor(self, own: Answer | None) -> str:
        """Return the editor and what hands its tree in."""
        parts = [
            f'<div id="editor" data-edits="{escape(own.edits if own is not None else "")}"></div>',
            "<noscript><p>The editor needs JavaScript.</p></noscript>",
        ]
        if self.ask_names:
            name = escape(own.name if own is not None else "")
            parts.append(
                '<label for="name">Name (optional; your teacher sees it)</label>\n'
                f'<input id="name" class="name" value="{name}" maxlength="60" autocomplete="name">'
            )
        again = "Hand in again" if own is not None else "Hand in"
        parts.append(f'<input type="hidden" id="answer" name="answer" value=""><button id="send">{again}</button>')
        parts.append('<script type="module" src="exercise.js"></script>')
        return "\n".join(parts)

    def draft(self, edits: str, answer: str | None) -> dict[str, Any]:
        """Return the data of the editor for the tree after some edits; raise ParameterError if they are impossible.

        What is wrong is marked only in the tree that has been handed in.
        """
        done = check_edits(edits)
        tree, own = tree_after(self.item, done), self._own(answer)
        statuses: tuple[Status, ...] = ()
        if self.feedback != "points" and own is not None and own.edits == edits_as_text(done):
            statuses = mark(self.item, done).statuses
        message = done[-1].describe(tree_after(self.item, done[:-1])) if done and not statuses else ""
        drawing = draw(tree, statuses=statuses, side="test", name=_YOURS, interactive=True, theme="auto")
        legend = [_bare(draw(tree_legend((status,), test_name=_YOURS), theme="auto")) for status in _marks(statuses)]
        data = editor_data(
            tree,
            _bare(drawing),
            message=capitalized(message),
            hint=_HINTS[self.item.is_drawn],
            can_undo=bool(done),
            can_redo=False,
            legend=legend,
        )
        return data | {"labels": list(self.labels)}

    def _own(self, answer: str | None) -> Answer | None:
        try:
            return None if answer is None else read_answer(self.item, answer)
        except ParameterError:
            return None

    def _shows_gold(self, own: Answer | None, *, is_open: bool) -> bool:
        if is_open:
            return self.show_solution and own is not None
        return self.is_closed


def marking_lines(marked: Mark, credit: str, *, is_open: bool = True) -> tuple[str, str, tuple[str, ...]]:
    r"""Return the verdict on an answer, its points, and where it is not right.

    Examples
    --------
    >>> item = item_of("1", Tree.from_string("(S (NP (N dogs)) (VP (V bark)))"))
    >>> verdict, points, texts = marking_lines(mark(item, check_edits("i1,1,NP")), "bracketing")
    >>> verdict
    'Not right yet: 1 correction is still missing.'
    >>> points.replace("\xa0", " ")
    '60 of 100 points: Bracketing F1 80.0 %, in the tree that was given 50.0 %.'
    >>> marking_lines(mark(item, ()), "bracketing")[1].replace("\xa0", " ").partition(" (")[0]
    '0 of 100 points: this tree is not nearer to the right one than the tree that was given'
    """
    share = marked.credit(credit)
    points = f"{round(100 * share)} of 100 points"
    if marked.is_right:
        return "Right.", f"{points}.", ()
    left = f"{count_of(marked.repairs, 'correction')}"
    verb = ("is" if marked.repairs == 1 else "are") if is_open else ("was" if marked.repairs == 1 else "were")
    verdict = f"Not right yet: {left} {verb} still missing." if is_open else f"Not right: {left} {verb} missing."
    if not marked.repairs:  # a tag is wrong, or brackets over the same words have another order
        verdict = "Not right yet." if is_open else "Not right."
    return verdict, f"{points}: {_reason(marked, credit, share)}.", marked.texts


def _reason(marked: Mark, credit: str, share: float) -> str:
    """Say what the points of an answer that is not right are: how far it is from the given tree to the gold tree."""
    if credit == "repairs":
        begin = marked.start[2]
        if share > 0:
            return f"{begin - marked.repairs} of {begin} corrections done"
        now, before = str(marked.repairs), str(begin)
        name = "corrections left"
    else:
        at = list(CREDITS).index(credit)
        now, before = _percent((marked.bracketing, marked.distance)[at]), _percent(marked.start[at])
        name = CREDITS[credit]
        if share > 0:
            return f"{name} {now}, in the tree that was given {before}"
    return f"this tree is not nearer to the right one than the tree that was given ({name}: {now}, before {before})"


def _percent(score: float | None) -> str:
    return percentage(score).replace(" ", "\u00a0")


def _marking(marked: Mark, credit: str, feedback: str, *, is_open: bool) -> str:
    verdict, points, texts = marking_lines(marked, credit, is_open=is_open)
    shown = texts if feedback == "words" else ()
    listed = "".join(f"<li>{escape(capitalized(text))}</li>" for text in shown)
    again = "<p>You may change the tree and hand in again; the last answer counts.</p>" if is_open and texts else ""
    state, sign = ("right", "✓") if marked.is_right else ("wrong", "✗")
    lines = f"<ul>{listed}</ul>" if listed else ""
    return (
        f'<div class="marking {state}" role="status"><p><span aria-hidden="true">{sign} </span>'
        f"<span>{escape(verdict)}</span></p><p>{escape(points)}</p>{lines}{again}</div>"
    )


def _picture(tree: Tree, title: str, statuses: tuple[Status, ...] = (), side: str = "test") -> str:
    """Return a drawing of a tree, and the legend of its marks."""
    svg = draw(tree, statuses=statuses, side=side, name=_YOURS, theme="auto")
    marks = _marks(statuses)
    legend = draw(tree_legend(marks, test_name=_YOURS), theme="auto") if marks else ""
    below = f'<div class="legend">{_image(legend, "Legend")}</div>' if legend else ""
    return f'<div class="picture">{_image(svg, title)}</div>{below}'


def _marks(statuses: tuple[Status, ...]) -> tuple[Status, ...]:
    """Return the marks of a drawing that its legend explains."""
    return tuple(status for status in LEGEND if status in statuses and status is not Status.RIGHT)


def _image(svg: str, title: str) -> str:
    data = base64.b64encode(svg.encode("utf-8", "replace")).decode("ascii")
    return f'<img src="data:image/svg+xml;base64,{data}" alt="{escape(title)}">'


def _bare(svg: str) -> str:
    """Return a drawing without its style, which the page has once."""
    return _STYLE.sub("", svg)


def drawing_style() -> str:
    """Return the style of drawings of trees that follow the colors of the page."""
    found = _STYLE.search(draw(Tree.from_string("(S (N dogs))"), theme="auto"))
    return unescape(found[1]) if found else ""


def warm() -> None:
    """Load what marks the first answer."""
    mark(item_of("1", Tree.from_string("(S (NP (D the) (N dogs)) (VP (V bark)))")), ())
