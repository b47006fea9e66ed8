"""What an overlay comes to for one skill and its releases. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from generator.history.overlay.model import (
    Overlay,
    ReleaseStanding,
    Review,
    ReviewedHit,
    Ruling,
    SkillKey,
    Standing,
    Tag,
)
from generator.history.overlay.refs import show_key
from generator.history.overlay.settling import Reviews, Settled, overlay_finding
from generator.model import Finding, Release, ScanReport, ScanVerdict, Sha256, Version
from generator.versions import newest_first

LATEST: Final = "latest"
_HITS_PER_PACKAGE: Final = 100  # generator/judge/scan/scanner.py cuts its list there, the worst first
_RANK: Final = {ScanVerdict.ALLOW: 0, ScanVerdict.WARN: 1, ScanVerdict.ERROR: 2, ScanVerdict.BLOCK: 3}


def stand(ruling: Ruling, releases: Iterable[Release], reviews: Reviews) -> Standing:
    """What holds for a skill and each of its releases. ``releases`` may be in any order."""
    by_version = {release.version: stand_release(ruling, release, reviews) for release in releases}
    pinned = {tag.name: tag.version for tag in ruling.tags}
    eligible = [one.version for one in by_version.values() if one.eligible]
    latest = newest_first(eligible)[0] if eligible else None
    if pinned.get(LATEST) in eligible:
        latest = pinned[LATEST]
    tags = {name: version for name, version in pinned.items() if version in eligible}
    if latest is not None:
        tags[LATEST] = latest
    order = _order(by_version, latest)
    return Standing(
        ruling=ruling,
        releases=tuple(by_version[version] for version in order),
        latest=latest,
        tags=tuple(Tag(name, version) for name, version in sorted(tags.items())),
    )


def stand_release(ruling: Ruling, release: Release, reviews: Reviews) -> ReleaseStanding:
    """What holds for one release."""
    verdict, reviewed = review_report(release, reviews)
    return ReleaseStanding(
        version=release.version,
        verdict=verdict,
        yanked=next((one.reason for one in ruling.yanked if one.version == release.version), None),
        # The order about this very version says more than the one about all.
        quarantined=next(
            (
                one.reason
                for wanted in (release.version, None)
                for one in ruling.quarantined
                if one.version == wanted
            ),
            None,
        ),
        reviewed=reviewed,
    )


def order_releases(releases: Iterable[Release], standing: Standing) -> tuple[Release, ...]:
    """The releases as writers list them: first what an installer gets, the rest it may have newest first (stable
    versions and pre-releases by precedence), then what is yanked, then what is not given out."""
    by_version = {release.version: release for release in releases}
    return tuple(by_version[one.version] for one in standing.releases)


def _order(by_version: Mapping[Version, ReleaseStanding], latest: Version | None) -> list[Version]:
    classes: tuple[list[Version], list[Version], list[Version]] = ([], [], [])
    for version, one in by_version.items():
        classes[0 if one.eligible else 1 if one.servable else 2].append(version)
    ordered = [version for versions in classes if versions for version in newest_first(versions)]
    # A pinned one comes first, whatever its number.
    return sorted(ordered, key=lambda version: version != latest)


def review_report(release: Release, reviews: Reviews) -> tuple[ScanVerdict, tuple[ReviewedHit, ...]]:
    """The scan's verdict once reviewed hits count as allowed, and those hits.

    Only hits can be reviewed: what was not examined stays WARN and a scan that did not finish stays ERROR. A verdict
    that the report's hits do not explain stays as it is.
    """
    scan = release.scan
    if not reviews or not scan.hits:
        return scan.verdict, ()
    digests = {str(file.path): file.sha256 for file in release.files}
    reviewed: list[ReviewedHit] = []
    open_levels = [ScanVerdict.ALLOW, *_levels_without_hits(scan)]
    for hit in scan.hits:
        digest = digests.get(hit.path)
        note = reviews.get((hit.rule, digest)) if digest is not None else None
        if note is None:
            open_levels.append(hit.level)
        else:
            reviewed.append(ReviewedHit(hit, note))
    explained = max((*open_levels, *(one.hit.level for one in reviewed)), key=_RANK.__getitem__)
    if _RANK[explained] < _RANK[scan.verdict]:
        return scan.verdict, tuple(reviewed)
    return max(open_levels, key=_RANK.__getitem__), tuple(reviewed)


def _levels_without_hits(scan: ScanReport) -> Iterator[ScanVerdict]:
    if scan.skipped:
        yield ScanVerdict.WARN
    if scan.error is not None:
        yield ScanVerdict.ERROR
    if len(scan.hits) >= _HITS_PER_PACKAGE:
        # What was cut off is no worse than the last that is listed, and nobody has looked into it.
        yield scan.hits[-1].level


def tag_findings(
    overlay: Overlay, key: SkillKey, standing: Standing, settled: Settled
) -> tuple[Finding, ...]:
    """The pins of a skill that cannot be: the version exists and may not be chosen."""
    found: list[Finding] = []
    for pin in overlay.tags:
        one = standing.of(pin.version) if settled.address_of(pin.skill) == key else None
        if one is not None and not one.eligible:
            why = (
                "quarantined"
                if one.quarantined is not None
                else "blocked by the scan"
                if not one.servable
                else "yanked"
            )
            instead = f"; {pin.tag} is {standing.latest}" if pin.tag == LATEST and standing.latest else ""
            found.append(
                overlay_finding(
                    "overlay-tag-unavailable", pin.place,
                    f"tags: {pin.tag} of {show_key(pin.skill)} cannot be {pin.version}, which is {why}{instead}",
                    "Pin another version, or remove the pin",
                )
            )  # fmt: skip
    return tuple(found)


def used_reviews(standing: Standing) -> tuple[tuple[str, Sha256], ...]:
    """The reviews, by rule and file, that a hit of a skill needs; sorted."""
    used = {(one.review.rule, one.review.sha256) for release in standing.releases for one in release.reviewed}
    return tuple((rule, Sha256(digest)) for rule, digest in sorted(used))


def void_reviews(reviews: Iterable[Review], used: Collection[tuple[str, Sha256]]) -> tuple[Finding, ...]:
    """The reviews that no hit needs: the file has changed, or the rule no longer matches it."""
    return tuple(
        overlay_finding(
            "overlay-review-void", review.place,
            f"reviews: no release has a file with sha256 {review.sha256[:12]}... in which {review.rule} matches",
            "Remove the review, or review the file as it is now",
        )
        for review in reviews
        if (review.rule, review.sha256) not in used
    )  # fmt: skip
