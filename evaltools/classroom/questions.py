"""Kinds of questions that phones answer: each with its page, its pictures, and the check of an answer.

A question is a msgspec struct of plain texts. The app stores it as JSON in the file of the class, with its kind; the
server of the phones reads it. Another kind is a struct with these methods, and a line in ``QUESTIONS``.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape, unescape
from typing import Any, ClassVar

import msgspec

from evaltools.classroom.exercises import (
    Answer,
    Item,
    Marking,
    check_edits,
    editor_data,
    item_of,
    mark,
    read_answer,
    tree_after,
)
from evaltools.corpus import Tree
from evaltools.corpus.editing import edits_as_text
from evaltools.drawing import LEGEND, draw, tree_legend
from evaltools.errors import EvaltoolsError, ParameterError
from evaltools.marks import Status
from evaltools.text import capitalized, count_of, decimals

_STYLE = re.compile("<style>(.*?)</style>", re.DOTALL)
_YOURS = "your tree"
_HINTS = {
    True: "Tap a tag, add its neighbors with ◂ ▸, then tap the label of the bracket above them.",
    False: "Drag a node to another parent. Tap one to relabel or delete it, or to insert a bracket above it; "
    "◂ ▸ add its neighbors.",
}


class PhoneQuestion(msgspec.Struct, frozen=True):
    """A question that phones answer."""

    kind: ClassVar[str]
    max_length: ClassVar[int]  # Maximum length of an answer, in characters

    def check(self, answer: str) -> str:
        """Return an answer as it is stored; raise ParameterError if it is none."""
        raise NotImplementedError

    def drawn(self) -> Mapping[str, str]:
        """Return the pictures of the page by name, as SVG; raise EvaltoolsError if the question is damaged."""
        return {}

    def page(self, answer: str | None, *, is_open: bool, pictures: str, number: int = 0) -> str:
        """Return the page as HTML: the question, and the answer that this phone has given.

        The controls belong to the form of the page and send ``answer``; `pictures` is the address before the name of a
        picture, `number` the voter's number in the teacher's list, 0 if there is none.
        """
        raise NotImplementedError

    def draft(self, edits: str, answer: str | None) -> Mapping[str, Any]:
        """Return the data of the page's editor after some edits; raise ParameterError if they are impossible.

        `answer` is one's own answer that is stored.
        """
        raise ParameterError("this question has no editor")


class TreeExercise(PhoneQuestion, frozen=True):
    """A sentence of an exercise, as phones show it."""

    kind: ClassVar[str] = "tree_exercise"
    max_length: ClassVar[int] = 12_000

    item: Item
    title: str  # Which sentence of the exercise it is
    labels: tuple[str, ...] = ()  # Labels to choose from
    feedback: str = "words"  # Of FEEDBACK
    ask_names: bool = False
    show_solution: bool = False  # Whether the gold tree is shown to those who have handed in
    is_closed: bool = False  # Whether it is shown to all

    def check(self, answer: str) -> str:
        """Return an answer as it is stored; raise ParameterError for anything else."""
        read = read_answer(self.item, answer)
        return msgspec.json.encode(Answer(read.edits, read.name if self.ask_names else "")).decode()

    def drawn(self) -> Mapping[str, str]:
        """Return no pictures: the gold tree is part of the page, if it is shown."""
        mark(self.item, ())
        return {}

    def page(self, answer: str | None, *, is_open: bool, pictures: str, number: int = 0) -> str:
        """Return the editor, the marking of the student's own answer, and the gold tree if it may be shown."""
        own = self._own(answer)
        task = "Draw the tree" if self.item.is_drawn else "Correct the tree"
        words = self.item.gold_tree.words
        parts = [f"<h1>{escape(self.title)}: {task if is_open else 'closed'}</h1>", f"<p>{escape(' '.join(words))}</p>"]
        if own is not None:
            shown = self.feedback if is_open else "words"
            parts.append(_marking(mark(self.item, check_edits(own.edits)), shown, is_open=is_open))
        elif not is_open:
            parts.append("<p>You have not handed in an answer.</p>")
        if is_open:
            parts.append(self._editor(own))
            if number:
                parts.append(f"<p>You are student {number} in your teacher’s list.</p>")
        elif own is not None:
            marked = mark(self.item, check_edits(own.edits))
            parts.append(f"<h2>Your tree</h2>{_tree_picture(marked.tree, 'Your tree', marked.statuses)}")
        if self._shows_gold(own, is_open=is_open):
            missing = mark(self.item, check_edits(own.edits)).gold_statuses if own is not None else ()
            parts.append(
                f"<h2>The gold tree</h2>{_tree_picture(self.item.gold_tree, 'The gold tree', missing, 'gold')}"
            )
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
        legend = [_bare(draw(tree_legend((status,), parse_name=_YOURS), theme="auto")) for status in _marks(statuses)]
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


