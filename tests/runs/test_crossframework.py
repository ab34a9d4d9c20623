"""Runs across frameworks: files of several formats in, figures and protocols out."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path

import pytest

import evaltools
from evaltools.errors import ParameterError
from tests.commands import call

# the same sentences with functions, without, and as dependencies
TAGGED = """\
(S-root (NP-sbj (NN John)) (VP-prd (V-hd loves) (NP-obj (NN Mary))))
(S-root (NP-sbj (PRP It)) (VP-prd (V-hd rains)))
"""
BARE = "(S (NP (NN John)) (VP (V loves) (NP (NN Mary))))\n(S (NP (PRP It)) (VP (V rains)))\n"


def conllu(*sentences: tuple[tuple[str, int, str], ...]) -> str:
    blocks = []
    for rows in sentences:
        lines = [
            f"{number}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t_\t_"
            for number, (form, head, relation) in enumerate(rows, start=1)
        ]
        blocks.append("\n".join(lines) + "\n\n")
    return "".join(blocks)


LOVES = (("John", 2, "sbj"), ("loves", 0, "root"), ("Mary", 2, "obj"))
RAINS = (("It", 2, "sbj"), ("rains", 0, "root"))
WRONG = (("John", 2, "sbj"), ("loves", 0, "root"), ("Mary", 1, "nmod"))
JOINED = (("Johnloves", 0, "root"), ("Mary", 1, "obj"))


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    texts = {
        "tagged": TAGGED,
        "bare": BARE,
        "deps": conllu(LOVES, RAINS),
        "wrong": conllu(WRONG, RAINS),
        "joined": conllu(JOINED, RAINS),
        "short": conllu(LOVES),
        "other": conllu(LOVES, (("He", 2, "sbj"), ("rains", 0, "root"))),
    }
    paths = {}
    for name, text in texts.items():
        paths[name] = tmp_path / f"{name}.txt"
        paths[name].write_text(text, encoding="utf-8")
    return paths


def pooled(run: evaltools.Run) -> dict[tuple[str, str], float]:
    return {(row["parser"], row["metric"]): row["pooled"] for row in run.summary().to_dict("records")}


def test_a_perfect_parse_of_any_theory_scores_1_against_what_the_golds_share(files: dict[str, Path]):
    run = evaltools.crossframework(
        {"PS": files["tagged"], "DEP": files["deps"]},
        {"ps": ("PS", files["tagged"]), "dep": ("DEP", files["deps"]), "wrong": ("DEP", files["wrong"])},
    )
    figures = pooled(run)
    for labels in ("labeled", "unlabeled"):
        for parser in ("ps", "dep"):
            assert figures[parser, f"tedeval_single_{labels}"] == 1
            assert figures[parser, f"tedeval_multiple_{labels}"] == 1
        assert figures["wrong", f"tedeval_multiple_{labels}"] < 1
    assert run.kind == "crossframework"
    assert run.theories == ["PS", "DEP"]
    # of the 7 nodes of the one and 6 of the other, VP alone is not in both
    assert run.meta["overlap"]["PS+DEP"]["unlabeled"] == pytest.approx(1 - 1 / 15)
    assert evaltools.verify(run).equal


def test_the_protocol_of_a_sentence_has_the_score_of_the_run(files: dict[str, Path]):
    run = evaltools.crossframework(
        {"PS": files["tagged"], "DEP": files["deps"]}, {"wrong": ("DEP", files["wrong"]), "ps": ("PS", files["tagged"])}
    )
    for parser in run.parsers:
        rows = run.sentences(parser).set_index("sentence")
        for sentence in (1, 2):
            for multiple in (False, True):
                for labeled in (False, True):
                    protocol = run.protocol(sentence, parser, multiple=multiple, labeled=labeled)
                    metric = f"tedeval_{'multiple' if multiple else 'single'}_{'' if labeled else 'un'}labeled"
                    assert protocol.score == pytest.approx(rows.loc[sentence, metric])
    assert [len(one.golds) for one in (run.protocol(1, "ps"), run.protocol(1, "ps", multiple=False))] == [2, 1]
    with pytest.raises(ParameterError, match="no sentence 3"):
        run.protocol(3, "ps")
    assert run.alignment(1, "ps").parser == "ps"


def test_trees_without_functions_have_no_labeled_figures_and_it_is_said(files: dict[str, Path]):
    run = evaltools.crossframework({"PS": files["bare"], "DEP": files["deps"]}, {"bare": ("PS", files["bare"])})
    figures = pooled(run)
    assert figures["bare", "tedeval_multiple_unlabeled"] == 1
    assert math.isnan(figures["bare", "tedeval_multiple_labeled"])
    assert run.problems()["kind"].tolist() == ["no_functions"]
    assert not run.meta["parsers"][0]["labeled"]


@pytest.mark.parametrize("size", [1, 2, 3, 9])
@pytest.mark.parametrize("labeled", [2, 3, 4, None])
def test_the_whole_file_decides_whether_a_parser_has_functions(
    size: int, labeled: int | None, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("evaltools.runs.scoring._SENTENCES_PER_CHUNK", size)
    monkeypatch.setattr("evaltools.frameworks.crossframework.inputs._SENTENCES_AHEAD", size)
    gold = ["(S (NP-SBJ (N a)) (VP (V b)))", "(FRAG (N c))", "(S (NP-SBJ (N d)) (V e))", "(S (NP-TMP (N f)) (V g))"]
    bare = [tree.replace("-SBJ", "").replace("-TMP", "") for tree in gold]
    parse = [tree if number == labeled else bare[number - 1] for number, tree in enumerate(gold, start=1)]
    if labeled == 2:
        parse[1] = "(FRAG (NP-SBJ (N c)))"
    files = {name: io.BytesIO("\n".join(trees).encode()) for name, trees in (("gold", gold), ("parse", parse))}
    run = evaltools.crossframework({"PS": files["gold"]}, {"p": ("PS", files["parse"])})
    scores = run.sentences()["tedeval_single_labeled"].tolist()
    expected = {
        2: [0, 0, 0, 0],
        3: [0, 1, 1, 0],
        4: [0, 1, 0, 1],
        None: [math.nan] * 4,
    }
    assert scores == pytest.approx(expected[labeled], nan_ok=True)
    assert run.problems()["kind"].tolist() == (["no_functions"] if labeled is None else [])


def test_a_gold_without_functions_takes_those_of_another(files: dict[str, Path]):
    # Figure 4 of Tsarfaty, Nivre and Andersson (2012)
    golds = {"PS": files["bare"], "DEP": files["deps"]}
    run = evaltools.crossframework(golds, {"dep": ("DEP", files["deps"])}, tl_unify=[("PS", "DEP")])
    gold = run.protocol(1, "dep").golds[0]
    assert str(gold) == "{root}[{sbj} John, ∅[{hd} loves, {obj} Mary]]"
    assert "tl_unify:PS+DEP" in run.signature


def test_a_bare_parse_gets_the_labels_of_the_same_parse_as_dependencies(files: dict[str, Path], tmp_path: Path):
    golds = {"PS": files["bare"], "DEP": files["deps"]}
    parsers = {"ps": ("PS", files["bare"]), "dep": ("DEP", files["deps"]), "wrong": ("DEP", files["wrong"])}
    pairs = [("PS", "DEP"), ("ps", "dep")]
    bare = pooled(evaltools.crossframework(golds, parsers, tl_unify=pairs[:1]))
    assert math.isnan(bare["ps", "tedeval_single_labeled"])
    run = evaltools.crossframework(golds, parsers, tl_unify=pairs, out=tmp_path / "run")
    figures = pooled(run)
    assert figures["ps", "tedeval_single_labeled"] == figures["ps", "tedeval_multiple_labeled"] == 1
    assert figures["wrong", "tedeval_multiple_labeled"] == bare["wrong", "tedeval_multiple_labeled"] < 1
    assert "|tl_unify:PS+DEP|tl_unify:ps+dep|" in run.signature
    # Figure 4 of Tsarfaty et al. 2012, for a parse
    assert str(run.protocol(1, "ps").parse) == "{root}[{sbj} John, ∅[{hd} loves, {obj} Mary]]"
    assert evaltools.verify(run).exit_status == 0
    # labels of a worse parse make the parse worse
    worse = pooled(evaltools.crossframework(golds, parsers, tl_unify=[("PS", "DEP"), ("ps", "wrong")]))
    assert worse["ps", "tedeval_single_labeled"] < 1
    assert worse["ps", "tedeval_single_unlabeled"] == 1
    # of a name that is a theory and a parser the theory is meant
    same = evaltools.crossframework(
        golds, {"PS": ("PS", files["bare"]), "DEP": ("DEP", files["deps"])}, tl_unify=[("PS", "DEP")]
    )
    assert math.isnan(pooled(same)["PS", "tedeval_single_labeled"])
    assert evaltools.verify(run).equal


def test_labels_are_mapped_in_all_trees(files: dict[str, Path]):
    golds = {"PS": files["tagged"], "DEP": files["deps"]}
    plain = evaltools.crossframework(golds, {"dep": ("DEP", files["deps"])})
    mapped = evaltools.crossframework(golds, {"dep": ("DEP", files["deps"])}, label_map={"prd": "hd"})
    assert mapped.signature != plain.signature
    assert "label_map:" in mapped.signature
    assert "prd" not in str(mapped.protocol(1, "dep").golds[0])


def test_labels_may_agree_in_the_measure_of_2011(files: dict[str, Path], tmp_path: Path):
    renamed = tmp_path / "renamed.conllu"
    renamed.write_text(files["deps"].read_text().replace("obj", "dobj"), encoding="utf-8")
    golds, parsers = {"DEP": files["deps"]}, {"renamed": ("DEP", renamed)}
    plain = evaltools.crossframework(golds, parsers)
    free = evaltools.crossframework(golds, parsers, free_labels=[("dobj", "obj")])
    assert pooled(plain)["renamed", "tedeval2011_labeled"] < 1
    assert pooled(free)["renamed", "tedeval2011_labeled"] == 1
    assert "free_labels:" in free.signature
    assert evaltools.verify(free).equal


def test_words_need_not_be_the_same_if_the_characters_are(files: dict[str, Path]):
    parsers = {"joined": ("DEP", files["joined"]), "other": ("DEP", files["other"]), "short": ("DEP", files["short"])}
    run = evaltools.crossframework({"DEP": files["deps"]}, parsers)
    entries = {one["name"]: one for one in run.meta["parsers"]}
    coverage = {name: (one["scored"], one["words_differ"], one["words_aligned"]) for name, one in entries.items()}
    assert coverage == {"joined": (2, 1, 1), "other": (1, 1, 0), "short": (1, 0, 0)}
    assert entries["short"]["missing"] == 1
    scores = run.sentences("joined")["tedeval_single_unlabeled"].tolist()
    assert 0 < scores[0] < 1 == scores[1]
    kinds = {(row["parser"], row["kind"]) for row in run.problems().to_dict("records")}
    assert {("other", "words_differ"), ("short", "too_few")} <= kinds
    assert run.protocol(1, "joined").in_characters
    with pytest.raises(ParameterError, match="no parse"):
        run.protocol(2, "short")


@pytest.mark.parametrize(
    ("golds", "parsers", "more", "said"),
    [
        ({}, {"a": ("DEP", "deps")}, {}, "no gold treebank"),
        ({"DEP": "deps"}, {}, {}, "no parser"),
        ({"DEP": "deps"}, {"a": ("PS", "deps")}, {}, "unknown theory 'PS'"),
        ({"DEP": "deps"}, {"a": ("DEP", "deps")}, {"tl_unify": [("DEP", "PS")]}, "unknown theory or parser 'PS'"),
        ({"DEP": "deps"}, {"a": ("DEP", "deps")}, {"tl_unify": [("DEP", "a")]}, "two theories or two parsers"),
        ({"DEP": "deps"}, {"a": ("DEP", "deps")}, {"tl_unify": [("a", "a")]}, "a cannot be unified with itself"),
        ({"DEP": "deps"}, {"a": ("DEP", "deps")}, {"tl_unify": [("DEP", "DEP")]}, "with itself"),
    ],
)
def test_what_makes_no_sense_is_said(files, golds, parsers, more, said):
    with pytest.raises(ParameterError, match=said):
        evaltools.crossframework(
            {name: files[one] for name, one in golds.items()},
            {name: (theory, files[one]) for name, (theory, one) in parsers.items()},
            **more,
        )


@pytest.mark.slow
def test_the_command_writes_a_run_that_report_and_verify_know(files: dict[str, Path], tmp_path: Path):
    out = tmp_path / "cf.run"
    result = call(
        *("crossframework", "--gold", f"PS={files['tagged']}", "--gold", f"DEP={files['deps']}"),
        *("--parser", f"ps:PS={files['tagged']}", "--parser", f"wrong:DEP={files['wrong']}", "-o", out),
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("Parsers against gold treebanks")
    found = json.loads(call("report", out, "--format", "json", "--all").stdout)
    assert {name: one["theory"] for name, one in found["parsers"].items()} == {"ps": "PS", "wrong": "DEP"}
    assert found["parsers"]["ps"]["metrics"]["tedeval_multiple_labeled"]["pooled"] == 1
    assert set(found["overlap"]) == {"PS+DEP"}
    assert set(found["overlap"]["PS+DEP"]) == {"labeled", "unlabeled"}
    text = call("report", out, "--all").stdout
    assert "Overlap of the theories" in text
    assert call("report", out, "--all", "--format", "csv").stdout.startswith("parser,metric,pooled")
    assert call("verify", out).returncode == 0
    arguments = ("draw", out, "--sentence", 1, "--parser", "wrong", "--as")
    drawn = {form: call(*arguments, form) for form in ("text", "json", "svg")}
    assert "> delete nmod over “Mary”" in drawn["text"].stdout
    protocol = evaltools.Run(out).protocol(1, "wrong")
    operations = [line for line in drawn["text"].stdout.splitlines() if line.startswith(("> ", "< "))]
    assert len(operations) == len(protocol.operations)
    assert f"1 − {protocol.delta} / (" in drawn["text"].stdout
    assert drawn["text"].stdout.rstrip().endswith(f") = {100 * protocol.score:.2f} %")
    assert drawn["json"].returncode == 2  # JSON is written of marked sentences and of trees only
    assert "unknown drawing of such a sentence 'json'" in drawn["json"].stderr
    assert drawn["svg"].stdout.startswith("<svg")
    compared = json.loads(call("compare", out, "ps", "wrong", "--format", "json", "--iterations", 9).stdout)
    assert compared["metric"] == "tedeval_multiple_unlabeled"
    assert call(*arguments, "dot").stdout.startswith("digraph")
    unknown = call("draw", out, "--sentence", 1, "--parser", "x")
    assert (unknown.returncode, "unknown parser 'x'" in unknown.stderr) == (2, True), unknown.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--gold", "x", "--parser", "a:b=c"), "a gold treebank is given as THEORY=FILE, not 'x'"),
        (("--gold", "b=c", "--parser", "a=c"), "a parser is given as NAME:THEORY=FILE"),
        (("--gold", "b=c", "--gold", "b=c", "--parser", "a:b=c"), "two gold treebanks are named 'b'"),
        (("--gold", "b=c", "--parser", "a:b=c", "--tl-unify", "b"), "given as A:B"),
        (("--gold", "b=-", "--parser", "a:b=-"), "only one input can be standard input"),
        (("--gold", "b=none.ptb", "--parser", "a:b=none.ptb"), "none.ptb"),
    ],
)
def test_the_command_says_in_one_line_what_is_wrong(arguments: tuple[str, ...], said: str, tmp_path: Path):
    result = call("crossframework", *arguments, "-o", tmp_path / "r")
    assert result.returncode == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert not (tmp_path / "r").exists()


GUM = {
    "span-bilstm": (0.9412, 0.9546),
    "seqlab-bilstm": (0.9057, 0.9343),
    "spacy-cnn": (0.9241, 0.9394),
    "udpipe-swap": (0.9244, 0.9398),
}


@pytest.mark.slow
def test_real_parsers_of_two_frameworks(shared_data: Path):
    gum = shared_data / "data" / "gum"
    parsers = {
        name: ("UD", gum / "dep" / f"{name}.conllu") if "bilstm" not in name else ("PTB", gum / "const" / f"{name}.ptb")
        for name in GUM
    }
    run = evaltools.crossframework({"PTB": gum / "gold-functions.ptb", "UD": gum / "gold.conllu"}, parsers)
    figures = pooled(run)
    for name, (single, multiple) in GUM.items():
        assert figures[name, "tedeval_single_unlabeled"] == pytest.approx(single, abs=5e-5)
        assert figures[name, "tedeval_multiple_unlabeled"] == pytest.approx(multiple, abs=5e-5)
    assert run.meta["overlap"]["PTB+UD"]["unlabeled"] == pytest.approx(0.8319, abs=5e-5)
    assert all(one["scored"] == 1194 and one["words_differ"] == 0 for one in run.meta["parsers"])
