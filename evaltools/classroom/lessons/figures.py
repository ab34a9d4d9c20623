"""The figures of a step, which its texts name and never hold."""

from __future__ import annotations

import re
from collections.abc import Mapping

from evaltools.analysis.explain import number
from evaltools.classroom.lessons.material import DependencyPair, FunctionTrees, GraphPair, Material, TreePair, Vote
from evaltools.metrics import METRICS, metrics_of
from evaltools.metrics.tedeval_protocol import TedEvalProtocol

__all__ = ["filled", "named", "names_for", "numbers_of"]

_FIGURE = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")
_KIND: dict[type, str] = {
    TreePair: "constituency",
    Vote: "constituency",
    DependencyPair: "dependency",
    GraphPair: "semantics",
}


def named(text: str) -> list[str]:
    """Return the figures that a text names.

    Examples
    --------
    >>> named("{{t_dice}} is more than {{ e_dice_roof }}")
    ['t_dice', 'e_dice_roof']
    """
    return _FIGURE.findall(text)


def names_for(material: type | None) -> tuple[str, ...]:
    """Return the figures that a kind of material has.

    Parameters
    ----------
    material : type or None
        A class of :mod:`evaltools.classroom.lessons.material`, or None.
    """
    if material is FunctionTrees:
        return tuple(f"{which}.{what}" for which in ("single", "multiple") for what in _PROTOCOL)
    kind = _KIND.get(material) if material is not None else None
    if kind is None:
        return ()
    metrics = [name for name in metrics_of(kind) if name != "la_table"]
    own = list(dict.fromkeys((*metrics, *(column for name in metrics for column in METRICS[name].columns))))
    if kind == "semantics":
        own += [f"edm_{what}" for what in _SUMS]
    return tuple(f"{parse}.{name}" for parse in "ab" for name in own) if material is Vote else tuple(own)


_PROTOCOL = ("score", "delta", "discarded", "steps", "parse", "gold")
_SUMS = ("gold", "test", "matched")


def numbers_of(material: Material | None) -> dict[str, str]:
    """Compute the figures of a step.

    Parameters
    ----------
    material : Material or None
        What the step shows.

    Returns
    -------
    dict of str to str
        Every figure by name: scores with three decimals, counts as they are, a dash where undefined.
    """
    if isinstance(material, FunctionTrees):
        return _protocol("single", material.single()) | _protocol("multiple", material.multiple())
    if isinstance(material, Vote):
        a, b = material.align()
        return _written(a.scores, a.counts, "a.") | _written(b.scores, b.counts, "b.")
    if isinstance(material, TreePair | DependencyPair):
        aligned = material.align()
        return _written(aligned.scores, aligned.counts)
    if isinstance(material, GraphPair):
        graphs = material.align()
        sums = {f"edm_{what}": sum(graphs.counts[f"edm_{letter}_{what}"] for letter in "napct") for what in _SUMS}
        return _written(graphs.scores, {**graphs.counts, **sums})
    return {}


def _written(scores: Mapping[str, float | None], counts: Mapping[str, float], before: str = "") -> dict[str, str]:
    found = {name: number(value) for name, value in counts.items()}
    for name, score in scores.items():
        shown = "–" if score is None else f"{score:.3f}" if METRICS[name].is_share else number(score)
        found[name] = shown
    return {before + name: text for name, text in found.items()}


def _protocol(which: str, made: TedEvalProtocol) -> dict[str, str]:
    values = {
        "score": "–" if made.score is None else f"{made.score:.3f}",
        "delta": str(made.delta),
        "discarded": str(sum(one.discarded for one in made.operations)),
        "steps": str(len(made.operations)),
        "parse": str(made.n_parse),
        "gold": str(made.n_generalized),
    }
    return {f"{which}.{name}": text for name, text in values.items()}


def filled(text: str, numbers: Mapping[str, str]) -> str:
    """Put figures into a text.

    Parameters
    ----------
    text : str
        The text; figures stand in two braces.
    numbers : mapping of str to str
        From :func:`numbers_of`.

    Returns
    -------
    str
        The text; a figure that is not known stays as it is.

    Examples
    --------
    >>> filled("T is {{t_dice}}.", {"t_dice": "0.750"})
    'T is 0.750.'
    """
    return _FIGURE.sub(lambda match: numbers.get(match[1], match[0]), text)
