"""What an author wrote as a license -> an SPDX expression, or nothing where we are not sure.

Identifiers are those of the SPDX License List that skills and the code in them use; the other spellings are
the ones authors write instead. Anything else stays text: a hub must not grant what an author did not.
"""

from __future__ import annotations

import re
from typing import Final

_IDS: Final = (
    "0BSD",
    "AFL-3.0",
    "AGPL-3.0",
    "AGPL-3.0-only",
    "AGPL-3.0-or-later",
    "Apache-1.1",
    "Apache-2.0",
    "Artistic-2.0",
    "BlueOak-1.0.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSD-3-Clause-Clear",
    "BSD-4-Clause",
    "BSL-1.0",
    "BUSL-1.1",
    "CC-BY-3.0",
    "CC-BY-4.0",
    "CC-BY-NC-4.0",
    "CC-BY-NC-ND-4.0",
    "CC-BY-NC-SA-4.0",
    "CC-BY-ND-4.0",
    "CC-BY-SA-3.0",
    "CC-BY-SA-4.0",
    "CC0-1.0",
    "CDDL-1.0",
    "ECL-2.0",
    "Elastic-2.0",
    "EPL-1.0",
    "EPL-2.0",
    "EUPL-1.2",
    "FSL-1.1-ALv2",
    "FSL-1.1-MIT",
    "GFDL-1.3-only",
    "GFDL-1.3-or-later",
    "GPL-2.0",
    "GPL-2.0-only",
    "GPL-2.0-or-later",
    "GPL-3.0",
    "GPL-3.0-only",
    "GPL-3.0-or-later",
    "ISC",
    "LGPL-2.1",
    "LGPL-2.1-only",
    "LGPL-2.1-or-later",
    "LGPL-3.0",
    "LGPL-3.0-only",
    "LGPL-3.0-or-later",
    "MIT",
    "MIT-0",
    "MPL-1.1",
    "MPL-2.0",
    "MulanPSL-2.0",
    "NCSA",
    "ODbL-1.0",
    "OFL-1.1",
    "OSL-3.0",
    "PolyForm-Noncommercial-1.0.0",
    "PostgreSQL",
    "PSF-2.0",
    "Python-2.0",
    "SSPL-1.0",
    "Unlicense",
    "UPL-1.0",
    "Vim",
    "W3C",
    "WTFPL",
    "X11",
    "Zlib",
    "ZPL-2.1",
)
_EXCEPTIONS: Final = (
    "Classpath-exception-2.0",
    "Font-exception-2.0",
    "GCC-exception-3.1",
    "LLVM-exception",
    "OpenSSL-exception",
)
_ALIASES: Final = {
    "apache": "Apache-2.0",
    "apache 2": "Apache-2.0",
    "apache 2.0": "Apache-2.0",
    "apache 2.0 license": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license version 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache-2": "Apache-2.0",
    "apache2": "Apache-2.0",
    "apache2.0": "Apache-2.0",
    "bsd 2-clause": "BSD-2-Clause",
    "bsd 3-clause": "BSD-3-Clause",
    "bsd-2": "BSD-2-Clause",
    "bsd-3": "BSD-3-Clause",
    "cc by 4.0": "CC-BY-4.0",
    "cc by-nc 4.0": "CC-BY-NC-4.0",
    "cc by-nc-sa 4.0": "CC-BY-NC-SA-4.0",
    "cc by-sa 4.0": "CC-BY-SA-4.0",
    "cc0": "CC0-1.0",
    "cc0 1.0": "CC0-1.0",
    "expat": "MIT",
    "gnu gplv3": "GPL-3.0-only",
    "gplv2": "GPL-2.0-only",
    "gplv2+": "GPL-2.0-or-later",
    "gplv3": "GPL-3.0-only",
    "gplv3+": "GPL-3.0-or-later",
    "agplv3": "AGPL-3.0-only",
    "agplv3+": "AGPL-3.0-or-later",
    "isc license": "ISC",
    "lgplv3": "LGPL-3.0-only",
    "mit licence": "MIT",
    "mit license": "MIT",
    "mit no attribution": "MIT-0",
    "mit0": "MIT-0",
    "mozilla public license 2.0": "MPL-2.0",
    "mpl 2.0": "MPL-2.0",
    "mpl2": "MPL-2.0",
    "mulan psl v2": "MulanPSL-2.0",
    "the mit license": "MIT",
    "the unlicense": "Unlicense",
    "unlicence": "Unlicense",
}
# The SPDX list keeps the bare GNU names as deprecated ones; without "or later" they mean "only".
_DEPRECATED: Final = {
    name: f"{name}-only" for name in ("AGPL-3.0", "GPL-2.0", "GPL-3.0", "LGPL-2.1", "LGPL-3.0")
}
_BY_FOLDED: Final = {name.casefold(): name for name in _IDS}
_EXCEPTION_BY_FOLDED: Final = {name.casefold(): name for name in _EXCEPTIONS}
_TOKEN: Final = re.compile(r"\(|\)|[^\s()]+")
_LONGEST: Final = 200
_DEEPEST: Final = 20


def to_spdx(text: str) -> str | None:
    """The SPDX expression an author means, or None where the text is no license we know.

    >>> to_spdx("MIT License")
    'MIT'
    >>> to_spdx("see LICENSE.txt") is None
    True
    """
    if len(text) > _LONGEST:
        return None
    single = _identifier(text)
    if single is not None:
        return single
    tokens = _TOKEN.findall(text)
    if len(tokens) < 2:
        return None
    parts, rest = _expression(tokens, 0)
    return parts if parts is not None and not rest else None


def _identifier(text: str) -> str | None:
    folded = text.strip().casefold()
    plus = folded.endswith("+") and folded not in _ALIASES
    known = _ALIASES.get(folded) or _BY_FOLDED.get(folded[:-1] if plus else folded)
    if known is None:
        return None
    if plus:
        later = f"{known}-or-later"
        return later if later.casefold() in _BY_FOLDED else f"{known}+"
    return _DEPRECATED.get(known, known)


def _expression(tokens: list[str], depth: int) -> tuple[str | None, list[str]]:
    """``term (AND|OR term)*``; the rest of the tokens, and None where it is no expression."""
    if depth > _DEEPEST:
        return None, tokens
    term, rest = _term(tokens, depth)
    parts = [term]
    while term is not None and rest and rest[0].upper() in ("AND", "OR"):
        parts.append(rest[0].upper())
        term, rest = _term(rest[1:], depth)
        parts.append(term)
    return (None if term is None else " ".join(p for p in parts if p)), rest


def _term(tokens: list[str], depth: int) -> tuple[str | None, list[str]]:
    if not tokens:
        return None, tokens
    if tokens[0] == "(":
        inner, rest = _expression(tokens[1:], depth + 1)
        if inner is None or not rest or rest[0] != ")":
            return None, rest
        return f"({inner})", rest[1:]
    name = _identifier(tokens[0])
    rest = tokens[1:]
    if name is not None and len(rest) >= 2 and rest[0].upper() == "WITH":
        exception = _EXCEPTION_BY_FOLDED.get(rest[1].casefold())
        return (f"{name} WITH {exception}" if exception else None), rest[2:]
    return name, rest
