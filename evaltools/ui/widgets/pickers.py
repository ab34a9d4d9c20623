"""Choosing a parser, a metric, a sentence; what is chosen stands in the URL.

Select boxes, because their options are plain text: names from data stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evaltools.metrics import METRICS
from evaltools.runs.store import Run
from evaltools.ui.session import data, state

__all__ = [
    "choice_picker",
    "every_switch",
    "figure_switches",
    "fold_toggle",
    "metric_picker",
    "other_picker",
    "parser_picker",
    "parsers_picker",
    "sentence_picker",
    "step_buttons",
    "switch",
]

_LONG = 25
_AVERAGES = {"pooled": "pooled", "mean": "mean"}
_OVER = {"scored": "scored sentences", "all": "all sentences"}


def choice_picker(
    label: str,
    options: Sequence[str],
    *,
    name: str,
    default: str,
    titles: dict[str, str] | None = None,
    help: str | None = None,  # noqa: A002 - as streamlit calls it
) -> str:
    """Let the reader choose one of some names, and keep it in the URL.

    Parameters
    ----------
    label : str
        What the widget is called.
    options : sequence of str
        The names; what the URL says is checked against them.
    name : str
        The URL's name for it.
    default : str
        What is chosen while the URL does not say.
    titles : dict, optional
        What the options are called.
    help : str, optional
        A hint.
    """
    said = state.get(name, default)
    value = said if said in options else default if default in options else options[0]
    titles = titles or {}
    chosen = st.selectbox(
        label, options, format_func=lambda one: titles.get(one, one), help=help, **state.bind(name, value, default)
    )
    return str(chosen)


def parser_picker(
    run: Run, *, name: str = "parser", label: str = "Parser", without: str | None = None, default: str | None = None
) -> str:
    """Let the reader choose a parser of the run.

    Parameters
    ----------
    run : Run
        The run.
    name : str
        The URL's name for it: ``parser``, or ``other`` for a second one.
    label : str
        What the widget is called.
    without : str, optional
        A parser that is not offered.
    default : str, optional
        What is chosen while the URL does not say; the leader if not given.
    """
    options = [parser for parser in run.parsers if parser != without] or run.parsers
    return choice_picker(label, options, name=name, default=default or data.leader(run))


def other_picker(run: Run, parser: str) -> str:
    """Let the reader choose what a parser is compared with; empty for the gold."""
    others = {"": "gold"} | {name: name for name in run.parsers if name != parser}
    return choice_picker("Compare with", list(others), name="other", default="", titles=others)


def parsers_picker(run: Run, default: str | None = None) -> tuple[str, str]:
    """Let the reader choose a parser, and one to compare its errors with; empty for none.

    Parameters
    ----------
    run : Run
        The run.
    default : str, optional
        The parser while the URL does not say; the leader if not given.
    """
    parser = parser_picker(run, default=default)
    others = {"": "nobody"} | {one: one for one in run.parsers if one != parser}
    return parser, choice_picker("Compare with", list(others), name="other", default="", titles=others)


def sentence_picker(run: Run, default: int = 1) -> int:
    """Let the reader choose a sentence of the run, or go to the one before or after.

    Parameters
    ----------
    run : Run
        The run.
    default : int
        The sentence to show while the URL does not say.
    """
    number = state.get_number("sentence", default, 1, run.n_sentences)
    st.number_input(
        f"Sentence, of {run.n_sentences:,}",
        min_value=1,
        max_value=run.n_sentences,
        step=1,
        width=150,
        **state.bind("sentence", number, default, also=_forget_place),
    )
    step_buttons(number - 1 if number > 1 else None, number + 1 if number < run.n_sentences else None)
    return number


def step_buttons(before: int | None, after: int | None) -> None:
    """Draw the buttons (and keys) that go to the sentence before and after."""
    for label, icon, sentence, key in (("Previous", "arrow_back", before, "P"), ("Next", "arrow_forward", after, "N")):
        st.button(
            label,
            icon=f":material/{icon}:",
            key=f"go_{label}",
            shortcut=key,
            disabled=sentence is None,
            on_click=_go,
            args=(sentence,),
        )


def _go(sentence: int) -> None:
    state.put(sentence=sentence)
    _forget_place()


def _forget_place() -> None:
    """Words and steps that were chosen belong to the sentence that was shown."""
    state.put(at=None, step=None)


def fold_toggle(n_words: int, hint: str) -> bool:
    """Let the reader choose whether only what differs is drawn.

    Parameters
    ----------
    n_words : int
        Length of the sentence: long ones begin folded.
    hint : str
        What folding does.
    """
    default = n_words > _LONG
    said = state.get("fold")
    value = said == "1" if said in ("0", "1") else default
    folded = st.toggle(
        "Show only what differs",
        help=f"{hint}; the default above {_LONG} words",
        **state.bind("fold", value, default, write=int),
    )
    return bool(folded)


def figure_switches() -> tuple[str, bool]:
    """Let the reader choose ``pooled`` or ``mean``, and whether figures are over all sentences."""
    average = switch("Figure", "average", _AVERAGES, "Counts summed, then divided; or the mean of sentence scores")
    return average, every_switch()


def every_switch() -> bool:
    """Let the reader choose whether sentences without a score count."""
    hint = "Of all sentences, those without a score count as nothing matched"
    return switch("Sentences", "over", _OVER, hint) == "all"


def switch(label: str, name: str, titles: dict[str, str], hint: str = "") -> str:
    """Let the reader choose one of a few things that stand side by side; the first stands not in the URL.

    Parameters
    ----------
    label : str
        What the widget is called.
    name : str
        The URL's name for it.
    titles : dict
        What may be chosen, and what it is called.
    hint : str
        Shown when pointed at.
    """
    options = list(titles)
    said = state.get(name, options[0])
    value = said if said in options else options[0]
    chosen = st.segmented_control(
        label,
        options,
        format_func=lambda one: titles[one],
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
) -> str:
    """Let the reader choose a metric of the run.

    Parameters
    ----------
    run : Run
        The run.
    name : str
        The URL's name for it: ``metric`` or ``metric2``.
    label : str
        What the widget is called.
    default : str, optional
        What is chosen while the URL does not say; the main metric of such runs if not given.
    metrics : sequence of str, optional
        The ids to offer; all of the run if not given.
    extra : dict, optional
        More options, before the metrics: what the URL says, and what it is called.
    """
    extra = extra or {}
    titles = extra | {metric: METRICS[metric].title for metric in (metrics or run.metrics)}
    main = data.main_metric(run) if default is None else default
    return choice_picker(label, list(titles), name=name, default=main, titles=titles)
