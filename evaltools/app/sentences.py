"""Lists of sentences: how they are ranked, filtered, shown and saved, and what is scored of a part of them."""

from __future__ import annotations

import io
import tempfile
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from evaltools.app.session import data, library, ranking, state
from evaltools.app.significance import class_mask, comparisons, pair_named
from evaltools.app.widgets.pickers import Values, choice_picker, control_widget, group_mask, group_pickers, option_of
from evaltools.app.widgets.saving import save_table
from evaltools.app.widgets.tables import SELECTS, number_format, row_in, selection, with_signs
from evaltools.errors import ParameterError
from evaltools.frameworks.formulas import hint
from evaltools.frameworks.framework import ErrorTypes, types_of_sentences
from evaltools.frameworks.metric import Metric
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
"""For a sentence, how many wrong brackets each error type explains."""


@dataclass(frozen=True)
class Filter:
    """One condition on sentences."""

    description: str
    keep: NDArray[np.bool_]  # Mask of the sentences that fulfill it


@dataclass(frozen=True)
class ListedErrors:
    """Error types of the sentences of a list."""

    types: Types  # By sentence; sentences without errors are absent
    chosen: str  # Title of the error type to show; empty for any

    def describe(self, sentence: int) -> str:
        """Return the error types of a sentence in words."""
        return ", ".join(f"{name} {number}" for name, number in self.types.get(sentence, {}).items())

    def filter(self, n_sentences: int) -> Filter | None:
        """Return the filter by error type, if it is in use."""
        if not self.chosen:
            return None
        keep = np.zeros(n_sentences, dtype=np.bool_)
        keep[[number - 1 for number, types in self.types.items() if self.chosen in types]] = True
        return Filter(f"error type {self.chosen}", keep)


@data.cached_by_run(16)
def _types_of(run: Run, parser: str, rules: str, _types: ErrorTypes) -> Types:
    return types_of_sentences(_types.steps(run, parser, rules))


def error_types_toggle(kinds: ErrorTypes) -> None:
    """Draw the switch that adds the column."""
    st.toggle(
        "error types",
        help=f"types of errors of each parse (after {kinds.citation})",
        **state.bind("types", state.get("types") == "1", False, write=int),
    )


def error_type_picker(kinds: ErrorTypes) -> None:
    """Let the reader choose a type of error, and the rules."""
    titles = _titles(kinds)
    choice_picker("Error type", list(titles), name="error", default="", titles=titles)
    control_widget(kinds.rules)


def _titles(kinds: ErrorTypes) -> dict[str, str]:
    return {"": "any", **kinds.titles(option_of(kinds.rules))}


def error_types(run: Run, parser: str) -> ListedErrors | None:
    """Return the error types of the sentences of a parser; None unless requested."""
    kinds = run.framework.questions().types
    if kinds is None:
        return None
    name = state.get("error")
    chosen = _titles(kinds).get(name, "") if name else ""
    if not (chosen or state.get("types") == "1"):
        return None
    return ListedErrors(_types_of(run, parser, option_of(kinds.rules), kinds), chosen)


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


def sentence_filters(run: Run, parser: str, metric: str, marked: set[int]) -> list[Filter]:
    """Draw the filters and return those in use, except the one by error type, which depends on the others."""
    facts, types = ranking.facts(run, parser), run.framework.questions().types
    used = sum(bool(state.get(name)) for name in _FOLDED)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="sentence_filters"):
        search = _text("q", "Text", "search words")
        length = length_filter(run, parser)
        regex = st.toggle("regular expression", **state.bind("regex", state.get("regex") == "1", False, write=int))
        if types is not None:
            error_types_toggle(types)
        with st.popover(f"More filters ({used} in use)" if used else "More filters", icon=":material/filter_list:"):
            word = _text("word", "Word", "one whole word")
            labels = ["", *run.meta["labels"]]
            called = run.framework.nouns.label
            title = f"{called.capitalize()}, in either tree"
            label = choice_picker(title, labels, name="label", default="", titles={"": "any"})
            score = _score_filter(run, parser, METRICS[metric])
            if types is not None:
                error_type_picker(types)
            group = group_pickers(run)
            status = choice_picker("Status", list(_STATUSES), name="status", default="", titles=_STATUSES)
            differ = st.toggle(
                "parsers differ (not the same score for all)",
                **state.bind("differ", state.get("differ") == "1", False, write=int),
            )
            only_marked = st.toggle(
                "bookmarked only", **state.bind("marked", state.get("marked") == "1", False, write=int)
            )
    chosen_class = _chosen_class(run, metric)
    filters = [] if chosen_class is None else [chosen_class]
    if search:
        _add_search(run, search, regex, filters)
    if word:
        filters.append(Filter(f"word “{word}”", ranking.with_text(run, word, word=True)))
    if label:
        filters.append(Filter(f"{called} {label}", ranking.with_label(run, parser, label)))
    if length is not None:
        filters.append(length)
    if score is not None:
        filters.append(score)
    if group is not None:
        filters.append(Filter(str(group), group_mask(run, group)))
    if status:
        filters.append(Filter(_STATUSES[status], facts.has_status(status)))
    if differ:
        filters.append(Filter("parsers differ", ranking.differing(run, metric)))
    if only_marked:
        keep = np.zeros(run.n_sentences, dtype=np.bool_)
        keep[[number - 1 for number in marked if 1 <= number <= run.n_sentences]] = True
        filters.append(Filter("bookmarked", keep))
    return filters


