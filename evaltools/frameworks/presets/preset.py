"""Presets, rules that are applied to trees before scoring, and EVALB parameter files.

A line of a parameter file is a keyword, white space, and a value; ``#`` in the first column begins a comment; lines of
fewer than three characters are ignored. Keywords that only other programs know are accepted; any other is listed as a
problem. ``MULTIWORD_ONLY 1`` is a keyword of evaltools: only brackets of two words or more count.

References
----------
Satoshi Sekine and Michael Collins (1997). evalb, the bracket scoring program.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from importlib import resources
from pathlib import Path
from typing import Any

from evaltools.corpus.folding import MARKUP, NO_WORDS, TRACES, without_features
from evaltools.display import NamedTable
from evaltools.errors import InputError, ParameterError, Problem
from evaltools.frameworks.common.labels import sign_label_map
from evaltools.text import excerpt, short_repr


@dataclass(frozen=True)
class Preset:
    """Rules for deleting, cutting and merging labels before two trees are compared.

    Parameters
    ----------
    name : str
        Name: ``standard``, ``keep``, ``proper``, ``collins``, ``new``, ``none`` or ``evalb:FILE``.
    summary : str
        One-line description.
    empty_tags : frozenset of str
        Tags of empty elements, which are removed from both trees before their words are compared.
    delete_tags : frozenset of str
        Words with these tags are removed, with their tags.
    delete_words : frozenset of str
        Words of these forms are removed, with their tags.
    delete_by_gold : bool
        True: the gold tags decide, at the same word positions on both sides. False: each side's own tags decide.
    delete_labels : frozenset of str
        Phrases with these labels are removed everywhere; their children stay.
    delete_top : frozenset of str
        Phrases with these labels are removed where nothing is left above them.
    cut : {"none", "functions", "evalb"}
        Cut phrase labels at the first ``-`` or ``=``; ``functions`` leaves labels alone that begin with one
        (``-LRB-``).
    drop_empty : bool
        Whether phrases without words are removed.
    relabel : dict
        Phrase labels replaced by others, after cutting.
    evalb : EvalbParameters or None
        The parameters of a preset that follows evalb; None for other presets.
    source : str
        The text of the parameter file, so that a run can be read without the file.
    multiword_only : bool
        Whether only brackets of two words or more count in bracketing (E), as in GEIG (Black et al. 1991). The phrases
        over a single word stay in the trees: all other figures take them, too.
    chain_top_only : bool
        Whether only the top bracket of a unary chain counts in bracketing (E).
    inner_only : bool
        Whether brackets over the whole sentence do not count in bracketing (E).
    label_map : dict
        Labels of phrases, words and relations replaced by others in both trees, before anything else: the whole label,
        or else the part before functions or subtypes.
    """

    name: str
    summary: str = field(compare=False)
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
    delete_words: frozenset[str] = frozenset()
    multiword_only: bool = False
    chain_top_only: bool = False
    inner_only: bool = False
    label_map: dict[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        return short_repr(self, f"{self.name}: {self.summary}")

    @property
    def labeled(self) -> bool:
        """False if an evalb parameter file has ``LABELED 0``."""
        return self.evalb is None or self.evalb.labeled

    @property
    def keeps_traces(self) -> bool:
        """Whether traces count, without their indices, which are cut from labels, too."""
        return self.cut == "functions" and not TRACES & (self.empty_tags | self.delete_tags)

    @property
    def default_figure(self) -> str:
        """The figure that tables show: micro over all sentences; for presets that follow evalb, over parsed ones."""
        return "pooled_all" if self.evalb is None else "pooled"

    @property
    def reading(self) -> str:
        """How files are read; presets with the same value can be applied to the same content."""
        return "usual" if self.evalb is None else "evalb"

    def plain_label(self, label: str) -> str:
        """Return a label of a phrase or word in the composed form of Unicode, and without features if labels are cut.

        Parameters
        ----------
        label : str
            The label as read.

        Examples
        --------
        >>> load_preset("standard").plain_label("NC##lem=chat|g=m##"), load_preset("none").plain_label("NC##g=m##")
        ('NC', 'NC##g=m##')
        """
        if label.isascii() and "##" not in label:
            return label
        return unicodedata.normalize("NFC", without_features(label) if self.cut == "functions" else label)

    def cut_label(self, label: str) -> str:
        """Return a phrase label in the form in which it is compared.

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
            label = re.split("[-=]", label, maxsplit=1)[0]
        return self.relabel.get(label, label)

    def to_dict(self) -> dict[str, Any]:
        """Return the rules as an object for JSON; the text of a parameter file is in `source`."""
        left_out = {"evalb", "source", *(name for name in _CHOICES if not getattr(self, name))}
        rules = {item.name: getattr(self, item.name) for item in fields(self) if item.name not in left_out}
        return {name: sorted(value) if isinstance(value, frozenset) else value for name, value in rules.items()}

    @classmethod
    def from_dict(cls, rules: dict[str, Any]) -> Preset:
        """Build a preset from the result of :meth:`to_dict`.

        Parameters
        ----------
        rules : dict
            The fields by name; lists for sets.

        Returns
        -------
        Preset
            The preset.
        """
        arguments: dict[str, Any] = {
            name: frozenset(value) if isinstance(value, list) else value for name, value in rules.items()
        }
        return cls(**arguments)

    def signature(self) -> list[str]:
        """Return the rules in the signature of a run: the name, a digest of a parameter file, and what was added."""
        plain = replace(self, multiword_only=False, label_map={})
        rules = self.source
        if not rules and (self.name not in PRESETS or plain != load_preset(self.name)):
            rules = json.dumps(plain.to_dict())
        parts = [f"preset:{self.name}" + (f"#{hashlib.sha256(rules.encode()).hexdigest()[:8]}" if rules else "")]
        parts += ["brackets:multiword"] if self.multiword_only else []
        return [*parts, sign_label_map(self.label_map)] if self.label_map else parts

    def describe(self) -> str:
        """Return a description of all rules, one per line."""

        def listed(values: frozenset[str]) -> str:
            return " ".join(sorted(value or '""' for value in values))

        lines = [f"preset {self.name}: {self.summary}", *self.describe_label_map()]
        if self.empty_tags:
            lines.append(f"empty elements, removed before words are compared: words tagged {listed(self.empty_tags)}")
        if self.delete_tags:
            whose = "the gold tree's tag" if self.delete_by_gold else "the tree's own tag"
            lines.append(f"words deleted where {whose} is: {listed(self.delete_tags)}")
        if self.delete_words:
            whose = "in the gold tree" if self.delete_by_gold else "in the tree"
            lines.append(f"words deleted that are {whose}: {listed(self.delete_words)}")
        if self.delete_top:
            lines.append(f"top brackets deleted: {listed(self.delete_top)}")
        if self.delete_labels:
            lines.append(f"brackets deleted everywhere: {listed(self.delete_labels)}")
        if self.cut == "functions":
            lines.append("phrase labels cut at the first - or =, but not those that begin with one (-LRB-)")
            lines.append("features after a label (##…##) are cut")
        elif self.cut == "evalb":
            lines.append("phrase labels cut at the first - or =")
        if self.keeps_traces:
            lines.append(f"words tagged {listed(TRACES)} count, without indices (*T*-1 as *T*)")
        lines.append("brackets without words are " + ("dropped" if self.drop_empty else "kept"))
        if self.multiword_only:
            lines.append(
                "only brackets of two words or more count in bracketing (E), as in GEIG; tree distance (T), "
                "leaf-ancestor (LA) and repairs (R) take all brackets"
            )
        if self.chain_top_only:
            lines.append("of a unary chain only the top bracket counts in bracketing (E)")
        if self.inner_only:
            lines.append("brackets over the whole sentence do not count in bracketing (E)")
        lines += [f"phrase label {old} counts as {new}" for old, new in self.relabel.items()]
        differ = "are scored over aligned words" if self.evalb is None else "have no score but tree distance"
        lines.append(f"sentences whose words differ {differ}")
        if self.evalb is not None:
            lines += self.evalb.describe()
        return "\n".join(lines)

    def describe_label_map(self) -> list[str]:
        """Return the label map in words; nothing if there is none."""
        replaced = ", ".join(f"{old} by {new}" for old, new in self.label_map.items())
        return [f"labels replaced in gold and parser trees: {replaced}"] if replaced else []


