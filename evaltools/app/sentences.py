"""Lists of sentences: filters, the table, its pages, and what is saved or scored of a part of them."""

from __future__ import annotations

import io
import tempfile
import zipfile
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
from evaltools.frameworks.framework import ErrorTypes, types_of_sentences
from evaltools.frameworks.metric import Metric, hint
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.stored import file_of
from evaltools.outputs.tables import csv_text
from evaltools.progress import Progress
from evaltools.runs.notes import Note, Notes
from evaltools.runs.sentences import OVER, rows_of
from evaltools.runs.store import Run
from evaltools.runs.subset import subset
from evaltools.text import column_format, significant

Types = Mapping[int, Mapping[str, int]]
"""For a sentence, how many wrong brackets each error type explains; sentences without errors are absent."""


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
def _types_of(run: Run, parser: str, rules: str, _types: ErrorTypes) -> Types:
    return types_of_sentences(_types.steps(run, parser, rules))


def error_types(run: Run, parser: str) -> tuple[Types | None, list[Filter]]:
    """Return the error types of a parser's sentences, None unless requested; and the filter by them, if in use."""
    kinds, name = run.framework.figures.error_types, state.get("error")
    title = kinds.titles(option_of(kinds.rules)).get(name, "") if kinds is not None and name else ""
    if kinds is None or not (title or state.get("types") == "1"):
        return None, []
    types = _types_of(run, parser, option_of(kinds.rules), kinds)
    numbers = [number for number, own in types.items() if title in own]
    return types, [Filter.of_numbers(f"error type {title}", numbers, run.n_sentences)] if title else []


def types_in_words(types: Types, sentence: int) -> str:
    """Return the error types of a sentence in words."""
    return ", ".join(f"{name} {number}" for name, number in types.get(sentence, {}).items())


_STATUSES = {
    "": "any",
    "ok": "same tokens",
    "words_differ": "tokens differ",
    "missing": "no parse",
    "left_out": "left out",
}
_FOLDED = tuple(name for name in state.FILTERS if name not in ("q", "regex", "class", "length", "key"))
"""The filters behind the button *More filters*."""
_ROUNDING = 1e-9
_NUMBER_WIDTH = 96


def reset_filters() -> None:
    """Remove all filters from the URL."""
    state.put(**dict.fromkeys(state.FILTERS))


def sentence_filters(run: Run, parser: str, metric: str, marked: Sequence[int]) -> list[Filter]:
    """Draw the filters and return those in use, except the one by error type, which depends on the others."""
    types, label_noun = run.framework.figures.error_types, run.framework.nouns.label
    used = sum(bool(state.get(name)) for name in _FOLDED)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="sentence_filters"):
        search = _text("q", "Text", "search words")
        length = length_filter(run, parser)
        regex = toggle("regular expression", "regex")
        if types is not None:
            toggle("error types", "types", help=f"types of errors of each parse (after {types.citation})")
        with st.popover(f"More filters ({used} in use)" if used else "More filters", icon=":material/filter_list:"):
            word = _text("word", "Word", "one whole word").strip()
            labels = {"": "any"} | {label: label for label in run.meta["labels"]}
            label = menu(f"{label_noun.capitalize()}, in either tree", labels, name="label")
            score = _score_filter(run, parser, METRICS[metric])
            if types is not None:
                menu("Error type", {"": "any", **types.titles(option_of(types.rules))}, name="error")
                control_widget(types.rules)
            group = group_pickers(run)
            status = menu("Status", _STATUSES, name="status")
            differ = toggle("parsers differ (not the same score for all)", "differ")
            only_marked = toggle("bookmarked only", "marked")
    filters = [_chosen_class(run, metric), _searched(run, search, regex) if search else None]
    if word:
        filters.append(Filter(f"word “{word}”", data.with_text(run, word, word=True)))
    if label:
        filters.append(Filter(f"{label_noun} {label}", data.with_label(run, parser, label)))
    filters += [length, score]
    if group is not None:
        filters.append(Filter(str(group), group_mask(run, group)))
    if status:
        filters.append(Filter(_STATUSES[status], data.facts(run, parser).has_status(status)))
    if differ:
        filters.append(Filter("parsers differ", data.differing(run, metric)))
    if only_marked:
        filters.append(Filter.of_numbers("bookmarked", marked, run.n_sentences))
    return [item for item in filters if item is not None]


