"""Two semantic graphs of one sentence to begin with: as it should be, and with the wrong one leaving."""

from __future__ import annotations

from evaltools.analysis.examples import text_of

__all__ = ["PERSUADE", "PERSUADE_WRONG"]

PERSUADE = str(text_of("edm", 0, "graphs")["gold"])
"""Dridan and Oepen (2011), Figure 1, as EDS."""

PERSUADE_WRONG = str(text_of("edm", 0, "graphs")["test"])
"""The same with *he* in the place of *Kim* as the one who leaves, another sense of the verb, and another tense."""
