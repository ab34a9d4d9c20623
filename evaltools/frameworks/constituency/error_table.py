"""The steps of a parser's repairs by type, sums of them, and the trees of a run."""

from __future__ import annotations

from collections.abc import Sequence
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
from evaltools.frameworks.constituency.errors import REPAIR, stored_edits
from evaltools.frameworks.constituency.normalization import (
    Normalized,
    Pair,
    TreeComparison,
    normalize_gold,
    normalize_pair,
)
from evaltools.frameworks.constituency.repair import RepairCounts
from evaltools.frameworks.framework import ErrorTypes
from evaltools.frameworks.stored import no_such_thing, trees_of

if TYPE_CHECKING:
    from evaltools.runs.store import Run


_STORED = {RULES.default: "type", WIDE: "wide_type"}
"""The columns of the table of errors that have the types by bundled rules."""


def _titles(rules: str) -> dict[str, str]:
    return {kind.id: kind.title for kind in bundled_rules(rules)}


def _steps(run: Run, parser: str, rules: str | RuleSet) -> pd.DataFrame:
    """Return a row a step of the repairs; types by bundled rules are those of the run's table of errors."""
    column = next((column for name, column in _STORED.items() if rules in (name, bundled_rules(name))), None)
    if column is not None:
        return run.query(
            f"select sentence, {column} as type, cost as repaired from errors where parser = ? and kind = '{REPAIR}' "
            "and type is not null order by sentence, number",
            [parser],
        )
    numbers = range(1, run.n_sentences + 1)
    repairs = RepairCounts.prepare(TreeComparison.of(tree_pair(run, parser, numbers), run.rules))
    repairs.known |= {number - 1: edits for number, edits in stored_edits(run, parser, numbers).items()}
    repairs.run(0, len(numbers))
    steps = repairs.steps()
    rule_set = bundled_rules(rules) if isinstance(rules, str) else rules
    types = rule_set.titles(steps)
    return pd.DataFrame({"sentence": steps.sentences + 1, "type": types, "repaired": steps.rows[:, 1]})


def _costs(run: Run, parser: str) -> dict[str, int]:
    """Return the brackets repaired by error type, the costliest first, by default rules."""
    rows = run.columns(
        f"select type, sum(cost)::bigint as cost from errors where parser = ? and kind = '{REPAIR}' "
        "and type is not null group by type order by cost desc, type",
        [parser],
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
