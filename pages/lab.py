"""The *Metric lab* page."""

from evaltools.app.frame import enter_alone
from evaltools.app.pages import lab

enter_alone(lab.render)
