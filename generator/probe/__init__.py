"""Ask a live hub what each installer would ask, and say who can use it and what the hosting broke."""
