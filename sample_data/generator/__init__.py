"""What ``make.py`` uses to build the sample: grammar, parsers and little files. Imports nothing from evaltools."""
