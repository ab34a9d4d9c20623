"""What counts: presets, EVALB parameter files, and their application to a pair of treebanks."""

from evaltools.normalize.apply import Pair, Status, normalize_gold, normalize_pair
from evaltools.normalize.preset import PRESETS, Preset, load_preset

__all__ = ["PRESETS", "Pair", "Preset", "Status", "load_preset", "normalize_gold", "normalize_pair"]
