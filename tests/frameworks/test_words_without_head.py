"""Words whose HEAD and DEPREL are ``_``, as of the function words of the UniDive 2025 shared task."""

from __future__ import annotations

import io
from pathlib import Path

import conllu as library
import pytest
from hypothesis import given, strategies as st

import evaltools
from evaltools.corpus import Dependencies, DependencyTree, Vocabulary
from evaltools.corpus.dependency_text import NO_HEAD
from evaltools.drawing import draw, languages
from evaltools.errors import InputError, ParameterError
from evaltools.formats import FORMATS, Source
from evaltools.formats.conll import SMALL
from evaltools.frameworks.dependency.alignment import align_dependencies
from evaltools.frameworks.dependency.marked import marked_arcs
from evaltools.frameworks.dependency.views import compare_words
from evaltools.frameworks.registry import FRAMEWORKS
from evaltools.frameworks.views import STANDING_ALONE, Sentence
from evaltools.marks import compared
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.hotspots import ask
from evaltools.outputs.selection import Selection
from evaltools.runs.store import Run
from tests.slow import attachment as slow
from tests.slow.dependency_pairs import dependency_pairs

ROW = "{}\t{}\t{}\t{}\t_\t{}\t{}\t{}\t_\t_\n"


def block(*rows: tuple[str, str, str, str, str]) -> str:
    """Return a sentence: form, UPOS, FEATS, HEAD and DEPREL of each word."""
    lines = [ROW.format(at, form, form.lower(), *columns) for at, (form, *columns) in enumerate(rows, start=1)]
    return "".join(lines) + "\n"


OWLS = ("Owls", "NOUN", "Number=Plur", "2", "nsubj")
HUNT = ("hunt", "VERB", "Mood=Ind", "0", "root")
IN = ("in", "ADP", "_", "_", "_")
BARNS = ("barns", "NOUN", "Case=Ine|Number=Plur", "2", "obl")
GOLD = block(OWLS, HUNT, IN, BARNS)
MARK = block(("***", "PUNCT", "_", "_", "_"))

HEAD_GIVEN = block(OWLS, HUNT, ("in", "ADP", "_", "4", "case"), BARNS)
CONTENT_GIVEN = block(OWLS, HUNT, ("in", "ADP", "_", "2", "obl"), BARNS)
FEATS_GIVEN = block(OWLS, HUNT, ("in", "ADP", "Case=Ine", "4", "case"), BARNS)
HEAD_LACKS = block((*OWLS[:3], "_", "_"), HUNT, IN, BARNS)
WRONG_HEAD = block((*OWLS[:3], "4", "nsubj"), HUNT, IN, BARNS)
WRONG_FEATS = block(OWLS, HUNT, IN, ("barns", "NOUN", "Number=Plur", "2", "obl"))


def read(text: str, notation: str = "conllu") -> Dependencies:
    trees = FORMATS[notation].read(Source("p", text.encode(), ""), Vocabulary())
    assert isinstance(trees, Dependencies)
    return trees


def scored(gold: str, *parses: str, **options: object) -> Run:
    parsers = {f"p{at}": io.BytesIO(text.encode()) for at, text in enumerate(parses)}
    return evaltools.score(io.BytesIO(gold.encode()), parsers, format="conllu", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("parse", "uas", "las", "clas", "mlas", "mslas"),
    [
        (GOLD, 1, 1, 1, 1, 1),
        (HEAD_GIVEN, 1, 1, 1, 1, 1),
        (CONTENT_GIVEN, 1, 1, 1, 1, 1),
        (FEATS_GIVEN, 1, 1, 1, 1, 6 / 7),  # the task counts a function word that is taken for a content word
        (HEAD_LACKS, 2 / 3, 2 / 3, 4 / 5, 4 / 5, 2 / 3),
        (WRONG_HEAD, 2 / 3, 2 / 3, 2 / 3, 2 / 3, 2 / 3),
        (WRONG_FEATS, 1, 1, 1, 2 / 3, (2 + 2 / 3) / 3),
    ],
)
def test_words_without_a_gold_head_do_not_count(
    parse: str, uas: float, las: float, clas: float, mlas: float, mslas: float
):
    expected = {"uas": uas, "las": las, "ud_uas": uas, "ud_las": las}
    expected |= {"clas": clas, "mlas": mlas, "mslas": mslas, "ud_words": 1, "upos": 1}
    run = scored(GOLD + MARK, parse + MARK)
    summary = run.summary().set_index("metric")["pooled"].to_dict()
    assert {name: summary[name] for name in expected} == pytest.approx(expected)
    alignment = align_dependencies(GOLD, parse)
    assert {name: alignment.scores[name] for name in expected} == pytest.approx(expected)
    assert run.meta["parsers"][0]["missing"] == 0


