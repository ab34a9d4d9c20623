"""The repairs of a pair of treebanks, searched sentence by sentence."""

from __future__ import annotations

import numpy as np

from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.constituency.aligned_trees import Edits
from evaltools.frameworks.constituency.normalization import Pair
from evaltools.frameworks.constituency.repair import PairColumns
from evaltools.frameworks.presets import Preset


def searched(pair: Pair, preset: Preset) -> dict[int, Edits | None]:
    """Return the steps of the sentences that can be repaired, counted from 0."""
    columns = PairColumns.of(pair, preset)
    compared = np.flatnonzero((pair.status == SentenceStatus.OK) & ~columns.ordered.refused).tolist()
    found = {sentence: columns.search(sentence) for sentence in compared}
    return {sentence: None if own is None else own.edits for sentence, own in found.items()}
