"""``python -m evaltools``."""

from evaltools.cli import main

if __name__ == "__main__":
    main()
