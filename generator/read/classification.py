"""Topics, category and DeepTutor's education taxonomy.

The tokens are those DeepTutor 1.6.15 offers when it publishes a skill (``services/skill/taxonomy.py``); its
hub refuses any other, so a value that is not in the lists is left out with a finding.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.model import Taxonomy
from generator.read.fields import Notes, Place, Spelled, fold, look_up, texts_of, wrong_type
from generator.read.nodes import MappingNode, ScalarNode

TRACKS: Final = frozenset({"academics", "companions", "skills-interests", "educators"})
LANGUAGES: Final = frozenset({"zh", "en", "ja", "other"})
STAGES: Final = frozenset({"preschool", "primary", "junior-high", "senior-high", "university", "adult"})
FORMS: Final = frozenset(
    {"tutor", "practice", "feedback", "assessment", "planning", "companion", "tool", "reference"}
)
AUDIENCES: Final = frozenset({"learner", "teacher", "parent"})
_DOMAIN_TREE: Final = {
    "lang-lit": "chinese english japanese korean french german spanish other-lang reading",
    "math": "arithmetic algebra geometry calculus statistics competition logic",
    "science": "physics chemistry biology earth-astro",
    "computing": "programming software data-science ai security oi",
    "humanities": "history geography civics philosophy psychology economics law",
    "arts": "music-theory instruments vocal painting calligraphy design photography creative-writing",
    "general": "speaking debate writing info-literacy memory",
    "business": "office data-analysis media management finance career",
    "life": "cooking fitness crafts games personal-finance life-skills",
    "wellbeing": "mind mindfulness parenting communication",
    "engineering": "robotics electronics printing-3d drones",
}
DOMAINS: Final = frozenset(
    {
        *_DOMAIN_TREE,
        *(f"{top}.{child}" for top, children in _DOMAIN_TREE.items() for child in children.split()),
    }
)

_TOPIC_KEYS: Final = ("tags", "topics", "keywords")
_MULTIPLE: Final = (
    ("domains", ("domains", "domain"), DOMAINS),
    ("stages", ("stages", "stage"), STAGES),
    ("forms", ("forms", "form"), FORMS),
    ("audiences", ("audiences", "audience"), AUDIENCES),
)
_ALL_KEYS: Final = frozenset(
    {"track", "language", "taxonomy", *(key for _, keys, _ in _MULTIPLE for key in keys)}
)


def read_topics(notes: Notes, places: Sequence[Place]) -> tuple[str, ...]:
    """Tags, topics and keywords of all places merged in written order, each once whatever its case."""
    seen: dict[str, str] = {}
    for spelled in look_up(places, _TOPIC_KEYS):
        for topic in texts_of(notes, spelled):
            seen.setdefault(topic.casefold(), topic)
    return tuple(seen.values())


def read_taxonomy(notes: Notes, front: Place, metadata: Place | None) -> Taxonomy:
    """The taxonomy from the front matter, then ``metadata``, then a ``taxonomy`` mapping in either."""
    places: list[Place] = []
    for place in (front, metadata):
        # Nearly every skill has none of these keys.
        if place is None or place.root.index.keys().isdisjoint(_ALL_KEYS):
            continue
        places.append(place)
        inner = place.root.index.get("taxonomy")
        if isinstance(inner, MappingNode):
            places.append(Place(inner, place.path, place.file, f"{place.prefix}taxonomy."))
    if not places:
        return Taxonomy()
    many = {name: _tokens(notes, places, keys, allowed) for name, keys, allowed in _MULTIPLE}
    return Taxonomy(
        track=_token(notes, places, "track", TRACKS),
        language=_token(notes, places, "language", LANGUAGES),
        domains=many["domains"],
        stages=many["stages"],
        forms=many["forms"],
        audiences=many["audiences"],
    )


def _token(notes: Notes, places: Sequence[Place], key: str, allowed: frozenset[str]) -> str | None:
    for spelled in look_up(places, (key,)):
        if not isinstance(spelled.node, ScalarNode):
            wrong_type(notes, spelled, "one word")
            continue
        token = fold(spelled.node.value).lower()
        if token in allowed:
            return token
        _tell_unknown(notes, spelled, token, allowed)
    return None


def _tokens(
    notes: Notes, places: Sequence[Place], keys: Sequence[str], allowed: frozenset[str]
) -> tuple[str, ...]:
    for spelled in look_up(places, keys):
        tokens = tuple(dict.fromkeys(t.lower() for t in texts_of(notes, spelled)))
        for token in tokens:
            if token not in allowed:
                _tell_unknown(notes, spelled, token, allowed)
        return tuple(t for t in tokens if t in allowed)
    return ()


def _tell_unknown(notes: Notes, spelled: Spelled, token: str, allowed: frozenset[str]) -> None:
    # The domains' children are too many to list; the tops say where to look.
    offered = ", ".join(sorted(t for t in allowed if "." not in t))
    notes.add(
        "taxonomy-unknown",
        spelled.place.path,
        spelled.node,
        f"{spelled.label} says {token[:40]!r}, which is not in the taxonomy",
        f"Use one of: {offered}.",
    )
