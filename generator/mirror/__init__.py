"""Another hub's files, kept equal to theirs."""
