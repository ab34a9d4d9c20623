"""Two semantic graphs of one sentence to begin with: as it should be, and with the wrong one leaving."""

from __future__ import annotations

__all__ = ["PERSUADE", "PERSUADE_WRONG"]

PERSUADE = """\
SENT: He persuaded Kim to leave.
{e2:
 x4:pron<0:2>{x PERS 3, NUM sg, GEND m, PRONTYPE std_pron}[]
 _1:pronoun_q<0:2>[BV x4]
 e2:_persuade_v_of<3:12>{e SF prop, TENSE past, MOOD indicative}[ARG1 x4, ARG2 x10, ARG3 e16]
 _2:proper_q<13:16>[BV x10]
 x10:named<13:16>("Kim"){x PERS 3, NUM sg}[]
 e16:_leave_v_1<20:26>{e SF prop-or-ques, TENSE untensed, MOOD indicative}[ARG1 x10]
}
"""
"""Dridan and Oepen (2011), Figure 1, as EDS."""

PERSUADE_WRONG = (
    PERSUADE.replace("[ARG1 x10]", "[ARG1 x4]")
    .replace("TENSE past", "TENSE pres")
    .replace("_persuade_v_of", "_persuade_v_1")
)
"""The same with *he* in the place of *Kim* as the one who leaves, another sense of the verb, and another tense."""
