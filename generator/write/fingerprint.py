"""Every identity of a release's content: ClawHub's fingerprint, GitHub's folder hash, our tree hash.

Sources: ClawHub CLI 0.23.3 ``dist/skills.js`` (``buildSkillFingerprint``, ``listSkillFiles``), 0.20.0 and
0.8.0 (``listTextFiles``), and the golden vectors made with that code in ``tests/write/data``.

A client that updates a skill hashes the files it finds on disk and asks the hub which version that is. What
it finds is not what we packed: clients leave out dot files, ``node_modules`` and whatever the ignore files of
the skill's root name; old clients list only files of known suffixes. :func:`compute_hashes` therefore
registers, beside the fingerprint of all files, one alias for each listing that an untouched install of our
archive can have. We put no ``_meta.json`` into archives (no client needs it), so no alias counts one
in unless the caller hands in the bytes of the one it ships.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Final

from generator.model import Hashes, PackageFile, PackagePath, Sha256
from generator.write.collation import CollationKey, collation_key

META_PATH: Final = PackagePath("_meta.json")
"""The file ClawHub's own server adds to every archive it serves."""

_IGNORE_FILES: Final = (".gitignore", ".clawhubignore", ".clawdhubignore")
# clawdhub 0.3 - clawhub 0.8: TEXT_FILE_EXTENSIONS of their schema package.
_WORDS_0_8: Final = (
    "md mdx txt json json5 yaml yml toml js cjs mjs ts tsx jsx py sh rb go rs swift kt java cs cpp c h hpp "
    "sql csv ini cfg env xml html css scss sass svg"
)
_SUFFIXES_0_8: Final = frozenset(_WORDS_0_8.split())
_SUFFIXES_0_20: Final = _SUFFIXES_0_8 | {"ps1", "psm1", "psd1", "r", "tsv", "conf", "properties", "dat"}
# How much of a file without a suffix clawhub 0.20 looks at to call it text.
_SAMPLE_0_20: Final = 4096


def fingerprint(rows: Iterable[tuple[str, str]]) -> Sha256:
    """ClawHub's skill fingerprint of ``(path, sha256 hex)`` rows, in any order.

    sha256 over ``path:sha256`` lines in collation order, joined with a newline, none at the end.
    """
    return _fingerprint_sorted(sorted(rows, key=lambda row: collation_key(row[0])))


def folder_hash(files: Iterable[PackageFile]) -> Sha256:
    """GitHub's folder content hash as ClawHub computes it: NUL-separated path, size and sha256 rows,
    in collation order, joined with a newline, none at the end."""
    return _folder_hash_sorted(sorted(files, key=_order))


def tree_hash(files: Iterable[PackageFile]) -> Sha256:
    """Our own content hash: sha256 over one ``mode sha256 size path`` line a file, each ended by a newline.

    Lines are in code point order of the path; ``mode`` is ``100755`` for executable files, else ``100644``;
    ``size`` is decimal bytes. Unlike the others it knows the executable bit.
    """
    lines = [
        f"{'100755' if file.executable else '100644'} {file.sha256} {len(file.data)} {file.path}\n"
        for file in sorted(files, key=lambda file: file.path)
    ]
    return _digest("".join(lines))


def compute_hashes(files: Sequence[PackageFile], *, meta: bytes | None = None) -> Hashes:
    """All hashes of one release of ``files``.

    ``meta``: the ``_meta.json`` that its archive carries besides, None (our archives) where it carries none.
    Aliases are sorted, without repeats, and never hold the fingerprint itself.
    """
    ordered = sorted(files, key=_order)
    main = _fingerprint_files(ordered)
    aliases: set[Sha256] = set()
    for listing in _listings(ordered):
        if len(listing) != len(ordered):
            aliases.add(_fingerprint_files(listing))
    if meta is not None:
        described = PackageFile(META_PATH, meta, Sha256(sha256(meta).hexdigest()))
        with_meta = sorted([*(f for f in ordered if f.path != META_PATH), described], key=_order)
        aliases.add(_fingerprint_files(with_meta))
        aliases.update(_fingerprint_files(listing) for listing in _listings(with_meta))
    aliases.discard(main)
    return Hashes(
        fingerprint=main,
        aliases=tuple(sorted(aliases)),
        folder=_folder_hash_sorted(ordered),
        tree=tree_hash(ordered),
    )


