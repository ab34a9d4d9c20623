"""The *Cross-framework* page."""

from evaltools.ui.frame.navigation import enter
from evaltools.ui.pages import crossframework

enter(crossframework.render)
