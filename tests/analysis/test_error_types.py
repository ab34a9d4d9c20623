"""Types of errors: one example of each, rules in files, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaltools.analysis.error_table import error_table, error_totals
from evaltools.analysis.error_types import OTHER, bundled_rules, error_steps, read_rules
from evaltools.analysis.repair import errors
from evaltools.errors import InputError
from evaltools.normalize import load_preset, normalize_pair
from evaltools.treebank import Tree, Treebank, Vocabulary
from tests.slow.trees import pairs

EXAMPLES = {
    "pp_attachment": (
        "(VP (VB eat) (NP (NP (NN pasta)) (PP (IN with) (NP (NN cheese)))))",
        "(VP (VB eat) (NP (NN pasta)) (PP (IN with) (NP (NN cheese))))",
    ),
    "np_attachment": (
        "(S (VP (VB come) (PP (IN by) (NP (NN bus)))) (NP (NN tomorrow)))",
        "(S (VP (VB come) (PP (IN by) (NP (NN bus)) (NP (NN tomorrow)))))",
    ),
    "vp_attachment": (
        "(VP (VB ask) (NP (NP (DT the) (NN man)) (VP (VBN seen) (ADVP (RB today)))))",
        "(VP (VB ask) (NP (DT the) (NN man)) (VP (VBN seen) (ADVP (RB today))))",
    ),
    "clause_attachment": (
        "(S (VP (VB say) (NP (NN it))) (SBAR (IN if) (S (NP (PRP we)) (VP (VBP go)))))",
        "(S (VP (VB say) (NP (NN it) (SBAR (IN if) (S (NP (PRP we)) (VP (VBP go)))))))",
    ),
    "modifier_attachment": (
        "(S (VP (VB say) (NP (NN it))) (ADVP (RB today)))",
        "(S (VP (VB say) (NP (NN it) (ADVP (RB today)))))",
    ),
    "coordination": (
        "(NP (NP (NNS dogs)) (CC and) (NP (NP (NNS cats)) (SBAR (WP that) (VP (VBP bite)))))",
        "(NP (NP (NP (NNS dogs)) (CC and) (NP (NNS cats))) (SBAR (WP that) (VP (VBP bite))))",
    ),
    "np_internal": (
        "(NP (DT the) (NX (NN oil) (NN price)) (NN rise))",
        "(NP (DT the) (NN oil) (NN price) (NN rise))",
    ),
    "single_word": ("(S (NP (PRP she)) (VBZ sleeps))", "(S (NP (PRP she)) (VP (VBZ sleeps)))"),
    "different_label": ("(S (NP (NN a) (NN b)) (VB c))", "(S (VP (NN a) (NN b)) (VB c))"),
    "unary": ("(S (VP (VB eat) (NP (NN pasta))))", "(VP (VB eat) (NP (NN pasta)))"),
    "x_over_x": ("(S (NP (NP (DT the) (NN man))) (VB c))", "(S (NP (DT the) (NN man)) (VB c))"),
    "other": (
        "(S (VP (VB eat) (NP (NN pasta) (NN soup)) (X (UH oh) (UH ah))))",
        "(S (VP (VB eat) (NP (NN pasta) (NN soup)) (UH oh) (UH ah)))",
    ),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_each_type_has_an_example_that_gets_it_first(name: str):
    gold, test = map(Tree.from_string, EXAMPLES[name])
    assert error_steps(gold, test)[0].type.id == name


def test_there_is_an_example_of_every_type():
    assert set(EXAMPLES) == {one.id for one in bundled_rules()}


@given(pairs(most_words=8))
def test_every_step_has_a_type_and_a_sentence(pair):
    gold, test = pair
    known = {one.id for one in bundled_rules()}
    for one in error_steps(gold, test):
        assert one.type.id in known
        said = one.describe(gold.words)
        assert said.endswith("repaired")
        assert f": {one.step.repaired} bracket" in said


def test_a_move_is_told_in_words():
    gold, test = map(Tree.from_string, EXAMPLES["modifier_attachment"])
    (one,) = error_steps(gold, test)
    assert one.describe(gold.words) == (
        "ADVP “today” moves from NP “it today” to S “say it today”: 4 brackets repaired"
    )


def rules_file(folder: Path, text: str) -> Path:
    path = folder / "rules.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_other_treebanks_have_rules_of_their_own(tmp_path: Path):
    path = rules_file(
        tmp_path,
        'name = "mine"\n[[type]]\nid = "px"\ntitle = "PX attachment"\n'
        'rules = [{ operations = ["move"], moved = ["PX"] }]',
    )
    rules = read_rules(path)
    gold, test = "(S (V go) (NX (N man)) (PX (P by) (N bus)))", "(S (V go) (NX (N man) (PX (P by) (N bus))))"
    (one,) = error_steps(Tree.from_string(gold), Tree.from_string(test), rules)
    assert (rules.name, one.type.id) == ("mine", "px")
    (one,) = error_steps(Tree.from_string("(S (A a))"), Tree.from_string("(T (A a))"), rules)
    assert one.type is OTHER


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no [[type]]"),
        ("[[type]", "TOML"),
        ("[[type]]\nid = 'a'", "without id or title"),
        ("[[type]]\nid = 'a'\ntitle = 'A'", "without rules"),
        ("[[type]]\nid = 'a'\ntitle = 'A'\nrules = [{ moves = ['NP'] }]", "'moves'"),
        ("[[type]]\nid = 'a'\ntitle = 'A'\nrules = [{ moved = 'NP' }]", "moved = 'NP'"),
        ("[[type]]\nid = 'a'\ntitle = 'A'\nrules = [{ words = true }]", "words as int"),
        ("[[type]]\nid = 'a'\ntitle = 'A'\nrules = [{ operations = ['jump'] }]", "'jump'"),
        ("[[type]]\nid = 'a'\ntitle = 'A'\nrules = [{}]", "a table of conditions"),
        ("[[type]]\nid = 'other'\ntitle = 'A'\nrules = [{ words = 1 }]", "none that is 'other'"),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, text: str, said: str):
    with pytest.raises(InputError) as raised:
        read_rules(rules_file(tmp_path, text))
    assert said in str(raised.value)
    assert "rules.toml" in str(raised.value)


def test_a_file_that_is_not_there_is_said(tmp_path: Path):
    with pytest.raises(InputError, match="No such file"):
        read_rules(tmp_path / "none.toml")


@given(st.lists(pairs(most_words=6), min_size=1, max_size=4))
def test_the_brackets_repaired_add_up_over_sentences_and_types(many):
    vocabulary = Vocabulary()
    sides = [Treebank.from_trees([pair[side] for pair in many], vocabulary) for side in (0, 1)]
    table = error_table(normalize_pair(*sides, load_preset("none")))
    wrong = {}
    for number, (gold, test) in enumerate(many, start=1):
        count = sum(sum(side.values()) for side in errors(gold, test))
        if count:
            wrong[number] = count
    assert table.groupby("sentence")["repaired"].sum().to_dict() == wrong
    assert set(error_table(normalize_pair(*sides, load_preset("none")), most=1)["sentence"]) <= {1}
    totals = error_totals(table)
    assert totals["repaired"].sum() == sum(wrong.values())
    assert totals["occurrences"].sum() == len(table)
    assert totals["share"].sum() == pytest.approx(1.0 if wrong else 0.0)
    assert totals.loc[totals["type"] != "other", "repaired"].is_monotonic_decreasing
    assert "other" not in totals["type"].tolist()[:-1]
