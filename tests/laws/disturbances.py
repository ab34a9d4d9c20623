"""Items of every format, as texts, and what happens to files: items that cannot be read, and what changes nothing."""

from __future__ import annotations

import io
import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import evaltools
from evaltools.corpus import Dependencies, Tree
from evaltools.formats import Source

SAMPLE = Path(__file__).resolve().parents[2] / "sample_data"
_N = 5


@dataclass(frozen=True, slots=True)
class Items:
    """Items of one format, each with its end, and what is a broken item of the format."""

    format: str
    suffix: str
    texts: tuple[str, ...]
    broken: dict[str, Callable[[str], str]]  # Makes of an item one that cannot be read
    begin: str = ""  # What stands before the items, and after them
    end: str = ""

    def __len__(self) -> int:
        return len(self.texts)

    def file(self, texts: Sequence[str]) -> str:
        return self.begin + "".join(texts) + self.end

    def of_other_kind(self) -> str:
        """Return the same sentences as a file of the other kind: words in a flat bracket, or below the first word."""
        source = Source("items", self.file(self.texts).encode(), "", format=self.format)
        corpus = evaltools.read_treebank(source)
        words = [corpus.tree(index).words for index in range(len(self))]
        if isinstance(corpus, Dependencies):
            return "".join(f"(S {' '.join(f'(X {word})' for word in sentence)})\n" for sentence in words)
        rows = "{}\t{}\t_\tX\t_\t_\t{}\t{}\t_\t_".format
        return "".join(
            "".join(
                rows(at, word, int(at > 1), "dep" if at > 1 else "root") + "\n" for at, word in enumerate(sentence, 1)
            )
            + "\n"
            for sentence in words
        )

    def with_broken(self, index: int, name: str) -> str:
        return self.file([self.broken[name](text) if at == index else text for at, text in enumerate(self.texts)])


def _sub(pattern: str, replacement: str, count: int = 1) -> Callable[[str], str]:
    def change(text: str) -> str:
        changed = re.sub(pattern, replacement, text, count=count, flags=re.DOTALL)
        assert changed != text, (pattern, text)
        return changed

    return change


