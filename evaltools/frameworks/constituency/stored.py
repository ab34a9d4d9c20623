"""Runs of constituency trees as they are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from evaltools.corpus import Tree
from evaltools.formats import notation_of
from evaltools.frameworks.common.tables import label_figures
from evaltools.frameworks.constituency.aligned_trees import Alignment
from evaltools.frameworks.constituency.alignment import align_trees
from evaltools.frameworks.constituency.errors import stored_edits
from evaltools.frameworks.constituency.normalization import WITHOUT_FUNCTIONS, phrases_of
from evaltools.frameworks.constituency.options import ConstituencyOptions
from evaltools.frameworks.constituency.repair import NO_EDITS
from evaltools.frameworks.options import options_of
from evaltools.frameworks.presets.preset import recorded_preset
from evaltools.frameworks.stored import LabelClasses, Labels, Runs, mismatch, tree_pairs

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.runs.store import Run

_LABELS = """
select brackets.parser, label,
       count(*) filter (gold_kind = 'phrase') as gold,
       count(*) filter (test_kind = 'phrase') as test,
       count(*) filter (gold_kind = 'phrase' and test_kind = 'phrase') as matched
from brackets join sentences using (parser, sentence)
where e_status is not null and 'phrase' in (gold_kind, test_kind) and (status = 'ok' or words_aligned is not null)
      and (? is null or brackets.parser = ?)
group by all
"""
"""Counts of brackets by label, over scored sentences; both parameters are the parser, or null for all."""


def _label_figures(run: Run, parser: str | None) -> pd.DataFrame:
    """Return figures of brackets by phrase label."""
    return label_figures(run.query(_LABELS, [parser, parser]), run.parsers)


class _Rules(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    summary: str
    delete_tags: list[str]
    delete_by_gold: bool
    delete_labels: list[str]
    delete_top: list[str]
    cut: str
    drop_empty: bool
    relabel: dict[str, str]
    empty_tags: list[str]
    delete_words: list[str]
    multiword_only: bool = False  # this and the following only if set
    chain_top_only: bool = False
    inner_only: bool = False
    label_map: dict[str, str] = {}


class _PresetMeta(msgspec.Struct):
    preset_fields: _Rules


def _meta_problem(meta: dict[str, Any]) -> str:
    """Return what is wrong with the preset, whose rules are read from the run only."""
    return "" if meta["preset_source"] and not meta["preset_fields"] else mismatch(meta, _PresetMeta)


def _read_tree(text: str, notation: str) -> Tree:
    """Return a tree from its text, a relational-realizational one without its functions."""
    tree = Tree.from_string(text, notation_of(notation))
    return phrases_of(tree) if notation == "rr" else tree


def _notes(meta: Mapping[str, Any]) -> list[str]:
    """Return whose trees have function nodes that are not compared."""
    entries = ({"name": "gold", **meta["gold"]}, *meta["parsers"])
    names = [entry["name"] for entry in entries if entry.get("format") == "rr"]
    return [f"{', '.join(names)}: {WITHOUT_FUNCTIONS}"] if names else []


def _with_label(parser: str, label: str) -> tuple[str, list[Any]] | None:
    """Return SQL of the sentences with a phrase of a label."""
    if " " in label:  # the separator of labels, which no label contains
        return None
    return "select sentence from sentences where parser = ? and contains(labels, ' ' || ? || ' ')", [parser, label]


def align(run: Run, parser: str, other: str | None, sentences: Sequence[int]) -> dict[int, Alignment]:
    """Align trees by the preset and the options; repairs of a parse were searched when it was scored."""
    options = options_of(ConstituencyOptions, run.meta)
    edits = {} if other is not None else stored_edits(run, parser, sentences)
    empty = Tree.from_string("")
    return {
        number: align_trees(gold or empty, test or empty, run.rules, options, edits.get(number, NO_EDITS))
        for number, (gold, test) in tree_pairs(run, parser, other, sentences).items()
    }


RUNS = Runs(
    read_tree=_read_tree,
    tables=("words", "brackets", "errors"),
    meta_problem=_meta_problem,
    rules_of=recorded_preset,
    notes=_notes,
    labels=Labels(
        _label_figures,
        _with_label,
        names={"label": "label"},
        classes=LabelClasses("Phrase label in the gold tree", "brackets", "label", "gold_kind = 'phrase'"),
        listed=("sentences", "select unnest(string_split(labels, ' ')) as label from sentences"),
    ),
    categories=(
        'select sentence, arg_max(label, "end" - start) as category from brackets '
        "where parser = ? and gold_kind = 'phrase' group by sentence"
    ),
)
"""Runs of constituency trees."""
