"""Print docs/hosts.md from the judge's tables: ``python docs/make_hosts.py > docs/hosts.md``."""

from __future__ import annotations

from generator.judge.dialects.libraries import LIBRARIES
from generator.judge.facts import ALWAYS_FILLED, FACTS
from generator.judge.fences import FENCES
from generator.judge.reads import CHOICES, MEANINGS, Reads

HEAD = """\
# Host files

For maintainers of a host: how to read what Skillpress believes about your program, and how to correct it.
No Python is needed. Each column of the matrix is one file of `generator/judge/hosts/`, in TOML.

## How a verdict comes about

1. `[reads]` says how the host finds and reads a skill. With it Skillpress finds the *facts*: what is so for this host,
   such as "the host sees no closing line of the front matter". The same bytes give different facts to hosts that
   read differently.
2. `[[effects]]` says what the host makes of a fact. Effects stand in the order in which the host checks:
   the first one that holds and has the outcome `refuse` or `crash` decides; if there is none, the first with `loss`;
   if there is none, the skill loads, and the reason of the first effect that holds is shown as a remark.
3. A fact without an effect is one the host does not care about.

Outcomes: `load` as the author meant it; `loss` it loads, but the description shown is not the one that was written;
`refuse` not loaded, or rejected; `crash` the host's whole list of skills fails; `none` the host goes on.
Only the description counts for `loss`; a gate that is misread is a remark on a skill that loads.
A host with `compares = false` is only asked whether it accepts the skill.

## Correct a file

1. Change the effect or the parameter. Give the `source` where others can check it: a file and line, a page, "executed".
2. A new release of the host is a new `id` and `version`; the figures may differ, so look at `[[limits]]` too.
3. Run `python -m pytest tests/judge/test_agreement.py tests/judge/test_profiles.py`. Where your program is on a
   registry, `make live` runs it over the probes and shows what it really does.

A key or fact that Skillpress does not know is an error that names the file and the key: no line is passed over.

## The file

`id` the column's name; `host` the family; `label`; `version`; `step` what is judged in a word; `evidence` is
`executed`, `source` or `documented`; `checked` the day; `identity` and `duplicates` in words; `folders` where it looks;
`sources`; `notes`. `[[limits]]` hold figures (`key`, `value`, `unit`, `meaning`), `[[tools]]` its tools (`name`,
`owner`, `always`), `[[capabilities]]` groups of tools (`name`, `list`, `tools`, `note`), `[[powers]]` what it does with
hooks, servers and the like (`kind`, `use`, `reason`, `source`, `events`).

"""


def hosts_page() -> str:
    """The whole page."""
    return "".join((HEAD, _reads(), _named("Fence rules", "reads.fence", {k: v.meaning for k, v in FENCES.items()}),
                    _named("YAML libraries", "reads.yaml", LIBRARIES), _facts()))  # fmt: skip


def _reads() -> str:
    rows = ["## Reading parameters\n\n| key below `[reads]` | default | meaning |\n| --- | --- | --- |\n"]
    for key, meaning in MEANINGS.items():
        default = getattr(Reads(), key)
        shown = ", ".join(default) if isinstance(default, tuple) else str(default).lower()
        values = [f"`{value}`" if value else "empty" for value in CHOICES.get(key, ())]
        more = f" One of {', '.join(values)}." if values else ""
        rows.append(f"| `{key.replace('_', '-')}` | {f'`{shown}`' if shown else ''} | {meaning}{more} |\n")
    return "".join(rows)


def _named(title: str, key: str, table: object) -> str:
    assert hasattr(table, "items")
    rows = "".join(f"| `{name}` | {meaning} |\n" for name, meaning in table.items())
    return f"\n## {title}\n\nNames for `{key}`.\n\n| name | rule |\n| --- | --- |\n{rows}"


def _facts() -> str:
    always = " and ".join(f"`{{{word}}}`" for word in ALWAYS_FILLED)
    rows = [
        f"\n## Facts\n\nEvery reason may hold {always}; the other words in braces are filled in for the fact they "
        "stand at.\n\n| fact | meaning | words | finding codes |\n| --- | --- | --- | --- |\n"
    ]
    for fact, info in FACTS.items():
        words = ", ".join(f"`{{{word}}}`" for word in info.fills)
        codes = ", ".join(f"`{code}`" for code in info.codes[:4]) + (", ..." if len(info.codes) > 4 else "")
        rows.append(f"| `{fact}` | {info.meaning} | {words} | {codes} |\n")
    return "".join(rows)


if __name__ == "__main__":
    print(hosts_page(), end="")  # noqa: T201
