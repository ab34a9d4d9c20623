"""A tiny corpus of semantic graphs with everything in it that pages stumble over."""

from __future__ import annotations

from pathlib import Path

import evaltools
from evaltools.corpus import SemanticEdge, SemanticGraph, SemanticNode
from evaltools.formats import SemanticItem, write_mrp
from tests.pages.tiny import HOSTILE_PARSER

__all__ = ["GOLD", "HOSTILE_PARSER", "LISTS", "WORSE", "score_graphs", "write_graphs"]

_HOSTILE_WORDS = ("<script>alert[1]</script>", "**bold**", "$x$", ":red[x]")


def graph(words: tuple[str, ...], predicates: tuple[str, ...], arcs: str, tense: str = "pres") -> SemanticGraph:
    """Make a graph with a predicate a word and arcs such as ``"1 ARG1 0, 2 BV 3"``; the first head has a tense."""
    starts = [len(" ".join(words[:place])) + bool(place) for place in range(len(words))]
    edges = tuple(
        SemanticEdge(int(source), role, int(target))
        for source, role, target in map(str.split, filter(None, arcs.split(", ")))
    )
    top = edges[0].source if edges else 0
    nodes = tuple(
        SemanticNode(
            f"n{place}",
            predicate,
            ((start, start + len(word)),),
            (("TENSE", tense),) if place == top else (("NUM", "sg"),),
            is_quantifier=predicate.endswith("_q"),
        )
        for place, (word, predicate, start) in enumerate(zip(words, predicates, starts, strict=True))
    )
    return SemanticGraph(nodes, edges, (top,), " ".join(words), "eds")


_DOG = ("The", "dog", "barks")
_SAW = ("She", "saw", "him")
_MEN = ("Most", "men", "saw", "her")
_LONG = tuple(f"word{place}" for place in range(40))
_LONG_ARCS = ", ".join(f"{place} ARG1 {place + 1}" for place in range(39))

GOLD = (
    graph(_DOG, ("_the_q", "_dog_n_1", "_bark_v_1"), "2 ARG1 1, 0 BV 1"),
    graph(_HOSTILE_WORDS, ("<b>p</b>", "*q*", "$r$", ":red[s]"), "1 <i>A</i> 0, 1 $B$ 2, 3 *C* 1"),
    graph(_SAW, ("pron", "_see_v_1", "pron"), "1 ARG1 0, 1 ARG2 2", "past"),
    None,
    graph(_LONG, tuple(f"_{word}_n_1" for word in _LONG), _LONG_ARCS),
    graph(_MEN, ("_most_q", "_man_n_1", "_see_v_1", "pron"), "2 ARG1 1, 2 ARG2 3, 0 BV 1", "past"),
)
WORSE = (
    graph(_DOG, ("_the_q", "_dog_n_1", "_bark_n_1"), "0 BV 1", "past"),
    graph(_HOSTILE_WORDS, ("<b>p</b>", "*x*", "$r$", ":red[s]"), "1 <i>A</i> 0, 1 $B$ 3"),
    None,
    graph(("Go",), ("_go_v_1",), ""),
    graph(_LONG, tuple(f"_{word}_{'v' if word == 'word7' else 'n'}_1" for word in _LONG), _LONG_ARCS),
    graph(_MEN, ("_most_q", "_man_n_1", "_saw_v_1", "pron"), "2 ARG1 3, 2 ARG2 1, 0 BV 1"),
)
LISTS = tuple(
    (worse, gold, worse) if place != 2 else (gold,) for place, (gold, worse) in enumerate(zip(GOLD, WORSE, strict=True))
)


def write_graphs(folder: Path) -> dict[str, Path]:
    """Write the corpus; return its files: ``gold``, ``better``, ``worse``, ``lists``."""
    results = {
        "gold": [(one,) for one in GOLD],
        "better": [(one or WORSE[3],) for one in GOLD],
        "worse": [(one,) for one in WORSE],
        "lists": LISTS,
    }
    files = {name: folder / f"{name}.mrp" for name in results}
    for name, path in files.items():
        items = [
            SemanticItem(
                f"s{place}", 0, next((one.text for one in graphs if one is not None), ""), tuple(filter(None, graphs))
            )
            for place, graphs in enumerate(results[name], 1)
        ]
        path.write_text(write_mrp(items), encoding="utf-8")
    return files


def score_graphs(folder: Path) -> evaltools.Run:
    """Score the corpus into ``folder/graphs.run``; one parser has a hostile name, ``lists`` several analyses."""
    files = write_graphs(folder)
    parsers = {"better": files["better"], HOSTILE_PARSER: files["worse"], "lists": files["lists"]}
    return evaltools.score(files["gold"], parsers, out=folder / "graphs.run", force=True)
