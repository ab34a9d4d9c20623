"""The content of ``meta.json``: composed for a new run, and checked when a run, which may be untrusted, is opened."""

from __future__ import annotations

import datetime
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any

import msgspec

import evaltools
from evaltools.errors import EvaltoolsError, RunError
from evaltools.frameworks.common.status import Status
from evaltools.frameworks.framework import Framework
from evaltools.frameworks.registry import FRAMEWORKS, METRICS, framework_of
from evaltools.frameworks.scoring import Description, Inputs
from evaltools.frameworks.stored import Count, mismatch
from evaltools.runs.folders.digests import digest_of_meta, has_digests, invalid_digests
from evaltools.runs.folders.names import META
from evaltools.runs.schema import READABLE, SCHEMA, metrics_in, tables_of

__all__ = ["check_meta", "counted", "coverage", "derived_meta", "new_meta"]

_FIRST_SCHEMA_WITH_DIGESTS = 5


def new_meta(
    inputs: Inputs,
    description: Description,
    coverages: Mapping[str, Mapping[str, int]],
    labels: Collection[str],
    n_problems: int,
) -> dict[str, Any]:
    """Return the content of ``meta.json`` of a scored run, without rows and digests."""
    sources = (":".join(source) for source in description.sources)
    known = [metric.id for metric in FRAMEWORKS[inputs.framework].metrics]
    return {
        "schema": SCHEMA,
        "evaltools": evaltools.__version__,
        "created": _now(),
        "kind": inputs.framework,
        "signature": "|".join([f"evaltools:{evaltools.__version__}", *description.signature, *sources]),
        **description.rules,
        "sentences": description.n,
        "gold": description.golds[0],
        **description.more,
        "parsers": [{**entry, **coverages[entry["name"]]} for entry in description.parsers],
        "problems": n_problems,
        "metrics": inputs.metrics,
        "metrics_left_out": [name for name in known if name not in inputs.metrics],
        "labels": sorted(labels),
    }


