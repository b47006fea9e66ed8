"""Where GitHub gives out the very files of a skill, so that installers can fetch them there.

Hosts of plain files cannot answer what ``clawhub`` and OpenClaw ask before they take an archive from a hub. Both also
accept a repository, a commit and a folder of GitHub, whose own archive of that commit they then unpack (measured with
clawhub 0.20.0 and 0.23.3, OpenClaw 2026.9.6). That is offered only where the folder holds exactly what was read and
scanned: no file that was left out, and nothing that GitHub's archives change (``export-ignore``, ``export-subst``).
"""

from __future__ import annotations

import re

from generator.model import Handoff, Package, Sha256
from generator.read.sources.git.github import GitHubPlace
from generator.read.sources.git.objects import Damage, Objects

_COMMIT = re.compile(r"[0-9a-f]{40}")
_PATH = re.compile(r"[A-Za-z0-9._/ -]+")
_ATTRIBUTES = ".gitattributes"
_MOST_ATTRIBUTES = 100_000
_CHANGING = re.compile(rb"export-ignore|export-subst|filter|working-tree-encoding|ident|eol|text|crlf")


def make_handoff(place: GitHubPlace, folder: str, commit: str, content_hash: Sha256) -> Handoff | None:
    """The handoff of the skill in ``folder`` of the source, None where clients would refuse it."""
    path = f"{place.folder}/{folder}".strip("/")
    # OpenClaw 2026.9.6 refuses the root of a repository and anything but a full commit.
    if not path or not _PATH.fullmatch(path) or not _COMMIT.fullmatch(commit):
        return None
    return Handoff(place.repository, commit, path, content_hash)


def holds_only(objects: Objects, tree: str, package: Package) -> bool:
    """Whether a tree of the repository has the files of the package and nothing else, not even a hidden one."""
    wanted = {str(file.path) for file in package.files}
    found: set[str] = set()
    stack = [("", tree)]
    while stack:
        inside, one = stack.pop()
        entries = objects.tree(one)
        if isinstance(entries, Damage):
            return False
        for entry in entries:
            path = f"{inside}/{entry.name}" if inside else entry.name
            if entry.is_tree:
                stack.append((path, entry.object_id))
            elif path in wanted and entry.is_file:
                found.add(path)
            else:
                return False
    return found == wanted


def find_archived(objects: Objects, root: str, path: str) -> str | None:
    """The tree at ``path`` of a commit's tree, if GitHub's archive of the commit holds it as it is: no
    ``.gitattributes`` above it could change anything. Those inside it :func:`holds_only` notices."""
    tree = root
    for segment in path.split("/"):
        entries = objects.tree(tree)
        if isinstance(entries, Damage):
            return None
        for entry in entries:
            if entry.name == _ATTRIBUTES:
                if not entry.is_file:
                    return None
                data = next(objects.read([entry.object_id], "blob", _MOST_ATTRIBUTES))
                if isinstance(data, Damage) or _CHANGING.search(data):
                    return None
        inner = next((entry for entry in entries if entry.name == segment and entry.is_tree), None)
        if inner is None:
            return None
        tree = inner.object_id
    return tree
