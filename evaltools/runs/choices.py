"""What is asked of a run, settled once the kind of its trees is known."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from evaltools.errors import InputError, ParameterError, Problem
from evaltools.formats import FORMATS
from evaltools.formats.treebank_stream import CorpusStream
from evaltools.metrics import METRICS, metrics_of
from evaltools.metrics.tree_distance import ENGINES
from evaltools.normalize import Preset, load_preset
from evaltools.normalize.dependency_pair import DependencyRules
from evaltools.runs.kinds import TABLES_OF
from evaltools.runs.passes import Options

__all__ = ["check_arguments", "common_kind", "rules_for", "select_metrics", "settled"]

_NAMES = {"constituency": "constituency trees", "dependency": "dependency trees", "functions": "function trees"}


def check_arguments(parsers: Collection[str], engine: str, jobs: int | None) -> None:
    """Check what can be checked before any file is opened.

    Parameters
    ----------
    parsers : collection of str
        The parsers' names.
    engine : str
        What is to compute tree distance.
    jobs : int or None
        Number of threads.

    Raises
    ------
    ParameterError
        If there is no parser, a name cannot be shown, or another value is none that there is.
    """
    if engine not in ENGINES:
        raise ParameterError.unknown("engine", engine, ENGINES)
    if not parsers:
        raise ParameterError("no parser given; at least one output is needed, as NAME=FILE")
    for name in parsers:
        if not name.isprintable():
            raise ParameterError(f"a parser's name must be printable text: {name!r}")
    if jobs is not None and jobs < 1:
        raise ParameterError(f"jobs must be at least 1, not {jobs}")


def common_kind(gold: CorpusStream, parsers: Mapping[str, CorpusStream]) -> str:
    """Return what kind of trees all files hold.

    Parameters
    ----------
    gold : CorpusStream
        The gold file, which decides.
    parsers : mapping of str to CorpusStream
        The parsers' files.

    Raises
    ------
    InputError
        If a parser's file holds another kind, or the gold file one that cannot be scored.
    """
    kind: str = FORMATS[gold.format].HOLDS
    if kind not in TABLES_OF:
        expected = " or ".join(says for one, says in _NAMES.items() if one in TABLES_OF)
        found = f"{_NAMES[kind]} ({FORMATS[gold.format].TITLE})"
        raise InputError(Problem("kind", gold.name, None, None, found, expected))
    for name, stream in parsers.items():
        held: str = FORMATS[stream.format].HOLDS
        if held != kind:
            found = f"{_NAMES[held]} ({FORMATS[stream.format].TITLE})"
            expected = f"{_NAMES[kind]}, as in {gold.name}; evaltools crossframework compares different kinds"
            raise InputError(Problem("kind", stream.name, None, None, found, expected, parser=name))
    return kind


def rules_for(kind: str, preset: Preset) -> Preset:
    """Return the preset to use for a kind of trees: for dependency trees the one that leaves them as they are.

    Raises
    ------
    ParameterError
        If another preset than the default was asked for.
    """
    if kind != "dependency":
        return preset
    if preset not in (load_preset("standard"), load_preset("none")):
        raise ParameterError(f"preset {preset.name}: presets delete brackets, and dependency trees have none")
    return load_preset("none")


def settled(kind: str, options: Options, metrics: Iterable[str]) -> Options:
    """Return the options with everything that the kind of trees leaves open put in.

    Parameters
    ----------
    kind : str
        The kind of trees.
    options : Options
        As asked for.
    metrics : iterable of str
        Ids of the metrics.

    Raises
    ------
    ParameterError
        If an option has no meaning for the trees.
    """
    options = replace(options, families=tuple(dict.fromkeys(METRICS[name].family for name in metrics)))
    if kind == "dependency":
        if options.la_preterminals:
            raise ParameterError("lineages of dependency trees are of relations; they hold no tags")
        if options.align_sentences:
            raise ParameterError(
                "dependency trees are paired by sent_id or by position; align_sentences is not for them"
            )
        rules = DependencyRules(options.punctuation or "keep", bool(options.subtypes))
        return replace(options, punctuation=rules.punctuation, subtypes=rules.subtypes)
    if options.punctuation is not None or options.subtypes is not None:
        raise ParameterError("punctuation and subtypes are options for dependency trees; presets say what else counts")
    return options


def select_metrics(names: Iterable[str] | None, *, kind: str | None = None, has_table: bool = False) -> list[str]:
    """Return metric ids for ids and families, in the table's order.

    Parameters
    ----------
    names : iterable of str, or None
        Ids and families; None for all.
    kind : str, optional
        The kind of trees; any if it is not known yet.
    has_table : bool
        Whether there is a table of costs, for ``la_table``.

    Raises
    ------
    ParameterError
        If a name is neither.
    """
    available = [name for name in (METRICS if kind is None else metrics_of(kind)) if name != "la_table" or has_table]
    if names is None:
        return available
    families = {METRICS[name].family for name in available}
    wanted: set[str] = set()
    for name in names:
        if name in families:
            wanted |= {metric for metric in available if METRICS[metric].family == name}
        elif name in available:
            wanted.add(name)
        else:
            raise ParameterError.unknown("metric", name, dict.fromkeys([*sorted(families), *available]))
    return [name for name in available if name in wanted]
