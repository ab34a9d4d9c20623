"""The *Sentence* page: one sentence's alignment."""

from evaltools.app.frame import enter
from evaltools.app.pages import sentence

enter(sentence.render)