def installed_files(files: Sequence[PackageFile]) -> list[PackageFile]:
    """What clawhub 0.23 lists of an untouched install of ``files``, in the order given.

    Dot names, ``node_modules`` and what the ignore files of the root name are out (gitignore syntax, in
    any case of letters, as the npm package ``ignore`` matches).
    """
    listed = [file for file in files if _is_walked(file.path)]
    if len(listed) == len(files):
        return listed  # no dot files: so no ignore files either
    is_ignored = _ignore_rule(files)
    return listed if is_ignored is None else [file for file in listed if not is_ignored(file.path)]


def published_files(files: Sequence[PackageFile]) -> list[PackageFile]:
    """What clawhub 0.23 hashes to publish and sync: the installed files without the root's skill card."""
    return [file for file in installed_files(files) if file.path.lower() != "skill-card.md"]


def text_files_0_20(files: Sequence[PackageFile]) -> list[PackageFile]:
    """What clawhub 0.20 lists: known suffixes, and files without a suffix that look like text."""
    return [file for file in installed_files(files) if _is_text_0_20(file)]


def text_files_0_8(files: Sequence[PackageFile]) -> list[PackageFile]:
    """What clawdhub 0.3 to clawhub 0.8 list: what follows the last dot of the path is a known suffix."""
    return [file for file in installed_files(files) if file.path.rpartition(".")[2].lower() in _SUFFIXES_0_8]


def _listings(files: Sequence[PackageFile]) -> Iterable[list[PackageFile]]:
    return installed_files(files), published_files(files), text_files_0_20(files), text_files_0_8(files)


def _is_walked(path: str) -> bool:
    if path[0] != "." and "/." not in path and "node_modules" not in path:
        return True
    return not any(part.startswith(".") or part == "node_modules" for part in path.split("/"))


def _is_text_0_20(file: PackageFile) -> bool:
    name = file.path.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    if dot and stem and suffix:
        return suffix.lower() in _SUFFIXES_0_20
    sample = file.data[:_SAMPLE_0_20]
    if b"\0" in sample:
        return False
    try:
        sample.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _ignore_rule(files: Sequence[PackageFile]) -> Callable[[str], bool] | None:
    """The rule that the ignore files in the root of ``files`` make together, None where there are none."""
    by_path = {file.path: file for file in files}
    present = [by_path[PackagePath(name)] for name in _IGNORE_FILES if name in by_path]
    if not present:
        return None
    # Imported where it is needed: hardly any skill ships an ignore file, and every build starts here.
    from pathspec import GitIgnoreSpec

    lines = [line for f in present for line in f.data.decode("utf-8", "replace").lower().splitlines()]
    spec = GitIgnoreSpec.from_lines(lines)
    return lambda path: spec.match_file(path.lower())


def _order(file: PackageFile) -> CollationKey:
    return collation_key(file.path)


def _fingerprint_files(ordered: Sequence[PackageFile]) -> Sha256:
    return _fingerprint_sorted([(file.path, file.sha256) for file in ordered])


def _fingerprint_sorted(rows: Sequence[tuple[str, str]]) -> Sha256:
    return _digest("\n".join([f"{path}:{digest}" for path, digest in rows]))


def _folder_hash_sorted(ordered: Sequence[PackageFile]) -> Sha256:
    return _digest("\n".join([f"{file.path}\0{len(file.data)}\0{file.sha256}" for file in ordered]))


def _digest(text: str) -> Sha256:
    return Sha256(sha256(text.encode("utf-8")).hexdigest())
