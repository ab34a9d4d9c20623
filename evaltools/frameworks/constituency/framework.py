"""Constituency trees, phrases over the words of a sentence, and their runs as they are stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec

from evaltools.corpus import Tree, Treebank
from evaltools.formats import notation_of
from evaltools.frameworks.common.tables import ERRORS, with_shares
from evaltools.frameworks.constituency.alignment import align_trees
from evaltools.frameworks.constituency.bracketing import ERRORS as ERROR_COUNT
from evaltools.frameworks.constituency.errors import stored_edits
from evaltools.frameworks.constituency.evalb_lines import EVALB_ROW
from evaltools.frameworks.constituency.normalization import phrases_of
from evaltools.frameworks.constituency.options import ConstituencyOptions
from evaltools.frameworks.constituency.passes import PASSES
from evaltools.frameworks.framework import Framework
from evaltools.frameworks.options import options_of
from evaltools.frameworks.presets import PRESETS, Preset, recorded_preset
from evaltools.frameworks.stored import LabelColumns, Labels, StoredRuns, Table, mismatch

if TYPE_CHECKING:
    import pandas as pd

    from evaltools.drawing.blocks import Drawing
    from evaltools.formats import Source
    from evaltools.frameworks.common.tree_inputs import TreeInputs
    from evaltools.frameworks.constituency.aligned_trees import Alignment
    from evaltools.frameworks.framework import Compared, ErrorTypes
    from evaltools.frameworks.presets import Preset
    from evaltools.frameworks.questions import Question
    from evaltools.frameworks.scoring import Plan, Sample
    from evaltools.frameworks.stored import AnyTree, StoredRuns
    from evaltools.frameworks.views import Sentence, SentenceView, Viewing
    from evaltools.runs.store import Run


class Constituency(Framework):
    """Constituency trees."""

    id = "constituency"
    title = "constituency trees"
    options = ConstituencyOptions
    passes_by_family = PASSES
    reads = Treebank
    paired_by_position = True
    main_metric = "f1"
    second_metric = "ted"
    first_metrics = ("f1", "f1_discontinuous", "exact", "ted", "la", "errors")
    error_count = ERROR_COUNT
    ranking = (
        *("f1", "jaccard", "jaccard_pos", "f1_pos"),
        *("ted", "ted_jaccard", "la_exact", "la"),
    )
    tables: ClassVar[Mapping[str, Table]] = {
        "sentences": Table(texts=("labels",), numbers=("evalb_length",), integers=EVALB_ROW),
        "words": Table(
            texts=("parser", "form", "tag", "test_tag", "test_form", "match"),
            numbers=("sentence", "word", "position", "test_word", "la_exact", "la"),
        ),
        "brackets": Table(
            texts=(
                *("parser", "label", "gold_kind", "test_kind", "e_status"),
                *("t_gold_status", "t_test_status", "t_label", "gaps"),
            ),
            numbers=("sentence", "start", "end"),
        ),
        "errors": ERRORS.with_columns(
            Table(texts=("type", "construction", "wide_type", "edit", "gold_rule", "test_rule"), flags=("attached",))
        ),
    }
    sample_name = "sample"
    compares_both = True
    file_ending = "ptb"

    @cached_property
    def stored(self) -> StoredRuns:
        """Access to its runs."""
        return ConstituencyRuns()

    @cached_property
    def reported_counts(self) -> tuple[str, ...]:
        """The counts of brackets and of the T-mapping that reports of sentences show beside the scores."""
        return (
            *("e_gold_roof", "e_test_roof", "e_matched_roof", "e_gold_whole", "e_test_whole", "e_matched_whole"),
            *("t_gold", "t_test", "t_deleted", "t_inserted", "t_swapped", "t_matched"),
            *("r_steps", "r_brackets", "r_moves", "r_relabels", "r_adds", "r_removes"),
        )

    def notes(self, meta: Mapping[str, Any]) -> list[str]:
        """Return whose trees have function nodes that are not compared."""
        from evaltools.frameworks.constituency.normalization import WITHOUT_FUNCTIONS

        entries = ({"name": "gold", **meta["gold"]}, *meta["parsers"])
        names = [entry["name"] for entry in entries if entry.get("format") == "rr"]
        return [f"{', '.join(names)}: {WITHOUT_FUNCTIONS}"] if names else []

    @property
    def questions(self) -> Mapping[str, Question]:
        """The questions that *Hotspots* can ask."""
        from evaltools.frameworks.constituency.questions import QUESTIONS

        return QUESTIONS

    @property
    def excerpts(self) -> Sequence[str]:
        """What reports show of them."""
        from evaltools.frameworks.constituency.questions import EXCERPTS

        return EXCERPTS

    @property
    def error_types(self) -> ErrorTypes | None:
        """The types of its errors."""
        from evaltools.frameworks.constituency.error_table import ERROR_TYPES

        return ERROR_TYPES

    def sentence_view(self, sentence: Sentence, viewing: Viewing) -> SentenceView:
        """Return the view of a sentence."""
        from evaltools.frameworks.constituency.views import sentence_view

        return sentence_view(sentence, viewing)

    def drawings(self, subject: object, gold_name: str = "gold", parse_name: str = "parse") -> tuple[Drawing, ...]:
        """Return the marked sentence, its repairs one by one if there are several, and both mappings."""
        from evaltools.frameworks.constituency.aligned_trees import Alignment
        from evaltools.frameworks.constituency.marked import marked_sentence
        from evaltools.frameworks.constituency.views import mapping_drawing
        from evaltools.frameworks.views import marks_drawings

        if not isinstance(subject, Alignment):
            return ()
        names = {"gold_name": gold_name, "parse_name": parse_name}
        mappings = (mapping_drawing(subject, name, **names) for name in ("e", "t"))
        marks = marked_sentence(subject) if subject.status == "ok" else None
        return (*marks_drawings(marks, parse_name), *mappings)

    @property
    def inputs(self) -> type[TreeInputs]:
        """The class that reads streams of treebanks."""
        from evaltools.frameworks.constituency.chunks import ConstituencyInputs

        return ConstituencyInputs

    def compare_files(
        self, gold: tuple[Source, str], test: tuple[Source, str], preset: Preset, *, align: bool
    ) -> Compared:
        """Pair the sentences of a parser's file with the gold sentences, and compare their words."""
        from evaltools.frameworks.constituency.chunks import compare_treebanks

        return compare_treebanks(gold, test, preset, align=align)

    def plan_again(self, meta: Mapping[str, Any]) -> Plan:
        """Return how to score the sources of a run once more."""
        from evaltools.frameworks.common.tree_inputs import plan_trees_again

        return plan_trees_again(meta, self)

    def sample_files(self, folder: Path) -> Sample:
        """Return the sample treebank and the parsers' outputs."""
        from evaltools.frameworks.common.tree_inputs import sampled

        return sampled(self, folder / "gold.ptb", (folder / "parsers").glob("*.ptb"), ".ptb")


