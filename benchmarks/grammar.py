"""The tables behind the generated treebanks: phrase rules, tags, words and what a parser confuses.

The rules are not a grammar of English. They give trees the shape that newspaper trees have: mostly two or three
children, long noun phrases, right-branching verb phrases, a few unary chains.
"""

from __future__ import annotations

from typing import Final

#: Phrase label → weighted right-hand sides. A symbol with a key of its own is a phrase, any other is a part of speech.
RULES: Final[dict[str, tuple[tuple[int, str], ...]]] = {
    "S": (
        (40, "NP VP ."),
        (14, "PP , NP VP ."),
        (12, "S CC S ."),
        (9, "NP ADVP VP ."),
        (8, "SBAR , NP VP ."),
        (7, "S , NP VP ."),
        (5, "VP"),
        (5, "CC NP VP ."),
    ),
    "NP": (
        (30, "DT NN"),
        (14, "DT JJ NN"),
        (9, "JJ NNS"),
        (8, "NNP NNP"),
        (6, "DT NN NN"),
        (5, "PRP$ NN"),
        (3, "CD NNS"),
        (34, "NP PP"),
        (9, "NP SBAR"),
        (8, "NP CC NP"),
        (6, "NP , NP ,"),
        (5, "NP VP"),
        (4, "NP NN"),
        (4, "DT ADJP NN"),
        (3, "QP NNS"),
    ),
    "VP": (
        (24, "VBD NP"),
        (14, "VBZ NP PP"),
        (12, "TO VP"),
        (12, "MD VP"),
        (12, "VB NP"),
        (10, "VBN PP"),
        (10, "VBZ SBAR"),
        (8, "VBD S"),
        (7, "VBG NP PP"),
        (5, "VBZ ADJP"),
        (4, "VP CC VP"),
        (4, "VBD ADVP PP"),
    ),
    "PP": ((80, "IN NP"), (8, "TO NP"), (5, "IN S"), (4, "ADVP IN NP"), (3, "PP CC PP")),
    "SBAR": ((45, "IN S"), (30, "WHNP S"), (15, "WHADVP S"), (10, "S")),
    "ADVP": ((60, "RB RB"), (40, "RB PP")),
    "ADJP": ((40, "RB JJ"), (35, "JJ PP"), (25, "JJ S")),
    "QP": ((60, "CD CD"), (40, "RB CD")),
    "WHNP": ((70, "WDT NN"), (30, "WP$ NN")),
    "WHADVP": ((100, "WRB RB"),),
}

#: The tag of the word a phrase is made of when it is one word long.
HEAD_TAGS: Final[dict[str, tuple[str, ...]]] = {
    "S": ("VBG", "VB", "VBN"),
    "NP": ("PRP", "NNS", "NNP", "NN"),
    "VP": ("VBD", "VBZ", "VBN", "VB"),
    "PP": ("IN", "RP"),
    "SBAR": ("IN",),
    "ADVP": ("RB",),
    "ADJP": ("JJ", "JJR"),
    "QP": ("CD",),
    "WHNP": ("WP", "WDT"),
    "WHADVP": ("WRB",),
}

#: What a phrase or a tag is mistaken for.
LABEL_CONFUSIONS: Final[dict[str, tuple[str, ...]]] = {
    "S": ("SBAR", "VP", "SINV"),
    "NP": ("ADJP", "S", "NX", "QP"),
    "VP": ("S", "PP", "NP"),
    "PP": ("ADVP", "PRT", "SBAR"),
    "SBAR": ("S", "PP"),
    "ADVP": ("PP", "ADJP", "PRT"),
    "ADJP": ("NP", "ADVP", "VP"),
    "QP": ("NP",),
    "WHNP": ("NP", "SBAR"),
    "WHADVP": ("ADVP", "WHNP"),
}
TAG_CONFUSIONS: Final[dict[str, tuple[str, ...]]] = {
    "NN": ("JJ", "NNP", "VB"),
    "NNS": ("VBZ", "NNPS", "NN"),
    "NNP": ("NN", "NNPS", "JJ"),
    "JJ": ("NN", "VBN", "RB"),
    "JJR": ("RBR",),
    "RB": ("IN", "JJ", "RP"),
    "VB": ("VBP", "NN"),
    "VBD": ("VBN",),
    "VBN": ("VBD", "JJ"),
    "VBZ": ("NNS",),
    "VBG": ("NN", "JJ"),
    "IN": ("RB", "WDT", "RP"),
    "TO": ("IN",),
    "DT": ("IN", "PDT", "WDT"),
    "CD": ("NN", "LS"),
    "PRP": ("PRP$",),
    "PRP$": ("PRP",),
    "WDT": ("IN", "WP"),
    "WP": ("WDT",),
    "WP$": ("WP",),
    "WRB": ("IN",),
    "MD": ("VB",),
    "RP": ("IN", "RB"),
    "CC": ("DT",),
    ",": (":",),
    ".": (":",),
}

#: Tags with few words, and those words; every other tag draws from an open vocabulary.
CLOSED: Final[dict[str, tuple[str, ...]]] = {
    ".": (".", ".", ".", ".", ".", "?", "!"),
    ",": (",",),
    "DT": ("the", "the", "the", "a", "a", "an", "this", "those", "no", "every"),
    "IN": ("of", "of", "in", "in", "for", "on", "that", "with", "by", "at", "from", "as", "because", "while"),
    "TO": ("to",),
    "CC": ("and", "and", "and", "or", "but"),
    "MD": ("will", "would", "can", "may", "must"),
    "PRP": ("it", "he", "they", "she", "we", "you", "I"),
    "PRP$": ("its", "their", "his", "her", "our"),
    "WDT": ("which", "that"),
    "WP": ("who", "what"),
    "WP$": ("whose",),
    "WRB": ("when", "where", "how", "why"),
    "RP": ("up", "out", "off", "down"),
}

#: Open-class words are strings of these.
SYLLABLES: Final[tuple[str, ...]] = tuple(
    "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo yu zan bel cor dun fal gor hil jan kem lir mon nor pol "
    "ras sel tur vin wes tion ment ing er ly ous al ist".split()
)
