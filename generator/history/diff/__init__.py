"""What differs between two versions of a skill: its files, its manifest, and what of it can act."""
