"""Choosing a parser, a metric, a sentence; what is chosen stands in the URL.

Select boxes, because their options are plain text: names from data stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

import streamlit as st

from evaltools.analysis.rankings import AVERAGES
from evaltools.frameworks.registry import METRICS
from evaltools.runs.store import Run
from evaltools.ui.session import data, state
from evaltools.ui.widgets.controls import previous_and_next

__all__ = [
    "choice_picker",
    "figure_switches",
    "metric_picker",
    "other_picker",
    "parser_picker",
    "parsers_picker",
    "sentence_picker",
    "step_buttons",
    "switch",
]

_AVERAGE_HINT = "Micro (pooled): counts summed over the corpus, then divided; macro (mean): mean of sentence scores"
_OVER = {"scored": "parsed sentences only", "all": "all, no parse counts as 0"}


def choice_picker(
    label: str,
    options: Sequence[str],
    *,
    name: str,
    default: str,
    titles: dict[str, str] | None = None,
    help: str | None = None,  # noqa: A002 - as streamlit calls it
    also: Callable[[], None] | None = None,
    width: int | Literal["stretch"] = "stretch",
    disabled: str = "",
    fragments: Sequence[str] = (),
) -> str:
    """Let the reader choose an option; the choice is in the URL, and `also` is called when it changes.

    `disabled`: why it cannot be chosen, empty if it can; `fragments`: the parts of the page that depend on the choice,
    what the widget is in if empty.
    """
    text = state.get(name, default)
    value = text if text in options else default if default in options else options[0]
    titles = titles or {}
    chosen = st.selectbox(
        label,
        options,
        format_func=lambda option: titles.get(option, option),
        help=disabled or help,
        width=width,
        disabled=bool(disabled),
        **state.bind(name, value, default, also=also, fragments=fragments),
    )
    return str(chosen)


def parser_picker(
    run: Run, *, default: str | None = None, also: Callable[[], None] | None = None, disabled: str = ""
) -> str:
    """Let the reader choose a parser of the run."""
    first = default or data.leader(run)
    return choice_picker("Parser", run.parsers, name="parser", default=first, also=also, disabled=disabled)


def other_picker(
    run: Run, parser: str, nothing: str = "gold", *, also: Callable[[], None] | None = None, disabled: str = ""
) -> str:
    """Let the reader choose another parser to compare with; empty for none, which is called `nothing`."""
    others = {"": nothing} | {name: name for name in run.parsers if name != parser}
    return choice_picker(
        "Compare with", list(others), name="other", default="", titles=others, also=also, disabled=disabled
    )


def parsers_picker(
    run: Run,
    default: str | None = None,
    *,
    also: Callable[[], None] = state.deselect,
    disabled: str = "",
) -> tuple[str, str]:
    """Let the reader choose a parser, and one to compare its errors with; empty for none.

    A change of the parser deselects; `also` is called when the other one changes.
    """
    parser = parser_picker(run, default=default, also=state.deselect, disabled=disabled)
    return parser, other_picker(run, parser, "none", also=also, disabled=disabled)


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
        **state.bind("sentence", number, default, also=_reset_position),
    )
    in_file = (number - 1 if number > 1 else None, number + 1 if number < run.n_sentences else None)
    step_buttons(*(around(number) or in_file))
    return number


def step_buttons(before: int | None, after: int | None) -> None:
    """Draw the buttons (and keys) that go to the sentence before and after."""
    previous_and_next("go", before, after, _go, shortcuts=True)


def _go(sentence: int) -> None:
    state.put(sentence=sentence)
    _reset_position()


def _reset_position() -> None:
    """Remove the chosen word and step, which belong to the previous sentence."""
    state.put(at=None, step=None, repair=None)


def figure_switches(run: Run) -> tuple[str, bool]:
    """Let the reader choose micro or macro figures, and whether figures are over all sentences."""
    average = switch("Figure", "average", AVERAGES, _AVERAGE_HINT)
    titles = {name: _OVER[name] for name in sorted(_OVER, key=lambda name: name != run.default_over)}
    return average, switch("Sentences", "over", titles, "Whether sentences without a parse count as 0") == "all"


def switch(label: str, name: str, titles: dict[str, str], hint: str = "") -> str:
    """Let the reader choose one of a few options side by side; the first one, the default, is not in the URL."""
    options = list(titles)
    text = state.get(name, options[0])
    value = text if text in options else options[0]
    chosen = st.segmented_control(
        label,
        options,
        format_func=titles.__getitem__,
        help=hint or None,
        width="content",
        required=True,
        **state.bind(name, value, options[0]),
    )
    return str(chosen or value)


def metric_picker(
    run: Run,
    *,
    name: str = "metric",
    label: str = "Metric",
    default: str | None = None,
    metrics: Sequence[str] | None = None,
    extra: dict[str, str] | None = None,
    also: Callable[[], None] | None = None,
    fragments: Sequence[str] = (),
) -> str:
    """Let the reader choose a metric of the run; `fragments` as of :func:`choice_picker`."""
    extra = extra or {}
    titles = extra | {metric: METRICS[metric].title for metric in (metrics or run.metrics)}
    main = run.main_metric if default is None else default
    return choice_picker(label, list(titles), name=name, default=main, titles=titles, also=also, fragments=fragments)
