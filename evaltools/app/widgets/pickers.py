"""Widgets that choose parsers, metrics and metadata, and the controls and folded parts of pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from evaltools.analysis.leaderboard import FEW_UNITS, few_units
from evaltools.app.session import data, state
from evaltools.app.session.data import cached_by_run
from evaltools.blocks import Choice, Control, Number
from evaltools.corpus.sentence_ids import DOCUMENT
from evaltools.frameworks.figures import AVERAGES
from evaltools.frameworks.registry import METRICS
from evaltools.runs.meta import metadata_keys
from evaltools.runs.metadata import Group, group_keys, plural_of
from evaltools.runs.store import Run
from evaltools.runs.sums import metadata_groups, units_of

Values = Mapping[str, object]
"""Values of the URL; None removes a name."""
_NOTHING: Values = MappingProxyType({})
_NO_POSITION: Mapping[str, None] = dict.fromkeys(("at", "step", "repair"))
"""What removes the chosen word and step, which belong to one sentence."""


def menu(
    label: str,
    titles: Mapping[str, str],
    *,
    name: str,
    default: str = "",
    help: str = "",  # noqa: A002 - as streamlit calls it
    also: Values = _NOTHING,
    width: int | Literal["stretch"] = "stretch",
    is_bare: bool = False,
    disabled: str = "",
) -> str:
    """Let the reader choose one of some titled options; the choice is in the URL, and `also` when it changes.

    `disabled`: why it cannot be chosen, empty if it can.
    """
    value, bound = _bound(titles, name, default, also)
    chosen = st.selectbox(
        label,
        list(titles),
        format_func=titles.__getitem__,
        help=disabled or help or None,
        width=width,
        label_visibility="collapsed" if is_bare else "visible",
        disabled=bool(disabled),
        **bound,
    )
    return str(chosen or value)


def switch(
    label: str,
    titles: Mapping[str, str],
    *,
    name: str,
    default: str = "",
    help: str = "",  # noqa: A002 - as streamlit calls it
    also: Values = _NOTHING,
    is_bare: bool = False,
) -> str:
    """Let the reader choose one of a few titled options side by side, as `menu` does."""
    value, bound = _bound(titles, name, default, also)
    chosen = st.segmented_control(
        label,
        list(titles),
        format_func=titles.__getitem__,
        help=help or None,
        label_visibility="collapsed" if is_bare else "visible",
        required=True,
        **bound,
    )
    return str(chosen or value)


def _bound(titles: Mapping[str, str], name: str, default: str, also: Values) -> tuple[str, dict[str, Any]]:
    """Return the option that the URL names, or the default one, and the arguments that tie a widget to it."""
    default = default if default in titles else next(iter(titles))
    value = state.get(name)
    value = value if value in titles else default
    return value, state.bind(name, value, default, also=also)


def toggle(
    label: str,
    name: str,
    *,
    default: bool | None = False,
    value: bool | None = None,
    help: str = "",  # noqa: A002 - as streamlit calls it
    also: Values = _NOTHING,
) -> bool:
    """Let the reader switch something on or off; without a default, the URL says so in both cases."""
    value = state.get(name) == "1" if value is None else value
    return st.toggle(label, help=help or None, **state.bind(name, value, default, write=int, also=also))


def option_of(choice: Choice) -> str:
    """Return what is chosen, as the URL has it."""
    return choice.chosen(state.query())


def control_widget(control: Control, *, is_bare: bool = False) -> str | int:
    """Draw a control, without its label if it is bare, and return what is chosen; a change goes to the URL."""
    if isinstance(control, Number):
        value = state.get_number(control.name, control.default, control.low, control.high)
        chosen = st.number_input(
            control.label,
            min_value=control.low,
            max_value=control.high,
            step=control.step,
            width=control.width,
            help=control.help or None,
            **state.bind(control.name, value, control.default),
        )
        return int(chosen or value)
    also = dict.fromkeys(control.clears)
    if control.is_toggle:
        default = None if control.is_kept else control.default == "1"
        is_on = option_of(control) == "1"
        return str(int(toggle(control.label, control.name, default=default, value=is_on, help=control.help, also=also)))
    draw = menu if control.is_menu else switch
    return draw(
        control.label,
        control.options,
        name=control.name,
        default=control.default,
        help=control.help,
        also=also,
        is_bare=is_bare,
    )


def previous_and_next(
    key: str, before: object, after: object, go: Callable[[Any], None], *, shortcuts: bool = False
) -> None:
    """Draw the buttons Previous and Next, with the keys P and N if `shortcuts`; one is disabled where there is None."""
    for label, icon, item in (("Previous", "arrow_back", before), ("Next", "arrow_forward", after)):
        st.button(
            label,
            icon=f":material/{icon}:",
            key=f"{key}_{label}",
            shortcut=label[0] if shortcuts else None,
            disabled=item is None,
            on_click=go,
            args=(item,),
        )


_NAME = "open"


def is_open(name: str, *, default: bool = False) -> bool:
    """Return whether the URL has a section open."""
    listed = state.get(_NAME).split(",")
    return f"-{name}" not in listed if default else name in listed


def folded(title: str, name: str, *, default: bool = False) -> DeltaGenerator | None:
    """Draw the head of a section, and return its container if it is open; `default`: whether it is without the URL."""
    key = f"open_{name}"
    st.session_state[key] = is_open(name, default=default)

    def changed() -> None:
        opened = bool(st.session_state[key])
        _write_sections(name, [] if opened == default else [name if opened else f"-{name}"])

    container = st.expander(title, key=key, on_change=changed)
    return container if container.open else None


def open_section(name: str) -> None:
    """Open a section that is folded, by the URL."""
    _write_sections(name, [name])


def _write_sections(name: str, entry: list[str]) -> None:
    """Write to the URL whether a section is open; no entry for what is the default."""
    listed = [item for item in state.get(_NAME).split(",") if item and item.removeprefix("-") != name]
    state.put(**{_NAME: ",".join([*listed, *entry])})


def label_about(verb: str, thing: str) -> str:
    r"""Return the label of a button that a page has for several things: it names the thing, which is not drawn.

    Screen readers read the name, so that buttons differ; the style of the frame hides it, as it stands beside.

    Examples
    --------
    >>> label_about("Open", "A [B] *c*")
    'Open :gray[A \\[B\\] \\*c\\*]'
    """
    plain = _MARKDOWN.sub(r"\\\g<0>", thing)
    return f"{verb} :gray[{plain}]"


_MARKDOWN = re.compile(r"[!-/:-@\[-`{-~]")
"""Characters that may mean something in Markdown."""

_AVERAGE_HINT = "Micro (pooled): counts summed over the corpus, then divided; macro (mean): mean of sentence scores"
_OVER = {"scored": "parsed sentences only", "all": "all, no parse counts as 0"}


def chosen_parser(run: Run, metric: str = "") -> str:
    """Return the parser that the URL names; by default the best one by a metric, or by the main one."""
    parser = state.get("parser", data.leader(run, metric))
    return parser if parser in run.parsers else run.parsers[0]


def chosen_metric(metrics: Sequence[str], default: str) -> str:
    """Return the metric that the URL names, or the default one."""
    metric = state.get("metric")
    return metric if metric in metrics else default


def parser_picker(run: Run, *, default: str | None = None, also: Values = _NOTHING, disabled: str = "") -> str:
    """Let the reader choose a parser of the run."""
    first = default or data.leader(run)
    return menu("Parser", _as_named(run.parsers), name="parser", default=first, also=also, disabled=disabled)


def other_picker(run: Run, parser: str, nothing: str = "gold", *, also: Values = _NOTHING, disabled: str = "") -> str:
    """Let the reader choose another parser to compare with; empty for none, which is called `nothing`."""
    others = {"": nothing} | _as_named(name for name in run.parsers if name != parser)
    return menu("Compare with", others, name="other", also=also, disabled=disabled)


def _as_named(names: Iterable[str]) -> dict[str, str]:
    return {name: name for name in names}


def parsers_picker(run: Run, default: str | None = None, *, disabled: str = "") -> tuple[str, str]:
    """Let the reader choose a parser, and one to compare its errors with; empty for none."""
    parser = parser_picker(run, default=default, also=state.DESELECTED, disabled=disabled)
    return parser, other_picker(run, parser, "none", also=state.DESELECTED, disabled=disabled)


def sentence_picker(
    run: Run, default: int = 1, *, around: Callable[[int], tuple[int | None, int | None] | None] = lambda _: None
) -> int:
    """Let the reader choose a sentence of the run, or go to the one before or after.

    `around`: returns the sentences before and after a sentence in a list; None for the order of the file.
    """
    number = state.get_number("sentence", default, 1, run.n_sentences)
    st.number_input(
        f"Sentence, of {run.n_sentences:,}",
        min_value=1,
        max_value=run.n_sentences,
        step=1,
        width=150,
        **state.bind("sentence", number, default, also=_NO_POSITION),
    )
    in_file = (number - 1 if number > 1 else None, number + 1 if number < run.n_sentences else None)
    step_buttons(*(around(number) or in_file))
    return number


def step_buttons(before: int | None, after: int | None) -> None:
    """Draw the buttons (and keys) that go to the sentence before and after."""
    previous_and_next("go", before, after, _go, shortcuts=True)


def _go(sentence: int) -> None:
    state.put(sentence=sentence, **_NO_POSITION)


def figure_switches(run: Run) -> tuple[str, bool]:
    """Let the reader choose micro or macro figures, and whether figures are over all sentences."""
    average = switch("Figure", AVERAGES, name="average", help=_AVERAGE_HINT)
    titles = {name: _OVER[name] for name in sorted(_OVER, key=lambda name: name != run.default_over)}
    return average, switch(
        "Sentences", titles, name="over", help="Whether sentences without a parse count as 0"
    ) == "all"


def figure_in_words(run: Run) -> str:
    """Return the figure that the URL names."""
    over = "all sentences" if state.get("over", run.default_over) == "all" else "parsed sentences only"
    return f"{AVERAGES.get(state.get('average'), AVERAGES['pooled'])}, {over}"


def metric_picker(
    run: Run,
    *,
    name: str = "metric",
    label: str = "Metric",
    default: str | None = None,
    metrics: Sequence[str] | None = None,
    extra: Mapping[str, str] = MappingProxyType({}),
    also: Values = _NOTHING,
) -> str:
    """Let the reader choose a metric of the run; `extra`: titles of options beside these."""
    titles = {**extra, **{metric: METRICS[metric].title for metric in metrics or run.metrics}}
    main = run.main_metric if default is None else default
    return menu(label, titles, name=name, default=main, also=also)


_WIDTH = 150
_UNITS = {"sentences": "sentences", "documents": "documents"}
_UNITS_HINT = "What is drawn as a whole for intervals and p-values; sentences of one document are alike"
_HINT = "Metadata of the sentences: comments of the gold file, and files given with --metadata"


@cached_by_run(16)
def keys(run: Run) -> tuple[str, ...]:
    """Return the columns of the metadata that divide the sentences into groups."""
    return tuple(group_keys(run))


@cached_by_run(16)
def n_documents(run: Run) -> int:
    """Return the number of documents, a sentence without one counted as one; 0 if the run names none."""
    units = units_of(run, DOCUMENT) if DOCUMENT in metadata_keys(run.meta) else None
    return 0 if units is None else len(np.unique(units))


def units_picker(run: Run) -> str:
    """Let the reader choose what is drawn as a whole for intervals and p-values; see `chosen_cluster`."""
    if n_documents(run) > 1:
        switch("Intervals over", _UNITS, name="units", help=_UNITS_HINT)
    return chosen_cluster(run)


def chosen_cluster(run: Run) -> str:
    """Return the column whose values are drawn as a whole, as the URL says: documents; empty for sentences."""
    return DOCUMENT if state.get("units") == "documents" and n_documents(run) > 1 else ""


def over_units(run: Run, cluster: str) -> str:
    """Return what is drawn, with its number, such as ``over 24 documents``; empty for sentences."""
    return f"over {n_documents(run):,} {plural_of(cluster)}" if cluster else ""


def few(run: Run, cluster: str) -> str:
    """Return a remark on intervals over few documents; empty if there are enough."""
    return f"{few_units(plural_of(cluster))}." if cluster and n_documents(run) < FEW_UNITS else ""


@cached_by_run(32)
def column(run: Run, key: str) -> tuple[list[str], NDArray[np.int64]]:
    """Return the values of a column, and the number of each sentence's value from 1; 0 for none."""
    return metadata_groups(run, key)