def length_filter(run: Run, parser: str, also: Values = MappingProxyType({})) -> Filter | None:
    """Let the reader choose the minimum and maximum number of words; None if all lengths are shown."""
    words = ranking.facts(run, parser).words
    longest = int(words.max(initial=0))
    ends = state.get("length").split("~")
    limits = [_whole(text, longest) for text in (ends if len(ends) == 2 else ("", ""))]
    if None not in limits:
        limits.sort(key=lambda limit: limit or 0)  # and the fields show it
    keys = ("length_from", "length_to")
    for key, limit in zip(keys, limits, strict=True):
        st.session_state[key] = limit

    def changed() -> None:
        texts = ["" if st.session_state[key] is None else str(st.session_state[key]) for key in keys]
        state.put(length="~".join(texts) if any(texts) else None, **also)

    for key, label, placeholder in zip(keys, ("Min. words", "Max. words"), ("0", str(longest)), strict=True):
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
    low, high = limits
    if low is None and high is None:
        return None
    if low is not None and high is not None:
        text = f"{low:,} to {high:,} words"
    else:
        text = f"at least {low:,} words" if low is not None else f"at most {high:,} words"
    keep = (words >= (low or 0)) & (words <= (longest if high is None else high))
    return Filter(text, keep)


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
        return ranking.matches(run, sentences, search or word, regex=regex, word=not search)
    except ParameterError:  # an invalid expression, which the filter explains
        return None


def _add_search(run: Run, search: str, regex: bool, filters: list[Filter]) -> None:
    try:
        keep = ranking.with_text(run, search, regex=regex)
    except ParameterError as error:
        st.error("Invalid regular expression; this filter is ignored.")
        st.code(str(error), language=None, wrap_lines=True)
        return
    filters.append(Filter(f"text matches {search}" if regex else f"text contains “{search}”", keep))


def _text(name: str, label: str, placeholder: str) -> str:
    bound = state.bind(name, state.get(name), "")
    shown = str(st.text_input(label, placeholder=placeholder, **bound) or "")
    return shown.strip() if name == "word" else shown


def _range(
    name: str,
    label: str,
    low: float,
    high: float,
    step: float,
    format: str | None = None,  # noqa: A002 - streamlit's
) -> tuple[float, float] | None:
    """Draw a slider with two ends; None while it leaves everything in."""
    if high <= low:
        return None
    limits = value = (low, high)
    first, _, last = state.get(name).partition("~")
    try:
        ends = sorted((min(max(float(first), low), high), min(max(float(last), low), high)))
        value = (type(low)(ends[0]), type(low)(ends[1]))
    except ValueError:
        value = limits
    bound = state.bind(name, value, limits, write=lambda ends: "~".join(map(significant, ends)))
    chosen: tuple[float, float] = st.slider(label, low, high, step=type(low)(step), format=format, **bound)
    return None if tuple(chosen) == limits else chosen


def _score_filter(run: Run, parser: str, metric: Metric) -> Filter | None:
    """Let the reader choose a range of scores, of shares in percent."""
    spread = ranking.spread(run, parser, metric.id)
    scale, sign = (100, "%") if metric.is_share else (1, "")
    low = min(0.0, float(np.floor(spread.low * 10) * 10)) if spread.scored and metric.is_share else 0.0
    high = 100.0 if metric.is_share else spread.high if spread.scored else 0.0
    chosen = _range("score", metric.title, low, high, 1.0, column_format(0, sign=sign))
    if chosen is None:
        return None
    scores = scale * ranking.scores(run, parser, metric.id)
    inside = (scores >= chosen[0] - _ROUNDING) & (scores <= chosen[1] + _ROUNDING)
    return Filter(f"{metric.title} from {significant(chosen[0])} to {significant(chosen[1])} {sign}".rstrip(), inside)


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


def subset_trees(run: Run, parser: str | None, sentences: list[int]) -> tuple[str, str]:
    """Return the trees of some sentences as they were read, in the order given; and their format."""
    return file_of(run, parser, sentences)