def derived_meta(meta: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    """Return the content of ``meta.json`` of a run made from another one, without rows and digests."""
    return {name: value for name, value in meta.items() if name != "rows"} | {"created": _now()} | changes


def coverage(statuses: Sequence[int], n_words_aligned: int) -> dict[str, int]:
    """Return a parser's numbers of sentences, from the number of each Status."""
    return {
        "scored": statuses[Status.OK] + n_words_aligned,
        "missing": statuses[Status.MISSING],
        "words_differ": statuses[Status.WORDS_DIFFER],
        "words_aligned": n_words_aligned,
    }


def counted(coverage: Mapping[str, int]) -> int:
    """Return the number of gold sentences that can be used, parsed or not; it is the same for every parser."""
    return coverage["scored"] + coverage["missing"] + coverage["words_differ"] - coverage["words_aligned"]


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


class _Source(msgspec.Struct):
    file: str
    path: str | None
    sha256: str


class _Pairs(msgspec.Struct):
    shifted: Count
    without_partner: Count
    left_out: Count


class _Reason(msgspec.Struct):
    reason: str


class _ById(msgspec.Struct, tag_field="paired", tag="id"):
    pairing: _Pairs


class _ByPosition(msgspec.Struct, tag_field="paired", tag="position"):
    pairing: _Reason


class _Divided(msgspec.Struct):
    divided: Count
    without_partner: Count
    left_out: Count


class _ByText(msgspec.Struct, tag_field="paired", tag="text"):
    pairing: _Divided


class _Gold(_Source):
    theory: str


class _Parser(_Source):
    name: str
    scored: Count
    missing: Count
    words_differ: Count
    words_aligned: Count
    aligned: _Pairs | msgspec.UnsetType = msgspec.UNSET


class _Metadata(msgspec.Struct):
    keys: list[str]
    sources: list[_Source]


class _Options(msgspec.Struct):
    format: str | None


_MetricId = Annotated[str, msgspec.Meta(pattern=r"^[a-z][a-z0-9_]*\Z")]


class _Meta(msgspec.Struct):
    evaltools: str
    signature: str
    preset: str
    preset_rules: str
    preset_source: str | None
    preset_fields: dict[str, Any] | None
    options: _Options
    sentences: Count
    problems: Count
    metrics: Annotated[list[_MetricId], msgspec.Meta(min_length=1)]
    labels: list[str]
    gold: _Source
    parsers: Annotated[list[_Parser], msgspec.Meta(min_length=1)]
    rows: dict[str, Count]
    golds: list[_Gold] = []
    metadata: _Metadata | msgspec.UnsetType = msgspec.UNSET
    metrics_left_out: list[_MetricId] = []


def is_of_this_version(meta: Mapping[str, Any]) -> bool:
    """Return whether this version wrote a run."""
    return bool(meta["evaltools"] == evaltools.__version__)


def check_meta(path: object, meta: Any) -> dict[str, Any]:
    """Return the content of ``meta.json``; raise RunError if it is damaged, or of another version."""
    schema = meta.get("schema") if isinstance(meta, dict) else None
    if type(schema) is not int or schema not in READABLE:
        written, readable = repr(schema)[:40], " and ".join(map(str, READABLE))
        raise RunError(
            f"{path} was written with schema {written}; this version reads schemas {readable}: score it again"
        )
    if problem := _problem(meta):
        raise RunError(f"{path} is damaged: its {META} does not say how it was made ({problem})")
    checked: dict[str, Any] = meta
    if has_digests(checked) and not _matches_digest(checked):
        raise RunError(f"{path} is damaged: its {META} was changed after the run was written")
    return checked


def _matches_digest(meta: Mapping[str, Any]) -> bool:
    try:
        return digest_of_meta(meta) == str(meta["digest"])
    except RecursionError:  # nested too deeply to be written as JSON, so it was not written by evaltools
        return False


def _problem(meta: dict[str, Any]) -> str:
    """Return what is wrong with the content of ``meta.json``; empty if nothing is."""
    if problem := mismatch(meta, _Meta):
        return problem
    if (has_digests(meta) or meta["schema"] >= _FIRST_SCHEMA_WITH_DIGESTS) and (problem := invalid_digests(meta)):
        return problem
    paired = [entry for entry in (*meta.get("golds", ()), *meta["parsers"]) if "pairing" in entry]  # not in 0.2.0
    if problem := mismatch(paired, list[_ById | _ByPosition | _ByText]):
        return f"how sentences were paired: {problem}"
    try:
        framework = framework_of(meta)
    except EvaltoolsError:
        return f"unknown kind {str(meta['kind'])[:40]!r}"
    if missing := [table for table in tables_of(meta) if table not in meta["rows"]]:
        return f"'rows' has no {missing[0]!r}"
    return _name_problem(meta) or _metric_problem(meta, framework) or framework.stored.meta_problem(meta)


def _name_problem(meta: dict[str, Any]) -> str:
    names = [entry["name"] for entry in meta["parsers"]]
    if len(set(names)) < len(names):
        return "two parsers have the same name"
    if not all(name.isprintable() for name in names):
        return "a parser's name is not printable text"
    if meta["rows"]["sentences"] != meta["sentences"] * len(names):
        return f"{meta['sentences']} sentences of {len(names)} parsers cannot have {meta['rows']['sentences']} rows"
    return ""


def _metric_problem(meta: dict[str, Any], framework: Framework) -> str:
    """Return what is wrong with the metrics; ids that are unknown to this version are ignored."""
    if wrong := [name for name in meta["metrics"] if name in METRICS and name not in framework.metric_ids]:
        return f"unknown metric {wrong[0]!r} of {framework.title}"
    return "" if metrics_in(meta) else f"unknown metric {meta['metrics'][0]!r}, and no known metric"
