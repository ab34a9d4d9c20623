"""The *About the metrics* page."""

from evaltools.ui.frame import enter
from evaltools.ui.pages import about

enter(about.render)
