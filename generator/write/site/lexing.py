"""Pygments' grammars with one match a token.

Pygments tries the rules of a state one after another, about twenty matches for each token, and that was a third
of a whole build. Here the rules of a state are one pattern, ``(?:rule 1)()|(?:rule 2)()|...``: an alternation takes
the first branch that matches, as Pygments takes the first rule, and the empty group behind a rule is the last one
to close, so ``lastindex`` names the rule. The tokens are Pygments' own, one for one.

A lexer also compiles its rules when they are first needed; Pygments compiles those of all states at once, which for
some languages takes as long as to colour a hundred skills.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count
from types import new_class
from typing import Any, ClassVar, NamedTuple, cast

from pygments.lexer import Lexer, RegexLexer, RegexLexerMeta
from pygments.lexers import find_lexer_class_by_name
from pygments.token import Error, Whitespace, _TokenType
from pygments.util import Future

Token = tuple[int, _TokenType, str]
"""Where it starts, its kind, its text."""
Matcher = Callable[[str, int], "re.Match[str] | None"]
Action = Callable[[Lexer, "re.Match[str]"], Iterable[Token]]
"""Makes the tokens of a match: its groups, or another language inside."""
Jump = tuple[str, ...] | int | str | None
"""What a rule does to the stack of states: names to push, how many to pop (negative), ``#push``, or nothing."""
Rule = tuple["LazyPattern | Matcher", "_TokenType | Action | None", Jump]
"""One rule of a state, as Pygments keeps it. The pattern of a rule that only jumps is an empty one, and compiled."""

_LEADING_FLAGS = re.compile(r"\(\?([aiLmsux]+)\)")
_FLAGS = {
    "i": re.IGNORECASE,
    "m": re.MULTILINE,
    "s": re.DOTALL,
    "x": re.VERBOSE,
    "a": re.ASCII,
    "u": re.UNICODE,
    "L": re.LOCALE,
}
_SCOPED_FLAGS = "ims"
"""Those that can be set and unset for a part of a pattern; the comments of ``x`` may hold anything."""
_REFERENCE = re.compile(r"\\[1-9]")
_NOT_RENAMED = re.compile(r"\\[1-9][0-9]{2}|\(\?\(|\(\?P=")
"""An octal escape, a condition, or a reference by name."""
_GROUPS = re.compile(
    r"(\[\^?\]?(?:\\.|[^\]\\])*\]|\\[^1-9])|\\([1-9][0-9]?)|\((?:\?P<\w+>|(?!\?))", re.DOTALL
)
"""A character class or an escape, which are stepped over; a reference; or the start of a capturing group."""
_LONGEST_WIDE_PATTERN = 200
"""Characters. Classes of all the letters there are take longer to compile than they save."""
_NEVER = re.compile("(?!)")


class LazyPattern:
    """What a rule matches, compiled when it is first tried alone."""

    __slots__ = ("_compiled", "_regex", "flags")

    def __init__(self, regex: str | Future, flags: int) -> None:
        self._regex = regex
        self.flags = flags
        self._compiled: re.Pattern[str] | None = None

    @property
    def source(self) -> str:
        """The pattern as text; lists of words are turned into one here."""
        if isinstance(self._regex, Future):
            self._regex = cast(str, self._regex.get())
        return self._regex

    @property
    def compiled(self) -> re.Pattern[str]:
        """The pattern by itself."""
        if self._compiled is None:
            self._compiled = re.compile(self.source, self.flags)
        return self._compiled

    def __call__(self, text: str, position: int) -> re.Match[str] | None:
        """What Pygments keeps in a rule: a function that matches."""
        return self.compiled.match(text, position)


class LazyLexerMeta(RegexLexerMeta):
    """Reads the grammar of a lexer class without compiling it. Pygments' profiler hooks in at the same place."""

    def _process_regex(cls, regex: str | Future, rflags: int, state: str) -> LazyPattern:  # noqa: ARG002, N805
        return LazyPattern(regex, rflags)


class Segment(NamedTuple):
    """Neighbouring rules as one pattern: ``rules`` has each rule at the number of its last group, the marker."""

    match: Matcher
    rules: Sequence[Rule]


class State(NamedTuple):
    """All rules of a state: the first segment, taken apart, and those tried where it does not match."""

    match: Matcher
    rules: Sequence[Rule]
    others: Sequence[Segment]


class MergedLexer(RegexLexer, metaclass=LazyLexerMeta):
    """Mixed into a lexer's class, behind it: ``RegexLexer``'s loop over merged states."""

    _tokens: ClassVar[dict[str, list[Rule]]]
    _merged: ClassVar[dict[str, State]]

    def get_tokens_unprocessed(self, text: str, stack: Iterable[str] = ("root",)) -> Iterator[Token]:
        """The same tokens as those of ``RegexLexer`` in Pygments 2.21."""
        merged = self._merged
        states = list(stack)
        match, rules, others = merged.get(states[-1]) or self._merge_state(states[-1])
        position = 0
        while True:
            found = match(text, position)
            if found is not None:
                rule = rules[found.lastindex or 0]
            else:
                for other_match, other_rules in others:
                    found = other_match(text, position)
                    if found is not None:
                        rule = other_rules[found.lastindex or 0]
                        break
            if found is None:
                if position >= len(text):
                    return
                if text[position] != "\n":
                    yield position, Error, text[position]
                    position += 1
                    continue
                yield position, Whitespace, "\n"
                position += 1
                states = ["root"]
            else:
                alone, action, jump = rule
                if isinstance(action, _TokenType):
                    yield position, action, found.group()
                elif action is not None:
                    # The groups of a rule are lost in the merged pattern.
                    again = alone(text, position)
                    if again is not None:
                        yield from action(self, again)
                position = found.end()
                if jump is None:
                    continue
                _jump(states, jump)
            match, rules, others = merged.get(states[-1]) or self._merge_state(states[-1])

    def _merge_state(self, name: str) -> State:
        state = self._merged[name] = merge_rules(self._tokens[name])
        return state


