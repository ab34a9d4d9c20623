"""Overview: the figures of the parsers, by every metric, and which differences are significant.

A click on a figure reruns the fragments that depend on it, and not the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from evaltools import analysis
from evaltools.analysis.costliest import leading_group
from evaltools.analysis.disagreement import MetricPair, describe_pair, most_different
from evaltools.analysis.leaderboard import FEW_UNITS, few_units, figures_by_group
from evaltools.analysis.summary import Summary
from evaltools.app.components.blocks import show_blocks
from evaltools.app.hotspots import agreed_line, part_of
from evaltools.app.leaderboard import leaderboard_table, nbest_lists
from evaltools.app.report import report, section, show_section
from evaltools.app.session import data, kernels, ranking, state
from evaltools.app.session.data import cached_by_run
from evaltools.app.session.fragments import page_fragment
from evaltools.app.significance import significance
from evaltools.app.widgets.pickers import (
    chosen_cluster,
    few,
    figure_switches,
    folded,
    key_picker,
    keys,
    metric_picker,
    over_units,
    units_picker,
)
from evaltools.app.widgets.saving import Origin, save_table
from evaltools.app.widgets.tables import heading_width, problems_table, text_width, with_signs
from evaltools.drawing.blocks import answer, facts, formulas, note
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.registry import COUNTS, METRICS
from evaltools.outputs.sections import SECTIONS, Block, costliest, findings, table_notes
from evaltools.outputs.summary import describe_incomplete
from evaltools.runs.metadata import plural_of
from evaltools.runs.store import Run
from evaltools.text import column_format, excerpt, number

_TABLE, _PANEL, _SECTIONS = "overview_table", "overview_panel", "overview_sections"
_DISTRIBUTION, _GROUPS, _ATTACHMENTS = "overview_distribution", "overview_by_group", "overview_attachments"
"""The fragments that depend on the chosen figure: opening one section draws no other."""
_SIGNIFICANCE = "significance"
_PLACED = (
    *("findings", "errors", "figures", "significance", "ranks", "distribution", "problems"),
    *("types", "hotspots", "worst"),
)
"""The sections of reports that have their place on this page, or a page of their own."""
_N_COLUMNS = 6
"""Metrics in the table by default, as many as the first answer of the command line has."""
_MAX_PAIRS = 6
"""Maximum number of pairs of parsers listed that swap ranks."""
_PROBLEM_WIDTHS = {
    **{"kind": 108, "parser": 150, "sentence": 72, "file": 154, "line": 48},
    **{"found": 244, "expected": 244},
}
"""Columns of the table of problems, in pixels."""
_RANKS = "See Significance for significant differences."


def render(run: Run) -> None:
    """Draw the page."""
    st.header("Overview", anchor=False)
    first = st.container(gap="xsmall")
    average, every, metrics = _controls(run)
    figure, cluster = average + ("_all" if every else ""), chosen_cluster(run)
    main = run.main_metric
    main = main if main in metrics else metrics[0]
    whole = report(run, metrics, figure, main, cluster)
    summary, compares = whole.summary, len(run.parsers) > 1
    with first:
        show_section(run, findings(whole).blocks, "verdict")
        if compares:
            st.markdown(f":small[[:material/arrow_downward: Significance of all differences](#{_SIGNIFICANCE})]")

    _table(run, summary)
    notes = [f"{METRICS[main].title}, {summary.base}. {_click(run)}", *table_notes(summary)]
    show_blocks(*map(note, (*notes, *describe_incomplete(run, metrics))), key="leaderboard_note")
    below = st.container(gap="xsmall")
    _panel(run, figure)
    if compares:
        _ranks(run, figure)
    nbest_lists(run, average)
    _significance(run, average, every=every)
    _distribution(run, figure)
    if keys(run):
        _groups(run, figure)
    if run.framework.has_attachments:
        _attachments(run)
    _more_sections(run, figure)
    _trouble(run)
    with below:  # last, because the rest of the page need not wait for it
        lead(run, summary.rows[0].parser, metrics)


def _chosen(run: Run) -> tuple[str, str]:
    """Return the parser and the metric of the URL, or the default ones."""
    metric = state.get("metric", run.main_metric)
    parser = state.get("parser", data.leader(run))
    return (
        parser if parser in run.parsers else run.parsers[0],
        metric if metric in run.metrics else run.main_metric,
    )


def _of_metric(run: Run) -> list[str]:
    """Return the fragments that depend on the chosen metric, but for the table, which shows which one that is."""
    return [_PANEL, _SECTIONS, _DISTRIBUTION, *([_GROUPS] if keys(run) else [])]


def _of_parser(run: Run) -> list[str]:
    """Return the fragments that depend on the chosen parser alone."""
    return [LEAD, *([_ATTACHMENTS] if run.framework.has_attachments else [])]


def _click(run: Run) -> str:
    """Describe what a click on a figure does, and what intervals are over."""
    cluster = chosen_cluster(run)
    over = f" {over_units(run, cluster)}" if cluster else ""
    text = f"Click a figure to see where it comes from, with its 95 % interval{over}."
    return " ".join(filter(None, [text, few(run, cluster)]))


@page_fragment(_TABLE)
def _table(run: Run, summary: Summary) -> None:
    """Draw the figures; one that is clicked is chosen."""
    parser, metric = _chosen(run)
    leaderboard_table(run, summary, parser=parser, metric=metric, fragments=(*_of_metric(run), *_of_parser(run)))


@page_fragment(_PANEL)
def _panel(run: Run, figure: str) -> None:
    """Explain the chosen figure."""
    cluster = chosen_cluster(run)
    board = report(run, [run.main_metric], figure, run.main_metric, cluster).board
    explanation(run, *_chosen(run), figure, board, over_units(run, cluster))


@page_fragment(_SECTIONS)
def _significance(run: Run, average: str, *, every: bool) -> None:
    """Let the reader choose the metric of all sections, and compare the parsers by it."""
    if len(run.parsers) > 1:
        st.subheader("Significance", anchor=_SIGNIFICANCE)
    with st.container(width=320):
        metric = metric_picker(run, fragments=(_TABLE, *_of_metric(run)))
    if len(run.parsers) > 1:
        significance(run, metric, figure=average, over="all" if every else "scored", cluster=chosen_cluster(run))


@page_fragment(_GROUPS)
def _groups(run: Run, figure: str) -> None:
    """Draw the figures of groups of sentences by the chosen metric."""
    metric = _chosen(run)[1]
    order = data.standing(run, metric, figure, chosen_cluster(run)).parsers
    groups_section(run, metric, figure, [*order, *(name for name in run.parsers if name not in order)])


@page_fragment(_ATTACHMENTS)
def _attachments(run: Run) -> None:
    """Draw where the words of the chosen parser are attached correctly."""
    attachments(run, _chosen(run)[0])


def _controls(run: Run) -> tuple[str, bool, list[str]]:
    """Let the reader choose figure, sentences and columns."""
    known = list(dict.fromkeys((*run.table_metrics, *run.metrics)))
    offered = run.table_metrics[:_N_COLUMNS]
    value = [metric for metric in state.get("columns").split(",") if metric in known]
    row = st.container(horizontal=True, vertical_alignment="bottom")
    with row:
        average, every = figure_switches(run)
        units_picker(run)
        with st.popover(f"Columns: {len(value or offered)} of {len(known)}"):
            columns = st.multiselect(
                "Metrics in the table",
                known,
                format_func=lambda one: METRICS[one].title,
                **state.bind("columns", value or offered, offered, write=",".join),
            )
    return average, every, [metric for metric in known if metric in columns] or offered


@page_fragment("overview_ranks")
def _ranks(run: Run, figure: str) -> None:
    """Draw the ranks under all variants, when the section is opened."""
    opened = folded("Ranks by metric variant", "ranks")
    if opened is not None:
        with opened:
            show_section(run, section(run, "ranks", figure, run.main_metric).blocks, "ranks")


@page_fragment(_DISTRIBUTION)
def _distribution(run: Run, figure: str) -> None:
    """Draw intervals, distribution and score by length under the chosen metric, when the section is opened."""
    opened = folded("Intervals, distribution of scores, score by sentence length", "distribution")
    if opened is not None:
        with opened:
            blocks = section(run, "distribution", figure, _chosen(run)[1], chosen_cluster(run)).blocks
            show_section(run, blocks, "distribution")


def _more_sections(run: Run, figure: str) -> None:
    """Show the sections of reports that have no place of their own, each when it is opened."""
    for name in SECTIONS:
        opened = None if name in _PLACED else folded(name.capitalize(), f"section_{name}")
        if opened is not None:
            with opened:
                blocks = section(run, name, figure, _chosen(run)[1], chosen_cluster(run)).blocks
                show_section(run, blocks, f"section_{name}")


def _trouble(run: Run) -> None:
    """List the problems of the files."""
    total, problems = data.problems(run)
    if not total:
        show_blocks(note("No problems were found in the files."), key="problems_note")
        return
    st.subheader(f"Problems in the files: {total:,}", anchor=False)
    rows = problems[list(_PROBLEM_WIDTHS)]
    problems_table(rows.assign(kind=rows["kind"].str.replace("_", " ")), _PROBLEM_WIDTHS, key="problems")
    save_table(rows, "problems", f"Problems in the files of the run.\n{run.signature}")
    if total > len(problems):
        show_blocks(note(f"The first {len(problems):,} are shown; the run's table has all."), key="problems_note")


_SHARES = {
    "recall": "Recall",
    "precision": "Precision",
    "f1": "F1",
    "uas_recall": "UAS rec.",
    "uas_precision": "UAS prec.",
    "las_recall": "LAS rec.",
    "las_precision": "LAS prec.",
}
_COUNTS = {"gold": "Gold", "test": "Test", "matched": "Right"}
_HEADS = {
    "root": "none: root",
    "1": "1 word away",
    "7–": "7 or more away",
    "left": "to the left",
    "right": "to the right",
}
_RELATIONS_HEIGHT = 320


@cached_by_run(16)
def _labels(run: Run, parser: str) -> pd.DataFrame:
    return run.labels(parser)


@cached_by_run(16)
def _attachment_blocks(run: Run, parser: str) -> pd.DataFrame:
    return run.attachments(parser)


def attachments(run: Run, parser: str) -> None:
    """Show tables of a parser's words."""
    st.subheader("Relations, distance and direction", anchor=False)
    with st.container(key="attachments_parser"):
        st.text(f"Words of {parser}, in sentences with the same tokens")
    left, right = st.columns(2, gap="medium")
    relations = _labels(run, parser).drop(columns=["parser", "labelled"]).rename(columns={"label": "relation"})
    with left:
        caption = f"Words of {parser} by relation; shares in percent.\n{run.signature}"
        _attachment_table(relations, "relations", {"relation": "Relation"}, _RELATIONS_HEIGHT, caption)
        show_blocks(
            note("Right: right head and this relation. Recall: of the gold words; precision: of the test words."),
            key="relations_note",
        )
    heads = _attachment_blocks(run, parser)
    heads = heads[(heads["by"] == "distance") | (heads["bin"] != "root")]
    titles = [_HEADS.get(name, f"{name} words away") for name in heads["bin"]]
    heads = heads.drop(columns=["parser", "by", "bin"])
    heads.insert(0, "head", titles)
    with right:
        caption = f"Words of {parser} by position of the head; shares in percent.\n{run.signature}"
        _attachment_table(heads, "attachments", {"head": "Head"}, None, caption)
        show_blocks(
            note("Recall: of the words whose gold head is there; precision: of the words whose test head is there."),
            key="attachments_note",
        )


