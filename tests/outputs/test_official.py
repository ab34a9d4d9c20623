"""The layout of evalb, line by line."""

from __future__ import annotations

from pathlib import Path

import pytest

import evaltools
from evaltools.outputs.figures import REPORTS
from evaltools.outputs.selection import Selection

EXPECTED = """\
  Sent.                        Matched  Bracket   Cross        Correct Tag
 ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy
============================================================================
   1    4    0  100.00 100.00     3      3    3      0      3     3   100.00
   2    4    0   50.00  66.67     2      4    3      1      4     4   100.00
   3    2    2    0.00   0.00     0      0    0      0      0     0     0.00
   4    2    1    0.00   0.00     0      0    0      0      0     0     0.00
============================================================================
                 71.43  83.33      5     7     6      1      7     7   100.00
=== Summary ===

-- All --
Number of sentence        =      4
Number of Error sentence  =      1
Number of Skip  sentence  =      1
Number of Valid sentence  =      2
Bracketing Recall         =  71.43
Bracketing Precision      =  83.33
Bracketing FMeasure       =  76.92
Complete match            =  50.00
Average crossing          =   0.50
No crossing               =  50.00
2 or less crossing        = 100.00
Tagging accuracy          = 100.00

-- len<=3 --
Number of sentence        =      2
Number of Error sentence  =      1
Number of Skip  sentence  =      1
Number of Valid sentence  =      0
Bracketing Recall         =   0.00
Bracketing Precision      =   0.00
Bracketing FMeasure       =    nan
Complete match            =   0.00
Average crossing          =   0.00
No crossing               =   0.00
2 or less crossing        =   0.00
Tagging accuracy          =   0.00
"""


@pytest.fixture
def run(tmp_path: Path) -> evaltools.Run:
    (tmp_path / "gold").write_text(
        "(S (A (P a) (P b)) (B (Q c)) (. .))\n(S (A (P this)) (B (Q is) (A (R a) (T test))))\n(S (A x) (B y))\n"
        "(S (A x) (B y))\n"
    )
    (tmp_path / "test").write_text(
        "(S (A (P a) (P b)) (B (Q c)) (. .))\n(S (A (P this) (Q is)) (A (R a) (T test)))\n(())\n(S (A x) (B z))\n"
    )
    (tmp_path / "prm").write_text("DELETE_LABEL .\nCUTOFF_LEN 3\n")
    return evaltools.score(tmp_path / "gold", {"p": tmp_path / "test"}, preset=f"evalb:{tmp_path / 'prm'}")


def test_rows_and_both_summaries(run: evaltools.Run):
    assert REPORTS["evalb"](run, Selection()) == EXPECTED


def test_several_parsers_stand_under_their_names(run: evaltools.Run, tmp_path: Path):
    both = evaltools.score(tmp_path / "gold", {"p": tmp_path / "test", "q": tmp_path / "gold"}, preset="collins")
    text = REPORTS["evalb"](both, Selection())
    assert text.startswith("p\n  Sent.")
    assert "\nq\n  Sent." in text


def test_without_bracketing_scores_it_says_so(tmp_path: Path, run: evaltools.Run):
    only_t = evaltools.score(tmp_path / "gold", {"p": tmp_path / "test"}, metrics=["t"])
    with pytest.raises(evaltools.ParameterError, match="no bracketing scores"):
        REPORTS["evalb"](only_t, Selection())


def test_a_sentence_with_one_bracket_too_many_is_no_complete_match(tmp_path: Path):
    (tmp_path / "gold").write_text("(S (A (P a)) (Q c))\n(S (A (P a)) (Q c))\n")
    (tmp_path / "test").write_text("(S (A (P a)) (B (Q c)))\n(S (A (P a)) (Q c))\n")
    text = REPORTS["evalb"](evaltools.score(tmp_path / "gold", {"p": tmp_path / "test"}, preset="collins"), Selection())
    assert "Bracketing Recall         = 100.00" in text
    assert "Complete match            =  50.00" in text