def _text(name: str, label: str, placeholder: str) -> str:
    return str(st.text_input(label, placeholder=placeholder, **state.bind(name, state.get(name), "")) or "")


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


def search_matches(run: Run, sentences: NDArray[np.int32]) -> list[tuple[str, str, str]] | None:
    """Return the texts of sentences cut at what is searched for; None if nothing is."""
    search, word = state.get("q"), state.get("word").strip()
    if not (search or word):
        return None
    regex = bool(search) and state.get("regex") == "1"
    try:
        return data.matches(run, sentences, search or word, regex=regex, word=not search)
    except ParameterError:  # an invalid expression, which the filter explains
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


def _score_filter(run: Run, parser: str, metric: Metric) -> Filter | None:
    """Let the reader choose a range of scores, of shares in percent; None while it leaves everything in."""
    scale, sign = (100, "%") if metric.is_share else (1, "")
    scores = scale * data.scores(run, parser, metric.id)
    low = high = 0.0
    if not np.isnan(scores).all():
        low, high = float(np.nanmin(scores)), float(np.nanmax(scores))
    limits = (min(0.0, float(np.floor(low / 10)) * 10), 100.0) if metric.is_share else (0.0, high)
    if limits[1] <= limits[0]:
        return None
    first, _, last = state.get("score").partition("~")
    try:
        ends = np.sort(np.clip([float(first), float(last)], *limits)).tolist()
    except ValueError:
        ends = []
    value = (ends[0], ends[1]) if np.isfinite(ends).all() and ends else limits
    bound = state.bind("score", value, limits, write=lambda ends: "~".join(map(significant, ends)))
    low, high = st.slider(metric.title, *limits, step=1.0, format=column_format(0, sign=sign), **bound)
    if (low, high) == limits:
        return None
    text = f"{metric.title} from {significant(low)} to {significant(high)} {sign}".rstrip()
    return Filter(text, (scores >= low - _ROUNDING) & (scores <= high + _ROUNDING))


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


def zipped_part(run: Run, sentences: list[int], name: str) -> bytes:
    """Return some sentences as a run folder in a ZIP file."""
    buffer = io.BytesIO()
    with tempfile.TemporaryDirectory(prefix="evaltools-") as temporary:
        part = subset(run, sentences, Path(temporary) / "run")
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:  # the tables are compressed
            for file in sorted(part.path.rglob("*")):
                if file.is_file():
                    archive.write(file, f"{name}/{file.relative_to(part.path).as_posix()}")
    return buffer.getvalue()


_MAX_SENTENCES = 100_000
"""Maximum number of sentences in a download."""


def subset_downloads(run: Run, parser: str, shown: NDArray[np.int32], types: Types | None = None) -> None:
    """Offer the shown sentences for download; the table with error types if there are some."""
    sentences = shown[:_MAX_SENTENCES].tolist()
    name = f"{len(sentences)} of {run.path.name}"

    def trees(source: str | None) -> bytes:
        return file_of(run, source, sentences)[0].encode("utf-8", "surrogatepass")

    ending, noun = run.framework.nouns.file, run.framework.nouns.tree
    files = (
        ("Table (CSV)", partial(_table, run, parser, sentences, types), "sentences.csv", "text/csv", "csv", None),
        (f"Gold {noun}s", partial(trees, None), f"gold.{ending}", "text/plain", f"gold.{ending}", None),
        (f"Parser’s {noun}s", partial(trees, parser), f"parser.{ending}", "text/plain", f"parser.{ending}", None),
        (
            "Run (ZIP)",
            partial(zipped_part, run, sentences, name),
            f"{name}.zip",
            "application/zip",
            "zip",
            "a run folder with these sentences and all parsers",
        ),
    )
    with st.popover("Download", icon=":material/download:"):
        first = f"first {_MAX_SENTENCES:,} of the " if len(shown) > _MAX_SENTENCES else ""
        st.text(f"The {first}{len(shown):,} sentences shown, in this order")
        for label, make, file, mime, key, help_text in files:
            st.download_button(
                label, make, file, mime, key=f"subset_{key}", help=help_text, on_click="ignore", width="stretch"
            )
        st.button(
            "Open as a run",
            key="subset_run",
            width="stretch",
            on_click=open_part,
            args=(run, sentences),
            help="with all parsers, in the order of this run; sentences keep their numbers",
        )


