"""Errors of constituency trees: brackets, types of repair steps, features to group them by."""