def subset_downloads(
    run: Run, parser: str, shown: NDArray[np.int32], types: Callable[[int], str] | None = None
) -> None:
    """Offer the shown sentences for download."""
    sentences = shown[:_MAX_SENTENCES].tolist()
    with st.popover("Download", icon=":material/download:"):
        first = f"first {_MAX_SENTENCES:,} of the " if len(shown) > _MAX_SENTENCES else ""
        st.text(f"The {first}{len(shown):,} sentences shown, in this order")
        common: dict[str, Any] = {"on_click": "ignore", "width": "stretch"}
        st.download_button(
            "Table (CSV)",
            partial(_table, run, parser, sentences, types),
            "sentences.csv",
            "text/csv",
            key="subset_csv",
            **common,
        )
        ending, trees = run.framework.nouns.file, f"{run.framework.nouns.tree}s"
        for label, source, name in ((f"Gold {trees}", None, "gold"), (f"Parser’s {trees}", parser, "parser")):
            file = f"{name}.{ending}"
            st.download_button(
                label,
                partial(_trees, run, source, sentences),
                file,
                "text/plain",
                key=f"subset_{file}",
                **common,
            )
        name = f"{len(sentences)} of {run.path.name}"
        st.download_button(
            "Run (ZIP)",
            partial(zipped_part, run, sentences, name),
            f"{name}.zip",
            "application/zip",
            key="subset_zip",
            help="a run folder with these sentences and all parsers",
            **common,
        )
        st.button(
            "Open as a run",
            key="subset_run",
            width="stretch",
            on_click=open_part,
            args=(run, sentences),
            help="with all parsers, in the order of this run; sentences keep their numbers",
        )


def _table(run: Run, parser: str, sentences: list[int], types: Callable[[int], str] | None) -> bytes:
    kept = Notes(run).all()
    notes = [kept.get(number, Note()) for number in sentences]
    rows = rows_of(run, parser, sentences, run.metrics)
    rows = rows.assign(marked=[item.marked for item in notes], note=[item.text for item in notes])
    if types is not None:
        rows.insert(len(rows.columns) - 2, "error_types", [types(number) for number in sentences])
    rows.insert(0, "parser", parser)
    return csv_text(rows).encode("utf-8")


def _trees(run: Run, parser: str | None, sentences: list[int]) -> bytes:
    return subset_trees(run, parser, sentences)[0].encode("utf-8", "surrogatepass")


PAGE = 5_000
"""Rows on a page."""

_MAX_ROWS = 100_000
"""More rows make the browser slow."""

