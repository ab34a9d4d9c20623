"""Overview: the figures of the parsers, by every metric, and which differences are significant."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pandas as pd
import streamlit as st

from evaltools import analysis
from evaltools.analysis.experiments import are_kept
from evaltools.analysis.summary import metrics_in_disagreement
from evaltools.analysis.why import explain_figure
from evaltools.app.components.blocks import show_blocks
from evaltools.app.report import leaderboard_table, report, section, show_section
from evaltools.app.session import data, state
from evaltools.app.session.data import cached_by_run
from evaltools.app.significance import significance
from evaltools.app.widgets.pickers import (
    chosen_cluster,
    chosen_metric,
    chosen_parser,
    few,
    figure_in_words,
    figure_switches,
    folded,
    is_open,
    key_picker,
    menu,
    metric_picker,
    open_section,
    over_units,
    units_picker,
)
from evaltools.app.widgets.saving import Origin, chart
from evaltools.blocks import Text, answer, facts, formulas, note
from evaltools.errors import EvaltoolsError
from evaltools.frameworks.figures import average_of, over_of
from evaltools.frameworks.metric import Count, Family, Metric, formula
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.paper import paper_files, paper_texts, zipped
from evaltools.outputs.sections import SECTIONS, Report, findings, intervals, table_notes
from evaltools.outputs.summary import describe_incomplete
from evaltools.outputs.why import why_blocks
from evaltools.runs.rescoring import Rescoring, explained_metrics, rescoring_of
from evaltools.runs.store import Run
from evaltools.text import number

_SIGNIFICANCE = "significance"
_PAPER, _PAPER_TITLE = "paper", "For your paper"
_EXPERIMENTS = "experiments"
_PLACED = ("findings", "errors", "figures", _EXPERIMENTS, "significance")
"""The sections of reports that have their place on this page."""
_ELSEWHERE = ("disagreement", "hotspots", "worst")
"""Those that have a page of their own."""
_N_COLUMNS = 5
"""Metrics in the table by default, as many as the first answer of the command line has."""


def render(run: Run) -> None:
    """Draw the page."""
    with st.container(horizontal=True, vertical_alignment="center", key="overview_head"):
        st.header("Overview", anchor=False, width="content")
        average, every, metrics = _controls(run)
    figure, cluster = average + ("_all" if every else ""), chosen_cluster(run)
    main = run.main_metric
    main = main if main in metrics else metrics[0]
    whole = report(run, metrics, figure, main, cluster)
    summary, compares = whole.summary, len(run.parsers) > 1
    parser, metric = chosen_parser(run), chosen_metric(run.metrics, run.main_metric)
    sentence, *remarks = findings(whole)
    show_blocks(sentence, key="verdict")
    table = st.container()
    with st.container(horizontal=True, vertical_alignment="top", key="leaderboard_foot"):
        notes = [f"{METRICS[main].title}, {summary.base}. {_click(run)}", *table_notes(summary)]
        show_blocks(*map(note, notes), key="leaderboard_note")
        foot = st.container(width="content")
        why_button(run, parser, metric)
    with table:
        leaderboard_table(run, summary, parser=parser, metric=metric, foot=foot)
    with st.container(gap="xsmall"):
        _errors(run, figure)
    if disagreement := metrics_in_disagreement(summary):
        show_blocks(answer(disagreement), key="metrics_disagree")
    if remarks := [*remarks, *map(note, describe_incomplete(run, metrics))]:
        show_blocks(*remarks, key="remarks")
    _links(run, compares=compares)
    if SECTIONS[_EXPERIMENTS].applies(run):
        _section(run, _EXPERIMENTS, figure)
    explained = folded(f"{METRICS[metric].title} of {parser}", "explanation", default=bool(state.get("metric")))
    if explained is not None:
        with explained:
            explanation(run, parser, metric, figure, data.board(run, cluster), over_units(run, cluster))
    if compares:
        _significance(run, figure, cluster)
    if (section_of_paper := folded(_PAPER_TITLE, _PAPER)) is not None:
        with section_of_paper:
            paper(whole)
    for name, item in SECTIONS.items():
        if name not in _PLACED + _ELSEWHERE and item.applies(run):
            _section(run, name, figure)
    if not run.meta["problems"]:
        show_blocks(note("No problems were found in the files."), key="problems_note")


def _significance(run: Run, figure: str, cluster: str) -> None:
    """Show the differences of every two parsers by a metric, and of the chosen ones where they come from."""
    is_chosen = any(state.get(name) for name in ("pair", "by", "carrier")) or is_open("pair")
    opened = folded("Compare two: significance of every difference", _SIGNIFICANCE, default=is_chosen)
    if opened is None:
        return
    with opened:
        with st.container(width=320):
            metric = metric_picker(run)
        significance(run, metric, figure=average_of(figure), over=over_of(figure), cluster=cluster)


def _click(run: Run) -> str:
    """Describe what a click on a figure does, and what intervals are over."""
    cluster = chosen_cluster(run)
    over = f" {over_units(run, cluster)}" if cluster else ""
    text = f"Click a figure to see where it comes from, with its 95 % interval{over}."
    return " ".join(filter(None, [text, few(run, cluster)]))


def _controls(run: Run) -> tuple[str, bool, list[str]]:
    """Let the reader choose figure, sentences and columns, behind a button that names the choice."""
    known = list(dict.fromkeys((*run.table_metrics, *run.metrics)))
    offered = run.table_metrics[:_N_COLUMNS]
    value = [metric for metric in state.get("columns").split(",") if metric in known]
    with st.popover(f"{figure_in_words(run)}, {len(value or offered)} of {len(known)} metrics"):
        average, every = figure_switches(run)
        units_picker(run)
        columns = st.multiselect(
            "Metrics in the table",
            known,
            format_func=lambda one: METRICS[one].title,
            **state.bind("columns", value or offered, offered, write=",".join),
        )
    return average, every, [metric for metric in known if metric in columns] or offered


def _section(run: Run, name: str, figure: str) -> None:
    """Show a section by the chosen metric, of the chosen parser, when it is opened."""
    opened = folded(SECTIONS[name].title, name, default=name == _EXPERIMENTS and are_kept(run))
    if opened is None:
        return
    with opened:
        by = key_picker(run, "Group by", "all") if name == "groups" else ""
        metric = chosen_metric(run.metrics, run.main_metric)
        blocks = section(run, name, figure, metric, chosen_cluster(run), chosen_parser(run), by)
        show_section(run, blocks or [Text("Nothing to report.")], name)


_NO_BREAK = "\u00a0"
_ARROW = ":material/arrow_forward:"
_FIGURE_NAMES = {
    "pooled": "micro, parsed sentences only",
    "mean": "macro, parsed sentences only",
    "pooled_all": "micro, all sentences",
    "mean_all": "macro, all sentences",
}


def explanation(run: Run, parser: str, metric: str, figure: str, board: pd.DataFrame, over_units: str = "") -> None:
    """Show how a figure is computed; `over_units` names what intervals are over if not sentences."""
    item = METRICS[metric]
    explained = analysis.explain(data.sums(run), parser, metric, figure)
    rows = board[(board["parser"] == parser) & (board["metric"] == metric)].to_dict("records")[0]
    written = partial(item.text, sign=True)
    origin = Origin(f"{parser}-{metric}", f"{parser}, {item.title}", run.signature)
    with st.container(border=True, key="explanation"):
        left, right = st.columns([3, 2], gap="large")
        with left:
            is_pooled = figure.startswith("pooled")
            definition = formula(item) if is_pooled else "sum of sentence scores / sentences with a score"
            heading = f"{item.title}: {parser}, {_FIGURE_NAMES[figure]}"
            counts = [
                (count.symbol, count.name, number(total)) for count, total in _counted(item.family, explained.counts)
            ]
            show_blocks(
                formulas([(item.title, definition, explained.numbers, written(explained.value))], heading),
                facts(counts, "Counts, summed over these sentences"),
                key="explanation_formula",
                origin=origin,
            )
            with st.container(horizontal=True):
                worst, costliest = state.link(parser=parser, metric=metric), state.link(parser=parser, other=None)
                label = "Worst parses by this metric"
                st.page_link("pages/worst_parses.py", label=label, icon=_ARROW, query_params=worst)
                label = "Costliest errors of this parser"
                st.page_link("pages/hotspots.py", label=label, icon=_ARROW, query_params=costliest)
        with right:
            figures = []
            for key, name in _FIGURE_NAMES.items():
                between = _between(item, rows[f"{key}_low"], rows[f"{key}_high"])
                figures.append((name, written(rows[key]).replace(" ", _NO_BREAK), between))
            over = [("sentences", f"{explained.n:,} of {explained.sentences:,}", "")]
            differ = int(data.aligned(run, parser, metric).sum())
            if differ:
                over.append(("tokens differ", f"{differ:,}", item.family.words_differ))
            if explained.without_score:
                over.append(("undefined", f"{explained.without_score:,}", "nothing to count: denominator 0"))
            with_intervals = ", with 95 % intervals" if any(between for _, _, between in figures) else ""
            with_intervals += f" {over_units}" if with_intervals and over_units else ""
            show_blocks(
                facts(figures, f"All figures{with_intervals}"),
                facts(over, "Over"),
                key="explanation_figures",
                origin=origin,
            )


def _counted(family: Family, counts: Mapping[str, float]) -> list[tuple[Count, float]]:
    """Return the counts without those that repeat another, and without groups of counts that are all 0."""
    described = [(family.count(name), total) for name, total in counts.items()]
    used = {count.group for count, total in described if total}
    return [
        (count, total)
        for count, total in described
        if counts.get(count.repeats) != total and (not count.group or count.group in used)
    ]


def _between(metric: Metric, low: float, high: float) -> str:
    text = metric.text(low)
    return "" if text == "–" else f"{text} to {metric.text(high)}".replace(" ", _NO_BREAK)


_NOT_CARRIED: dict[str, None] = dict.fromkeys(("other", "sentence", "box", "cell", "view", "group"))
"""What the URL may say of another page, and links from here leave out."""


def _errors(run: Run, figure: str) -> None:
    """Show the costliest errors of the chosen parser, by default of the best one."""
    parser = chosen_parser(run)
    blocks = section(run, "errors", figure, run.main_metric, parser=parser)
    if not blocks:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="lead_types_head"):
        show_blocks(blocks[0], key="lead_types_named")
        if len(run.parsers) > 1:
            titles = {name: f"errors of {name}" for name in run.parsers}
            menu("Errors of", titles, name="parser", default=data.leader(run), width=230, is_bare=True)
    show_section(run, blocks[1:], "lead_types")


def _links(run: Run, *, compares: bool) -> None:
    """Draw the ways on."""
    views = run.framework.questions().hotspots.values() if compares else ()
    with st.container(horizontal=True, vertical_alignment="center", key="overview_links"):
        if compares:
            _section_button("Compare two", _SIGNIFICANCE)
        if len(run.metrics) > 1:
            query = state.link(**{**_NOT_CARRIED, "metric": None, "metric2": None})
            st.page_link("pages/disagreement.py", label="Where metrics disagree", icon=_ARROW, query_params=query)
        for view in views:
            if view.kind.of_all_parsers:
                query = state.link(**{**_NOT_CARRIED, "view": view.id})
                st.page_link("pages/hotspots.py", label=view.title, icon=_ARROW, query_params=query)
        _section_button(_PAPER_TITLE, _PAPER)


def _section_button(label: str, name: str) -> None:
    """Draw a link to a section below, which opens it."""
    icon = ":material/arrow_downward:"
    st.button(label, icon=icon, key=f"go_{name}", type="tertiary", on_click=open_section, args=(name,))


_TEXTS_OF_PAPER = {"table.tex": "Table", "methods.tex": "Methods", "references.bib": "References"}
_TEXT_HEIGHT = 260
"""Pixels of a text."""
_ABOUT_PAPER = (
    "The figures are those of the table above. In the ZIP file, paper.tex shows how table, figure, methods and "
    "references are included; evaltools paper RUN -o FOLDER writes the same files."
)


def paper(report: Report) -> None:
    """Show the table, the figure, the methods and the references of the figures on the page, to copy and to save."""
    texts = paper_texts(report)
    left, right = st.columns(2, gap="large")
    with left:
        for name in ("table.tex", "methods.tex"):
            _copied(name, texts[name])
    with right:
        figure = intervals(report)
        show_blocks(answer("Figure"), key="paper_figure_title")
        signature, description = report.run.signature, f"{figure.title}."
        chart(dict(figure.specification), key="paper_figure", signature=signature, description=description)
        _copied("references.bib", texts["references.bib"])
    st.download_button("Save all", lambda: zipped(paper_files(report)), "paper.zip", on_click="ignore", key="paper_all")
    show_blocks(note(_ABOUT_PAPER), key="paper_note")


def _copied(name: str, text: str) -> None:
    """Show a text with a button that copies it."""
    with st.container(gap="xsmall"):
        show_blocks(answer(_TEXTS_OF_PAPER[name]), key=f"paper_{name}_title")
        st.code(text, language="latex", wrap_lines=True, height=_TEXT_HEIGHT)


@cached_by_run(2, "Scoring the files under other conventions …")
def _rescored(run: Run, parser: str, metric: str) -> Rescoring:
    return rescoring_of(run, parser, metric)


def why_button(run: Run, parser: str, metric: str) -> None:
    """Draw the button that opens the dialog about a figure, or about that by the main metric if it has conventions."""
    known = [item.id for item in explained_metrics(run.framework)]
    metric = metric if metric in known else run.main_metric
    if metric in known and st.button("Why this number?", icon=":material/help:", key="why", type="tertiary"):
        _why(run, parser, metric)


@st.dialog("Why this number?", width="large")
def _why(run: Run, parser: str, metric: str) -> None:
    share = "95.98" if METRICS[metric].is_share else "3.40"
    published = st.text_input(
        "Published figure",
        placeholder=f"such as {share}",
        help="Lists the conventions that give this figure, rounded as it is printed, and the steps that lead to it",
        key="why_published",
        width=220,
    )
    try:
        explained = explain_figure(_rescored(run, parser, metric), published.strip() or None)
    except EvaltoolsError as error:
        show_blocks(note(f"{error}."), key="why_error")
        return
    show_section(run, why_blocks(explained), "why_blocks")
