"""The steps of TedEval of 2011 as bars over the words."""

from __future__ import annotations

from evaltools.drawing.function_bars import FunctionBar
from evaltools.metrics.mapping import NodeStatus
from evaltools.metrics.tedeval2011_steps import OlderSteps

__all__ = ["older_bars"]

_STATUS = {"delete": NodeStatus.DELETED, "insert": NodeStatus.INSERTED, "relabel": NodeStatus.SWAPPED}


def older_bars(made: OlderSteps) -> list[FunctionBar]:
    """Return the nodes of a parse, and those it lacks: what is deleted, inserted, relabelled, and left out.

    Parameters
    ----------
    made : OlderSteps
        The sentence.

    Returns
    -------
    list of FunctionBar
        For :func:`evaltools.drawing.function_bars.function_bars_svg`.
    """
    changed = {(one.words, one.label): one for one in made.steps if one.kind != "insert"}
    bars = []
    for words, labels in made.parse.labels.items():
        functions = []
        for label in sorted(labels):
            step = changed.get((words, label))
            text = label if step is None or step.becomes is None else f"{label} → {step.becomes}"
            status = NodeStatus.MATCHED if step is None else _STATUS[step.kind]
            functions.append((text, status, step is not None and step.discarded))
        bars.append(FunctionBar(words, tuple(functions)))
    added = (one for one in made.steps if one.kind == "insert")
    return bars + [FunctionBar(one.words, ((one.label, NodeStatus.INSERTED, one.discarded),)) for one in added]
