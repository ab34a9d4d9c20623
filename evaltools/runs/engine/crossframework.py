"""Comparing parsers of different theories and frameworks: gold treebanks and parser outputs in, a run out."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

from evaltools.formats.objects import decoded, read_objects
from evaltools.frameworks.crossframework.inputs import AnySource, Conversion, plan_theories
from evaltools.progress import Progress
from evaltools.runs.engine.metadata import MetadataJoin, as_files
from evaltools.runs.engine.scoring import AnyMetadata, make_run
from evaltools.runs.store import Run

__all__ = ["crossframework"]


def crossframework(
    golds: Mapping[str, AnySource],
    parsers: Mapping[str, tuple[str, AnySource]],
    *,
    out: str | os.PathLike[str] | None = None,
    label_map: Mapping[str, str] | None = None,
    tl_unify: Sequence[tuple[str, str]] = (),
    count_root: bool = True,
    free_labels: Iterable[tuple[str, str]] = (),
    projectivize: bool = True,
    metadata: AnyMetadata = (),
    encoding: str | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Run:
    """Compare parsers of different theories and frameworks on the same sentences by TedEval.

    Parameters
    ----------
    golds : mapping of str to path, binary file, or list
        A gold treebank for each theory, of any format, or a list of trees as for :func:`evaltools.score`. Files whose
        sentences all have ids (``# sent_id``, ``#BOS``, ``<s id>``) are paired by them; else sentence i is the same in
        all.
    parsers : mapping of str to (str, path, binary file, or list)
        For each parser's name the theory it follows and its output, paired with the gold sentences in the same way, if
        possible by the ids of its own theory's gold file.
    out : path, optional
        Folder of the run; by default a temporary folder, which is deleted with the returned object.
    label_map : mapping of str to str, optional
        Replacements of labels, in all trees.
    tl_unify : sequence of (str, str)
        Pairs of theories: gold trees of the first get the labels of gold trees of the second over the same words. Or
        pairs of parsers: trees of the first get the labels of the second, such as the same parses as dependencies.
    count_root : bool
        Whether the node over the whole sentence counts (2012; in the figures of 2011 it never does).
    free_labels : iterable of (str, str)
        Pairs of labels that the figures of 2011 treat as equal, in either order.
    projectivize : bool
        Whether dependency trees are made projective for the figures of 2011 (Nivre and Nilsson 2005: the shortest
        non-projective arc is lifted until there is none). If not, these are undefined where a tree is not projective.
        The figures of 2012 take all trees as they are.
    metadata : path or iterable of path, optional
        Files that say more about the gold sentences, as for :func:`evaltools.score`.
    encoding : str, optional
        Encoding of all files, such as ``latin-1``; by default UTF-8, or what the file declares.
    force : bool
        Whether to replace an older run at `out`.
    progress : Progress, optional
        Receives the progress, and can cancel the work.

    Returns
    -------
    Run
        Of kind ``"crossframework"``. Parsers whose trees carry no functions have no labeled figures.

    Raises
    ------
    InputError
        If a file cannot be read, or the first gold file has no trees.
    ParameterError
        If a parser follows a theory without gold, or `tl_unify` names what is neither a theory nor a parser.
    RunError
        If the run cannot be written.

    References
    ----------
    R. Tsarfaty, J. Nivre and E. Andersson (2012). Cross-framework evaluation for statistical parsing. EACL 2012.
    """
    free = tuple(sorted((first, second) for first, second in free_labels))
    conversion = Conversion(dict(label_map or {}), tuple(tl_unify), count_root, free, projectivize)
    sources = {theory: read_objects(decoded(source, encoding), f"<{theory}>")[0] for theory, source in golds.items()}
    outputs = {
        name: (theory, read_objects(decoded(source, encoding), f"<{name}>")[0])
        for name, (theory, source) in parsers.items()
    }
    plan, join = plan_theories(sources, outputs, conversion), MetadataJoin(as_files(metadata))
    return make_run(plan, out=out, metadata=join, force=force, progress=progress, encoding=encoding)
