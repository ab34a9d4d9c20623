"""DOT, LaTeX, text and JSON."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from xml.etree import ElementTree

import pytest
from hypothesis import given

from evaltools.corpus import Tree
from evaltools.drawing import draw
from evaltools.drawing.tikz import escape_latex
from evaltools.errors import ParameterError
from evaltools.frameworks.constituency.aligned_trees import Alignment, link_of
from tests.drawing.examples import (
    ATTACHMENT,
    CANNOT,
    DOG,
    HOSTILE,
    OTHER_WORDS,
    PAIRS,
    TELESCOPE,
    aligned,
    cannot,
    joined_pairs,
)

SVG = "{http://www.w3.org/2000/svg}"

DOG_TEXT = """\
gold                parse
S                   S
└─ < VP             ├─ ≠ AP
   ├─ ≠ NP          │  ├─ > PP
   │  ├─ ≠ D  the   │  │  └─ ≠ A  the
   │  └─ N  dog     │  └─ N  dog
   └─ V  barks      └─ V  barks
"""


def test_text_of_two_trees() -> None:
    alignment = aligned(DOG)
    text = draw(alignment, "text", mapping="t")
    assert text.startswith("T-mapping  nodes (brackets, tags and words): D 1  I 1  S 2  M 6\n")
    assert draw(alignment, "text", mapping="e").startswith("E-mapping  brackets: D 2  I 2  M 1\n")
    assert DOG_TEXT in text
    assert all(any(line.endswith(step.text) for line in text.splitlines()) for step in alignment.t.steps)
    assert "< only in gold   > only in parse   ≠ relabeled" in text
    assert "\x1b" not in text
    assert re.sub(r"\x1b\[[0-9;]*m", "", draw(alignment, "text", mapping="t", color=True)) == text
    wide = draw(aligned(tuple(tree.replace("barks", "b" * 60) for tree in DOG)), "text", mapping="t")
    assert max(map(len, wide.splitlines())) <= 100
    assert wide.index("\ngold\n") < wide.index("\nparse\n"), "one under the other"
    folded = draw(aligned(TELESCOPE), "text", mapping="t", fold=True)
    assert "NP △ the man" in folded
    assert "△ identical, folded" in folded
    assert not set(draw(aligned(HOSTILE), "text", mapping="t")) & {"\x01", "\x7f", "\u202e", "\x1b"}
    tree = Tree.from_string("[S [NP dogs ] bark ]", "sampson")
    assert draw(tree, "text") == "S\n├─ NP\n│  └─ dogs\n└─ bark"


@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_dot_is_accepted_by_graphviz(pair: tuple[str, str]) -> None:
    dot = shutil.which("dot")
    if dot is None:
        pytest.skip("no Graphviz here")
    for source in (draw(aligned(pair), "dot"), draw(Tree.from_string(pair[0]), "dot"), draw(cannot(), "dot")):
        done = subprocess.run([dot, "-Tsvg"], input=source.encode(), capture_output=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        assert b"rror" not in done.stderr


def test_dot_shows_labels_literally() -> None:
    source = draw(Tree.from_string(r'(S (\N "q\l") (&amp; <b>))'), "dot")
    assert r'label="\\N"' in source
    assert r'label="\"q\\l\""' in source
    assert 'label="&amp;amp;"' in source
    assert 'label="<b>"' in source


def test_latex_escapes_all_specials() -> None:
    assert escape_latex(r"\{}$&#%_^~") == (r"\textbackslash{}\{\}\$\&\#\%\_\textasciicircum{}\textasciitilde{}")
    tree = draw(Tree.from_string("(S ($ $) (-LRB- [a,b=c]))"), "latex")
    assert tree == "\\begin{forest}\n[{S} [{\\$} [{\\$}]] [{{-}LRB{-}} [{[a,b=c]}]]]\n\\end{forest}"


def test_latex_uses_the_colors_and_marks() -> None:
    source = draw(aligned(DOG), "latex", mapping="t")
    assert r"\definecolor{evalmissing}{HTML}{B85000}" in source
    assert "dashed" in source
    assert "double" in source
    assert "dotted" in source


def test_json_holds_statuses_and_partners() -> None:
    alignment = aligned(ATTACHMENT)
    data = json.loads(draw(alignment, "json", mapping="t"))
    assert [node["label"] for node in data["gold"]] == list(alignment.gold.labels)
    assert [node["partner"] for node in data["test"]] == list(alignment.t.test_partner)
    assert data["pairs"] == [list(pair) for pair in alignment.t.pairs]
    assert json.loads(draw(aligned(OTHER_WORDS), "json", mapping="e"))["status"] == "words_differ"


# ---------------------------------------------------------------------------------------------------- words that differ


@given(alignment=joined_pairs())
def test_every_language_draws_random_alignments(alignment: Alignment) -> None:
    for mapping in ("e", "t"):
        ElementTree.fromstring(draw(alignment, mapping=mapping, interactive=True))
        text = draw(alignment, "text", mapping=mapping)
        assert all(form in text for form in (*alignment.gold.words, *alignment.test.words))
        assert json.loads(draw(alignment, "json", mapping=mapping))["links"] == [
            {"gold": link.gold, "test": link.test, "how": link.how, "characters": link.characters}
            for link in alignment.links
        ]
        assert draw(alignment, "dot", mapping=mapping).count("constraint=false") >= len(alignment.links)
        draw(alignment, "latex", mapping=mapping)


def test_svg_draws_each_kind_of_line() -> None:
    root = ElementTree.fromstring(draw(cannot(), mapping="e", parse_name="p"))
    ties = [g for g in root.iter(f"{SVG}g") if g.get("class") == "tie" and g.get("data-gold")]
    assert [g.get("data-how") for g in ties] == ["folded", "characters", "characters", "exact", "exact"]
    assert [bool(g.findall(f"{SVG}circle")) for g in ties] == [False, True, True, False, False]
    titles = [g.find(f"{SVG}title").text for g in ties]
    assert titles[:3] == [
        "I – i: same except for case or escapes",
        "can – cannot: 3 characters in common",
        "not – cannot: 3 characters in common",
    ]
    labels = {g.get("aria-label") for g in root.iter(f"{SVG}g") if "word" in g.get("class", "").split()}
    assert "can · aligned with “cannot”: 3 characters in common" in labels
    assert "cannot · aligned with “can”: 3 characters in common · aligned with “not”: 3 characters in common" in labels
    assert "! · spurious: only in p" in labels
    texts = {text.text for text in root.iter(f"{SVG}text")}
    assert {"same word", "same except for case or escapes", "characters in common"} <= texts


def test_words_that_are_compared_are_chosen_together() -> None:
    root = ElementTree.fromstring(draw(cannot(), mapping="e", interactive=True))
    chosen: dict[str, list[str]] = {}
    for g in root.iter(f"{SVG}g"):
        if g.get("class") == "cell" and g.get("data-word") is not None:
            chosen.setdefault(g.get("data-word"), []).append(next(g.iter(f"{SVG}text")).text)
    assert chosen["1"] == ["can", "cannot"]
    assert chosen["2"] == ["not"]
    assert chosen["4"] == ["there"]


def test_text_marks_the_words_that_differ() -> None:
    text = draw(cannot(), "text", mapping="e")
    assert "< there" in text
    assert "> !" in text
    painted = draw(cannot(), "text", mapping="e", color=True)
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == text
    assert "\x1b[38;5;166m< there\x1b[0m" in painted


def test_dot_links_words() -> None:
    linked = [line for line in draw(cannot(), "dot", mapping="e").splitlines() if "#5b6470" in line and "->" in line]
    assert [re.search(r"style=(\w+)", line)[1] for line in linked] == ["dotted", "dashed", "dashed", "solid", "solid"]
    assert sum("label=3" in line for line in linked) == 2


def test_latex_draws_each_kind_of_line() -> None:
    source = draw(cannot(), "latex", mapping="e")
    ties = [line for line in source.splitlines() if line.startswith(r"\draw[draw=black!65")]
    assert sum(", dotted]" in line for line in ties) == 2, "one in the picture, one in the legend"
    assert sum("circle" in line for line in ties) == 3
    assert "characters in common" in source
    assert "circle" not in draw(aligned((CANNOT[0], CANNOT[0])), "latex", mapping="e")


def test_json_holds_links_and_words_as_read() -> None:
    data = json.loads(draw(cannot(), "json", mapping="e"))
    assert data["links"][1] == {"gold": 1, "test": 1, "how": "characters", "characters": 3}
    assert [word["form"] for word in data["test_words"]] == ["i", "cannot", "go", ".", "!"]
    assert [(word["test_position"], word["test_form"]) for word in data["words"][1:5]] == [
        (1, "cannot"),
        (1, "cannot"),
        (2, "go"),
        (None, None),
    ]
    assert data["words"][4]["test_lineage"] is None
    words = {node["label"]: node["status"] for node in data["gold"] if node["kind"] == "word"}
    assert words["there"] == "missing"
    assert words["can"] == "right"


def test_lineages_say_which_words_are_compared() -> None:
    alignment = cannot()
    texts = []
    for word in alignment.words:
        if word.test is not None:
            root = ElementTree.fromstring(draw(word, link=link_of(alignment, word)))
            texts.append("".join(text.text for text in root.iter(f"{SVG}text") if text.get("y") == "108.5"))
    assert [text.partition(":")[0] for text in texts] == [
        "I ↔ i except for case or escapes",
        "can ↔ cannot 3 characters",
        "not ↔ cannot 3 characters",
        "go",
        ".",
    ]
    with pytest.raises(ParameterError, match="no partner"):
        draw(alignment.words[4])
