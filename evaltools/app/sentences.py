"""Lists of sentences: filters, the table, its pages, and what is saved or scored of a part of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from evaltools.app.session import data, library, state
from evaltools.app.significance import class_mask, comparisons, pair_named
from evaltools.app.widgets.pickers import Values, control_widget, group_mask, group_pickers, menu, option_of, toggle
from evaltools.app.widgets.saving import save_table
from evaltools.app.widgets.tables import ROW_HEIGHT, key_of, number_format, rows_to_click, table_height, with_signs
from evaltools.errors import ParameterError
from evaltools.frameworks.framework import ErrorTypes
from evaltools.frameworks.metric import Metric, hint
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.stored import file_of
from evaltools.progress import Progress
from evaltools.runs.sentences import OVER
from evaltools.runs.store import Run
from evaltools.runs.subset import subset
from evaltools.text import column_format


@dataclass(frozen=True)
class Filter:
    """One condition on sentences."""

    description: str
    keep: NDArray[np.bool_]  # Mask of the sentences that fulfill it

    @classmethod
    def of_numbers(cls, description: str, numbers: Sequence[int], n_sentences: int) -> Filter:
        """Return the filter that keeps the sentences with these numbers."""
        return cls(description, np.isin(np.arange(1, n_sentences + 1), numbers))


@data.cached_by_run(16)
def _with_type(run: Run, parser: str, rules: str, title: str, _types: ErrorTypes) -> list[int]:
    """Return the sentences in which a parser has an error of a type."""
    steps = _types.steps(run, parser, rules)
    return list(steps.loc[steps["type"] == title, "sentence"])


_STATUSES = {
    "": "any",
    "ok": "same tokens",
    "words_differ": "tokens differ",
    "missing": "no parse",
    "left_out": "left out",
}
_FOLDED = tuple(name for name in state.FILTERS if name not in ("q", "regex", "class", "length", "key"))
"""The filters behind the button *More filters*."""
_NUMBER_WIDTH = 96


def reset_filters() -> None:
    """Remove all filters from the URL."""
    state.put(**dict.fromkeys(state.FILTERS))


def sentence_filters(run: Run, parser: str, metric: str, marked: Sequence[int]) -> list[Filter]:
    """Draw the filters and return those in use."""
    types, label_noun = run.framework.figures.error_types, run.framework.nouns.label
    used = sum(bool(state.get(name)) for name in _FOLDED)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="sentence_filters"):
        search = st.text_input("Text", placeholder="search words", **state.bind("q", state.get("q"), ""))
        length = length_filter(run, parser)
        regex = toggle("regular expression", "regex")
        with st.popover(f"More filters ({used} in use)" if used else "More filters", icon=":material/filter_list:"):
            labels = {"": "any"} | {label: label for label in run.meta["labels"]}
            label = menu(f"{label_noun.capitalize()}, in either tree", labels, name="label")
            if types is not None:
                titles = {"": "any", **types.titles(option_of(types.rules))}
                error_type = menu("Error type", titles, name="error", help=f"after {types.citation}")
                rules = str(control_widget(types.rules))
            group = group_pickers(run)
            status = menu("Status", _STATUSES, name="status")
            differ = toggle("parsers differ (not the same score for all)", "differ")
            only_marked = toggle("bookmarked only", "marked")
    filters = [_chosen_class(run, metric), _searched(run, search, regex) if search else None]
    if label:
        filters.append(Filter(f"{label_noun} {label}", data.with_label(run, parser, label)))
    filters.append(length)
    if types is not None and error_type:
        numbers = _with_type(run, parser, rules, titles[error_type], types)
        filters.append(Filter.of_numbers(f"error type {titles[error_type]}", numbers, run.n_sentences))
    if group is not None:
        filters.append(Filter(str(group), group_mask(run, group)))
    if status:
        filters.append(Filter(_STATUSES[status], data.facts(run, parser).has_status(status)))
    if differ:
        filters.append(Filter("parsers differ", data.differing(run, metric)))
    if only_marked:
        filters.append(Filter.of_numbers("bookmarked", marked, run.n_sentences))
    return [item for item in filters if item is not None]


def length_filter(run: Run, parser: str, also: Values = MappingProxyType({}), *, default: str = "~") -> Filter | None:
    """Let the reader choose the minimum and maximum number of words; None if all lengths are shown.

    `default`: what is chosen without the URL, such as ``"8~"`` for at least 8 words.
    """
    words = data.facts(run, parser).words
    longest = int(words.max(initial=0))
    ends = state.get("length", default).split("~")
    limits = [_whole(text, longest) for text in (ends if len(ends) == 2 else ("", ""))]
    low, high = limits if None in limits else sorted(limits, key=lambda limit: limit or 0)
    fields = {"length_from": ("Min. words", "0", low), "length_to": ("Max. words", str(longest), high)}

    def changed() -> None:
        texts = ["" if st.session_state[key] is None else str(st.session_state[key]) for key in fields]
        chosen = "~".join(texts)
        state.put(length=None if chosen == default else chosen, **also)

    for key, (label, placeholder, limit) in fields.items():
        st.session_state[key] = limit
        st.number_input(
            label,
            min_value=0,
            max_value=max(longest, 1),
            step=1,
            value=None,
            placeholder=placeholder,
            width=_NUMBER_WIDTH,
            key=key,
            on_change=changed,
        )
    if low is None and high is None:
        return None
    if low is not None and high is not None:
        text = f"{low:,} to {high:,} words"
    else:
        text = f"at least {low:,} words" if low is not None else f"at most {high:,} words"
    return Filter(text, (words >= (low or 0)) & (words <= (longest if high is None else high)))


def _whole(text: str, high: int) -> int | None:
    """Return a whole number of the URL, at most `high`; None for any other text."""
    try:
        return min(max(int(float(text)), 0), high)
    except (ValueError, OverflowError):
        return None


def _searched(run: Run, search: str, regex: bool) -> Filter | None:
    """Return the filter by a text or a regular expression; None, with an explanation, if that is invalid."""
    try:
        keep = data.with_text(run, search, regex=regex)
    except ParameterError as error:
        st.error("Invalid regular expression; this filter is ignored.")
        st.code(str(error), language=None, wrap_lines=True)
        return None
    return Filter(f"text matches {search}" if regex else f"text contains “{search}”", keep)


def _chosen_class(run: Run, metric: str) -> Filter | None:
    """Return the filter by a class of sentences of *Significance*, which only links set."""
    name = state.get("class")
    if not name:
        return None
    over = state.get("over", run.default_over)
    over = over if over in OVER else run.default_over
    figure = "mean" if state.get("average") == "mean" else "pooled"
    pair = pair_named(comparisons(run, metric, figure, over), state.get("pair"))
    titled_mask = None if pair is None else class_mask(run, pair, over, name)
    if pair is None or titled_mask is None:
        return None
    title, mask = titled_mask
    return Filter(f"{title} (where {pair.parser_a} and {pair.parser_b} are compared)", mask)


def open_part(run: Run, sentences: list[int]) -> None:
    """Write some sentences as a run in the background; the sidebar opens it when it is there."""

    def work(progress: Progress, folder: Path) -> Run:
        return subset(run, sentences, folder, progress=progress)

    library.begin(f"{len(sentences)} of {run.path.name}", work)


_MAX_SENTENCES = 100_000
"""Maximum number of sentences in a download."""


def subset_downloads(run: Run, parser: str, shown: NDArray[np.int32]) -> None:
    """Offer the trees or graphs of the shown sentences, and a run of them."""
    sentences = shown[:_MAX_SENTENCES].tolist()
    ending, noun = run.framework.nouns.file, run.framework.nouns.tree

    def trees(source: str | None) -> bytes:
        return file_of(run, source, sentences)[0].encode("utf-8", "surrogatepass")

    with st.popover("Download", icon=":material/download:"):
        first = f"first {_MAX_SENTENCES:,} of the " if len(shown) > _MAX_SENTENCES else ""
        st.text(f"The {first}{len(shown):,} sentences shown, in this order")
        for label, source, name in (("Gold", None, "gold"), ("Parser’s", parser, "parser")):
            file = f"{name}.{ending}"
            make = partial(trees, source)
            st.download_button(
                f"{label} {noun}s", make, file, "text/plain", key=f"subset_{name}", on_click="ignore", width="stretch"
            )
        st.button(
            "Open as a run",
            key="subset_run",
            width="stretch",
            on_click=open_part,
            args=(run, sentences),
            help="with all parsers, in the order of this run; sentences keep their numbers",
        )


MAX_LISTED = 5_000
"""Maximum number of rows of a list."""
_MAX_HEIGHT_ROWS = 12
_BAR = "_bar"
"""Ends the name of the column of bars: a column of bars cannot show a dash for a missing score."""
_STATUS = {"ok": "", "missing": "no parse", "words_differ": "tokens differ", "left_out": "left out"}


def score_format(metric: Metric, scores: pd.Series[Any]) -> str:
    """Return the format of a column of sentence scores."""
    return column_format() if metric.is_share else number_format(scores, decimals=2)


def rank_difference_column(differences: pd.Series[float], hint: str) -> Any:
    """Return the column of differences of ranks; ties share the mean of their ranks, which may lie between two."""
    form = number_format(differences, signed=True)
    return st.column_config.NumberColumn("Rank difference", help=hint, format=form, width=110)


def sentence_list(
    rows: pd.DataFrame,
    *,
    key: str,
    metrics: Sequence[str],
    caption: str,
    leading: Mapping[str, Any] = MappingProxyType({}),
    extra: Mapping[str, Any] = MappingProxyType({}),
    selected: int | None = None,
    n_visible: int = _MAX_HEIGHT_ROWS,
    foot: DeltaGenerator | None = None,
) -> None:
    """Show sentences; selecting a row writes the sentence to the URL.

    Columns of `leading` are beside the length, those of `extra` beside the scores; files are offered in `foot`.
    """
    sentences = rows["sentence"].to_numpy(dtype=np.int64)
    first, bar = metrics[0], metrics[0] + _BAR
    status = rows["status"].map(_STATUS)
    status = status.mask((status == "") & rows[first].isna(), "nothing to count")
    shown = rows.assign(**{name: 100 * rows[name] for name in metrics if METRICS[name].is_share})
    shown = shown.assign(status=status, **{bar: shown[first]})
    columns = ["sentence", "words", *leading, first, bar, *metrics[1:], *extra, "text"]
    frame = shown[columns + (["status"] if (status != "").any() else [])]
    configuration = _configuration(frame, metrics) | dict(leading) | dict(extra)
    written, written_configuration = with_signs(frame, configuration)
    half_a_row = ROW_HEIGHT // 2 if len(frame) > n_visible else 0
    rows_to_click(
        written,
        written_configuration,
        lambda row: state.put(sentence=int(sentences[row])),
        key=key_of(key, sentences.tobytes() + "|".join(metrics).encode()),
        chosen=next(iter(np.flatnonzero(sentences == selected).tolist()), None),
        height=table_height(min(max(len(frame), 1), n_visible)) - half_a_row,
    )
    titles = {name: str(column.get("label") or name) for name, column in configuration.items()}
    titles |= {metric: METRICS[metric].title for metric in metrics} | {"text": "Text"}

    with foot or st.container():
        save_table(lambda: frame.drop(columns=bar).rename(columns=titles), key, caption, decimals=2)


def _configuration(frame: pd.DataFrame, metrics: Sequence[str]) -> dict[str, Any]:
    configuration: dict[str, Any] = {
        "sentence": st.column_config.NumberColumn("Sentence", format="%i", width=70),  # a name: without commas
        "words": st.column_config.NumberColumn("Words", format="%d", width=60),
        "status": st.column_config.TextColumn("Status", width=110),
        "text": st.column_config.TextColumn("Text"),
    }
    for metric in metrics:
        item = METRICS[metric]
        configuration[metric] = st.column_config.NumberColumn(
            item.short, help=hint(item), format=score_format(item, frame[metric]), width=112
        )
    scores = frame[metrics[0]]
    maximum = 100.0
    if not METRICS[metrics[0]].is_share:
        maximum = 1.0 if scores.isna().all() else max(float(scores.max()), 1.0)
    configuration[metrics[0] + _BAR] = st.column_config.ProgressColumn(
        " ", format=" ", min_value=0.0, max_value=maximum, width=54
    )
    return configuration


def absent_sentence(run: Run, listed: NDArray[np.int32], reasons: Callable[[int], str]) -> str:
    """Return why the sentence of the URL is not in a list; empty if it is, or if the URL has none."""
    number = state.get_number("sentence", 0, 0, 2**31 - 1)
    if not 1 <= number <= run.n_sentences or (listed == number).any():
        return ""
    return f"Sentence {number:,} is not listed; {reasons(number)}. The first of the list is shown."
