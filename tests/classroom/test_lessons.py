"""Lessons: those of the program are whole, those of others are refused with the line where they go wrong."""

from __future__ import annotations

import re
import tomllib
from importlib import resources

import pytest
from hypothesis import given, strategies as st
from msgspec.structs import replace

from evaltools import Tree, align
from evaltools.classroom.lessons import bundled_lessons, parse_lesson
from evaltools.classroom.material import (
    DependencyPair,
    FunctionTrees,
    GraphPair,
    TreePair,
    Vote,
    filled,
    named,
    names_for,
    numbers_of,
)
from evaltools.errors import InputError

STEPS = [
    pytest.param(name, place, id=f"{name}-{place + 1}")
    for name, lesson in bundled_lessons().items()
    for place in range(len(lesson.steps))
]

HEAD = 'title = "A"\nabout = "B"\n'
STEP = HEAD + '[[step]]\ntitle = "x"\n'
ONE, TWO = 'gold = "(S (A b))"\n', 'gold = "(S (A b))"\ntest = "(S (A b))"\n'


def text_of(name: str) -> str:
    return (resources.files("evaltools.classroom") / "data/lessons" / f"{name}.toml").read_text("utf-8")


# ------------------------------------------------------------------------------------------------------- of the program


@pytest.mark.parametrize("name", list(bundled_lessons()))
def test_each_lesson_fills_a_class_and_has_all_that_a_teacher_needs(name: str):
    lesson = bundled_lessons()[name]
    assert lesson.minutes == 45 == sum(step.minutes for step in lesson.steps)
    assert lesson.about
    assert lesson.source
    assert lesson.goals
    assert lesson.recap
    assert len(lesson.exercises) >= 2
    assert lesson.steps[0].title == "What you will be able to do"
    assert lesson.steps[-1].title == "Recap"
    for step in lesson.steps[1:-1]:
        assert step.notes
        words = len(" ".join((step.text, step.question, step.answer)).split())
        assert step.minutes >= 1 + words / 120  # reading aloud, and a minute to talk


def test_the_lessons_lead_to_one_another():
    order = list(bundled_lessons())
    assert [lesson.next for lesson in bundled_lessons().values()] == [*order[1:], order[0]]


def test_no_text_calls_the_metric_by_the_letter_of_the_brackets():
    """T is the number of brackets of the test tree; the metric is tree-edit similarity or the T-mapping."""
    for lesson in bundled_lessons().values():
        for step in lesson.steps:
            for text in (step.text, step.question, step.answer, step.notes):
                for match in re.finditer(r"\bT\b(?!-mapping)", text.replace("*", "")):
                    around = text.replace("*", "")[max(0, match.start() - 25) : match.end() + 45]
                    assert re.search(
                        r"[MG+/(,] ?T\b|\bG and T|T is the number|T counts|T brackets|test T|G and \bT", around
                    ), around


def test_no_text_of_a_lesson_changes_the_direction_of_the_page():
    head = 'title = "A\\u202eB"\nabout = "C\\u2067D"\n'
    lesson = parse_lesson(head + '[[step]]\ntitle = "T"\ntext = "one\\u202e\\ntwo"\n', "own.toml")
    assert (lesson.title, lesson.about) == (r"A\u202eB", r"C\u2067D")
    assert filled(lesson.steps[0].text, {}) == "one\\u202e\ntwo"


def test_no_vote_is_given_away_before_it():
    for lesson in bundled_lessons().values():
        for index, _ in lesson.votes:
            step = lesson.steps[index]
            assert step.answer
            assert not re.search(r"\b[AB]\b", step.text)


@pytest.mark.parametrize(("name", "place"), STEPS)
def test_every_figure_of_a_text_is_computed(name: str, place: int):
    step = bundled_lessons()[name].steps[place]
    numbers = numbers_of(step.material)
    assert set(names_for(type(step.material) if step.material is not None else None)) <= set(numbers)
    for text in (step.text, step.question, step.answer, step.notes):
        assert "{{" not in filled(text, numbers)
        assert all(numbers[figure] != "–" for figure in named(text))


@pytest.mark.parametrize("name", list(bundled_lessons()))
def test_no_score_is_typed_in(name: str):
    for step in bundled_lessons()[name].steps:
        for text in (step.text, step.question, step.answer, step.notes):
            assert not re.search(r"\d[.,]\d|\d ?%|\.\d", text)


def test_the_papers_figures_come_out():
    """What the papers print of the examples that are taken from them."""

    def numbers(lesson: str, title: str) -> dict[str, str]:
        (step,) = (step for step in bundled_lessons()[lesson].steps if step.title == title)
        return numbers_of(step.material)

    attachment = numbers("attachment", "A word too low")
    assert (attachment["f1"], attachment["ted"]) == ("25.00 %", "75.00 %")
    assert numbers("attachment", "Same words, other order of phrases")["f1"] == "100.00 %"
    assert numbers("attachment", "Ancestry costs edits")["t_deleted"] == "1"
    titles = ("From words to a sentence", "One small word", "Right brackets, wrong labels")
    found = [numbers("lineages", title) for title in titles]
    assert [one["la"] for one in found] == ["83.33 %", "95.24 %", "26.19 %"]
    assert [one["f1_unlabeled"] for one in found] == ["80.00 %", "33.33 %", "100.00 %"]
    graph = numbers("meaning", "A sentence as a graph")
    assert [graph[f"edm_{one}gold"] for one in ("", "n_", "a_", "p_")] == ["24", "6", "6", "12"]