_CHOICES = ("multiword_only", "chain_top_only", "inner_only", "label_map")
"""Rules that no preset has by itself."""

_STANDARD = Preset(
    name="standard",
    summary="punctuation and root labels do not count: COLLINS.prm of evalb as intended, without its quirks",
    empty_tags=NO_WORDS,
    delete_tags=frozenset({",", ":", "``", "''", "."}),
    delete_by_gold=True,
    delete_top=frozenset({"TOP", "ROOT", "root", "S1", "VROOT", ""}),
    cut="functions",
    drop_empty=True,
    relabel={"PRT": "ADVP"},
)
_KEEP = replace(
    _STANDARD,
    name="keep",
    summary="as standard, but traces and other empty elements count, with the brackets over them",
    empty_tags=MARKUP,
)
_PROPER = Preset(
    name="proper",
    summary="proper.prm of disco-dop: all punctuation, of several treebanks, and the top bracket do not count",
    delete_tags=frozenset(
        {
            *(",", ":", "``", "''", ".", "-NONE-", "$,", "$(", "$[", "$.", "PUNCT", "punct"),
            *("LET", "LET()", "LET[]", "let", "let()", "let[]"),
        }
    ),
    delete_words=frozenset(". , : ; ' ` \" `` '' - ( ) / & $ ! !!! ? ?? ??? .. ... « »".split()),
    delete_labels=frozenset({"NOPARSE", "TOP", "ROOT", "VROOT"}),
    cut="functions",
    drop_empty=True,
    relabel={"PRT": "ADVP"},
)
_NONE = Preset(name="none", summary="the trees as they are")
_BUILT_IN = {preset.name: preset for preset in (_STANDARD, _KEEP, _PROPER, _NONE)}
"""Those that follow no parameter file."""

