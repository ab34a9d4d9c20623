"""The list that a sentence was opened from: its order, which *Previous* and *Next* of the Sentence page follow.

The URL has the sentences themselves, so that a link shows another reader the same list.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from evaltools.drawing.blocks import note
from evaltools.text import excerpt
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.session import state

__all__ = ["OpenedList", "against_gold", "list_line"]

_NAME = "listed"
_COMPARED = {"parser": "list_parser", "other": "list_other"}
"""What the URL says of the two parsers that a list compares, if one of them is shown against the gold tree."""
_PAGES = {"worst_parses": "Worst parses", "disagreement": "Disagreement", "hotspots": "Hotspots"}
"""The pages with lists whose sentences open on the Sentence page, and their titles."""
_MAX_SENTENCES, _BEFORE = 50, 10
"""Maximum number of sentences in the URL, and of those before the one that is opened, if the list is longer."""
_MAX_TITLE = 90
_BETWEEN, _NEXT = "~", "."


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

    @classmethod
    def of_url(cls, n_sentences: int) -> OpenedList | None:
        """Return the list of the URL of a run with so many sentences; None without one."""
        return cls.read(state.get(_NAME), n_sentences)

    @property
    def query(self) -> dict[str, str]:
        """The query of the URL that has the list."""
        numbers = _NEXT.join(map(str, self.sentences))
        return {_NAME: _BETWEEN.join((self.page, self.title, str(self.first), str(self.total), numbers))}

    def neighbors(self, sentence: int) -> tuple[int | None, int | None] | None:
        """Return the sentences before and after a sentence, None at an end; None if the sentence is not listed."""
        if sentence not in self.sentences:
            return None
        index = self.sentences.index(sentence)
        before = self.sentences[index - 1] if index else None
        return before, (self.sentences[index + 1] if index + 1 < len(self.sentences) else None)

    def describe(self, sentence: int) -> str:
        """Return where a sentence is in the list, and which order *Previous* and *Next* follow."""
        name = f"{_PAGES[self.page]} ({self.title})"
        if sentence not in self.sentences:
            return f"Not in the list of {name}: Previous and Next follow the file."
        index = self.sentences.index(sentence)
        is_last = index + 1 == len(self.sentences) and self.first + index < self.total
        is_first = index == 0 and self.first > 1
        link = ""
        if is_first or is_last:
            link = f" This link has no {'later' if is_last else 'earlier'} ones; the list has them."
        return f"{self.first + index:,} of {self.total:,} in {name}; Previous and Next follow this list.{link}"


def against_gold(parser: str) -> dict[str, str | None]:
    """Return the query that shows a parser against the gold tree; from a list that compares two, both are kept."""
    kept = {held: state.get(name) for name, held in _COMPARED.items()} if state.get("other") else {}
    return {"parser": parser, "other": None, **kept}


def list_line(opened: OpenedList | None, sentence: int) -> None:
    """Say which list *Previous* and *Next* follow, with the ways back to it and to the order of the file."""
    if opened is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="opened_list"):
        show_blocks(note(opened.describe(sentence)), key="opened_list_note")
        own = (_NAME, *_COMPARED.values())
        chosen = {name: state.get(name) for name in state.SELECTIONS if name not in own}
        if state.get(_COMPARED["other"]):
            chosen |= {name: state.get(kept) for name, kept in _COMPARED.items()}
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
