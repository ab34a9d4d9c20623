"""Tables of metrics, formats, presets and commands in Markdown."""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import typer.main
from typer.testing import CliRunner

from evaltools.app.about_chapters import text
from evaltools.cli import app
from evaltools.cli.examples import EXAMPLES
from evaltools.corpus import Dependencies, FunctionTree, Treebank
from evaltools.formats import FORMATS, SemanticBank
from evaltools.formats.conversion import suffixes
from evaltools.frameworks.metric import formula
from evaltools.frameworks.presets import PRESETS
from evaltools.frameworks.registry import METRICS
from evaltools.frameworks.semantics.edm_rules import EDM_PRESETS

__all__ = [
    "command_options",
    "commands",
    "example",
    "formats",
    "metric_families",
    "metrics",
    "paragraphs",
    "presets",
    "semantic_formats",
    "semantic_presets",
    "usage",
]

_HOLDS = {Treebank: "phrases", Dependencies: "dependencies", FunctionTree: "functions"}


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def example() -> str:
    """Return the summary of two parsers of the sample, as an indented block.

    Returns
    -------
    str
        Markdown.
    """
    sample = Path(__file__).resolve().parent.parent / "sample_data"
    parsers = {"shift": "shift-reduce.ptb", "pcfg": "pcfg-parent.ptb"}
    files = [f"{name}={sample / 'parsers' / file}" for name, file in parsers.items()]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        wide = {"COLUMNS": "100"}  # the most that a summary takes, however wide this terminal is
        scored = CliRunner().invoke(app, ["score", str(sample / "gold.ptb"), *files, "-o", "my.run"], env=wide)
        if scored.exit_code:
            raise RuntimeError(scored.output)
    return "\n".join(f"    {line}".rstrip() for line in scored.stdout.rstrip().splitlines())


def metric_families() -> str:
    """Return a table of metric families: question, as in the app, and names.

    Returns
    -------
    str
        Markdown.
    """
    questions = re.findall(r"^\| \[\*\*(.+?)\*\*\]\(#(\w+)\) \| (.+?) \|", text("counts"), flags=re.MULTILINE)
    rows = []
    for family, chapter, question in questions:
        names = [
            f"`{metric.id}`"
            for metric in METRICS.values()
            if metric.family.chapter == chapter and not metric.place.variant_of
        ]
        rows.append((f"**{family}**", question, ", ".join(names)))
    return _table(("family", "asks", "names"), rows)


def metrics() -> str:
    """Return a table of all metrics with their formulas.

    Returns
    -------
    str
        Markdown.
    """
    rows = [
        (
            metric.title + ("" if metric.higher_is_better else " (lower is better)"),
            formula(metric),
            f"`{name}`",
        )
        for name, metric in METRICS.items()
    ]
    return _table(("score", "formula", "name"), rows)


def paragraphs(section: str, names: Sequence[str]) -> str:
    """Return some paragraphs of a chapter of *About the metrics* as a list.

    Parameters
    ----------
    section : str
        The chapter.
    names : sequence of str
        Their first words, in bold type.

    Returns
    -------
    str
        Markdown; links between chapters are replaced by their texts.

    Raises
    ------
    KeyError
        If a paragraph does not exist.
    """
    items = {}
    for paragraph in text(section).split("\n\n"):
        if begin := re.match(r"\*\*(.+?)\.?\*\*", paragraph):
            without_links = re.sub(r"\[([^\]]+)\]\(#\w+\)", r"\1", paragraph)
            items[begin[1]] = "- " + " ".join(without_links.split())
    return "\n".join(items[name] for name in names)


def formats() -> str:
    """Return a table of the formats of trees.

    Returns
    -------
    str
        Markdown.
    """
    rows = []
    for name, module in FORMATS.items():
        if module.holds is SemanticBank:
            continue
        holds = _HOLDS[module.holds]
        apart = {"phrases": ", discontinuous or not", "dependencies": ", projective or not"}.get(holds, "")
        ends = [
            end
            for end, target in suffixes().items()
            if target == name or (name == "functions" and target == "multifunctions")
        ]
        rows.append(
            (
                f"`{name}`",
                module.title,
                holds + apart * bool(module.discontinuous),
                ", ".join(f"`{end}`" for end in ends),
            )
        )
    return _table(("name", "what it is", "holds", "ends in"), sorted(rows, key=lambda row: (row[2], row[0])))


def semantic_formats() -> str:
    """Return the formats of semantic graphs in one line.

    Returns
    -------
    str
        Markdown.
    """
    return ", ".join(f"{module.title} (`{name}`)" for name, module in FORMATS.items() if module.holds is SemanticBank)


def presets() -> str:
    """Return a table of the presets of constituency trees.

    Returns
    -------
    str
        Markdown.
    """
    return _table(("preset", "counts"), [(f"`{name}`", summary) for name, summary in PRESETS.items()])


def semantic_presets() -> str:
    """Return a table of the presets of semantic graphs.

    Returns
    -------
    str
        Markdown.
    """
    return _table(("preset", "counts"), [(f"`{name}`", summary) for name, summary in EDM_PRESETS.items()])


def _all_commands() -> dict[str, Any]:
    group: Any = typer.main.get_command(app)
    return {name: command for name, command in group.commands.items() if not command.hidden}


def _is_argument(parameter: Any) -> bool:
    return not parameter.opts[0].startswith("-")


def usage(name: str) -> str:
    """Return the usage line of a command with its required options.

    Parameters
    ----------
    name : str
        The command.

    Returns
    -------
    str
        One line.

    Examples
    --------
    >>> usage("score")
    'evaltools score GOLD [NAME=]FILE...'
    """
    parts = ["evaltools", name]
    for parameter in _all_commands()[name].params:
        value = parameter.metavar or parameter.name.upper()
        if _is_argument(parameter):
            value += "..." if parameter.nargs == -1 and "..." not in value else ""
            parts.append(value if parameter.required or value.startswith("[") else f"[{value}]")
        elif parameter.required:
            parts += [parameter.opts[0], value]
    return " ".join(parts)


def _sentence(command: Any) -> str:
    return " ".join(str(command.help).split("\n\n")[0].split())


def commands() -> str:
    """Return a table of the commands.

    Returns
    -------
    str
        Markdown.
    """
    return _table(
        ("command", "does"), [(f"`{usage(name)}`", _sentence(command)) for name, command in _all_commands().items()]
    )


def command_options() -> str:
    """Return all commands with their arguments and options, a section each.

    Returns
    -------
    str
        Markdown.
    """
    sections = []
    for name, command in _all_commands().items():
        rows = [
            (_described(item), " ".join(str(item.help or "").split())) for item in command.params if not item.hidden
        ]
        sections += [f"## {name}", f"    {usage(name)}", _sentence(command)]
        if rows:
            sections.append(_table(("argument or option", "means"), rows))
        sections.append("\n".join(["Examples:\n", *(f"    {example}" for example in EXAMPLES[name])]))
    return "\n\n".join(sections)


def _described(parameter: Any) -> str:
    if _is_argument(parameter):
        return f"`{parameter.metavar or parameter.name.upper()}`"
    names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    value = "" if parameter.is_flag else f" {parameter.metavar or parameter.name.strip('_').upper()}"
    default = parameter.default
    has_default = isinstance(default, (str, int, float)) and not isinstance(default, bool)
    return f"{names}{value}" + (f" (`{default}`)" if has_default and default != "" else "")
