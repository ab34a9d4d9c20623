"""One sentence: its pictures and figures, and the list that it was opened from.

Panels are pictures side by side, to hover, pin, fold, zoom and pan: what was unfolded lives in the component's state
under its key, zoom and pins in the browser. The marked sentence has a picture for each of some common windows, of which
the browser shows the widest one that fits. All are our own SVG, adopted as XML and never as HTML: labels from data stay
text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from evaltools.app.components import Component
from evaltools.app.components.blocks import show_blocks
from evaltools.app.lab import MAX_CHARACTERS, lab_query
from evaltools.app.session import data, library, state
from evaltools.app.session.data import cached_by_run
from evaltools.app.widgets.pickers import control_widget, folded, option_of, step_buttons
from evaltools.app.widgets.saving import Origin, Saving, drawing_files, save
from evaltools.blocks import answer, drawn, note
from evaltools.drawing import Drawing, draw
from evaltools.errors import EvaltoolsError, ParameterError
from evaltools.frameworks.framework import Framework
from evaltools.frameworks.views import (
    Highlighted,
    MarkedView,
    PanelRow,
    Section,
    Selection,
    Sentence,
    SentenceView,
    Viewing,
)
from evaltools.marks import Repair, parsers_class
from evaltools.runs.notes import Note, Notes
from evaltools.runs.store import Run
from evaltools.runs.subset import original_numbers, subset_of
from evaltools.text import excerpt

_PANELS = Component("alignment_viewer")


def opened_parts(key: str) -> tuple[str, frozenset[int]]:
    """Return the subject of which folded parts were opened in the browser, and these parts."""
    sent = st.session_state.get(key)
    opened = sent.get("opened") if sent is not None and hasattr(sent, "get") else None
    if not isinstance(opened, dict):
        return "", frozenset()
    return str(opened.get("subject")), frozenset(node for node in opened.get("nodes", ()) if isinstance(node, int))


def show_panels(row: PanelRow, *, key: str, origin: Origin | None = None) -> int | None:
    """Show panels beside one another."""
    panels = [
        {
            "kind": panel.drawing.suffix,
            "heading": panel.drawing.title,
            "help": panel.help,
            "counts": [
                [scope, [[count.status, count.name, str(count.number), count.meaning] for count in counts]]
                for scope, counts in panel.counts
            ],
            "note": panel.note,
            "svg": panel.drawing.draw(theme="auto", legend=False, interactive=True),
        }
        for panel in row.panels
    ]
    marks = row.highlight
    result = _PANELS.mount(
        {
            "id": key,
            "subject": row.subject,
            "panels": panels,
            "legend": [draw(scene, theme="auto") for scene in row.legend],
            "help": row.help,
            "touch_help": row.touch_help,
            "sides": row.sides,
            "opened": sorted(row.unfolded),
            "word": row.word,
            "highlight": asdict(marks) if isinstance(marks, Highlighted) else marks and list(marks),
        },
        key=key,
        listeners={"word": None, "opened": None},
    )
    if origin is not None:
        save(key, *(drawing_files(drawing.titled(drawing.title), origin) for drawing in row.saved))
    word = result.get("word")
    return word if isinstance(word, int) else None


_MARKED = Component("marked_sentence")

_SIZES = ((330, 560), (640, 480), (960, 430), (1080, 520))
"""Widths that a marked sentence is drawn at, what is left of common windows; with the height to fit if it can."""


_MAX_ON_PHONES = 40
"""Maximum number of words of a sentence that narrow windows show as a whole; of a longer one, one repair at a time."""


def _one_at_a_time(view: MarkedView) -> list[tuple[int, str]]:
    """Return the picture of each repair alone for narrow windows, by its number; empty where all have room."""
    marks = view.marks
    if len(marks.words) <= _MAX_ON_PHONES or len(marks.repairs) < 2 or marks.parsers:
        return []
    narrow = partial(view.drawing.draw, theme="auto", width=_SIZES[0][0], shorten=True)
    return [(repair.number, narrow(focus=repair.number)) for repair in marks.repairs]


def _help(view: MarkedView) -> str:
    """Return what the keys do."""
    numbers = len(view.marks.repairs) if view.marks.wrong else 0
    own = [f"{'1' if numbers == 1 else f'1–{min(numbers, 9)}'} focus, 0 all"] if numbers else []
    return "Keys: " + " · ".join(
        (*own, *(f"{name.upper()} {choice.label.lower()}" for name, choice in view.keys.items()))
    )


def _verdict(repair: Repair) -> dict[str, object]:
    """Return a repair, or what is wrong with one of two parsers, in words; the badge is a parser's letter."""
    is_parser = repair.status is None
    return {
        "number": repair.number,
        "status": parsers_class((repair.number,)) if is_parser else repair.status,
        "phrase": repair.phrase,
        "text": repair.verdict,
        "short": repair.short,
        "share": repair.repaired,
        "badge": "AB"[repair.number - 1] if is_parser else "",
        "together": repair.together,
    }


