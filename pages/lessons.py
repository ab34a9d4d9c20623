"""The *Lessons* page."""

from evaltools.ui.frame.navigation import enter_alone
from evaltools.ui.pages import lessons

enter_alone(lessons.render)