def test_the_lesson_on_attachment_says_what_is_so():
    """F1 does not depend on the direction of a wrong attachment; T and the brackets count a wrong label differently."""
    lesson = bundled_lessons()["attachment"]
    pairs = [step.material for step in lesson.steps if isinstance(step.material, TreePair)]
    for pair in pairs:
        there, back = pair.align(), replace(pair, gold=pair.test, test=pair.gold).align()
        assert there.scores["f1"] == back.scores["f1"]
    high, low = pairs[0].align().counts, pairs[4].align().counts
    errors = [(c["e_gold_roof"] - c["e_matched_roof"], c["e_test_roof"] - c["e_matched_roof"]) for c in (high, low)]
    assert errors == [(1, 0), (2, 2)]
    counts = align(*(Tree.from_string(f"(S ({label} (D a) (N b)) (V c))") for label in ("NP", "PP"))).counts
    assert (counts["t_swapped"], counts["t_deleted"], counts["t_inserted"]) == (1, 0, 0)
    assert counts["e_gold_roof"] + counts["e_test_roof"] - 2 * counts["e_matched_roof"] == 2


def test_the_lesson_on_theories_says_what_is_so():
    steps = {step.title: step for step in bundled_lessons()["theories"].steps}
    perfect, wrong = (
        numbers_of(steps[title].material) for title in ("What both have in common", "A real error still counts")
    )
    assert perfect["multiple.score"] == perfect["single.score"] == "100.00 %"
    assert int(perfect["multiple.discarded"]) == int(perfect["multiple.steps"]) > 0
    assert float(wrong["multiple.score"].removesuffix(" %")) < 100


def test_the_metrics_do_not_agree_on_the_questions():
    from evaltools.classroom.worse_parse import verdicts

    for _, vote in bundled_lessons()["vote"].votes:
        assert len({one.worse for one in verdicts(*vote.align())}) > 1


# --------------------------------------------------------------------------------------------------------- the format


