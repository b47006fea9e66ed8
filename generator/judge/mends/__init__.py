"""Mechanical mends: what can be corrected in bytes without asking what the author meant.

``propose`` makes mends for findings, ``apply`` makes them, and ``mend_package`` does both in rounds and keeps
only what a new reading proves to be better. Left to the author: a name that does not fit its folder (it is the
skill's identity), bytes of an unknown encoding, and texts that can be meant in two ways.
"""

from generator.judge.mends.model import Edit, Mend, Mended, Refusal, apply
from generator.judge.mends.proposals import MENDED_CODES, propose
from generator.judge.mends.rounds import finder_for, mend_package

__all__ = [
    "MENDED_CODES",
    "Edit",
    "Mend",
    "Mended",
    "Refusal",
    "apply",
    "finder_for",
    "mend_package",
    "propose",
]
