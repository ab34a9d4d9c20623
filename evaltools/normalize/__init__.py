"""What counts: presets, EVALB parameter files, and their application to a pair of treebanks."""

from evaltools.normalize.apply import Normalized, Pair, Status, normalize_gold, normalize_pair
from evaltools.normalize.empty_elements import without_empty_elements
from evaltools.normalize.preset import PRESETS, Preset, load_preset, preset_from_parameters
from evaltools.normalize.word_alignment import WordAlignment, WordLinks

__all__ = [
    "PRESETS",
    "Normalized",
    "Pair",
    "Preset",
    "Status",
    "WordAlignment",
    "WordLinks",
    "load_preset",
    "normalize_gold",
    "normalize_pair",
    "preset_from_parameters",
    "without_empty_elements",
]
