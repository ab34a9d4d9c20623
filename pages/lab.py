"""The *Metric lab* page."""

from evaltools.ui.frame import enter_alone
from evaltools.ui.pages import lab

enter_alone(lab.render)
