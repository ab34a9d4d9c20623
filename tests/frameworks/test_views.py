"""What frameworks show of a sentence: plain data, without a page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import evaltools
from evaltools.blocks import Block, Choice, Picture, Words, formulas
from evaltools.corpus import Tree
from evaltools.drawing import Drawing
from evaltools.frameworks.constituency.alignment import align
from evaltools.frameworks.constituency.views import panel_counts, panel_note, subject
from evaltools.frameworks.crossframework.function_columns import FunctionVocabulary, corpus_functions
from evaltools.frameworks.crossframework.stored import read_corpus
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.frameworks.views import (
    Panel,
    PanelCount,
    PanelRow,
    Section,
    Sentence,
    SentenceView,
    Viewing,
    sentence_of,
    subject_of,
)
from tests.drawing import arc_examples, graph_examples
from tests.pages.test_crossframework import score_frameworks

GOLD = "(S (NP (D the) (N man)) (VP (V saw) (NP (D a) (N dog)) (PP (P with) (NP (N ears)))))"
TEST = "(S (NP (D the) (N man)) (VP (V saw) (NP (NP (D a) (N dog)) (PP (P with) (NP (N ears))))))"


def trees(gold: str = GOLD, test: str = TEST, preset: str = "none") -> Sentence:
    read = tuple(Tree.from_string(text) for text in (gold, test))
    return Sentence(
        align(gold, test, preset), 3, "gold", "parser <1>", tuple(zip(("gold", "parser <1>"), read, strict=True))
    )


def view(name: str, sentence: Sentence, **viewing: object) -> SentenceView:
    return FRAMEWORKS[name].view(sentence, Viewing(**viewing))  # type: ignore[arg-type]


def section(shown: SentenceView, name: str) -> Section:
    return next(section for section in shown.sections if section.id == name)


def blocks(shown: SentenceView, kind: type) -> list[Block]:
    return [block for section in shown.sections for block in section.blocks if isinstance(block, kind)]


def _toy_view(sentence: Sentence, viewing: Viewing) -> SentenceView:
    panel = Panel(Drawing(sentence.alignment, "The toy", "toy"))
    table = Section("formulas", (formulas([("Score", "M / G", "1 / 1", "1.000")]),), "Scores")
    return SentenceView("A toy.", rows=(PanelRow((panel,), subject_of("toy")),), sections=(table,))


def test_a_view_is_that_of_the_framework():
    drawing = _toy_view(Sentence(Tree.from_string(GOLD)), Viewing()).by_kind["toy"]
    assert drawing.draw(theme="auto", legend=False, interactive=True).startswith("<svg")


def test_counts_are_those_of_the_mapping():
    alignment = align("(S (VP (NP (D the) (N dog)) (V barks)))", "(S (AP (PP (A the)) (N dog)) (V barks))")

    def numbers(mapping: str, part: str) -> tuple[str, dict[str, int]]:
        scope, counts = panel_counts(alignment, mapping, part, "gold", "parse")
        return scope, {count.name: count.number for count in counts}

    assert numbers("t", "roof") == ("nodes (brackets, tags and words)", {"D": 1, "I": 1, "S": 2, "M": 6})
    assert numbers("e", "roof") == ("brackets", {"D": 2, "I": 2, "M": 1})
    assert numbers("e", "whole") == ("brackets and tags", {"D": 3, "I": 3, "M": 3})


def test_tags_that_differ_are_not_among_the_brackets():
    alignment = align("(S (NP (D the) (N dog)))", "(S (NP (A the) (N dog)))")
    says = "Tags that differ: 1. They are marked, too; E counts brackets only."
    assert panel_note(alignment, "e", "roof", "test") == says
    assert panel_note(alignment, "e", "whole", "test") == ""
    assert panel_note(alignment, "t", "roof", "test") == ""


def kinds(shown: SentenceView) -> list[str]:
    return [panel.drawing.suffix for row in shown.rows for panel in row.panels]


def test_the_trees_can_be_hidden():
    assert kinds(view("constituency", trees())) == ["t"]
    assert kinds(view("constituency", trees(), values={"trees": "0"})) == []


def test_the_marked_sentence_has_its_errors_in_words_and_its_keys():
    shown = view("constituency", trees(), values={"repair": "1", "shade": "1"})
    marked = shown.marked
    assert marked is not None
    assert [(item.phrase, item.verdict, item.repaired) for item in marked.marks.repairs] == [
        ("PP “with ears”", "is in NP “a dog …”, belongs in VP “saw a dog …”", 1)
    ]
    assert (marked.marks.wrong, marked.focus, marked.marks.unit_of_wrong) == (1, 1, "wrong bracket")
    assert marked.focuses is not None
    assert (marked.focuses.name, marked.focuses.values) == ("repair", ("", "1"))
    assert marked.drawing.options["shade"] is True
    assert {key: choice.name for key, choice in marked.keys.items()} == {"a": "right", "s": "short", "v": "trees"}
    assert shown.summary.endswith("; 1 repair for 1 spurious bracket.")
    assert view("constituency", replace(trees(), gold_name="another parser")).marked is None


def test_many_wrong_brackets_open_with_the_largest_repair_until_all_are_asked_for():
    words = [f"(X w{at})" for at in range(14)]
    gold = f"(S {' '.join(f'(NP {word})' for word in words)})"
    sentence = Sentence(evaltools.align(gold, f"(S {' '.join(words)})"))
    focus = {}
    for value in ("", "0", "3"):
        marked = view("constituency", sentence, values={"repair": value} if value else {}).marked
        assert marked is not None
        assert marked.focuses is not None
        assert marked.focuses.values[:2] == ("0", "1")
        focus[value] = marked.focus
    assert focus == {"": 1, "0": None, "3": 3}


def test_trees_have_everything_that_a_click_writes():
    sentence = trees()
    shown = view("constituency", sentence)
    assert [name.id for name in shown.sections] == ["comparison", "strip", "repair", "steps", "formulas", "lineages"]
    assert shown.summary.startswith("Sentence 3, 7 words, parser <1> compared with gold: ")
    script = section(shown, "steps")
    assert script.steps is not None
    assert script.steps.values == tuple(f"t{index}" for index in range(len(sentence.alignment.t.steps)))
    words = section(shown, "strip").words
    assert words is not None
    assert (words.name, words.values[:2]) == ("at", ("0", "1"))
    assert shown.rows[0].words == words
    assert [text.name for text in shown.texts] == ["gold", "parser <1>"]
    assert all(text.is_drawn for text in shown.texts)
    assert shown.lab_trees == (Tree.from_string(GOLD).to_string(), Tree.from_string(TEST).to_string())


def test_the_mappings_stand_side_by_side_only_where_they_mark_other_nodes():
    gold, test = "(S (A (B (N one) (N two))))", "(S (B (A (N one) (N two))))"
    assert kinds(view("constituency", trees(gold, test))) == ["e", "t"]
    (panel,) = view("constituency", trees()).rows[0].panels
    assert panel.drawing.title == "E- and T-mapping"
    (text,) = section(view("constituency", trees()), "comparison").blocks
    assert text.text == "E and T mark the same nodes."
    for words_differ in (trees(test="(S (N other))"), trees(gold, "(S (N one))")):
        assert kinds(view("constituency", words_differ)) == ["e", "t"]


def test_a_step_of_the_url_is_marked():
    sentence = trees()
    script = sentence.alignment.t.steps
    shown = view("constituency", sentence, values={"step": "t0", "script": "t"})
    assert shown.rows[0].highlight == (script[0].gold, script[0].test)
    assert section(shown, "steps").blocks[1].marked == {0}
    repaired = view("constituency", sentence, values={"step": "r0"}).rows[0].highlight
    assert repaired is not None
    assert not isinstance(repaired, tuple)
    assert repaired.text.startswith("repair: ")
    for nonsense in ("t99", "r9", "r²", "x", "", "t-1", "e"):
        assert view("constituency", sentence, values={"step": nonsense}).rows[0].highlight is None


def test_a_word_of_the_url_has_its_lineages():
    shown = view("constituency", trees(), values={"at": "4"})
    assert shown.rows[0].word == 4
    assert [block.title for block in blocks(shown, Picture)] == ["Its lineages, from the word to the root"]
    assert not blocks(view("constituency", trees(), values={"at": "99"}), Picture)
    strict, partial = (view("constituency", trees(), values={"scheme": name}) for name in ("la_exact", "nonsense"))
    assert blocks(strict, Words)[0].words
    assert blocks(partial, Words) == blocks(view("constituency", trees()), Words)


def test_long_sentences_begin_folded_and_what_was_opened_belongs_to_its_subject():
    many = "(S " + " ".join(f"(NP (N word{index}))" for index in range(26)) + ")"
    assert {choice.name: choice.default for choice in view("constituency", trees()).choices}["fold"] == "0"
    (panel,) = view("constituency", trees(many, many)).rows[0].panels
    assert panel.drawing.options["fold"] is True
    sentence = trees()
    opened = (subject(sentence.alignment), frozenset({3}))
    assert view("constituency", sentence, opened=opened).rows[0].unfolded == {3}
    assert view("constituency", sentence, opened=("another", frozenset({3}))).rows[0].unfolded == frozenset()


def test_below_lists_stands_the_picture_alone():
    shown = view("constituency", trees(), is_brief=True)
    assert (shown.summary, shown.choices, shown.texts) == ("", (), ())
    assert [part.id for part in shown.sections] == ["comparison"]
    assert shown.marked is not None
    assert kinds(shown) == ["t"]
    differ = view("constituency", trees(test="(S (N other))"), is_brief=True)
    assert differ.marked is None
    assert differ.rows[0].words is None
    arcs = Sentence(arc_examples.aligned(arc_examples.STARS))
    marked = view("dependency", arcs, is_brief=True, words=(1, 2)).rows[0].highlight
    assert marked is not None
    assert not isinstance(marked, tuple)
    assert (marked.gold, marked.words) == ((1, 2), (1, 2))


def test_sentences_without_trees_say_so():
    nothing = Sentence(align(Tree.from_string(""), Tree.from_string("")), sources=(("gold", None), ("test", None)))
    shown = view("constituency", nothing)
    assert shown.rows == ()
    assert shown.note.startswith("Neither gold nor parse has a tree")
    assert [text.text for text in shown.texts] == ["no tree", "no tree"]


@pytest.mark.parametrize("name", list(arc_examples.PAIRS))
def test_arcs_have_a_view(name: str):
    sentence = Sentence(arc_examples.aligned(arc_examples.PAIRS[name]))
    for at in ("", "0", "1", "99"):
        shown = view("dependency", sentence, values={"at": at, "step": f"a{at}"})
        for row in shown.rows:
            for panel in row.panels:
                assert panel.drawing.draw(theme="auto", legend=False, interactive=True).startswith("<svg")
                assert all(isinstance(count, PanelCount) for _, counts in panel.counts for count in counts)


def test_the_arc_of_the_url_is_marked():
    sentence = Sentence(arc_examples.aligned(arc_examples.STARS))
    assert view("dependency", sentence, values={"step": "a1"}).rows[0].highlight == (1, None)


def test_graphs_have_a_view_whose_triples_mark_the_picture():
    sentence = Sentence(graph_examples.aligned((graph_examples.GOLD, graph_examples.TEST)))
    shown = view("mrs", sentence, values={"properties": "all", "fold": "1", "step": "r0"})
    (panel,) = shown.rows[0].panels
    assert panel.drawing.options["properties"] == "all"
    assert [choice.name for choice in shown.choices] == ["right", "short", "trees", "fold", "properties"]
    marks = shown.rows[0].highlight
    assert marks is not None
    assert not isinstance(marks, tuple)
    assert marks.gold
    assert section(shown, "text").place == "above"


def test_files_have_both_mappings_where_the_page_has_one_panel():
    shown = view("constituency", trees(), is_brief=True)
    assert [drawing.suffix for drawing in shown.drawings] == ["marked", "t"]
    assert list(shown.by_kind) == ["marked", "e", "t"]
    assert "parser &lt;1&gt;" in shown.by_kind["e"].draw()


def test_a_choice_takes_only_its_options():
    choice = Choice("scheme", "Cost", {"a": "A", "b": "B"}, "a")
    assert [Viewing({"scheme": value}).chosen(choice) for value in ("b", "c", "")] == ["b", "a", "a"]
    assert Viewing().chosen(choice) == "a"
    assert [Viewing({"at": value}).index("at", "", 3) for value in ("2", "3", "x", "999999")] == [2, None, None, None]


def test_the_steps_of_tedeval_have_a_view(tmp_path: Path):
    run = score_frameworks(tmp_path)
    framework = FRAMEWORKS["crossframework"]
    sentence = sentence_of(run, 1, "wrong")
    shown = framework.view(sentence, Viewing())
    protocol = run.protocol(1, "wrong")
    assert shown.summary.startswith(
        f"Sentence 1, wrong: {100 * protocol.score:.2f}; {protocol.delta} operations count, 2 are"
    )
    assert len(section(shown, "steps").blocks[0].rows) == len(protocol.operations)
    assert [choice.name for choice in shown.choices] == ["against", "what", "measure"]
    assert [len(section.blocks) for section in shown.sections] == [2, 4, 1, 1]
    assert [text.name for text in shown.texts] == ["phrases, gold", "words, gold", "wrong"]
    own = framework.view(sentence, Viewing({"against": "single", "what": "unlabeled"}))
    assert len(section(own, "trees").blocks) == 2
    bare = framework.view(sentence_of(run, 1, "bare"), Viewing())
    assert bare.choices[1].default == "unlabeled"


def test_a_sentence_without_score_keeps_its_texts(tmp_path: Path):
    run = score_frameworks(tmp_path)
    framework = FRAMEWORKS["crossframework"]
    sentence = sentence_of(run, 1, "wrong")
    missing = corpus_functions(read_corpus("", "conllu"), FunctionVocabulary())
    shown = framework.view(replace(sentence, alignment=replace(sentence.alignment, parse=missing)), Viewing())
    assert shown.summary == "Sentence 1 of wrong has no score: no parse of this sentence."
    assert shown.sections == ()
    assert len(shown.texts) == 3
