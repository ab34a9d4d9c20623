"""Semantics: how much of the meaning parsers find, what they lose, and how far a better choice would bring them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace

import pandas as pd
import streamlit as st

from evaltools.analysis.standing import describe, standings
from evaltools.analysis.summary import Summary, summarize
from evaltools.app.components.blocks import show_blocks
from evaltools.app.hotspots import Chosen, hotspots_picker, hotspots_table, question_controls, question_picker
from evaltools.app.report import leaderboard_table, offer_sample, section, show_section
from evaltools.app.sentence import show_sentence
from evaltools.app.session import data, state
from evaltools.app.session.data import cached_by_run
from evaltools.app.significance import significance_table
from evaltools.app.widgets.pickers import (
    chosen_metric,
    chosen_parser,
    few,
    figure_switches,
    metric_picker,
    parsers_picker,
    sentence_picker,
    switch,
    units_picker,
)
from evaltools.app.widgets.saving import Origin
from evaltools.blocks import Text, answer, note
from evaltools.errors import ParameterError
from evaltools.frameworks.questions import Options, Question
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.semantics.aligned_graphs import GraphAlignment
from evaltools.frameworks.semantics.alignment import align_graphs
from evaltools.frameworks.semantics.edm_rules import EdmRules
from evaltools.frameworks.semantics.framework import MRS
from evaltools.frameworks.semantics.reweighting import (
    CLASSES,
    KINDS,
    MAXIMUM,
    identity,
    patterns_of,
    read_weights,
    reweighted_sentences,
    weights_file,
    with_classes,
    with_patterns,
    written_weights,
)
from evaltools.outputs.sections import table_notes
from evaltools.runs.database import FrameTables
from evaltools.runs.store import Run
from evaltools.runs.sums import Sums, sum_sentences
from evaltools.text import capitalized


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Semantics", anchor=False)
    if not run.framework.figures.weighted:
        offer_sample(
            MRS.id,
            f"This run compares {run.framework.title}; this page is about semantic graphs with spans: EDS, DMRS, MRS.",
            "evaltools score GOLD FILE… -o RUN writes such a run when the files hold such graphs.",
        )
        return
    top = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        average, every = figure_switches(run)
        cluster = units_picker(run)
    figure = average + ("_all" if every else "")
    table = st.container()
    rules, changed = weights_editor(run)
    weighed = rules if changed else None
    named = identity(rules) if changed else ""
    metrics = [first for first in run.metrics if METRICS[first].place.reports] or list(run.metrics[:8])
    metric = chosen_metric(run.metrics, run.main_metric)
    summary = _summary(run, weighed, metrics, figure, metric, cluster)
    parser = chosen_parser(run, metric)
    before = "With the weights of this page: " if changed else ""
    with top:
        show_blocks(answer(before + describe(summary.standing)), key="semantics_answer")
    with table:
        leaderboard_table(run, summary, parser=parser, metric=metric, rules=named)
        about = f"{METRICS[metric].title}, {summary.base}. Click a figure to choose parser and metric."
        show_blocks(*map(note, filter(None, [about, *table_notes(summary), few(run, cluster)])), key="semantics_note")
    st.subheader("Significance", anchor=False)
    metric_picker(run)
    significance_table(run, summary.standing, named)
    _details(run)
    st.subheader("One parser", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        parser, second = parsers_picker(run, parser)
    if any(int(length) > 1 for length in run.meta["n_best"].values()):
        st.subheader("Lists of analyses", anchor=False)
        blocks = section(run, "lists", figure, metric, cluster, parser)
        show_section(run, blocks or [Text(f"{parser} gives one analysis of a sentence.")], "semantics_lists")
    st.subheader("Lost triples", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        question = question_picker(run)
        options = question_controls(question, over="all" if every else "scored", weights=weighed)
    chosen = _lost_triples(run, question, parser, second, options, cluster)
    st.subheader("One sentence", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sentence = sentence_picker(run, chosen.order[0] if chosen is not None else 1)
        pair = _pair(parser, second)
    _sentence(run, sentence, *pair, weighed)


def _lost_triples(
    run: Run, question: Question, parser: str, second: str, options: Options, cluster: str
) -> Chosen | None:
    """Show the table of a question, and return the chosen sentence."""
    try:
        table = hotspots_picker(run, question, parser, second, options, cluster if second else "")
    except ParameterError as error:  # there is no sentence that both parsers have
        show_blocks(answer(f"{capitalized(str(error))}."), key="semantics_lost")
        return None
    show_blocks(answer(table.headline), key="semantics_lost")
    return hotspots_table(table, "lost_triples", any_sentence=True)


def _pair(parser: str, other: str) -> tuple[str, str]:
    """Let the reader choose two of gold and two parsers; return parser and what it is compared with."""
    if not other:
        return parser, ""
    titles = {"": f"gold and {parser}", "other": f"gold and {other}", "both": f"{other} and {parser}"}
    return {"": (parser, ""), "other": (other, ""), "both": (parser, other)}[switch("Graphs", titles, name="graphs")]


def _sentence(run: Run, number: int, parser: str, other: str, rules: EdmRules | None) -> None:
    """Show two graphs of a sentence, and their triples, under the weights of the page."""
    sentence = replace(data.sentence(run, number, parser, other), sources=())
    origin = Origin.of_sentence(run, number, sentence.gold_name, sentence.parse_name)
    if rules is not None:
        graphs: GraphAlignment = sentence.alignment
        sentence = replace(sentence, alignment=align_graphs(graphs.gold, graphs.test, rules))
        origin = replace(origin, signature=f"{origin.signature}{identity(rules)}")
    show_sentence(run.framework, sentence, origin, key="semantics_graphs")


def _details(run: Run) -> None:
    """Show how graphs were paired, and how their spans were compared."""
    st.subheader("How graphs were compared", anchor=False)
    text = (
        f"This run was scored with {run.edm_rules.spans} spans: evaltools why shows what other spans change, evaltools "
        "score --spans sets them. Trimmed: without white space, and without punctuation at the edges of spans, where "
        "both files have the text."
    )
    blocks = section(run, "details", run.default_figure, run.main_metric)
    show_section(run, [*blocks, Text(text)], "semantics_details")


def _summary(
    run: Run, rules: EdmRules | None, metrics: Sequence[str], figure: str, main: str, cluster: str = ""
) -> Summary:
    """Return the summary under the weights of some rules; None for those of the run.

    With `cluster`, a column of the metadata, its values (documents) are swapped and drawn as a whole.
    """
    if rules is None:
        return data.summary(run, metrics, figure, main, cluster=cluster)
    named = identity(rules)
    sums = _reweighted(run, named, cluster, rules)
    return _reweighted_summary(run, named, cluster, metrics, figure, main, sums)


@cached_by_run(16, "Weighing the triples …")
def _reweighted(run: Run, identity: str, cluster: str, _rules: EdmRules) -> Sums:
    metadata = run.query("select * from metadata") if cluster else None
    tables = FrameTables(run.parsers, run.n_sentences, reweighted_sentences(run, _rules), metadata)
    return sum_sentences(tables, run.metrics, cluster=cluster)


@cached_by_run(32, "Comparing the parsers …")
def _reweighted_summary(
    run: Run, identity: str, cluster: str, metrics: Sequence[str], figure: str, main: str, _sums: Sums
) -> Summary:
    ranked = standings(_sums, run.parsers, list(dict.fromkeys((*metrics, main))), figure)
    return summarize(run, _sums, ranked, main)


_BASE, _TURN, _WRITTEN = "evaltools_weights_base", "evaltools_weights_turn", "evaltools_weights_written"


def weights_editor(run: Run) -> tuple[EdmRules, bool]:
    """Show the editor of weights; return the rules, and whether they differ from those of the run."""
    usual = run.edm_rules
    rules = read_weights(usual, state.get("classes"), state.get("patterns"))
    changed = any(written_weights(rules, usual).values())
    title = "Weights: changed on this page" if changed else "Weights"
    with st.expander(title, expanded=changed, icon=":material/tune:", key="semantic_weights"):
        show_blocks(
            note(
                "The weight of a triple is the weight of its class times the weight of the last pattern that matches "
                "its role, property or predicate (*, ? and […] as in file names); 0: not counted. The gray row adds a "
                "pattern. Figures change at once; matched triples stay as scored."
            ),
            key="semantic_weights_note",
        )
        _class_inputs(rules, usual)
        rules = _pattern_table(rules, usual)
        with st.container(horizontal=True):
            st.button(
                "Back to the run’s weights",
                key="weights_reset",
                disabled=not any(written_weights(rules, usual).values()),
                on_click=lambda: state.put(classes=None, patterns=None),
            )
            st.download_button(
                "Weights (TOML)",
                weights_file(rules).encode("utf-8", "surrogatepass"),
                "weights.toml",
                "application/toml",
                key="weights_toml",
                on_click="ignore",
                help="for evaltools score --weights",
            )
    return rules, any(written_weights(rules, usual).values())


def _class_inputs(rules: EdmRules, usual: EdmRules) -> None:
    """Show a number input for each class of triples."""
    values = asdict(rules.classes)

    def changed() -> None:
        now = {name: float(st.session_state[f"weight_{name}"] or 0) for name in CLASSES}
        state.put(classes=written_weights(with_classes(rules, now), usual)["classes"])

    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name in CLASSES:
            key = f"weight_{name}"
            st.session_state[key] = values[name]
            st.number_input(
                name.capitalize(),
                min_value=0.0,
                max_value=MAXIMUM,
                step=0.1,
                format="%g",
                width=130,
                key=key,
                on_change=changed,
            )


def _pattern_table(rules: EdmRules, usual: EdmRules) -> EdmRules:
    """Show the patterns in an editable table; its rows change only when the URL does, so that edits are kept."""
    value = state.get("patterns")
    turn = st.session_state.get(_TURN, 0)
    if _BASE not in st.session_state or st.session_state.get(_WRITTEN) != value:
        turn += 1
        st.session_state[_TURN] = turn
        st.session_state[_WRITTEN] = value
        st.session_state[_BASE] = pd.DataFrame(patterns_of(rules), columns=["kind", "pattern", "weight"]).astype(
            {"kind": "string", "pattern": "string", "weight": float}
        )
    edited = st.data_editor(
        st.session_state[_BASE],
        num_rows="dynamic",
        hide_index=True,
        width=480,
        column_config={
            "kind": st.column_config.SelectboxColumn(
                "What", options=list(KINDS), required=True, default=next(iter(KINDS)), width=110
            ),
            "pattern": st.column_config.TextColumn("Pattern", required=True, width=200, help="such as ARG* or *_q"),
            "weight": st.column_config.NumberColumn(
                "Weight", min_value=0.0, max_value=MAXIMUM, required=True, default=0.0, width=90
            ),
        },
        key=f"weights_patterns_{turn}",
    )
    rows = [
        (str(kind), str(name), float(weight))
        for kind, name, weight in edited.dropna().itertuples(index=False)
        if kind in KINDS
    ]
    rules = with_patterns(rules, rows)
    now = written_weights(rules, usual)["patterns"]
    if (now or "") != value:
        st.session_state[_WRITTEN] = now or ""
        state.put(patterns=now)
    return rules
