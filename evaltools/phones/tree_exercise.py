"""The question of an exercise: a tree to draw or to correct, its marking, and the drawings on the way."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from html import escape, unescape
from typing import Any, ClassVar

import msgspec

from evaltools.alignments.trees import NodeStatus
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

__all__ = ["TreeExercise", "drawing_style", "marking_lines", "warm"]

_STYLE = re.compile("<style>(.*?)</style>", re.DOTALL)
_YOURS = "your tree"
_HINTS = {
    True: "Tap a tag, add its neighbors with ◂ ▸, then tap the label of the bracket above them.",
    False: "Drag a node to another parent. Tap one to relabel or delete it, or to insert a bracket above it.",
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
            parts.append(_marking(mark(self.item, check_edits(own.edits)), self.credit, shown, can_change=is_open))
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
            parts.append(f"<h2>The gold tree</h2>{_picture(self.item.gold_tree, 'The gold tree')}")
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
        statuses: tuple[NodeStatus, ...] = ()
        if self.feedback != "points" and own is not None and own.edits == edits_as_text(done):
            statuses = mark(self.item, done).statuses
        message = done[-1].describe(tree_after(self.item, done[:-1])) if done and not statuses else ""
        drawing = draw(tree, statuses=statuses, side="test", name=_YOURS, interactive=True, theme="auto")
        marks = [status for status in LEGEND if status in statuses and status is not NodeStatus.MATCHED]
        legend = [_bare(draw(tree_legend((status,), test_name=_YOURS), theme="auto")) for status in marks]
        data = editor_data(
            tree,
            _bare(drawing),
            message=message[:1].upper() + message[1:],
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


def marking_lines(marked: Mark, credit: str) -> tuple[str, str, tuple[str, ...]]:
    r"""Return the verdict on an answer, its figures, and where it is not right.

    Examples
    --------
    >>> item = item_of("1", Tree.from_string("(S (NP (N dogs)) (VP (V bark)))"))
    >>> verdict, figures, texts = marking_lines(mark(item, check_edits("i1,1,NP")), "bracketing")
    >>> verdict, figures.replace("\xa0", " ")
    ('Not right yet: 1 repair is left.', '60 points of 100: Bracketing F1 80.0 %, tree-edit similarity (Dice) 88.9 %.')
    """
    scores = {"bracketing": marked.bracketing, "distance": marked.distance}
    figures = [f"{CREDITS[name]} {_percent(score)}" for name, score in scores.items()]
    if credit == "repairs":
        begin = marked.start[2]
        figures.insert(0, f"{max(0, begin - marked.repairs)} of {begin} repairs done")
    elif credit == "distance":
        figures.reverse()
    figures[1:] = [text[:1].lower() + text[1:] for text in figures[1:]]
    points = f"{round(100 * marked.credit(credit))} points of 100: {', '.join(figures)}."
    if marked.is_right:
        return "Right.", points, ()
    left = f"{marked.repairs} repair{' is' if marked.repairs == 1 else 's are'} left"
    return f"Not right yet: {left}.", points, marked.texts


def _percent(score: float | None) -> str:
    return "–" if score is None else f"{100 * score:.1f}\u00a0%"


def _marking(marked: Mark, credit: str, feedback: str, *, can_change: bool) -> str:
    verdict, points, texts = marking_lines(marked, credit)
    shown = texts if feedback == "words" else ()
    listed = "".join(f"<li>{escape(text[:1].upper() + text[1:])}</li>" for text in shown)
    again = "<p>You may change the tree and hand in again; the last answer counts.</p>" if can_change and texts else ""
    state = "right" if marked.is_right else "wrong"
    return (
        f'<div class="marking {state}" role="status"><p>{escape(verdict)}</p><p>{escape(points)}</p>'
        f"{f'<ul>{listed}</ul>' if listed else ''}{again}</div>"
    )


def _picture(tree: Tree, title: str, statuses: tuple[NodeStatus, ...] = ()) -> str:
    svg = draw(tree, statuses=statuses, name=_YOURS, theme="auto")
    data = base64.b64encode(svg.encode("utf-8", "replace")).decode("ascii")
    return f'<div class="picture"><img src="data:image/svg+xml;base64,{data}" alt="{escape(title)}"></div>'


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
