"""Presets: what is deleted, cut and equated before trees are compared; and EVALB parameter files."""

from evaltools.frameworks.presets.preset import PRESETS, Preset, load_preset, preset_from_parameters

__all__ = ["PRESETS", "Preset", "load_preset", "preset_from_parameters"]