def _table(run: Run, parser: str, sentences: list[int], types: Types | None) -> bytes:
    kept = Notes(run).all()
    notes = [kept.get(number, Note()) for number in sentences]
    rows = rows_of(run, parser, sentences, run.metrics)
    if types is not None:
        rows = rows.assign(error_types=[types_in_words(types, number) for number in sentences])
    rows = rows.assign(marked=[item.marked for item in notes], note=[item.text for item in notes])
    rows.insert(0, "parser", parser)
    return csv_text(rows).encode("utf-8")


MAX_LISTED = 5_000
"""Maximum number of rows of a list."""
_MAX_HEIGHT_ROWS = 12
_BEFORE, _AFTER = 24, 240
"""Number of characters shown before and after the match of a search."""
_BAR = "_bar"
"""Ends the name of the column of bars: a column of bars cannot show a dash for a missing score."""
_MATCH_WIDTHS = (96, 230)
"""Least and largest width of the column of matches, in pixels."""
_TEXTS = ("before", "match", "after")
"""The columns of a concordance: the text before what is searched for, the match, the text after it."""
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
    matches: Sequence[tuple[str, str, str]] | None = None,
    selected: int | None = None,
    n_visible: int = _MAX_HEIGHT_ROWS,
    foot: DeltaGenerator | None = None,
) -> None:
    """Show sentences; selecting a row writes the sentence to the URL.

    Columns of `leading` are beside the length, those of `extra` beside the scores; `matches` are the texts cut at what
    is searched for; files are offered in `foot`.
    """
    sentences = rows["sentence"].to_numpy(dtype=np.int64)
    first, bar = metrics[0], metrics[0] + _BAR
    status = rows["status"].map(_STATUS)
    status = status.mask((status == "") & rows[first].isna(), "nothing to count")
    shown = rows.assign(**{name: 100 * rows[name] for name in metrics if METRICS[name].is_share})
    shown = shown.assign(status=status, **{bar: shown[first]})
    columns = ["sentence", "words", *leading, first, bar, *metrics[1:], *extra, "text"]
    if matches is not None:  # the match is in view on a small screen
        shown = shown.assign(**_around(matches))
        columns = ["sentence", "words", *leading, first, *_TEXTS, bar, *metrics[1:], *extra]
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

    def printed() -> pd.DataFrame:
        kept = [name for name in frame.columns if name not in (bar, *(_TEXTS if matches is not None else ()))]
        texts = [] if matches is None else ["text"]
        return shown[kept + texts].rename(columns=titles)

    with foot or st.container():
        save_table(printed, key, caption, decimals=2)


def _around(matches: Sequence[tuple[str, str, str]]) -> dict[str, list[Any]]:
    """Return the columns of a concordance."""
    rows = []
    for before, match, after in matches:
        inner = match.strip()
        start = match.find(inner) if inner else 0
        before, after = (before + match[:start]).strip(), (match[start + len(inner) :] + after).strip()
        if len(before) > _BEFORE:
            before = "… " + before[-_BEFORE:].partition(" ")[2]
        if len(after) > _AFTER:
            after = after[:_AFTER].rpartition(" ")[0] + " …"
        rows.append((before, [inner] if inner else [], after))
    return {name: [row[index] for row in rows] for index, name in enumerate(_TEXTS)}


def _configuration(frame: pd.DataFrame, metrics: Sequence[str]) -> dict[str, Any]:
    configuration: dict[str, Any] = {
        "sentence": st.column_config.NumberColumn("Sentence", format="%i", width=70),  # a name: without commas
        "words": st.column_config.NumberColumn("Words", format="%d", width=60),
        "status": st.column_config.TextColumn("Status", width=110),
        "text": st.column_config.TextColumn("Text"),
    }
    if "match" in frame:
        found = sorted({item for items in frame["match"] for item in items})
        width = min(max(_MATCH_WIDTHS[0], 36 + 8 * max(map(len, found), default=0)), _MATCH_WIDTHS[1])
        configuration |= {
            "before": st.column_config.TextColumn("Before", alignment="right", width=190),
            "match": st.column_config.MultiselectColumn("Match", options=found, color="yellow", width=width),
            "after": st.column_config.TextColumn("After", width=300 + _MATCH_WIDTHS[0] - width),
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
