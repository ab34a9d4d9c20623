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
    CREDITS,
    Answer,
    Item,
    Mark,
    check_edits,
    editor_data,
    item_of,
    mark,
    read_answer,
    tree_after,
)
from evaltools.classroom.votes import CHOICES
from evaltools.corpus import Tree
from evaltools.corpus.bracket_text import written_notation
from evaltools.corpus.editing import edits_as_text
from evaltools.drawing import LEGEND, draw, tree_legend
from evaltools.errors import EvaltoolsError, ParameterError
from evaltools.marks import Status
from evaltools.text import capitalized, count_of, decimals, percentage

_STYLE = re.compile("<style>(.*?)</style>", re.DOTALL)
_YOURS = "your tree"
_HINTS = {
    True: "Tap a tag, add its neighbors with ◂ ▸, then tap the label of the bracket above them.",
    False: "Drag a node to another parent. Tap one to relabel or delete it, or to insert a bracket above it; "
    "◂ ▸ add its neighbors.",
}


class Question(msgspec.Struct, frozen=True):
    """A question that phones answer."""

    kind: ClassVar[str]
    max_length: ClassVar[int]  # Maximum length of an answer, in characters

    def check(self, answer: str) -> str:
        """Return an answer as it is stored; raise ParameterError if it is none."""
        raise NotImplementedError

    def pictures(self) -> Mapping[str, str]:
        """Return the pictures of the page by name, as SVG."""
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


class TreeExercise(Question, frozen=True):
    """A sentence of an exercise, as phones show it."""

    kind: ClassVar[str] = "tree_exercise"
    max_length: ClassVar[int] = 12_000

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
    legend = draw(tree_legend(marks, parse_name=_YOURS), theme="auto") if marks else ""
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


_SIZE = re.compile(r'<svg[^>]* width="([0-9.]+)" height="([0-9.]+)"')
_COUNT, _SCORE = re.compile(r"[0-9]{1,4}"), re.compile(r"[01]|[01]?\.[0-9]{1,4}")
_WIDTH, _MIN_SCALE = 360, 0.85
"""Width of a picture on a phone, in pixels; one that is wider is drawn smaller, down to this share, and scrolls."""


class WorseParse(Question, frozen=True):
    """Which of two parses is worse: the gold tree and the parses as they are written, in brackets."""

    kind: ClassVar[str] = "worse_parse"
    max_length: ClassVar[int] = max(map(len, CHOICES))

    gold: str
    a: str
    b: str

    def check(self, answer: str) -> str:
        """Return a choice; raise ParameterError for anything else."""
        if answer not in CHOICES:
            raise ParameterError.unknown("choice", answer, CHOICES)
        return answer

    def pictures(self) -> Mapping[str, str]:
        """Return the drawings of the trees."""
        return _trees(self)

    def page(self, answer: str | None, *, is_open: bool, pictures: str, number: int = 0) -> str:
        """Return the gold tree, and the two parses, each with its button."""
        drawn = self.pictures()
        parts = [f"<h1>{'Which parse is worse?' if is_open else 'The vote is closed: look at the screen.'}</h1>"]
        parts.append(_figure(drawn["gold"], f"{pictures}gold", "Gold tree"))
        for choice in CHOICES:
            if choice in drawn:
                parts.append(_figure(drawn[choice], f"{pictures}{choice}", f"Parse {choice.upper()}"))
            parts.append(_button(choice, mine=answer == choice, is_open=is_open))
            if answer == choice:  # where it was tapped, so that it is seen
                change = " You can still change it." if is_open else ""
                parts.append(f'<p class="mine" role="status">Your vote: {CHOICES[choice]}.{change}</p>')
        return "\n".join(parts)


class Number(Question, frozen=True):
    """A count, or a score from 0 to 1, that each student enters.

    Examples
    --------
    >>> Number("How many brackets?").check(" 7 "), Number("Predict F1.", is_score=True).check("0,9")
    ('7', '0.90')
    """

    kind: ClassVar[str] = "number"
    max_length: ClassVar[int] = 8

    text: str  # The question, without markup
    is_score: bool = False

    def check(self, answer: str) -> str:
        """Return a number as it is stored, scores with two decimals; raise ParameterError for anything else."""
        text = answer.strip().replace(",", ".")
        if not (_SCORE if self.is_score else _COUNT).fullmatch(text) or (self.is_score and float(text) > 1):
            raise ParameterError(f"{answer!r}; expected {self._expected}")
        return decimals(float(text)) if self.is_score else str(int(text))

    def page(self, answer: str | None, *, is_open: bool, pictures: str, number: int = 0) -> str:
        """Return the question and the field of the number."""
        parts = [f"<h1>{escape(self.text) if is_open else 'The question is closed: look at the screen.'}</h1>"]
        if is_open:
            mode, value = ("decimal" if self.is_score else "numeric"), escape(answer or "")
            parts.append(
                f'<p>The picture is on the screen in front.</p>\n<label for="number">{self._expected.capitalize()}'
                f'</label>\n<input id="number" name="answer" value="{value}" inputmode="{mode}" autocomplete="off" '
                f'maxlength="{self.max_length}" required>\n<button>{"Change" if answer else "Send"}</button>'
            )
        if answer is not None:
            change = " You can still change it." if is_open else ""
            parts.append(f'<p class="mine" role="status">Your answer: {escape(answer)}.{change}</p>')
        return "\n".join(parts)

    @property
    def _expected(self) -> str:
        return "a number from 0 to 1" if self.is_score else "a whole number"


QUESTIONS: Mapping[str, type[Question]] = {item.kind: item for item in (WorseParse, Number, TreeExercise)}
"""All kinds of questions."""

_DECODERS = {kind: msgspec.json.Decoder(question) for kind, question in QUESTIONS.items()}


@lru_cache(maxsize=64)
def question_of(kind: str, content: str) -> Question | None:
    """Return a question from its kind and JSON; None if it is of no known kind, or malformed."""
    try:
        question = _DECODERS[kind].decode(content)
        question.pictures()
    except (KeyError, msgspec.DecodeError, EvaltoolsError):
        return None
    return question


@lru_cache(maxsize=64)
def _trees(question: WorseParse) -> Mapping[str, str]:
    written = {"gold": question.gold, "a": question.a, "b": question.b}
    return {name: draw(Tree.from_string(text, written_notation(text)), theme="auto") for name, text in written.items()}


def _figure(svg: str, address: str, title: str) -> str:
    size = _SIZE.search(svg)
    width, height = (float(size[1]), float(size[2])) if size else (_WIDTH, _WIDTH)
    scale = max(_MIN_SCALE, min(1.0, _WIDTH / width))
    letter = title.rpartition(" ")[2]
    return (
        f'<figure><figcaption aria-hidden="true">{escape(letter if len(letter) == 1 else title)}</figcaption>'
        f'<div class="picture"><img src="{escape(address)}.svg" alt="{escape(title)}" '
        f'width="{round(width * scale)}" height="{round(height * scale)}"></div></figure>'
    )


def _button(choice: str, *, mine: bool, is_open: bool) -> str:
    title = CHOICES[choice]
    return (
        f'<button name="answer" value="{choice}" aria-pressed="{"true" if mine else "false"}"'
        f"{'' if is_open else ' disabled'}>{'✓ ' if mine else ''}{capitalized(title)}</button>"
    )
