"""Where a run comes from: what ``meta.json`` says, and the signature printed beside every figure."""

from __future__ import annotations

import datetime
import hashlib
import json
from typing import Any

import evaltools
from evaltools.formats.treebank_stream import CorpusStream
from evaltools.normalize import PRESETS, Preset, load_preset
from evaltools.runs.dependency_passes import rules_of
from evaltools.runs.kinds import SCHEMA
from evaltools.runs.passes import Options

__all__ = ["describe", "describe_options", "source_entry"]


def describe(
    kind: str,
    preset: Preset,
    options: Options,
    format_name: str | None,
    gold: CorpusStream,
    parsers: list[dict[str, Any]],
    n_problems: int,
) -> dict[str, Any]:
    """Return what ``meta.json`` says of a run.

    Parameters
    ----------
    kind : str
        What kind of trees it compares.
    preset, options, format_name
        As the run was asked for.
    gold : CorpusStream
        The gold treebank, read to its end.
    parsers : list of dict
        An entry for each parser: its source, its name and its numbers of sentences.
    n_problems : int
        Rows of the table of problems.
    """
    chosen = describe_options(options, format_name)
    return {
        "schema": SCHEMA,
        "evaltools": evaltools.__version__,
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "kind": kind,
        "signature": _signature(preset, chosen, gold, parsers),
        "preset": preset.name,
        "preset_rules": rules_of(options).describe() if kind == "dependency" else preset.describe(),
        "preset_source": preset.source,
        "preset_fields": None if preset.source else preset.to_dict(),
        "options": chosen,
        "sentences": gold.n_read,
        "gold": source_entry(gold),
        "parsers": parsers,
        "problems": n_problems,
    }


def describe_options(options: Options, format_name: str | None) -> dict[str, Any]:
    """Return the options as ``meta.json`` keeps them."""
    table = options.la_table
    aligned: dict[str, Any] = {"align_sentences": True} if options.align_sentences else {}
    if options.punctuation is not None or options.subtypes is not None:
        aligned |= {"punctuation": options.punctuation, "subtypes": options.subtypes}
    return aligned | {
        "la_preterminals": options.la_preterminals,
        "la_table": None if table is None else [[*pair, cost] for pair, cost in table.costs.items()],
        "engine": options.engine,
        "format": format_name,
    }


def source_entry(stream: CorpusStream) -> dict[str, Any]:
    """Return the name, place, format, number of sentences and digest of an input that was read to its end."""
    return {
        "file": stream.name,
        "path": stream.path,
        "format": stream.format,
        "sentences": stream.n_read,
        "sha256": stream.digest,
    }


def _signature(preset: Preset, options: dict[str, Any], gold: CorpusStream, parsers: list[dict[str, Any]]) -> str:
    """Say in one line how the figures came about: version, preset, options, digests of the inputs."""
    parts = [f"evaltools:{evaltools.__version__}"]
    own_rules = preset.source
    if not own_rules and (preset.name not in PRESETS or preset != load_preset(preset.name)):
        own_rules = json.dumps(preset.to_dict())
    rules = f"#{hashlib.sha256(own_rules.encode()).hexdigest()[:8]}" if own_rules else ""
    parts.append(f"preset:{preset.name}{rules}")
    if options["la_preterminals"]:
        parts.append("la:preterminals")
    if options["la_table"] is not None:
        parts.append(f"la_table:{hashlib.sha256(json.dumps(options['la_table']).encode()).hexdigest()[:8]}")
    if options.get("align_sentences"):
        parts.append("align:sentences")
    if "punctuation" in options:
        parts.append(f"punctuation:{options['punctuation']}")
        parts.append(f"subtypes:{'keep' if options['subtypes'] else 'drop'}")
    if options["engine"] != "banded":
        parts.append(f"engine:{options['engine']}")
    if options["format"]:
        parts.append(f"format:{options['format']}")
    parts.append(f"gold:{gold.digest[:12]}")
    parts += [f"{entry['name']}:{entry['sha256'][:12]}" for entry in parsers]
    return "|".join(parts)
