"""Corpora that the laws are tried on: each is two lists of sentences in one notation, generated, bundled or real."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import evaltools
from evaltools.formats import read_semantics, write_mrp, write_penman
from tests.runs.dependency_files import conllu
from tests.slow.dependency_pairs import random_tree
from tests.slow.discontinuous import random_pair
from tests.slow.trees import perturbed, random_forest, text_of

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data"


@dataclass(frozen=True, slots=True)
class Corpus:
    """Gold sentences and a parser's, as texts in one notation.

    ``gold_ids`` are positions in the corpus; they become the sentences' ids where the notation has ids.
    """

    name: str
    kind: str
    format: str
    gold: tuple[str, ...]
    test: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.gold)

    def with_test(self, test: Sequence[str | None]) -> Corpus:
        """Return the same gold sentences with other parses; None is no parse."""
        return replace(self, test=tuple(missing(self.format, i) if one is None else one for i, one in enumerate(test)))

    def swapped(self) -> Corpus:
        return replace(self, gold=self.test, test=self.gold)

    def file(self, sentences: Sequence[str]) -> io.BytesIO:
        return io.BytesIO("".join(sentences).encode())

    def score(self, **options: object) -> evaltools.Run:
        """Score the parser, which is called ``p``."""
        gold, test = self.file(self.gold), self.file(self.test)
        if self.kind == "crossframework":
            return evaltools.crossframework({"a": gold}, {"p": ("a", test)}, **options)
        return evaltools.score(gold, {"p": test}, format=self.format, **options)

    def against_itself(self, **options: object) -> evaltools.Run:
        return replace(self, test=self.gold).score(**options)


def missing(format_name: str, index: int) -> str:
    """Return what a file has in place of a sentence without a parse."""
    return {
        "ptb": "(())\n",
        "discbracket": "(())\n",
        "mrp": json.dumps({"id": str(index), "nodes": []}) + "\n",
        "penman": f"# ::id {index}\n()\n\n",
    }.get(format_name, "")


def with_ids(blocks: Sequence[str]) -> tuple[str, ...]:
    """Give CoNLL-U sentences ids by position."""
    plain = ("\n".join(line for line in block.split("\n") if not line.startswith("# sent_id")) for block in blocks)
    return tuple(f"# sent_id = s{i}\n{block.strip()}\n\n" for i, block in enumerate(plain))


def lines(path: Path, n: int) -> tuple[str, ...]:
    with path.open(encoding="utf-8") as file:
        return tuple(line for _, line in zip(range(n), file, strict=False))


def blocks(path: Path, n: int) -> tuple[str, ...]:
    with path.open(encoding="utf-8") as file:
        text = file.read(4_000_000)
    return with_ids(text.strip("\n").split("\n\n")[:n])


def generated_trees(seed: int, n: int) -> Corpus:
    """Make constituency trees and parses, half of them changed gold trees."""
    random = Random(seed)
    gold, test = [], []
    for _ in range(n):
        words = [random.choice("abcd") for _ in range(random.randint(1, 8))]
        tree = random_forest(random, words, bare=False, forest=False)
        changed = perturbed(random, tree, random.randint(0, 4))
        gold.append(text_of(tree) + "\n")
        test.append(text_of(changed) + "\n")
    return Corpus(f"generated trees {seed}", "constituency", "ptb", tuple(gold), tuple(test))


def generated_discontinuous(seed: int, n: int) -> Corpus:
    """Make trees and parses over the same words, with discontinuous phrases or without."""
    random = Random(seed)
    pairs = [random_pair(random) for _ in range(n)]
    gold, test = (tuple(f"{tree.to_string('discbracket')}\n" for tree in side) for side in zip(*pairs, strict=True))
    return Corpus(f"generated discontinuous trees {seed}", "constituency", "discbracket", gold, test)


def generated_dependencies(seed: int, n: int) -> Corpus:
    random = Random(seed)
    sides: tuple[list[str], list[str]] = ([], [])
    for _ in range(n):
        forms = tuple(random.choice(("a", "b", ",", "Ünï")) for _ in range(random.randint(1, 8)))
        for side in sides:
            side.append(conllu(random_tree(random, forms)))
    return Corpus(f"generated dependencies {seed}", "dependency", "conllu", with_ids(sides[0]), with_ids(sides[1]))


def generated_amrs(seed: int, n: int) -> Corpus:
    """Make AMRs and parses of few concepts and roles, with re-entrancies, inverse roles and constants."""
    random = Random(seed)

    def amr(index: int) -> str:
        size = random.randint(1, 6)

        def branch(number: int) -> str:
            roles = "".join(
                f" :{role} {below}"
                for role, below in [
                    *(("polarity", "-") for _ in range(random.random() < 0.2)),
                    *((random.choice(("ARG0", "ARG1", "mod", "ARG0-of")), branch(i)) for i in below[number]),
                    *(("ARG1", f"v{random.randrange(size)}") for _ in range(random.random() < 0.2)),
                ]
            )
            return f"(v{number} / {random.choice(('a', 'a-01', 'a-02', 'b'))}{roles})"

        below: list[list[int]] = [[] for _ in range(size)]
        for number in range(1, size):
            below[random.randrange(number)].append(number)
        return f"# ::id {index}\n{branch(0)}\n\n"

    gold, test = (tuple(map(amr, range(n))) for _ in range(2))
    return Corpus(f"generated AMRs {seed}", "semantics", "penman", gold, test)


def amrs(path: Path, n: int) -> tuple[str, ...]:
    """Return the first AMRs of a file, with ids by position."""
    items = read_semantics(path).items[:n]
    return tuple(write_penman([replace(item, id=str(i))]) + "\n" for i, item in enumerate(items))


def graphs(path: Path, n: int) -> tuple[str, ...]:
    """Return the graphs of the first items of a file, as MRP with ids by position."""
    return tuple(write_mrp([replace(item, id=str(i))]) for i, item in enumerate(read_semantics(path).items[:n]))


def bundled() -> list[Corpus]:
    """Return parts of the sample, of every kind of data."""
    dependencies, semantics = SAMPLE / "dependencies", SAMPLE / "semantics"
    made = [
        Corpus(name, "constituency", "ptb", lines(SAMPLE / "gold.ptb", 60), lines(SAMPLE / "parsers" / name, 60))
        for name in ("pcfg-plain.ptb", "shift-reduce-running-text.ptb")
    ]
    made += [
        Corpus(
            f"{kind} {scheme}",
            kind,
            "conllu",
            blocks(dependencies / f"{scheme}.conllu", 60),
            blocks(dependencies / f"spanning-tree-{scheme}.conllu", 60),
        )
        for kind in ("dependency", "crossframework")
        for scheme in ("lexical", "functional")
    ]
    gold = graphs(semantics / "gold.eds", 40)
    for path in (semantics / "graph-parser.eds", semantics / "grammar.mrp"):
        test = graphs(path, 40)
        made.append(Corpus(path.name, "semantics", "mrp", gold[: len(test)], test[: len(gold)]))
    gold, test = (amrs(SAMPLE / "amr" / f"{name}.amr", 7) for name in ("gold", "parser"))
    made.append(Corpus("AMRs", "semantics", "penman", gold, test))
    return made


def real(folder: Path) -> list[Corpus]:
    """Return parts of real treebanks and parser outputs."""
    gum, deps = folder / "data" / "gum", folder / "data" / "gum" / "dep"
    made = [
        Corpus(path.stem, "constituency", "ptb", lines(gum / "gold.ptb", 200), lines(path, 200))
        for path in sorted((gum / "const").glob("*.ptb"))
    ]
    made += [
        Corpus(path.stem, kind, "conllu", blocks(gum / "gold.conllu", 150), blocks(path, 150))
        for path in sorted(deps.glob("*.conllu"))
        for kind in ("dependency", "crossframework")
    ]
    gold = amrs(folder / "data" / "amr" / "qald.gold.amr", 100)
    for path in sorted((folder / "data" / "amr").glob("qald.sim-*.amr")):
        made.append(Corpus(path.stem, "semantics", "penman", gold, amrs(path, 100)))
    return made
