"""The *Sentence* page: one sentence's alignment."""

from evaltools.ui.frame import enter
from evaltools.ui.pages import sentence

enter(sentence.render)
