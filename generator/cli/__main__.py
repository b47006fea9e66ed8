"""``python -m generator.cli`` is ``skillpress``."""

from generator.cli import main

main()