def _show_marked(view: MarkedView, *, key: str, origin: Origin, compact: bool) -> None:
    """Show a marked sentence; where it cannot be drawn, a line says why, below the errors."""

    def pressed(value: object) -> None:
        choice = view.keys.get(str(value))
        if choice is not None:
            state.put(**{choice.name: 1 - int(option_of(choice))})

    def focused(value: object) -> None:
        if (write := _writer(view.focuses)) is not None and isinstance(value, (int, float)):
            write(int(value))

    drawings, absent = [], ""
    alone: list[tuple[int, str]] = []
    try:
        drawings = [(width, view.drawing.draw(theme="auto", width=width, height=height)) for width, height in _SIZES]
        alone = _one_at_a_time(view)
    except EvaltoolsError as error:
        absent = f"{view.drawing.title}: {error}"
    _MARKED.mount(
        {
            "id": key,
            "subject": view.subject,
            "heading": view.drawing.title,
            "verdicts": [_verdict(repair) for repair in view.marks.repairs] if view.marks.wrong else [],
            "unit": view.marks.unit_of_wrong,
            "total": view.marks.wrong,
            "drawings": drawings,
            "alone": alone,
            "absent": absent,
            "legend": [[status, text] for status, text in view.legend if drawings],
            "focus": view.focus or 0,
            "keys": list(view.keys),
            "help": _help(view),
            "compact": compact,
            "empty": view.marks.empty,
            "remark": view.marks.remark,
            "lead": view.marks.lead,
        },
        key=key,
        listeners={"focus": focused, "key": pressed},
    )
    if drawings:
        save(key, _files(view, origin))


def _files(view: MarkedView, origin: Origin) -> Saving:
    """Return the picture as files, with the texts that the page shows around it, and without them."""
    complete = view.drawings[0]
    names_parsers = bool(view.marks.parsers)  # their letters stand in the picture
    plain = replace(complete, options={**complete.options, "legend": False, "verdict": names_parsers})
    return drawing_files(complete, origin, plain)


_NAME = "listed"
_COMPARED = {"parser": "list_parser", "other": "list_other"}
"""What the URL says of the two parsers that a list compares, if one of them is shown against the gold tree."""
_PAGES = {"worst_parses": "Worst parses", "disagreement": "Disagreement", "hotspots": "Hotspots"}
"""The pages with lists whose sentences open on the Sentence page, and their titles."""
_MAX_SENTENCES, _BEFORE = 50, 10
"""Maximum number of sentences in the URL, and of those before the one that is opened, if the list is longer."""
_MAX_TITLE = 90
_BETWEEN, _NEXT = "~", "."


def neighbors(order: Sequence[int], index: int) -> tuple[int | None, int | None]:
    """Return the sentences before and after the one at an index of a list; None at an end."""
    before, after = order[index - 1] if index else None, order[index + 1] if index + 1 < len(order) else None
    return None if before is None else int(before), None if after is None else int(after)


