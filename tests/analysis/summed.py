"""The sums of a table made by hand."""

from __future__ import annotations

from evaltools.runs.database import FrameTables
from evaltools.runs.sums import score_steps, sum_by_length, sum_sentences


def tables_of(frame):
    """Return a sentences table as the tables of a run; sentences without a number have one by their place."""
    if "sentence" not in frame:
        frame = frame.assign(sentence=frame.groupby("parser").cumcount() + 1)
    n_sentences = int(frame["sentence"].max()) if len(frame) else 0
    return FrameTables(sorted(set(frame["parser"])), n_sentences, frame)


def sums_of(frame, metrics):
    return sum_sentences(tables_of(frame), metrics)


def steps_of(frame, metric, steps=20):
    return score_steps(tables_of(frame), metric, steps)


def by_length_of(frame, metric):
    """Add up the sentences of a table by length; and the bins."""
    return sum_by_length(tables_of(frame), metric)
