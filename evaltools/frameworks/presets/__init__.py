"""Presets, rules that are applied to trees before scoring, and EVALB parameter files."""

from __future__ import annotations

from evaltools.frameworks.presets.preset import PRESETS, Preset, load_preset, preset_from_parameters

__all__ = ["PRESETS", "Preset", "load_preset", "preset_from_parameters"]
