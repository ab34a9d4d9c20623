"""LA step by step: the words shaded by their scores; of one word the lineages, the filled table and the path."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from evaltools.alignments.lineages import lineage_table
from evaltools.alignments.trees import Alignment, WordComparison
from evaltools.drawing.blocks import Block, Drawing, drawn, note
from evaltools.drawing.word_columns import link_of
from evaltools.frameworks.common.word_views import word_strip
from evaltools.frameworks.constituency.wording import lone_word_note
from evaltools.frameworks.registry import framework_of_material
from evaltools.text import share_text
from evaltools.ui.components.blocks import show_blocks
from evaltools.ui.lab.what_if import Choices, lab_origin
from evaltools.ui.session import state
from evaltools.ui.widgets.saving import save_table

__all__ = ["show_lineages"]

_SCHEMES = {"partial": "graded", "strict": "exact", "table": "costs as set"}
_METRICS = {metric.scheme: metric.id for metric in framework_of_material("trees").metrics if metric.scheme}
_GRADED = _METRICS["partial"]


def _scheme(choices: Choices) -> str:
    """Let the reader choose what replacements cost."""
    known = [scheme for scheme in _SCHEMES if scheme != "table" or choices.has_costs]
    value = state.get("lab_la", known[-1] if choices.has_costs else "partial")
    default = "table" if choices.has_costs else "partial"
    chosen = st.segmented_control(
        "Replacements",
        known,
        format_func=lambda one: _SCHEMES[one],
        required=True,
        **state.bind("lab_la", value if value in known else default, default),
    )
    return str(chosen or default)


def _word(alignment: Alignment) -> WordComparison:
    """Return the word that the link names, else the one whose lineages are farthest apart."""
    value = state.get("lab_word")
    if value.isdecimal() and len(value) < 6 and int(value) < len(alignment.words):
        return alignment.words[int(value)]

    def distance(word: WordComparison) -> float:
        return (1 - word.scores.get(_GRADED, 1.0)) * (len(word.gold) + len(word.test or ()))

    return max(alignment.words, key=distance)


def show_lineages(alignment: Alignment, choices: Choices) -> None:
    """Show what LA makes of every word, and step by step of one."""
    if not alignment.words:
        show_blocks(note("Leaf-ancestor (LA) is undefined for these trees."), key="lab_lineages")
        return
    scheme = _scheme(choices)
    scores = {word.position: word.scores.get(_METRICS[scheme]) for word in alignment.words}
    word = _word(alignment)
    origin = lab_origin(choices)
    total = sum(value for value in scores.values() if value is not None)
    count = sum(value is not None for value in scores.values())
    show_blocks(
        note(
            "A word’s lineage is the string of labels from the word to the root, with [ before the label of the "
            "highest phrase that begins at the word and ] after that of the highest that ends there. Click a word."
        ),
        word_strip(alignment, _METRICS[scheme], word.position),
        note(
            f"LA is the mean over the words: {share_text(total)} / {count} = "
            f"{share_text(total / count if count else None)}"
        ),
        *_steps(alignment, word, scheme, choices),
        key="lab_lineages",
        on_word=lambda chosen: state.put(lab_word=chosen),
        origin=origin,
    )
    with st.container(key="lab_all_lineages"):
        rows = [
            {
                "word": item.form,
                "gold lineage": " ".join(item.gold),
                "test lineage": " ".join(item.test or ()),
                _SCHEMES[scheme]: share_text(item.scores.get(_METRICS[scheme])),
            }
            for item in alignment.words
        ]
        with st.popover("The lineages of all words"):
            st.dataframe(pd.DataFrame(rows), hide_index=True, width="content", key="lab_lineage_table")
        save_table(pd.DataFrame(rows), "lab_all_lineages", origin.caption("The lineages of all words"))


def _steps(alignment: Alignment, word: WordComparison, scheme: str, choices: Choices) -> list[Block]:
    if word.test is None:
        return [note(lone_word_note(word, "the gold tree", "the test tree"))]
    costs = choices.costs(alignment.gold, alignment.test)
    table = lineage_table(word.gold, word.test, scheme, costs, word.label_classes)
    options = {"metric": _METRICS[scheme], "table": costs, "link": link_of(alignment, word)}
    return [
        drawn(Drawing(word, f"“{word.form}”: its two lineages, symbol by symbol", "lineages", options=options)),
        drawn(Drawing(table, f"“{word.form}”: the table of their edit distance", "lineage-table")),
        note(
            "Each cell is the cost of turning the gold lineage up to its row into the test lineage up to its column. "
            "A step down deletes a symbol (1), a step to the right inserts one (1), a diagonal step keeps an equal "
            "symbol (0) or replaces one. The path is the cheapest way to the last cell."
        ),
    ]