@dataclass(frozen=True, slots=True)
class OpenedList:
    """A list of sentences on a page, or the part of it around a sentence."""

    page: str
    title: str
    first: int  # Rank in the whole list of the first of the sentences, from 1
    total: int  # Length of the whole list
    sentences: tuple[int, ...]

    @classmethod
    def around(cls, page: str, title: str, order: Sequence[int], index: int) -> OpenedList:
        """Return the part of a list around the sentence at an index."""
        start = max(min(index - _BEFORE, len(order) - _MAX_SENTENCES), 0)
        part = tuple(int(number) for number in order[start : start + _MAX_SENTENCES])
        return cls(page, excerpt(title, _MAX_TITLE), start + 1, len(order), part)

    @classmethod
    def read(cls, text: str, n_sentences: int) -> OpenedList | None:
        """Return the list in the text of a URL; None if it is no list of sentences of a run with so many.

        Examples
        --------
        >>> OpenedList.read("hotspots~mine: NP~1~2~7.3", 7)
        OpenedList(page='hotspots', title='mine: NP', first=1, total=2, sentences=(7, 3))
        >>> OpenedList.read("hotspots~mine: NP~1~2~7.3", 6)
        """
        page, _, rest = text.partition(_BETWEEN)
        try:
            title, first, total, numbers = rest.rsplit(_BETWEEN, 3)
            sentences = tuple(int(number) for number in numbers.split(_NEXT))
            opened = cls(page, excerpt(title, _MAX_TITLE), int(first), int(total), sentences)
        except ValueError:
            return None
        is_within = min(sentences) >= 1 and max(sentences) <= n_sentences and len(set(sentences)) == len(sentences)
        is_part = opened.first >= 1 and opened.first + len(sentences) - 1 <= opened.total <= n_sentences
        return opened if page in _PAGES and is_within and is_part else None

    @property
    def query(self) -> dict[str, str]:
        """The query of the URL that has the list."""
        numbers = _NEXT.join(map(str, self.sentences))
        return {_NAME: _BETWEEN.join((self.page, self.title, str(self.first), str(self.total), numbers))}

    @property
    def compared(self) -> tuple[str, ...]:
        """The ids of the two metrics that the list is about; empty for other lists."""
        named = tuple(filter(None, (state.get("metric"), state.get("metric2"))))
        return named if self.page == "disagreement" and len(named) == 2 else ()

    def neighbors(self, sentence: int) -> tuple[int | None, int | None] | None:
        """Return the sentences before and after a sentence; None if it is not listed."""
        return neighbors(self.sentences, self.sentences.index(sentence)) if sentence in self.sentences else None

    def describe(self, sentence: int) -> str:
        """Return where a sentence is in the list, and which order *Previous* and *Next* follow."""
        name = f"{_PAGES[self.page]} ({self.title})"
        if sentence not in self.sentences:
            return f"Not in the list of {name}: Previous and Next follow the file."
        index = self.sentences.index(sentence)
        link = ""
        if index + 1 == len(self.sentences) and self.first + index < self.total:
            link = " This link has no later ones; the list has them."
        elif index == 0 and self.first > 1:
            link = " This link has no earlier ones; the list has them."
        return f"{self.first + index:,} of {self.total:,} in {name}; Previous and Next follow this list.{link}"


def opened_list(run: Run) -> OpenedList | None:
    """Return the list that the URL names; None without one."""
    return OpenedList.read(state.get(_NAME), run.n_sentences)


def list_line(opened: OpenedList, sentence: int) -> None:
    """Say which list *Previous* and *Next* follow, with the ways back to it and to the order of the file."""
    chosen = {name: state.get(name) for name in state.SELECTIONS if name not in (_NAME, *_COMPARED.values())}
    if state.get(_COMPARED["other"]):
        chosen |= {name: state.get(kept) for name, kept in _COMPARED.items()}
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="opened_list"):
        show_blocks(note(opened.describe(sentence)), key="opened_list_note")
        st.page_link(
            f"pages/{opened.page}.py",
            label="Back to the list",
            icon=":material/arrow_back:",
            query_params=state.link(sentence=sentence, step=None, repair=None, **chosen),
        )
        st.button(
            "Order of the file",
            key="opened_list_end",
            type="tertiary",
            icon=":material/format_list_numbered:",
            on_click=lambda: state.put(**{_NAME: None}),
        )


def show_run_sentence(run: Run, number: int, parser: str, other: str = "", **options: Any) -> None:
    """Show a sentence of a run, with options of `show_sentence`."""
    sentence = data.sentence(run, number, parser, other)
    origin = Origin.of_sentence(run, number, sentence.gold_name, sentence.parse_name)
    show_sentence(run.framework, sentence, origin, **options)


