"""Two tokenizations of one text as CoNLL-U at random, and what the official evaluation says of two files."""

from __future__ import annotations

import io
from collections.abc import Iterator
from random import Random

_RELATIONS = ("nsubj", "nsubj:pass", "obj", "det", "case", "case:loc", "aux", "conj", "punct", "dep", "x")
_FEATS = ("_", "Case=Nom", "Number=Sing|Case=Nom", "Case=Nom|Number=Sing|Style=Arch", "Typo=Yes", "Number=Plur")
_ENHANCED = ("nsubj", "nsubj:pass", "obl:in", "obl:on", "conj>obj", "ref")


def collapsed(text: str) -> str:
    """Return CoNLL-U whose enhanced dependencies have no empty nodes, one path after the other."""
    blocks = []
    for block in text.split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n")]
        empty = [row for row in rows if len(row) == 10 and "." in row[0]]
        above = {row[0]: [tuple(edge.split(":", 1)) for edge in row[8].split("|")] for row in empty}

        def ends(
            node: str, seen: tuple[str, ...], above: dict[str, list[tuple[str, ...]]] = above
        ) -> Iterator[tuple[str, str]]:
            for head, relation in above.get(node, ()):
                if "." not in head:
                    yield head, relation
                elif head not in seen:
                    yield from ((top, f"{path}>{relation}") for top, path in ends(head, (*seen, head)))

        lines = []
        for row in rows:
            if len(row) == 10 and "." in row[0]:
                continue
            if len(row) == 10 and "." in row[8]:
                edges = []
                for head, relation in (edge.split(":", 1) for edge in row[8].split("|")):
                    if "." not in head:
                        edges.append(f"{head}:{relation}")
                    else:
                        edges += [f"{top}:{path}>{relation}" for top, path in ends(head, (head,))]
                row[8] = "|".join(dict.fromkeys(edges)) or "_"
            lines.append("\t".join(row))
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def official(gold: str, system: str) -> dict[str, tuple[float, int, int, int | None]]:
    """Return right, gold, system and aligned units of each figure; raise what the program raises."""
    from udtools import udeval

    sides = [udeval.load_conllu(io.StringIO(collapsed(text)), "text", {}) for text in (gold, system)]
    scores = udeval.evaluate(*sides)
    return {
        name: (score.correct, score.gold_total, score.system_total, score.aligned_total)
        for name, score in scores.items()
    }


def _divided(random: Random, text: str, longest: int) -> list[str]:
    parts = []
    while text:
        size = min(random.randint(1, longest), len(text))
        parts.append(text[:size])
        text = text[size:]
    return parts


def _words(random: Random, token: str) -> list[str]:
    """Return the words of a multiword token, which need not be parts of it."""
    words = _divided(random, token, 2)
    return [random.choice("abAB") if random.random() < 0.3 else word for word in words]


def _sentence(random: Random, tokens: list[str], *, enhanced: bool) -> str:
    rows: list[tuple[str, str]] = []
    n = 0
    for token in tokens:
        words = [token]
        if random.random() < 0.3:
            words = _words(random, token)
            rows.append((f"{n + 1}-{n + len(words)}", token))
        for word in words:
            n += 1
            rows.append((str(n), word))
    order = random.sample(range(1, n + 1), n)
    heads = {word: random.choice([0] if not index else order[:index]) for index, word in enumerate(order)}
    lines = []
    for name, form in rows:
        if "-" in name:
            lines.append("\t".join((name, form, *["_"] * 8)))
            continue
        head = heads[int(name)]
        deps = "_"
        if enhanced and random.random() < 0.8:
            deps = "|".join(f"{random.randint(0, n)}:{random.choice(_ENHANCED)}" for _ in range(random.randint(1, 2)))
        columns = (form, random.choice("ab_"), random.choice("NV"), random.choice("xy"), random.choice(_FEATS))
        relation = random.choice(_RELATIONS) if head else "root"
        lines.append("\t".join((name, *columns, str(head), relation, deps, "_")))
    return "\n".join(lines) + "\n\n"


def tokenized(random: Random, text: str, *, enhanced: bool) -> str:
    """Divide a text into tokens, words and sentences at random, with trees and graphs."""
    tokens = _divided(random, text, 3)
    sentences = []
    while tokens:
        size = min(random.randint(1, 6), len(tokens))
        sentences.append(_sentence(random, tokens[:size], enhanced=enhanced))
        tokens = tokens[size:]
    return "".join(sentences)


def text_pair(random: Random) -> tuple[str, str]:
    """Return two tokenizations of one text; the second often has sentences and words of the first."""
    enhanced = random.random() < 0.5
    texts = ["".join(random.choice("ab") for _ in range(random.randint(1, 12))) for _ in range(random.randint(1, 5))]
    gold, system = [], []
    for text in texts:
        own = tokenized(random, text, enhanced=enhanced)
        gold.append(own)
        system.append(own if random.random() < 0.3 else tokenized(random, text, enhanced=enhanced))
    whole = "".join(texts)
    if random.random() < 0.3:
        system = [tokenized(random, whole, enhanced=enhanced)]
    return "".join(gold), "".join(system)