def chosen_group(run: Run) -> Group | None:
    """Return the group that the URL names; None for all sentences."""
    key, value = state.get("key"), state.get("value")
    return Group(key, value) if key in keys(run) and value in column(run, key)[0] else None


def group_mask(run: Run, group: Group) -> NDArray[np.bool_]:
    """Return which sentences are in a group."""
    values, numbers = column(run, group.key)
    return np.asarray(numbers == values.index(group.value) + 1)


def values_of(run: Run, key: str, sentences: NDArray[np.int32]) -> list[str]:
    """Return the values of some sentences; empty for none."""
    values, numbers = column(run, key)
    return [values[number - 1] if number else "" for number in numbers[sentences - 1].tolist()]


def key_picker(run: Run, label: str, nothing: str, also: Values = _NOTHING) -> str:
    """Let the reader choose a column of the metadata; empty for none."""
    titles = {"": nothing} | _as_named(keys(run))
    return menu(label, titles, name="key", help=_HINT, also={"value": None, **also}, width=_WIDTH)


def group_pickers(run: Run, also: Values = _NOTHING) -> Group | None:
    """Let the reader choose a column and one of its values; None for all sentences, and without metadata."""
    if not keys(run):
        return None
    if key := key_picker(run, "Metadata", "none", also):
        menu("Value", {"": "all"} | _as_named(column(run, key)[0]), name="value", also=also, width=_WIDTH)
    return chosen_group(run)