PRESETS: dict[str, str] = NamedTable(
    {
        "standard": _STANDARD.summary,
        "keep": _KEEP.summary,
        "proper": _PROPER.summary,
        "collins": "exactly the rules of COLLINS.prm, as evalb applies them",
        "new": "exactly the rules of new.prm, as evalb applies them, with its repair of quotes",
        "none": _NONE.summary,
        "evalb:FILE": "any EVALB parameter file, as evalb applies it",
    }
)
"""One-line descriptions of the presets."""


def load_preset(name: str | Preset) -> Preset:
    """Return a preset by name.

    Parameters
    ----------
    name : str or Preset
        ``standard``, ``keep``, ``proper``, ``collins``, ``new``, ``none``, or ``evalb:FILE`` with the path of a
        parameter file.

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
    if name in _BUILT_IN:
        return _BUILT_IN[name]
    if name in ("collins", "new"):
        text = resources.files(__package__).joinpath(f"parameters/{name}.prm").read_text("utf-8")
        return preset_from_parameters(name, text, f"{name}.prm")
    if name.startswith("evalb:"):
        path = Path(name.removeprefix("evalb:"))
        try:
            text = path.read_bytes().decode("utf-8", "backslashreplace")
        except (OSError, ValueError) as error:  # the latter for a NUL in the path
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(Problem("parameters", str(path), None, None, reason, "an EVALB parameter file")) from None
        return preset_from_parameters(name, text, str(path))
    raise ParameterError.unknown("preset", name, PRESETS)


def preset_from_parameters(name: str, text: str, file: str) -> Preset:
    """Build a preset from the text of an EVALB parameter file.

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
        multiword_only=parameters.multiword_only,
    )


def recorded_preset(meta: Mapping[str, Any]) -> Preset:
    """Return the preset of a run from its ``meta.json``, with the parameter file as it was when the run was made.

    Parameters
    ----------
    meta : mapping
        The contents of ``meta.json``.

    Returns
    -------
    Preset
        The preset.
    """
    name, source, rules = meta["preset"], meta["preset_source"], meta["preset_fields"]
    if not source:
        return Preset.from_dict(rules)
    preset = preset_from_parameters(name, source, str(Path(name.removeprefix("evalb:"))))
    return replace(preset, multiword_only=True) if rules else preset


_NUMBER = re.compile("[+-]?[0-9]{1,9}")
_FOREIGN = ("DELETE_ROOT_PRETERMS", "DISC_ONLY", "DELETE_WORD")
_KEYWORDS = (
    "DEBUG",
    "MAX_ERROR",
    "CUTOFF_LEN",
    "LABELED",
    "DELETE_LABEL",
    "DELETE_LABEL_FOR_LENGTH",
    "QUOTE_LABEL",
    "EQ_LABEL",
    "EQ_WORD",
    "MULTIWORD_ONLY",
)


