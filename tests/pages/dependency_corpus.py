"""A tiny corpus of dependency trees with everything in it that pages stumble over."""

from __future__ import annotations

from pathlib import Path

import evaltools
from evaltools.corpus import DependencyTree
from evaltools.formats import FORMATS
from tests.pages.tiny import HOSTILE_PARSER

__all__ = ["HOSTILE_PARSER", "score_dependencies", "write_dependencies"]

_DOG = DependencyTree(("The", "dog", "barks", "."), (1, 2, -1, 2), ("det", "nsubj", "root", "punct"))
_HOSTILE = DependencyTree(
    ("<script>alert[1]</script>", "**bold**", "$x$", ":red[x]"), (-1, 0, 0, 2), ("root", "<b>r</b>", "*x*", "$y$")
)
_SHE = DependencyTree(("She", "left"), (1, -1), ("nsubj", "root"))
_SAW = DependencyTree(("He", "saw", "her"), (1, -1, 1), ("nsubj", "root", "obj"))
_MARK = DependencyTree((".",), (-1,), ("punct",), tags=("PUNCT",))
_GROUPS = [word for number in range(10) for word in ("the", "big", f"word{number}")]
_LONG = DependencyTree(
    tuple(_GROUPS),
    tuple(-1 if place == 2 else 2 if place % 3 == 2 else place - place % 3 + 2 for place in range(30)),
    tuple("root" if place == 2 else ("det", "amod", "conj")[place % 3] for place in range(30)),
)
GOLD = (_DOG, _HOSTILE, _SHE, _SAW, _MARK, _LONG)
WORSE = (
    DependencyTree(_DOG.forms, (2, 2, -1, 1), ("det", "obj", "root", "punct")),
    DependencyTree(_HOSTILE.forms, (2, 0, -1, 0), ("<i>", "*y*", "root", "$y$")),
    None,
    DependencyTree(("He", "saw", "his", "duck"), (1, -1, 3, 1), ("nsubj", "root", "nmod:poss", "obj")),
    _MARK,
    DependencyTree(_LONG.forms, (*_LONG.heads[:-1], 5), _LONG.relations),
)


def write_dependencies(folder: Path) -> dict[str, Path]:
    """Write the corpus; return its files: ``gold``, ``better``, ``worse``."""
    trees = {"gold": GOLD, "better": GOLD, "worse": WORSE}
    files = {name: folder / f"{name}.conllu" for name in trees}
    for name, path in files.items():
        path.write_text(FORMATS["conllu"].write(trees[name]), encoding="utf-8")
    return files


def score_dependencies(folder: Path) -> evaltools.Run:
    """Score the corpus into ``folder/dependencies.run``; the worse parser has a hostile name."""
    files = write_dependencies(folder)
    parsers = {"better": files["better"], HOSTILE_PARSER: files["worse"]}
    return evaltools.score(files["gold"], parsers, out=folder / "dependencies.run", format="conllu", force=True)
