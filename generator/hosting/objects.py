"""An object store: which key each file gets, and a script that puts it there.

A key can be a document while other keys lie below it, so the documents of the API lose their file name and need no
redirect (contract/clawhub.md 7 'Details').
"""

from __future__ import annotations

from generator.hosting.facts import HubFacts
from generator.hosting.texts import RAW_POLICY, RAW_TREES
from generator.model import Cache
from generator.write.publish import ROOT_DOCUMENT, WORK_FOLDER

SCRIPT = "upload-s3.sh"
_FOLDERS_OF_DOCUMENTS = ("api/v1/", "v1/packages/", "npm/")


def object_key(path: str, naming: str) -> str:
    """The key of a file of the tree."""
    if path.startswith(_FOLDERS_OF_DOCUMENTS):
        return path.removesuffix(f"/{naming}")
    return path


def upload_script(facts: HubFacts) -> bytes:
    """A shell script that uploads the published folder with the ``aws`` command.

    What is named goes up before what names it, the root document last. Files of skills get no type that a browser
    acts on; a CDN in front should add the policy that the script names.
    """
    folders = " ".join(sorted(folder.rstrip("/") for folder in _FOLDERS_OF_DOCUMENTS))
    raw = [tree.strip("/") for tree in RAW_TREES]
    excluded = [
        f"{WORK_FOLDER}/*", "dl/*", *(f"{folder}*" for folder in _FOLDERS_OF_DOCUMENTS),
        *(f"{tree}/*" for tree in raw), "feeds/*", ROOT_DOCUMENT,
    ]  # fmt: skip
    options = " ".join(f"--exclude '{pattern}'" for pattern in excluded)
    prefix = facts.base
    return f"""#!/bin/sh
# Written by `skillpress build --hosting s3`. Upload a hub:   BUCKET=s3://name PUBLIC=public sh {SCRIPT}
#
# Let the bucket serve a website: index document index.html, error document 404.html. Allow the public to list the
# bucket (s3:ListBucket), or missing files answer 403 instead of 404. In the CDN let `Accept` and the query out of
# the cache key, allow all origins (CORS), and add to /agentskills/* and /.well-known/skills/* the header
#   Content-Security-Policy: {RAW_POLICY}
set -eu
: "${{BUCKET:?Name the bucket: BUCKET=s3://name}}"
PUBLIC="${{PUBLIC:-public}}"
TO="$BUCKET{prefix}"
KEEP='{Cache.IMMUTABLE.value}'
FRESH='{Cache.REVALIDATE.value}'

put() {{ # FILE KEY TYPE
    aws s3 cp --only-show-errors "$PUBLIC/$1" "$TO/$2" --content-type "$3" --cache-control "$FRESH"
}}

# Archives first: their names never get other bytes.
for type in zip:application/zip skill:application/zip tgz:application/gzip; do
    aws s3 sync --only-show-errors "$PUBLIC/dl" "$TO/dl" --size-only --exclude '*' --include "*.${{type%%:*}}" \\
        --content-type "${{type#*:}}" --cache-control "$KEEP"
done

# Files of skills, as they are: pictures as pictures, documents as documents, all else as plain text.
for tree in {" ".join(raw)}; do
    if [ -d "$PUBLIC/$tree" ]; then
        aws s3 sync --only-show-errors "$PUBLIC/$tree" "$TO/$tree" --exclude '*.gif' --exclude '*.jp*g' \\
            --exclude '*.png' --exclude '*.webp' --exclude '*index.json' \\
            --content-type 'text/plain; charset=utf-8' --cache-control "$FRESH"
        aws s3 sync --only-show-errors "$PUBLIC/$tree" "$TO/$tree" --exclude '*' --include '*.gif' \\
            --include '*.jp*g' --include '*.png' --include '*.webp' --include '*index.json' \\
            --cache-control "$FRESH"
    fi
done

# Documents whose name is also that of a folder: the key has no file name.
for folder in {folders}; do
    if [ -d "$PUBLIC/$folder" ]; then
        find "$PUBLIC/$folder" -type f | sort -r | while read -r file; do
            file="${{file#"$PUBLIC"/}}"
            case "$file" in
                */card/{facts.naming}) type='text/markdown; charset=utf-8' ;;
                *) type=application/json ;;
            esac
            put "$file" "${{file%/{facts.naming}}}" "$type"
        done
    fi
done

# APM asks for an archive at an address of its own and follows no redirect: the same object under that key.
if [ -d "$PUBLIC/v1/packages" ]; then
    find "$PUBLIC/dl" -type f -name '*.zip' | while read -r file; do
        file="${{file#"$PUBLIC"/dl/}}"
        owner="${{file%%/*}}"
        # A slug has no dot, and a version starts with a number and a dot.
        address="$(printf '%s' "${{file#*/}}" |
            sed 's|^\\([a-z0-9-]*\\)-\\([0-9][0-9]*\\..*\\)\\.zip$|\\1/versions/\\2/download|')"
        aws s3 cp --only-show-errors "$PUBLIC/dl/$file" "$TO/v1/packages/$owner/$address" \
            --content-type application/zip --cache-control "$KEEP"
    done
fi

if [ -d "$PUBLIC/feeds" ]; then
    aws s3 sync --only-show-errors "$PUBLIC/feeds" "$TO/feeds" \\
        --content-type 'application/atom+xml; charset=utf-8' --cache-control "$FRESH"
fi
aws s3 sync --only-show-errors "$PUBLIC" "$TO" {options} --cache-control "$FRESH"
# The root document last: it promises all the others.
put {ROOT_DOCUMENT} {ROOT_DOCUMENT} application/json
""".encode()
