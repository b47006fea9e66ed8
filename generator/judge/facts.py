"""Every fact about a skill that can matter to a host: found once here, judged in each host's data file.

A fact says what is so, never what a host makes of it. ``codes`` are the finding codes that tell the author
about it: the verdict names those that were really found, else the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from generator.judge.factinfo import CLOSING_CODES, FENCE_CODES, YAML_CODES, FactInfo

FACTS: Final[Mapping[str, FactInfo]] = MappingProxyType(
    {
        # Where the skill lies and what its files are.
        "manifest-missing": FactInfo(
            "The folder holds no SKILL.md in any spelling.", ("frontmatter-missing",), "files"
        ),
        "manifest-other-case": FactInfo(
            "The file is spelt in other capitals than the host opens.",
            ("skill-md-missing-exact-name",),
            "files",
            ("file",),
        ),
        "manifest-link": FactInfo(
            "SKILL.md is a symbolic link.", ("skill-md-not-regular", "link-or-unsafe-path"), "files"
        ),
        "folder-link": FactInfo(
            "The skill's folder is a symbolic link.",
            ("symlink-skipped", "link-or-unsafe-path"),
            "files",
        ),
        "manifest-hard-link": FactInfo(
            "SKILL.md is a hard link: the file has another name too.", ("link-or-unsafe-path",), "files"
        ),
        "package-link": FactInfo(
            "The package holds a symbolic link.",
            ("symlink-skipped", "link-or-unsafe-path"),
            "files",
            ("file",),
        ),
        "manifest-too-large": FactInfo(
            "SKILL.md has more bytes than the host reads.",
            ("skill-md-too-large",),
            "size",
            ("length", "limit"),
        ),
        "package-over-limits": FactInfo(
            "The package has more files or bytes than the host takes.",
            ("package-budget", "package-too-large", "package-too-many-files"),
            "size",
            ("what", "length", "limit"),
        ),
        "folder-too-deep": FactInfo(
            "The folder lies deeper below the folder of skills than the host looks.",
            ("place-too-deep",),
            "place",
            ("length", "limit"),
        ),
        "folder-hidden": FactInfo(
            "The folder, or one above it, has a name that starts with a dot.",
            ("place-hidden",),
            "place",
            ("part",),
        ),
        "folder-skipped": FactInfo(
            "The folder lies in one that the host never looks into.", ("place-skipped",), "place", ("part",)
        ),
        "skill-nested": FactInfo(
            "The folder lies inside another skill.", ("nested-skill-md",), "place", ("inside",)
        ),
        "folder-name-form": FactInfo(
            "The folder's name does not have the form the host asks for.",
            ("name-directory-mismatch", "name-invalid-format"),
            "place",
            ("pattern",),
        ),
        # Bytes and fences.
        "not-utf8": FactInfo(
            "The file holds bytes that are not UTF-8.",
            ("encoding-not-utf8-or-control-char", "body-not-utf8"),
            "encoding",
        ),
        "fence-missing": FactInfo("The host sees no opening line of a front matter.", FENCE_CODES, "fences"),
        "fence-program": FactInfo(
            "The opening line says that the front matter is JavaScript.",
            ("frontmatter-program",),
            "fences",
        ),
        "fence-open": FactInfo("The host sees no closing line of the front matter.", CLOSING_CODES, "fences"),
        "beyond-prefix": FactInfo(
            "The front matter ends behind the part of the file that the host looks at.",
            ("skill-md-too-large",),
            "fences",
            ("length", "limit"),
        ),
        # YAML.
        "yaml-refused": FactInfo(
            "The host's YAML library refuses the front matter.", YAML_CODES, "yaml", ("message", "line")
        ),
        "yaml-escapes": FactInfo(
            "The host's YAML library fails with an error that is no YAML error.",
            YAML_CODES,
            "yaml",
            ("message", "line"),
        ),
        "yaml-repaired": FactInfo(
            "The host's YAML library refuses the front matter, and the host repairs it.",
            YAML_CODES,
            "yaml",
            ("message", "line"),
        ),
        "lines-read": FactInfo(
            "The host reads the front matter line by line, since it is no YAML that it can use.",
            YAML_CODES,
            "yaml",
        ),
        "frontmatter-not-mapping": FactInfo(
            "The front matter is not made of keys and values.",
            ("frontmatter-not-mapping", "frontmatter-empty", "yaml-syntax"),
            "yaml",
            ("kind",),
        ),
        "key-twice": FactInfo(
            "A key that must be unique is written twice.", ("yaml-duplicate-key",), "yaml", ("keys",)
        ),
        "key-unknown": FactInfo(
            "There are top-level keys that the host does not accept.",
            ("unknown-frontmatter-key",),
            "keys",
            ("keys",),
        ),
        # Name.
        "name-missing": FactInfo("There is no name.", ("name-missing",), "name"),
        "name-empty": FactInfo("The name is empty.", ("name-missing",), "name"),
        "name-null": FactInfo("Nothing stands behind name:.", ("name-missing",), "name"),
        "name-padded": FactInfo(
            "Blanks stand at the start or end of the name.", ("name-invalid-format",), "name"
        ),
        "name-not-text": FactInfo(
            "The name is not a text for the host.",
            ("yaml-implicit-type", "name-invalid-format"),
            "name",
            ("kind",),
        ),
        "name-too-long": FactInfo(
            "The name is longer than the host accepts.", ("name-invalid-format",), "name", ("length", "limit")
        ),
        "name-form": FactInfo(
            "The name does not have the form the host asks for.",
            ("name-invalid-format",),
            "name",
            ("problem",),
        ),
        "name-not-folder": FactInfo(
            "The name differs from the folder's name.", ("name-directory-mismatch",), "name"
        ),
        "name-reserved": FactInfo(
            "The name contains a word that the host keeps for itself.",
            ("name-reserved-or-protected",),
            "name",
            ("word",),
        ),
        "name-slash": FactInfo(
            "The name cannot be called as a slash command.",
            ("name-reserved-or-protected", "name-invalid-format"),
            "name",
        ),
        "name-changed": FactInfo(
            "The host calls the skill something else than its name says.",
            ("name-invalid-format", "name-directory-mismatch"),
            "name",
            ("shown",),
        ),
        # Description.
        "description-missing": FactInfo("There is no description.", ("description-empty",), "description"),
        "description-empty": FactInfo("The description is empty.", ("description-empty",), "description"),
        "description-null": FactInfo(
            "Nothing stands behind description:.", ("description-empty",), "description"
        ),
        "description-not-text": FactInfo(
            "The description is not a text for the host.",
            ("yaml-implicit-type", "field-wrong-type", "description-empty"),
            "description",
            ("kind",),
        ),
        "description-too-long": FactInfo(
            "The description is longer than the host accepts.",
            ("description-too-long",),
            "description",
            ("length", "limit"),
        ),
        "description-markup": FactInfo(
            "The description holds < or >.", ("description-markup-or-invisible",), "description"
        ),
        "lost-comment": FactInfo(
            "What follows ' #' in the description is a comment for the host.",
            ("yaml-comment-truncation",),
            "description",
            ("tail",),
        ),
        "lost-dashes": FactInfo(
            "The host ends the front matter at --- inside the description.",
            ("frontmatter-contains-triple-dash",),
            "description",
            ("tail",),
        ),
        "lost-tail": FactInfo(
            "The host shows only the first characters of the description.",
            ("description-too-long",),
            "description",
            ("length", "limit"),
        ),
        "lost-invisible": FactInfo(
            "The host replaces invisible characters of the description.",
            ("description-markup-or-invisible",),
            "description",
        ),
        "lost-bytes": FactInfo(
            "The host shows replacement characters in place of bytes that are not UTF-8.",
            ("encoding-not-utf8-or-control-char",),
            "description",
        ),
        "lost-controls": FactInfo(
            "The host shows control characters of the description.",
            ("encoding-not-utf8-or-control-char",),
            "description",
        ),
        "lost-first": FactInfo(
            "The description is written twice, and the host shows one of the two.",
            ("yaml-duplicate-key",),
            "description",
        ),
        "lost-structure": FactInfo(
            "The description is a list or a mapping, and the host shows it as text.",
            ("field-wrong-type", "description-empty"),
            "description",
        ),
        "lost-invented": FactInfo(
            "The host shows something else in place of the description.",
            ("description-empty", *FENCE_CODES, *CLOSING_CODES, *YAML_CODES),
            "description",
            ("shown",),
        ),
        "lost-all": FactInfo(
            "The host shows no description.",
            ("description-empty", *FENCE_CODES, *CLOSING_CODES, *YAML_CODES),
            "description",
        ),
        "lost-other": FactInfo(
            "The host shows another description than was written.",
            (
                *YAML_CODES,
                "yaml-implicit-type",
                "yaml-comment-truncation",
                "frontmatter-contains-triple-dash",
            ),
            "description",
            ("shown",),
        ),
        # Other keys.
        "compatibility-not-text": FactInfo(
            "compatibility is not a text.", ("field-wrong-type",), "keys", ("kind",)
        ),
        "compatibility-too-long": FactInfo(
            "compatibility is longer than the host accepts.",
            ("compatibility-too-long", "field-wrong-type"),
            "keys",
            ("length", "limit"),
        ),
        "metadata-not-mapping": FactInfo(
            "metadata is not made of keys and values.", ("metadata-not-mapping",), "gates", ("kind",)
        ),
        "short-description-not-text": FactInfo(
            "metadata.short-description is a list or a mapping.", ("field-wrong-type",), "keys", ("kind",)
        ),
        "tools-not-list": FactInfo(
            "allowed-tools is not a list.", ("allowed-tools-shape",), "tools", ("kind",)
        ),
        "tools-bad-item": FactInfo(
            "allowed-tools holds something that is no text, or an empty one.",
            ("allowed-tools-shape",),
            "tools",
        ),
        "tools-empty": FactInfo("allowed-tools is an empty list.", ("allowed-tools-empty",), "tools"),
        "secrets-not-list": FactInfo(
            "required-secrets is not a list.", ("gate-wrong-type",), "gates", ("kind",)
        ),
        "secrets-flag-not-boolean": FactInfo(
            "secrets-autonomous is neither true nor false.", ("gate-wrong-type",), "gates", ("kind",)
        ),
        "body-empty": FactInfo("Nothing stands below the front matter.", ("body-empty",), "body"),
        "body-cut": FactInfo(
            "SKILL.md has more characters than the host hands to the model.",
            ("skill-md-too-large",),
            "size",
            ("length", "limit"),
        ),
        "hidden-from-model": FactInfo("disable-model-invocation is on.", ("invocation-disabled",), "gates"),
        "hidden-from-user": FactInfo("user-invocable is off.", ("invocation-disabled",), "gates"),
        "hidden-from-all": FactInfo(
            "disable-model-invocation is on and user-invocable is off.", ("invocation-disabled",), "gates"
        ),
        "waits-for-paths": FactInfo(
            "paths: names files that must be touched first.", ("invocation-conditional",), "gates"
        ),
        "internal": FactInfo("metadata.internal is true.", ("invocation-disabled",), "gates"),
        "other-platform": FactInfo(
            "platforms: does not name Linux, where verdicts are taken.",
            ("platform-gate",),
            "gates",
            ("keys",),
        ),
        "other-environment": FactInfo(
            "environments: names only surroundings that are not there.",
            ("platform-gate",),
            "gates",
            ("keys",),
        ),
        "bins-text": FactInfo(
            "requires.bins or requires.env is a text, not a list.", ("gate-wrong-type",), "gates", ("keys",)
        ),
        "always-text": FactInfo("always: is a text.", ("gate-wrong-type",), "gates"),
        "tags-text": FactInfo(
            "tags: is a text, not a list.", ("field-wrong-type", "gate-wrong-type"), "keys"
        ),
        "tags-form": FactInfo(
            "A tag does not have the form the host keeps.", ("field-wrong-type",), "keys", ("keys",)
        ),
        # Beside other skills.
        "name-taken": FactInfo(
            "Another skill of the collection has the same name for the host.",
            ("name-collision-in-registry",),
            "collisions",
            ("other",),
        ),
    }
)
"""Every fact id: what it says, the findings behind it, its family, the words its reasons may be filled with."""

ALWAYS_FILLED: Final = ("folder", "name")
"""Placeholders that every reason may hold."""