LABELS = """
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


def label_figures(rows: pd.DataFrame, parsers: Sequence[str]) -> pd.DataFrame:
    """Add recall, precision and F1 to counts of brackets by label, and put them in order."""
    rows = with_shares(rows)
    ranks = {name: number for number, name in enumerate(parsers)}
    order = rows.assign(_rank=rows["parser"].map(ranks)).sort_values(
        ["_rank", "gold", "test", "label"], ascending=[True, False, False, True], kind="stable"
    )
    return order.drop(columns="_rank").reset_index(drop=True)


def _tree(tree: AnyTree | None) -> Tree:
    return tree if isinstance(tree, Tree) else Tree.from_string("")


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
    empty_tags: list[str] = []  # not in schema 4
    delete_words: list[str] = []  # not in older runs
    multiword_only: bool = False  # only if set
    label_map: dict[str, str] = {}


class _PresetMeta(msgspec.Struct):
    preset_fields: _Rules


class ConstituencyRuns(StoredRuns):
    """Runs of constituency trees."""

    labels = Labels("Phrase label in the gold tree", "brackets", "label", "gold_kind = 'phrase'")
    labels_sql = ("sentences", "select unnest(string_split(labels, ' ')) as label from sentences")
    label_columns = LabelColumns({"label": "label"})

    def meta_problem(self, meta: dict[str, Any]) -> str:
        """Return what is wrong with the preset."""
        if meta["preset_fields"]:
            return mismatch(meta, _PresetMeta)
        if meta["preset_source"]:
            return ""
        if meta["preset"] not in PRESETS or meta["preset"] == "evalb:FILE":
            return f"the rules of preset {meta['preset']!r} are not in it"  # rules are read from the run only
        return ""

    def rules_of(self, meta: Mapping[str, Any]) -> Preset:
        """Return the preset, with the parameter file as it was when the run was made."""
        return recorded_preset(meta)

    def read_tree(self, text: str, notation: str) -> Tree:
        """Return a tree from its text, a relational-realizational one without its functions."""
        tree = Tree.from_string(text, notation_of(notation))
        return phrases_of(tree) if notation == "rr" else tree

    def align(self, run: Run, gold: AnyTree | None, test: AnyTree | None) -> Alignment:
        """Align two trees by the preset and the options of a run."""
        return align_trees(_tree(gold), _tree(test), run.rules, options_of(ConstituencyOptions, run.meta))

    def align_parses(
        self, run: Run, parser: str, trees: Mapping[int, tuple[AnyTree | None, AnyTree | None]]
    ) -> dict[int, Alignment]:
        """Align gold trees with those of a parser, whose repairs were searched when they were scored."""
        rules, options = run.rules, options_of(ConstituencyOptions, run.meta)
        edits = stored_edits(run, parser, list(trees))
        return {
            sentence: align_trees(_tree(gold), _tree(test), rules, options, edits.get(sentence, ()), is_known=True)
            for sentence, (gold, test) in trees.items()
        }

    def label_figures(self, run: Run, parser: str | None) -> pd.DataFrame:
        """Return figures of brackets by phrase label."""
        return label_figures(run.query(LABELS, [parser, parser]), run.parsers)

    def label_query(self, parser: str, label: str) -> tuple[str, list[Any]] | None:
        """Return SQL of the sentences with a phrase of a label."""
        if " " in label:  # the separator of labels, which no label contains
            return None
        return "select sentence from sentences where parser = ? and contains(labels, ' ' || ? || ' ')", [parser, label]


CONSTITUENCY = Constituency()