def problem(text: str) -> str:
    with pytest.raises(InputError) as raised:
        parse_lesson(text, "mine.toml")
    return str(raised.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = \n", "mine.toml:1:9: no TOML: invalid value; expected a lesson, in TOML"),
        ('about = "B"\n[[step]]\ntitle = "x"\n', 'mine.toml: no title; expected title = "…"'),
        (HEAD, "mine.toml: no step; expected [[step]], at least one"),
        (HEAD + "minutes = -1\n[[step]]\n", "mine.toml:3: minutes = -1; expected a whole number from 0 to 600"),
        (HEAD + "colour = 3\n", "mine.toml:3: unknown key 'colour'; expected one of title, about, source"),
        (HEAD + "\n[[step]]\ntext = 'x'\n", "mine.toml:4: no title in step 1; expected title"),
        (STEP + '[[step]]\ntitle = "y"\ntxt = "z"\n', "mine.toml:7: unknown key 'txt' in step 2"),
        (STEP + 'answer = "z"\n', "mine.toml:5: an answer in step 1; expected a question"),
        (STEP + 'text = "{{ted}}"\n', "mine.toml:5: {{ted}} in text in step 1; expected one of "),
        (STEP + "trees = 3\n", "mine.toml:5: trees = 3 in step 1; expected a table, [step.trees]"),
        (STEP + '[step.trees]\ntest = "(S a)"\n', "mine.toml:5: no gold in step 1, [step.trees]"),
        (
            STEP + '[step.trees]\ngold = "(S (A b)"\n',
            "mine.toml:6: gold: '(' that is never closed at its character 1 in step 1, [step.trees]; expected ')'",
        ),
        (STEP + '[step.trees]\ngold = """\n(S (A b))\n)"""\n', "mine.toml:8: gold: "),
        (
            STEP + 'text = "{{t_dize}}"\n[step.trees]\n' + ONE,
            "mine.toml:5: {{t_dize}} in text in step 1; expected one of recall, ",
        ),
        (
            STEP + "[step.trees]\n" + ONE + 'show = ["t"]\n',
            "mine.toml:7: 't' in show in step 1, [step.trees]; expected any of trees",
        ),
        (
            STEP + "[step.trees]\n" + TWO + "word = 2\n",
            "mine.toml:8: word = 2 in step 1, [step.trees]; expected a whole number from 1 to 1",
        ),
        (
            STEP + '[step.vote]\ngold = "(S (A b))"\na = "(S (A b))"\nb = "(S (A c))"\n',
            "mine.toml:8: other words in b than in gold in step 1, [step.vote]; expected two parses of one sentence",
        ),
        (
            STEP + '[step.dependencies]\ngold = """\na 0 root\nb one obj\n"""\ntest = ""\n',
            "mine.toml:8: gold: 'b one obj' in step 1, [step.dependencies]; expected a word, its head",
        ),
        (
            STEP + '[step.dependencies]\ngold = """\na 2 x\n\nb 1 y\n"""\ntest = ""\n',
            "mine.toml:7: gold: no word whose head is 0 in step 1, [step.dependencies]; expected a root",
        ),
        (
            STEP + '[step.graphs]\ngold = "{e2: e2:_rain_v_1<3:8>[ARG1 x9]}"\ntest = ""\n',
            "mine.toml:6: gold: ARG1 of e2 to x9, where x9 is not a node in step 1, [step.graphs]",
        ),
        (
            STEP + '[step.functions]\nparse = "(S (N a))"\n[step.functions.golds]\nt = "(S (N b))"\n',
            "mine.toml:6: trees over different characters",
        ),
        (STEP + 'predict = "ted"\n', "mine.toml:5: predict = 'ted' in step 1; expected trees or graphs in the step"),
        (
            STEP + 'count = "t_dize"\n[step.trees]\n' + ONE,
            "mine.toml:5: count = 't_dize' in step 1; expected one of recall, ",
        ),
        (
            STEP + 'click = "spurious"\n[step.trees]\n' + ONE,
            "mine.toml:5: click = 'spurious' in step 1; expected [step.trees] with gold and test",
        ),
        (
            STEP + 'predict = "ted"\nhide = true\n[step.trees]\n' + ONE,
            "mine.toml:6: both predict and hide in step 1; expected one of them",
        ),
        (
            STEP + 'text = "{{ted}}"\npredict = "ted"\n[step.trees]\n' + ONE,
            "mine.toml:5: {{ted}} in text in step 1; expected no figures before the answer",
        ),
        (
            STEP + '[[exercise]]\ntext = "{{ted}}"\nsolution = "y"\n',
            "mine.toml:6: {{ted}} in text in exercise 1; expected no figures before the answer",
        ),
        (STEP + '[[exercise]]\ntext = "y"\n', "mine.toml:5: no solution in exercise 1"),
        (
            STEP + "[step.trees]\n" + ONE + "[step.vote]\n",
            "mine.toml:7: both [step.trees] and [step.vote] in step 1; expected one of them",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, said: str):
    assert said in problem(text)


def test_what_nobody_could_see_at_once_is_refused():
    deep = "(S " * 500 + "(A b)" + ")" * 500
    wide = "(S " + "(A b)" * 300 + ")"
    long = "a 0 x\n" + "b 1 y\n" * 500
    for table, value in (("trees", deep), ("trees", wide), ("dependencies", long)):
        text = f'[[step]]\ntitle = "x"\n[step.{table}]\ntest = "a 0 x"\ngold = """{value}"""\n'
        said = problem(HEAD + text)
        assert "on the screen" in said


def test_quotes_over_many_lines_do_not_hide_later_keys():
    text = HEAD + "[[step]]\ntitle = 'x'\ntext = '''\n[[step]]\ntitle = 3\n'''\nquestion = 4\n"
    assert problem(text).startswith("mine.toml:9: question = 4 in step 1")


def test_the_pattern_has_every_kind_of_step_and_says_what_is_so():
    text = (resources.files("evaltools.classroom") / "data/pattern.toml").read_text("utf-8")
    lesson = parse_lesson(text, "pattern.toml")
    kinds = [type(step.material) for step in lesson.steps]
    assert set(kinds) - {type(None)} == {TreePair, DependencyPair, FunctionTrees, GraphPair, Vote}
    for step in lesson.steps:
        assert "{{" not in filled(step.text, numbers_of(step.material))


def test_other_trees_are_another_question():
    one = Vote("(S a)", "(S a)", "(S a)", "none")
    ids = {one.id, Vote("(S a)", "(S a)", "(T a)", "none").id, Vote("(S a)", "(T a)", "(S a)", "none").id}
    assert len(ids) == 3
    assert one.id == Vote("(S a)", "(S a)", "(S a)", "none").id


@given(st.sampled_from(list(bundled_lessons())), st.data())
def test_any_damage_is_refused_or_read(name: str, data: st.DataObject):
    """Whatever is cut out of a lesson or put into it, nothing but an error with a file and a reason comes of it."""
    text = text_of(name)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    damaged = text[:start] + data.draw(st.text(max_size=8)) + text[end:]
    found, lesson = "", None
    try:
        lesson = parse_lesson(damaged, "mine.toml")
    except InputError as error:
        found = str(error)
    if lesson is None:
        assert found.startswith("mine.toml")
        assert "; expected " in found
    else:
        assert lesson.steps
        assert tomllib.loads(damaged.replace("\r\n", "\n"))
