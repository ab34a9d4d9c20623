"""Hotspots: where the errors live, from a table to the words, and on to the alignment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from evaltools.charts.differences import differences_chart
from evaltools.runs.notes import Notes
from evaltools.runs.store import Run
from evaltools.ui import hotspot_data, state
from evaltools.ui.charting import chart
from evaltools.ui.choice_table import choice_table
from evaltools.ui.error_rules import rules_picker
from evaltools.ui.hotspot_columns import SCORES, answer_of, columns_of
from evaltools.ui.hotspot_configurations import Options
from evaltools.ui.hotspot_data import Part
from evaltools.ui.hotspot_view import View
from evaltools.ui.hotspot_views import views_of
from evaltools.ui.kernels import wait_for_kernels
from evaltools.ui.pickers import choice_picker, every_switch, parsers_picker
from evaltools.ui.plain import answer, marked, note, plain
from evaltools.ui.saving import Origin
from evaltools.ui.semantic_groups import rows_of, semantic_answer
from evaltools.ui.semantic_hotspots import semantic_controls, semantic_table
from evaltools.ui.sentence_detail import sentence_detail

__all__ = ["render"]

_SCHEMES = {"las": "LAS", "uas": "UAS", "la_partial": "LA, partial credit", "la_strict": "LA, strict"}
_DEFAULTS = {"constituency": ("tag", "la_partial"), "dependency": ("relation", "las")}
"""For each kind of run, what words are grouped by at first, and by which score."""
_LISTED = 100


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Hotspots")
    if run.kind == "semantics":
        _graphs(run)
        return
    if run.kind not in _DEFAULTS:
        says = "Hotspots are sought in trees and graphs of one framework; this run compares trees of several."
        plain(answer(says), key="hotspots_kind")
        return
    top = st.container()
    parser, other, name = _controls(run)
    view = views_of(run)[name]
    options = _options(run, view)
    part = _part(run)
    wait_for_kernels()
    with st.spinner("Looking through the trees …", show_time=True):
        rows = view.compared(part, parser, other, options) if other else view.rows(part, parser, options)
    with top:
        plain(answer(answer_of(name, rows, parser, other, options.score)), key="hotspots_answer")
    plain(note(view.says + _limits(part)), key="hotspots_note")
    if rows.empty:
        st.subheader("Nothing is listed")
        least = " A smaller least number lists more." if "least" in view.uses else ""
        plain(note(f"{parser} has no such errors in this run.{least}"), key="hotspots_empty")
        return
    if name == "words":
        chart(
            differences_chart(rows, score=f"mean {SCORES[options.score]}"),
            key="hotspots_chart",
            says="Difference of each group to all other words.",
            signature=run.signature,
        )
    row = choice_table(
        rows,
        view.keys,
        key=f"hotspots_{name}",
        name="group",
        columns=columns_of(name, rows, parser, other, hotspot_data.features_of(run)[options.by], options.score),
        caption=f"{view.title}: {' and '.join(filter(None, (parser, other)))}.{_limits(part)} {run.signature}",
        also=("sentence",),
    )
    if row is not None:
        _places(part, parser, view, options, row)


def _graphs(run: Run) -> None:
    """Draw the page for a run of semantic graphs."""
    top = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        parser, other = parsers_picker(run)
        every = every_switch()
        chosen = semantic_controls(parser, other, every=every)
    rows = rows_of(run, chosen)
    with top:
        plain(answer(semantic_answer(chosen, rows)), key="hotspots_answer")
    if "low" in rows and not other and rows["low"].notna().any():
        known = rows[rows["low"].notna()]
        chart(
            differences_chart(
                known.assign(count=known["gold"] + known["test"], mean=known["f1"]),
                score="F1",
                things="triples of its kind",
                percent=True,
            ),
            key="hotspots_chart",
            says="Difference of the F1 of each group to that of all other triples of its kind.",
            signature=run.signature,
        )
    order = semantic_table(run, chosen, rows, "hotspots")
    if order:
        said = state.get_number("sentence", order[0], 1, run.n_sentences)
        place = order.index(said) if said in order else 0
        sentence_detail(run, parser, np.array(order, dtype=np.int32), place, Notes(run))


def _controls(run: Run) -> tuple[str, str, str]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        parser, other = parsers_picker(run)
        titles = {name: view.title for name, view in views_of(run).items()}
        name = choice_picker("Look at", list(titles), name="view", default=next(iter(titles)), titles=titles)
    return parser, other, name


def _options(run: Run, view: View) -> Options:
    scores = _SCHEMES if run.kind == "dependency" else {name: _SCHEMES[name] for name in ("la_partial", "la_strict")}
    (by, default), least = _DEFAULTS[run.kind], 30
    score = default
    if view.uses:
        with st.container(horizontal=True, vertical_alignment="bottom"):
            if "by" in view.uses:
                features = hotspot_data.features_of(run)
                by = choice_picker("Group by", list(features), name="by", default=by, titles=features)
            if "score" in view.uses:
                score = choice_picker("Score", list(scores), name="scheme", default=default, titles=scores)
            if "rules" in view.uses:
                rules_picker()
            if "least" in view.uses:
                least = state.get_number("least", 30, 1, 100_000)
                chosen = st.number_input(
                    "At least so many",
                    min_value=1,
                    max_value=100_000,
                    step=10,
                    width=160,
                    **state.bind("least", least, 30),
                )
                least = int(chosen or least)
    return Options(by, least, score)


def _part(run: Run) -> Part:
    """Let the reader choose how many sentences are looked through, where there are too many for all at once."""
    offered, default = hotspot_data.parts(run.n_sentences)
    if len(offered) == 1:
        return Part(run, default)
    titles = {str(most): f"the first {most:,}" if most < run.n_sentences else f"all {most:,}" for most in offered}
    return Part(run, int(choice_picker("Sentences", list(titles), name="most", default=str(default), titles=titles)))


def _limits(part: Part) -> str:
    n = part.run.n_sentences
    return f" Over the first {part.most:,} of {n:,} sentences." if n > part.most else ""


def _places(part: Part, parser: str, view: View, options: Options, row: pd.Series[Any]) -> None:
    """List the sentences of a row, and show the alignment of the one that is chosen."""
    places = view.places(part, parser, options, {str(name): value for name, value in row.items()})
    if places.empty:
        plain(note("None of its places can be shown."), key="hotspots_no_places")
        return
    corpus = hotspot_data.corpus(part)
    order = list(dict.fromkeys(places["sentence"].tolist()))
    said = state.get_number("sentence", order[0], 1, part.run.n_sentences)
    sentence = said if said in order else order[0]
    listed = order[:_LISTED] if sentence in order[:_LISTED] else [*order[: _LISTED - 1], sentence]
    shown = []
    groups = dict(iter(places[places["sentence"].isin(listed)].groupby("sentence", sort=False)))
    for number in listed:
        own = groups[number]
        spans = zip(own["start"].tolist(), own["end"].tolist(), strict=True)
        words = {place for start, end in spans for place in corpus.places(number, start, end)}
        remarks = [text for text in dict.fromkeys(own["remark"].tolist()) if text]
        more = f" … and {len(remarks) - 2} more" if len(remarks) > 2 else ""
        shown.append((number, corpus.forms[number - 1], words, "; ".join(remarks[:2]) + more))
    name = " · ".join(str(row[key]) for key in view.keys if str(row[key]))
    times = f"{len(places):,} places in {len(order):,} sentences" if len(places) > 1 else "1 place"
    first = f", the first {_LISTED} listed" if len(order) > _LISTED else ""
    plain(
        marked(shown, chosen=sentence, heading=f"{name}: {times}{first}"),
        key="hotspots_sentences",
        on_sentence=lambda number: state.put(sentence=number),
        origin=Origin(f"hotspots-{parser}", f"{view.title}, {parser}", part.run.signature),
    )
    order_of = np.array(order, dtype=np.int32)
    about = sorted(next(marks for number, _, marks, _ in shown if number == sentence))
    sentence_detail(
        part.run,
        parser,
        order_of,
        order.index(sentence),
        Notes(part.run),
        words=about if part.run.kind == "dependency" else (),
    )
