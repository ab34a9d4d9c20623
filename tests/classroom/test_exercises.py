"""Exercises: what they are made of, the marks of answers, and the mistakes of a class."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given

from evaltools import ParameterError, Tree, align, score
from evaltools.classroom.exercises import (
    MAX_EDITS,
    MAX_ITEMS,
    MAX_LABEL,
    MAX_WORDS,
    Answer,
    Exercise,
    Item,
    check_edits,
    item_of,
    items_of_run,
    items_of_text,
    mark,
    mistakes,
    read_answer,
    read_exercise,
    tree_after,
)
from evaltools.corpus import Kind
from evaltools.corpus.editing import Edit, edits_as_text, read_edits
from evaltools.errors import InputError
from evaltools.marks import Status
from tests.slow.trees import pairs

GOLD = "(S (NP (PRP She)) (VP (VBD ate) (NP (NP (NN pasta)) (PP (IN with) (NP (NN cheese))))))"
PARSE = "(S (NP (PRP She)) (VP (VBD ate) (NP (NN pasta)) (PP (IN with) (NP (NN cheese)))))"
FLAT = "(S (PRP She) (VBD ate) (NN pasta) (IN with) (NN cheese))"


def item(gold: str = GOLD, start: str = "") -> Item:
    return item_of("1", Tree.from_string(gold), Tree.from_string(start) if start else None)


def bracketed(made: Item, *brackets: str) -> str:
    """Return the edits that insert brackets, such as ``NP0-2``, inner ones first."""
    edits: list[Edit] = []
    for bracket in brackets:
        match = re.fullmatch(r"(\D+)(\d+)-(\d+)", bracket)
        assert match
        start, end = int(match[2]), int(match[3])
        tree = tree_after(made, edits)
        within = [
            node
            for node in range(len(tree))
            if tree.kinds[node] is not Kind.WORD and start <= tree.starts[node] and tree.ends[node] <= end
        ]
        tops = [node for node in within if tree.parents[node] not in within]
        edits.append(Edit("insert", tops[0], tops[-1], match[1]))
    return edits_as_text(edits)


# ------------------------------------------------------------------------------------------------------------- making


def test_a_sentence_to_draw_has_its_tagged_words_below_the_root():
    drawn = item()
    assert (drawn.start, drawn.is_drawn) == (FLAT, True)
    corrected = item(start=PARSE)
    assert (corrected.start, corrected.is_drawn) == (PARSE, False)
    square = item_of("1", Tree.from_string("[S [NP dogs ] bark ]", "sampson"))
    assert (square.gold, square.start) == ("[S [NP dogs ] bark ]", "[S dogs bark ]")
    assert item("((S (NP (N dogs)) (VP (V bark))))").start == "(S (N dogs) (V bark))"


@pytest.mark.parametrize(
    ("gold", "start", "says"),
    [
        ("(S (N dogs) (V bark))", "", "nothing to correct"),
        (GOLD, GOLD, "nothing to correct"),
        (GOLD, "(S (PRP He) (VBD ate))", "words of the start tree"),
        ("(S (NP) (VP))", "", "0 words"),
        (f"(S {' '.join(['(NP (N x))'] * (MAX_WORDS + 1))})", "", f"1 to {MAX_WORDS} words"),
        (f"(S (NP {'(X ' * 400}(N x){')' * 400}))", "", "at most 400 nodes"),
        ("(S (N a)) (S (N b))", "", "one root"),
    ],
)
def test_sentences_that_are_no_exercise_are_refused_with_the_reason(gold: str, start: str, says: str):
    with pytest.raises(ParameterError, match=says):
        item(gold, start)
    discontinuous = Tree.from_string("(S (VP (V 0=is) (A 2=rich)) (N 1=John))", "discbracket")
    with pytest.raises(ParameterError, match="discontinuous"):
        item_of("1", discontinuous)


@pytest.mark.parametrize(
    "text",
    [
        f"{GOLD}\n(S (NP (N dogs)) (VP (V bark)))\n",
        "(S\n (NP (PRP She))\n (VP (VBD ate)))\n\n(S\n (NP (N dogs))\n (VP (V bark)))\n",
        "[S [NP dogs ] [VP bark ] ]\n[S [NP cats ] [VP purr ] ]\n",
        "(S (NP (N 0=dogs)) (VP (V 1=bark)))\n(S (NP (N 0=cats)) (VP (V 1=purr)))\n",
    ],
)
def test_trees_are_pasted_in_all_notations(text: str):
    items, problems = items_of_text(text)
    assert [each.id for each in items] == ["1", "2"]
    assert problems == ()
    assert all(each.is_drawn for each in items)


def test_what_is_wrong_with_pasted_trees_is_listed_with_its_line():
    items, problems = items_of_text(f"{GOLD}\n(S (NP (N dogs)\n(S (N dogs) (V bark))\n{GOLD}")
    assert [each.gold for each in items] == [GOLD, GOLD]
    assert sorted((problem.line, problem.kind) for problem in problems) == [(2, "unbalanced"), (3, "tree")]
    assert items_of_text("  ")[1][0].kind == "empty"
    assert items_of_text("plain prose, no tree at all")[0] == ()
    assert items_of_text("plain prose, no tree at all")[1]
    conllu = "1\tdogs\tdog\tNOUN\tN\t_\t0\troot\t_\t_\n\n"
    assert "constituency trees" in str(items_of_text(conllu)[1][0])
    assert items_of_text("(S " * 400_000)[1]


def test_trees_to_correct_belong_to_the_gold_trees_in_order():
    items, problems = items_of_text(GOLD, PARSE)
    assert (items[0].start, problems) == (PARSE, ())
    for starts, drawn in ((f"{PARSE}\n", [False, True]), (f"\n{PARSE}", [True, False])):
        items, problems = items_of_text(f"{GOLD}\n{GOLD}", starts)
        assert ([item.is_drawn for item in items], problems) == (drawn, ())
    items, problems = items_of_text(f"{GOLD}\n{GOLD}", PARSE)
    assert len(items) == 1
    assert problems[0].expected == "2, one for each gold tree, or an empty line where students draw it"


def test_an_exercise_has_a_maximum_of_sentences():
    items, problems = items_of_text("\n".join([GOLD] * (MAX_ITEMS + 5)))
    assert len(items) == MAX_ITEMS
    assert [problem.kind for problem in problems] == ["size"]


def test_an_exercise_is_read_as_it_was_written():
    exercise = Exercise("Attachment <b>", (item(), item(start=PARSE)), ask_names=True)
    assert read_exercise(exercise.to_json()) == exercise
    changed = exercise.to_json().replace(b"She", b"He", 1)
    for damaged in (b"", b"{}", b"[1]", exercise.to_json()[:-5], changed):
        with pytest.raises(InputError):
            read_exercise(damaged)


# -------------------------------------------------------------------------------------------------------------- marks


@given(pairs(forest=False))
def test_the_gold_tree_is_right_and_marks_are_those_of_align(pair: tuple[Tree, Tree]):
    try:
        gold, start = (Tree.from_string(str(tree)) for tree in pair)
        made = item_of("1", gold, start)
    except ParameterError:
        return
    itself = mark(Item("1", made.gold, made.gold), ())
    assert itself.is_right
    assert (itself.repairs, itself.texts) == (0, ())
    assert itself.points == 100
    given_mark = mark(made, ())
    alignment = align(made.gold_tree, made.start_tree)
    kinds = ("r_moves", "r_relabels", "r_adds", "r_removes")
    assert given_mark.repairs == sum(alignment.counts[kind] for kind in kinds)
    assert given_mark.texts, "what is not right is said in words"
    assert not given_mark.is_right
    assert (given_mark.points, given_mark.repaired) == (0.0, 0)
    assert len(given_mark.statuses) == len(made.start_tree)


def test_partial_credit_grows_with_what_is_right():
    corrected = item(start=PARSE)
    (text,) = mark(corrected, ()).texts
    assert text.startswith("PP “with cheese” is in VP “ate pasta")
    assert ", belongs in NP “pasta" in text
    drawn = item()
    steps = ["NP0-1", "NP4-5", "PP3-5"]
    marks = [mark(drawn, read_edits(bracketed(drawn, *steps[:number]))) for number in range(len(steps) + 1)]
    assert [each.points for each in marks] == sorted(each.points for each in marks)
    assert [(each.repaired, each.left) for each in marks] == [(0, 6), (1, 5), (2, 4), (3, 3)]
    assert marks[3].points == 50


def test_one_slip_is_no_zero():
    corrected = item(start=PARSE)
    right = "i7,13,NP"
    assert mark(corrected, read_edits(right)).is_right
    slip = mark(corrected, read_edits(f"{right} r1,X"))
    assert (slip.repaired, slip.left, slip.points) == (1, 1, 50)
    assert mark(corrected, read_edits("r1,X")).points == 0, "nothing is repaired"
    assert mark(corrected, read_edits("d13")).points == 0, "what is deleted is missing"


def test_wrong_brackets_and_tags_are_marked_in_the_students_tree():
    made = item("(S (NP (D the) (N dogs)) (VP (V bark)))")
    answer = mark(made, read_edits(f"r1,X {bracketed(made, 'VP1-3')}"))
    tree = answer.tree
    assert str(tree) == "(S (X the) (VP (N dogs) (V bark)))"
    by_label = {tree.labels[node]: status for node, status in enumerate(answer.statuses)}
    assert by_label["VP"] is Status.SPURIOUS
    assert by_label["X"] is Status.RELABELED
    assert by_label["S"] is by_label["dogs"] is Status.RIGHT
    assert "“the” has the tag X, should have D" in answer.texts


def test_brackets_in_another_order_are_not_right_and_said_in_words():
    made = item("(S (A (B (N x) (N y))) (N z))", "(S (B (A (N x) (N y))) (N z))")
    answer = mark(made, ())
    assert not answer.is_right
    assert answer.points == 0
    assert answer.texts


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "no answer"),
        ("a1,2", "no answer"),
        ('{"edits": 5}', "no answer"),
        ('{"edits": "m1"}', "not an edit"),
        ('{"edits": "a999,1"}', "no node 999"),
        ('{"edits": "d0"}', "words cannot be deleted"),
        ('{"edits": "r1,a(b"}', "one word without brackets"),
        (json.dumps({"edits": f"r1,{'x' * (MAX_LABEL + 1)}"}), f"at most {MAX_LABEL}"),
        (json.dumps({"edits": "d1 " * (MAX_EDITS + 1)}), f"at most {MAX_EDITS}"),
    ],
)
def test_answers_that_are_none_are_refused(text: str, says: str):
    with pytest.raises(ParameterError, match=says):
        read_answer(item(), text)


@pytest.mark.parametrize("label", ["<b>", "&amp;", "</svg>", "']--", "=1+1", "\u202eNP", "ＮＰ", "😀", "%00", "\\x00"])
def test_hostile_labels_are_labels(label: str):
    answer = read_answer(item(), json.dumps({"edits": f"i1,1,{label}"}))
    assert answer == Answer(f"i1,1,{label}")
    tree = tree_after(item(), check_edits(answer.edits))
    assert label in tree.labels
    assert mark(item(), check_edits(answer.edits)).texts


def test_names_are_short():
    assert read_answer(item(), json.dumps({"edits": "", "name": "  Ada \n Lovelace " + "x" * 99})).name.startswith(
        "Ada L"
    )
    assert len(read_answer(item(), json.dumps({"edits": "", "name": "x" * 99})).name) == 60


def test_trees_do_not_grow_without_end():
    made = item_of("1", Tree.from_string(f"(S {' '.join(f'(NP (X (N x{number})))' for number in range(MAX_WORDS))})"))
    edits = read_edits(" ".join(["i1,1,NP"] * MAX_EDITS))
    assert len(tree_after(made, edits)) == len(made.start_tree) + MAX_EDITS


# ----------------------------------------------------------------------------------------------------------- mistakes


def test_the_mistakes_of_a_class_are_grouped_by_repair():
    made = item()
    right = bracketed(made, "NP0-1", "NP4-5", "PP3-5", "NP2-3", "NP2-5", "VP1-5")
    answers = {
        "right": right,
        "low": bracketed(made, "NP0-1", "NP4-5", "PP3-5", "NP2-3", "VP1-5"),
        "low too": bracketed(made, "NP4-5", "PP3-5", "NP2-3", "VP1-5"),
        "nothing": "",
        "tag": f"r1,X {right}",
    }
    trees = {name: str(tree_after(made, read_edits(edits))) for name, edits in answers.items()}
    assert trees["right"] == GOLD
    assert trees["low"] == PARSE
    marks = {name: mark(made, read_edits(edits)) for name, edits in answers.items()}
    found = mistakes(marks)
    by_text = {mistake.text: mistake.answers for mistake in found}
    assert by_text["NP “She” is missing"] == ("low too", "nothing")
    (attachment,) = (mistake for mistake in found if "with cheese” is in VP" in mistake.text)
    assert attachment.answers == ("low", "low too")
    assert by_text["“She” has the tag X, should have PRP"] == ("tag",)
    assert [len(mistake.answers) for mistake in found] == sorted((len(each.answers) for each in found), reverse=True)
    for mistake in found:
        assert mistake.number is None or mistake.sentence.repairs[mistake.number - 1].number == mistake.number
    assert mistakes({"right": marks["right"]}) == []
    assert mistakes({}) == []


# ---------------------------------------------------------------------------------------------------------- from runs


def test_sentences_of_a_run_are_items(tmp_path: Path):
    gold, parse = tmp_path / "gold.ptb", tmp_path / "p.ptb"
    gold.write_text(f"{GOLD}\n(S (NP (N dogs)) (VP (V bark)))\n")
    parse.write_text(f"{PARSE}\n(S (NP (N dogs)) (VP (V bark)))\n")
    run = score(gold, {"p": parse}, out=tmp_path / "a.run")
    drawn, problems = items_of_run(run, [1, 2, 2, 999])
    assert [(each.gold, each.is_drawn) for each in drawn] == [
        (GOLD, True),
        ("(S (NP (N dogs)) (VP (V bark)))", True),
    ]
    assert [(problem.sentence, problem.found) for problem in problems] == [
        (999, "there is no sentence 999; expected 1 to 2")
    ]
    corrected, problems = items_of_run(run, [1, 2], "p")
    assert [(each.gold, each.start) for each in corrected] == [(GOLD, PARSE)]
    assert "nothing to correct" in problems[0].found
