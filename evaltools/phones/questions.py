"""Kinds of questions that phones answer: each with its page, its pictures, and the check of an answer.

A question is a msgspec struct of plain texts. The app stores it as JSON in the file of the class, with its kind; the
server of the phones reads it. Another kind is a struct with these methods, and a line in ``QUESTIONS``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from typing import Any, ClassVar, Protocol

import msgspec

from evaltools.classroom.votes import CHOICES
from evaltools.corpus import Tree
from evaltools.corpus.bracket_text import written_notation
from evaltools.drawing import draw
from evaltools.errors import EvaltoolsError, ParameterError
from evaltools.phones.tree_exercise import TreeExercise
from evaltools.text import capitalized, decimals

__all__ = ["QUESTIONS", "Number", "Question", "WorseParse", "question_of"]

_SIZE = re.compile(r'<svg[^>]* width="([0-9.]+)" height="([0-9.]+)"')
_COUNT, _SCORE = re.compile(r"[0-9]{1,4}"), re.compile(r"[01]|[01]?\.[0-9]{1,4}")
_WIDTH, _MIN_SCALE = 360, 0.85
"""Width of a picture on a phone, in pixels; one that is wider is drawn smaller, down to this share, and scrolls."""


class Question(Protocol):
    """A question that phones answer."""

    kind: ClassVar[str]
    max_length: ClassVar[int]  # Maximum length of an answer, in characters
    keeps_tries: ClassVar[bool]  # Whether answers that are replaced are kept, and voters have numbers

    def check(self, answer: str) -> str:
        """Return an answer as it is stored; raise ParameterError if it is none."""

    def pictures(self) -> Mapping[str, str]:
        """Return the pictures of the page by name, as SVG."""

    def page(self, answer: str | None, *, is_open: bool, pictures: str, number: int = 0) -> str:
        """Return the page as HTML: what is asked, with one's own answer.

        The controls belong to the form of the page and send ``answer``; `pictures` is the address before the name of a
        picture, `number` the voter's number in the teacher's list, 0 if there is none.
        """

    def draft(self, edits: str, answer: str | None) -> Mapping[str, Any]:
        """Return the data of the page's editor after some edits; raise ParameterError if they are impossible.

        `answer` is one's own answer that is stored.
        """


class WorseParse(msgspec.Struct, frozen=True):
    """Which of two parses is worse: the gold tree and the parses as they are written, in brackets."""

    kind: ClassVar[str] = "worse_parse"
    max_length: ClassVar[int] = max(map(len, CHOICES))
    keeps_tries: ClassVar[bool] = False

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

    def draft(self, edits: str, answer: str | None) -> Mapping[str, Any]:
        """Raise ParameterError: there is nothing to edit."""
        raise ParameterError("this question has no editor")


class Number(msgspec.Struct, frozen=True):
    """A count, or a score from 0 to 1, that each student enters.

    Examples
    --------
    >>> Number("How many brackets?").check(" 7 "), Number("Predict F1.", is_score=True).check("0,9")
    ('7', '0.90')
    """

    kind: ClassVar[str] = "number"
    max_length: ClassVar[int] = 8
    keeps_tries: ClassVar[bool] = False

    text: str  # The question, without markup
    is_score: bool = False

    def check(self, answer: str) -> str:
        """Return a number as it is stored, scores with two decimals; raise ParameterError for anything else."""
        text = answer.strip().replace(",", ".")
        if not (_SCORE if self.is_score else _COUNT).fullmatch(text) or (self.is_score and float(text) > 1):
            raise ParameterError(f"{answer!r}; expected {self._expected}")
        return decimals(float(text)) if self.is_score else str(int(text))

    def pictures(self) -> Mapping[str, str]:
        """Return no pictures: the trees are on the screen in front."""
        return {}

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

    def draft(self, edits: str, answer: str | None) -> Mapping[str, Any]:
        """Raise ParameterError: there is nothing to edit."""
        raise ParameterError("this question has no editor")

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
