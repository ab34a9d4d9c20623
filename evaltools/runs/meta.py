"""What ``meta.json`` says of a run: its tables, its metrics, and how it was made.

It is composed for a new run, and checked when a run, which may be untrusted, is opened.
"""

from __future__ import annotations

import datetime
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any

import msgspec

import evaltools
from evaltools.errors import EvaltoolsError, RunError
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.framework import Description, Framework, Inputs, Scored
from evaltools.frameworks.options import options_problem
from evaltools.frameworks.registry import FRAMEWORKS, METRICS, framework_of
from evaltools.frameworks.stored import Count, mismatch
from evaltools.runs.folder import META

SCHEMA = 21
"""Version of what runs hold, raised with each change of it; runs of others are scored again."""

METADATA = "metadata"
"""The table of the metadata of sentences: ``sentence``, ``key``, ``value``; only runs with metadata have it."""

ORIGINAL = "original"
"""Column of the table ``sentences`` of a part of a run: the numbers of the sentences in the complete run."""
RANK = "rank_of_best"
"""Column of the table ``sentences`` with n-best lists: the rank of the best analysis; null if there is no list."""


def tables_of(meta: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the names of a run's tables, in their order."""
    more = (METADATA,) if metadata_keys(meta) else ()
    return (*dict.fromkeys(("sentences", *framework_of(meta).runs.tables, "trees", "problems")), *more)


def metadata_keys(meta: Mapping[str, Any]) -> list[str]:
    """Return the keys of the metadata of a run's sentences; none if it has no metadata."""
    return list(meta.get("metadata", {}).get("keys", ()))


def metrics_in(meta: Mapping[str, Any]) -> list[str]:
    """Return the ids of a run's metrics that this version supports."""
    return [name for name in meta["metrics"] if name in METRICS]


def new_meta(
    inputs: Inputs,
    description: Description,
    coverages: Mapping[str, Mapping[str, Any]],
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
    return {name: value for name, value in meta.items() if name != "tables"} | {"created": _now()} | changes


def coverage(statuses: Sequence[int], n_words_aligned: int) -> dict[str, int]:
    """Return a parser's numbers of sentences, from the number of each SentenceStatus."""
    return {
        "scored": statuses[SentenceStatus.OK] + n_words_aligned,
        "missing": statuses[SentenceStatus.MISSING],
        "words_differ": statuses[SentenceStatus.WORDS_DIFFER],
        "words_aligned": n_words_aligned,
    }


def coverage_of(parts: Iterable[Scored]) -> dict[str, int]:
    """Return a parser's numbers of sentences over all chunks."""
    statuses, n_words_aligned = [0] * len(SentenceStatus), 0
    for part in parts:
        statuses = [sum(pair) for pair in zip(statuses, part.statuses, strict=True)]
        n_words_aligned += part.n_words_aligned
    return coverage(statuses, n_words_aligned)


def counted(coverage: Mapping[str, int]) -> int:
    """Return the number of gold sentences that can be used, parsed or not; it is the same for every parser."""
    return coverage["scored"] + coverage["missing"] + coverage["words_differ"] - coverage["words_aligned"]


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


class _Source(msgspec.Struct):
    file: str
    path: str | None
    sha256: str


class _File(msgspec.Struct):
    rows: Count
    columns: dict[str, str]
    bytes: Count
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
    signs: dict[str, Count] = {}
    aligned: _Pairs | msgspec.UnsetType = msgspec.UNSET


class _Metadata(msgspec.Struct):
    keys: list[str]
    sources: list[_Source]


class _Complete(msgspec.Struct):
    of: str
    signature: str
    sentences: Count


class _Rank(msgspec.Struct):
    rank: Count
    parses: Count
    own_pooled: float
    own_mean: float
    pooled: float
    mean: float
    n: Count
    best: Count


class _List(msgspec.Struct):
    parser: str
    oracle: str
    lists: Count
    paired: str
    curve: Annotated[list[_Rank], msgspec.Meta(min_length=1)] | msgspec.UnsetType = msgspec.UNSET


class _Lists(msgspec.Struct):
    metric: str
    lists: list[_List]


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
    tables: dict[str, _File]
    golds: list[_Gold] = []
    metadata: _Metadata | msgspec.UnsetType = msgspec.UNSET
    subset: _Complete | msgspec.UnsetType = msgspec.UNSET
    nbest: _Lists | msgspec.UnsetType = msgspec.UNSET
    metrics_left_out: list[_MetricId] = []


def check_meta(path: object, meta: Any) -> dict[str, Any]:
    """Return the content of ``meta.json``; raise RunError if it is damaged, or of another version."""
    schema = meta.get("schema") if isinstance(meta, dict) else None
    if schema != SCHEMA:
        raise RunError(f"{path} is {_writer(meta)}; this version reads only its own runs: {_again(meta)}")
    if problem := _problem(meta):
        raise RunError(f"{path} is damaged: its {META} does not say how it was made ({problem})")
    checked: dict[str, Any] = meta
    return checked


def _writer(meta: Any) -> str:
    """Return which version wrote a run."""
    version = meta.get("evaltools") if isinstance(meta, dict) else None
    return f"a run of evaltools {version[:20]}" if isinstance(version, str) else "no run of this version"


def _again(meta: Any) -> str:
    """Return the command that scores the files of a run again, as far as its ``meta.json`` says which they are."""
    try:
        files = [meta["gold"]["path"], *(f"{entry['name']}={entry['path']}" for entry in meta["parsers"])]
    except (TypeError, KeyError):
        files = []
    if not all(isinstance(file, str) for file in files) or not files:
        return "score its files again"
    return f"score its files again: {shlex.join(['evaltools', 'score', *files, '-o', 'RUN'])}"


def _problem(meta: dict[str, Any]) -> str:
    """Return what is wrong with the content of ``meta.json``; empty if nothing is."""
    if problem := mismatch(meta, _Meta):
        return problem
    paired = [entry for entry in (*meta.get("golds", ()), *meta["parsers"]) if "pairing" in entry]
    if problem := mismatch(paired, list[_ById | _ByPosition | _ByText]):
        return f"how sentences were paired: {problem}"
    try:
        framework = framework_of(meta)
    except EvaltoolsError:
        return f"unknown kind {str(meta['kind'])[:40]!r}"
    if missing := [table for table in tables_of(meta) if table not in meta["tables"]]:
        return f"'tables' has no {missing[0]!r}"
    return (
        _name_problem(meta)
        or _derived_problem(meta)
        or _metric_problem(meta, framework)
        or options_problem(framework.options, meta)
        or framework.runs.meta_problem(meta)
    )


def _name_problem(meta: dict[str, Any]) -> str:
    names = [entry["name"] for entry in meta["parsers"]]
    if len(set(names)) < len(names):
        return "two parsers have the same name"
    if not all(name.isprintable() for name in names):
        return "a parser's name is not printable text"
    n_rows = meta["tables"]["sentences"]["rows"]
    if n_rows != meta["sentences"] * len(names):
        return f"{meta['sentences']} sentences of {len(names)} parsers cannot have {n_rows} rows"
    return ""


def _derived_problem(meta: dict[str, Any]) -> str:
    """Return what is wrong with what a part of a run, or a run of n-best lists, has beside other runs."""
    columns = meta["tables"]["sentences"]["columns"]
    for entry, column in (("subset", ORIGINAL), ("nbest", RANK)):
        if entry in meta and column not in columns:
            return f"{entry!r}, but no column {column} in the table sentences"
    nbest = meta.get("nbest", {"lists": ()})
    if nbest["lists"] and nbest["metric"] not in meta["metrics"]:
        return f"n-best lists by {nbest['metric']!r}, which is no metric of the run"
    parsers = {entry["name"] for entry in meta["parsers"]}
    if unknown := [name for item in nbest["lists"] for name in (item["parser"], item["oracle"]) if name not in parsers]:
        return f"n-best lists of {unknown[0]!r}, which is no parser of the run"
    return ""


def _metric_problem(meta: dict[str, Any], framework: Framework) -> str:
    """Return what is wrong with the metrics; ids that are unknown to this version are ignored."""
    own = {metric.id for metric in framework.metrics}
    if wrong := [name for name in meta["metrics"] if name in METRICS and name not in own]:
        return f"unknown metric {wrong[0]!r} of {framework.title}"
    return "" if metrics_in(meta) else f"unknown metric {meta['metrics'][0]!r}, and no known metric"
