"""Tree distance by the size of the trees, from 10 to 2,000 nodes, beside other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks import engine, generate, peers
from benchmarks.report import Row, ratio_row
from benchmarks.timing import Time, measure

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from benchmarks.generate import Node

NODES = (10, 20, 50, 100, 200, 500, 1_000, 2_000)
PAIRS = 6
#: A peer is left out once one of its pairs took so many seconds: the next size would take eight times as long or more.
PATIENCE = 2.0
#: From so many seconds a pair on, the next size is measured on one pair.
ONE_PAIR = 0.05
#: Nodes of a generated tree for each word, words and parts of speech among them.
_PER_WORD = 2.78


def trees_of_size(nodes: int, n: int, seed: int) -> list[Node]:
    """Return sentences whose trees have about so many nodes."""
    draw = generate.Draw(seed, nodes)
    words = generate.Words(draw)
    return [generate.grow("S", max(1, round(nodes / _PER_WORD)), draw, words) for _ in range(n)]


def size_rows(folder: Path, seed: int, repeats: int, sizes: Sequence[int] = NODES) -> Iterator[Row]:
    """Measure ours and each peer on pairs of ever larger trees: gold trees and answers with a parser's mistakes."""
    programs = {
        "  apted, with mapping": peers.apted_mapping,
        "  zss, distance only": peers.zss_distance,
        "  edist, with mapping": peers.edist_mapping,
    }
    slow: dict[str, str] = {}
    last = dict.fromkeys(programs, 0.0)  # seconds a pair of the size before
    for nodes in sizes:
        gold = trees_of_size(nodes, PAIRS, seed)
        draw = generate.Draw(seed, nodes, 1)
        tests = [generate.perturb(tree, generate.Errors(), draw) for tree in gold]
        pairs = list(zip(gold, tests, strict=True))
        mean = sum(map(peers.n_nodes, gold)) / PAIRS
        (compared,) = engine.prepare(*engine.read(generate.write(folder, gold, {"one": tests})), "none").values()
        ours = measure(lambda compared=compared: engine.tree_distance(compared), repeats)
        costs = engine.tree_distance(compared)
        yield Row(
            "T with mapping", f"{PAIRS} pairs, {mean:,.0f} nodes", ours, f"{1000 * ours.cpu / PAIRS:,.2f} ms a pair"
        )
        for name, program in programs.items():
            if name in slow:
                yield Row(name, slow[name], Time(0, 0), "–")
                continue
            chosen = pairs if last[name] < ONE_PAIR else pairs[:1]
            try:
                distances, time = program(chosen)
            except ImportError as error:
                slow[name] = f"not measured: {error.name} is not installed"
                yield Row(name, slow[name], Time(0, 0), "–")
                continue
            same = sum(one == two for one, two in zip(distances, costs[: len(chosen)], strict=True))
            last[name] = time.cpu / len(chosen)
            said = f"{len(chosen)} {'pair' if len(chosen) == 1 else 'pairs'}, {same} equal"
            yield ratio_row(name, said, time.times(PAIRS / len(chosen)), ours, None)
            if last[name] > PATIENCE:
                slow[name] = f"not measured: {last[name]:,.0f} s a pair of {mean:,.0f} nodes"