def test_a_gold_file_against_itself_is_100():
    """Also where a word without a head has features."""
    gold = GOLD + MARK + block(OWLS, HUNT, ("in", "ADP", "Case=Ine", "_", "_"))
    summary = scored(gold, gold).summary().set_index("metric")
    assert (summary[["pooled", "mean", "pooled_all", "mean_all"]].drop(["elas", "eulas"]) == 1).all(axis=None)


@given(dependency_pairs(), st.data())
def test_the_scores_are_shares_of_the_words_with_a_gold_head(
    pair: tuple[DependencyTree, DependencyTree], data: st.DataObject
):
    gold, test = pair
    leaves = [word for word in range(len(gold)) if gold.heads[word] >= 0 and not gold.children(word)]
    without = data.draw(st.sets(st.sampled_from(leaves))) if leaves else set()
    heads = tuple(NO_HEAD if word in without else head for word, head in enumerate(gold.heads))
    relations = tuple("_" if word in without else name for word, name in enumerate(gold.relations))
    partly = DependencyTree(gold.forms, heads, relations, tags=gold.tags)
    alignment = align_dependencies(partly, test)
    for name, right in slow.right_words(gold, test, subtypes=False).items():
        kept = [value for word, value in enumerate(right) if word not in without]
        assert alignment.scores[name] == pytest.approx(sum(kept) / len(kept))
    assert alignment.scores["ud_uas"] == pytest.approx(alignment.scores["uas"])
    assert [word for word, status in enumerate(alignment.gold_status) if status is None] == [*sorted(without)]
    assert alignment.counts["dep_gold"] == alignment.counts["ud_gold_heads"] == len(gold) - len(without)
    assert align_dependencies(partly, partly).scores["las"] == 1
    assert DependencyTree.from_string(partly.to_string()) == partly


def test_tokens_of_words_without_a_head_that_differ_are_no_wrong_arcs():
    gold = block(OWLS, HUNT, ("in", "ADP", "_", "_", "_"), ("to", "ADP", "_", "_", "_"), BARNS)
    test = block(OWLS, HUNT, ("into", "ADP", "_", "_", "_"), BARNS)
    alignment = align_dependencies(gold, test)
    assert alignment.status == "words_differ"
    assert (alignment.scores["uas"], alignment.scores["ud_las"], alignment.scores["mslas"]) == (1, 1, 1)
    assert alignment.scores["ud_words"] == pytest.approx(6 / 9)


# --------------------------------------------------------------------------------------------------- reading, writing


