"""The *About the metrics* page."""

from evaltools.ui.frame import enter_alone
from evaltools.ui.pages import about

enter_alone(about.render)