def marking_lines(marked: Marking, *, is_open: bool = True) -> tuple[str, str, tuple[str, ...]]:
    r"""Return the verdict on an answer, its points, and where it is not right.

    Examples
    --------
    >>> item = item_of("1", Tree.from_string("(S (NP (N dogs)) (VP (V bark)))"))
    >>> marking_lines(mark(item, check_edits("i1,1,NP")))[:2]
    ('Not right yet: 1 correction is still missing.', '50 of 100 points: 1 error repaired, 1 left.')
    """
    points = f"{round(marked.points)} of 100 points"
    if marked.is_right:
        return "Right.", f"{points}.", ()
    left = f"{count_of(marked.repairs, 'correction')}"
    verb = ("is" if marked.repairs == 1 else "are") if is_open else ("was" if marked.repairs == 1 else "were")
    verdict = f"Not right yet: {left} {verb} still missing." if is_open else f"Not right: {left} {verb} missing."
    if not marked.repairs:  # a tag is wrong, or brackets over the same words have another order
        verdict = "Not right yet." if is_open else "Not right."
    return verdict, f"{points}: {count_of(marked.repaired, 'error')} repaired, {marked.left} left.", marked.texts


def _marking(marked: Marking, feedback: str, *, is_open: bool) -> str:
    verdict, points, texts = marking_lines(marked, is_open=is_open)
    shown = texts if feedback == "words" else ()
    listed = "".join(f"<li>{escape(capitalized(text))}</li>" for text in shown)
    again = "<p>You may change the tree and hand in again; the last answer counts.</p>" if is_open and texts else ""
    state, sign = ("right", "✓") if marked.is_right else ("wrong", "✗")
    lines = f"<ul>{listed}</ul>" if listed else ""
    return (
        f'<div class="marking {state}" role="status"><p><span aria-hidden="true">{sign} </span>'
        f"<span>{escape(verdict)}</span></p><p>{escape(points)}</p>{lines}{again}</div>"
    )


def _tree_picture(tree: Tree, title: str, statuses: tuple[Status, ...] = (), side: str = "test") -> str:
    """Return a drawing of a tree, and the legend of its marks."""
    svg = draw(tree, statuses=statuses, side=side, name=_YOURS, theme="auto")
    marks = _marks(statuses)
    legend = draw(tree_legend(marks, parse_name=_YOURS), theme="auto") if marks else ""
    below = f'<div class="legend">{_image(legend, "Legend")}</div>' if legend else ""
    return f'<div class="picture">{_image(svg, f"{title}: {tree.to_string()}")}</div>{below}'


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


_SIZE = re.compile(r'<svg[^>]* width="([0-9.]+)" height="([0-9.]+)"')
_COUNT = re.compile(r"[0-9]{1,4}")
_SCORE = re.compile(r"(?P<number>[0-9]{1,4}\.?|[0-9]{0,4}\.[0-9]{1,6})\s*(/\s*(?P<below>[0-9]{1,4})|(?P<percent>%))?")
_SAME = 0.5 + 1e-9
"""Scores in hundredths that differ by no more are the same: students write two decimals."""
_WIDTH, _MIN_SCALE = 360, 0.85
"""Width of a picture on a phone, in pixels; one that is wider is drawn smaller, down to this share, and scrolls."""


class PhonePicture(msgspec.Struct, frozen=True):
    """A picture of a question."""

    name: str  # In its address; that of an option stands above the option
    title: str
    svg: str
    text: str = ""  # The same for screen readers, such as a tree in brackets