def _attachment_table(rows: pd.DataFrame, key: str, texts: dict[str, str], height: int | None, caption: str) -> None:
    shares = [name for name in rows.columns if name in _SHARES]
    rows = rows.assign(**{name: rows[name] * 100 for name in shares})
    columns: dict[str, Any] = {name: st.column_config.TextColumn(title, width=106) for name, title in texts.items()}
    columns |= {name: st.column_config.NumberColumn(title, format="%d", width=60) for name, title in _COUNTS.items()}
    columns |= {
        name: st.column_config.NumberColumn(title, format=column_format(), width=73) for name, title in _SHARES.items()
    }
    st.dataframe(
        rows,
        hide_index=True,
        height=height or "content",
        column_config={name: item for name, item in columns.items() if name in rows},
        placeholder="–",
        key=key,
    )
    save_table(rows.rename(columns=texts | _COUNTS | _SHARES), key, caption, decimals=2)


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
            formula = item.formula if figure.startswith("pooled") else "sum of sentence scores / sentences with a score"
            heading = f"{item.title}: {parser}, {_FIGURE_NAMES[figure]}"
            counts = [
                (COUNTS[name].symbol, COUNTS[name].name, number(total)) for name, total in _counted(explained.counts)
            ]
            show_blocks(
                formulas([(item.title, formula, explained.numbers, written(explained.value))], heading),
                facts(counts, "Counts, summed over these sentences"),
                key="explanation_formula",
                origin=origin,
            )
            with st.container(horizontal=True):
                st.page_link(
                    "pages/worst_parses.py",
                    label="Worst parses by this metric",
                    icon=_ARROW,
                    query_params=state.link(parser=parser, metric=metric),
                )
                st.page_link(
                    "pages/hotspots.py",
                    label="Costliest errors of this parser",
                    icon=_ARROW,
                    query_params=state.link(parser=parser, other=None),
                )
        with right:
            figures = [
                (
                    name,
                    written(rows[key]).replace(" ", _NO_BREAK),
                    _between(item, rows[f"{key}_low"], rows[f"{key}_high"]),
                )
                for key, name in _FIGURE_NAMES.items()
            ]
            over = [("sentences", f"{explained.n:,} of {explained.sentences:,}", "")]
            differ = int(ranking.aligned(run, parser, metric).sum())
            if differ:
                over.append(("tokens differ", f"{differ:,}", item.where_words_differ))
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


