"""How a step of a lesson looks: its type on a screen or a slide, and where text, figures and drawings stand."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st
from msgspec import structs

from evaltools.app.components.blocks import show_blocks
from evaltools.blocks import Block, Picture, formulas
from evaltools.classroom.lessons import Step
from evaltools.classroom.material import TreePair, Vote, filled
from evaltools.outputs.lessons import Panel, StepPictures, step_pictures

_BIG = """
<style>
.st-key-lesson_title h2:focus { outline: none; }
.st-key-lesson_keys, .st-key-exercise_keys { display: none; }
[data-testid="stMain"]:focus-visible::before { box-shadow: none; } /* its frame would cut the first line */
[data-testid="stMain"] :is(button p, a[data-testid^="stBaseLinkButton"] p, label p, [data-testid="stText"]) {
  font-size: 1.07rem; }
:is(.st-key-lesson_text, .st-key-lesson_ask, .st-key-lesson_answer) :is(p, li, th, td) {
  font-size: clamp(1.1rem, 0.85rem + 0.65vw, 1.75rem); line-height: 1.4; }
:is(.st-key-lesson_text, .st-key-lesson_answer) li { margin-bottom: 0.25em; }
.st-key-lesson_ask p { font-weight: 600; }
.st-key-lesson_bar { gap: 0.5rem; }
.st-key-lesson_answer { border-left: 3px solid #0072b2; padding-left: 0.9rem; }
.st-key-lesson_title h2 { font-size: clamp(1.4rem, 1.1rem + 1.1vw, 2.4rem); line-height: 1.2; padding: 0 0 0.2rem; }
.st-key-lesson_choices button p { font-size: clamp(1rem, 0.9rem + 0.5vw, 1.4rem); }
@media (max-width: 640px) {
  .st-key-lesson_bar { gap: 0.4rem; }
  :is(.st-key-lesson_text, .st-key-lesson_ask, .st-key-lesson_answer) table { display: block; overflow-x: auto; }
  :is(.st-key-lesson_text, .st-key-lesson_ask, .st-key-lesson_answer) :is(th, td) { padding: 0.25rem 0.45rem; }
  [data-testid="stMain"] [data-testid="stHorizontalBlock"] { row-gap: 0.9rem; }
}
</style>
"""
_WHOLE_SCREEN = """
<style>
[data-testid="stSidebar"], [data-testid="stHeader"], [data-testid="stExpandSidebarButton"] { display: none; }
[data-testid="stMain"] [data-testid="stMainBlockContainer"] { padding-top: 1rem; padding-bottom: 4.6rem; }
.st-key-lesson_bar { position: fixed; left: 0; right: 0; bottom: 0; z-index: 99; width: 100%; padding: 0.45rem 2.6rem;
  background: Canvas; border-top: 1px solid #8884; }
@media (max-width: 640px) {
  .st-key-lesson_bar { padding: 0.4rem 0.8rem; }
  [data-testid="stMain"] [data-testid="stMainBlockContainer"] { padding-bottom: 8rem; }
}
</style>
"""


def apply_projection(*, whole_screen: bool) -> None:
    """Add the style of lessons to the page."""
    st.html(_BIG)
    if whole_screen:
        st.html(_WHOLE_SCREEN)


TEXT_SIZE = "--lesson-text-size"

_TEXTS = ", ".join(
    f".st-key-lesson_{part} {element}" for part in ("text", "ask", "answer") for element in ("p", "li", "th", "td")
)
_STYLE = f"""
<style>
@media (min-width: 900px) {{
  {_TEXTS} {{ font-size: calc(var({TEXT_SIZE}, 1) * max(1.1rem, min(1.72vw, 3.06vh))); line-height: 1.36; }}
  .st-key-lesson_title h2 {{ font-size: max(1.3rem, min(2.2vw, 3.9vh)); }}
  [data-testid="stMain"] [data-testid="stMainBlockContainer"] {{ padding: 0.6rem 2rem 3.1rem; max-width: none; }}
  .st-key-lesson_bar {{ padding: 0.35rem 2rem; }}
}}
</style>
"""


def apply_slide() -> None:
    """Add the style of slides to the page."""
    st.html(_STYLE)


_WIDTH, _HEIGHT, _TEXT = 1214.0, 580.0, 400.0
"""Room for pictures on a slide of 1280 by 720 pixels, and the width that a text needs beside them."""
_GAP = 16.0
"""Pixels between columns."""
_WIDE = 700.0
"""Width from which a formula has one line."""
_SPARE = 40.0
"""Room that is left, as heights of texts are estimates."""
_LINE, _LETTER, _BETWEEN = 31.0, 11.5, 16.0
"""Height of a line of a text on a slide, mean width of a letter, and space between paragraphs."""
_CHOICES = 70.0
"""Height of the buttons of a vote."""
_INPUT = 90.0
"""Height of the field and the button of a task."""
_MAX_TEXT = 1.25
"""Largest factor by which a text on a slide is larger than it must be."""
_MAX_GROW = 1.3
"""Largest factor by which a picture beside a text is larger than it must be."""
WORSE = "Which parse is worse?"
"""What a vote asks."""
_PICTURE = re.compile(r"!(?=\[)")


def as_markdown(text: str, numbers: Mapping[str, str]) -> str:
    r"""Return a text of a lesson: figures put in, and no picture fetched from anywhere.

    Parameters
    ----------
    text : str
        Markdown, perhaps somebody else's.
    numbers : mapping of str to str
        The step's figures.

    Examples
    --------
    >>> as_markdown("{{ted}} ![x](http://somewhere/x.png)", {"ted": "1.000"})
    '1.000 \\![x](http://somewhere/x.png)'
    """
    return _PICTURE.sub(r"\\!", filled(text, numbers))


def as_plain(text: str) -> str:
    r"""Return a text whose characters mean nothing in Markdown.

    Examples
    --------
    >>> as_plain("A*: 1")
    'A\\*\\: 1'
    """
    return re.sub(r"([^\w\s]|_)", r"\\\1", text)


def lay_out(
    step: Step,
    numbers: Mapping[str, str],
    *,
    revealed: bool,
    task: Callable[[], None],
    aside: Callable[[], None],
    task_height: float = 0.0,
    choose: Callable[[int], None] | None = None,
    chosen: int | None = None,
    key: str = "step",
    with_answer: bool = True,
    with_class: bool = False,
) -> list[Block]:
    """Show a step: pictures stand beside the text if both fit, else above it; formulas are below the text.

    Parameters
    ----------
    step : Step
        The step.
    numbers : mapping of str to str
        Its figures.
    revealed : bool
        Whether what is hidden at first is shown.
    task : callable
        Draws the task of the step, or what was answered.
    aside : callable
        Draws how phones join: below the task, or beside the text of a vote where the trees have the whole width.
    task_height : float
        Height of what the task shows below the answer, in pixels of a slide.
    choose : callable, optional
        Takes the number of a bracket that is clicked in a tree.
    chosen : int, optional
        The bracket that was clicked last.
    key : str
        The key of the word that was clicked, in the session.
    with_answer : bool
        Whether what is revealed has the answer in words.
    with_class : bool
        Whether the task shows the answers of the class: formulas, whose figures are in the answer, then give way.
    """
    clicked = step.task.figure if step.task is not None and step.task.kind == "click" else ""
    material, word = step.material, st.session_state.get(f"{key}_word")
    if isinstance(material, TreePair) and word is not None:
        material = structs.replace(material, word=word + 1, show=tuple(dict.fromkeys((*material.show, "lineage"))))
    pictures = step_pictures(material, hidden=step.task is not None and not revealed, clicked=clicked)
    rows = partial(_rows, choose=choose, chosen=chosen, on_word=partial(st.session_state.__setitem__, f"{key}_word"))
    wide = [panel for panel in pictures.panels if panel.wide]
    narrow = [panel for panel in pictures.panels if not panel.wide]
    wide_height = sum(panel.size[1] + _GAP for panel in wide)
    least, grow = _beside(narrow, _HEIGHT - wide_height)
    width = _WIDTH - _column(least, grow) if least else _WIDTH
    room = _HEIGHT - (wide_height if least else sum(panel.size[1] + _GAP for panel in pictures.panels))
    texts = [filled(text, numbers) for text in (step.text, step.question, step.answer)]
    texts_height = sum(_text_height(text, width) for text in texts)
    below = task_height + _LINE * len(pictures.formulas) * (1 if width > _WIDE else 2)
    if not isinstance(step.material, Vote) and not step.agreement:
        _grow_texts((room - below - _SPARE - (_INPUT if step.task is not None else 0.0)) / max(texts_height, _LINE))
    fits = texts_height + below <= room - _SPARE
    is_crowded = least > 0 and with_class and texts_height - _text_height(texts[0], width) + below > room

    is_vote = isinstance(step.material, Vote)

    def words() -> None:
        # A task and its solution follow each other on the slide: the text makes room for the answer if it must.
        if not revealed or (not is_vote and (fits if step.task is not None else not step.agreement)):
            _text(step, numbers)
        _question(step, numbers, revealed=revealed)
        if revealed and with_answer:
            _answer(step, numbers)

    def answers() -> None:
        task()
        if not is_vote:
            aside()

    def figures() -> None:
        if pictures.formulas and not is_crowded:
            show_blocks(formulas(pictures.formulas), key="lesson_formulas", large=True)

    def column() -> None:
        words()
        answers()
        figures()

    if is_vote:
        _vote(pictures.panels, column, aside)
    elif least:
        _pair(column, narrow, least, grow, rows)
        rows(wide)
    elif pictures.panels:
        rows([*narrow, *wide], grow=1.0 if step.ballot else _MAX_GROW)
        if step.ballot:
            left, right = st.columns([5, 4], gap="medium")
            with left:
                words()
            with right:
                answers()
        else:
            words()
            answers()
        figures()
    else:
        column()
    return _drawings(pictures)


def _grow_texts(share: float) -> None:
    """Let the text of a slide grow if the room is that much larger than what it needs; a line breaks earlier then."""
    factor = min(_MAX_TEXT, math.sqrt(max(share, 1.0)))
    st.html(f"<style>:root {{ {TEXT_SIZE}: {round(factor, 2)}; }}</style>")


def _vote(panels: Sequence[Panel], words: Callable[[], None], aside: Callable[[], None]) -> None:
    """Show three trees in a row, or the gold tree beside the text if that is too wide."""

    def text() -> None:
        words()
        aside()

    if _width(panels) > _WIDTH:
        _pair(text, panels[:1], panels[0].size[0], 1.0, _rows)
        room = _HEIGHT - _CHOICES - panels[0].size[1]
        _rows(panels[1:], grow=max(1.0, room / max(panel.size[1] for panel in panels[1:])))
        return
    left, right = st.columns([3, 2], gap="medium")
    with left:
        words()
    with right:
        aside()
    _rows(panels)


def _pair(
    words: Callable[[], None],
    panels: Sequence[Panel],
    least: float,
    grow: float,
    rows: Callable[[Sequence[Panel], float, str], None],
) -> None:
    """Show a text, and beside it panels in a column that is as wide as they need, or wider by a factor."""
    width = _column(least, grow)
    left, right = st.columns([max(_WIDTH - width, _TEXT), width], gap="small")
    with left:
        words()
    with right:
        rows(panels, width, "beside")


def _column(least: float, grow: float) -> float:
    """Return the width of the column of panels that need a width and may grow by a factor."""
    return max(least + _GAP, min(min(grow, _MAX_GROW) * least, 0.55 * _WIDTH))


def _text_height(text: str, width: float) -> float:
    """Return about how high a text is on a slide: paragraphs, each with its lines."""
    joined = re.sub(r"(?<=\S)\n(?=[^\s*|])", " ", text)
    paragraphs = [part for part in joined.split("\n") if part.strip()]
    return sum(_LINE * math.ceil(len(part) * _LETTER / width) + _BETWEEN for part in paragraphs)


def _drawings(pictures: StepPictures) -> list[Block]:
    """Return what is drawn, under its headings."""
    blocks: list[Block] = []
    for panel in pictures.panels:
        blocks += panel.titled()
    return [*blocks, *([formulas(pictures.formulas)] if pictures.formulas else [])]


def _width(panels: Sequence[Panel]) -> float:
    """Return the width of panels in a row."""
    return sum(panel.size[0] for panel in panels) + _GAP * (len(panels) - 1)


def _beside(panels: Sequence[Panel], room: float) -> tuple[float, float]:
    """Return the width that panels need beside the text, in a row or a stack, and by which factor they may grow.

    The width is 0 if they do not fit.
    """
    if not panels:
        return 0.0, 1.0
    sizes = [panel.size for panel in panels]
    row = _width(panels), max(height for _, height in sizes)
    stack = max(width for width, _ in sizes), sum(height for _, height in sizes)
    fitting = [size for size in (row, stack) if size[0] <= _WIDTH - _TEXT - _GAP and size[1] <= room]
    if not fitting:
        return 0.0, 1.0
    width, height = max(fitting, key=lambda size: min(room / size[1], _column(size[0], room / size[1]) / size[0]))
    return width, room / height


def _rows(
    panels: Sequence[Panel],
    width: float = _WIDTH,
    key: str = "row",
    grow: float = _MAX_GROW,
    choose: Callable[[int], None] | None = None,
    chosen: int | None = None,
    on_word: Callable[[int], None] | None = None,
) -> None:
    """Put panels in rows, as many in one as fit; those that are wide stand alone."""
    rows: list[list[Panel]] = []
    for panel in panels:
        if rows and not panel.wide and not rows[-1][0].wide and _width([*rows[-1], panel]) <= width:
            rows[-1].append(panel)
        else:
            rows.append([panel])
    number = 0
    for row in rows:
        widths = [min(grow, _MAX_GROW) * panel.size[0] + _GAP for panel in row]
        rest = width - sum(widths)
        columns = st.columns([*widths, rest] if rest > 0 else widths, gap="small") if len(row) > 1 else [st.container()]
        for panel, column in zip(row, columns, strict=False):  # the last column may be empty
            with column:
                _panel(panel, f"{key}_{number}", choose, chosen, on_word)
            number += 1


def _panel(
    panel: Panel,
    key: str,
    choose: Callable[[int], None] | None,
    chosen: int | None,
    on_word: Callable[[int], None] | None,
) -> None:
    first, *rest = panel.titled()
    if isinstance(first, Picture) and first.keys:
        first = replace(first, chosen=chosen)
    show_blocks(first, *rest, key=f"lesson_{key}", on_step=choose, on_word=on_word, large=True)


def _text(step: Step, numbers: Mapping[str, str]) -> None:
    if step.text:
        with st.container(key="lesson_text"):
            st.markdown(as_markdown(step.text, numbers))


def _question(step: Step, numbers: Mapping[str, str], *, revealed: bool) -> None:
    question = step.question or (WORSE if isinstance(step.material, Vote) and not revealed else "")
    if question:
        with st.container(key="lesson_ask"):
            st.markdown(as_markdown(question, numbers))


def _answer(step: Step, numbers: Mapping[str, str]) -> None:
    if step.answer:
        with st.container(key="lesson_answer"):
            st.markdown(as_markdown(step.answer, numbers))
