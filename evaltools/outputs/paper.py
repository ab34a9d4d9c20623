"""What goes into a paper: table, figure, methods and references, and a document that shows how they are included."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from importlib import resources

from evaltools.analysis.experiments import experiments
from evaltools.outputs.citation import bibtex, methods_latex
from evaltools.outputs.experiments import experiments_latex
from evaltools.outputs.sections import Report, intervals
from evaltools.outputs.summary import summary_latex
from evaltools.outputs.tables import latex_text
from evaltools.outputs.vega import WIDTHS, chart_file


def paper_files(report: Report, *, width: str = "column") -> dict[str, bytes]:
    r"""Return the files of a paper about a run by their names.

    ``paper.tex`` includes the others: ``table.tex``, of a run across frameworks also ``experiments.tex``,
    ``figure.tex`` with ``figure.pdf``, ``methods.tex`` and ``references.bib``. ``figure.svg`` is the figure again.

    Parameters
    ----------
    report : Report
        The run, and the figures of the table, such as those of :func:`evaltools.outputs.summary.summary_for_paper`.
    width : {"column", "text"}
        Width of the figure: 3 inches, or 6.3 inches.
    """
    run, summary = report.run, report.summary
    texts = paper_texts(report) | (
        {"experiments.tex": experiments_latex(run, experiments(run))} if run.theories else {}
    )
    figure = intervals(report)
    more = "\\input{experiments}\n" if run.theories else ""
    fields = {
        "@EXPERIMENTS@": more,
        "@FIGURE@": "figure" if width == "column" else "figure*",
        "@CAPTION@": latex_text(f"{figure.title}, {summary.base}."),
    }
    for name in ("paper.tex", "figure.tex"):
        texts[name] = resources.files(__package__).joinpath(name).read_text("utf-8")
        for field, value in fields.items():
            texts[name] = texts[name].replace(field, value)
    drawn = {
        f"figure.{kind}": chart_file(figure.specification, kind, run.signature, visible=False, width=WIDTHS[width])
        for kind in ("pdf", "svg")
    }
    return {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()} | drawn


def paper_texts(report: Report) -> dict[str, str]:
    """Return the table, the methods and the references by the names of their files."""
    run, summary, units = report.run, report.summary, report.units.removeprefix(" over ") or "the sentences"
    return {
        "table.tex": summary_latex(run, summary),
        "methods.tex": methods_latex(run, summary, units),
        "references.bib": bibtex(run, summary),
    }


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return files as one ZIP archive."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, content in files.items():
            opened.writestr(name, content)
    return archive.getvalue()
