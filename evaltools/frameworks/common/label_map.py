"""Labels of one inventory replaced by those of another, before trees are compared."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from evaltools.corpus.vocabulary import StringTable

__all__ = ["AFTER_CATEGORY", "AFTER_RELATION", "mapped_label", "mapped_numbers", "sign_label_map"]

AFTER_CATEGORY = "-="
"""What separates a category from its functions: ``NP-SBJ``."""
AFTER_RELATION = ":"
"""What separates a relation from its subtype: ``nsubj:pass``."""


def mapped_label(label: str, replacements: Mapping[str, str], separators: str) -> str:
    """Return a label after replacement: of the whole label, or else of what is before the first separator.

    Examples
    --------
    >>> replacements = {"NX": "NP", "nsubj:pass": "nsubjpass"}
    >>> mapped_label("NX-SBJ", replacements, AFTER_CATEGORY), mapped_label("-LRB-", replacements, AFTER_CATEGORY)
    ('NP-SBJ', '-LRB-')
    >>> mapped_label("nsubj:pass", replacements, AFTER_RELATION)
    'nsubjpass'
    """
    if label in replacements:
        return replacements[label]
    end = min((at for separator in separators if (at := label.find(separator)) > 0), default=len(label))
    return replacements.get(label[:end], label[:end]) + label[end:]


def mapped_numbers(table: StringTable, replacements: Mapping[str, str], separators: str) -> NDArray[np.int32]:
    """Return for the number of each label in a table the number of what replaces it."""
    return table.add_all(mapped_label(label, replacements, separators) for label in table.strings())


def sign_label_map(replacements: Mapping[str, str]) -> str:
    """Return the map in the signature of a run."""
    return f"label_map:{hashlib.sha256(json.dumps(sorted(replacements.items())).encode()).hexdigest()[:8]}"
