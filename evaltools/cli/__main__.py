"""``python -m evaltools.cli``."""

from evaltools.__main__ import main

if __name__ == "__main__":
    main()
