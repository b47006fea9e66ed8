"""Property tests here are judged by what they find; how long one example takes says how busy the machine is."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("read", deadline=None)
settings.load_profile("read")
