"""What the pages read of a run, each frame once: shared between sessions and reruns, never to be changed.

``cache_resource`` hands out one object without copying or hashing it; the key is the run's folder and its signature.
"""

from __future__ import annotations

import pandas as pd
import streamlit as st

from evaltools.metrics.mapping import Alignment
from evaltools.runs.store import Run

__all__ = ["alignment", "labels", "leader", "run_key", "sentences", "summary", "texts", "words"]


def run_key(run: Run) -> str:
    """Return what tells one run from another, and from itself when scored again."""
    return "\n".join((str(run.path), run.signature, str(run.meta.get("created", ""))))


@st.cache_resource(max_entries=8, show_spinner=False)
def _sentences(key: str, _run: Run) -> pd.DataFrame:
    return _run.sentences()


@st.cache_resource(max_entries=8, show_spinner=False)
def _texts(key: str, _run: Run) -> pd.DataFrame:
    return _run.texts()


@st.cache_resource(max_entries=8, show_spinner=False)
def _summary(key: str, _run: Run) -> pd.DataFrame:
    return _run.summary()


@st.cache_resource(max_entries=16, show_spinner=False)
def _words(key: str, parser: str, _run: Run) -> pd.DataFrame:
    return _run.words(parser)


@st.cache_resource(max_entries=256, show_spinner=False)
def _alignment(key: str, sentence: int, parser: str, other: str | None, _run: Run) -> Alignment:
    return _run.alignment(sentence, parser, other)


@st.cache_resource(max_entries=8, show_spinner=False)
def _labels(key: str, _run: Run) -> list[str]:
    rows = _run.query(
        "select distinct label from brackets where 'phrase' in (gold_kind, test_kind) and label is not null"
    )
    return sorted(str(label) for label in rows["label"])


def sentences(run: Run) -> pd.DataFrame:
    """Return one row a parser and sentence, with status, scores and counts."""
    return _sentences(run_key(run), run)


def texts(run: Run) -> pd.DataFrame:
    """Return ``sentence`` and ``text`` of every gold sentence."""
    return _texts(run_key(run), run)


def summary(run: Run) -> pd.DataFrame:
    """Return one row a parser and metric: pooled, mean, n, pooled_all, mean_all."""
    return _summary(run_key(run), run)


def words(run: Run, parser: str) -> pd.DataFrame:
    """Return one row a gold word, with tags and LA similarities."""
    return _words(run_key(run), parser, run)


def alignment(run: Run, sentence: int, parser: str, other: str | None = None) -> Alignment:
    """Return the alignment of a sentence: gold and parser, or two parsers."""
    return _alignment(run_key(run), sentence, parser, other, run)


def labels(run: Run) -> list[str]:
    """Return the phrase labels that occur in the run."""
    return _labels(run_key(run), run)


def leader(run: Run, metric: str = "e_dice_roof") -> str:
    """Return the parser that is best by a metric's pooled figure over all sentences; the first if none has one."""
    rows = summary(run)
    rows = rows[rows["metric"] == (metric if metric in run.metrics else run.metrics[0])].dropna(subset=["pooled_all"])
    return str(rows["parser"].iloc[int(rows["pooled_all"].argmax())]) if len(rows) else run.parsers[0]
