"""Figures of a run of semantic graphs under other weights, computed from its table of triples, not from the graphs."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from evaltools.errors import ParameterError
from evaltools.frameworks.common.columns import SentenceStatus
from evaltools.frameworks.figures import needed_columns, summarize
from evaltools.frameworks.semantics.edm import LETTERS, MATCHED, SIDES
from evaltools.frameworks.semantics.edm_rules import EDM_PRESETS, ClassWeights, EdmRules
from evaltools.frameworks.stored import exact_sum
from evaltools.text import significant

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.runs.store import Run

_FIXED = (
    "multiset",
    "constant_is_property",
    "quantifier_role",
    "spans",
    "fold_case",
    "turn_inverted",
    "count_empty_gold",
    "top_concept",
    "repeats_multiply",
)
NAME_OF_TRIPLE = "case when kind = 'name' then value else label end"
"""SQL of the predicate, role or property of a triple, on which its weight depends."""
WEIGHTS_TABLE = "select unnest(?::varchar[]) as kind, unnest(?::varchar[]) as name, unnest(?::double[]) as weight"
"""SQL of a table of weights; its parameters are the lists that :func:`weights_of_triples` returns."""
_STATUSES = {"gold": "('missing', 'right')", "test": "('spurious', 'right')", "matched": "('right')"}


def _weight_sum(kind: str, side: str) -> str:
    return exact_sum("n * weight", f"kind = '{kind}' and triple in {_STATUSES[side]}")


_SUMS = ", ".join(
    f"coalesce({_weight_sum(kind, side)}, 0) as edm_{letter}_{side}"
    for letter, kind in LETTERS.items()
    for side in SIDES
)
_SENTENCES = f"""
with weights as ({WEIGHTS_TABLE}),
     numbers as (
         select parser, sentence, kind, {NAME_OF_TRIPLE} as name, status as triple, count(*) as n
         from triples group by all
     ),
     sums as (
         select parser, sentence, {_SUMS},
                coalesce({exact_sum("n * weight", "triple <> 'right'")}, 0) as unmatched
         from numbers join weights using (kind, name) group by parser, sentence
     ),
     scored as (
         select parser, sentence, words, status, sentences, words_aligned, edm_exact_match is null as without_matches,
                edm_n_gold is null as without_counts{{unchanged}}
         from sentences
     )
