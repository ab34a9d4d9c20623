"""Rankings in words: which parsers have the highest figures, which swap ranks, and on which variants.

Ranks follow the figures, significant or not; ``evaltools.analysis.comparison.standing`` describes significance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from evaltools.analysis.rankings import AVERAGES, Crossing, PairOrder, Variant, pair_orders, rank_parsers
from evaltools.frameworks.registry import METRICS
from evaltools.text import listing

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["describe_change", "describe_crossing", "describe_variants", "verdict"]


def _joined(group: str, norm: str, figure: str) -> str:
    return ", ".join(part for part in (f"{group} {norm}".strip(), figure) if part)


def describe_crossing(crossing: Crossing, variants: Sequence[Variant]) -> str:
    """Describe between which variants two parsers swap ranks: first what the two share, then what differs.

    Parameters
    ----------
    crossing : Crossing
        The change.
    variants : sequence of Variant
        What its places mean.

    Returns
    -------
    str
        A clause without a full stop.

    Examples
    --------
    >>> from evaltools.analysis.rankings import VARIANTS
    >>> describe_crossing(Crossing("petrov", "charniak", 0, 1), VARIANTS)
    'Dice, micro: Bracketing ranks petrov below charniak, Bracketing with tags above'
    """
    parts = [(v.group, v.norm, AVERAGES[v.figure]) for v in (variants[crossing.before], variants[crossing.after])]
    shared = [a if a == b else "" for a, b in zip(*parts, strict=True)]
    first, second = (_joined(*(a if not s else "" for a, s in zip(part, shared, strict=True))) for part in parts)
    context = f"{_joined(*shared)}: " if any(shared) else ""
    return f"{context}{first} ranks {crossing.up} below {crossing.down}, {second} above"


def describe_variants(chosen: Iterable[Variant], variants: Sequence[Variant]) -> str | None:
    """Describe some of the variants by the choices that make them, or return None where that takes too many words.

    Examples
    --------
    >>> from evaltools.analysis.rankings import VARIANTS
    >>> describe_variants([v for v in VARIANTS if v.group == "Bracketing" and v.figure == "mean"], VARIANTS)
    'Bracketing, macro'
    >>> describe_variants([v for v in VARIANTS if v.mapping == "Bracketing"], VARIANTS)
    'Bracketing and Bracketing with tags'
    >>> describe_variants([VARIANTS[0], VARIANTS[9]], VARIANTS) is None
    True
    """
    chosen = list(chosen)
    if len(chosen) == 1:
        return chosen[0].title

    def values(key: str, among: Iterable[Variant]) -> list[str]:
        return list(dict.fromkeys(str(getattr(variant, key)) for variant in among))

    groups, norms, figures = (values(key, chosen) for key in ("group", "norm", "figure"))
    product = {v.id for v in variants if v.group in groups and v.norm in norms and v.figure in figures}
    if product != {variant.id for variant in chosen}:
        return None
    of_groups = [variant for variant in variants if variant.group in groups]
    named_groups = ""
    if len(groups) < len(values("group", variants)):
        if len(groups) > 3:
            rest = [group for group in values("group", variants) if group not in groups]
            named_groups = f"all but {listing(rest)}"
        else:
            named_groups = listing(groups)
    named_norms = listing(norms) if len(norms) < len(values("norm", of_groups)) else ""
    named_figures = ""
    if len(figures) < len(values("figure", of_groups)):
        named_figures = listing([AVERAGES[figure] for figure in figures])
    return _joined(named_groups, named_norms, named_figures) or "all variants"


def describe_change(pair: PairOrder, variants: Sequence[Variant]) -> str:
    """Describe on which variants each of two parsers has the higher figure."""
    number = len(variants)
    named = describe_variants([variants[at] for at in pair.b_ahead], variants)
    if len(pair.b_ahead) < len(pair.a_ahead) and named is not None:
        return f"{pair.parser_b} ranks higher only on {named}"
    tied = f"; they tie on {len(pair.tied)}" if pair.tied else ""
    higher = f"{pair.parser_a} ranks higher on {len(pair.a_ahead)} of {number} variants"
    return f"{higher}, {pair.parser_b} on {len(pair.b_ahead)}{tied}"


def verdict(figures: pd.DataFrame, variants: Sequence[Variant]) -> str:
    """Describe in one line which parser has the highest figure on which variants, and which parsers swap ranks.

    Parameters
    ----------
    figures : DataFrame
        Index: parsers; columns: variants; as from :func:`evaltools.analysis.figures_by_variant`.
    variants : sequence of Variant
        The columns' meanings.

    Returns
    -------
    str
        A sentence.
    """
    figures = figures[figures.notna().any(axis=1)]
    parsers = list(figures.index)
    if not parsers:
        return "No parser has a score on any variant of the metrics."
    if len(parsers) == 1:
        return _single(figures, variants)
    highest = _highest(figures, variants)
    changing = [pair for pair in pair_orders(figures) if pair.changes]
    if len(parsers) == 2:
        return f"{highest}."
    if not changing:
        tied = rank_parsers(figures).eq(1).all(axis=None)
        return f"{highest}." if tied else f"{highest}; no two parsers swap ranks."
    first = changing[0]
    how = describe_change(first, variants)
    pair = f"{first.parser_a} and {first.parser_b}"
    if len(changing) == 1:
        return f"{highest}; {pair} swap ranks: {how}."
    return f"{highest}; {len(changing)} pairs of parsers swap ranks, most evenly {pair}: {how}."


def _single(figures: pd.DataFrame, variants: Sequence[Variant]) -> str:
    """Describe the scores of the only parser: the first variant of each mapping."""
    parser = figures.index[0]
    figures_by_mapping: dict[str, str] = {}
    for variant in variants:
        value = figures.loc[parser, variant.id]
        if value == value and variant.mapping not in figures_by_mapping:
            figure = METRICS[variant.metric].text_with_sign(float(value))
            figures_by_mapping[variant.mapping] = f"{figure} on {variant.name}"
    return f"{parser} scores {listing(list(figures_by_mapping.values()))}, {AVERAGES[variants[0].figure]}."


def _variants_in_words(number: int, variants: Sequence[Variant]) -> str:
    if len(variants) == 1:
        return f"on the only variant, {variants[0].title}"
    return f"on all {len(variants)} variants" if number == len(variants) else f"on {number} of {len(variants)} variants"


def _highest(figures: pd.DataFrame, variants: Sequence[Variant]) -> str:
    """Describe which parser has the highest figure, and on how many variants."""
    first = rank_parsers(figures).eq(1)
    counts = first.sum(axis=1)
    leaders = [str(name) for name in counts[counts > 0].sort_values(ascending=False, kind="stable").index]
    n = len(variants)
    if all(counts[name] == n for name in leaders):
        everywhere = _variants_in_words(n, variants)
        if len(leaders) == 1:
            return f"{leaders[0]} has the highest figure {everywhere}"
        if len(leaders) == len(figures):
            return f"{'Both' if len(leaders) == 2 else f'All {len(leaders)}'} parsers are equal {everywhere}"
        return f"{listing(leaders)} share the highest figure {everywhere}"
    others = leaders[1:]
    shared = int((first.sum(axis=0) > 1).sum())
    text = f"{leaders[0]} has the highest figure {_variants_in_words(int(counts[leaders[0]]), variants)}"
    if len(others) == 1:
        second = others[0]
        where = describe_variants([v for v in variants if first.loc[second, v.id]], variants)
        text += f", {second} on {int(counts[second])}" + (f" ({where})" if where is not None else "")
    elif others:
        text += ", " + listing([f"{name} on {int(counts[name])}" for name in others])
    if shared:
        text += f"; {shared} of these {'is' if shared == 1 else 'are'} shared"
    return text