@pytest.mark.parametrize("n", [1, SMALL // len(GOLD) + 1])
@pytest.mark.parametrize("notation", ["conllu", "conllx"])
def test_they_are_read_and_said_once_a_file(n: int, notation: str):
    """Beside sentences that the kernel reads."""
    whole = block(OWLS, HUNT)
    text = (GOLD + whole) * n + MARK
    trees = read(text, notation)
    assert trees.head.tolist() == [1, -1, NO_HEAD, 1, 1, -1] * n + [NO_HEAD]
    assert "".join(trees.tree(at).to_string(notation) + "\n\n" for at in range(len(trees))) == text
    run = evaltools.score(io.BytesIO(text.encode()), {"p": io.BytesIO(text.encode())}, format=notation)
    assert [(row.kind, row.found) for row in run.problems().itertuples()] == [
        ("no_head", f"{n + 1:,} words whose HEAD and DEPREL are _")
    ] * 2


@pytest.mark.parametrize(
    ("rows", "kind", "found"),
    [
        (((*OWLS[:3], "_", "nsubj"), HUNT), "head", "head '_'"),
        ((OWLS, HUNT, ("in", "ADP", "_", "4", "_"), (*BARNS[:3], "_", "_")), "head", "head 4, a word without a head"),
        (((*OWLS[:3], "4", "_"), HUNT, IN, (*BARNS[:3], "1", "_")), "cycle", "a cycle of heads: 1 → 4 → 1"),
        ((IN, IN, IN), "no_root", "no word whose head is 0"),
        (((*OWLS[:3], "2", "_"), IN), "head", "head 2, a word without a head"),
    ],
)
def test_what_is_no_tree_for_the_other_words_cannot_be_used(rows: tuple[tuple[str, ...], ...], kind: str, found: str):
    trees = read(block(*rows))  # type: ignore[arg-type]
    assert trees.n_words.tolist() == [0]
    assert [(problem.kind, problem.found) for problem in trees.problems] == [(kind, found)]


def test_a_tree_with_words_without_a_head():
    tree = DependencyTree.from_string(GOLD.rstrip("\n"))
    assert tree.heads == (1, -1, NO_HEAD, 1)
    assert (tree.roots, sorted(tree.top_down), tree.children(1)) == ((1,), [0, 1, 2, 3], (0, 3))
    for heads, relations in (((NO_HEAD, 0), ("_", "x")), ((NO_HEAD, -1), ("x", "root")), ((-3,), ("_",))):
        with pytest.raises(ParameterError, match="head"):
            DependencyTree(("a", "b")[: len(heads)], heads, relations)


def test_sentences_in_memory():
    gold = [DependencyTree.from_string(GOLD.rstrip("\n"))]
    for parse in (library.parse(HEAD_GIVEN), library.parse(GOLD), [GOLD], gold):
        figures = evaltools.evaluate(gold, parse, metrics=["las", "ud_las", "mslas"])
        assert [figures[name] for name in ("las", "ud_las", "mslas", "missing")] == [1, 1, 1, 0]


def test_the_official_reading_refuses_them():
    with pytest.raises(InputError, match="2 words whose HEAD and DEPREL are _"):
        scored(GOLD * 2, HEAD_GIVEN * 2, strict_conllu=True)


# ----------------------------------------------------------------------------------------- pictures, tables, questions


@pytest.mark.parametrize("test", [GOLD, HEAD_GIVEN, HEAD_LACKS, WRONG_HEAD, MARK])
@pytest.mark.parametrize("gold", [GOLD, MARK])
def test_they_are_drawn_without_an_arc(gold: str, test: str):
    alignment = align_dependencies(gold, test)
    for drawing in FRAMEWORKS["dependency"].view(Sentence(alignment), STANDING_ALONE).drawings:
        for language in languages(drawing.subject):
            assert drawing.draw(language)
    for tree in (alignment.gold, alignment.test):
        assert draw(tree, "svg").count('class="node arc') == sum(head != NO_HEAD for head in tree.heads)


def test_the_marked_sentence_says_that_there_is_no_head():
    alignment = align_dependencies(GOLD, HEAD_LACKS)
    lacking, other = (marked_arcs(item) for item in (alignment, align_dependencies(GOLD, WRONG_HEAD)))
    assert lacking is not None
    assert other is not None
    assert [(repair.phrase, repair.verdict) for repair in lacking.repairs] == [
        ("“Owls”", "has no head, belongs to “hunt” as nsubj")
    ]
    assert [(mark.side, mark.text) for mark in lacking.marks] == [("gold", "nsubj")]
    neither = block((*OWLS[:3], "_", "_"), HUNT, IN, (*BARNS[:3], "_", "_"))
    marked = marked_arcs(align_dependencies(GOLD, neither))
    assert marked is not None
    assert [repair.verdict for repair in marked.repairs] == ["have no head, belong to “hunt”"]
    both = compared(lacking, other, ("p", "q"))
    assert [(link.source, link.side, link.repairs) for link in both.links] == [(1, "gold", (1, 2)), (3, "test", (2,))]


def test_the_table_of_words_marks_no_head_and_relation_that_is_not_compared():
    given, lacking = (compare_words(align_dependencies(GOLD, parse)) for parse in (HEAD_GIVEN, HEAD_LACKS))
    assert given[2].cells["Head"] == (("", "4 barns"),)
    assert given[2].cells["Relation"] == (("", "case"),)
    assert not any(word.differs("Head") or word.differs("Relation") for word in given)
    assert lacking[0].cells["Head"] == (("missing", "2 hunt"), ("spurious", "_"))
    assert [word.differs("Head") for word in lacking] == [True, False, False, False]


def test_the_tables_of_a_run(tmp_path: Path):
    run = scored(GOLD, HEAD_LACKS, HEAD_GIVEN, out=tmp_path / "run")
    words = run.words("p0")
    assert words["word"].tolist() == [1, 2, 4]
    assert words["test_head"].isna().tolist() == [True, False, False]
    table = ask(run, run.framework.questions().hotspots["heads"], "p0")
    rows = table.rows
    assert rows[["tag", "head_tag", "test_head_tag", "errors"]].to_numpy().tolist() == [["NOUN", "VERB", "(none)", 1]]
    errors = table.errors(rows.iloc[0].to_dict())
    assert errors["remark"].tolist() == ["“Owls” without a head instead of attached to “hunt”"]
    distances = run.attachments("p0").query("by == 'distance'").set_index("bin")
    assert distances[["gold", "test"]].sum().tolist() == [3, 2]
    assert run.labels("p0").set_index("label")["test"].to_dict() == {"root": 1, "obl": 1, "nsubj": 0}
    for format_name in ("text", "json", "csv", "conll18"):
        assert REPORTS[format_name](run, Selection())


def test_they_carry_no_function(tmp_path: Path):
    paths = {name: tmp_path / f"{name}.conllu" for name in ("gold", "mine")}
    for path in paths.values():
        path.write_text(GOLD + MARK, "utf-8")
    run = evaltools.crossframework({"UD": paths["gold"]}, {"mine": ("UD", paths["mine"])}, out=tmp_path / "run")
    summary = run.summary()
    figures = summary[summary["metric"].str.startswith("tedeval")]["pooled"].dropna()
    assert len(figures)
    assert (figures == 1).all()
    tree = DependencyTree.from_string(GOLD.rstrip("\n"))
    functions = evaltools.dependency_function_tree(tree.forms, tree.heads, tree.relations)
    assert {node.label for node in functions.nodes} == {"nsubj", "root", "hd", "obl"}
