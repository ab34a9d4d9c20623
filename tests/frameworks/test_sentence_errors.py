"""Error types of chosen sentences, against those of the whole run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd
import pytest

from evaltools.frameworks.constituency.error_table import ERROR_TYPES, error_table, tree_pair
from evaltools.frameworks.constituency.error_types import bundled_rules
from evaltools.frameworks.error_types import types_of_sentences
from tests.pages.tiny import HOSTILE_PARSER, score_tiny

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("sentences", [[1, 2, 3, 4, 5, 6, 7], [7, 2], [3], [5, 6, 6]])
def test_chosen_sentences_have_the_errors_that_the_whole_run_has_there(tmp_path: Path, sentences: list[int]):
    run = score_tiny(tmp_path)
    whole, _ = error_table(tree_pair(run, HOSTILE_PARSER, range(1, run.n_sentences + 1)), bundled_rules(), run.rules)
    expected = whole[whole["sentence"].isin(sentences)].reset_index(drop=True)
    found = ERROR_TYPES.steps_of(run, HOSTILE_PARSER, sentences, "ptb")
    pd.testing.assert_frame_equal(found, expected, check_dtype=False)


def test_types_are_summed_by_sentence_the_greatest_first():
    rows = [(4, "PP attachment", 1), (4, "unary", 3), (4, "PP attachment", 1), (9, "other", 2)]
    table = pd.DataFrame(rows, columns=["sentence", "type", "repaired"])
    assert types_of_sentences(table) == {4: {"unary": 3, "PP attachment": 2}, 9: {"other": 2}}
    assert list(types_of_sentences(table)[4]) == ["unary", "PP attachment"]
    assert types_of_sentences(table.head(0)) == {}
