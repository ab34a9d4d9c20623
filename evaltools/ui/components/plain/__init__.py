"""Text and drawings from data, shown as they are.

Streamlit's text elements read markdown, which mangles ``$``, ``*``, ``:x[]`` or ``-LRB-``. This component writes every
text as text and adopts a drawing as XML, never as HTML. A step or a word that is clicked goes back to Python.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from evaltools.drawing import la_colour
from evaltools.publishing.pictures import Picture
from evaltools.ui.components import Component
from evaltools.ui.widgets.saved_blocks import block_files
from evaltools.ui.widgets.saving import Origin, save

__all__ = [
    "anchored",
    "answer",
    "facts",
    "formulas",
    "marked",
    "note",
    "picture",
    "pictures",
    "plain",
    "scores",
    "steps",
    "story",
    "strip",
    "table",
    "triples",
]

_COMPONENT = Component("plain")

Block = dict[str, Any]
"""What the component can show; made by the functions of this module."""

Languages = Mapping[str, Callable[[], str]]
_FOR_FILES = ("files", "languages", "title")


def answer(text: str) -> Block:
    """Return the one line that a page begins with."""
    return {"type": "answer", "text": text}


def note(text: str) -> Block:
    """Return a remark in grey."""
    return {"type": "note", "text": text}


def facts(rows: Sequence[tuple[str, str, str]], heading: str = "", remark: str = "") -> Block:
    """Return terms, what they are, and figures in grey; `remark` says what the figures are when pointed at."""
    return {"type": "facts", "heading": heading, "remark": remark, "rows": [list(row) for row in rows]}


def formulas(rows: Sequence[tuple[str, str, str, str]], heading: str = "") -> Block:
    """Return a table: title, formula, the formula with numbers put in, value; a row without value begins a group."""
    return {"type": "formulas", "heading": heading, "rows": [list(row) for row in rows]}


def scores(rows: Sequence[tuple[str, float | None, str, str]], heading: str = "") -> Block:
    """Return scores as bars: title, share of 1 (None for what is no share), what is shown, and how it changed."""
    return {"type": "scores", "heading": heading, "rows": [list(row) for row in rows]}


def steps(rows: Sequence[tuple[str, str]], heading: str = "", chosen: int | None = None, title: str = "") -> Block:
    """Return a list of edit steps to click: status and text of each.

    Parameters
    ----------
    rows : sequence of (str, str)
        The steps.
    heading : str
        What stands above.
    chosen : int, optional
        The step that is chosen.
    title : str
        What the list is called when it is saved, where nothing stands above.
    """
    return {"type": "steps", "heading": heading, "rows": [list(row) for row in rows], "chosen": chosen, "title": title}


def story(
    rows: Sequence[tuple[str, str, str, str]],
    heading: str = "",
    chosen: int | None = None,
    detail: str = "",
    title: str = "",
) -> Block:
    """Return steps to click that have more to say: status, title, text, and a remark in grey.

    Parameters
    ----------
    rows : sequence of (str, str, str, str)
        The steps.
    heading : str
        What stands above.
    chosen : int, optional
        The step that is chosen.
    detail : str
        What more is said of that one.
    title : str
        What the list is called when it is saved, where nothing stands above.
    """
    return {
        "type": "story",
        "heading": heading,
        "rows": [list(row) for row in rows],
        "chosen": chosen,
        "detail": detail,
        "title": title,
    }


def strip(
    words: Sequence[tuple[str, int | None, float | None]],
    chosen: int | None = None,
    alone: Collection[int] = (),
    files: Picture | None = None,
) -> Block:
    """Return the words of a sentence, each shaded by its score; those with a position can be clicked.

    Parameters
    ----------
    words : sequence of (str, int or None, float or None)
        Form, position (None for words that the preset deletes), score.
    chosen : int, optional
        Position of the word to mark.
    alone : collection of int
        Positions of words that are aligned with none, which stay blank and get the mark of what is deleted.
    files : Picture, optional
        What it is saved as besides a table.
    """
    rows = []
    for form, position, score in words:
        lone = position is not None and position in alone
        says = "left out by the preset" if position is None else "no score" if score is None else f"{score:.3f}"
        says = "aligned with no word, so without a score" if lone else says
        rows.append([form, position, says, lone, *la_colour(score, "light"), *la_colour(score, "dark")])
    scale = [[la_colour(step / 20, theme)[0] for step in range(21)] for theme in ("light", "dark")]
    return {"type": "strip", "words": rows, "scale": scale, "chosen": chosen, "files": files}


def marked(
    rows: Sequence[tuple[int, Sequence[str], Collection[int], str]], chosen: int | None = None, heading: str = ""
) -> Block:
    """Return a list of sentences to click, some of their words marked.

    Parameters
    ----------
    rows : sequence of (int, sequence of str, collection of int, str)
        Number of the sentence, its words, positions of those that are marked, and a remark.
    chosen : int, optional
        The sentence that is chosen.
    heading : str
        What stands above.
    """
    lines = [[number, list(words), sorted(places), remark] for number, words, places, remark in rows]
    return {"type": "marked", "heading": heading, "rows": lines, "chosen": chosen}


def anchored(words: Sequence[tuple[str, str, str, str]], heading: str = "") -> Block:
    """Return a text with the characters that its words take up.

    Parameters
    ----------
    words : sequence of (str, str, str, str)
        Words, each with its characters, the status of the palette whose line goes under it, and a remark.
    heading : str
        What stands above.
    """
    return {"type": "anchored", "heading": heading, "words": [list(row) for row in words]}


def triples(
    columns: Sequence[tuple[str, str, Sequence[tuple[int, str, str, str, str]]]],
    chosen: int | None = None,
    title: str = "",
) -> Block:
    """Return lists of triples beside one another, to click.

    Parameters
    ----------
    columns : sequence of (str, str, sequence)
        Title, remark, and rows: number, status of the palette, words, what is said of them, and its value.
    chosen : int, optional
        Number of the row that is chosen.
    title : str
        What the lists are called when they are saved.
    """
    listed = [[title, remark, [list(row) for row in rows]] for title, remark, rows in columns]
    return {"type": "triples", "columns": listed, "chosen": chosen, "title": title}


def picture(
    svg: str,
    heading: str = "",
    *,
    fit: int = 0,
    least: int = 90,
    files: Picture | None = None,
    languages: Languages | None = None,
) -> Block:
    """Return a drawing.

    Parameters
    ----------
    svg : str
        The drawing.
    heading : str
        What stands above.
    fit : int
        The hundredths of the window's height that it grows or shrinks to; as large as it is if 0.
    least : int
        The hundredths of its own height below which it does not shrink.
    files : Picture, optional
        What it is saved as; without it as the drawing it is.
    languages : mapping of str to callable, optional
        What else the drawing is saved as, and what writes it, as in :class:`evaltools.publishing.pictures.Picture`.
    """
    shown = {"type": "picture", "heading": heading, "svg": svg, "fit": fit, "least": least}
    return {**shown, "files": files, "languages": languages}


def pictures(drawn: Sequence[tuple[str, str]], languages: Sequence[Languages | None] = ()) -> Block:
    """Return drawings in their own size, beside one another as far as there is room: title and SVG of each.

    Parameters
    ----------
    drawn : sequence of (str, str)
        The drawings.
    languages : sequence of mapping, optional
        For each what else it is saved as.
    """
    return {"type": "pictures", "heading": "", "drawn": [list(one) for one in drawn], "languages": list(languages)}


def table(
    head: Sequence[str], rows: Sequence[tuple[bool, Sequence[str]]], *, heading: str = "", numbers: Collection[int] = ()
) -> Block:
    """Return a small table of texts.

    Parameters
    ----------
    head : sequence of str
        What the columns are called.
    rows : sequence of (bool, sequence of str)
        Whether the row is marked, and its cells.
    heading : str
        What stands above.
    numbers : collection of int
        The columns that are set like numbers.
    """
    listed = [[marked, list(cells)] for marked, cells in rows]
    return {"type": "table", "heading": heading, "head": list(head), "rows": listed, "numbers": sorted(numbers)}


def plain(
    *blocks: Block,
    key: str,
    on_step: Callable[[int], None] | None = None,
    on_word: Callable[[int], None] | None = None,
    on_sentence: Callable[[int], None] | None = None,
    large: bool = False,
    origin: Origin | None = None,
) -> None:
    """Show blocks one under the other.

    Parameters
    ----------
    *blocks : Block
        What to show.
    key : str
        The component's key.
    on_step : callable, optional
        Gets the place of the edit step that the reader clicks, before the page runs again.
    on_word : callable, optional
        Gets the position of the word that the reader clicks.
    on_sentence : callable, optional
        Gets the number of the sentence that the reader clicks.
    large : bool
        Whether it is to be read from afar.
    origin : Origin, optional
        Where pictures and tables come from; they can be saved then.
    """

    def told(tell: Callable[[int], None] | None) -> Callable[[object], None]:
        def changed(value: object) -> None:
            if tell is not None and isinstance(value, (int, float)):
                tell(int(value))

        return changed

    _COMPONENT.mount(
        {"blocks": [_sent(block) for block in blocks], "large": large},
        key=key,
        told={"step": told(on_step), "word": told(on_word), "sentence": told(on_sentence)},
    )
    if origin is not None:
        save(key, *block_files(blocks, origin))


def _sent(block: Block) -> Block:
    """Leave out what is for files."""
    return {name: value for name, value in block.items() if name not in _FOR_FILES}
