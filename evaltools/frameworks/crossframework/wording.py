"""TedEval on one sentence in words, and in formulas with numbers put in."""

from __future__ import annotations

from evaltools.frameworks.crossframework.edit_scripts import Operation, TedEvalProtocol
from evaltools.text import share_text, some_words

__all__ = ["compared_over", "protocol_formulas", "protocol_step", "protocol_summary"]


def protocol_summary(protocol: TedEvalProtocol, sentence: int, parser: str) -> str:
    """Return score and number of operations in one line."""
    discarded = sum(operation.discarded for operation in protocol.operations)
    score = "no score" if protocol.score is None else share_text(protocol.score)
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
    unit = "pairs of a function and its words" if protocol.labelled else "nodes"
    score = share_text(protocol.score)
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
    label = f"{operation.label} " if operation.label is not None else ""
    return "discarded" if operation.discarded else operation.status.value, f"{operation.kind} {label}over “{text}”"
