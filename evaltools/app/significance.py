"""Differences between parsers: whether they are significant, and the sentences behind them."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from evaltools.analysis.comparison import PairFindings, carriers, look_into
from evaltools.analysis.contributions import ERRORS
from evaltools.analysis.significance import Comparison
from evaltools.analysis.standing import Standing
from evaltools.app.components.blocks import show_blocks
from evaltools.app.session import data, state
from evaltools.app.session.data import cached_by_run
from evaltools.app.widgets.pickers import folded, option_of, switch
from evaltools.app.widgets.tables import choice_name, choice_table, columns_of, show_table
from evaltools.blocks import answer, note
from evaltools.frameworks.figures import AVERAGES, figure_over
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.comparison import class_table, effect_in_words, pair_in_words
from evaltools.outputs.sections import pairs_table, tested_in_words
from evaltools.runs.store import Run
from evaltools.runs.sums import MAX_SINGLE
from evaltools.text import percentage


def comparisons(
    run: Run, metric: str, figure: str = "pooled", over: str = "scored", cluster: str = ""
) -> list[Comparison]:
    """Return every two parsers that have a figure, compared over the sentences that both have."""
    # In each pair, and among the pairs, better parsers come first.
    return list(data.standing(run, metric, figure_over(figure, over), cluster).comparisons)


def findings(run: Run, pair: Comparison, over: str = "scored", *, errors: bool = False) -> PairFindings:
    """Return the effect size of a difference, and the contributions of the sentences to it, also by error types."""
    types = run.framework.figures.error_types
    rules = option_of(types.rules) if errors and types is not None else ""
    return _findings(run, pair.parser_a, pair.parser_b, pair.metric, pair.figure, over, pair.cluster, rules)


@cached_by_run(32, "Analyzing the difference …")
def _findings(
    run: Run, parser_a: str, parser_b: str, metric: str, figure: str, over: str, cluster: str, rules: str
) -> PairFindings:
    pairs = comparisons(run, metric, figure, over, cluster)
    pair = next(pair for pair in pairs if {pair.parser_a, pair.parser_b} == {parser_a, parser_b})
    types = run.framework.figures.error_types if rules else None
    steps = [] if types is None else [types.steps(run, parser, rules) for parser in (parser_a, parser_b)]
    return look_into(run, pair if pair.parser_a == parser_a else pair.turned(), over=over, steps=steps)


def pair_named(pairs: list[Comparison], name: str) -> Comparison | None:
    """Return the pair that the URL names, in either order; None if there is none."""
    for pair in pairs:
        if name in (choice_name((pair.parser_a, pair.parser_b)), choice_name((pair.parser_b, pair.parser_a))):
            return pair
    return None


def class_mask(run: Run, pair: Comparison, over: str, name: str) -> tuple[str, NDArray[np.bool_]] | None:
    """Return the title of a class and a mask of its sentences; None for an unknown class."""
    errors = name.startswith(choice_name(("error", "")))
    for family in findings(run, pair, over, errors=errors).families:
        for index, class_name in enumerate(family.names):
            if name == choice_name((family.id, class_name)):
                return f"{family.title}: {class_name}", family.mask(index)
    return None


def significance_table(run: Run, standing: Standing, rules: str) -> None:
    """Show every pair, with no choice among them."""
    if not standing.comparisons:
        show_blocks(note("This needs two parsers with a figure."), key="pairs_none")
        return
    caption = f"{_about(standing.comparisons[0])}: every two parsers.\n{run.signature}{rules}"
    show_table(pairs_table(standing), f"pairs_{standing.metric}", caption, decimals=4)
    show_blocks(note(tested_in_words(standing)), key="pairs_note")


def _difference_view(run: Run, found: PairFindings, over: str) -> None:
    """Show the classes of one family, and a link to the sentences of the chosen one."""
    pair = found.comparison
    titles = {family.id: family.title for family in found.families if (found.classes["family"] == family.id).any()}
    if not titles or math.isnan(pair.difference):
        return
    titles |= {"error": ERRORS} if run.framework.figures.error_types is not None else {}
    st.markdown("**Where the difference comes from**")
    family = switch("Sentences by", titles, name="by")
    if family == "error":
        found = findings(run, pair, over, errors=True)
    rows = carriers(found.classes)
    shown_rows = rows[rows["family"] == family].reset_index(drop=True)
    if shown_rows.empty:
        show_blocks(note("Neither parse of these sentences has an error."), key="classes_none")
        return
    show_blocks(answer(_summary(found, shown_rows)), key="classes_answer")
    _link(run, found, shown_rows.iloc[_table(run, found, shown_rows)], over)


def _summary(found: PairFindings, rows: pd.DataFrame) -> str:
    """Name the class that is most over-represented in the difference."""
    difference = found.comparison.difference
    overlap = bool(rows["overlap"].iloc[0])
    adds = (
        "A sentence can have several; the sentences with and without one add up to the difference. " if overlap else ""
    )
    if abs(difference) < 1e-12 or rows["family"].iloc[0] == "better":
        return f"{adds}The contributions of the classes add up to the difference." if not overlap else adds.strip()
    item = rows.iloc[int(rows["excess"].to_numpy().argmax())]
    if item["excess"] < 0.005 * abs(difference):
        return f"{adds}Every class contributes about as much as its share of the denominator."
    share = "all of it and more" if math.isnan(item["share"]) else f"{percentage(item['share'])} of the difference"
    return (
        f"{adds}Over-represented: {item['name']}, {share} with {percentage(item['weight'])} of the denominator, in "
        f"{int(item['sentences']):,} sentences."
    )


def _table(run: Run, found: PairFindings, rows: pd.DataFrame) -> int:
    """Show classes, and return the index of the chosen one."""
    pair = found.comparison
    table = class_table(rows, METRICS[pair.metric], (pair.parser_a, pair.parser_b))
    of = f"{pair.parser_a} minus {pair.parser_b}, {METRICS[pair.metric].title}"
    return choice_table(
        table.frame(titled=False).assign(family=rows["family"]),
        ("family", "name"),
        key="carriers",
        name="carrier",
        columns={name: column for name, column in columns_of(table).items() if name not in ("value", "other_value")},
        caption=f"Contributions of classes of sentences to {of}.\n{run.signature}",
    )


def _link(run: Run, found: PairFindings, row: pd.Series, over: str) -> None:
    """Link to the sentences of a class."""
    pair = found.comparison
    query = state.link(
        **{
            "parser": pair.parser_b,
            "metric": pair.metric,
            "pair": choice_name((pair.parser_a, pair.parser_b)),
            "class": choice_name((row["family"], row["name"])),
            "over": None if over == run.default_over else over,
            "average": "mean" if pair.figure == "mean" else None,
        }
    )
    count = int(row["sentences"])
    st.page_link(
        "pages/worst_parses.py",
        label=f"{'This sentence' if count == 1 else f'These {count:,} sentences'} in Worst parses",
        icon=":material/arrow_forward:",
        query_params=query,
    )
    difference = METRICS[pair.metric].text(pair.difference)
    show_blocks(note(f"The whole difference is {difference}."), key="classes_whole")


def significance(run: Run, metric: str, *, figure: str = "pooled", over: str = "scored", cluster: str = "") -> None:
    """Show every difference, and the pair that is chosen; with `cluster`, documents are drawn as a whole."""
    standing = data.standing(run, metric, figure_over(figure, over), cluster)
    pairs = list(standing.comparisons)
    if not pairs:
        show_blocks(note("This needs two parsers with a figure."), key="pairs_alone")
        return
    chosen = pair_named(pairs, state.get("pair"))
    pair = chosen or pairs[0]
    _overall_table(run, standing)
    show_blocks(answer(pair_in_words(pair, run.n_counted, len(pairs))), key="pair_words")
    if run.n_sentences > MAX_SINGLE and chosen is None:
        st.button(
            "Analyze this difference",
            key="pair_look",
            on_click=lambda: state.put(pair=choice_name((pair.parser_a, pair.parser_b))),
        )
        return
    looks_inside = any(state.get(name) for name in ("pair", "by", "carrier"))
    section = folded("Effect size, and where the difference comes from", "pair", default=looks_inside)
    if section is not None:
        with section:
            detail = findings(run, pair, over)
            show_blocks(*map(note, effect_in_words(detail)), key="pair_effect")
            _difference_view(run, detail, over)


def _overall_table(run: Run, standing: Standing) -> None:
    pairs = list(standing.comparisons)
    chosen = pair_named(pairs, state.get("pair"))
    if chosen is not None and choice_name((chosen.parser_b, chosen.parser_a)) == state.get("pair"):
        state.put(pair=choice_name((chosen.parser_a, chosen.parser_b)))
    table = pairs_table(standing)
    choice_table(
        table.frame(titled=False),
        ("parser_a", "parser_b"),
        key="pairs",
        name="pair",
        columns=columns_of(table),
        also=("carrier",),
        caption=f"{_about(pairs[0])}: every two parsers.\n{run.signature}",
    )
    show_blocks(note(tested_in_words(standing)), key="pairs_note")


def _about(pair: Comparison) -> str:
    item = METRICS[pair.metric]
    return f"Differences by {item.title}, {AVERAGES[pair.figure]}{', in points' if item.is_share else ''}"
