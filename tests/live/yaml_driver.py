"""Reads texts with the YAML libraries of Python that are installed and says what they are.

Run by the Python that has them: ``python yaml_driver.py INPUT OUTPUT``.
"""

from __future__ import annotations

import datetime
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any


def _shown(value: Any, above: tuple[int, ...]) -> Any:
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, float)):
        return {"number": _number(value)}
    if isinstance(value, datetime.date):
        return {"date": True}
    if id(value) in above or len(above) > 40:
        return {"endless": True}
    inside = (*above, id(value))
    if isinstance(value, (list, tuple)):
        return {"list": [_shown(item, inside) for item in value]}
    if isinstance(value, dict):
        pairs = [[_key(key), _shown(item, inside)] for key, item in value.items()]
        return {"map": sorted(pairs, key=lambda pair: pair[0])}
    return {"collection": True} if isinstance(value, set) else {"binary": True}


def _number(value: float) -> str:
    if value != value:
        return "NaN"
    if isinstance(value, float) and value in (float("inf"), float("-inf")):
        return "Infinity" if value > 0 else "-Infinity"
    return str(int(value)) if value == int(value) and abs(value) < 1e21 else repr(value)


def _key(key: Any) -> str:
    if isinstance(key, datetime.date):
        return "?date"
    return key if isinstance(key, str) else f"?{type(key).__name__}"


def _read(parse: Callable[[str], Any], refusal: type[Exception], text: str) -> dict[str, Any]:
    try:
        return {"value": _shown(parse(text), ())}
    except refusal:
        return {"refused": True}
    except Exception:  # what a host that expects only refusals does not survive
        return {"refused": True, "escapes": True}


def _libraries() -> dict[str, tuple[Callable[[str], Any], type[Exception]]]:
    if "strictyaml" in sys.argv[3:]:
        import strictyaml

        return {"strictyaml": (lambda text: strictyaml.load(text).data, strictyaml.YAMLError)}
    import yaml

    return {
        "pyyaml": (yaml.safe_load, yaml.YAMLError),
        "libyaml": (lambda text: yaml.load(text, Loader=yaml.CSafeLoader), yaml.YAMLError),
    }


def main() -> None:
    """Read the texts of the JSON file INPUT and write the readings to OUTPUT."""
    texts = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    known = _libraries()
    readings = [{name: _read(*how, text) for name, how in known.items()} for text in texts]
    Path(sys.argv[2]).write_text(json.dumps(readings), "utf-8")


if __name__ == "__main__":
    main()