def make_lexer(name: str) -> Lexer:
    """The lexer of the language ``name``: Pygments' own, or one that makes the same tokens in less time.

    Its own where the language's lexer is no ``RegexLexer`` or does something else around its loop.
    """
    kind: Any = find_lexer_class_by_name(name)
    if kind.get_tokens_unprocessed is not RegexLexer.get_tokens_unprocessed:
        return cast(Lexer, kind())
    # A class, because rules call back into their lexer and make new ones from its class.
    quick = new_class(
        kind.__name__, (kind, MergedLexer), exec_body=lambda members: members.update(_merged={})
    )
    return cast(Lexer, quick())


def _jump(states: list[str], jump: tuple[str, ...] | int | str) -> None:
    if isinstance(jump, tuple):
        for state in jump:
            if state == "#push":
                states.append(states[-1])
            elif state != "#pop":
                states.append(state)
            elif len(states) > 1:
                states.pop()
    elif isinstance(jump, int):
        # The first state stays, whatever the text pops.
        del states[1 if abs(jump) >= len(states) else jump :]
    else:
        states.append(states[-1])


def merge_rules(rules: Sequence[Rule]) -> State:
    """A state that matches what ``rules`` match when they are tried one after another."""
    segments: list[Segment] = []
    together: list[tuple[Rule, str, int]] = []
    flags = next((_flags(rule[0]) for rule in rules if isinstance(rule[0], LazyPattern)), 0)
    for number, rule in enumerate(rules):
        branch = _make_branch(rule[0], flags, f"r{number}_")
        if branch is not None:
            together.append((rule, *branch))
            continue
        segments += _merge(together, flags)
        segments.append(_leave_alone(rule))
        together = []
    segments += _merge(together, flags)
    match, table = segments[0] if segments else (_NEVER.match, ())
    return State(match, table, segments[1:])


def _merge(together: Sequence[tuple[Rule, str, int]], flags: int) -> list[Segment]:
    if len(together) > 1:
        table = [together[0][0]]
        for rule, _, groups in together:
            table += [rule] * (groups + 1)
        merged = re.compile("|".join(branch for _, branch, _ in together), flags)
        if merged.groups + 1 == len(table):
            return [Segment(merged.match, tuple(table))]
    return [_leave_alone(rule) for rule, _, _ in together]


def _leave_alone(rule: Rule) -> Segment:
    pattern = _compile(rule[0])
    return Segment(pattern.match, (rule,) * (pattern.groups + 1))


def _compile(pattern: LazyPattern | Matcher) -> re.Pattern[str]:
    return pattern.compiled if isinstance(pattern, LazyPattern) else cast(Any, pattern).__self__


def _flags(pattern: LazyPattern) -> int:
    leading = _LEADING_FLAGS.match(pattern.source)
    return pattern.flags | sum(_FLAGS[letter] for letter in set(leading[1] if leading else ""))


def _make_branch(pattern: LazyPattern | Matcher, flags: int, prefix: str) -> tuple[str, int] | None:
    """``pattern`` as a branch among others compiled with ``flags``, and how many groups it has before its marker.

    Groups that capture hide from ``re`` with which characters a branch can begin, so there are none but those of a
    pattern with references, which get names with ``prefix``. None where a pattern has to stay alone: its groups
    cannot be renamed, its flags cannot be set for a part of a pattern, or it costs too much to be compiled twice.
    """
    if not isinstance(pattern, LazyPattern):
        return None if _compile(pattern).pattern else ("(?:)()", 0)
    source = (
        _LEADING_FLAGS.sub("", pattern.source, count=1) if pattern.source.startswith("(?") else pattern.source
    )
    wanted = _flags(pattern)
    changed = {letter: bool(wanted & flag) for letter, flag in _FLAGS.items() if (wanted ^ flags) & flag}
    if wanted & re.VERBOSE or not changed.keys() <= set(_SCOPED_FLAGS) or _NOT_RENAMED.search(source):
        return None
    if len(source) > _LONGEST_WIDE_PATTERN and not source.isascii():
        return None
    named = bool(_REFERENCE.search(source))
    number = count(1)

    def rename(found: re.Match[str]) -> str:
        if found[2]:
            return f"(?P={prefix}{found[2]})"
        return found[1] or (f"(?P<{prefix}{next(number)}>" if named else "(?:")

    source = _GROUPS.sub(rename, source)
    added = "".join(letter for letter, on in changed.items() if on)
    removed = "".join(letter for letter, on in changed.items() if not on)
    return f"(?{added}{'-' if removed else ''}{removed}:{source})()", next(number) - 1