def show_sentence(
    framework: Framework,
    sentence: Sentence,
    origin: Origin,
    *,
    key: str,
    top: DeltaGenerator | None = None,
    controls: DeltaGenerator | None = None,
    words: Sequence[int] = (),
    compared: tuple[str, ...] = (),
    is_brief: bool = False,
) -> None:
    """Show a sentence that has been aligned.

    `top`, `controls`: where its summary and its choices stand, instead of above it. `words`: positions of words to
    mark. `compared`: the two metrics of the list that it is from. `is_brief`: whether it stands below a list.
    """
    viewer = f"{key}_viewer"
    viewing = Viewing(state.query(), opened_parts(viewer), tuple(words), is_brief, compared)
    view = framework.view(sentence, viewing)
    blocks = [*([answer(view.summary)] if view.summary else []), *([note(view.note)] if view.note else [])]
    if blocks:
        with top or st.container():
            show_blocks(*blocks, key=f"{key}_answer")
    if view.marked is not None:
        _show_marked(view.marked, key=f"{key}_marked", origin=origin, compact=is_brief)
        controls = None
    if view.choices:
        with controls or st.container(horizontal=True, vertical_alignment="bottom", key=f"{key}_controls"):
            for choice in view.choices:
                control_widget(choice)
    _sections(view, "above", key, origin)
    for index, row in enumerate(view.rows):
        _panels(row, viewer if not index else f"{viewer}_{index + 1}", origin)
    _sections(view, "under", key, origin)
    if any(section.place in ("left", "right") for section in view.sections):
        for position, column in zip(("left", "right"), st.columns(view.columns, gap="large"), strict=True):
            with column:
                _sections(view, position, key, origin)
    _sections(view, "below", key, origin)
    if view.texts:
        _texts(view, sentence, key, origin)


def _panels(row: PanelRow, key: str, origin: Origin) -> None:
    """Show panels, or why they cannot be drawn; a word that is clicked goes to the URL."""
    try:
        word = show_panels(row, key=key, origin=origin)
    except EvaltoolsError as error:
        show_blocks(note(f"{row.panels[0].drawing.title}: {error}"), key=f"{key}_absent")
        return
    if row.words is not None and word is not None and word != row.word and word < len(row.words.values):
        state.put(**{row.words.name: row.words.values[word]})
        st.rerun()


def _sections(view: SentenceView, place: str, key: str, origin: Origin) -> None:
    for section in view.sections:
        if section.place == place:
            _section(section, f"{key}_{section.id}", origin)


def _section(section: Section, key: str, origin: Origin) -> None:
    if section.is_folded:
        container = folded(section.heading, section.id)
        if container is not None:
            with container:
                show_blocks(*section.blocks, key=key, origin=origin)
        return
    if section.choice is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.subheader(section.heading, width="content")
            control_widget(section.choice, is_bare=True)
    elif section.heading:
        st.subheader(section.heading)
    show_blocks(
        *section.blocks,
        key=key,
        on_step=_writer(section.steps),
        on_word=_writer(section.words),
        origin=origin,
    )


def _writer(selection: Selection | None) -> Callable[[int], None] | None:
    """Return what writes a clicked item to the URL."""
    if selection is None:
        return None

    def write(index: int) -> None:
        if 0 <= index < len(selection.values):
            state.put(**{selection.name: selection.values[index]})

    return write


def _texts(view: SentenceView, sentence: Sentence, key: str, origin: Origin) -> None:
    """Show the analyses as they were read, and a link to the metric lab."""
    section = folded(view.texts_heading, "texts")
    if section is None:
        return
    with section:
        for index, (text, (_, analysis)) in enumerate(zip(view.texts, sentence.sources, strict=True)):
            st.text(text.name)
            st.code(text.text, language=None, wrap_lines=True)
            if text.is_drawn:
                _picture_of_text(text.name, analysis, f"{key}_{index}", origin)
        if view.lab_trees is not None and max(map(len, view.lab_trees)) <= MAX_CHARACTERS:
            st.page_link(
                "pages/lab.py",
                label="Open in the metric lab",
                icon=":material/science:",
                query_params=state.link(**lab_query(*view.lab_trees)),
            )


