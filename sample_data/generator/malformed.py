"""The files of ``malformed/``: each shows one kind of bad, or legal but unusual, input."""

from __future__ import annotations

from . import malformed_semantics

GOLD = (
    "(ROOT (S (NP (DT The) (NN ferry)) (VP (VBD left)) (. .)))",
    "(ROOT (S (NP (NNP Ruth)) (VP (VBD saw) (NP (NP (DT the) (NN pilot)) (PP (IN with) (NP (DT the) (NN map))))) (. .)))",
    "(ROOT (SQ (VBZ Is) (NP (DT the) (NN café)) (ADJP (JJ open)) (. ?)))",
    "(ROOT (S (NP (PRP It)) (VP (VBD rained)) (. .)))",
    "(ROOT (FRAG (NP (NP (JJ Good) (NN night)) (, ,) (NP (NNP Hugo))) (. .)))",
)
DEPTH = 500
HOSTILE_GOLD = (
    "(ROOT (S ($ $) (* (** *) (**bold** _it_)) (<script>alert`1`</script> <b>dog</b>) (. .)))",
    "(ROOT (:x[y] (-LRB- -LRB-) (NN &amp;) (-RRB- -RRB-) (\\textbf{x} 100%) (. .)))",
    "(ROOT ($x^2$ (# #) ($ $) (| |) (`` ``) ('' '') (: :) (. .)))",
    "(ROOT (\"label\" (<img/src=x/onerror=alert`1`> 'word') ({} {word}) (~ ~)))",
)
HOSTILE_TEST = (
    "(ROOT (S (* ($ $) (** *)) (**bold** _it_) (<script>alert`1`</script> <b>dog</b>) (. .)))",
    "(ROOT (**bold** (-LRB- -LRB-) (:x[y] (NN &amp;)) (-RRB- -RRB-) (\\textbf{x} 100%) (. .)))",
    "(ROOT ($x^2$ ($ (# #) ($ $)) (| |) (`` ``) ('' '') (: :) (. .)))",
    "(ROOT (<script>alert`1`</script> (NN 'word') (\"label\" ({} {word}) (~ ~))))",
)


def _text(lines: tuple[str, ...] | list[str], end: str = "\n") -> bytes:
    return "".join(line + end for line in lines).encode()


def _with_line(number: int, line: str) -> bytes:
    """Return the gold trees with one line replaced; lines count from 1."""
    return _text([*GOLD[: number - 1], line, *GOLD[number:]])


def _deep(label: str) -> bytes:
    """Return a tree of single branches, with another label in the middle."""
    labels = ["X"] * (DEPTH // 2) + [label] + ["X"] * (DEPTH - DEPTH // 2 - 1)
    return ("".join(f"({name} " for name in labels) + "(NN bottom)" + ")" * DEPTH + "\n").encode()


DEPENDENCIES = (
    ("The 2:det", "ferry 3:nsubj", "left 0:root", ". 3:punct"),
    ("Ruth 2:nsubj", "saw 0:root", "the 4:det", "pilot 2:obj", "with 7:case", "the 7:det", "map 4:nmod", ". 2:punct"),
    ("Is 4:cop", "the 3:det", "café 4:nsubj", "open 0:root", "? 4:punct"),
    ("It 2:nsubj", "rained 0:root", ". 2:punct"),
    ("Good 2:amod", "night 0:root", ", 4:punct", "Hugo 2:vocative", ". 2:punct"),
)
TAGS = {
    "The": "DET", "the": "DET", "ferry": "NOUN", "left": "VERB", "saw": "VERB", "pilot": "NOUN", "with": "ADP",
    "map": "NOUN", "Is": "AUX", "café": "NOUN", "open": "ADJ", "It": "PRON", "rained": "VERB", "Good": "ADJ",
    "night": "NOUN", "Ruth": "PROPN", "Hugo": "PROPN",
}  # fmt: skip


def _conllu(changes: dict[tuple[int, int], str] | None = None) -> bytes:
    """Return the sentences as CoNLL-U, the arcs of some words changed; sentences and words count from 1."""
    lines = []
    for number, sentence in enumerate(DEPENDENCIES, 1):
        words = [word.split(" ")[0] for word in sentence]
        lines += [f"# sent_id = {number}", f"# text = {' '.join(words)}"]
        for place, word in enumerate(sentence, 1):
            form, arc = word.split(" ")
            head, relation = (changes or {}).get((number, place), arc).split(":")
            tag = TAGS.get(form, "PUNCT")
            lines.append("\t".join((str(place), form, "_", tag, "_", "_", head, relation, "_", "_")))
        lines.append("")
    return _text(lines)


def dependency_files() -> dict[str, bytes]:
    """Return the files of dependencies by name."""
    gold = _conllu()
    return {
        "gold.conllu": gold,
        "cycle.conllu": _conllu({(2, 4): "7:obj"}),
        "two-roots.conllu": _conllu({(3, 3): "0:root"}),
        "no-root.conllu": _conllu({(4, 2): "1:root"}),
        "head-out-of-range.conllu": _conllu({(1, 2): "9:nsubj"}),
        "head-not-a-number.conllu": _conllu({(5, 4): "night:vocative"}),
        "column-missing.conllu": gold.replace(b"2\trained\t_\tVERB\t_\t_\t0", b"2\trained\t_\tVERB\t_\t0"),
        "number-skipped.conllu": gold.replace(b"4\tpilot", b"5\tpilot"),
        "spaces-for-tabs.conllu": gold.replace(b"\t", b" "),
    }


def files() -> dict[str, bytes]:
    """Return the content of every file by its name."""
    return (
        malformed_semantics.files()
        | dependency_files()
        | {
            "gold.ptb": _text(GOLD),
            "unclosed.ptb": _with_line(2, GOLD[1][:-1]),
            "extra-close.ptb": _with_line(3, GOLD[2] + ")"),
            "stray-text.ptb": _with_line(4, "It rained . " + GOLD[3]),
            "latin-1.ptb": _text(GOLD).decode().encode("latin-1"),
            "nul-byte.ptb": _with_line(4, GOLD[3].replace("It", "I\0t")),
            "words-differ.ptb": _with_line(
                2, GOLD[1].replace("pilot", "pirate").replace("(DT the) (NN map)", "(NNS maps)")
            ),
            "too-few.ptb": _text(GOLD[:3]),
            "too-many.ptb": _text([*GOLD, GOLD[0], GOLD[3]]),
            "empty.ptb": b"",
            "blank-lines.ptb": _text([GOLD[0], "", GOLD[2], "  ", GOLD[4]]),
            "missing-parses.ptb": _text([GOLD[0], "(())", GOLD[2], "(())", GOLD[4]]),
            "label-missing.ptb": _with_line(1, GOLD[0].replace("(NP (DT", "( (DT")),
            "empty-phrase.ptb": _with_line(1, GOLD[0].replace("(VP (VBD left))", "(VP (VBD left) (NP ))")),
            "crlf-bom.ptb": b"\xef\xbb\xbf" + _text(GOLD, "\r\n"),
            "cut-off.ptb": _text(GOLD)[:-30],
            "deep-gold.ptb": _deep("Y"),
            "deep-test.ptb": _deep("Z"),
            "not-a-treebank.csv": b"parser,sentences,score\npcfg-plain,290,75.8\npcfg-parent,290,81.1\n",
            "hostile-gold.ptb": _text(HOSTILE_GOLD),
            "hostile-test.ptb": _text(HOSTILE_TEST),
        }
    )
