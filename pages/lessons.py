"""The *Lessons* page."""

from evaltools.ui.frame.navigation import enter
from evaltools.ui.pages import lessons

enter(lessons.render, shows_run=False)
