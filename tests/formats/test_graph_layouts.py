"""Where graphs begin and end in a file: broken ones are one item each, and harm no other."""

from __future__ import annotations

import io
import re

import pytest

from evaltools.formats import SemanticBank, read_semantics
from tests.formats.semantic_texts import PERSUADED

AMRS = (
    '(c / call-01\n   :ARG1 (t / they)\n   :time "24/7")',
    "(s / sleep-01\n   :ARG0 (b / boy\n      :mod (a / all))\n   :polarity -)",
    "(w / want-01\n   :ARG0 (p / person)\n   :ARG1 (g / go-02 :ARG0 p))",
    "(l / laugh-01)",
    "(m / man)",
)
_EDS = "{e2:\n _1:_the_q<0:3>[BV x3]\n x3:_dog_n_1<4:7>{x NUM sg}[]\n e2:_bark_v_1<8:14>{e TENSE pres}[ARG1 x3]\n}"
EDS = tuple(_EDS.replace("dog", name) for name in ("dog", "cat", "cow", "pig", "hen"))
_MRS = PERSUADED.replace('"He persuaded Kim to leave." ', "").strip()
MRS = tuple(_MRS.replace("Kim", name) for name in ("Kim", "Abrams", "Browne", "Devito", "Chiang"))
_DMRS = "dmrs {\n  [top=1]\n  1 [_rain_v_1<3:8> e TENSE=pres];\n  2 [_dog_n_1<0:2> x];\n  1:ARG1/NEQ -> 2;\n}"
DMRS = tuple(_DMRS.replace("dog", name) for name in ("dog", "cat", "cow", "pig", "hen"))


def on_one_line(graph: str) -> str:
    return re.sub(r"\s+", " ", graph)


def in_lines(graphs: tuple[str, ...]) -> str:
    return "".join(f"{on_one_line(graph)}\n" for graph in graphs)


def lines_apart(graphs: tuple[str, ...]) -> str:
    return "\n\n".join(map(on_one_line, graphs)) + "\n"


def in_blocks(graphs: tuple[str, ...]) -> str:
    return "\n\n".join(graphs) + "\n"


def without_blank_lines(graphs: tuple[str, ...]) -> str:
    return "\n".join(graphs) + "\n"


def with_ids(graphs: tuple[str, ...]) -> str:
    return "".join(f"# ::id a.{number}\n# ::snt S {number}.\n{graph}\n\n" for number, graph in enumerate(graphs))


def with_ids_and_lines(graphs: tuple[str, ...]) -> str:
    return with_ids(tuple(map(on_one_line, graphs)))


def with_names(graphs: tuple[str, ...]) -> str:
    return "".join(f"#{number}\n{graph}\n" for number, graph in enumerate(graphs))


def of_ace(graphs: tuple[str, ...]) -> str:
    lines = "SENT: Sentence {}: He persuaded Kim to leave.\n{} ; \nNOTE: 1 readings\n\n\n"
    return "".join(lines.format(number, on_one_line(graph)) for number, graph in enumerate(graphs))


BARE = (in_lines, lines_apart, in_blocks, without_blank_lines)
LAYOUTS = [
    *(("penman", AMRS, layout) for layout in (*BARE, with_ids, with_ids_and_lines)),
    *(("eds", EDS, layout) for layout in (*BARE, with_names)),
    *(("simplemrs", MRS, layout) for layout in (in_lines, lines_apart, in_blocks, of_ace)),
    *(("simpledmrs", DMRS, layout) for layout in BARE),
]
NAMES = [f"{name}-{layout.__name__}" for name, _, layout in LAYOUTS]


def read(text: str, name: str) -> SemanticBank:
    return read_semantics(io.BytesIO(text.encode()), name)


@pytest.mark.parametrize(("name", "graphs", "layout"), LAYOUTS, ids=NAMES)
def test_a_bracket_too_many_or_too_few_harms_no_other_item(name: str, graphs: tuple[str, ...], layout):
    good = read(layout(graphs), name)
    assert len(good.items) == len(graphs)
    assert not good.problems
    others = [item.graph for item in good.items]
    del others[1]
    for match in re.finditer(r"[][(){}]", graphs[1]):
        for replacement in ("", 2 * match[0]):
            broken = graphs[1][: match.start()] + replacement + graphs[1][match.end() :]
            bank = read(layout((graphs[0], broken, *graphs[2:])), name)
            assert [item.id for item in bank.items] == [item.id for item in good.items], broken
            graphs_read = [item.graph for item in bank.items]
            damaged = graphs_read.pop(1)
            assert graphs_read == others, broken
            assert bank.problems or damaged == good.items[1].graph, broken
