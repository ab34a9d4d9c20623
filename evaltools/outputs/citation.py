"""What a paper should say about the figures of a run: the methods, the signature, and the papers to cite."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Any

import evaltools
from evaltools.analysis.significance import ITERATIONS, SIGNIFICANT
from evaltools.analysis.summary import Summary, summarize_run
from evaltools.frameworks.figures import over_of
from evaltools.frameworks.metric import Metric
from evaltools.frameworks.presets import PRESETS
from evaltools.frameworks.registry import METRICS
from evaltools.outputs.tables import json_text, latex_text
from evaltools.runs.store import Run
from evaltools.text import count_of, number


def methods_sentence(
    run: Run, summary: Summary | None = None, *, latex: bool = False, units: str = "the sentences"
) -> str:
    r"""Return what a paper should say about the figures of a run, in a few sentences of one paragraph.

    They name the main metric, how it is averaged and over how many sentences, preset and options, the other metrics of
    the table, how intervals and significance are computed if there are several parsers, and the version.

    Parameters
    ----------
    run : Run
        The run.
    summary : Summary, optional
        Its table; by default that of its main figures (:func:`evaltools.analysis.summary.summarize_run`).
    latex : bool
        Write LaTeX, with ``\cite`` and the keys of :func:`bibtex`; by default plain text with authors and years.
    units : str
        What is drawn and permuted as a whole, such as ``12 documents``.

    Returns
    -------
    str
        The paragraph, without the signature (:attr:`evaltools.Run.signature`) and without a line break.
    """
    summary = summary or summarize_run(run)
    return " ".join(_sentences(run, summary, latex=latex, units=units))


def bibtex(run: Run, summary: Summary | None = None) -> str:
    """Return the BibTeX entries of everything that :func:`methods_sentence` cites, in the order of their keys."""
    summary = summary or summarize_run(run)
    cited = re.findall(r"\\cite\{([^}]*)\}", methods_sentence(run, summary, latex=True))
    return "\n".join(_entry(key) for key in sorted({key for keys in cited for key in keys.split(",")}))


def methods_latex(run: Run, summary: Summary, units: str = "the sentences") -> str:
    """Return the methods in LaTeX, with the signature as a comment."""
    return f"{methods_sentence(run, summary, latex=True, units=units)}\n% {run.signature}\n"


def citation_report(run: Run, summary: Summary, kind: str) -> str:
    """Return what to cite for a run: ``text`` with signature and BibTeX, ``latex``, ``bibtex``, or all as ``json``."""
    entries = bibtex(run, summary)
    if kind == "bibtex":
        return entries
    if kind == "latex":
        return methods_latex(run, summary)
    text, latex = (methods_sentence(run, summary, latex=is_latex) for is_latex in (False, True))
    if kind == "json":
        return json_text({"text": text, "latex": latex, "signature": run.signature, "bibtex": entries})
    return "\n\n".join([text, f"Signature: {run.signature}", f"The same in LaTeX:\n\n{latex}", entries])


@cache
def papers() -> dict[str, dict[str, Any]]:
    """Return the papers and programs that can be cited, by their keys: the fields of BibTeX and ``type``."""
    text = resources.files(__package__).joinpath("papers.toml").read_text("utf-8")
    known = tomllib.loads(text)
    # A version stands in the place of the year of this program.
    known["evaltools"]["note"] = f"Version {evaltools.__version__}"
    return known


def _sentences(run: Run, summary: Summary, *, latex: bool, units: str) -> Iterator[str]:
    written = latex_text if latex else str

    def cited(*keys: str) -> str:
        return rf"~\cite{{{','.join(keys)}}}" if latex else f" ({'; '.join(map(_short, keys))})"

    known = set[str]()

    def named(name: str) -> str:
        """Return the title of a metric, with its papers where the text first needs them."""
        metric = METRICS[name]
        new = [key for key in metric.family.papers if key not in known]
        known.update(new)
        return written(in_sentence(metric)) + (cited(*new) if new else "")

    average = "micro-averaged" if summary.figure.startswith("pooled") else "macro-averaged (mean over sentences)"
    is_all = over_of(summary.figure) == "all"
    over = f"all {count_of(summary.n, 'sentence')}" if is_all else f"the parsed sentences of {summary.n:,}"
    program = f"evaltools {evaltools.__version__}{cited('evaltools')}"
    yield f"We report {named(summary.metric)}, {average} over {over}, computed by {program}."
    if settings := describe_settings(run):
        evalb = cited("sekine-collins-1997") if run.rules.evalb is not None else ""
        yield f"Settings: {written('; '.join(settings))}{evalb}."
    if is_all and any(row.no_parse for row in summary.rows):
        yield "In a sentence without a parse nothing is matched."
    others = [named(name) for name in summary.metrics if name != summary.metric]
    if others:
        yield f"Other figures: {'; '.join(others)}."
    drawn = f"{ITERATIONS:,} bootstrap samples of {written(units)}{cited('efron-1979')}"
    yield f"Intervals ({written('95 %')}) are from {drawn}."
    n_pairs = len(summary.standing.comparisons)
    if n_pairs:
        holm = f" after Holm’s correction over {n_pairs} pairs{cited('holm-1979')}" if n_pairs > 1 else ""
        level = f"p {'$<$' if latex else '<'} {number(SIGNIFICANT)}"
        yield (
            f"A difference is significant if {level} in a two-sided paired permutation test over {written(units)} with "
            f"{ITERATIONS:,} shuffles{cited('noreen-1989')}{holm}, and the interval of the difference excludes 0."
        )


def describe_settings(run: Run) -> list[str]:
    """Describe the rules of a run: those of its preset, or its options."""
    own, facts = run.framework.own_files, run.framework.runs.facts(run.meta)
    presets = {**PRESETS, **(own.presets if own else {})}
    lines = [f"{title} {value}" + (f" ({presets[value]})" if value in presets else "") for title, value in facts]
    return run.framework.runs.options_in_words(run.meta) or lines


def table_remarks(run: Run) -> str:
    """Return the lines below a table's caption that LaTeX has as comments: the settings and the signature."""
    settings = "; ".join(describe_settings(run))
    return f"{f'Settings: {settings}' if settings else ''}\n{run.signature}"


