"""The *Lessons* page."""

from evaltools.ui.frame import enter
from evaltools.ui.pages import lessons

enter(lessons.render)