def _counted(counts: Mapping[str, float]) -> list[tuple[str, float]]:
    """Return the counts without those that repeat another, and without groups of counts that are all 0."""
    used = {COUNTS[name].group for name, total in counts.items() if total}
    return [
        (name, total)
        for name, total in counts.items()
        if counts.get(COUNTS[name].repeats) != total and (not COUNTS[name].group or COUNTS[name].group in used)
    ]


def _between(metric: Metric, low: float, high: float) -> str:
    text = metric.text(low)
    return "" if text == "–" else f"{text} to {metric.text(high)}".replace(" ", _NO_BREAK)


_MAX_LETTERS = 20
"""Letters of a parser's name that a column of figures with intervals has room for."""


@cached_by_run(32, "Computing the figures of groups …")
def _figures(run: Run, by: str, metric: str, cluster: str) -> pd.DataFrame:
    return figures_by_group(run, by, [metric], cluster=cluster)


def groups_section(run: Run, metric: str, figure: str, order: list[str]) -> None:
    """Show the figures of all parsers by a column of the metadata; nothing if the run has none."""
    offered = keys(run)
    section = folded("Figures by genre, document or other metadata", "groups") if offered else None
    if section is None:
        return
    with section:
        with st.container(horizontal=True, vertical_alignment="bottom", key="overview_groups"):
            by = key_picker(run, "Group by", "none")
        _group_table(run, by, metric, figure, chosen_cluster(run), order)


