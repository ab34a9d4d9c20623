"""The *Sentence* page: one sentence's alignment."""

from evaltools.ui.frame.navigation import enter
from evaltools.ui.pages import sentence

enter(sentence.render)
