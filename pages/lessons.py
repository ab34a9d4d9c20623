"""The *Lessons* page."""

from evaltools.app.frame import enter_alone
from evaltools.app.pages import lessons

enter_alone(lessons.render)
