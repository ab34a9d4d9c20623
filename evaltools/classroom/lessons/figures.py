"""Computed figures of a step, referenced by name in its texts."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from evaltools.classroom.lessons.material import FunctionTrees, Material, Vote
from evaltools.frameworks.crossframework.edit_scripts import TedEvalProtocol
from evaltools.frameworks.registry import METRICS
from evaltools.text import number, percent, with_direction_codes

__all__ = ["filled", "named", "names_for", "numbers_of", "reference_figures"]

_FIGURE = re.compile(r"\{\{\s*([\w.]+)\s*\}\}")
_PROTOCOL = ("score", "delta", "discarded", "steps", "parse", "gold")


@cache
def reference_figures() -> dict[str, str]:
    """Return figures that do not belong to a step, such as those of the bundled sample; a test computes them."""
    text = (resources.files(__package__) / "figures.toml").read_text("utf-8")
    return {f"{group}.{name}": value for group, rows in tomllib.loads(text).items() for name, value in rows.items()}


def named(text: str) -> list[str]:
    """Return the names of the figures in a text.

    Examples
    --------
    >>> named("{{t_dice}} is more than {{ e_dice_roof }}")
    ['t_dice', 'e_dice_roof']
    """
    return _FIGURE.findall(text)


def names_for(material: type[Material] | None) -> tuple[str, ...]:
    """Return the names of the figures of a class of material."""
    if material is FunctionTrees:
        return tuple(f"{golds}.{figure}" for golds in ("single", "multiple") for figure in _PROTOCOL)
    if material is None:
        return ()
    framework = material.framework
    columns = [column for name in framework.examples for column in METRICS[name].columns]
    own = dict.fromkeys((*framework.examples, *columns, *framework.totals))
    return tuple(f"{parse}.{name}" for parse in "ab" for name in own) if material is Vote else tuple(own)


def numbers_of(material: Material | None) -> dict[str, str]:
    """Compute the figures of a step.

    Parameters
    ----------
    material : Material or None
        What the step shows.

    Returns
    -------
    dict of str to str
        Every figure by name: scores as percentages, counts as they are, a dash if undefined.
    """
    return {**reference_figures(), **_own_numbers(material)}


def _own_numbers(material: Material | None) -> dict[str, str]:
    if isinstance(material, FunctionTrees):
        return _protocol("single", material.single()) | _protocol("multiple", material.multiple())
    if isinstance(material, Vote):
        a, b = material.align()
        return _written(a.scores, a.counts, "a.") | _written(b.scores, b.counts, "b.")
    if material is None:
        return {}
    aligned = material.align()
    totals = {
        name: sum(aligned.counts[column] for column in columns) for name, columns in material.framework.totals.items()
    }
    return _written(aligned.scores, {**aligned.counts, **totals})


def _written(scores: Mapping[str, float | None], counts: Mapping[str, float], prefix: str = "") -> dict[str, str]:
    texts = {name: number(value) for name, value in counts.items()}
    for name, score in scores.items():
        texts[name] = METRICS[name].score_text(score)
    return {prefix + name: text for name, text in texts.items()}


def _protocol(golds: str, protocol: TedEvalProtocol) -> dict[str, str]:
    values = {
        "score": percent(protocol.score),
        "delta": str(protocol.delta),
        "discarded": str(sum(item.discarded for item in protocol.operations)),
        "steps": str(len(protocol.operations)),
        "parse": str(protocol.n_parse),
        "gold": str(protocol.n_generalized),
    }
    return {f"{golds}.{name}": text for name, text in values.items()}


def filled(text: str, numbers: Mapping[str, str]) -> str:
    """Fill figures into a text, and write characters that change its direction as codes.

    Parameters
    ----------
    text : str
        The text; figures stand in two braces.
    numbers : mapping of str to str
        From :func:`numbers_of`.

    Returns
    -------
    str
        The text; unknown names are left unchanged.

    Examples
    --------
    >>> filled("T is {{t_dice}}.", {"t_dice": "0.750"})
    'T is 0.750.'
    """
    return with_direction_codes(_FIGURE.sub(lambda match: numbers.get(match[1], match[0]), text))
