"""The conventions of attachment scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import msgspec

from evaltools.frameworks.conventions import READINGS, Convention, Dimension, Setting


def _option(name: str, value: object) -> Callable[[Setting], Setting]:
    return lambda setting: replace(setting, options=msgspec.structs.replace(setting.options, **{name: value}))


def _unlabeled(setting: Setting) -> Setting:
    return setting.read(metric="uas") if setting.reading.metric == "las" else setting


CONVENTIONS: tuple[Dimension, ...] = (
    (
        Convention("punctuation", "punctuation counts", _option("punctuation", "keep")),
        Convention("no-punct", "words tagged PUNCT do not count", _option("punctuation", "upos")),
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
    (Convention("unlabeled", "relations are ignored (UAS)", _unlabeled),),
    *READINGS,
)
"""The conventions, in the order in which they are applied."""
