"""Two files scored by several presets and options, read once in each way that presets need; no run is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaltools.errors import ParameterError
from evaltools.frameworks.common.columns import Rows, concatenated, plain
from evaltools.frameworks.common.labels import sums_of
from evaltools.frameworks.common.tree_inputs import with_rules
from evaltools.frameworks.framework import Framework, Inputs, ReadChunk, Request
from evaltools.frameworks.metric import Metric, find_metric
from evaltools.frameworks.options import Options, changed, options_of
from evaltools.frameworks.registry import FRAMEWORKS, METRICS
from evaltools.progress import Progress
from evaltools.runs.scoring import noting_compilation, plan_files
from evaltools.runs.store import Run
from evaltools.runs.subset import original_numbers
from evaltools.runs.verification import digest_of, obstacle

_SENTENCES_PER_CHUNK = 4096
_NO_REQUEST = Request()


class Rescoring:
    """A gold file and the file of a parser, whose counts can be had by any preset and options.

    The metric is one of the same counts as the main metric; by default that one.
    """

    def __init__(
        self,
        gold: str,
        parse: str,
        parser: str,
        metric: str | None = None,
        *,
        request: Request = _NO_REQUEST,
        encoding: str | None = None,
        sentences: NDArray[np.int64] | None = None,  # Numbers of the sentences that count; by default all
        progress: Progress | None = None,
    ) -> None:
        self.parser = parser
        self._files, self._request, self._encoding = (gold, parse), request, encoding
        self._sentences, self._progress = sentences, progress or Progress()
        inputs = self._opened(request)
        framework = FRAMEWORKS[inputs.framework]
        self.conventions = framework.figures.conventions()
        known_metrics = explained_metrics(framework)
        if not known_metrics:
            known = [item.title for item in FRAMEWORKS.values() if item.figures.conventions()]
            raise ParameterError(f"conventions are known for {' and '.join(known)}, not for {framework.title}")
        self.metric = METRICS[framework.figures.main] if metric is None else find_metric(metric, known_metrics)
        chunks = _read(inputs)
        self.preset: Any  # A preset of trees, or rules of graphs
        self.options: Options
        self.preset, self.options, _ = chunks[0].rules
        self._chunks = {self.preset.reading: chunks}
        self._scored: list[tuple[Any, Options, Rows]] = []

    def counts(self, preset: Any, options: Options) -> Rows:
        """Return the columns of the table ``sentences`` by a preset and options."""
        for known, given, rows in self._scored:
            if known == preset and given == options:
                return rows
        parts = []
        for chunk in self._chunks_for(preset):
            prepared = with_rules(chunk, preset, options, (self.metric.family.id,)).prepared()
            parts.append(prepared.score(self.parser, self._progress, details=False).tables["sentences"])
        rows = plain(concatenated(parts))
        if self._sentences is not None:
            rows = {name: column[self._sentences - 1] for name, column in rows.items()}
        self._scored.append((preset, options, rows))
        return rows

    def signs(self) -> dict[str, int]:
        """Count what shows that files or rules are not what was meant, by the rules that the figures begin with."""
        rules = self.preset, self.options, (self.metric.family.id,)
        chunks = (with_rules(chunk, *rules).prepared() for chunk in self._chunks_for(self.preset))
        return sums_of(chunk.signs(self.parser) for chunk in chunks)

    def _chunks_for(self, preset: Any) -> list[ReadChunk]:
        """Return the sentences as evalb reads them, or as they are; or graphs, with empty ones or without."""
        if preset.reading not in self._chunks:
            self._chunks[preset.reading] = _read(self._opened(replace(self._request, preset=preset)))
        return self._chunks[preset.reading]

    def _opened(self, request: Request) -> Inputs:
        gold, parse = self._files
        with noting_compilation(self._progress):
            return plan_files(gold, {self.parser: parse}, request, self._encoding)(self._progress)


def explained_metrics(framework: Framework) -> Sequence[Metric]:
    """Return the metrics whose figures conventions explain: those of the same counts as the main one; none without."""
    if not framework.figures.conventions():
        return ()
    main = METRICS[framework.figures.main]
    return next(kind.metrics for kind in framework.passes.values() if main in kind.metrics)


def _read(inputs: Inputs) -> list[ReadChunk]:
    chunks = []
    while (chunk := inputs.read(_SENTENCES_PER_CHUNK)).n:
        chunks.append(chunk)
    if not chunks:
        inputs.describe({})  # raises the error for a file without trees
    return chunks


def rescoring_of(run: Run, parser: str, metric: str | None = None, progress: Progress | None = None) -> Rescoring:
    """Return the files of a parser of a run, to be scored again; the rules begin with those of the run.

    Raises
    ------
    ParameterError
        If the run has no such parser, or the files are not there, or are others than those of the run.
    """
    meta = run.meta
    entry = next((item for item in meta["parsers"] if item["name"] == parser), None)
    if entry is None:
        raise ParameterError.unknown("parser", parser, run.parsers)
    if "nbest" in meta or "golds" in meta:
        raise ParameterError(f"{run.path}: a run of n-best lists or of several gold files, which is not scored again")
    for source in (meta["gold"], entry):
        _check(source)
    options = changed(options_of(run.framework.options, meta))
    return Rescoring(
        meta["gold"]["path"],
        entry["path"],
        parser,
        metric,
        request=Request(run.edm_rules if "edm_rules" in meta else run.rules, meta["options"]["format"], None, options),
        encoding=meta["options"].get("encoding"),
        sentences=original_numbers(run),
        progress=progress,
    )


def _check(source: Mapping[str, Any]) -> None:
    """Raise ParameterError if a source of a run cannot be scored again."""
    fault = obstacle(dict(source))
    if fault is None and digest_of(Path(source["path"])) != source["sha256"]:
        fault = f"{source['path']}: has changed since it was scored"
    if fault is not None:
        raise ParameterError(f"{fault}; give the gold file and the parse instead of the run")
