"""Which text rules a file is for, told by its name and its first bytes."""

from __future__ import annotations

from typing import Final

from generator.model import PackageFile

_MARKDOWN: Final = frozenset({".md", ".mdx", ".markdown", ".txt", ".rst", ".adoc", ".org", ".mdc"})
_CODE: Final = frozenset(
    {
        *(
            ".py",
            ".pyw",
            ".js",
            ".mjs",
            ".cjs",
            ".jsx",
            ".ts",
            ".mts",
            ".cts",
            ".tsx",
            ".sh",
            ".bash",
            ".zsh",
        ),
        *(
            ".fish",
            ".ksh",
            ".command",
            ".ps1",
            ".psm1",
            ".psd1",
            ".bat",
            ".cmd",
            ".vbs",
            ".wsf",
            ".hta",
            ".rb",
        ),
        *(".pl", ".pm", ".php", ".lua", ".go", ".rs", ".swift", ".kt", ".java", ".scala", ".cs", ".c", ".h"),
        *(".cc", ".cpp", ".hpp", ".r", ".jl", ".applescript", ".scpt", ".awk", ".service", ".plist", ".reg"),
    }
)
_DATA: Final = frozenset(
    {
        *(
            ".json",
            ".json5",
            ".jsonl",
            ".yaml",
            ".yml",
            ".toml",
            ".ini",
            ".cfg",
            ".conf",
            ".env",
            ".xml",
            ".csv",
        ),
        *(".tsv", ".html", ".htm", ".xhtml", ".css", ".ipynb", ".sql", ".desktop", ".url", ".webloc", ".tf"),
    }
)
_SAMPLE: Final = 8192


def kind_of(file: PackageFile) -> str | None:
    """One of :data:`generator.judge.scan.rules.KINDS`, or None for a file that is not text.

    Known suffixes decide alone, so that no byte in a ``.sh`` or ``.md`` makes it uninteresting. Of the others,
    whatever a shell would run is code, and files without a NUL near their start are text in
    whatever encoding.
    """
    name = file.path.rpartition("/")[2].lower()
    stem, dot, suffix = name.rpartition(".")
    suffix = dot + suffix if stem else ""
    if suffix in _MARKDOWN:
        return "markdown"
    if suffix in _CODE:
        return "code"
    if name == "package.json":
        return "manifest"
    if suffix == ".svg":
        return "svg"
    if suffix in _DATA:
        return "data"
    if file.data.startswith(b"#!"):
        return "code"
    if b"\0" in file.data[:_SAMPLE]:
        return None
    if file.executable:
        return "code"
    return "data" if suffix else "markdown"
