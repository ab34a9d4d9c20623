"""Hotspots of a run of semantic graphs: which predicates, roles and properties are lost, and in which sentences."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pandas as pd
import streamlit as st

from evaltools.metrics.edm_rules import EdmRules
from evaltools.runs.store import Run
from evaltools.ui.components.plain import marked, note, plain
from evaltools.ui.hotspots.semantic_groups import SEMANTIC_VIEWS, Chosen, group_name, places_of
from evaltools.ui.session import data, state
from evaltools.ui.widgets.choice_table import choice_table
from evaltools.ui.widgets.pickers import choice_picker
from evaltools.ui.widgets.saving import Origin

__all__ = ["semantic_controls", "semantic_table"]

_LISTED = 100
_MOST_ROWS = 5_000
_FIGURES = ("gold", "test", "matched", "recall", "precision", "f1", "lost", "share", "excess", "interval", "flag")
_COMPARED = ("gold", "matched", "f1", "other_f1", "lost", "other", "more")
_CONFUSED = ("gold", "test", "count", "share", "sentences")
_TITLES = {
    "gold": "Gold",
    "test": "Test",
    "matched": "Matched",
    "recall": "Recall",
    "precision": "Precision",
    "f1": "F1",
    "lost": "Lost",
    "share": "Share",
    "excess": "Excess",
    "interval": "95 % interval",
    "flag": "Sure",
    "count": "Count",
    "sentences": "Sentences",
}
_HELP = {
    "lost": "triples that only gold has, and those that only the parser has",
    "share": "per cent of all lost triples, of every kind; of confusions, of the places of the gold predicate",
    "excess": "how much more is lost than if the group did as well as the rest of its kind",
    "interval": "of the F1 of the group minus that of the rest, in percentage points; sentences are resampled",
    "flag": "✓: the difference holds at a false discovery rate of 5 % among the groups listed",
    "more": "how many more triples of it the first parser has lost",
}
_PERCENT = ("recall", "precision", "f1", "other_f1", "share")


def semantic_controls(parser: str, other: str, *, every: bool, rules: EdmRules | None = None) -> Chosen:
    """Let the reader choose the view, and how large its groups are.

    Parameters
    ----------
    parser, other, every, rules
        As in :class:`Chosen`.
    """
    view = choice_picker("Look at", list(SEMANTIC_VIEWS), name="view", default="predicate", titles=SEMANTIC_VIEWS)
    least = state.get_number("least", 1, 1, 100_000)
    if view == "confusion":
        return Chosen(parser, other, view, least, every, rules)
    chosen = st.number_input(
        "At least so many triples",
        min_value=1,
        max_value=100_000,
        step=10,
        width=180,
        help="of gold and test together",
        **state.bind("least", least, 1),
    )
    return Chosen(parser, other, view, int(chosen or least), every, rules)


def semantic_table(run: Run, chosen: Chosen, rows: pd.DataFrame, key: str, *, any_sentence: bool = False) -> list[int]:
    """Show the groups, and below them the sentences of the one that is chosen.

    Parameters
    ----------
    run : Run
        The run.
    chosen : Chosen
        What the reader looks at.
    rows : DataFrame
        From :func:`~evaltools.ui.hotspots.semantic_groups.rows_of`.
    key : str
        Beginning of the elements' keys.
    any_sentence : bool
        Whether the page may show a sentence that is not among those of the group.

    Returns
    -------
    list of int
        The sentences of the chosen group, in order; none where nothing is listed.
    """
    if rows.empty:
        least = " A smaller least number lists more." if chosen.view != "confusion" and chosen.least > 1 else ""
        plain(note(f"Nothing of this kind is lost by {chosen.parser}.{least}"), key=f"{key}_none")
        return []
    keys = ("gold", "test") if chosen.view == "confusion" else ("group",)
    listed = rows.head(_MOST_ROWS)
    listed = listed.assign(**{name: 100 * listed[name] for name in _PERCENT if name in listed})
    row = choice_table(
        listed,
        keys,
        key=f"{key}_{chosen.view}",
        name="group",
        columns=_columns(chosen, listed),
        caption=f"{SEMANTIC_VIEWS[chosen.view]}: {' and '.join(filter(None, (chosen.parser, chosen.other)))}. "
        f"{run.signature}",
        height=34 + 30 * 12,
        also=("sentence",),
    )
    if len(rows) > _MOST_ROWS:
        plain(note(f"The first {_MOST_ROWS:,} of {len(rows):,} rows."), key=f"{key}_more")
    return [] if row is None else _sentences(run, chosen, row, key, any_sentence=any_sentence)


def _columns(chosen: Chosen, rows: pd.DataFrame) -> dict[str, Any]:
    titles = _TITLES | {"other": f"Lost by {chosen.other}", "other_f1": f"F1, {chosen.other}", "more": "More"}
    if chosen.view == "confusion":
        columns = {name: st.column_config.TextColumn(f"{_TITLES[name]} predicate") for name in ("gold", "test")}
        titles["other"] = chosen.other
        shown = [*_CONFUSED[2:], *(("other", "more") if chosen.other else ())]
    else:
        columns = {"group": st.column_config.TextColumn(SEMANTIC_VIEWS[chosen.view], width=200)}
        shown = list(_COMPARED if chosen.other else _FIGURES)
    return columns | {name: _configured(name, rows[name], titles[name]) for name in shown}


def _configured(name: str, values: pd.Series[Any], title: str) -> Any:
    hint = _HELP.get(name)
    if not pd.api.types.is_numeric_dtype(values):
        return st.column_config.TextColumn(title, help=hint, width=130 if name == "interval" else 50)
    whole = name not in _PERCENT and bool((values.dropna() % 1 == 0).all())
    form = "%d" if whole else "%.2f" if name in _PERCENT else "%.1f"
    return st.column_config.NumberColumn(title, help=hint, format=form, width=74)


@st.cache_resource(max_entries=4, show_spinner=False)
def _texts(key: str, _run: Run) -> dict[int, str]:
    rows = _run.texts()
    return dict(zip(rows["sentence"].tolist(), rows["text"].tolist(), strict=True))


def _sentences(run: Run, chosen: Chosen, row: pd.Series[Any], key: str, *, any_sentence: bool) -> list[int]:
    """List the sentences of a row, the characters of its triples marked by whole words."""
    places = places_of(run, chosen, row)
    if places.empty:
        plain(note("None of its places can be shown."), key=f"{key}_no_places")
        return []
    texts = _texts(data.run_key(run), run)
    order = list(dict.fromkeys(places["sentence"].tolist()))
    said = state.get_number("sentence", order[0], 1, run.n_sentences)
    sentence = said if said in order else None if any_sentence else order[0]
    listed = order[:_LISTED]
    if sentence is not None and sentence not in listed:
        listed = [*listed[:-1], sentence]
    groups = dict(iter(places[places["sentence"].isin(listed)].groupby("sentence", sort=False)))
    shown = [_line(number, texts.get(number, ""), groups[number]) for number in listed]
    times = f"{len(places):,} places in {len(order):,} sentences" if len(places) > 1 else "1 place"
    first = f", the first {_LISTED} listed" if len(order) > _LISTED else ""
    plain(
        marked(shown, chosen=sentence, heading=f"{group_name(chosen, row)}: {times}{first}"),
        key=f"{key}_sentences",
        on_sentence=lambda number: state.put(sentence=number),
        origin=Origin(f"hotspots-{chosen.parser}", f"{SEMANTIC_VIEWS[chosen.view]}, {chosen.parser}", run.signature),
    )
    return order


def _line(number: int, text: str, places: pd.DataFrame) -> tuple[int, list[str], set[int], str]:
    """Return a sentence's words, which of them stand at its places, and what is wrong there."""
    words = [(one.start(), one.end(), one.group()) for one in re.finditer(r"\S+", text)]
    ends = [
        (int(start), int(end))
        for first, last in (("start", "end"), ("target_start", "target_end"))
        for start, end in places[[first, last]].dropna().itertuples(index=False)
    ]
    inside = {
        at for at, (start, end, _) in enumerate(words) if any(start < last and first < end for first, last in ends)
    }
    counts = Counter(str(says) for says in places["remark"] if says)
    remarks = [f"{count} {says}" for says, count in counts.items()]
    return number, [word for *_, word in words], inside, ", ".join(remarks)