@dataclass(frozen=True, slots=True)
class EvalbParameters:
    """The contents of a parameter file."""

    # ``DELETE_LABEL``: words with such a tag, and brackets with such a label, are deleted.
    delete_labels: tuple[str, ...] = ()
    # ``DELETE_LABEL_FOR_LENGTH``: tags of words that do not count in the sentence's length.
    delete_for_length: tuple[str, ...] = ()
    quote_labels: tuple[str, ...] = ()  # ``QUOTE_LABEL``: tags of quotes that may be put back when lengths differ
    # ``EQ_LABEL`` and ``EQ_WORD``: pairs that count as the same, in either order, not transitively.
    equal_labels: tuple[tuple[str, str], ...] = ()
    equal_words: tuple[tuple[str, str], ...] = ()
    labeled: bool = True  # ``LABELED``: False to ignore the labels of brackets
    cutoff_length: int = 40  # ``CUTOFF_LEN``: the second summary is over sentences of at most this length
    multiword_only: bool = False  # ``MULTIWORD_ONLY``: True to count only brackets of two words or more
    max_error: int = 10  # ``MAX_ERROR``: evalb stops after this many errors; used in a remark only
    problems: tuple[Problem, ...] = ()  # Lines that were not understood

    def deletable(self) -> set[str]:
        """Return the labels of brackets to delete: those listed, and those that ``EQ_LABEL`` makes equal to one."""
        pairs = {*self.equal_labels, *((second, first) for first, second in self.equal_labels)}
        return {*self.delete_labels, *(second for first, second in pairs if first in self.delete_labels)}

    def describe(self) -> list[str]:
        """Return the parameters that a preset does not describe by itself, one a line."""
        lines = [f"labels {a} and {b} count as equal" for a, b in self.equal_labels]
        lines += [f"words {a} and {b} count as equal" for a, b in self.equal_words]
        if self.quote_labels:
            lines.append(f"quotes put back where lengths differ, with tags: {' '.join(self.quote_labels)}")
        if self.delete_for_length:
            lines.append(f"words left out of the length, with tags: {' '.join(self.delete_for_length)}")
        if not self.labeled:
            lines.append("labels of brackets are ignored (LABELED 0)")
        lines.append(f"second summary: sentences of at most {self.cutoff_length} words")
        return lines


def equality_classes(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return one of the strings of its class for each string in some pairs of equal ones.

    Examples
    --------
    >>> equality_classes([("A", "B"), ("D", "E"), ("B", "C")])
    {'A': 'A', 'B': 'A', 'D': 'D', 'E': 'D', 'C': 'A'}
    """
    classes: dict[str, list[str]] = {}
    for first, second in pairs:
        larger, smaller = sorted((classes.setdefault(item, [item]) for item in (first, second)), key=len, reverse=True)
        if larger is not smaller:
            larger += smaller
            classes.update(dict.fromkeys(smaller, larger))
    return {string: members[0] for string, members in classes.items()}


def parse_parameters(text: str, name: str) -> EvalbParameters:
    """Read the text of a parameter file."""
    lists: dict[str, list[str]] = {"DELETE_LABEL": [], "DELETE_LABEL_FOR_LENGTH": [], "QUOTE_LABEL": []}
    pairs: dict[str, list[tuple[str, str]]] = {"EQ_LABEL": [], "EQ_WORD": []}
    numbers = {"LABELED": 1, "CUTOFF_LEN": 40, "MAX_ERROR": 10, "DEBUG": 0, "MULTIWORD_ONLY": 0}
    problems: list[Problem] = []

    for number, raw in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        line = raw.rstrip()
        if line.startswith("#") or len(line) < 3:
            continue
        keyword, *rest = ("", line.lstrip()) if line[0].isspace() else line.split(maxsplit=1)
        value = rest[0] if rest else ""

        def problem(found: str, expected: str, line_number: int = number) -> None:
            problems.append(Problem("parameters", name, line_number, 1, found, expected))

        if keyword in _FOREIGN:
            problem(f"{keyword}, which is not an evalb keyword", "an evalb keyword; the line has no effect")
        elif not keyword:
            problem("a line that begins with white space", "a keyword in the first column; the line has no effect")
        elif keyword not in _KEYWORDS:
            problem(f"unknown keyword {excerpt(keyword)!r}", " ".join(_KEYWORDS))
        elif not value:
            problem(f"{keyword} without a value", "a value after it")
        elif keyword in lists:
            lists[keyword].append(value)
        elif keyword in pairs:
            values = value.split()
            if len(values) == 2:
                pairs[keyword].append((values[0], values[1]))
            else:
                problem(f"{keyword} with {len(values)} values", "two values")
        else:
            digits = _NUMBER.match(value)
            if digits is None or digits.end() < len(value):
                problem(f"{keyword} {excerpt(value)}", "a whole number; its leading digits are used, or 0, as in evalb")
            numbers[keyword] = int(digits[0]) if digits is not None else 0
    return EvalbParameters(
        delete_labels=tuple(lists["DELETE_LABEL"]),
        delete_for_length=tuple(lists["DELETE_LABEL_FOR_LENGTH"]),
        quote_labels=tuple(lists["QUOTE_LABEL"]),
        equal_labels=tuple(pairs["EQ_LABEL"]),
        equal_words=tuple(pairs["EQ_WORD"]),
        labeled=numbers["LABELED"] != 0,
        cutoff_length=numbers["CUTOFF_LEN"],
        max_error=numbers["MAX_ERROR"],
        multiword_only=numbers["MULTIWORD_ONLY"] != 0,
        problems=tuple(problems),
    )
