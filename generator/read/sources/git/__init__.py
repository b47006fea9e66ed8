"""A git repository as a source: skill folders, their bytes and their history, read from objects alone.

Nothing is checked out and nothing of the repository's configuration is honoured: git is given a folder of our
own as its repository and only the objects of the other (see :mod:`~generator.read.sources.git.repository`).
"""