def in_sentence(metric: Metric) -> str:
    """Return the title of a metric inside a sentence: lower case, but for names and abbreviations."""
    first, rest = metric.title[:1], metric.title[1:]
    is_name = metric.title.split()[0].rstrip(",").lower() == metric.family.id
    return metric.title if is_name or rest[:1].isupper() else first.lower() + rest


def _short(key: str) -> str:
    """Return a paper as a text names it.

    Examples
    --------
    >>> [_short(key) for key in ("emms-2008", "dridan-oepen-2011", "tsarfaty-2012", "evaltools")]
    ['Emms, 2008', 'Dridan and Oepen, 2011', 'Tsarfaty et al., 2012', 'The evaltools authors']
    """
    paper = papers()[key]
    names = [name.partition(",")[0].strip("{}") for name in paper["author"].split(" and ")]
    first = names[0] if len(names) == 1 else f"{names[0]} and {names[1]}"
    if len(names) > 2 or names[-1] == "others":
        first = f"{names[0]} et al."
    return ", ".join([first, *([str(paper["year"])] if "year" in paper else [])])


def _entry(key: str) -> str:
    fields = {name: str(value) for name, value in papers()[key].items() if name != "type"}
    fields["title"] = f"{{{fields['title']}}}"  # its capitals are kept
    lines = [f"  {name} = {{{value}}}," for name, value in fields.items()]
    return "\n".join([f"@{papers()[key]['type']}{{{key},", *lines, "}", ""])
