"""Make every generated file of the sample anew.

    python sample_data/make.py            write the files
    python sample_data/make.py --check    compare, change nothing; exit status 1 if a file differs
    python sample_data/make.py --scores   write, and print a labelled bracketing score of every parser

The same files come out byte for byte on every machine: chance has fixed seeds, and the parsers count in whole numbers.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))

from generator import corpus, dependency_gold, evaluate, frameworks, malformed, semantics  # noqa: E402  (the folder must be on the path first)
from generator.convert import by_rule  # noqa: E402
from generator.dependency import Dependencies, attachment, write_conllu  # noqa: E402
from generator.dependency_parsers import PARSERS as DEPENDENCY_PARSERS  # noqa: E402
from generator.dependency_parsers import Workshop  # noqa: E402
from generator.labels import label_map  # noqa: E402
from generator.parsers import OWN_WORDS, PARSERS  # noqa: E402
from generator.running_text import own_words  # noqa: E402
from generator.trees import Node, write_ptb  # noqa: E402


def gold_files(sentences: list[corpus.Sentence]) -> dict[str, bytes]:
    """Return the gold trees, their copy with function tags, and a table of their sources."""
    rows = [
        f"{number}\t{sentence.source}\t{len(sentence.tree.words())}" for number, sentence in enumerate(sentences, 1)
    ]
    return {
        "gold.ptb": write_ptb(sentence.plain for sentence in sentences).encode(),
        "gold-functions.ptb": write_ptb(sentence.tree for sentence in sentences).encode(),
        "sources.tsv": "\n".join(["sentence\tsource\twords", *rows, ""]).encode(),
    }


def dependency_files(sentences: list[corpus.Sentence], both: list[dependency_gold.Both]) -> dict[str, bytes]:
    """Return the dependency gold in both schemes, the label map, and the small files of other frameworks."""
    files = {
        f"dependencies/{scheme}.conllu": write_conllu(pair[number] for pair in both).encode()
        for number, scheme in enumerate(dependency_gold.SCHEMES)
    }
    files["dependencies/labels.tsv"] = label_map().encode()
    last = [number for number, sentence in enumerate(sentences) if sentence.source == corpus.LAST]
    small = frameworks.files([sentences[n] for n in last], [both[n][1] for n in last])
    return files | {f"formats/{name}": content for name, content in small.items()}


def workshop(sentences: list[corpus.Sentence]) -> Workshop:
    """Return what the dependency parsers are trained on: the dependencies of the training sentences, by rule."""
    return Workshop([by_rule(tree) for tree in corpus.training_with_functions(sentences)])


def run_parser(name: str, training: list[Node], sentences: list[corpus.Sentence]) -> list[Node | None]:
    """Train a parser and run it on the words of the gold sentences, or on its own."""
    parse = PARSERS[name](training)
    trees = []
    for sentence in sentences:
        words = sentence.tree.words()
        tree = parse(words)
        wanted = own_words(words) if name in OWN_WORDS else words
        if tree is not None and tree.words() != wanted:
            raise ValueError(f"{name} changed the words of: {' '.join(words)}")
        trees.append(tree)
    return trees


def build(scores: bool = False) -> dict[str, bytes]:
    """Return the content of every generated file by its path below ``sample_data``."""
    sentences = corpus.gold()
    corpus.check(sentences)
    files = gold_files(sentences)
    files |= {f"malformed/{name}": content for name, content in malformed.files().items()}
    files |= {f"semantics/{name}": content for name, content in semantics.files().items()}
    training = corpus.training(sentences)
    for name in PARSERS:
        trees = run_parser(name, training, sentences)
        files[f"parsers/{name}.ptb"] = write_ptb(trees).encode()
        if scores and name not in OWN_WORDS:
            print(score_line(name, sentences, trees))
    both = dependency_gold.gold(sentences)
    files |= dependency_files(sentences, both)
    shop = workshop(sentences)
    for name, (_, scheme) in DEPENDENCY_PARSERS.items():
        parsed = shop.parse(name, [sentence.tree.words() for sentence in sentences])
        files[f"dependencies/{name}.conllu"] = write_conllu(parsed).encode()
        if scores:
            print(attachment_line(name, sentences, [pair[scheme] for pair in both], parsed))
    return files


def score_line(name: str, sentences: list[corpus.Sentence], trees: list[Node | None]) -> str:
    """Return one row of the table of scores."""
    gold = [sentence.plain for sentence in sentences]
    by_hand = [number for number, sentence in enumerate(sentences) if ":" not in sentence.source]
    whole = evaluate.pooled(gold, trees)
    hand = evaluate.pooled([gold[n] for n in by_hand], [trees[n] for n in by_hand])
    missing = len(gold) - int(whole["parsed"])
    return (
        f"{name:24} F {whole['F']:5.1f}  recall {whole['recall']:5.1f}  precision {whole['precision']:5.1f}  "
        f"tags {whole['tags']:5.1f}  exact {whole['exact']:3.0f}  no parse {missing:2}  F by hand {hand['F']:5.1f}"
    )


def attachment_line(
    name: str, sentences: list[corpus.Sentence], gold: list[Dependencies], parsed: list[Dependencies]
) -> str:
    """Return one row of the table of attachment scores."""
    by_hand = [number for number, sentence in enumerate(sentences) if ":" not in sentence.source]
    unlabelled, labelled = attachment(gold, parsed)
    hand = attachment([gold[n] for n in by_hand], [parsed[n] for n in by_hand])
    return f"{name:24} UAS {unlabelled:5.1f}  LAS {labelled:5.1f}  by hand UAS {hand[0]:5.1f}  LAS {hand[1]:5.1f}"


def differences(files: dict[str, bytes]) -> list[str]:
    """Return the paths that are missing or hold something else."""
    return [
        path for path, content in files.items() if not (HERE / path).is_file() or (HERE / path).read_bytes() != content
    ]


def main(arguments: list[str] | None = None) -> int:
    """Run the command; return the exit status."""
    parser = argparse.ArgumentParser(description="Make the generated files of the sample.")
    parser.add_argument("--check", action="store_true", help="compare with the files that are there, write nothing")
    parser.add_argument("--scores", action="store_true", help="print the labelled bracketing scores of the parsers")
    options = parser.parse_args(arguments)
    files = build(options.scores)
    if options.check:
        different = differences(files)
        for path in different:
            print(f"{HERE / path} is not what make.py makes", file=sys.stderr)
        return 1 if different else 0
    for path, content in files.items():
        (HERE / path).parent.mkdir(parents=True, exist_ok=True)
        (HERE / path).write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main())
