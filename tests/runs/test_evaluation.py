"""Figures of lists of objects: those of the files with the same sentences."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from delphin.codecs import dmrsjson, eds

import evaltools
from evaltools import DependencyTree, InputError, ParameterError, SemanticGraph, Tree, evaluate
from evaltools.analysis.summary import summarize_run
from evaltools.formats import read_semantics
from evaltools.formats.objects import read_objects
from evaltools.frameworks.figures import FIGURES
from evaltools.frameworks.metric import OLD_IDS
from evaltools.frameworks.registry import METRICS
from tests.conftest import ROOT
from tests.objects import SpacyDoc, SpacyToken, StanzaDocument, spacy_doc

SAMPLE = ROOT / "sample_data"
GOLD = ["(S (NP (N dogs)) (VP (V bark)))", "(S (NP (N cats)) (VP (V sleep) (ADVP (R well))))", "(S (V rain))"]
TEST = ["(S (NP (N dogs) (V bark)))", "", "(S (X rain))"]
COUNTS = ("sentences", "scored", "missing", "words_differ", "problems")


def lines(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()


def blocks(path: Path) -> list[str]:
    return [block for block in re.split(r"\n\s*\n", path.read_text("utf-8")) if block.strip()]


def figures_of_files(gold: Path, test: Path, figure: str) -> dict[str, Any]:
    run = evaltools.score(gold, {"test": test})
    summary = run.summary().set_index("metric")[figure]
    incomplete = [name for name in run.incomplete_metrics if METRICS[name].place.overview]  # tables leave them out
    names = [*run.headline_metrics, *incomplete]
    (entry,) = run.meta["parsers"]
    numbers = {"sentences": run.n_sentences, "problems": len(run.problems())}
    numbers |= {name: entry[name] for name in ("scored", "missing", "words_differ")}
    values = {name: float(summary[name]) for name in names}
    return {name: None if value != value else value for name, value in values.items()} | numbers


def without_n(figures: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in figures.items() if not name.startswith("n_")}


# --------------------------------------------------------------------------------------------------- files and lists


def constituency_files() -> tuple[Path, Path]:
    return SAMPLE / "gold.ptb", sorted((SAMPLE / "parsers").glob("*.ptb"))[0]


def dependency_files() -> tuple[Path, Path]:
    return tuple(SAMPLE / "dependencies" / f"{name}.conllu" for name in ("functional", "transition-functional"))  # type: ignore[return-value]


@pytest.mark.parametrize("figure", FIGURES)
def test_figures_of_lists_are_those_of_the_files(figure: str):
    for (gold, test), split in ((constituency_files(), lines), (dependency_files(), blocks)):
        expected = figures_of_files(gold, test, figure)
        assert without_n(evaluate(gold, test, figure=figure)) == expected
        assert without_n(evaluate(split(gold), split(test), figure=figure)) == expected


@pytest.mark.parametrize(
    ("gold", "parsers", "preset"),
    [
        ("gold.ptb", "parsers/*.ptb", "standard"),
        ("gold.ptb", "parsers/*.ptb", "collins"),
        ("dependencies/functional.conllu", "dependencies/*-functional.conllu", "standard"),
        ("semantics/gold.eds", "semantics/gr*.eds", "standard"),
    ],
)
def test_figures_are_those_of_the_summary(gold: str, parsers: str, preset: str):
    files = {path.stem: path for path in SAMPLE.glob(parsers)}
    summary = summarize_run(evaltools.score(SAMPLE / gold, files, preset=preset))
    assert summary.figure == ("pooled" if preset == "collins" else "pooled_all")
    assert len(summary.rows) == len(files) > 1
    for row in summary.rows:
        figures = evaluate(SAMPLE / gold, files[row.parser], preset=preset, metrics=summary.metrics)
        shown = {name: figure.value for name, figure in row.figures.items()}
        assert {name: figures[name] for name in shown} == pytest.approx(shown)


def as_trees(texts: list[str]) -> list[Tree | None]:
    return [Tree.from_string(text) if text else None for text in texts]


def as_nltk(texts: list[str]) -> list[Any]:
    nltk = pytest.importorskip("nltk", reason="nltk is not installed")
    return [nltk.Tree.fromstring(text) if text else None for text in texts]


@pytest.mark.parametrize("convert", [as_trees, as_nltk])
def test_trees_of_libraries_have_the_figures_of_their_text(convert: Callable[[list[str]], list[Any]]):
    expected = evaluate(GOLD, TEST)
    assert expected["f1"] != 1
    assert evaluate(convert(GOLD), convert(TEST)) == expected
    assert evaluate(GOLD, convert(TEST)) == expected
    gold, test = (lines(path)[:40] for path in constituency_files())
    assert evaluate(convert(gold), convert(test)) == evaluate(gold, test)


def test_discontinuous_trees_and_trees_with_functions_keep_both():
    crossing = Tree.from_string("(S (VP (V 0=is) (A 2=rich)) (N 1=John))", "discbracket")
    for trees in ([crossing, None], [None, crossing]):
        source = read_objects(trees, "trees")
        corpus = evaltools.read_treebank(source)
        assert (source.format, len(corpus)) == ("discbracket", 2)
        assert corpus.tree(trees.index(crossing)) == crossing
    functions = tuple("SB" if label == "N" else "" for label in crossing.labels)
    labeled = dataclasses.replace(crossing, functions=functions)
    source = read_objects([labeled, None], "trees")
    corpus = evaltools.read_treebank(source)
    assert (source.format, len(corpus), corpus.tree(0)) == ("export", 2, labeled)
    square = Tree.from_string("[S [N1 tax revision ] passed ]", "sampson")
    assert evaltools.score([square], {"p": [square]}).tree(1, "p") == square


def as_token_lists(texts: list[str]) -> Any:
    conllu = pytest.importorskip("conllu", reason="conllu is not installed")
    return [conllu.parse(f"{text}\n\n")[0] for text in texts]


def as_dependency_trees(texts: list[str]) -> list[DependencyTree]:
    return [DependencyTree.from_string(text) for text in texts]


def as_docs(texts: list[str]) -> list[SpacyDoc]:
    return [spacy_doc(text) for text in texts]


def as_spacy(texts: list[str]) -> list[Any]:
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    vocab = spacy.blank("en").vocab
    docs = []
    for doc in as_docs(texts):
        heads, deps = [token.head.i for token in doc], [token.dep_ for token in doc]
        words = [token.text for token in doc]
        tags = [token.pos_ for token in doc]
        docs.append(spacy.tokens.Doc(vocab, words=words, heads=heads, deps=deps, pos=tags))
    return docs


def as_stanza(texts: list[str]) -> list[StanzaDocument]:
    return [StanzaDocument(text) for text in texts]


def as_real_stanza(texts: list[str]) -> list[Any]:
    module = pytest.importorskip("stanza.utils.conll", reason="Stanza is not installed")
    return [module.CoNLL.conll2doc(input_str=f"{text}\n\n") for text in texts]


PLAIN = [
    "1\tdogs\tdog\tNOUN\t_\t_\t2\tnsubj\t_\t_\n2\tbark\tbark\tVERB\t_\t_\t0\troot\t_\t_",
    "1-2\tau\t_\t_\t_\t_\t_\t_\t_\t_\n1\tà\tà\tADP\t_\t_\t3\tcase\t_\t_\n2\tle\tle\tDET\t_\t_\t3\tdet\t_\t_\n"
    "3\tlit\tlit\tNOUN\t_\t_\t0\troot\t_\t_",
]
WORDS = [PLAIN[0], PLAIN[1].partition("\n")[2]]
"""The same without the multiword token, which spaCy does not know."""
PARSED = [
    PLAIN[0].replace("nsubj", "obj"),
    "1-2\tau\t_\t_\t_\t_\t_\t_\t_\t_\n1\tà\tà\tADP\t_\t_\t2\tcase\t_\t_\n2\tle\tle\tDET\t_\t_\t3\tdet\t_\t_\n"
    "3\tlit\tlit\tNOUN\t_\t_\t0\troot\t_\t_",
]


def figures_of(gold: Any, test: Any) -> dict[str, float | int | None]:
    """Return the figures without the number of problems: some libraries do not know multiword tokens."""
    return {name: value for name, value in evaluate(gold, test).items() if name != "problems"}


@pytest.mark.parametrize("convert", [as_token_lists, as_dependency_trees, as_docs, as_spacy, as_stanza, as_real_stanza])
def test_dependency_trees_of_libraries_have_the_figures_of_their_text(convert: Callable[[list[str]], list[Any]]):
    expected = figures_of(PLAIN, PARSED)
    assert (expected["uas"], expected["las"]) == (0.8, 0.6)
    assert figures_of(convert(PLAIN), convert(PARSED)) == expected
    gold = WORDS if convert in (as_docs, as_spacy) else PLAIN
    assert figures_of(gold, convert(PARSED)) == expected
    gold, test = (blocks(path)[:40] for path in dependency_files())
    assert figures_of(gold, convert(test)) == figures_of(gold, test)
    assert convert is as_token_lists or evaluate(gold, [*convert(test)[:39], None])["missing"] == 1


def test_a_document_alone_stands_for_its_sentences_and_in_a_list_for_one():
    for document in (spacy_doc(*PARSED), StanzaDocument(*PARSED)):
        gold = PLAIN if isinstance(document, StanzaDocument) else WORDS
        assert figures_of(gold, document) == figures_of(PLAIN, PARSED)
        run = evaltools.score([document], {"p": [document]})
        assert run.n_sentences == 1
        assert run.tree(1).roots == (1, 4)
        assert run.tree(1).relations.count("root") == 2


def test_tokens_of_stanza_that_are_several_words_are_kept():
    run = evaltools.score(StanzaDocument(*PLAIN), {"p": as_stanza(PARSED)})
    (token,) = run.tree(2, "p").multiwords
    assert (token.form, token.span) == ("au", (0, 2))


def graph_files() -> tuple[Path, Path]:
    folder = SAMPLE / "semantics"
    return folder / "gold.eds", sorted(path for path in folder.glob("*.eds") if path.stem != "gold")[0]


def test_graphs_of_pydelphin_have_the_figures_of_their_files():
    gold, test = graph_files()
    expected = figures_of_files(gold, test, "pooled_all")
    assert without_n(evaluate(gold, test)) == expected
    structures = []
    for path in (gold, test):
        items = read_semantics(path).items
        texts = {item.id: item.text for item in items}
        graphs = {}
        for name, body in re.findall(r"^#(\w+)\n(\{.*?^\})", path.read_text("utf-8"), re.DOTALL | re.MULTILINE):
            graphs[name] = eds.decode(body)
            graphs[name].identifier, graphs[name].surface = name, texts[name]
        structures.append([graphs.get(item.id) for item in items])
    found = evaluate(*structures)
    for name in ("edm", "edm_n", "edm_a", "edm_p", "edm_na", "edm_exact"):
        assert found[name] == expected[name]
    assert found["sentences"] == expected["sentences"]


def test_graphs_of_evaltools_and_dmrs_are_taken():
    graph = read_semantics(graph_files()[0]).items[0].graph
    assert isinstance(graph, SemanticGraph)
    run = evaltools.score([graph, None], {"p": [graph, graph], "nothing": [None, None]})
    assert run.tree(1, "p") == graph
    assert run.summary().set_index(["parser", "metric"]).loc[("p", "edm_exact"), "pooled"] == 1
    node = {"nodeid": 10000, "predicate": "_rain_v_1", "sortinfo": {"cvarsort": "e"}, "lnk": {"from": 3, "to": 8}}
    dmrs = dmrsjson.from_dict({"nodes": [node], "links": [], "top": 10000, "index": 10000})
    figures = evaluate([dmrs], [dmrs])
    assert (figures["edm"], figures["scored"]) == (1, 1)


def test_frameworks_are_compared_by_lists():
    run = evaltools.crossframework({"a": GOLD[:1], "b": PLAIN[:1]}, {"p": ("a", as_trees(TEST[:1]))})
    assert run.parsers == ["p"]
    assert run.n_sentences == 1


# --------------------------------------------------------------------------------------------------- figures and counts


def test_the_result_is_plain_and_says_what_was_left_out():
    figures = evaluate(GOLD, TEST)
    assert json.loads(json.dumps(figures)) == figures
    assert {type(value) for value in figures.values()} <= {int, float}
    assert {name: figures[name] for name in COUNTS} == dict(zip(COUNTS, (3, 2, 1, 0, 0), strict=True))
    assert evaluate(GOLD, GOLD)["f1"] == 1
    other_words = evaluate(GOLD, ["(S (N wolves))", *GOLD[1:]])
    assert (other_words["words_differ"], other_words["problems"]) == (1, 1)
    nothing = evaluate(GOLD, [None] * 3)
    assert (nothing["f1"], nothing["missing"]) == (0, 3)
    assert evaluate(GOLD, [None] * 3, figure="pooled")["f1"] is None
    assert evaluate(GOLD, GOLD[:2])["problems"] == 1


def test_numbers_of_sentences_that_differ_are_added():
    gold, test = ["(S (A a) (B b))"] * 2, ["(S (A a) (B b))", "(A a) (B b)"]
    figures = evaluate(gold, test, figure="mean", metrics=["precision", "recall"])
    assert figures["scored"] == 2
    assert figures["n_precision"] == 1
    assert "n_recall" not in figures


def test_options_are_those_of_score():
    assert list(evaluate(GOLD, TEST, metrics=["la"]))[:2] == ["la_exact", "la"]
    assert evaluate(PLAIN, PARSED, punctuation="upos")["uas"] == 0.8
    rooted = [f"(ROOT {text})" for text in GOLD]
    assert evaluate(rooted, TEST)["recall"] > evaluate(rooted, TEST, preset="none")["recall"]
    with pytest.raises(ParameterError, match="unknown figure 'median'; valid: pooled"):
        evaluate(GOLD, TEST, figure="median")
    with pytest.raises(ParameterError, match="unknown metric 'bleu'"):
        evaluate(GOLD, TEST, metrics=["bleu"])
    with pytest.raises(ParameterError, match="punctuation"):
        evaluate(GOLD, TEST, punctuation="upos")


def test_evaluating_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    evaluate(GOLD, TEST)
    assert not list(tmp_path.iterdir())


# --------------------------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("gold", "test", "message"),
    [
        (
            GOLD,
            [GOLD[0], 2, None],
            r"<test>: sentence 2: an object of type int; expected str \(a tree in brackets, .*\), as",
        ),
        (
            GOLD,
            [None, 2.5],
            "<test>: sentence 2: an object of type float; expected one of str .*PyDelphin or Graph of penman, or None",
        ),
        (
            GOLD,
            [*as_trees(GOLD[:2]), GOLD[2]],
            "<test>: sentence 3: an object of type str; expected evaltools.Tree, as",
        ),
        ([], TEST, "<gold>: an empty list; expected at least one sentence"),
        ([None], TEST, "<gold>: a list of 1 × None; expected at least one sentence"),
        (5, TEST, "<gold>: an object of type int; expected a file, or a list with objects of one type: "),
        ({"a": 1}, TEST, "<gold>: an object of type dict"),
        (b"(S (N a))", TEST, "<gold>: an object of type bytes"),
        (GOLD[0], TEST, "<gold>: a tree as text; expected a file, or a list of trees"),
        (GOLD, PLAIN, "<test>: dependency trees .*; expected constituency trees, as in <gold>"),
        (["gold.ptb"], GOLD, "<gold>: sentence 1: text in an unknown format: 'gold.ptb'; expected trees in brackets"),
        (GOLD, ["{e2: e2:_rain_v_1<3:8>{e TENSE pres}[]}"], "<test>: semantic graphs; expected trees, as in the gold"),
        (PLAIN, [SpacyDoc([SpacyToken(0, "dogs")])], "<test>: sentence 1: a Doc without heads and relations"),
    ],
)
def test_what_is_not_known_is_named_with_its_position(gold: Any, test: Any, message: str):
    with pytest.raises(InputError, match=message):
        evaluate(gold, test)


def test_a_leaf_that_is_no_text_is_an_error_of_its_sentence():
    nltk = pytest.importorskip("nltk", reason="nltk is not installed")
    with pytest.raises(InputError, match="<test>: sentence 1: a leaf of type int, not str"):
        evaluate(GOLD[:1], [nltk.Tree("S", [3])])


def test_words_of_stanza_without_a_head_are_an_error():
    document = StanzaDocument(PLAIN[0])
    document.sentences[0].words[1].head = None
    with pytest.raises(InputError, match="word 2 without a head: no parser has annotated it"):
        evaluate(PLAIN[:1], document)


def test_trees_over_several_lines_are_one_sentence_each():
    spread = [text.replace(" (VP", "\n  (VP") for text in GOLD]
    assert evaluate(spread, TEST) == evaluate(GOLD, TEST)


# -------------------------------------------------------------------------------------------------- what parsers print

REFUSALS = ("I cannot parse this.", "Sorry:\n\n1\tI\n\n(no)", "```", "[]", "{}", "()", "#", "# no tree", "(", ")")
AMRS = ["(s / sleep-01 :ARG0 (b / boy))", "(r / run-02\n  :ARG0 (g / girl))"]
EXPORT = ["#BOS 1\ndogs N -- SB 500\nbark V -- HD 500\n#500 S -- -- 0\n#EOS 1", "#BOS 2\nrain V -- HD 0\n#EOS 2"]


@pytest.mark.parametrize(
    "gold", [GOLD, PLAIN, AMRS, EXPORT, as_trees(GOLD)], ids=["ptb", "conllu", "amr", "export", "Tree"]
)
@pytest.mark.parametrize("text", REFUSALS)
@pytest.mark.parametrize("numbers", ["first", "last", "all"])
def test_a_string_that_cannot_be_read_is_a_missing_parse(gold: list[Any], text: str, numbers: str):
    strings = [item if isinstance(item, str) else str(item) for item in gold]
    chosen = {"first": [0], "last": [len(gold) - 1], "all": range(len(gold))}[numbers]
    test = [text if number in chosen else item for number, item in enumerate(strings)]
    result = evaluate(gold, test)
    main = "uas" if gold is PLAIN else "smatch" if gold is AMRS else "f1"
    assert (result["sentences"], result["missing"], result["words_differ"]) == (len(gold), len(chosen), 0)
    assert result["problems"] >= (0 if text in ("[]", "{}", "()") else len(chosen))
    alone = evaluate(gold, [None if number in chosen else item for number, item in enumerate(strings)])
    assert (alone["missing"], result[main]) == (len(chosen), alone[main])


def test_strings_of_amrs_are_graphs():
    other = AMRS[1].replace("girl", "man")
    assert evaluate(AMRS, [AMRS[0], other], metrics="smatch_concepts")["smatch_concepts"] == 0.75
    assert evaluate(AMRS, ["", AMRS[1]])["missing"] == 1
    several = evaluate(AMRS, [" ".join(AMRS), "(r / run-02) :ARG0 (g / girl))"])
    assert (several["missing"], several["problems"]) == (2, 2)
    reversed_order = [f"# ::id {number}\n{text}" for number, text in ((2, AMRS[1]), (1, AMRS[0]))]
    with_ids = [f"# ::id {number}\n{text}" for number, text in ((1, AMRS[0]), (2, AMRS[1]))]
    assert evaluate(with_ids, reversed_order)["smatch"] == 1


def test_square_brackets_with_tags_are_read_as_round_ones():
    square = [text.translate(str.maketrans("()", "[]")) for text in GOLD]
    figures = evaluate(square, [square[0], "[S [N cats", "Sorry."], metrics="f1_pos", figure="mean_all")
    assert (figures["f1_pos"], figures["missing"]) == (pytest.approx(1 / 3), 2)
    assert evaluate(GOLD, square, metrics="f1_pos")["f1_pos"] == 1


def test_metrics_and_a_file_may_be_one(tmp_path: Path):
    assert next(iter(evaluate(GOLD, TEST, metrics="la_exact"))) == "la_exact"
    (tmp_path / "mine.ptb").write_text("\n".join(TEST))
    run = evaltools.score(GOLD, tmp_path / "mine.ptb", metrics="la_exact")
    assert (run.parsers, run.metrics) == (["mine"], ["la_exact"])


def test_strings_are_compared_with_a_gold_file(tmp_path: Path):
    (tmp_path / "gold.ptb").write_text("\n".join(GOLD))
    assert evaluate(tmp_path / "gold.ptb", ["I cannot parse this."] * 3)["missing"] == 3
    with (tmp_path / "gold.ptb").open("rb") as gold:
        assert evaluate(gold, [*GOLD[:2], "# none"])["missing"] == 1


def test_metrics_are_named_in_any_case_and_by_old_ids():
    figures = evaluate(GOLD, TEST, metrics=("F1", "t_dice", "la_partial"))
    assert list(figures)[:3] == ["f1", "ted", "la"]
    assert not set(OLD_IDS) & set(METRICS)
    assert set(OLD_IDS.values()) <= set(METRICS)
