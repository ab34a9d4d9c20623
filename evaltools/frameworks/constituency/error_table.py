"""The errors of a parser by type: every step of every repair, and sums of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import pandas as pd

from evaltools.corpus import Treebank, Vocabulary
from evaltools.formats import FORMATS, Source
from evaltools.frameworks.constituency.error_types import (
    OTHER,
    RULES,
    WIDE,
    RuleSet,
    bundled_rules,
    load_rules,
)
from evaltools.frameworks.constituency.errors import STEP_ROW, step_rows, stored_edits
from evaltools.frameworks.constituency.normalization import (
    Normalized,
    Pair,
    TreeComparison,
    normalize_gold,
    normalize_pair,
)
from evaltools.frameworks.constituency.repair import Columns, RepairCounts
from evaltools.frameworks.framework import ErrorTypes
from evaltools.frameworks.presets import Preset
from evaltools.frameworks.stored import no_such_thing, trees_of

if TYPE_CHECKING:
    from evaltools.runs.store import Run


def error_table(pair: Pair, edits: Mapping[int, Columns | None], rules: RuleSet, preset: Preset) -> pd.DataFrame:
    """List the steps of repairs of trees normalized by a preset.

    By sentence, counted from 0, `edits` has the steps that are known, None where there is no repair.
    """
    repairs = RepairCounts.prepare(TreeComparison.of(pair, preset))
    repairs.known |= edits
    repairs.run(0, len(pair.status))
    table = pd.DataFrame(list(step_rows(pair, repairs.steps(), rules)), columns=list(STEP_ROW))
    table["sentence"] += 1 + pair.gold.treebank.first_sentence
    table.insert(1, "step", table.groupby("sentence").cumcount() + 1)
    table = table.rename(columns={"cost": "repaired", "text": "story", "construction": "part"})
    return table[_STEPS].astype({"attached": bool, "typical": bool})


_STEPS = ["sentence", "step", "type", "repaired", "start", "end", "gaps", "story", "part", "attached", "typical"]

_STORED = """
select sentence, number as step, {type}, cost as repaired, start, "end", gaps, text as story, construction as part,
       attached, typical
from errors where parser = ? and kind = 'repair' and type is not null and {where} order by sentence, number
"""


def _stored(rules: str | RuleSet, where: str) -> str | None:
    """Return SQL of the steps of a parser by some rules; None if the run does not have them."""
    types = {RULES.default: "type", WIDE: "wide_type as type"}
    name = next((name for name in types if rules in (name, bundled_rules(name))), None)
    return None if name is None else _STORED.format(type=types[name], where=where)


def _titles(rules: str) -> dict[str, str]:
    return {kind.id: kind.title for kind in bundled_rules(rules)}


def _steps(run: Run, parser: str, rules: str | RuleSet) -> pd.DataFrame:
    """Return a row a step of the repairs; by bundled rules they are those of the run's table of errors."""
    stored = _stored(rules, "true")
    if stored is not None:
        return run.query(stored, [parser])
    rule_set = bundled_rules(rules) if isinstance(rules, str) else rules
    numbers = range(1, run.n_sentences + 1)
    edits = {number - 1: own for number, own in stored_edits(run, parser, numbers).items()}
    return error_table(tree_pair(run, parser, numbers), edits, rule_set, run.rules)


def _steps_of(run: Run, parser: str, sentences: Sequence[int], rules: str) -> pd.DataFrame:
    """Return the steps of some sentences by bundled rules."""
    stored = _stored(rules, "sentence in (select unnest(?::integer[]))")
    assert stored is not None
    return run.query(stored, [parser, list(sentences)])


def _costs(run: Run, parser: str, size: int) -> dict[str, int]:
    """Return the brackets repaired by error type in the first sentences, the costliest first, by default rules."""
    rows = run.columns(
        "select type, sum(cost)::bigint as cost from errors where parser = ? and kind = 'repair' "
        "and type is not null and sentence <= ? group by type order by cost desc, type",
        [parser, size],
    )
    return dict(zip(rows["type"].tolist(), rows["cost"].tolist(), strict=True))


ERROR_TYPES = ErrorTypes(
    rules=RULES,
    residual=OTHER.title,
    citation="Kummerfeld et al. 2012",
    reference="Kummerfeld, Hall, Curran and Klein 2012",
    load=load_rules,
    titles=_titles,
    steps=_steps,
    steps_of=_steps_of,
    costs=_costs,
)
"""The types of the steps that turn a parse into its gold tree."""


def gold_trees(run: Run, sentences: Sequence[int]) -> Normalized:
    """Read the gold trees of some sentences of a run."""
    return normalize_gold(_trees(run, None, sentences, Vocabulary()), run.rules)


def tree_pair(run: Run, parser: str, sentences: Sequence[int]) -> Pair:
    """Read the gold trees and a parser's trees of some sentences of a run."""
    vocabulary = Vocabulary()
    gold, test = (_trees(run, name, sentences, vocabulary) for name in (None, parser))
    return normalize_pair(gold, test, run.rules)


def _trees(run: Run, parser: str | None, sentences: Sequence[int], vocabulary: Vocabulary) -> Treebank:
    """Read trees, one a line; a missing one is a blank line."""
    if run.framework.reads is not Treebank:
        raise no_such_thing(run, "errors of constituency trees have types")
    trees, notation = trees_of(run, parser, sentences)
    data = "".join(f"{trees.get(number) or ''}\n" for number in sentences).encode("utf-8", "backslashreplace")
    treebank: Treebank = FORMATS[notation].read(Source(parser or "gold", data, "", layout="lines"), vocabulary)
    return treebank