class Poll(PhoneQuestion, frozen=True):
    """A choice among options, such as which of two parses is worse; without options a count or a score.

    Examples
    --------
    >>> Poll("How many brackets?").check(" 7 "), Poll("Predict F1.", is_score=True).check("2/3")
    ('7', '66.67')
    >>> Poll("Which?", options={"1": "NP", "2": "VP"}, correct="2").is_right("1")
    False
    """

    kind: ClassVar[str] = "poll"
    max_length: ClassVar[int] = 20

    text: str  # The question, without markup
    is_score: bool = False
    options: dict[str, str] = {}  # What is stored, and what is shown
    pictures: tuple[PhonePicture, ...] = ()
    correct: str = ""  # Empty if no answer is right or wrong

    def check(self, answer: str) -> str:
        """Return an option or a number as it is stored, scores in hundredths; raise ParameterError for all else."""
        if not self.options:
            return read_number(answer, is_score=self.is_score)
        if answer not in self.options:
            raise ParameterError.unknown("choice", answer, self.options)
        return answer

    def is_right(self, answer: str) -> bool:
        """Return whether an answer is the right one; scores may differ by half a hundredth."""
        if not self.is_score:
            return answer == self.correct
        try:
            return abs(float(answer) - float(self.correct)) <= _SAME
        except ValueError:  # an undefined score
            return False

    def shown(self, answer: str) -> str:
        """Return an answer as it is shown."""
        return self.options.get(answer, f"{answer} %" if self.is_score else answer)

    def drawn(self) -> Mapping[str, str]:
        """Return the pictures by name."""
        return {each.name: each.svg for each in self.pictures}

    def page(self, answer: str | None, *, is_open: bool, pictures: str, number: int = 0) -> str:
        """Return the question with its pictures, and the options or the field of the number."""
        closed = "The question is closed: look at the screen."
        parts = [f"<h1>{escape(self.text) if is_open else closed}</h1>"]
        parts += [_figure(each, pictures) for each in self.pictures if each.name not in self.options]
        if answer is not None and not is_open and self.correct:
            verdict = "Right." if self.is_right(answer) else f"Not right. Correct is: {self.shown(self.correct)}."
            parts.append(f'<p class="mine" role="status">{escape(verdict)}</p>')
        for option in self.options:
            parts += [_figure(each, pictures) for each in self.pictures if each.name == option]
            parts.append(self._button(option, mine=answer == option, is_open=is_open))
        if is_open and not self.options:
            value = escape(answer or "")
            label = "Your number, such as 67 %, 0.67 or 2/3" if self.is_score else "A whole number"
            parts.append(
                f'<label for="number">{label}</label>\n<input id="number" name="answer" value="{value}'
                f'{" %" if value and self.is_score else ""}" inputmode="{"text" if self.is_score else "numeric"}" '
                f'autocomplete="off" maxlength="{self.max_length}" required>\n'
                f"<button>{'Change' if answer else 'Send'}</button>"
            )
        if answer is not None:
            change = " You can still change it." if is_open else ""
            parts.append(f'<p class="mine" role="status">Your answer: {escape(self.shown(answer))}.{change}</p>')
        return "\n".join(parts)

    def _button(self, option: str, *, mine: bool, is_open: bool) -> str:
        title = escape(capitalized(self.options[option]))
        return (
            f'<button name="answer" value="{escape(option)}" aria-pressed="{"true" if mine else "false"}"'
            f"{'' if is_open else ' disabled'}>{'✓ ' if mine else ''}{title}</button>"
        )


def read_number(text: str, *, is_score: bool) -> str:
    """Return a number that a student writes as it is stored: counts as they are, scores in hundredths.

    A number above 1 without a sign is percent.

    Examples
    --------
    >>> [read_number(text, is_score=True) for text in ("0,9", ".667", "2/9", "66.7 %", "67", "1")]
    ['90.00', '66.70', '22.22', '66.70', '67.00', '100.00']
    """
    found = (_SCORE if is_score else _COUNT).fullmatch(text.strip().replace(",", "."))
    if found is not None and not is_score:
        return str(int(found[0]))
    if found is not None:
        number, below = float(found["number"]), float(found["below"] or 1)
        if found["percent"] or (number > 1 and not found["below"]):
            below = 100.0
        if 0 < below >= number:
            return decimals(100 * number / below)
    expected = "a percentage, a fraction, or a number from 0 to 1" if is_score else "a whole number"
    raise ParameterError(f"{text!r}; expected {expected}")


QUESTIONS: Mapping[str, type[PhoneQuestion]] = {item.kind: item for item in (Poll, TreeExercise)}
"""All kinds of questions."""

_DECODERS = {kind: msgspec.json.Decoder(question) for kind, question in QUESTIONS.items()}


@lru_cache(maxsize=64)
def question_of(kind: str, content: str) -> PhoneQuestion | None:
    """Return a question from its kind and JSON; None if it is of no known kind, or malformed."""
    try:
        question = _DECODERS[kind].decode(content)
        question.drawn()
    except (KeyError, msgspec.DecodeError, EvaltoolsError):
        return None
    return question


def _figure(shown: PhonePicture, pictures: str) -> str:
    size = _SIZE.search(shown.svg)
    width, height = (float(size[1]), float(size[2])) if size else (_WIDTH, _WIDTH)
    scale = max(_MIN_SCALE, min(1.0, _WIDTH / width))
    alt = f"{shown.title}: {shown.text}" if shown.text else shown.title
    return (
        f'<figure><figcaption aria-hidden="true">{escape(shown.title)}</figcaption>'
        f'<div class="picture"><img src="{escape(pictures)}{escape(shown.name)}.svg" alt="{escape(alt)}" '
        f'width="{round(width * scale)}" height="{round(height * scale)}"></div></figure>'
    )