def _last_removed(bracket: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        before, _, after = text.rpartition(bracket)
        return before + after

    return change


def trees() -> list[Tree]:
    """Return trees of the sample, all of different words."""
    lines = (SAMPLE / "gold.ptb").read_text("utf-8").splitlines()
    return [Tree.from_string(line) for line in lines if 4 < line.count(" (") < 40][:_N]


def _ptb() -> Items:
    broken = {
        "a bracket too few": _last_removed(")"),
        "a bracket too many": _sub(r"\n$", ")\n"),
        "cut off": lambda text: text[: len(text) // 2].rstrip() + "\n",
        "empty": lambda text: "()\n",
        "blank": lambda text: "\n",
        "prose": lambda text: "I'm sorry, I cannot parse this sentence.\n",
        "null": lambda text: "(())\n",
    }
    return Items("ptb", "ptb", tuple(f"{tree}\n" for tree in trees()), broken)


def _discbracket() -> Items:
    broken = {
        "a bracket too few": _last_removed(")"),
        "an index twice": _sub(r" 1=", " 0="),
        "no index": _sub(r" 0=", " "),
        "null": lambda text: "(())\n",
    }
    return Items("discbracket", "dbr", tuple(f"{tree.to_string('discbracket')}\n" for tree in trees()), broken)


def _export() -> Items:
    texts = re.findall(
        r"#BOS.*?#EOS [^\n]*\n", (SAMPLE / "formats/discontinuous.export").read_text("utf-8"), flags=re.DOTALL
    )
    broken = {
        "a parent that is missing": _sub(r"\t50\d\n", "\t599\n"),
        "columns missing": _sub(r"\n([^\t\n#]+)\t+[^\n]*\n", r"\n\1\n"),
    }
    return Items("export", "export", tuple(texts[:_N]), broken)


def _tigerxml() -> Items:
    text = (SAMPLE / "formats/discontinuous.tigerxml").read_text("utf-8")
    sentences = re.findall(r"[ \t]*<s [^>]*>.*?</s>\n", text, flags=re.DOTALL)
    begin = text[: text.index(sentences[0])]
    end = text[text.index(sentences[-1]) + len(sentences[-1]) :]
    broken = {
        "an edge to nothing": _sub(r'idref="[^"]*"', 'idref="nothing"'),
        "no terminals": _sub(r"<terminals>.*?</terminals>", "<terminals/>"),
    }
    return Items("tigerxml", "xml", tuple(sentences[:_N]), broken, begin, end)


def _rows(path: str) -> list[str]:
    blocks = (SAMPLE / path).read_text("utf-8").strip("\n").split("\n\n")
    return [f"{block}\n\n" for block in blocks if 3 < block.count("\n") < 20][:_N]


def _conllu() -> Items:
    broken = {
        "a head that is missing": _sub(r"(\n1(?:\t[^\t]*){5}\t)\d+", r"\g<1>_"),
        "a head out of range": _sub(r"(\n1(?:\t[^\t]*){5}\t)\d+", r"\g<1>99"),
        "a cycle": _sub(r"(\n1(?:\t[^\t]*){5}\t)\d+(.*\n2(?:\t[^\t]*){5}\t)\d+", r"\g<1>2\g<2>1"),
        "nine columns": _sub(r"(\n1(?:\t[^\t]*){8})\t[^\t\n]*", r"\1"),
        "a number skipped": _sub(r"\n2\t", "\n7\t"),
    }
    blocks = _rows("dependencies/lexical.conllu")
    texts = (re.sub(r"\A(# sent_id = .*\n)?", f"# sent_id = s{index}\n", block) for index, block in enumerate(blocks))
    return Items("conllu", "conllu", tuple(texts), broken)


def _conllu_without_heads() -> Items:
    """Return sentences whose function words and punctuation have no heads, none of which is a head."""
    texts = tuple(
        re.sub(r"(\t(?:ADP|AUX|CCONJ|DET|PUNCT|SCONJ)\t[^\t]*\t[^\t]*\t)\d+\t[^\t]*", r"\1_\t_", text)
        for text in _conllu().texts
    )
    broken = {
        "a relation without a head": _sub(r"\t_\t_\t_\t_\n", "\t_\tdet\t_\t_\n"),
        "a head that has none": _sub(r"\t\d+(\tnsubj\t.*\n)(\d+)(\t\.\t)", r"\t\2\1\2\3"),
        "no head at all": _sub(r"\t\d+\t[a-z:]+\t_\t_\n", "\t_\t_\t_\t_\n", 0),
    }
    return Items("conllu", "conllu", texts, broken)


def _conllx() -> Items:
    broken = {"a head that is missing": _sub(r"\A(1(?:\t[^\t]*){5}\t)\d+", r"\g<1>_")}
    return Items("conllx", "conll", tuple(_rows("formats/dependencies.conllx")), broken)


def _penman() -> Items:
    blocks = (SAMPLE / "amr/gold.amr").read_text("utf-8").strip("\n").split("\n\n")
    texts = [f"{block}\n\n" for block in blocks if "(" in block][:_N]
    broken = {
        "a bracket too few": _last_removed(")"),
        "a bracket too many": _sub(r"\n\n$", ")\n\n"),
        "no first bracket": _sub(r"\n\(", "\n"),
        "empty": _sub(r"\n\(.*", "\n()\n\n"),
        "prose": _sub(r"\n\(.*", "\nno parse found\n\n"),
    }
    return Items("penman", "amr", tuple(texts), broken)


def _penman_lines() -> Items:
    texts = tuple(" ".join(re.sub(r"(?m)^#.*$", "", text).split()) + "\n" for text in _penman().texts)
    broken = {
        "a bracket too few": _last_removed(")"),
        "a bracket too many": _sub(r"\n$", ")\n"),
        "blank": lambda text: "\n",
        "prose": lambda text: "no parse found\n",
    }
    return Items("penman", "amr", texts, broken)


def _eds() -> Items:
    blocks = (SAMPLE / "semantics/gold.eds").read_text("utf-8").strip("\n").split("\n\n")
    texts = [f"{block}\n\n" for block in blocks][:_N]
    broken = {
        "a brace too few": _last_removed("}"),
        "a brace too many": _sub(r"\n\n$", "}\n\n"),
        "a span without end": _sub(r"<(\d+):\d+>", r"<\1:"),
    }
    return Items("eds", "eds", tuple(texts), broken)


def _mrs() -> Items:
    words = ("rain", "snow", "hail", "thaw", "pour")
    texts = tuple(
        f"SENT: It {word}ed.\n[ TOP: h0 INDEX: e2 [ e SF: prop TENSE: past ]\n"
        f"  RELS: < [ _{word}_v_1<3:9> LBL: h1 ARG0: e2 ] >\n  HCONS: < h0 qeq h1 > ]\n\n"
        for word in words
    )
    broken = {"a bracket too few": _last_removed("]"), "a bracket too many": _sub(r"\n\n$", " ]\n\n")}
    return Items("simplemrs", "mrs", texts, broken)


def _mrp() -> Items:
    graphs = [
        {
            "id": str(index),
            "framework": "eds",
            "input": f"{word} rained.",
            "tops": [0],
            "nodes": [
                {"id": 0, "label": "_rain_v_1", "anchors": [{"from": 3, "to": 9}]},
                {"id": 1, "label": f"_{word.lower()}_n", "anchors": [{"from": 0, "to": 2}]},
            ],
            "edges": [{"source": 0, "target": 1, "label": "ARG1"}],
        }
        for index, word in enumerate(("It", "He", "We", "Jo", "Al"), start=1)
    ]
    broken = {
        "cut off": lambda text: text[: len(text) // 2] + "\n",
        "an edge to nothing": _sub('"target": 1', '"target": 7'),
    }
    return Items("mrp", "mrp", tuple(json.dumps(graph) + "\n" for graph in graphs), broken)


def _sdp() -> Items:
    texts = tuple(
        f"#{20000 + index}\n1\t{word}\t{word.lower()}\tNN\t-\t-\t_\tARG1\n2\trained\train\tVBD\t+\t+\t_\t_\n\n"
        for index, word in enumerate(("It", "He", "We", "Jo", "Al"), start=1)
    )
    broken = {
        "a column too many": _sub(r"\tARG1\n", "\tARG1\t_\n"),
        "a column too few": _sub(r"\tARG1\n", "\n"),
    }
    return Items("sdp", "sdp", texts, broken, "#SDP 2015\n")


FORMATS: dict[str, Callable[[], Items]] = {
    "ptb": _ptb,
    "discbracket": _discbracket,
    "export": _export,
    "tigerxml": _tigerxml,
    "conllu": _conllu,
    "conllu-without-heads": _conllu_without_heads,
    "conllx": _conllx,
    "penman": _penman,
    "penman-lines": _penman_lines,
    "eds": _eds,
    "simplemrs": _mrs,
    "mrp": _mrp,
    "sdp": _sdp,
}
"""The items of each format."""


def score(items: Items, gold: str, test: str, **options: object) -> evaltools.Run:
    """Score one file of a format against another; the format is detected, as for most users."""
    return evaltools.score(named(gold, f"gold.{items.suffix}"), {"p": named(test, f"p.{items.suffix}")}, **options)


def named(text: str, name: str) -> io.BytesIO:
    file = io.BytesIO(text.encode())
    file.name = name
    return file


def _at_line_ends(blank: str) -> Callable[[Items, str], str]:
    return lambda items, text: text.replace("\n", f"{blank}\n")


def _between_items(line: str) -> Callable[[Items, str], str]:
    def change(items: Items, text: str) -> str:
        for item in items.texts:
            text = text.replace(item, line + item, 1)
        return text

    return change


HARMLESS: dict[str, Callable[[Items, str], str]] = {
    "byte order mark": lambda items, text: "\ufeff" + text,
    "byte order marks of joined files": _between_items("\ufeff"),
    "CRLF": lambda items, text: text.replace("\n", "\r\n"),
    "no line break at the end": lambda items, text: text.rstrip("\n"),
    "line breaks at the end": lambda items, text: text + "\n\n\n",
    "blanks at the ends of lines": _at_line_ends("  "),
    "no-break spaces at the ends of lines": _at_line_ends("\u00a0"),
    "ideographic spaces at the ends of lines": _at_line_ends("\u3000"),
    "zero-width spaces at the ends of lines": _at_line_ends("\u200b"),
    "comments": _between_items("# a comment\n"),
    "decomposed characters": lambda items, text: unicodedata.normalize("NFD", text),
}
"""What happens to files without a change of what they hold."""

LINES = {
    "numbers": "# 1\n",
    "markup": "<S ID=1>\n",
    "headings": "## Sentence\n",
    "fences": "```\n",
}
"""Lines that stand between trees in brackets and are no trees."""
