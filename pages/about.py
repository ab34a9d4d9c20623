"""The *About the metrics* page."""

from evaltools.app.frame import enter_alone
from evaltools.app.pages import about

enter_alone(about.render)
