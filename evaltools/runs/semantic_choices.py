"""What is asked of a run of semantic graphs, and what is not to be asked of one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from evaltools.errors import ParameterError
from evaltools.metrics.edm_rules import EDM_PRESETS, EdmRules, load_edm_rules
from evaltools.normalize import Preset, load_preset
from evaltools.runs.passes import Options

__all__ = ["check_options", "semantic_rules", "tree_rules"]


def semantic_rules(
    preset: str | Preset | EdmRules, weights: str | os.PathLike[str] | None, spans: str | None
) -> EdmRules:
    """Return which triples count.

    Parameters
    ----------
    preset : str, Preset or EdmRules
        As asked for; ``"standard"`` is what the file of weights names, or the first of
        :data:`evaltools.EDM_PRESETS`.
    weights : path or None
        A file of weights.
    spans : str or None
        How spans are compared.

    Raises
    ------
    ParameterError
        If the preset is one for trees, or unknown.
    InputError
        If the file of weights cannot be read.
    """
    file = None if weights is None else Path(weights)
    if preset == "standard" or preset == load_preset("standard"):
        return load_edm_rules(None, file, spans)
    if isinstance(preset, Preset):
        raise ParameterError(f"preset {preset.name}: it is for trees, and semantic graphs have no brackets")
    if isinstance(preset, str) and preset not in EDM_PRESETS:
        raise ParameterError.unknown("preset of semantic graphs", preset, EDM_PRESETS)
    return load_edm_rules(preset, file, spans)


def tree_rules(preset: str | Preset | EdmRules, weights: Any, spans: str | None) -> Preset:
    """Return the preset of a run of trees.

    Raises
    ------
    ParameterError
        If something is asked for that only semantic graphs have, or the preset is unknown.
    """
    for name, value in (("weights", weights), ("spans", spans)):
        if value is not None:
            raise ParameterError(f"{name}: an option for semantic graphs; these are trees")
    name = preset if isinstance(preset, str) else preset.name
    if isinstance(preset, EdmRules) or (isinstance(preset, str) and preset in EDM_PRESETS):
        raise ParameterError(f"preset {name}: it is for semantic graphs, and these are trees")
    return load_preset(preset)


def check_options(options: Options, *, resume: bool, dask: str | None) -> None:
    """Raise an error if something is asked for that has no meaning for semantic graphs.

    Parameters
    ----------
    options : Options
        As asked for.
    resume : bool
        Whether an interrupted run is to be continued.
    dask : str or None
        The address of a cluster.

    Raises
    ------
    ParameterError
        For the first of them.
    """
    asked = {
        "la_preterminals": options.la_preterminals,
        "la_table": options.la_table is not None,
        "engine": options.engine != "banded",
        "align_sentences": options.align_sentences,
        "punctuation": options.punctuation is not None,
        "subtypes": options.subtypes is not None,
        "resume": resume,
        "dask": dask is not None,
    }
    for name, is_asked in asked.items():
        if is_asked:
            raise ParameterError(f"{name}: an option for trees; it has no meaning for semantic graphs")
