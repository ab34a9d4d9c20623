"""A small corpus whose second parser cuts the text into other words: long, hostile and right-to-left sentences too."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import evaltools

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data"
LONG = (30, 125, 287)
"""Sentences of the sample with 75, 34 and 41 words."""

OTHER = "<i>own</i> *words* $x$"
GOLD = (
    "(S (NP (PRP I)) (VP (MD can) (RB not) (VP (VB go) (ADVP (RB there)))) (. .))",
    "(S (<script> ($ $) (* **bold**)) (VP (-LRB- -LRB-) (:red[x] <script>alert[1]</script>)))",
    "(S (VP (VBD قرأ) (NP (NN الطالب)) (NP (NN كتابا))))",
    "(S (NP (DT The) (NN dog)) (VP (VBZ barks)))",
)
TEST = (
    "(S (NP (PRP i)) (VP (MD cannot) (VP (VB go))) (. .) (UH !))",
    "(S (<script> ($ $**bold**)) (VP (-LRB- -LSB-) (:red[x] <script>) (X alert[1]</script>)))",
    "(S (VP (VBD قرأ) (NP (NP (DT ال) (NN طالب)) (NN كتابا))))",
    "(S (NP (DT The) (NN dog)) (VP (VBZ barks)))",
)


def lines(name: str, numbers: Sequence[int] = LONG) -> list[str]:
    """Return trees of the sample by their numbers."""
    text = (SAMPLE / name).read_text(encoding="utf-8").splitlines()
    return [text[number - 1] for number in numbers]


def score_tokens(folder: Path, **options: str) -> evaltools.Run:
    """Score the corpus into ``folder/tokens.run``: sentences 5 to 7 are long; in sentence 4 the words are equal."""
    files = {
        "gold": [*GOLD, *lines("gold.ptb")],
        "same": [*GOLD, *lines("parsers/shift-reduce.ptb")],
        "other": [*TEST, *lines("parsers/shift-reduce-running-text.ptb")],
    }
    for name, trees in files.items():
        (folder / f"{name}.ptb").write_text("\n".join([*trees, ""]), encoding="utf-8")
    parsers = {"same": folder / "same.ptb", OTHER: folder / "other.ptb"}
    return evaltools.score(folder / "gold.ptb", parsers, out=folder / "tokens.run", force=True, **options)
