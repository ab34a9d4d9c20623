"""The conventions of attachment scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec

from evaltools.frameworks.conventions import READINGS, Convention, Dimension, Setting, other_metrics
from evaltools.frameworks.dependency.passes import METRICS
from evaltools.frameworks.metric import Metric, ratio


def _option(name: str, value: object) -> Callable[[Setting], Setting]:
    return lambda setting: replace(setting, options=msgspec.structs.replace(setting.options, **{name: value}))


_ATTACHMENT = {metric.id: metric for metric in METRICS}


def _share(side: str, words: str) -> Callable[[Setting], Setting]:
    """Return the change of a setting by LAS and UAS as shares of the words of one side."""

    def share(name: str) -> Metric:
        right, total = f"{name}_right", f"dep_{side}"
        return replace(
            _ATTACHMENT[name],
            id=f"{name}_{side}",
            title=f"{_ATTACHMENT[name].title}, share of {words}",
            columns=(right, total),
            score=lambda counts: ratio(counts[right], counts[total]),
        )

    return other_metrics({name: share(name) for name in ("uas", "las")})


CONVENTIONS: tuple[Dimension, ...] = (
    (
        Convention("punctuation", "punctuation counts", _option("punctuation", "keep")),
        Convention("no-punct", "words tagged PUNCT do not count", _option("punctuation", "upos")),
        Convention("no-ptb", "words with a PTB tag of punctuation do not count", _option("punctuation", "ptb")),
        Convention("no-punctuation", "words of Unicode punctuation do not count", _option("punctuation", "unicode")),
    ),
    (
        Convention("subtypes", "subtypes of relations count (nsubj:pass)", _option("subtypes", True)),
        Convention("no-subtypes", "subtypes of relations are cut", _option("subtypes", False)),
    ),
    (
        Convention("root", "words attached to the root count", _option("skip_root", False)),
        Convention("no-root", "words attached to the root do not count", _option("skip_root", True)),
    ),
    (Convention("unlabeled", "relations are ignored (UAS)", other_metrics({"las": _ATTACHMENT["uas"]})),),
    (
        Convention("aligned", "share of the aligned words, as if words were given", _share("aligned", "aligned words")),
        Convention("recall", "share of the gold words", _share("gold", "gold words")),
        Convention("precision", "share of the parser's words", _share("test", "the parser's words")),
    ),
    *READINGS,
)
"""The conventions, in the order in which they are applied."""
