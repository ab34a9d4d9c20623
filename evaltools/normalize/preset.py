"""Named sets of rules for what counts before scoring."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from importlib import resources
from pathlib import Path
from typing import Any

from evaltools.errors import InputError, ParameterError, Problem
from evaltools.normalize.evalb_parameters import EvalbParameters, parse_parameters

__all__ = ["PRESETS", "Preset", "load_preset", "preset_from_parameters"]


@dataclass(frozen=True)
class Preset:
    """What is deleted, cut and equated before two trees are compared.

    Parameters
    ----------
    name : str
        As the user gives it: ``standard``, ``collins``, ``new``, ``none`` or ``evalb:FILE``.
    summary : str
        One line for people.
    empty_tags : frozenset of str
        Tags of empty elements, which are removed from both trees before their words are compared.
    delete_tags : frozenset of str
        A word whose tag is in the set goes, with its tag.
    delete_by_gold : bool
        True: the gold tags decide, at the same word positions on both sides. False: each side's own.
    delete_labels : frozenset of str
        Phrases with these labels go wherever they stand; their children stay.
    delete_top : frozenset of str
        Phrases with these labels go where nothing is left above them.
    cut : {"none", "functions", "evalb"}
        Cut phrase labels at the first ``-`` or ``=``; ``functions`` leaves labels alone that begin with one
        (``-LRB-``).
    drop_empty : bool
        Whether phrases without words go.
    relabel : dict
        Phrase labels replaced by others, after cutting.
    evalb : EvalbParameters or None
        The parameters of an ``evalb`` preset, whose rules apply then.
    source : str
        The text of the parameter file, so that a run can be read without it.
    """

    name: str
    summary: str
    empty_tags: frozenset[str] = frozenset()
    delete_tags: frozenset[str] = frozenset()
    delete_by_gold: bool = True
    delete_labels: frozenset[str] = frozenset()
    delete_top: frozenset[str] = frozenset()
    cut: str = "none"
    drop_empty: bool = False
    relabel: dict[str, str] = field(default_factory=dict)
    evalb: EvalbParameters | None = None
    source: str = ""

    @property
    def labelled(self) -> bool:
        """False where an evalb parameter file says ``LABELED 0``."""
        return self.evalb is None or self.evalb.labelled

    def cut_label(self, label: str) -> str:
        """Return a phrase label as it is compared.

        Parameters
        ----------
        label : str
            The label as read.

        Examples
        --------
        >>> load_preset("standard").cut_label("NP-SBJ-1")
        'NP'
        """
        if self.cut == "evalb" or (self.cut == "functions" and label[:1] not in ("-", "=")):
            ends = [at for mark in "-=" if (at := label.find(mark)) >= 0]
            label = label[: min(ends)] if ends else label
        return self.relabel.get(label, label)

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as what JSON can hold; those of a parameter file are in `source`."""
        rules = {one.name: getattr(self, one.name) for one in fields(self) if one.name not in ("evalb", "source")}
        return {name: sorted(value) if isinstance(value, frozenset) else value for name, value in rules.items()}

    @classmethod
    def from_dict(cls, rules: dict[str, Any]) -> Preset:
        """Make a preset of what :meth:`to_dict` returns.

        Parameters
        ----------
        rules : dict
            The fields by name; lists stand for sets.

        Returns
        -------
        Preset
            The preset.
        """
        arguments: dict[str, Any] = {
            name: frozenset(value) if isinstance(value, list) else value for name, value in rules.items()
        }
        return cls(**arguments)

    def describe(self) -> str:
        """Return every rule in words, one a line."""

        def listed(values: frozenset[str]) -> str:
            return " ".join(sorted(value or '""' for value in values))

        lines = [f"preset {self.name}: {self.summary}"]
        if self.empty_tags:
            lines.append(f"empty elements, removed before words are compared: words tagged {listed(self.empty_tags)}")
        if self.delete_tags:
            whose = "the gold tree's tag" if self.delete_by_gold else "the tree's own tag"
            lines.append(f"words deleted where {whose} is: {listed(self.delete_tags)}")
        if self.delete_top:
            lines.append(f"top brackets deleted: {listed(self.delete_top)}")
        if self.delete_labels:
            lines.append(f"brackets deleted everywhere: {listed(self.delete_labels)}")
        if self.cut == "functions":
            lines.append("phrase labels cut at the first - or =, but not those that begin with one (-LRB-)")
        elif self.cut == "evalb":
            lines.append("phrase labels cut at the first - or =")
        lines.append("brackets without words are " + ("dropped" if self.drop_empty else "kept"))
        lines += [f"phrase label {old} counts as {new}" for old, new in self.relabel.items()]
        differ = "are scored over aligned words" if self.evalb is None else "have no score but tree distance"
        lines.append(f"sentences whose words differ {differ}")
        if self.evalb is not None:
            lines += self.evalb.describe()
        return "\n".join(lines)