def _picture_of_text(name: str, analysis: Any, key: str, origin: Origin) -> None:
    """Offer the picture of an analysis, and the same over several lines; nothing above the limit of pictures."""
    try:
        lines = draw(analysis, "text")
    except ParameterError:
        return
    with st.popover("Tree", key=f"{key}_tree"):
        tree = Drawing(analysis, f"Tree of {name}", f"tree-{name}")
        show_blocks(drawn(tree, ""), key=f"{key}_picture", origin=origin)
        st.code(lines, language=None)


@cached_by_run(8)
def originals(run: Run) -> NDArray[np.int64] | None:
    """Return the numbers that the sentences have in the run of which this one is a part; None for a whole run."""
    return original_numbers(run)


def origin_line(run: Run, sentence: int, parser: str, *, key: str) -> None:
    """Say where a sentence of a part comes from, with the way back if that run is known here; else nothing."""
    of, numbers = subset_of(run), originals(run)
    if of is None or numbers is None:
        return
    number = int(numbers[sentence - 1])
    name = Path(of["of"]).name
    with st.container(horizontal=True, vertical_alignment="center", key=f"{key}_origin"):
        show_blocks(note(f"This is sentence {number:,} of {of['sentences']:,} in {name}."), key=f"{key}_origin_note")
        known = library.find(library.id_of(Path(of["of"])))
        if known is not None:
            st.button(
                f"Show in {known.name}",
                icon=":material/undo:",
                type="tertiary",
                key=f"{key}_origin_go",
                on_click=partial(library.show, known, parser=parser, sentence=number),
            )


_KEY = "detail"


def sentence_detail(
    run: Run,
    parser: str,
    order: NDArray[np.int32],
    index: int,
    *,
    page: str,
    title: str,
    words: Sequence[int] = (),
    compared: tuple[str, ...] = (),
    is_one_of: bool = False,
) -> None:
    """Show a sentence's alignment under a list of sentences.

    `page`, `title`: where the list is, and what it lists. `compared`: the two metrics that it is about, if it is about
    two. `is_one_of`: whether its page is about several parsers, of which this one is shown against the gold tree.
    """
    listed: list[int] = order.tolist()
    sentence = listed[index]
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="detail_head"):
        of_parser = f", parsed by {parser}" if is_one_of else ""
        st.subheader(f"Sentence {sentence}{of_parser}", width="content", anchor=False)
        step_buttons(*neighbors(listed, index))
        st.text(f"{index + 1:,} of {len(order):,} in this list")
        query: dict[str, object] = {name: state.get(name) for name in state.SELECTIONS}
        query |= OpenedList.around(page, title, listed, index).query
        query |= dict(zip(("metric", "metric2"), compared, strict=False))
        if is_one_of and state.get("other"):
            query |= {kept: state.get(name) for name, kept in _COMPARED.items()}
        if is_one_of:
            query |= {"parser": parser, "other": None}
        st.page_link(
            "pages/sentence.py",
            label="Open in Sentence",
            icon=":material/open_in_full:",
            query_params=state.link(sentence=sentence, step=f"a{words[0]}" if words else None, **query),
        )
        _note_line(sentence, Notes(run))
    origin_line(run, sentence, parser, key=_KEY)
    show_run_sentence(run, sentence, parser, key=_KEY, words=words, compared=compared, is_brief=True)


def _note_line(sentence: int, notes: Notes) -> None:
    kept = notes.all().get(sentence, Note())
    marked_key, text_key = f"marked_{sentence}", f"note_{sentence}"
    st.session_state[marked_key] = kept.marked
    st.session_state[text_key] = kept.text

    def keep() -> None:
        try:
            notes.put(sentence, Note(bool(st.session_state[marked_key]), str(st.session_state[text_key]).strip()))
        except OSError as error:
            st.toast(f"The note cannot be saved: {error.strerror}", icon=":material/error:")

    st.toggle("Bookmark", key=marked_key, on_change=keep)
    st.text_input(
        "Note",
        key=text_key,
        on_change=keep,
        placeholder="Add a note",
        label_visibility="collapsed",
    )