_ROW, _MAX_HEIGHT_ROWS = 30, 12
_BEFORE, _AFTER = 24, 240
"""Number of characters shown before and after the match of a search."""
_BAR = "_bar"
"""Ends the name of the column of bars: a column of bars cannot show a dash for a missing score."""
_MATCH_WIDTHS = (96, 230)
"""Least and largest width of the column of matches, in pixels."""
_TEXTS = ("before", "match", "after")
"""The columns of a concordance: the text before what is searched for, the match, the text after it."""
_PAGE_STATE = "evaltools_list_page"
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
    leading: dict[str, Any] | None = None,
    extra: dict[str, Any] | None = None,
    matches: Sequence[tuple[str, str, str]] | None = None,
    selected: int | None = None,
    n_visible: int = _MAX_HEIGHT_ROWS,
    foot: DeltaGenerator | None = None,
) -> None:
    """Show sentences; selecting a row writes the sentence to the URL.

    Columns of `leading` are beside the length, those of `extra` beside the scores; `matches` are the texts cut at what
    is searched for; files are offered in `foot`.
    """
    shown = rows.head(_MAX_ROWS)
    sentences = shown["sentence"].to_numpy(dtype=np.int64)
    table_key = f"{key}_{_fingerprint(sentences, metrics)}"

    def select() -> None:
        row = row_in(table_key)
        if row is not None:
            state.put(sentence=int(sentences[row]))

    status = shown["status"].map(_STATUS)
    status = status.mask((status == "") & shown[metrics[0]].isna(), "nothing to count")
    leading, extra = leading or {}, extra or {}
    shown = shown.assign(**{name: 100 * shown[name] for name in metrics if METRICS[name].is_share})
    shown = shown.assign(status=status, **{metrics[0] + _BAR: shown[metrics[0]]})
    texts = ["text"]
    if matches is not None:
        texts = list(_TEXTS)
        shown = shown.assign(**_around(matches[:_MAX_ROWS]))
    scores = [metrics[0], metrics[0] + _BAR, *metrics[1:]]
    columns = ["sentence", "words", *leading, *scores, *extra, *texts]
    if matches is not None:  # the match is in view on a small screen
        columns = ["sentence", "words", *leading, metrics[0], *texts, *scores[1:], *extra]
    columns += ["status"] if (status != "").any() else []
    frame = shown[columns]
    configuration = _configuration(frame, metrics) | leading | extra
    written, written_configuration = with_signs(frame, configuration)
    st.dataframe(
        written,
        hide_index=True,
        row_height=_ROW,
        height=_ROW + 4 + _ROW * min(max(len(frame), 1), n_visible) - (_ROW // 2 if len(frame) > n_visible else 0),
        column_config=written_configuration,
        placeholder="–",
        on_select=select,
        selection_mode=SELECTS,
        selection_default=selection(table_key, rows=np.flatnonzero(sentences == selected).tolist()),
        key=table_key,
    )
    titles = {name: str(column.get("label") or name) for name, column in configuration.items()}
    titles |= {metric: METRICS[metric].title for metric in metrics}

    def printed() -> pd.DataFrame:
        kept = frame[[name for name in frame.columns if not name.endswith(_BAR)]]
        if matches is not None:
            kept = kept.drop(columns=list(_TEXTS)).assign(text=shown["text"])
        return kept.rename(columns=titles | {"text": "Text"})

    with foot or st.container():
        save_table(printed, key, caption, decimals=2)
    if len(rows) > _MAX_ROWS:
        st.text(f"The first {_MAX_ROWS:,} of {len(rows):,} sentences are shown; filters narrow them down.")


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


def _fingerprint(sentences: NDArray[np.int64], metrics: Sequence[str]) -> str:
    digest = blake2b(np.ascontiguousarray(sentences).tobytes(), digest_size=8)
    digest.update("|".join(metrics).encode())
    return digest.hexdigest()


def _configuration(frame: pd.DataFrame, metrics: Sequence[str]) -> dict[str, Any]:
    configuration: dict[str, Any] = {
        "sentence": st.column_config.NumberColumn("Sentence", format="%i", width=70),  # a name: without commas
        "words": st.column_config.NumberColumn("Words", format="%d", width=60),
        "status": st.column_config.TextColumn("Status", width=110),
        "text": st.column_config.TextColumn("Text"),
    }
    if "match" in frame:
        found = sorted({item for items in frame["match"] for item in items})
        configuration["before"] = st.column_config.TextColumn("Before", alignment="right", width=190)
        width = min(max(_MATCH_WIDTHS[0], 36 + 8 * max(map(len, found), default=0)), _MATCH_WIDTHS[1])
        configuration["match"] = st.column_config.MultiselectColumn("Match", options=found, color="yellow", width=width)
        configuration["after"] = st.column_config.TextColumn("After", width=300 + _MATCH_WIDTHS[0] - width)
    for metric in metrics:
        item = METRICS[metric]
        configuration[metric] = st.column_config.NumberColumn(
            item.short, help=hint(item), format=score_format(item, frame[metric]), width=112
        )
    first = METRICS[metrics[0]]
    scores = frame[metrics[0]]
    maximum = 100.0 if first.is_share else 1.0 if scores.isna().all() else max(float(scores.max()), 1.0)
    configuration[metrics[0] + _BAR] = st.column_config.ProgressColumn(
        " ", format=" ", min_value=0.0, max_value=maximum, width=54
    )
    return configuration


def absent_sentence(run: Run, listed: NDArray[np.int32], reasons: Callable[[int], str]) -> str:
    """Return why the sentence of the URL is not in a list; empty if it is, or if the URL has none."""
    number = state.get_number("sentence", 0, 0, 2**31 - 1)
    if not 1 <= number <= run.n_sentences or (listed == number).any():
        return ""
    return f"Sentence {number:,} is not listed; {reasons(number)}."


def page_shown(identity: str, sentence: int, index: int) -> int:
    """Return the page to show, from 0."""
    # A new list begins with its first page; otherwise the page is that of the selected sentence.
    before, last, page = st.session_state.get(_PAGE_STATE, ("", 0, 0))
    if before != identity and before:
        page = 0
    elif before != identity or last != sentence:
        page = index // PAGE
    st.session_state[_PAGE_STATE] = (identity, sentence, page)
    return int(page)


def page_turner(sentences: NDArray[np.int32], page: int) -> None:
    """Let the reader choose a page, if there are several; the first sentence of the new page is then selected."""
    total = len(sentences)
    if total <= PAGE:
        return
    n_pages = -(-total // PAGE)
    key = "list_page"
    st.session_state[key] = page + 1

    def changed() -> None:
        state.put(sentence=int(sentences[(int(st.session_state[key]) - 1) * PAGE]))

    with st.container(horizontal=True, vertical_alignment="center", key="list_pages"):
        st.text(f"Rows {page * PAGE + 1:,} to {min((page + 1) * PAGE, total):,} of {total:,}; page")
        st.number_input(
            f"Page, of {n_pages:,}",
            min_value=1,
            max_value=n_pages,
            step=1,
            width=130,
            label_visibility="collapsed",
            key=key,
            on_change=changed,
        )
        st.text(f"of {n_pages:,}")