select * from scored left join sums using (parser, sentence) order by sentence
"""


def weights_of_triples(query: Callable[[str, list[Any]], pd.DataFrame], rules: EdmRules) -> list[list[Any]]:
    """Return the kinds and names of all triples of a run, and their weights under some rules."""
    table = query(f"select distinct kind, {NAME_OF_TRIPLE} as name from triples order by all", [])
    kinds, names = table["kind"].astype(str).tolist(), table["name"].astype(str).tolist()
    return [kinds, names, [rules.weight(kind, name) for kind, name in zip(kinds, names, strict=True)]]


def reweighted_sentences(run: Run, rules: EdmRules) -> pd.DataFrame:
    """Return the counts of every sentence under other weights."""
    run_rules = run.edm_rules
    for name in _FIXED:
        requested, required = getattr(rules, name), getattr(run_rules, name)
        if requested != required:
            raise ParameterError(f"{name} of the run is {required!r}, not {requested!r}: score a new run to change it")
    others = [metric for metric in run.framework.metrics if metric.id in run.metrics and metric.family.id != "edm"]
    unchanged = dict.fromkeys(name for metric in others for name in needed_columns(metric) if name != "sentences")
    frame = run.query(
        _SENTENCES.format(unchanged="".join(f", {name}" for name in unchanged)), weights_of_triples(run.query, rules)
    )
    counts = [f"edm_{letter}_{side}" for letter in LETTERS for side in SIDES]
    frame[[*counts, "unmatched"]] = frame[[*counts, "unmatched"]].fillna(0.0)
    scored = (frame["status"] == SentenceStatus.OK.label).to_numpy()
    frame["edm_exact_match"] = (scored & (frame["unmatched"].to_numpy() == 0)).astype(np.float64)
    frame.loc[frame["without_matches"], list(MATCHED)] = np.nan
    frame.loc[frame["without_counts"], counts] = np.nan
    return frame.drop(columns=["unmatched", "without_matches", "without_counts"])


def reweighted(run: Run, rules: EdmRules) -> pd.DataFrame:
    """Return the figures of a run under other weights, the same as those of a new run.

    Parameters
    ----------
    run : Run
        A run of semantic graphs.
    rules : EdmRules
        The run's rules with other weights of classes, roles, properties or predicates.

    Returns
    -------
    DataFrame
        As :meth:`evaltools.Run.summary` returns it.

    Raises
    ------
    ParameterError
        If the rules differ in more than weights.
    RunError
        If it is a run of another kind.
    """
    metrics = {metric.id: metric for metric in run.framework.metrics}
    return summarize(reweighted_sentences(run, rules), run.parsers, [metrics[name] for name in run.metrics])


# ------------------------------------------------------------------------------------------ weights as users edit them

CLASSES = tuple(field.name for field in fields(ClassWeights))
"""The classes that have a weight each."""
KINDS = {"role": "roles", "property": "properties", "predicate": "predicates"}
"""The kinds of names that patterns apply to, the default first, and the field of the rules with their patterns."""
MAXIMUM = 1_000.0
"""The largest weight."""
Pattern = tuple[str, str, float]
"""A kind of name, a pattern of such names, and its weight."""


def patterns_of(rules: EdmRules) -> list[Pattern]:
    """Return the patterns of roles, properties and predicates."""
    return [(kind, name, weight) for kind, field in KINDS.items() for name, weight in getattr(rules, field)]


def with_classes(rules: EdmRules, weights: Mapping[str, float]) -> EdmRules:
    """Return rules with other weights of the classes."""
    return replace(rules, classes=ClassWeights(**weights))


def with_patterns(rules: EdmRules, patterns: Sequence[Pattern]) -> EdmRules:
    """Return rules with other patterns."""
    by_field = {
        field: tuple((name, weight) for item, name, weight in patterns if item == kind and name and _valid(weight))
        for kind, field in KINDS.items()
    }
    return replace(rules, **by_field)  # type: ignore[arg-type]


def written_weights(rules: EdmRules, usual: EdmRules) -> dict[str, str | None]:
    """Return ``classes`` and ``patterns`` for the URL, None where they are those of the run."""
    classes = "~".join(significant(weight, 12) for weight in asdict(rules.classes).values())
    patterns = patterns_of(rules)
    rows = [(kind, name, int(weight) if weight % 1 == 0 else weight) for kind, name, weight in patterns]
    return {
        "classes": None if rules.classes == usual.classes else classes,
        "patterns": None
        if patterns == patterns_of(usual)
        else json.dumps(rows, ensure_ascii=False, separators=(",", ":")),
    }


def read_weights(usual: EdmRules, classes: str, patterns: str) -> EdmRules:
    """Return the rules in the URL; invalid parts are as in the run.

    Examples
    --------
    >>> read_weights(EdmRules("mine"), "1~1~0.5~0~0", '[["role","ARG*",2]]').weight("argument", "ARG1")
    2.0
    """
    rules = usual
    try:
        weights = [float(part) for part in classes.split("~")] if classes else []
    except ValueError:
        weights = []
    if len(weights) == len(CLASSES) and all(map(_valid, weights)):
        rules = with_classes(rules, dict(zip(CLASSES, weights, strict=True)))
    try:
        rows = [(str(kind), str(name), float(weight)) for kind, name, weight in json.loads(patterns)]
    except (ValueError, TypeError, RecursionError):
        return rules
    return with_patterns(rules, rows)


def weights_file(rules: EdmRules) -> str:
    """Return the weights as the file that ``evaltools score --weights`` reads.

    Examples
    --------
    >>> print(weights_file(EdmRules("mine", roles=(("ARG*", 2.0),))).split("[roles]")[1].strip())
    "ARG*" = 2
    """
    preset = rules.name.split(" with ")[0]
    lines = [f"preset = {_quoted(preset)}"] if preset in EDM_PRESETS else []
    lines += [f"spans = {_quoted(rules.spans)}", "", "[classes]"]
    lines += [f"{name} = {significant(weight, 12)}" for name, weight in asdict(rules.classes).items()]
    for field in KINDS.values():
        pairs: dict[str, float] = {}
        for name, weight in getattr(rules, field):  # a key occurs once in TOML: at its last position
            pairs.pop(name, None)
            pairs[name] = weight
        if pairs:
            lines += [
                "",
                f"[{field}]",
                *(f"{_quoted(name)} = {significant(weight, 12)}" for name, weight in pairs.items()),
            ]
    return "\n".join(lines) + "\n"


def identity(rules: EdmRules) -> str:
    """Return the rules as JSON."""
    return json.dumps(rules.to_dict(), sort_keys=True)


def _valid(weight: float) -> bool:
    return math.isfinite(weight) and 0 <= weight <= MAXIMUM


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
