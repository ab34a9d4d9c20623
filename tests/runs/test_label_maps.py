"""Options of scoring that change what counts: maps of labels, brackets of several words, trees with function nodes."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest

import evaltools
from evaltools import Run, load_preset
from evaltools.runs.verification import verify
from tests.commands import call

GOLD = """\
(S (NP-SBJ (PRP we)) (VP (V saw) (NP (D the) (N dog))) (. .))
(S (NP (PRP it)) (VP (V barks)) (. .))
"""
OTHER = """\
(CL (NX-SBJ (PRP we)) (VP (V saw) (NX (D the) (N dog))) ($. .))
(CL (NX (PRP it)) (VX (V barks)) ($. .))
"""
MAP = {"NX": "NP", "CL": "S", "$.": "."}
REALIZATIONAL = """\
(S ({sbj,prd} (sbj (NP ({hd} (hd (NN John))))) (prd (V loves)) (obj (NP ({hd} (hd (NN Mary)))))))
(S ({sbj,prd} (sbj (NP ({hd} (hd (PRP it))))) (prd (V rains))))
"""
PHRASES = "(S (NP (NN John)) (V loves) (NP (NN Mary)))\n(S (NP (PRP it)) (V rains))\n"


def write(folder: Path, **texts: str) -> dict[str, Path]:
    paths = {name: folder / name for name in texts}
    for name, text in texts.items():
        paths[name].write_text(text, "utf-8")
    return paths


def data(text: str) -> io.BytesIO:
    return io.BytesIO(text.encode())


def pooled(run: Run) -> dict[str, float]:
    return dict(zip(run.summary()["metric"], run.summary()["pooled"], strict=True))


def check_stored(run: Run) -> None:
    """Sentences scored one by one, from the trees in the run, have the figures of the table."""
    for parser in run.parsers:
        for number, row in enumerate(run.sentences(parser).to_dict("records"), start=1):
            scores = run.alignment(number, parser).scores
            assert {name: row[name] for name in scores if scores[name] is not None} == {
                name: pytest.approx(value) for name, value in scores.items() if value is not None
            }


# ---------------------------------------------------------------------------------------------------------- label maps


def test_a_map_of_labels_of_phrases_and_tags(tmp_path: Path):
    files = write(tmp_path, gold=GOLD, other=OTHER)
    plain = evaltools.score(files["gold"], {"p": files["other"]})
    assert pooled(plain)["f1"] < 0.5
    run = evaltools.score(files["gold"], {"p": files["other"]}, label_map=MAP, out=tmp_path / "run")
    figures = pooled(run)
    # VX for VP is the only difference that is left
    assert figures["f1"] == pytest.approx(6 / 7)
    assert figures["f1_unlabeled"] == 1
    assert figures["tagging"] == 1
    assert "label_map:" in run.signature
    assert "label_map:" not in plain.signature
    assert "NX by NP" in run.meta["preset_rules"]
    opened = Run(tmp_path / "run")
    assert opened.rules == replace(load_preset("standard"), label_map=MAP)
    check_stored(opened)
    assert opened.labels("p").set_index("label")["matched"].to_dict() == {"NP": 3, "S": 2, "VP": 1, "VX": 0}
    assert verify(opened).exit_status == 0


def conllu(*relations: str) -> str:
    lines = [
        f"{number}\t{form}\t_\t_\t_\t_\t{head}\t{relation}\t{head}:{relation}\t_"
        for number, (form, head, relation) in enumerate(zip(("we", "saw", "it"), (2, 0, 2), relations, strict=True), 1)
    ]
    return "\n".join(lines) + "\n\n"


@pytest.mark.parametrize("subtypes", [False, True])
def test_a_map_of_relations(tmp_path: Path, subtypes: bool):
    files = write(tmp_path, gold=conllu("nsubj:pass", "root", "obj"), other=conllu("SB:pass", "ROOT", "OA"))
    label_map = {"SB": "nsubj", "ROOT": "root", "OA": "obj:x", "obj": "obj:x"}
    run = evaltools.score(
        files["gold"], {"p": files["other"]}, label_map=label_map, subtypes=subtypes, out=tmp_path / "run"
    )
    figures = pooled(run)
    assert figures["las"] == figures["elas"] == figures["ud_las"] == 1
    without = pooled(evaltools.score(files["gold"], {"p": files["other"]}))
    assert without["las"] == pytest.approx(1 / 3)  # ROOT counts as root by default
    assert "label_map:" in run.signature
    opened = Run(tmp_path / "run")
    check_stored(opened)
    relations = {"nsubj:pass", "root", "obj:x"} if subtypes else {"nsubj", "root", "obj"}
    assert set(opened.labels("p")["label"]) == relations
    assert verify(opened).exit_status == 0
    printed = call("hotspots", tmp_path / "run", "p", "--format", "json")
    assert printed.returncode == 0
    assert "OA" not in printed.stdout


def test_a_map_is_a_file_of_the_command(tmp_path: Path):
    files = write(tmp_path, gold=GOLD, other=OTHER, map="# X to P\nNX NP\nCL\tS\n$. .\n", wrong="NX NP S\n")
    arguments = ("score", files["gold"], f"p={files['other']}", "-o", tmp_path / "run", "--label-map")
    assert call(*arguments, files["map"]).returncode == 0
    assert Run(tmp_path / "run").rules.label_map == MAP
    refused = call(*arguments, files["wrong"], "--force")
    assert refused.returncode == 2
    assert "wrong:1:1" in refused.stderr
    assert "two labels" in refused.stderr


# ------------------------------------------------------------------------------------------- brackets of several words


@pytest.mark.parametrize("way", ["file", "option"])
def test_a_parameter_file_sets_it(tmp_path: Path, way: str):
    lines = "DELETE_LABEL .\nLABELED 1\n" + ("MULTIWORD_ONLY 1\n" if way == "file" else "")
    # a bracket that is never closed has a row of its own in evalb's report
    gold = GOLD + "(S (NP (N we)) (VP (V go) (NP (N home)))\n"
    files = write(tmp_path, gold=gold, params=lines)
    run = evaltools.score(
        files["gold"],
        {"p": files["gold"]},
        preset=f"evalb:{files['params']}",
        multiword_only=way == "option",
        out=tmp_path / "run",
    )
    assert run.sentences("p")["e_gold_roof"].tolist()[:2] == [3, 1]
    assert "brackets:multiword" in run.signature
    assert Run(tmp_path / "run").rules.multiword_only
    assert verify(Run(tmp_path / "run")).exit_status == 0
    row = call("report", tmp_path / "run", "--format", "evalb").stdout.split("\n")[5].split()
    assert row[:3] == ["3", "3", "1"]
    assert row[5:8] == ["2", "2", "2"]  # the open S, and VP


# --------------------------------------------------------------------------------------- relational-realizational trees


def test_relational_realizational_trees_are_scored_as_phrases(tmp_path: Path):
    files = write(tmp_path, rr=REALIZATIONAL, ps=PHRASES)
    run = evaltools.score(files["ps"], {"rr": files["rr"], "ps": files["ps"]}, out=tmp_path / "run")
    figures = run.summary().pivot_table(index="metric", columns="parser", values="pooled")
    assert figures["rr"].to_dict() == figures["ps"].to_dict()
    assert figures.loc["f1_pos", "rr"] == 1
    assert "|rr:no_functions" in run.signature
    assert run.framework.runs.notes(run.meta) == [
        "rr: relational-realizational trees are compared without projections and function nodes"
    ]
    assert "without projections" in call("report", tmp_path / "run").stdout
    opened = Run(tmp_path / "run")
    check_stored(opened)
    assert str(opened.tree(1, "rr")) == "(S (NP (NN John)) (V loves) (NP (NN Mary)))"
    assert verify(opened).exit_status == 0
    both = evaltools.score(files["rr"], {"rr": files["rr"]}, preset="none")
    assert both.sentences("rr")["e_gold_roof"].tolist() == [3, 2]
    assert "rr:" not in evaltools.score(files["ps"], {"ps": files["ps"]}).signature
