"""Where the wrong brackets of constituency trees are: by label, change of the T-mapping, rule and attachment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pandas as pd

from evaltools.corpus import Span
from evaltools.corpus.stretches import gap_spans, stretches_without
from evaltools.drawing.blocks import Drawing
from evaltools.frameworks.common.confusion_matrix import commonest, confusion_matrix, in_cell
from evaltools.frameworks.common.word_groups import FIGURES, GoldWords
from evaltools.frameworks.constituency.bracket_errors import (
    BRACKET_STATUS,
    NO_BRACKET,
    PhraseSides,
    attachments,
    confused_brackets,
    label_changes,
    label_confusions,
    parent_brackets,
    phrase_sides,
    rule_differences,
    rule_places,
    word_features,
    wrong_rules,
)
from evaltools.frameworks.constituency.error_table import ERROR_TYPES, cached_pair, gold_trees
from evaltools.frameworks.constituency.error_types import RULES, bundled_rules
from evaltools.frameworks.constituency.marked import marked_sentence
from evaltools.frameworks.constituency.normalization import Normalized
from evaltools.frameworks.groups import Column, Example, GroupBy, Line, Matrix, Options, Part
from evaltools.frameworks.stored import alignments_of
from evaltools.marks import Mark, Marks, Repair, Status

BRACKETS = Column("brackets", "Brackets", help="missing and spurious brackets", width=68)
SHARE = Column("share", "Share", "percent", help="of all missing and spurious brackets of the parser", width=58)
"""The unit of cost of all questions about constituency trees."""

_MAX_QUOTED = 30
"""Maximum number of characters of a quoted bracket."""


def _gold(part: Part) -> Normalized:
    return gold_trees(part.run, part.size)


def gold_features(part: Part) -> pd.DataFrame:
    """Return the features of the gold words of the first sentences."""
    return word_features(part.cached(_gold))


def gold_words(part: Part) -> GoldWords:
    """Return the gold words of the first sentences."""
    normalized = part.cached(_gold)
    gold = normalized.read
    forms = np.array(gold.vocabulary.words.strings(), dtype=object)[gold.label[gold.word_nodes]]
    return GoldWords.of(forms, gold.n_words, normalized.dropped)


def _bracket_errors(part: Part, parser: str) -> dict[int, int]:
    rows = part.run.query(
        "select sentence, count(*) as n from brackets b join sentences s using (parser, sentence) "
        "where parser = ? and sentence <= ? and s.status = 'ok' "
        f"and {BRACKET_STATUS} is not null group by sentence",
        [parser, part.size],
    )
    return dict(zip(rows["sentence"].tolist(), rows["n"].tolist(), strict=True))


def n_wrong_brackets(part: Part, parser: str) -> int:
    """Return the number of missing and spurious brackets of a parser."""
    return sum(part.cached(_bracket_errors, parser).values())


def marked_sentences(part: Part, parser: str, sentences: tuple[int, ...], rules: str) -> dict[int, Marks]:
    """Return the marked sentences of a parser."""
    alignments = alignments_of(part.run, parser, sentences)
    return {number: marked_sentence(item, bundled_rules(rules)) for number, item in alignments.items()}


def brackets_over(marks: Marks, error: Mapping[Any, Any]) -> list[Mark]:
    """Return the brackets over the words of an error."""
    words = _words_of(marks, error)
    return [mark for mark in marks.marks if mark.kind == "bracket" and mark.stretches == words]


def _words_of(marks: Marks, error: Mapping[Any, Any]) -> tuple[Span, ...]:
    span, gaps = Span(int(error["start"]), int(error["end"])), gap_spans(str(error.get("gaps") or ""))
    return marks.placed(stretches_without(span, gaps))


def repair_of(sentence: Marks, error: Mapping[str, Any], *, is_within: bool = False) -> Repair | None:
    """Return the repair of an error: that of its step, else that of the nearest bracket that differs.

    Parameters
    ----------
    sentence
        The sentence with its repairs.
    error
        ``start`` and ``end`` of its words; if known, ``number`` of the step of the repair, or ``label``, ``gold`` or
        ``test``, labels of its brackets.
    is_within
        Whether the cause is within the words, not around them, if no bracket over these words differs.
    """
    if _has_step(error):
        return next((repair for repair in sentence.repairs if repair.step == error["number"]), None)
    words = _words_of(sentence, error)
    if not words:
        return None
    start, end = words[0].start, words[-1].end
    differing = [mark for mark in sentence.marks if mark.kind == "bracket" and mark.repairs]
    over = [mark for mark in brackets_over(sentence, error) if mark.repairs]
    labels = {error.get(name) for name in ("label", "gold", "test")}
    named = [mark for mark in over if mark.text in labels]
    moved = [repair.number for repair in sentence.repairs if repair.moved == words]
    inner = [mark for mark in differing if start <= mark.start and mark.end <= end]
    outer = [mark for mark in differing if mark.start <= start and end <= mark.end]

    def length(mark: Mark) -> int:
        return mark.end - mark.start

    near = sorted(inner, key=length, reverse=True) if is_within else sorted(outer, key=length)
    numbers = [*(item.repairs[0] for item in named), *moved, *(item.repairs[0] for item in (*over, *near))]
    return sentence.repairs[numbers[0] - 1] if numbers else None


class TreeGroups(GroupBy):
    """Groups whose errors are spans of the words that the preset leaves, counted in wrong brackets."""

    main = "brackets"
    unit = "brackets"
    whole = "wrong brackets"
    verb = "loses most"
    legend: ClassVar[tuple[tuple[str, str], ...]] = (
        ("moved", "moved: the phrase, ↑ where it belongs, × where it is"),
        ("missing", "missing bracket"),
        ("spurious", "spurious bracket"),
        ("relabeled", "label"),
    )
    errors_within: ClassVar[bool] = False
    """Whether an error is caused by brackets within its words, not around them."""

    def lines(self, part: Part, sentences: Sequence[int], places: pd.DataFrame) -> list[Line]:
        """Return sentences with the words of their errors."""
        return part.cached(gold_words).lines(sentences, places)

    def errors_of_sentences(self, part: Part, parser: str) -> Mapping[int, int]:
        """Return the number of missing and spurious brackets of a parser in each sentence."""
        return part.cached(_bracket_errors, parser)

    def pictured(
        self, part: Part, parser: str, options: Options, sentences: Sequence[int], errors: pd.DataFrame
    ) -> Mapping[int, Example]:
        """Return the first error of some sentences: the repair in words, and the words around it with its brackets."""
        rules = str(options.get(RULES.name, RULES.default))
        marked = part.cached(marked_sentences, parser, tuple(sentences), rules)
        first = errors[errors["sentence"].isin(sentences)].drop_duplicates("sentence")
        examples = {}
        for row in first.to_dict("records"):
            error = {str(name): value for name, value in row.items()}
            sentence = marked.get(error["sentence"])
            repair = None if sentence is None else repair_of(sentence, error, is_within=self.errors_within)
            if sentence is not None and sentence.unrepaired:
                if (own := _own_bracket(sentence, error)) is not None:
                    examples[int(error["sentence"])] = _unrepaired_example(sentence, own, parser)
                continue
            if sentence is None or repair is None:
                continue
            text = f"{repair.phrase} {repair.verdict}"
            if _has_step(error) and repair.reason:
                text += f" ({repair.type}: {repair.reason})"
            own = None if _has_step(error) else _own_bracket(sentence, error)
            if own is not None:
                sentence = replace(sentence, marks=tuple(_stressed(item, own) for item in sentence.marks))
                text = _with_own(text, own, sentence, repair)
            shape = {"focus": repair.number, "shorten": True, "numbered": False, "height": 0, "parse_name": parser}
            examples[int(error["sentence"])] = Example(text, Drawing(sentence, options=shape))
        return examples


def _has_step(error: Mapping[str, Any]) -> bool:
    number = error.get("number")
    return number is not None and number == number


def _own_bracket(sentence: Marks, error: Mapping[str, Any]) -> Mark | None:
    """Return the wrong bracket that is the error, if it is one."""
    labels = [error.get(name) for name in ("label", "gold", "test")]
    wrong = (mark for mark in brackets_over(sentence, error) if mark.status is not Status.RIGHT)
    return next((mark for mark in wrong if mark.text in labels), None)


def _stressed(bracket: Mark, own: Mark) -> Mark:
    return replace(bracket, follows=False) if bracket == own else bracket


def _with_own(text: str, own: Mark, sentence: Marks, repair: Repair) -> str:
    """Name the bracket of an error before its repair, if the repair does not tell it already."""
    return text if not repair.has_parents else f"{_told_bracket(own, sentence)}: {text}"


def _told_bracket(bracket: Mark, sentence: Marks) -> str:
    words = sentence.quoted(bracket.stretches, _MAX_QUOTED)
    return f"{'missing' if bracket.side == 'gold' else 'spurious'} {bracket.text} “{words}”"


def _unrepaired_example(sentence: Marks, own: Mark, parser: str) -> Example:
    """Return a wrong bracket of a sentence without repairs."""
    drawn = replace(sentence, marks=(own,), right=())
    shape = {"shorten": True, "numbered": False, "height": 0, "parse_name": parser}
    return Example(_told_bracket(own, sentence), Drawing(drawn, options=shape))


def _label_pairs(part: Part, parser: str) -> pd.DataFrame:
    pairs = confused_brackets(part.run, parser, part.size)
    return pairs.assign(brackets=brackets_of(pairs))


def brackets_of(pairs: pd.DataFrame) -> pd.Series[int]:
    """Return the number of wrong brackets of each pair of labels: two, or one where there is no bracket."""
    return 2 - (pairs["gold"] == NO_BRACKET).astype(int) - (pairs["test"] == NO_BRACKET).astype(int)


def _label_counts(part: Part, parser: str) -> tuple[list[str], pd.DataFrame]:
    """Return the commonest labels, and the counts of all pairs of labels."""
    rows = label_confusions(part.run, parser, part.size)
    return commonest(rows, NO_BRACKET), rows


def _sides(part: Part, parser: str) -> PhraseSides:
    return phrase_sides(cached_pair(part, parser), part.run.rules)


def _attachments(part: Part, parser: str) -> pd.DataFrame:
    """Return the wrong attachments; those of a step of the repair have its ``number``, others NaN."""
    rows = attachments(part.cached(_sides, parser))
    steps = ERROR_TYPES.steps(part, parser, ERROR_TYPES.rules.default)
    steps = steps.loc[steps["attached"], ["sentence", "start", "end", "gaps", "step"]].rename(
        columns={"step": "number"}
    )
    return rows.merge(steps.drop_duplicates(["sentence", "start", "end", "gaps"]), how="left")


class Labels(TreeGroups):
    """Labels that are confused."""

    id = "labels"
    title = "Label confusions"
    description = (
        f"Gold and test brackets over the same words with different labels: two brackets each, one missing and one "
        f"spurious; {NO_BRACKET}: no bracket in the other tree."
    )
    keys = ("gold", "test")

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return pairs of labels; ``of_label`` is the share of the gold label, ``right`` the number correct."""
        _, rows = part.cached(_label_counts, parser)
        right = rows[rows["gold"] == rows["test"]].set_index("gold")["count"]
        total = rows.groupby("gold")["count"].sum()
        wrong = rows[rows["gold"] != rows["test"]]
        of_label = (wrong["count"] / wrong["gold"].map(total)).where(wrong["gold"] != NO_BRACKET)
        sentences = part.cached(_label_pairs, parser).groupby(list(self.keys))["sentence"].nunique().rename("sentences")
        brackets = wrong["count"] * brackets_of(wrong)
        wrong = wrong.assign(of_label=of_label, right=wrong["gold"].map(right), brackets=brackets)
        wrong = wrong.join(sentences, on=list(self.keys)).assign(
            share=brackets / max(n_wrong_brackets(part, parser), 1)
        )
        order = ["brackets", "count", "gold", "test"]
        return wrong.sort_values(order, ascending=[False, False, True, True], ignore_index=True)

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the brackets."""
        pairs = part.cached(_label_pairs, parser)
        common, _ = part.cached(_label_counts, parser)
        of_row = pairs[in_cell(pairs, row, common, NO_BRACKET)]
        return of_row.assign(remark=[self.describe(pair) for _, pair in of_row.iterrows()]).reset_index(drop=True)

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the confused brackets."""
        return part.cached(_label_pairs, parser)[[*self.keys, "sentence", "brackets"]].rename(
            columns={"brackets": "value"}
        )

    def matrix(self, part: Part, parser: str, options: Options) -> Matrix:
        """Return the counts of brackets, the correct ones on the diagonal."""
        common, rows = part.cached(_label_counts, parser)
        counts = confusion_matrix(rows, common, NO_BRACKET)
        return Matrix(counts, "Brackets over the same words; pale: right.", NO_BRACKET)

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the labels and their figures."""
        labels = (Column("gold", "Gold label", "text", width=88), Column("test", "Parser’s label", "text", width=104))
        count = Column("count", "Occurrences")
        of_label = Column("of_label", "Of the label", "percent", help="share of the gold brackets with the label")
        return (*labels, BRACKETS, SHARE, FIGURES["sentences"], count, of_label, Column("right", "Right"))

    def heading(self, row: pd.Series[Any]) -> str:
        """Return what a row is called above its sentences."""
        return self.describe(row)

    def describe(self, row: pd.Series[Any]) -> str:
        """Return what a row is called in a sentence."""
        if row["gold"] == NO_BRACKET:
            return f"spurious {row['test']}"
        return f"missed {row['gold']}" if row["test"] == NO_BRACKET else f"{row['gold']} labeled as {row['test']}"


class Changes(TreeGroups):
    """Changes of the T-mapping."""

    id = "changes"
    title = "T-mapping"
    description = (
        "Brackets and tags that the tree-edit alignment (T) leaves missing, spurious, relabeled or moved, by label, "
        "with the wrong brackets among them."
    )
    keys = ("label", "change", "new_label")
    error = "node"

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the changes."""
        rows = label_changes(part.run, parser, part.size)
        return rows.assign(
            new_label=rows["new_label"].fillna(""),
            share=rows["brackets"] / max(n_wrong_brackets(part, parser), 1),
        )

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the brackets with the change, wrong ones first."""
        side = "t_test_status" if row["change"] == Status.SPURIOUS else "t_gold_status"
        return part.run.query(
            f"select sentence, b.start, b.\"end\", coalesce(b.gaps, '') as gaps, b.label, '' as remark, "
            f"{BRACKET_STATUS} is not null as wrong "
            f"from brackets b join sentences s using (parser, sentence) "
            f"where b.parser = ? and sentence <= ? and s.sentences > 0 and s.status <> 'missing' and b.label = ? "
            f"and b.{side} = ? and coalesce(b.t_label, '') = ? order by wrong desc, sentence, b.start, b.\"end\"",
            [parser, part.size, row["label"], row["change"], row["new_label"]],
        )

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the wrong brackets by sentence."""
        rows = label_changes(part.run, parser, part.size, by_sentence=True).rename(columns={"brackets": "value"})
        return rows.assign(new_label=rows["new_label"].fillna(""))

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the change and its figures."""
        texts = {"label": "Label", "change": "Change", "new_label": "New label"}
        names = (Column(name, title, "text", width=76) for name, title in texts.items())
        return (*names, BRACKETS, SHARE, FIGURES["sentences"], Column("count", "Nodes", help="brackets and tags"))

    def describe(self, row: pd.Series[Any]) -> str:
        """Return what a row is called in a sentence."""
        if row["change"] in (Status.MISSING, Status.SPURIOUS):
            return f"{row['change']} {row['label']}"
        return f"{row['label']} {row['change']}" + (f" as {row['new_label']}" if row["new_label"] else "")

    def heading(self, row: pd.Series[Any]) -> str:
        """Return what a row is called above its sentences."""
        return self.describe(row)


class Rules(TreeGroups):
    """Rules of missing and spurious brackets."""

    id = "rules"
    title = "Rules"
    description = (
        "Brackets that are missing or spurious, by their rule; and how often a rule is missed (only in the gold tree) "
        "or spurious (only in the parse), also at right brackets."
    )
    keys = ("rule",)
    row_name = "rule"
    error = "occurrence"
    errors_within = True

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the rules."""
        rows = rule_differences(part.cached(_sides, parser))
        rows = rows.assign(share=rows["brackets"] / max(n_wrong_brackets(part, parser), 1))
        return rows[rows["under"] + rows["over"] + rows["brackets"] > 0].reset_index(drop=True)

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the phrases of either tree, wrong brackets first."""
        sides = part.cached(_sides, parser)
        label = str(row["rule"]).split(" → ", 1)[0]
        places = [
            rule_places(sides, row["rule"], spurious=spurious).assign(remark=remark, label=label)
            for spurious, remark in ((False, "missed"), (True, "spurious"))
        ]
        order = ["wrong", "sentence", "start"]
        return pd.concat(places).sort_values(order, ascending=[False, True, True], kind="stable", ignore_index=True)

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the wrong brackets, each counted once."""
        return wrong_rules(part.cached(_sides, parser)).assign(value=1)

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the rule and its figures."""
        rule = Column("rule", "Rule", "text", width="large")
        counts = {"under": "Missed", "over": "Spurious", "matched": "Right"}
        figures = (Column(name, title, help="occurrences of the rule") for name, title in counts.items())
        return (rule, BRACKETS, SHARE, FIGURES["sentences"], *figures)


class Attachments(TreeGroups):
    """Brackets under a wrong parent."""

    id = "attachments"
    title = "Attachments"
    description = (
        "Constituents that both trees have under different parents, with the wrong ones among these parents. A wrong "
        "bracket counts in every row that has one of its constituents; in Constructions it counts once."
    )
    keys = ("child", "gold_parent", "test_parent")
    row_name = "attachment"
    error = "constituent"

    def rows(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the labels of constituents and parents."""
        keys, places = list(self.keys), part.cached(_attachments, parser)
        rows = places.groupby(keys, sort=False).agg(count=("sentence", "size")).reset_index()
        groups = parent_brackets(places, keys).groupby(keys, sort=False)["sentence"]
        figures = groups.agg(brackets="size", sentences="nunique")
        rows = rows.join(figures, on=keys).fillna({"brackets": 0, "sentences": 0})
        rows = rows.astype({"brackets": np.int64, "sentences": np.int64})
        rows = rows.assign(
            name=[self.describe(row) for _, row in rows.iterrows()],
            share=rows["brackets"] / max(n_wrong_brackets(part, parser), 1),
        )
        return rows.sort_values(
            ["brackets", "count", *keys], ascending=[False, False, True, True, True], ignore_index=True
        )

    def rows_of_both(self, part: Part, parser: str, other: str, options: Options) -> pd.DataFrame:
        """Return the rows that either parser has."""
        rows = super().rows_of_both(part, parser, other, options)
        return rows.assign(name=[self.describe(row) for _, row in rows.iterrows()])

    def errors(
        self, part: Part, parser: str, options: Options, row: Mapping[str, Any], other: str = ""
    ) -> pd.DataFrame:
        """Return the constituents, those that a step of the repair moves first."""
        rows = part.cached(_attachments, parser)
        in_group = np.logical_and.reduce([(rows[name] == row[name]).to_numpy() for name in self.keys])
        own = rows[in_group]
        wrong = own["parent_wrong_gold"] | own["parent_wrong_test"]
        own = own.assign(remark="", wrong=wrong & own["number"].notna())
        return own.sort_values("wrong", ascending=False, kind="stable", ignore_index=True)

    def by_sentence(self, part: Part, parser: str, options: Options) -> pd.DataFrame:
        """Return the wrong parents, each counted once."""
        return parent_brackets(part.cached(_attachments, parser), self.keys).assign(value=1)

    def columns(self, options: Options) -> tuple[Column, ...]:
        """Return the attachment in words and its figures."""
        brackets = Column(
            "brackets",
            "Brackets",
            help="missing and spurious brackets right above the constituents; one above several counts in each row",
        )
        name = Column("name", "Attachment", "text", width="large")
        return (name, brackets, SHARE, FIGURES["sentences"], Column("count", "Constituents"))

    def describe(self, row: pd.Series[Any]) -> str:
        """Return what a row is called in a sentence."""
        child, right, wrong = (_parent(row[name]) for name in ("child", "gold_parent", "test_parent"))
        return f"{child} in {wrong}, belongs in {right}"

    def heading(self, row: pd.Series[Any]) -> str:
        """Return what a row is called above its sentences."""
        return self.describe(row)


def _parent(label: str) -> str:
    return "no bracket" if label == NO_BRACKET else label
