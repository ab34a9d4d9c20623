"""The semantic graphs of ``malformed/``: each file shows one kind of bad, or legal but unusual, input."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from .semantic_graphs import Graph, Node, eds, graph, mrp
from .semantic_notation import read_sentences

SENTENCES = """
The ferry left.
The      _the_q
ferry    _ferry_n_1
left     _leave_v_1 past *  ARG1=ferry

Ruth saw the pilot with the map.
Ruth     named f
saw      _see_v_1 past *  ARG1=Ruth ARG2=pilot
the      _the_q
pilot    _pilot_n_1
with     _with_p  ARG1=pilot ARG2=map
the      _the_q
map      _map_n_of

Is the café open?
the      _the_q
café     _café_n_1
open     _open_a_1 pres ques *  ARG1=café

It rained.
rained   _rain_v_1 past *

Hugo slept.
Hugo     named m
slept    _sleep_v_1 past *  ARG1=Hugo
"""
MRS = """SENT: It rained.
[ TOP: h0 INDEX: e2 [ e SF: prop TENSE: past MOOD: indicative PROG: - PERF: - ]
  RELS: < [ _rain_v_1<3:9> LBL: h1 ARG0: e2 ] >
  HCONS: < h0 qeq h1 > ]

SENT: Hugo slept.
[ TOP: h0 INDEX: e2 [ e SF: prop TENSE: past MOOD: indicative PROG: - PERF: - ]
  RELS: < [ proper_q<0:4> LBL: h4 ARG0: x3 [ x PERS: 3 NUM: sg GEND: m IND: + ] RSTR: h5 BODY: h6 ]
          [ named<0:4> LBL: h7 CARG: "Hugo" ARG0: x3 ]
          [ _sleep_v_1<5:10> LBL: h1 ARG0: e2 ARG1: x3 ] >
  HCONS: < h0 qeq h1 h5 qeq h7 > ]

SENT: It rained.
[ TOP: h0 INDEX: e2 [ e SF: prop TENSE: past MOOD: indicative PROG: - PERF: - ]
  RELS: < [ _rain_v_1<3:9> LBL: h1 ARG0: e2 ] >
  HCONS: < h0 qeq h1 > ]
"""
HOSTILE = ("<script>alert`1`</script>", "**bold** $x^2$", "\\textbf{x} 100% &amp;", '" onload="x', ":x[y]", "{} | # ~")


def _gold() -> list[Graph]:
    return [graph(sentence, {}) for sentence in read_sentences(SENTENCES)]


def _eds(graphs: Sequence[Graph]) -> str:
    return "".join(eds(number, made) for number, made in enumerate(graphs, 1))


def _mrp(graphs: Sequence[Graph]) -> str:
    return "".join(mrp(number, made) for number, made in enumerate(graphs, 1))


def _changed(old: str, new: str, write: Callable[[Sequence[Graph]], str] = _eds) -> bytes:
    """Return the gold graphs with one thing changed, where it stands first."""
    text = write(_gold())
    if old not in text:
        raise ValueError(f"the gold graphs hold no {old}")
    return text.replace(old, new, 1).encode()


def _hostile(turn: int) -> bytes:
    """Return a graph all of whose texts mean something to a browser, LaTeX, Markdown or DOT."""
    words = [HOSTILE[(place + turn) % len(HOSTILE)] for place in range(len(HOSTILE))]
    text = " ".join(HOSTILE)
    nodes, start = [], 0
    for place, word in enumerate(HOSTILE):
        properties = {words[place]: words[-1 - place]}
        nodes.append(Node(words[place], start, start + len(word), "e", properties, words[place - 1]))
        start += len(word) + 1
    for place, node in enumerate(nodes[:-1]):
        node.edges = [(words[place], place + 1)]
    return mrp(1, Graph(text, nodes, 0)).encode()


def _without_spans(made: Graph) -> str:
    """Return a graph's text, the nodes of the first two words without their spans."""
    text = eds(2, made)
    for span in ("<0:4>", "<5:8>"):
        text = text.replace(span, "")
    return text


def files() -> dict[str, bytes]:
    """Return the content of every file by its name."""
    gold = _gold()
    lines = _mrp(gold).splitlines(keepends=True)
    other = json.loads(lines[1])
    other["edges"][1]["target"] = 99
    return {
        "gold.eds": _eds(gold).encode(),
        "gold.mrp": _mrp(gold).encode(),
        "unclosed.eds": _changed("[ARG1 x3]\n}", "[ARG1 x3]\n"),
        "stray-text.eds": _changed("SENT: It rained.", "It rained."),
        "target-missing.eds": _changed("ARG2 x4", "ARG2 x44"),
        "node-twice.eds": _changed("x4:_pilot_n_1", "x3:_pilot_n_1"),
        "top-missing.eds": _changed("#4\n{e2:", "#4\n{e22:"),
        "without-top.eds": _changed("#4\n{e2:", "#4\n{"),
        "without-spans.eds": _eds(gold).replace(eds(2, gold[1]), _without_spans(gold[1])).encode(),
        "span-beyond.eds": _changed("_sleep_v_1<5:10>", "_sleep_v_1<5:100>"),
        "span-backwards.eds": _changed("_sleep_v_1<5:10>", "_sleep_v_1<10:5>"),
        "empty-graph.eds": _eds([*gold[:3], Graph(gold[3].text, [], 0), gold[4]]).encode(),
        "item-missing.eds": _eds(gold).replace(eds(4, gold[3]), "").encode(),
        "several-results.eds": _eds(gold).replace(eds(2, gold[1]), eds(2, gold[1]) * 3).encode(),
        "latin-1.eds": _eds(gold).encode("latin-1"),
        "crlf-bom.eds": b"\xef\xbb\xbf" + _eds(gold).replace("\n", "\r\n").encode(),
        "cut-off.eds": _eds(gold).encode()[:-60],
        "cut-off.mrp": _mrp(gold).encode()[:-60],
        "target-missing.mrp": "".join([lines[0], json.dumps(other, ensure_ascii=False) + "\n", *lines[2:]]).encode(),
        "not-an-object.mrp": "".join([*lines[:3], "[1, 2]\n", lines[4]]).encode(),
        "gold.mrs": MRS.encode(),
        "handle-missing.mrs": MRS.replace("h0 qeq h1 h5", "h0 qeq h8 h5").encode(),
        "variable-missing.mrs": MRS.replace("ARG0: e2 ARG1: x3", "ARG1: x3").encode(),
        "bracket-missing.mrs": MRS.replace("RSTR: h5 BODY: h6 ]", "RSTR: h5 BODY: h6").encode(),
        "hostile-gold.mrp": _hostile(0),
        "hostile-test.mrp": _hostile(1),
    }
