"""The recorded readings are what the released libraries read today."""

from __future__ import annotations

import pytest

from tests.judge.dialects.record import read_record
from tests.live.yaml_libraries import read_all

pytestmark = pytest.mark.live


def test_the_record_is_what_the_libraries_read() -> None:
    record = read_record()
    readings = read_all([case.text for case in record])
    changed = [
        f"{case.text!r}\n  recorded {case.readings}\n  now      {now}"
        for case, now in zip(record, readings, strict=True)
        if case.readings != now
    ]
    assert not changed, "\n".join(changed[:20])
