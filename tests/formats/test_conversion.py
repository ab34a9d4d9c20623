"""Conversion between formats and to function trees."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from typer.testing import CliRunner

import evaltools
from evaltools import (
    FORMATS,
    InputError,
    ParameterError,
    Tree,
    Treebank,
    constituency_function_tree,
    convert,
    dependency_function_tree,
    labeled_function_tree,
    multi_function_tree,
    read_treebank,
    write_treebank,
)
from evaltools.cli import app
from evaltools.formats import SemanticBank
from evaltools.formats.conversion import suffixes, target_of, targets
from evaltools.formats.functions import function_brackets, multi_function_brackets
from tests.slow.dependencies import random_dependencies
from tests.slow.discontinuous import random_discontinuous
from tests.slow.trees import randoms

LOVES = "1\tJohn\t_\tN\t_\t_\t2\tsbj\t_\t_\n2\tloves\t_\tV\t_\t_\t0\troot\t_\t_\n3\tMary\t_\tN\t_\t_\t2\tobj\t_\t_\n\n"
PTB = "(S (NP (NN John)) (VP (V loves) (NP (NN Mary))))\n"


def converted(folder: Path, text: str, target: str, **options: object) -> str:
    (folder / "in").write_text(text, encoding="utf-8")
    problems = convert(folder / "in", folder / "out", to=target, **options)
    assert problems == []
    return (folder / "out").read_text("utf-8")


def test_the_figures_of_the_paper_of_2012(tmp_path: Path):
    tags = "(S-root (NP-sbj (NN-hd John)) (VP-prd (V-hd loves) (NP-obj (NN-hd Mary))))\n"
    john, mary = (f"(NP ({{hd}} (hd (NN {name}))))" for name in ("John", "Mary"))
    realizational = f"(S ({{sbj,prd,obj}} (sbj {john}) (prd (V loves)) (obj {mary})))"
    assert converted(tmp_path, LOVES, "functions") == "(root (sbj John) (hd loves) (obj Mary))\n"
    assert converted(tmp_path, LOVES, "functions", head_label="*") == "(root (sbj John) (* loves) (obj Mary))\n"
    assert converted(tmp_path, tags, "functions") == "(root (sbj (hd John)) (prd (hd loves) (obj (hd Mary))))\n"
    assert converted(tmp_path, realizational, "functions") == "(root (sbj (hd John)) (prd loves) (obj (hd Mary)))\n"
    assert converted(tmp_path, "(root (f2 (f1 w)))", "multifunctions") == "({f1,f2,root} w)\n"


def test_other_names_of_functions(tmp_path: Path):
    assert converted(tmp_path, LOVES, "functions", label_map={"sbj": "SB"}).startswith("(root (SB John)")


@given(randoms)
def test_function_trees_of_dependencies_are_read_again(random: Random):
    tree = random_dependencies(random, plain=True)
    functions = dependency_function_tree(tree.forms, tree.heads, tree.relations)
    brackets = function_brackets(functions)
    # brackets and blanks are escaped in words, so words are left aside
    again = labeled_function_tree(Tree.from_string(brackets.to_string("functions"), "functions"))
    assert again.nodes == functions.nodes
    multi = multi_function_tree(functions)
    text = multi_function_brackets(functions, multi.labels).to_string("functions")
    assert multi_function_tree(labeled_function_tree(Tree.from_string(text, "functions"))).labels == multi.labels


@given(randoms)
def test_function_trees_of_constituents_are_read_again(random: Random):
    tree, _ = random_discontinuous(random, functions=True)
    functions = constituency_function_tree(tree)
    again = labeled_function_tree(Tree.from_string(function_brackets(functions).to_string("functions"), "functions"))
    assert again.nodes == functions.nodes


def test_names_that_cannot_be_written(tmp_path: Path):
    with pytest.raises(ParameterError, match=r"a function cannot be called '\{x'"):
        converted(tmp_path, LOVES.replace("sbj", "{x"), "functions")
    with pytest.raises(ParameterError, match="a set of functions cannot hold 'a,b'"):
        converted(tmp_path, LOVES.replace("sbj", "a,b"), "multifunctions")


# ------------------------------------------------------------------------------------------------------ between formats


def test_constituency_formats_become_each_other(tmp_path: Path):
    trees = [Tree.from_string("(S (NP (N a) (N b)) (VP (V c)))"), None, Tree.from_string("(S (NP-SBJ (N d)))")]
    write_treebank(trees, tmp_path / "gold.ptb")
    original = (tmp_path / "gold.ptb").read_bytes()
    for name in ("export", "dbr", "mrg", "export.gz"):
        assert convert(tmp_path / "gold.ptb", tmp_path / f"gold.{name}") == []
        assert convert(tmp_path / f"gold.{name}", tmp_path / "again.ptb") == []
        assert (tmp_path / "again.ptb").read_bytes() == original
    assert convert(tmp_path / "gold.export", tmp_path / "gold.export") == []  # in its own place
    assert len(read_treebank(tmp_path / "gold.export")) == 3


def test_functions_apart_from_labels_become_parts_of_them(tmp_path: Path):
    (tmp_path / "in.export").write_text("#BOS 1\na\tN\t--\tHD\t500\nb\t--\t--\tX\t500\n#500\tS\t--\t--\t0\n#EOS 1\n")
    convert(tmp_path / "in.export", tmp_path / "out.ptb")
    assert (tmp_path / "out.ptb").read_text() == "(S (N-HD a) b)\n"


def test_conllu_and_conllx_become_each_other(tmp_path: Path):
    plain = LOVES.replace("\tN\t", "\tNOUN\t").replace("\tV\t", "\tVERB\t")
    (tmp_path / "a.conllu").write_text(f"# sent_id = 1\n{plain}")
    convert(tmp_path / "a.conllu", tmp_path / "b.conll")
    assert (tmp_path / "b.conll").read_text() == f"# sent_id = 1\n{plain}"
    convert(tmp_path / "b.conll", tmp_path / "c.conllu", format="conllx")
    assert (tmp_path / "c.conllu").read_text() == f"# sent_id = 1\n{plain}"
    rich = "# sent_id = 1\n1-2\tJohnloves" + "\t_" * 8 + "\n"
    (tmp_path / "a.conllu").write_text(rich + plain.replace("root\t_", "root\t0:root"))
    before = (tmp_path / "b.conll").read_bytes()
    with pytest.raises(ParameterError, match="sentence 1 has multiword tokens, empty nodes, DEPS or MISC, which"):
        convert(tmp_path / "a.conllu", tmp_path / "b.conll")
    assert (tmp_path / "b.conll").read_bytes() == before
    convert(tmp_path / "a.conllu", tmp_path / "b.conll", words_only=True)
    assert (tmp_path / "b.conll").read_text() == f"# sent_id = 1\n{plain}"


@pytest.mark.parametrize(
    ("text", "target", "message"),
    [
        (LOVES, "ptb", "holds dependency trees .CoNLL-X., which cannot become Penn Treebank brackets"),
        (PTB, "conllu", "holds constituency trees .Penn Treebank brackets., which cannot become CoNLL-U; every"),
        ("(root (hd a))", "export", "holds function trees .function trees., which cannot become NEGRA export"),
        ("(())\n(S (VP (V 0=a) (V 2=c)) (N 1=b))", "ptb", r"in:2: sentence 2: ptb cannot hold a discontinuous tree"),
        ("(S (NP) (N a))", "export", "sentence 1: NEGRA export cannot hold a bracket without words"),
        (PTB, "pdf", "unknown target 'pdf'; valid: .*, ptb"),
    ],
)
def test_what_cannot_become_another_is_refused_and_nothing_is_written(
    tmp_path: Path, text: str, target: str, message: str
):
    (tmp_path / "in").write_text(text)
    with pytest.raises(ParameterError, match=message):
        convert(tmp_path / "in", tmp_path / "out", to=target)
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_read_is_missing_and_listed(tmp_path: Path):
    (tmp_path / "in.conllu").write_text(LOVES + LOVES.replace("\t2\tobj", "\t3\tobj") + LOVES)
    (problem,) = convert(tmp_path / "in.conllu", tmp_path / "out.functions")
    assert (problem.kind, problem.sentence) == ("cycle", 2)
    loves = "(root (sbj John) (hd loves) (obj Mary))"
    assert (tmp_path / "out.functions").read_text() == f"{loves}\n(())\n{loves}\n"


FOREST = "#BOS 1\na\tN\t--\t--\t500\n.\t$.\t--\t--\t0\n#500\tNP\t--\t--\t0\n#EOS 1\n#BOS 2\nb\t--\t--\t--\t0\n#EOS 2\n"


@pytest.mark.parametrize(
    ("target", "lines"),
    [("ptb", ["(TOP (NP (N a)) ($. .))", "(TOP b)"]), ("discbracket", ["(TOP (NP (N 0=a)) ($. 1=.))", "(TOP 0=b)"])],
)
@pytest.mark.parametrize("source", ["export", "tigerxml"])
def test_roots_of_a_sentence_get_one_bracket(tmp_path: Path, source: str, target: str, lines: list[str]):
    (tmp_path / "in").write_text(FOREST)
    convert(tmp_path / "in", tmp_path / "source", to=source)
    assert convert(tmp_path / "source", tmp_path / "out", to=target) == []
    assert (tmp_path / "out").read_text().splitlines() == lines


ROWS = "{0}\tNN\t--\tSB\t500\nnaps\tVB\t--\tHD\t{1}\n#500\tS\t--\t--\t0\n"
TREES = [
    ("7", ROWS.format("Owl", 500)),
    ("9", ROWS.format("Bee", 777)),  # no phrase 777
    ("12", ROWS.format("Cat", 500)),
    ("wsj_3&4", ROWS.format("Dog", 500)),
]


def export(trees: Iterable[tuple[str, str]]) -> str:
    return "#FORMAT 3\n" + "".join(f"#BOS {name} 0 1 1 %% a comment\n{rows}#EOS {name}\n" for name, rows in trees)


@pytest.mark.parametrize("names", ["a.export", "a.tigerxml", "a.tigerxml b.export", "a.tigerxml b.tigerxml"])
def test_sentences_keep_their_ids(tmp_path: Path, names: str):
    source = tmp_path / "gold.export"
    source.write_text(export(TREES))
    n_problems = 1
    for name in names.split():
        assert len(convert(source, tmp_path / name)) == n_problems
        source, n_problems = tmp_path / name, 0
    treebank = read_treebank(source)
    assert treebank.sent_ids() == ["7", "9", "12", "wsj_3&4"]
    assert treebank.n_words.tolist() == [2, 0, 2, 2]
    tags = re.findall("<s id=.*?>|#[BE]OS.*", source.read_text())
    if source.suffix == ".export":
        assert tags == [f"#{mark} {name}" for name, _ in TREES for mark in ("BOS", "EOS")]
    else:
        assert tags == [f'<s id="{name}">' for name in ("s7", "s9", "s12", "wsj_3&amp;4")]
    (tmp_path / "gold.export").write_text(export(reversed(TREES)))
    run = evaltools.score(tmp_path / "gold.export", {"p": source})
    assert run.sentences("p")["status"].tolist() == ["ok", "ok", "missing", "ok"]
    assert run.summary().set_index("metric").loc["f1_pos", "pooled"] == 1


@pytest.mark.parametrize("target", ["discbracket", "ptb"])
def test_the_place_of_a_sentence_that_cannot_be_used_is_kept_in_brackets(tmp_path: Path, target: str):
    (tmp_path / "gold").write_text(export(TREES))
    for source in ("export", "tigerxml"):
        convert(tmp_path / "gold", tmp_path / "source", to=source)
        convert(tmp_path / "source", tmp_path / "out", to=target)
        first, second, *_ = (tmp_path / "out").read_text().split("\n")
        assert first.replace("0=", "").replace("1=", "") == "(S (NN-SB Owl) (VB-HD naps))"
        assert second == "(())"
        run = evaltools.score(tmp_path / "gold", {"p": tmp_path / "out"})
        assert run.sentences("p")["status"].tolist() == ["ok", "missing", "ok", "ok"]
        assert run.summary().set_index("metric").loc["f1", "pooled"] == 1


def test_trees_in_a_list_are_paired_by_their_places_whatever_their_ids():
    sentences = [export([("1", rows)]) for name, rows in TREES if name != "9"]
    trees = [read_treebank(io.BytesIO(text.encode())).tree(0) for text in sentences]
    run = evaltools.score(trees, {"p": sentences})
    assert run.problems().empty
    assert run.sentences("p")["status"].tolist() == ["ok"] * 3


def test_ids_that_the_other_format_cannot_hold(tmp_path: Path):
    (tmp_path / "in").write_text(TIGER.format("").replace('"s1"', '"a b"'))
    with pytest.raises(ParameterError, match="in:2: sentence 1: NEGRA export cannot hold 'a b': it has white space"):
        convert(tmp_path / "in", tmp_path / "out", to="export")


TIGER = '<corpus>\n<s id="s1"><graph><terminals><t id="1" word="a" pos="N"/></terminals></graph></s>\n{}</corpus>\n'


@pytest.mark.parametrize(
    ("text", "status", "found"),
    [
        (TIGER.format(""), 0, ""),
        (TIGER.format("")[:-10], 1, "<corpus> that is never closed"),
        (TIGER.format('<s id="s2"><graph>'), 1, "ends within its last sentence"),
        (FOREST[:-8], 1, "ends within its last sentence"),
        ("(S (N a))\n(S (N", 1, "ends within its last sentence"),
        ("(S (N a))\n(S (N\n(S (N b))\n", 0, "never closed"),
    ],
)
def test_a_truncated_file_is_converted_with_another_status(tmp_path: Path, text: str, status: int, found: str):
    (tmp_path / "in").write_text(text)
    done = CliRunner().invoke(app, ["convert", str(tmp_path / "in"), "-", "--to", "ptb"])
    assert done.exit_code == status
    assert found in done.stderr


@pytest.mark.parametrize("text", ["<corpus><body></body></corpus>", "#FORMAT 3\n", "#BOT ORIGIN\n#EOT ORIGIN\n"])
def test_a_file_without_sentences_is_not_converted(tmp_path: Path, text: str):
    (tmp_path / "in").write_text(text)
    with pytest.raises(InputError, match="in: no sentence; expected at least one sentence"):
        convert(tmp_path / "in", tmp_path / "out.ptb")
    assert not (tmp_path / "out.ptb").exists()


def test_suffixes():
    trees = {name for name, item in FORMATS.items() if item.holds is not SemanticBank}
    assert set(suffixes().values()) == set(targets()) == trees | {"multifunctions"}
    assert target_of("x.export.zst") == "export"
    with pytest.raises(ParameterError, match=r"'x\.txt' does not determine a target format; give --to"):
        target_of("x.txt")


@pytest.mark.slow
def test_real_treebanks_come_back(shared_data: Path, tmp_path: Path):
    folder = shared_data / "data" / "gum"
    if not folder.is_dir():
        pytest.skip(f"no folder gum in {shared_data / 'data'}")
    for name in ("gold.ptb", "gold-functions.ptb"):
        for form in ("export", "dbr"):
            assert convert(folder / name, tmp_path / f"a.{form}") == []
            assert convert(tmp_path / f"a.{form}", tmp_path / "b.ptb") == []
            assert (tmp_path / "b.ptb").read_bytes() == (folder / name).read_bytes()
    assert convert(folder / "gold.conllu", tmp_path / "a.functions") == []
    functions = read_treebank(tmp_path / "a.functions")
    assert isinstance(functions, Treebank)
    assert (functions.format, len(functions), functions.problems) == ("functions", 1194, [])
    assert sum(not functions.tree(i).is_continuous for i in range(1194)) == 59


# ----------------------------------------------------------------------------------------------------- the command line


def test_the_command(tmp_path: Path):
    run = CliRunner().invoke
    (tmp_path / "in").write_text(LOVES + LOVES.replace("\t2\tobj", "\tx\tobj"))
    (tmp_path / "map").write_text("sbj nsubj\n")
    arguments = ["convert", str(tmp_path / "in"), str(tmp_path / "out.functions"), "--label-map", str(tmp_path / "map")]
    done = run(app, arguments)
    assert done.exit_code == 0
    assert done.stderr == f"{tmp_path / 'in'}:7: head 'x'; expected a number from 0 to 3\n"
    assert (tmp_path / "out.functions").read_text() == "(root (nsubj John) (hd loves) (obj Mary))\n(())\n"
    assert run(app, [*arguments, "--strict"]).exit_code == 1
    printed = run(app, ["convert", str(tmp_path / "in"), "-", "--to", "conllu"])
    assert printed.stdout == f"{LOVES}# no parse\n\n"
    without = run(app, ["convert", str(tmp_path / "in"), "-"])
    assert isinstance(without.exception, ParameterError)
    named = [*arguments[:2], str(tmp_path / "out"), "--from", "conllx", "--to", "conllu"]
    assert run(app, named).exit_code == 0
    assert (tmp_path / "out").read_text() == f"{LOVES}# no parse\n\n"


@pytest.mark.parametrize("target", ["conllu", "conllx"])
def test_a_sentence_that_cannot_be_used_keeps_its_comments(tmp_path: Path, target: str):
    row = "1\tGo\t_\tX\t_\t_\t{}\troot\t_\t_\n\n"
    comments = "# newdoc id = d\n# sent_id = s1\n# text = Go\n"
    text = comments + row.format("_") + "# sent_id = s2\n" + row.format(0) + "# genre = news\n" + row.format(7)
    source = tmp_path / "gold.conllu"
    source.write_text(text)
    problems = convert(source, tmp_path / "new.conllu", to=target)
    assert [problem.sentence for problem in problems] == [1, 3]
    written = (tmp_path / "new.conllu").read_text()
    missing = "# genre = news\n# no parse\n\n"
    assert written == f"{comments}\n# sent_id = s2\n{row.format(0)}{missing}"
    again = read_treebank(tmp_path / "new.conllu")
    assert (again.sent_ids(), again.n_words.tolist()) == (["s1", "s2", None], [0, 1, 0])
    convert(source, tmp_path / "new.functions")
    assert (tmp_path / "new.functions").read_text() == "(())\n(root Go)\n(())\n"


def test_graphs_are_not_converted(tmp_path: Path):
    (tmp_path / "a.mrs").write_text("[ LTOP: h0 RELS: < [ _rain_v_1<3:8> LBL: h1 ARG0: e2 ] > ]\n")
    with pytest.raises(InputError, match=r"a\.mrs: semantic graphs \(SimpleMRS\); expected trees"):
        evaltools.convert(tmp_path / "a.mrs", tmp_path / "a.ptb")
    assert not (tmp_path / "a.ptb").exists()
