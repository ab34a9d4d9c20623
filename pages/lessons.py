"""The *Lessons* page."""

from evaltools.ui.frame import enter_alone
from evaltools.ui.pages import lessons

enter_alone(lessons.render)
