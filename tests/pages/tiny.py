"""A tiny corpus with everything in it that pages stumble over."""

from __future__ import annotations

from pathlib import Path

import evaltools

HOSTILE_PARSER = "<b>x</b> *y* $z$ :red[w]"
GROUP = "(NP (NP (DT the) (JJ big) (NN word{0})) (PP (IN of) (NP (NN word{0}))))"
LONG = " ".join(GROUP.format(number) for number in range(12))
LONG_TEST = LONG.replace("(PP (IN of) (NP (NN word3)))", "(VP (IN of) (NP (NN word3)))")

GOLD = f"""\
(S (NP (DT The) (NN dog)) (VP (VBZ barks)) (. .))
(S (<script> ($ $) (* **bold**)) (VP (-LRB- -LRB-) (:red[x] <script>alert[1]</script>)))
(S (NP (PRP She)) (VP (VBD left)))
(S (NP (PRP He)) (VP (VBD saw) (NP (PRP her))))
(S (. .))
(S {LONG})
(S (NP (PRP I)) (VP (VBD saw) (NP (NP (DT a) (NN man)) (PP (IN with) (NP (NNS glasses))))))
"""

WORSE = f"""\
(S (NP (DT The)) (VP (NN dog) (VP (VBZ barks))) (. .))
(S (NP ($ $)) ($x$ (* **bold**) (-LRB- -LRB-) (:red[x] <script>alert[1]</script>)))
(())
(S (NP (PRP He)) (VP (VBD saw) (NP (PRP$ his) (NN duck))))
(S (. .))
(S {LONG_TEST})
(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN man)) (PP (IN with) (NP (NNS glasses)))))
"""


def write_files(folder: Path) -> dict[str, Path]:
    """Write the corpus; return its files: ``gold``, ``better``, ``worse``."""
    files = {"gold": GOLD, "better": GOLD, "worse": WORSE}
    for name, text in files.items():
        (folder / f"{name}.ptb").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.ptb" for name in files}


def score_tiny(folder: Path) -> evaltools.Run:
    """Score the corpus into ``folder/tiny.run``; the worse parser has a hostile name."""
    files = write_files(folder)
    parsers = {"better": files["better"], HOSTILE_PARSER: files["worse"]}
    return evaltools.score(files["gold"], parsers, out=folder / "tiny.run", force=True)
