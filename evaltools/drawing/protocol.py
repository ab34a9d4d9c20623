"""TedEval on one sentence in words and as data; as a picture it is drawn with bars."""

from __future__ import annotations

import json
from typing import Any

from evaltools.drawing.function_bars import function_bars_svg, protocol_bars
from evaltools.drawing.measure import visible
from evaltools.metrics.tedeval_protocol import Operation, TedEvalProtocol
from evaltools.treebank import MultiFunctionTree

__all__ = ["protocol_data", "protocol_json", "protocol_svg", "protocol_text"]


def protocol_svg(protocol: TedEvalProtocol, *, theme: str = "light") -> str:
    """Draw the parse and the generalization as one picture of bars.

    Parameters
    ----------
    protocol : TedEvalProtocol
        The sentence.
    theme : {"light", "dark", "auto"}
        Colours.
    """
    return function_bars_svg(protocol.parse.words, protocol_bars(protocol), theme=theme, label="steps of TedEval")


def _words(tree: MultiFunctionTree, places: frozenset[int], between: str) -> str:
    return between.join(visible(tree.words[place]) for place in sorted(places))


def protocol_text(protocol: TedEvalProtocol) -> str:
    """Write the trees, the steps and the score as text; what is not counted stands in brackets.

    Parameters
    ----------
    protocol : TedEvalProtocol
        The sentence.

    Examples
    --------
    >>> from evaltools.metrics.tedeval_protocol import tedeval_protocol
    >>> tree = MultiFunctionTree(("it", "rains"), {frozenset({0, 1}): {"root"}, frozenset({0}): {"sbj"}})
    >>> print(protocol_text(tedeval_protocol(tree, [tree])).splitlines()[-1])
    1 − 0 / (2 + 2) = 1.000
    """
    lines = [f"gold {number}: {tree}" for number, tree in enumerate(protocol.golds, start=1)]
    if len(protocol.golds) > 1:
        lines.append(f"common: {protocol.generalization}")
    lines += [f"parse:  {protocol.parse}", ""]
    between = "" if protocol.in_characters else " "

    def said(one: Operation) -> str:
        sign = "<" if one.kind == "delete" else ">"
        text = f"{sign} {one.kind} {one.label + ' ' if one.label is not None else ''}over "
        text += f"“{_words(protocol.parse, one.words, between)}”"
        return f"({text})" if one.discarded else text

    lines += [*map(said, protocol.operations), *([""] if protocol.operations else [])]
    score = "–" if protocol.score is None else f"{protocol.score:.3f}"
    lines.append(f"1 − {protocol.delta} / ({protocol.n_parse} + {protocol.n_generalized}) = {score}")
    return "\n".join(lines) + "\n"


def protocol_data(protocol: TedEvalProtocol) -> dict[str, Any]:
    """Return the trees, the steps and the score as dictionaries, lists, strings and numbers.

    Parameters
    ----------
    protocol : TedEvalProtocol
        The sentence.

    Returns
    -------
    dict
        ``words``; ``golds``, ``generalization`` and ``parse`` (nodes with their words and functions); ``operations``
        (kind, label or None, words, discarded); ``delta``, ``n_parse``, ``n_generalized``, ``score`` (None where
        undefined), ``labelled``, ``in_characters``, ``words_aligned``.
    """

    def nodes(tree: MultiFunctionTree) -> list[dict[str, Any]]:
        return [{"words": sorted(words), "functions": sorted(labels)} for words, labels in tree.labels.items()]

    return {
        "words": list(protocol.parse.words),
        "golds": [nodes(tree) for tree in protocol.golds],
        "generalization": nodes(protocol.generalization),
        "parse": nodes(protocol.parse),
        "operations": [
            {"kind": one.kind, "label": one.label, "words": sorted(one.words), "discarded": one.discarded}
            for one in protocol.operations
        ],
        "delta": protocol.delta,
        "n_parse": protocol.n_parse,
        "n_generalized": protocol.n_generalized,
        "score": protocol.score,
        "labelled": protocol.labelled,
        "in_characters": protocol.in_characters,
        "words_aligned": protocol.words_aligned,
    }


def protocol_json(protocol: TedEvalProtocol) -> str:
    """Write :func:`protocol_data` as JSON.

    Parameters
    ----------
    protocol : TedEvalProtocol
        The sentence.
    """
    return json.dumps(protocol_data(protocol), indent=1, ensure_ascii=False) + "\n"
