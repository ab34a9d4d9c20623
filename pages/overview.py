"""The *Overview* page."""

from evaltools.ui.frame import enter
from evaltools.ui.pages import overview

enter(overview.render)
