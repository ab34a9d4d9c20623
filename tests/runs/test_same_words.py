"""Words written in another way, and multiword tokens without their range line, are the same words."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from udtools import udeval

import evaltools
from evaltools import Run, dependency_function_tree, multi_function_tree
from evaltools.frameworks.crossframework.protocol import tedeval2011_steps
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.selection import Selection
from evaltools.progress import Progress

WORDS = ("ud_words", "upos", "ud_uas", "ud_las", "lemmas", "mlas")


def conllu(*words: str, ranges: str = "", sent_id: str = "") -> str:
    """Write a sentence whose words depend on the first; `ranges` are lines by the word before which they stand."""
    before = dict(line.split("=") for line in ranges.split()) if ranges else {}
    rows = [f"# sent_id = {sent_id}"] if sent_id else []
    for at, word in enumerate([*words, None], start=1):
        if str(at) in before:
            number, form = before[str(at)].split(":")
            rows.append("\t".join((number, form, *"________")))
        if word is not None:
            head, relation = (0, "root") if at == 1 else (1, "obj")
            rows.append("\t".join((str(at), word, str(at), "NOUN", "_", "_", str(head), relation, "_", "_")))
    return "\n".join(rows) + "\n\n"


def scored(gold: str, test: str, **options: Any) -> Run:
    return evaltools.score(io.BytesIO(gold.encode()), {"p": io.BytesIO(test.encode())}, **options)


def across(gold: str, test: str, **options: Any) -> Run:
    """Compare files by TedEval."""
    return evaltools.crossframework(
        {"t": io.BytesIO(gold.encode())}, {"p": ("t", io.BytesIO(test.encode()))}, **options
    )


def figures(run: Run) -> dict[str, float]:
    pooled = run.summary().set_index("metric")["pooled_all"]
    return {name: pooled[name] for name in ("ud_tokens", "ud_sentences", *WORDS)} | {"attachment": pooled["las"]}


SAME = {
    "brackets": (("(", "Yes", ")"), ("-LRB-", "Yes", "-RRB-"), "writing", 2),
    "slash": (("1/2", "a"), ("1\\/2", "a"), "writing", 1),
    "quotes": (('"', "Yes", '"'), ("``", "Yes", "''"), "writing", 2),
    "unicode": (("Caf\u00e9", "ferme"), ("Cafe\u0301", "ferme"), "writing", 1),
    "case": (("Yes", "SIR"), ("yes", "sir"), "case", 2),
}


@pytest.mark.parametrize("name", SAME)
@pytest.mark.parametrize("other", ["", conllu("other", "words"), conllu("less")])
def test_words_written_in_another_way_are_the_same(name: str, other: str):
    gold, test, kind, n = SAME[name]
    for sides in ((gold, test), (test, gold)):
        files = conllu(*sides[0]) + conllu("some", "words") * bool(other), conllu(*sides[1]) + other
        run, tedeval = scored(*files), across(*files)
        for item in (run, tedeval):
            assert item.sentences("p")["status"].tolist() == ["ok", "words_differ"][: 1 + bool(other)]
            assert item.meta["parsers"][0]["equated"] == {kind: n}
            assert item.problems().query("sentence == 1").empty
        assert run.sentences("p").loc[0, ["las", "ud_words"]].tolist() == [1, 1]
        assert tedeval.sentences("p").loc[0, ["tedeval_single_labeled", "tedeval2011_labeled"]].tolist() == [1, 1]
        assert tedeval.protocol(1, "p").score == 1
        if not other:
            assert set(figures(run).values()) == {1}


def test_words_written_in_another_way_are_said_once_a_file():
    notes: list[str] = []
    gold = conllu("(", "Yes") + conllu("(", "No")
    test = conllu("-LRB-", "yes") + conllu("-LRB-", "No")
    progress = Progress(note=notes.append)
    evaltools.score(io.BytesIO(gold.encode()), {"p": io.BytesIO(test.encode())}, progress=progress)
    case, writing = (note for note in notes if "count" in note)
    assert case == "p: 1 word differs from the gold word in upper and lower case only, and counts as the same word"
    assert writing.startswith("p: 2 words are the gold words written in another way (-LRB- for a bracket, another form")


def test_words_that_look_alike_are_named_by_their_code_points():
    for compare in (scored, across):
        run = compare(conllu("a", "b"), conllu("\u0430", "b"))
        found = run.problems().set_index("kind").loc["words_differ", ["found", "expected"]].tolist()
        assert found[0] == "word 1 '\u0430' (U+0430)"
        assert found[1].startswith("word 1 'a' (U+0061), as in ")


RANGES = {
    "none": "",
    "reversed": "2=3-2:du",
    "late": "3=2-3:du",
    "after": "4=2-3:du",
}


@pytest.mark.parametrize("name", RANGES)
@pytest.mark.parametrize("other", [False, True])
def test_a_multiword_token_without_its_range_line_has_the_same_words(name: str, other: bool):
    words = ("Vu", "de", "le", "lac")
    gold, test = conllu(*words, ranges="2=2-3:du"), conllu(*words, ranges=RANGES[name])
    for sides in ((gold, test), (test, gold)):
        run = scored(*(side + (conllu(word, "les", "yeux")) * other for side, word in zip(sides, "ab", strict=True)))
        first = run.sentences("p").iloc[0]
        assert (first["status"], first["las"]) == ("ok", 1)
        assert {first[figure] for figure in WORDS} == {1}
        assert first["ud_tokens"] == pytest.approx(2 * 2 / 7)
        assert first["ud_sentences"] == 1


def test_a_file_without_any_range_line_scores_as_the_one_with_them():
    texts = [(("Vu", "de", "le", "lac"), "2=2-3:du"), (("à", "le", "bord"), "1=1-2:au"), (("oui",), "")] * 3
    gold = "".join(conllu(*words, ranges=ranges, sent_id=f"s{n}") for n, (words, ranges) in enumerate(texts))
    for parts in (range(9), [8, 3, 1, 0]):
        test = "".join(conllu(*texts[n][0], sent_id=f"s{n}") for n in parts)
        run = scored(gold, test)
        found = run.sentences("p").iloc[sorted(parts)]
        assert found["status"].tolist() == ["ok"] * len(parts)
        assert {*found["las"], *found["ud_words"]} == {1}


def test_in_brackets_words_written_in_another_way_are_the_same_for_every_metric():
    gold = "(S (NP (-LRB- -LRB-) (N Caf\u00e9) (`` ``)) (VP (V Ferme)))"
    test = '(S (NP (-LRB- "(") (N Cafe\u0301) (`` \u201c)) (VP (V ferme)))'.replace('"("', "-lrb-")
    run = scored(f"{gold}\n(S (N a) (V b))\n", f"{test}\n(S (N a) (V c))\n", format="ptb")
    assert run.sentences("p")["status"].tolist() == ["ok", "words_differ"]
    first = run.sentences("p").iloc[0]
    assert {first[name] for name in ("f1_pos", "ted", "ted_jaccard", "la_exact", "repair_similarity")} == {1}
    assert run.meta["parsers"][0]["equated"] == {"case": 1, "writing": 3}
    assert run.alignment(1, "p").scores["ted"] == 1
    assert run.alignment(1, "p").test.words[1] == "Cafe\u0301"
    exact = scored(gold, test, format="ptb", preset="collins")
    assert exact.sentences("p")["status"].tolist() == ["words_differ"]
    assert "equated" not in exact.meta["parsers"][0]


def test_a_word_in_another_case_beside_other_words_is_the_same_for_the_tree_distance():
    a = evaltools.align("(S (N The) (N b) (V c))", "(S (N the) (N b) (V x))")
    assert (a.status, a.counts["t_swapped"]) == ("words_differ", 1)


PHRASES = {
    "features": (
        "( (S (NP-SUJ##h=1## (NC##lem=chat|g=m## chat)) (VP (V-hd##lem=dormir## dort)) (.##x=y## .)))",
        "( (S (NP-SUJ (NC chat)) (VP (V-hd dort)) (. .)))",
        {"features": 4},
    ),
    "features of a name": (
        "( (S (NP-SUJ##h=1## (NC a)) (V##lem=## b)))",
        "( (S (NP-SUJ (NC a)) (V b)))",
        {"features": 2},
    ),
    "id": ("( (IP-MAT (NP-SBJ (N a)) (VB b)) (ID 1_x;ja))", "(TOP (IP-MAT (NP-SBJ (N a)) (VB b)))", {"markup": 1}),
    "code": (
        "( (IP (CODE <P_1>) (NP-SBJ (N a) (CODE x)) (VB b)) (ID 1))",
        "( (IP (NP-SBJ (N a)) (VB b)))",
        {"markup": 3},
    ),
}
LABELS = {
    "labels in NFD": ("(S (Pr\u00e9d (N a) (V b)))", "(S (Pre\u0301d (N a) (V b)))", {}),
    "root": ("(ROOT (S (NP (N a)) (V b)))", "(root (S (NP (N a)) (V b)))", {}),
}
HUNT = conllu("Owls", "hunt")
FUNCTIONS = {
    "functions in NFD": ("(S (NP-Pr\u00e9d (N a) (B b)) (V c))", "(S (NP-Pre\u0301d (N a) (B b)) (V c))", {}),
    "functions in upper case": ("(S-ROOT (NP-sbj (N a)) (V b))", "(S-root (NP-sbj (N a)) (V b))", {"root_function": 1}),
    "function trees": ("(ROOT (sbj a) (hd b))", "(root (sbj a) (hd b))", {"root_function": 1}),
    "relations": (HUNT.replace("root", "ROOT"), HUNT, {"root": 1}),
    "relations in NFD": (HUNT.replace("obj", "o\u0301bj"), HUNT.replace("obj", "\u00f3bj"), {}),
}
TEDEVAL = tuple(f"tedeval_{golds}_{labels}" for golds in ("single", "multiple") for labels in ("labeled", "unlabeled"))
BRACKETING = ("f1", "f1_pos", "tagging", "ted", "la_exact")


@pytest.mark.parametrize("name", [*PHRASES, *LABELS, *FUNCTIONS])
@pytest.mark.parametrize("compare", [scored, across])
def test_what_a_treebank_adds_to_labels_and_words_is_equated_and_said(name: str, compare: Callable[..., Run]):
    if name in (FUNCTIONS if compare is scored else LABELS):
        return
    gold, test, counts = (PHRASES | LABELS | FUNCTIONS)[name]
    for sides in ((gold, test), (test, gold), (gold, gold)):
        run = compare(*sides)
        first = run.sentences("p").iloc[0]
        assert first["status"] == "ok"
        assert {first[metric] for metric in (BRACKETING if compare is scored else TEDEVAL)} == {1}
        assert run.problems().empty
        assert ("equated:" in run.signature) == bool(counts)
        files = run.meta["gold" if compare is scored else "golds"], run.meta["parsers"][0]
        entries = [entry[0] if isinstance(entry, list) else entry for entry in files]
        assert [entry.get("equated", {}) for entry in entries] == [counts if side is gold else {} for side in sides]
    if counts and compare is scored:  # as evalb reads them
        exact = scored(gold, test, format="ptb", preset="collins")
        assert "equated" not in exact.meta["gold"]
        assert "equated" not in exact.signature


def test_across_frameworks_what_was_equated_is_said_once_a_file():
    notes: list[str] = []
    gold = "".join(f"( (IP (CODE x) (NP-SBJ (N {word})) (VB b)) (ID 1))\n" for word in "Ac")
    golds = {"phrases": io.BytesIO(gold.encode()), "words": io.BytesIO((conllu("A", "b") + conllu("c", "b")).encode())}
    test = (conllu("a", "b") + conllu("C", "b")).replace("root", "ROOT")
    progress = Progress(note=notes.append)
    run = evaltools.crossframework(golds, {"p": ("words", io.BytesIO(test.encode()))}, progress=progress)
    said = [note for note in notes if "paired" not in note]
    assert said == [
        "gold phrases: 4 nodes (ID …) and (CODE …) are left out: they are no words",
        "p: 2 words differ from the gold words in upper and lower case only, and count as the same words",
        "p: 2 words have the relation ROOT, which counts as root",
    ]
    assert set(said) <= set(REPORTS["text"](run, Selection()).split("\n"))
    assert "equated:root+markup" in run.signature


def test_labels_that_are_equated_agree_with_those_of_options():
    """A label map and free labels name labels as files have them."""
    gold, test = conllu("a", "b").replace("root", "ROOT"), conllu("a", "b").replace("obj", "o\u0301")
    for options in ({"label_map": {"o\u0301": "obj"}}, {"free_labels": [("\u00f3", "obj")]}):
        figures = across(gold, test, **options).sentences("p").iloc[0]
        assert figures["tedeval2011_labeled"] == 1
    mapped = across(gold, test, label_map={"ROOT": "top"})
    assert "equated" not in mapped.meta["golds"][0]
    assert mapped.sentences("p").iloc[0]["tedeval_single_labeled"] < 1


@pytest.mark.parametrize("key", ["\u00f3", "o\u0301"])
@pytest.mark.parametrize("label", ["\u00f3", "o\u0301"])
def test_labels_are_replaced_in_whichever_form_of_unicode_they_are(key: str, label: str):
    rows, brackets = conllu("a", "b"), "(S ({}-sbj (A a) (B b)) (C c))"
    gold, phrases = rows.replace("obj", label), brackets.format(label)
    run = scored(gold, rows.replace("obj", "x"), label_map={key: "x"})
    assert run.sentences("p").iloc[0]["las"] == 1
    run = across(gold, rows.replace("obj", "x"), label_map={key: "x"})
    assert run.sentences("p").iloc[0]["tedeval_single_labeled"] == 1
    run = scored(phrases, brackets.format("x"), format="ptb", label_map={key: "x"})
    assert run.sentences("p").iloc[0]["f1_pos"] == 1


def test_single_trees_are_compared_as_corpora_are():
    words = [("(", "Yes"), ("-LRB-", "yes")]
    trees = [
        multi_function_tree(dependency_function_tree(side, (-1, 0), (root, "obj")))
        for side, root in zip(words, ("ROOT", "root"), strict=True)
    ]
    protocol = evaltools.tedeval_protocol(*trees[:1], trees[1:])
    assert (protocol.score, protocol.operations) == (1, ())
    assert protocol.generalization.pairs == trees[1].pairs
    assert tedeval2011_steps(trees[0], trees[1:]).score == 1


def test_converted_trees_keep_their_labels(tmp_path: Path):
    source, target = tmp_path / "a.conllu", tmp_path / "a.txt"
    source.write_text(conllu("Owls", "hunt").replace("root", "ROOT").replace("obj", "o\u0301bj"), "utf-8")
    evaltools.convert(source, target, to="functions")
    assert target.read_text("utf-8") == "(ROOT (hd Owls) (o\u0301bj hunt))\n"


def test_spacys_relation_of_the_root_is_that_of_universal_dependencies():
    gold = conllu("Owls", "hunt").replace("\troot\t_", "\troot\t0:root")
    test = gold.replace("root", "ROOT")
    run = scored(gold, test)
    pooled = run.summary().set_index("metric")["pooled"]
    assert pooled[["las", "ud_las", "mlas", "elas", "la_exact"]].tolist() == [1] * 5
    assert run.meta["parsers"][0]["equated"] == {"root": 1}
    assert "equated:root" in run.signature
    assert "p: 1 word has the relation ROOT, which counts as root" in REPORTS["text"](run, Selection())
    assert run.alignment(1, "p").scores["las"] == 1


@pytest.mark.parametrize(
    ("label", "gold_label", "test_label", "figure", "las"),
    [
        ("root", "root", "ROOT", "LAS", 0.5),
        ("obj", "o\u0301bj", "\u00f3bj", "LAS", 0.5),
        ("NOUN", "NO\u0301UN", "N\u00d3UN", "UPOS", 1),
    ],
)
def test_strict_conllu_compares_labels_as_the_official_program_does(
    label: str, gold_label: str, test_label: str, figure: str, las: float, tmp_path: Path
):
    sides = [conllu("Owls", "hunt").replace(label, other) for other in (gold_label, test_label)]
    files = [tmp_path / "gold.conllu", tmp_path / "test.conllu"]
    for file, side in zip(files, sides, strict=True):
        file.write_text(side, "utf-8")
    official = udeval.evaluate(*map(udeval.load_conllu_file, files))[figure].f1
    run = scored(*sides, strict_conllu=True)
    assert run.summary().set_index("metric").loc[figure.lower(), "pooled"] == official < 1
    alignment = run.alignment(1, "p")
    assert alignment.scores["las"] == las
    assert [str(status) for status in alignment.gold_status].count("right") == 2 * las
    equated = scored(*sides)
    assert equated.summary().set_index("metric").loc[figure.lower(), "pooled"] == 1
    assert equated.alignment(1, "p").scores["las"] == 1


def test_words_only_are_the_words_of_their_source(tmp_path: Path):
    text = conllu("Vu", "de", "le", "lac", ranges="2=2-3:du", sent_id="a")
    source, target = tmp_path / "a.conllu", tmp_path / "a.conllx"
    source.write_text(text.replace("1\tobj\t_\t_\n\n", "1\tobj\t_\t_\n4.1\tx\tx\tNOUN\t_\t_\t_\t_\t1:obl\t_\n\n"))
    evaltools.convert(source, target, to="conllx", words_only=True)
    for sides in ((source, target), (target, source)):
        run = evaltools.score(sides[0], {"p": sides[1]})
        pooled = run.summary().set_index("metric")["pooled_all"]
        assert {pooled[name] for name in ("ud_sentences", *WORDS)} | {pooled["las"]} == {1}
