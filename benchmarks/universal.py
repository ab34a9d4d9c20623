"""Figures of Universal Dependencies from raw text beside udtools, the official program, on generated CoNLL-U."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks import engine, peers
from benchmarks.generate import Draw, lengths
from benchmarks.report import Row, peer_row, rate, ratio_row
from benchmarks.timing import measure

if TYPE_CHECKING:
    from collections.abc import Iterator

SENTENCES = 2000
#: How often a word begins a multiword token, and a parser gets its tag, features, lemma, head or relation wrong.
MULTIWORD, TAG, FEATURES, LEMMA, HEAD, RELATION = 0.02, 0.05, 0.06, 0.03, 0.1, 0.08
#: How often a parser joins two tokens, and two sentences.
JOINED_TOKEN, JOINED_SENTENCE = 0.005, 0.03
_FEATURES = ("_", "Number=Sing", "Number=Plur", "Case=Nom|Gender=Masc|Number=Sing", "Mood=Ind|Tense=Past|VerbForm=Fin")
_TAGS = ("NOUN", "VERB", "ADP", "DET", "ADJ", "PRON", "PUNCT", "AUX")
_RELATIONS = ("nsubj", "obj", "obl", "case", "det", "amod", "nmod:poss", "conj", "punct", "aux", "advmod", "mark")

Word = tuple[str, str, str, str, int, str]  # form, lemma, tag, features, head counted from 0, relation
Sentence = tuple[list[Word], set[int]]  # words, and the first words of multiword tokens of two


def _sentence(n: int, draw: Draw) -> Sentence:
    words: list[Word] = []
    for index in range(n):
        form = f"w{int(3 / (0.0003 + draw.number()))}"
        head = max(index - 1 - int(3 * draw.number()), 0) - (index == 0)
        relation = draw.choice(_RELATIONS) if index else "root"
        words.append((form, form[:4], draw.choice(_TAGS), draw.choice(_FEATURES), head, relation))
    ranges = {index for index in range(0, n - 1, 2) if draw.chance(MULTIWORD)}
    return words, ranges


def _answer(gold: Sentence, draw: Draw) -> Sentence:
    """Return a sentence with a parser's mistakes in it."""
    words, ranges = gold
    answer: list[Word] = []
    for index, (form, lemma, tag, features, head, relation) in enumerate(words):
        answer.append(
            (
                form,
                "_" if draw.chance(LEMMA) else lemma,
                draw.choice(_TAGS) if draw.chance(TAG) else tag,
                draw.choice(_FEATURES) if draw.chance(FEATURES) else features,
                int(draw.number() * index) if index and draw.chance(HEAD) else head,
                draw.choice(_RELATIONS) if index and draw.chance(RELATION) else relation,
            )
        )
    if len(answer) > 2 and draw.chance(JOINED_TOKEN * len(answer)) and not {len(answer) - 3, len(answer) - 2} & ranges:
        joined = answer.pop()  # the last word, to which no other is attached, after the one before it
        answer[-1] = (answer[-1][0] + joined[0], *answer[-1][1:])
        answer = [(*word[:4], min(word[4], len(answer) - 1), word[5]) for word in answer]
    return answer, {index for index in ranges if index + 1 < len(answer)}


def _joined(first: Sentence, second: Sentence) -> Sentence:
    n = len(first[0])
    words = [(*word[:4], word[4] + n if word[4] >= 0 else 0, word[5] if word[4] >= 0 else "conj") for word in second[0]]
    return [*first[0], *words], first[1] | {index + n for index in second[1]}


def _written(sentences: list[Sentence]) -> str:
    blocks = []
    for number, (words, ranges) in enumerate(sentences, start=1):
        lines = [f"# sent_id = s{number}", f"# text = {' '.join(word[0] for word in words)}"]
        for index, (form, lemma, tag, features, head, relation) in enumerate(words, start=1):
            if index - 1 in ranges:
                token = form + words[index][0]
                lines.append("\t".join((f"{index}-{index + 1}", token, *["_"] * 8)))
            deps = f"{head + 1}:{relation}"
            lines.append("\t".join((str(index), form, lemma, tag, tag, features, str(head + 1), relation, deps, "_")))
        blocks.append("\n".join(lines) + "\n\n")
    return "".join(blocks)


def texts(n: int, seed: int) -> tuple[str, str]:
    """Return `n` gold sentences as CoNLL-U, and a parser's analysis of their text."""
    draw = Draw(seed, 4)
    gold = [_sentence(length, draw) for length in lengths(n, seed)]
    answers: list[Sentence] = []
    for sentence in gold:
        answer = _answer(sentence, draw)
        if answers and draw.chance(JOINED_SENTENCE):
            answers[-1] = _joined(answers[-1], answer)
        else:
            answers.append(answer)
    return _written(gold), _written(answers)


def universal_rows(n: int, seed: int, repeats: int) -> Iterator[Row]:
    """Measure all figures of two texts, and the official program's of the same."""
    gold, test = texts(n, seed)
    sides = gold.encode(), test.encode()
    time = measure(lambda: engine.universal_figures(*sides), repeats)
    ours = engine.universal_figures(*sides)
    yield Row("UD figures, from CoNLL-U", f"{n:,} sentences", time, rate(n, time))

    def peer() -> Row:
        theirs, peer_time = peers.udtools_figures(gold, test)
        n_equal = sum(abs(ours[name] - figure) < 1e-12 for name, figure in theirs.items())
        work = f"{n:,} sentences, {len(theirs)} figures, {n_equal} equal"
        return ratio_row("  udtools", work, peer_time, time, 20)

    yield peer_row("  udtools", peer)
