"""Types of errors: one example of each, rules in files, and what is wrong with them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given, strategies as st
from msgspec import structs

from evaltools.corpus import Span, Tree, Treebank, Vocabulary
from evaltools.errors import InputError, ParameterError
from evaltools.frameworks.constituency.error_types import (
    OTHER,
    Rule,
    bundled_rules,
    load_rules,
    read_rules,
)
from evaltools.frameworks.constituency.errors import ERROR_TYPES
from evaltools.frameworks.constituency.normalization import normalize_pair
from evaltools.frameworks.constituency.repair import Operation
from evaltools.frameworks.presets import load_preset
from tests.pages.tiny import HOSTILE_PARSER, score_tiny
from tests.slow.edits import error_rows, error_steps, named, numbered, repair, steps_of
from tests.slow.error_types import fits, table_type
from tests.slow.repair import Bracket, Part, RepairStep, errors
from tests.slow.trees import pairs

ROWS = {
    # row, case: gold tree, test tree, type of the only step or of the first; random trees are compared below
    "1 CC to the right of the old position": ("(S (NP (DT a) (NN b)) (VP (VBZ c) (NP (NN d)) (CC e) (NP (NN f))))",
        "(S (NP (DT a) (NN b) (VBZ c) (NP (NN d))) (CC e) (NP (NN f)))", "coordination"),
    "2 PP moves": ("(S (VP (VB see) (NP (DT a) (NN man))) (PP (IN on) (NP (NN top))))",
        "(S (VP (VB see) (NP (DT a) (NN man) (PP (IN on) (NP (NN top))))))", "PP attachment"),
    "2 NP moves": ("(S (VP (VB come) (PP (IN by) (NP (NN bus)))) (NP (NN tomorrow)))",
        "(S (VP (VB come) (PP (IN by) (NP (NN bus)) (NP (NN tomorrow)))))", "NP attachment"),
    "2 VP moves": ("(S (VP (VB ask) (NP (DT a) (NN man))) (VP (VBN seen) (RB now)))",
        "(S (VP (VB ask) (NP (DT a) (NN man) (VP (VBN seen) (RB now)))))", "VP attachment"),
    "2 S moves": ("(S (VP (VB ask) (NP (DT a) (NN man))) (S (VP (VB b))))",
        "(S (VP (VB ask) (NP (DT a) (NN man) (S (VP (VB b))))))", "clause attachment"),
    "2 ADVP moves": ("(S (VP (VB say) (NP (NN it))) (ADVP (RB today)))",
        "(S (VP (VB say) (NP (NN it) (ADVP (RB today)))))", "modifier attachment"),
    "3 a word moves from NP to QP": ("(S (QP (CD a) (CD b)) (NP (NN c) (NN d)))",
        "(S (QP (CD a)) (NP (CD b) (NN c) (NN d)))", "NP-internal structure"),
    "3 a noun moves from NP to VP": ("(S (NP (DT a)) (VP (NN b) (VB c)))",
        "(S (NP (DT a) (NN b)) (VP (VB c)))", "unclassified"),
    "4 added over one word": ("(S (VP (VBZ a)) (NP (NN c)))", "(S (VBZ a) (NP (NN c)))", "one-word bracket"),
    "5 relabeled": ("(S (NP (NN a) (NN b)) (VB c))", "(S (VP (NN a) (NN b)) (VB c))", "wrong label"),
    "6 added over its own label": ("(S (NP (NP (DT a) (NN b))) (VB c))",
        "(S (NP (DT a) (NN b)) (VB c))", "X-over-X chain"),
    "6 added over another label": ("(S (VP (VB a) (NP (NN b))))", "(VP (VB a) (NP (NN b)))", "unary"),
    "7 removed, alone in a parent of another label": ("(S (VP (VB a) (NN b)))", "(S (VP (NP (VB a) (NN b))))", "unary"),
    "8 UCP added": ("(S (UCP (NP (NN a)) (PP (IN b))) (VB c))", "(S (NP (NN a)) (PP (IN b)) (VB c))", "coordination"),
    "9 PP is its second child": ("(VP (VB eat) (NP (NP (NN pasta)) (PP (IN with) (NP (NN cheese)))))",
        "(VP (VB eat) (NP (NN pasta)) (PP (IN with) (NP (NN cheese))))", "PP attachment"),
    "9 SBAR is its second child": ("(VP (VB eat) (NP (NP (NN a)) (SBAR (VB b) (VB c))))",
        "(VP (VB eat) (NP (NN a)) (SBAR (VB b) (VB c)))", "clause attachment"),
    "9 PP is its first child": ("(VP (VB eat) (X (PP (IN a) (NN b)) (NN c)))",
        "(VP (VB eat) (PP (IN a) (NN b)) (NN c))", "unclassified"),
    "10 words in an NP": ("(NP (DT the) (NX (NN oil) (NN price)) (NN rise))",
        "(NP (DT the) (NN oil) (NN price) (NN rise))", "NP-internal structure"),
    "10 words in a VP": ("(VP (VB the) (NX (NN oil) (NN price)) (NN rise))",
        "(VP (VB the) (NN oil) (NN price) (NN rise))", "unclassified"),
    "11 ADVP": ("(S (VB a) (ADVP (RB b) (RB c)) (VB d))", "(S (VB a) (RB b) (RB c) (VB d))", "modifier attachment"),
    "12 NP of NPs": ("(S (NP (NP (NN a)) (NP (NN b))) (VB c))",
        "(S (NP (NN a)) (NP (NN b)) (VB c))", "NP-internal structure"),
    "12 VP of VPs": ("(S (VP (VP (VB a)) (VP (VB b))) (NN c))", "(S (VP (VB a)) (VP (VB b)) (NN c))", "coordination"),
    "13 none of these": ("(S (VP (VB eat) (NP (NN pasta) (NN soup)) (X (UH oh) (UH ah))))",
        "(S (VP (VB eat) (NP (NN pasta) (NN soup)) (UH oh) (UH ah)))", "unclassified"),
}  # fmt: skip


@pytest.mark.parametrize("case", ROWS)
def test_each_row_of_the_published_table_types_its_step(case: str):
    gold, test, title = ROWS[case]
    step = error_steps(Tree.from_string(gold), Tree.from_string(test))[0]
    assert step.type.title == title
    moves = case[0] in "123" and not case.startswith(("10", "11", "12", "13"))
    if moves or "moves" in case:
        assert step.operation is Operation.MOVE


def test_every_type_has_a_case():
    assert {title for _, _, title in ROWS.values()} == {kind.title for kind in bundled_rules()}


def test_row_7_an_only_child_of_a_parent_with_its_label_is_a_chain():
    # of equal brackets the outermost is removed, so that trees lead here only where a label stands above another time
    words = (Part("DT", Span(0, 1), True), Part("NN", Span(1, 2), True))
    step = RepairStep(Operation.REMOVE, 1, Bracket("NP", Span(0, 2)), parent="NP", children=words)
    steps = [step, structs.replace(step, parent="VP")]
    assert bundled_rules().titles(numbered(steps)).tolist() == ["X-over-X chain", "unary"]


PENN = ("S", "SBAR", "SINV", "NP", "NP", "VP", "PP", "ADVP", "ADJP", "UCP", "QP", "WHNP", "WHADVP", "CC", "RB", "NN")


@given(pairs(most_words=9, labels=PENN, empties=True))
def test_types_are_those_of_the_table_read_slowly(pair):
    gold, before = pair
    for typed, step in zip(error_steps(*pair), repair(*pair), strict=True):
        assert typed.type.title == table_type(gold, before, step)
        before = step.tree


LABELS = st.frozensets(st.sampled_from(sorted(set(PENN))), min_size=1)
CONDITIONS = {
    **dict.fromkeys(("label", "target", "parent", "moved", "near", "right_sibling", "later_children"), LABELS),
    **dict.fromkeys(("all_children", "adjoined"), LABELS),
    **dict.fromkeys(("over_word", "all_words", "all_same", "one_child", "only_child", "child_label"), st.booleans()),
    "parent_label": st.booleans(),
    "operations": st.frozensets(st.sampled_from(list(Operation)), min_size=1),
}


def test_every_condition_is_tried():
    assert set(CONDITIONS) == set(Rule.__struct_fields__)


@pytest.mark.parametrize("name", CONDITIONS)
@given(pair=pairs(most_words=9, labels=PENN, empties=True), data=st.data())
def test_conditions_of_all_steps_at_once_are_those_of_each(name: str, pair: tuple[Tree, Tree], data: st.DataObject):
    steps = steps_of(*pair)
    rule = Rule(**{name: data.draw(CONDITIONS[name])})
    assert rule.fits(steps).tolist() == [fits(rule, step) for step in named(steps)]


WIDER = {
    "PP attachment": ("(S (VP (VB a) (NP (NN b))) (WHPP (IN c)))", "(S (VP (VB a) (NP (NN b) (WHPP (IN c)))))"),
    "NP-internal structure": ("(NML (NN a) (NX (NN b) (NN c)) (NN d))", "(NML (NN a) (NN b) (NN c) (NN d))"),
    "clause attachment": ("(S (VP (VB a) (NP (NN b))) (SQ (VB c)))", "(S (VP (VB a) (NP (NN b) (SQ (VB c)))))"),
    "modifier attachment": ("(S (VP (VB a) (NP (NN b))) (PRT (RP c)))", "(S (VP (VB a) (NP (NN b) (PRT (RP c)))))"),
    "coordination": ("(S (VP (VB a) (NP (NN b))) (CONJP (RB c)))", "(S (VP (VB a) (NP (NN b) (CONJP (RB c)))))"),
    "VP attachment": ("(X (VB ask) (NP (NP (DT a) (NN man)) (VP (VBN seen) (RB now))))",
        "(X (VB ask) (NP (DT a) (NN man)) (VP (VBN seen) (RB now)))"),
}  # fmt: skip


@pytest.mark.parametrize("title", WIDER)
def test_the_wider_rules_have_types_where_the_published_ones_have_none(title: str):
    gold, test = map(Tree.from_string, WIDER[title])
    assert error_steps(gold, test)[0].type is OTHER
    assert error_steps(gold, test, bundled_rules("ptb-wide"))[0].type.title == title


def test_both_bundled_rules_have_the_same_types():
    assert list(bundled_rules("ptb-wide")) == list(bundled_rules("ptb")) == list(bundled_rules())


def test_rules_are_found_by_name_or_path(tmp_path: Path):
    path = rules_file(tmp_path, "[[type]]\nid='a'\ntitle='A'\n[[rule]]\ntype='a'\nover_word=true")
    assert load_rules("ptb-wide") is bundled_rules("ptb-wide")
    assert [kind.id for kind in load_rules(str(path))] == ["a", "other"]
    with pytest.raises(ParameterError, match="ptb-wide"):
        load_rules(str(tmp_path / "none.toml"))
    with pytest.raises(InputError, match="No such file"):
        read_rules(tmp_path / "none.toml")


def rules_file(folder: Path, text: str) -> Path:
    path = folder / "rules.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_other_treebanks_have_rules_of_their_own(tmp_path: Path):
    path = rules_file(
        tmp_path,
        'name = "mine"\n[[type]]\nid = "px"\ntitle = "PX attachment"\n'
        '[[rule]]\ntype = "px"\noperations = ["move"]\nmoved = ["PX"]',
    )
    rules = read_rules(path)
    gold, test = "(S (V go) (NX (N man)) (PX (P by) (N bus)))", "(S (V go) (NX (N man) (PX (P by) (N bus))))"
    (typed,) = error_steps(Tree.from_string(gold), Tree.from_string(test), rules)
    assert (rules.name, typed.type.id) == ("mine", "px")
    (typed,) = error_steps(Tree.from_string("(S (A a))"), Tree.from_string("(T (A a))"), rules)
    assert typed.type is OTHER


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no type; expected [[type]], at least one"),
        ("[[type]", "TOML"),
        ("[[type]]\nid = 'a'", "rules.toml:1: no title in type 1; expected title = "),
        ("[[type]]\nid = 'a'\ntitle = 'A'", "rules.toml:1: type 'a' without rules"),
        ("[[type]]\nid = 'a'\ntitle = 'A'\n[[rule]]\ntype = 'b'\nover_word = true", "rules.toml:5: a rule of type 'b'"),
        ("[[type]]\nid = 'a'\ntitle = 'A'\n[[rule]]\ntype = 'a'", "a table of conditions"),
        ("rule = 1\n[[type]]\nid = 'a'\ntitle = 'A'", "rules.toml:1: rule = 1; expected a list"),
        ("type = [1]", "rules.toml:1: 1 in type; expected a table, [type]"),
        (
            "[[type]]\nid = 'a'\ntitle = 'A'\n[[rule]]\ntype = 'a'\nmoves = ['NP']",
            "rules.toml:6: unknown key 'moves' in rule 1; expected one of operations, label",
        ),
        (
            "[[type]]\nid = 'a'\ntitle = 'A'\n[[rule]]\ntype = 'a'\nmoved = 'NP'",
            "rules.toml:6: moved = 'NP' in rule 1; expected a list",
        ),
        (
            "[[type]]\nid = 'a'\ntitle = 'A'\n[[rule]]\ntype = 'a'\nover_word = 1",
            "over_word = 1 in rule 1; expected true or false",
        ),
        (
            "[[type]]\nid = 'a'\ntitle = 'A'\n[[rule]]\ntype = 'a'\noperations = ['jump']",
            "'jump' in operations in rule 1; expected one of relabel, ",
        ),
        ("[[type]]\nid = 'other'\ntitle = 'A'", "none that is 'other'"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, text: str, said: str):
    with pytest.raises(InputError) as raised:
        read_rules(rules_file(tmp_path, text))
    assert said in str(raised.value)
    assert "rules.toml" in str(raised.value)


@given(st.lists(pairs(most_words=6), min_size=1, max_size=4))
def test_the_brackets_repaired_add_up_over_sentences_and_types(many):
    vocabulary = Vocabulary()
    sides = [Treebank.from_trees([pair[side] for pair in many], vocabulary) for side in (0, 1)]
    pair, preset = normalize_pair(*sides, load_preset("none")), load_preset("none")
    table = error_rows(pair, preset)
    wrong = {}
    for number, (gold, test) in enumerate(many):
        count = sum(sum(side.values()) for side in errors(gold, test))
        if count:
            wrong[number] = count
    assert table.groupby("sentence")["cost"].sum().to_dict() == wrong


def test_labels_of_attachments_say_where_a_phrase_is_and_where_it_belongs():
    low = "(S (VP (V ate) (NP (NP (N pasta)) (PP (I with) (NP (N cheese))))))"
    high = "(S (VP (V ate) (NP (N pasta)) (PP (I with) (NP (N cheese)))))"
    other = "(S (VP (V ate) (X (N pasta)) (PP (I with) (NP (N cheese)))))"
    moved_high = "(S (VP (V ate) (NP (D the) (N pasta)) (PP (I with) (NP (N cheese)))))"
    moved_low = "(S (VP (V ate) (NP (D the) (N pasta) (PP (I with) (NP (N cheese))))))"

    def labels(gold: str, test: str) -> list[str]:
        return [typed.construction for typed in error_steps(Tree.from_string(gold), Tree.from_string(test))]

    assert labels(low, high) == ["PP attached to the VP instead of the NP"]  # adds an NP
    assert labels(high, low) == ["PP attached to the NP instead of the VP"]  # removes one
    assert labels(moved_high, moved_low) == ["PP attached to the NP instead of the VP"]  # moves the PP
    assert labels(high, other) == ["NP labeled as X"]


ATE = "(S (NP (N I)) (VP (V ate) (NP (N pasta)) (PP (I with) (NP (N cheese)))))"
LOW = "(S (NP (N I)) (VP (V ate) (NP (NP (N pasta)) (PP (I with) (NP (N cheese))))))"


@pytest.mark.parametrize(
    ("gold", "test", "told"),
    [
        (LOW, ATE, ("PP attachment", True, "", "NP “pasta with cheese” is missing")),
        (
            "(NP (NP (N cats) (N red)) (CC and) (NP (N dogs)))",
            "(NP (NP (X (N cats) (N red))) (CC and) (NP (N dogs)))",
            ("unary", False, "", "X “cats red” is spurious"),
        ),
        (
            "(S (N cats) (N red) (CC and) (NP (N dogs)))",
            "(S (X (N cats) (N red)) (CC and) (NP (N dogs)))",
            ("coordination", False, "before CC “and”", "X “cats red” is spurious"),
        ),
        (
            "(S (V ran) (SBAR (I if) (S (N he) (V ran))))",
            "(S (VP (V ran) (SBAR (I if) (S (N he) (V ran)))))",
            ("unary", False, "", "VP “ran if he ran” is spurious"),
        ),
        (
            "(S (N we) (V ran) (SBAR (I if) (S (N he) (V ran))))",
            "(S (N we) (VP (V ran) (SBAR (I if) (S (N he) (V ran)))))",
            ("clause attachment", False, "around SBAR “if he ran”", "VP “ran if he ran” is spurious"),
        ),
        (
            ATE,
            ATE.replace("(NP (N pasta))", "(X (N pasta))"),
            ("one-word bracket", False, "", "X “pasta” should be NP"),
        ),
        (
            *ROWS["2 ADVP moves"][:2],
            ("modifier attachment", True, "", "ADVP “today” is in NP “it today”, belongs in S “say it today”"),
        ),
    ],
)
def test_a_step_says_what_is_wrong_and_why_it_has_its_type(gold: str, test: str, told: tuple[str, bool, str, str]):
    pair = Tree.from_string(gold), Tree.from_string(test)
    (typed,) = error_steps(*pair)
    assert (typed.type.title, typed.is_typical, typed.reason, typed.text) == told


def test_stored_steps_have_types_by_other_rules(tmp_path: Path):
    run = score_tiny(tmp_path)
    stored = ERROR_TYPES.steps(run, HOSTILE_PARSER, "ptb")
    again = ERROR_TYPES.steps(run, HOSTILE_PARSER, replace(bundled_rules(), name="mine"))
    pd.testing.assert_frame_equal(again, stored, check_dtype=False)
    wide = ERROR_TYPES.steps(run, HOSTILE_PARSER, replace(bundled_rules("ptb-wide"), name="mine"))
    pd.testing.assert_frame_equal(wide, ERROR_TYPES.steps(run, HOSTILE_PARSER, "ptb-wide"), check_dtype=False)