def _group_table(run: Run, by: str, metric: str, figure: str, cluster: str, order: list[str]) -> None:
    item = METRICS[metric]
    rows = _figures(run, by, metric, cluster)
    drawn = plural_of(cluster) if cluster else "sentences"
    table: list[tuple[object, ...]] = []
    long_table: list[tuple[object, ...]] = []
    for start in range(0, len(rows), len(run.parsers)):
        own = rows.iloc[start : start + len(run.parsers)].set_index("parser")
        name = "all sentences" if start + len(run.parsers) >= len(rows) else str(own["group"].iloc[0])
        facts = name, int(own["sentences"].iloc[0]), int(own["units"].iloc[0])
        of_parsers = [own.loc[parser].to_dict() for parser in order]
        table.append((*facts, *(_cell(row, figure, item) for row in of_parsers)))
        long_table.append((*facts, *(_long_cell(row, figure, item) for row in of_parsers)))
    # names from data are titles, not names of columns: two may be the same
    titles = {"group": by or " ", "sentences": "Sentences", "units": drawn.capitalize()}
    titles |= {f"parser_{index}": parser for index, parser in enumerate(order)}
    frame, saved = (
        pd.DataFrame(listed, columns=list(titles)).drop(columns=[] if cluster else "units")
        for listed in (table, long_table)
    )
    columns: dict[str, Any] = {
        name: st.column_config.TextColumn(
            excerpt(titles[name], _MAX_LETTERS),
            help=titles[name] if len(titles[name]) > _MAX_LETTERS else None,
        )
        for name in frame.columns
    }
    columns["group"] = st.column_config.TextColumn(
        titles["group"], width=min(170, text_width(max(map(len, frame["group"])))), pinned=True
    )
    for name in ("sentences", "units"):
        columns[name] = st.column_config.NumberColumn(titles[name], format="%d", width=heading_width(titles[name]))
    written, columns = with_signs(frame, columns)
    st.dataframe(
        written,
        hide_index=True,
        row_height=30,
        height=min(34 + 30 * len(frame), 424),
        column_config=columns,
        key=f"groups_{by}_{metric}_{cluster}",
    )
    text = f"{item.title_with_unit}, with 95 % intervals from 1,000 resamples of {drawn}; "
    text += "n where not all sentences count."
    half = "± is half the interval; Save writes both ends."
    if cluster and (rows["units"] < FEW_UNITS).any():
        text += f" {few_units(drawn)}."
    show_blocks(note(f"{text} {half}"), key="groups_note")
    save_table(saved.rename(columns=titles), "groups", f"{text}\n{run.signature}")


