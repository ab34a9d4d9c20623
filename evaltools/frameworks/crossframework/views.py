"""TedEval of one sentence: the view of the steps, with the trees and the score."""

from __future__ import annotations

from evaltools.blocks import Choice, drawn, formulas, note, steps
from evaltools.corpus import MultiFunctionTree
from evaltools.drawing import Bars, Drawing, bars_of
from evaltools.errors import ParameterError
from evaltools.frameworks.crossframework.edit_scripts import Operation, TedEvalProtocol
from evaltools.frameworks.crossframework.stored import SentenceTrees
from evaltools.frameworks.views import Section, Sentence, SentenceView, Viewing, source_texts
from evaltools.text import percent, percentage, some_words


def protocol_summary(protocol: TedEvalProtocol, sentence: int, parser: str) -> str:
    """Return score and number of operations in one line."""
    discarded = sum(operation.discarded for operation in protocol.operations)
    score = "no score" if protocol.score is None else percent(protocol.score)
    text = f"Sentence {sentence}, {parser}: {score}; "
    text += "1 operation counts" if protocol.delta == 1 else f"{protocol.delta} operations count"
    if discarded:
        is_are = "is" if discarded == 1 else "are"
        text += f", {discarded} {is_are} discarded because the parser’s own gold needs the same"
    return f"{text}."


def compared_over(protocol: TedEvalProtocol) -> str:
    """Return over what trees are compared whose words differ; empty where these are the same."""
    if protocol.words_aligned:
        return " Tokens differ: words inside multiword tokens are aligned by form, the others by characters."
    return " Compared over characters, because tokens differ." if protocol.in_characters else ""


def protocol_formulas(protocol: TedEvalProtocol) -> list[tuple[str, str, str, str]]:
    """Return title, formula, the same with numbers put in, and value, of all that a score is made of."""
    total = len(protocol.operations)
    unit = "pairs of a function and its words" if protocol.labeled else "nodes"
    score = percentage(protocol.score, 2)
    gold = "gen" if len(protocol.golds) > 1 else "gold"
    return [
        ("|parse|", unit, "", str(protocol.n_parse)),
        (f"|{gold}|", unit, "", str(protocol.n_generalized)),
        ("δ", f"|ES(parse→{gold})| − discarded", f"{total} − {total - protocol.delta}", str(protocol.delta)),
        (
            "score",
            f"1 − δ / (|parse| + |{gold}|)",
            f"1 − {protocol.delta} / ({protocol.n_parse} + {protocol.n_generalized})",
            score,
        ),
    ]


def protocol_step(operation: Operation, protocol: TedEvalProtocol) -> tuple[str, str]:
    """Return the status of an operation, and what it does."""
    words = [protocol.parse.words[index] for index in sorted(operation.words)]
    text = some_words(words, 5, 2, "" if protocol.in_characters else " ")
    return "discarded" if operation.discarded else operation.status.value, operation.text(text)


# --------------------------------------------------------------------------------------------------------------- views

_AGAINST = Choice("against", "Golds", {"multiple": "all golds", "single": "own gold"}, "multiple")
_MEASURE = Choice("measure", "TedEval of", {"2012": "2012", "2011": "2011"}, "2012")
_UNITS = {"labeled": "functions", "unlabeled": "nodes only"}
_OPTIONS = {"width": 640.0}
"""Of pictures, which have a part of the page."""
_SIGNS = "< missing, > spurious; struck through: also in the parser’s own gold, so not an error"
_SIGNS_2011 = f"{_SIGNS}; a → b: relabeled; *: a head, which matches every function; the root does not count"


def sentence_view(sentence: Sentence, viewing: Viewing) -> SentenceView:
    """Return the view of a sentence."""
    trees: SentenceTrees = sentence.alignment
    theories = list(trees.golds)
    unit = Choice("what", "Unit", _UNITS, "labeled" if trees.is_labeled else "unlabeled")
    choices = (*([_AGAINST] if len(theories) > 1 else []), unit, _MEASURE)
    texts = source_texts(sentence)
    multiple = len(theories) > 1 and viewing.chosen(_AGAINST) == "multiple"
    labeled = viewing.chosen(unit) == "labeled"
    try:
        protocol = trees.protocol(multiple=multiple, labeled=labeled, measure=viewing.chosen(_MEASURE))
    except ParameterError as error:
        summary = f"Sentence {sentence.number} of {trees.parser} has no score: {error}."
        return SentenceView(summary, choices=choices, texts=texts, texts_heading="Trees as read")
    common = "Common to all golds" if multiple else "The gold tree"
    script = Drawing(
        protocol, f"From the parse of {trees.parser} to {common[0].lower()}{common[1:]}", "steps", _OPTIONS
    )
    names = [theory for theory in theories if multiple or theory == trees.entry["theory"]]
    pictures = [drawn(bars_drawing(gold, f"Gold, {name}")) for name, gold in zip(names, protocol.golds, strict=True)]
    if multiple and protocol.generalization is not None:
        pictures.append(drawn(bars_drawing(protocol.generalization, common)))
    pictures.append(drawn(bars_drawing(protocol.parse, f"Parse of {trees.parser}")))
    rows = [protocol_step(operation, protocol) for operation in protocol.operations]
    operations = steps(rows, "Edit operations") if rows else note("No operations: the trees are equal.")
    signs = _SIGNS_2011 if protocol.generalization is None else _SIGNS
    sections = (
        Section("script", (drawn(script), note(f"{signs}.{compared_over(protocol)}")), place="left"),
        *(() if viewing.is_brief else (Section("trees", tuple(pictures), place="left"),)),
        Section("formulas", (formulas(protocol_formulas(protocol), "Score"),), place="right"),
        Section("steps", (operations,), place="right"),
    )
    return SentenceView(
        protocol_summary(protocol, sentence.number, trees.parser),
        choices=choices,
        sections=sections,
        columns=(3, 2),
        texts=texts,
        texts_heading="Trees as read",
    )


def bars_drawing(tree: MultiFunctionTree, title: str) -> Drawing:
    """Return the picture of a multi-function tree."""
    return Drawing(Bars(tree.words, bars_of(tree), label=title), title, title, _OPTIONS)
