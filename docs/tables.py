"""What the program knows about itself, as Markdown: metrics, formats, presets, commands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import typer.main

from evaltools.cli import app
from evaltools.formats import FORMATS
from evaltools.formats.conversion import SUFFIXES
from evaltools.formats.semantics import SEMANTIC_FORMATS
from evaltools.metrics import METRICS
from evaltools.metrics.edm_rules import EDM_PRESETS
from evaltools.normalize import PRESETS
from evaltools.ui.texts import text

__all__ = [
    "command_options",
    "commands",
    "formats",
    "metric_families",
    "metrics",
    "paragraphs",
    "presets",
    "semantic_formats",
    "semantic_presets",
    "usage",
]

_FAMILIES = {
    "E": ("e",),
    "T": ("t",),
    "LA": ("la",),
    "Attachment": ("attachment",),
    "TedEval": ("tedeval", "tedeval2011"),
    "EDM": ("edm",),
}
_HOLDS = {"constituency": "phrases", "dependency": "dependencies", "functions": "functions"}


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def metric_families() -> str:
    """Return a table of the families of metrics: what each asks, in the words of the app, and its ids.

    Returns
    -------
    str
        Markdown.
    """
    asked = dict(re.findall(r"^\| \[\*\*(.+?)\*\*\]\(#\w+\) \| (.+?) \|", text("counts"), flags=re.MULTILINE))
    rows = []
    for family, members in _FAMILIES.items():
        ids = [name for name, one in METRICS.items() if one.family in members]
        shown = [name for name in ids if not re.search("_(unlabelled|precision|recall)$", name) or family == "TedEval"]
        rows.append((f"**{family}**", asked[family], ", ".join(f"`{name}`" for name in shown)))
    return _table(("family", "asks", "ids"), rows)


def metrics() -> str:
    """Return a table of all metrics with their formulas.

    Returns
    -------
    str
        Markdown.
    """
    rows = [
        (one.title + ("" if one.higher_is_better else " (lower is better)"), one.formula, f"`{name}`")
        for name, one in METRICS.items()
    ]
    return _table(("score", "formula", "id"), rows)


def paragraphs(section: str, names: Sequence[str]) -> str:
    """Return some paragraphs of a chapter of *About the metrics* as a list.

    Parameters
    ----------
    section : str
        The chapter.
    names : sequence of str
        What they begin with, in bold type.

    Returns
    -------
    str
        Markdown; links between chapters are left out, their words stay.

    Raises
    ------
    KeyError
        If there is no such paragraph.
    """
    found = {}
    for one in text(section).split("\n\n"):
        if begin := re.match(r"\*\*(.+?)\.?\*\*", one):
            bare = re.sub(r"\[([^\]]+)\]\(#\w+\)", r"\1", one)
            found[begin[1]] = "- " + " ".join(bare.split())
    return "\n".join(found[name] for name in names)


def formats() -> str:
    """Return a table of the formats of trees.

    Returns
    -------
    str
        Markdown.
    """
    rows = []
    for name, module in FORMATS.items():
        holds = _HOLDS[str(module.HOLDS)]
        apart = {"phrases": ", discontinuous or not", "dependencies": ", projective or not"}.get(holds, "")
        ends = [
            end for end, held in SUFFIXES.items() if held == name or (name == "functions" and held == "multifunctions")
        ]
        rows.append(
            (
                f"`{name}`",
                module.TITLE,
                holds + apart * bool(module.DISCONTINUOUS),
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
    return ", ".join(f"{module.TITLE} (`{name}`)" for name, module in SEMANTIC_FORMATS.items())


def presets() -> str:
    """Return a table of the presets of constituency trees.

    Returns
    -------
    str
        Markdown.
    """
    return _table(("preset", "counts"), [(f"`{name}`", says) for name, says in PRESETS.items()])


def semantic_presets() -> str:
    """Return a table of the presets of semantic graphs.

    Returns
    -------
    str
        Markdown.
    """
    return _table(("preset", "counts"), [(f"`{name}`", says) for name, says in EDM_PRESETS.items()])


def _all_commands() -> dict[str, Any]:
    group: Any = typer.main.get_command(app)
    return {name: command for name, command in group.commands.items() if not command.hidden}


def _is_argument(parameter: Any) -> bool:
    return not parameter.opts[0].startswith("-")


def usage(name: str) -> str:
    """Return how a command is written, with what it cannot do without.

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
    'evaltools score GOLD NAME=FILE... -o RUN'
    """
    parts = ["evaltools", name]
    for one in _all_commands()[name].params:
        if _is_argument(one):
            shown = one.metavar or one.name.upper()
            shown += "..." if one.nargs == -1 and "..." not in shown else ""
            parts.append(shown if one.required or shown.startswith("[") else f"[{shown}]")
        elif one.required:
            parts += [one.opts[0], one.metavar or one.name.upper()]
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
        rows = [(_written(one), " ".join(str(one.help or "").split())) for one in command.params if not one.hidden]
        sections += [f"## {name}", f"    {usage(name)}", _sentence(command)]
        if rows:
            sections.append(_table(("argument or option", "means"), rows))
    return "\n\n".join(sections)


def _written(parameter: Any) -> str:
    if _is_argument(parameter):
        return f"`{parameter.metavar or parameter.name.upper()}`"
    names = ", ".join(f"`{one}`" for one in (*parameter.opts, *parameter.secondary_opts))
    value = "" if parameter.is_flag else f" {parameter.metavar or parameter.name.strip('_').upper()}"
    default = parameter.default
    shown = isinstance(default, (str, int, float)) and not isinstance(default, bool)
    return f"{names}{value}" + (f" (`{default}`)" if shown and default != "" else "")