_STANDARD = Preset(
    name="standard",
    summary="what COLLINS.prm means to do, without its accidents",
    empty_tags=frozenset({"-NONE-"}),
    delete_tags=frozenset({",", ":", "``", "''", "."}),
    delete_by_gold=True,
    delete_top=frozenset({"TOP", "ROOT", "S1", "VROOT", ""}),
    cut="functions",
    drop_empty=True,
    relabel={"PRT": "ADVP"},
)
_NONE = Preset(name="none", summary="the trees as they are")

PRESETS: dict[str, str] = {
    "standard": _STANDARD.summary,
    "collins": "exactly the rules of COLLINS.prm, as evalb applies them",
    "new": "exactly the rules of new.prm, as evalb applies them, with its repair of quotes",
    "none": _NONE.summary,
    "evalb:FILE": "any EVALB parameter file, as evalb applies it",
}
"""What each preset does, in one line."""


def load_preset(name: str | Preset) -> Preset:
    """Return a preset by name.

    Parameters
    ----------
    name : str or Preset
        ``standard``, ``collins``, ``new``, ``none``, or ``evalb:FILE`` with the path of a parameter file.

    Returns
    -------
    Preset
        The rules.

    Raises
    ------
    ParameterError
        If the name is unknown.
    InputError
        If the parameter file cannot be read.
    """
    if isinstance(name, Preset):
        return name
    if name == "standard":
        return _STANDARD
    if name == "none":
        return _NONE
    if name in ("collins", "new"):
        text = resources.files("evaltools.normalize").joinpath(f"parameters/{name}.prm").read_text("utf-8")
        return preset_from_parameters(name, text, f"{name}.prm")
    if name.startswith("evalb:"):
        path = Path(name.removeprefix("evalb:"))
        try:
            text = path.read_bytes().decode("utf-8", "backslashreplace")
        except (OSError, ValueError) as error:  # the latter for a NUL in the path
            found = getattr(error, "strerror", None) or str(error)
            raise InputError(Problem("parameters", str(path), None, None, found, "an EVALB parameter file")) from None
        return preset_from_parameters(name, text, str(path))
    raise ParameterError.unknown("preset", name, PRESETS)


def preset_from_parameters(name: str, text: str, file: str) -> Preset:
    """Make a preset of the text of an EVALB parameter file.

    Parameters
    ----------
    name : str
        The preset's name.
    text : str
        The parameter file.
    file : str
        Its name, for problems.

    Returns
    -------
    Preset
        The preset.
    """
    parameters = parse_parameters(text, file)
    return Preset(
        name=name,
        summary=PRESETS.get(name, f"the parameter file {Path(file).name}"),
        delete_tags=frozenset(parameters.delete_labels),
        delete_by_gold=False,
        delete_labels=frozenset(parameters.deletable()),
        cut="evalb",
        drop_empty=True,
        evalb=parameters,
        source=text,
    )