def _cell(row: Mapping[Any, Any], figure: str, metric: Metric) -> str:
    """Return a figure with half its interval, and its number of sentences if not all of the group have it."""
    half = (row[f"{figure}_high"] - row[f"{figure}_low"]) / 2
    around = "" if half != half else f" ± {metric.text(half)}"
    return f"{metric.text(row[figure])}{around}{_n(row, figure)}"


def _long_cell(row: Mapping[Any, Any], figure: str, metric: Metric) -> str:
    """Return a figure with both ends of its interval, and its number of sentences as in `_cell`."""
    low, high = row[f"{figure}_low"], row[f"{figure}_high"]
    interval = "" if low != low else f" [{metric.text(low)}, {metric.text(high)}]"
    return f"{metric.text(row[figure])}{interval}{_n(row, figure)}"


def _n(row: Mapping[Any, Any], figure: str) -> str:
    return "" if row[f"n_{figure}"] == row["sentences"] else f" (n {int(row[f'n_{figure}']):,})"


LEAD = "overview_lead"
"""The fragment of the lines, which follow the parser of the URL."""

_MAX_RANKED = 20_000
"""Runs of up to so many sentences are ranked by every two metrics."""
_NOT_CARRIED: dict[str, None] = dict.fromkeys(("sentence", "box", "cell", "view", "group"))
"""What the URL may say of another page, and links from here leave out."""


@cached_by_run(64)
def _costliest(run: Run, parser: str) -> list[Block]:
    """Return the costliest errors of a parser as blocks of a report."""
    group = leading_group(run.framework.groups)
    return [] if group is None else costliest(group, part_of(run, run.n_sentences), parser)


@cached_by_run(32)
def _furthest(run: Run, parser: str, metrics: tuple[str, ...]) -> MetricPair | None:
    _, scores = ranking.read(run, parser, metrics)
    return most_different(dict(zip(metrics, scores, strict=True)), ranking.metric_distances(run, parser))


def lead(run: Run, leader: str, metrics: list[str]) -> None:
    """Show the lines of the URL's parser, or the leader; they wait for the kernels without holding up the page."""
    # the server loads the kernels after its first page, and repairs and rankings need them
    every = 0.7 if kernels.compiling() else None

    @st.fragment(run_every=every, key=LEAD)
    def lines() -> None:
        parser = state.get("parser", leader)
        parser = parser if parser in run.parsers else leader
        if kernels.compiling():
            show_blocks(note("Loading the kernels for error types and rankings …"), key="lead_waiting")
            return
        if every is not None:
            st.rerun()  # only a run of the page ends the repetition
        show_section(run, _costliest(run, parser), "lead_types")
        if len(metrics) > 1 and run.n_sentences <= _MAX_RANKED:
            _pair_line(run, parser, metrics)
        agreed_line(run, "lead")

    lines()


def _pair_line(run: Run, parser: str, metrics: list[str]) -> None:
    """Show which two metrics disagree most, with a link to their disagreement."""
    pair = _furthest(run, parser, tuple(metrics))
    if pair is None:
        return
    query = state.link(parser=parser, other=None, metric=pair.metric_a, metric2=pair.metric_b, **_NOT_CARRIED)
    with st.container(horizontal=True, vertical_alignment="center", key="lead_pair_row"):
        show_blocks(answer(describe_pair(pair, parser)), key="lead_pair")
        st.page_link("pages/disagreement.py", label="Disagreement", icon=_ARROW, query_params=query)
