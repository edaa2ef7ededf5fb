"""What is probably a mistake in a suite, although it can be run: `mtprobe lint`."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress

from mtprobe.errors import Place, Problem, SuiteError
from mtprobe.suite.lint_audit import audit_warnings
from mtprobe.suite.parsing.limits import read_text
from mtprobe.suite.parsing.lines import json_line, text_lines
from mtprobe.suite.parsing.tree import Tree, read_tree
from mtprobe.suite.sample import Choices, Contrast, Sample, Suite

FEW = 10  # samples of a category: with fewer, its interval says nothing
_MOST = 10  # warnings of one kind for one suite

_SLOT = re.compile(r"\{[^\W\d][\w -]*\}")
_SPACES = re.compile(r"\s{2,}|[\t\n]")
# Text without quotes, then a # with a space before it and none behind it.
_CUT_OFF = re.compile(r"^\s*(?:-\s+)*(?:[\w-]+:\s+)?[^\"'#\s{\[][^\"'#]*\s(?P<rest>#\w.*)$")


def warnings(suite: Suite) -> Iterator[Problem]:
    """What is probably not meant, one kind after the other; no more than some of each."""
    tree = read_tree(suite.path)
    for kind in (
        _small_categories(suite, tree),
        _unused_slots(tree),
        _expired(suite),
        _cut_off(suite),
        _doubled_keys(suite),
        _lost_words(suite),
        _shared_cues(suite, tree),
        _shared_evidence(suite),
        _repeated(suite),
        _odd_text(suite),
        *audit_warnings(suite, tree),
    ):
        yield from _some(kind)


def _some(problems: Iterable[Problem]) -> Iterator[Problem]:
    listed = iter(problems)
    last = None
    for last in itertools.islice(listed, _MOST):
        yield last
    more = sum(1 for _ in listed)
    if more and last:
        yield Problem(last.place, f"… and {more} more of this kind")


def _small_categories(suite: Suite, tree: Tree) -> Iterator[Problem]:
    counted = Counter(sample.category for sample in suite.samples)
    for number, category in enumerate(suite.categories):
        place = tree.place(("categories", number))
        if not counted[category]:
            if category in suite.choices:
                continue  # it is there to be chosen
            yield Problem(place, f'no sample has the category "{category}"')
        elif counted[category] < FEW and suite.gates:
            samples = "1 sample" if counted[category] == 1 else f"{counted[category]} samples"
            yield Problem(place, f'the category "{category}" has {samples}; fewer than {FEW} decide nothing')


def _unused_slots(tree: Tree) -> Iterator[Problem]:
    templates = ({**template, "slots": None} for template in tree.value.get("generate", ()))
    written = json.dumps(list(templates), ensure_ascii=False)
    for name in tree.value.get("slots", ()):
        if f"{{{name}}}" not in written:
            yield Problem(tree.place(("slots", name)), f'no template uses the slot "{name}"')


def _expired(suite: Suite) -> Iterator[Problem]:
    for gate in suite.gates:
        if gate.xfail and gate.xfail.expired:
            yield Problem(
                gate.place, f"gates.{gate.key}: xfail ended on {gate.xfail.until}; the gate counts again"
            )


def _shared_cues(suite: Suite, tree: Tree) -> Iterator[Problem]:
    for name, form in suite.cue_forms.items():
        for category, contrast in form.items():
            at = (
                ("cue_forms", name, category)
                if name in tree.value.get("cue_forms", ())
                else ("cues", category)
            )
            for said in _on_both_sides(contrast.sides):
                yield Problem(tree.place(at), f"{at[-2]}: {said}")


def _shared_evidence(suite: Suite) -> Iterator[Problem]:
    of_the_suite = [contrast.sides for contrast in suite.cues.values()]
    told: set[tuple[Place, str]] = set()  # a template's samples share their place
    for sample in suite.samples:
        for key, contrast in _evidence(sample):
            if key == "cues" and contrast.sides in of_the_suite:
                continue
            for said in _on_both_sides(contrast.sides):
                if (sample.place, said) not in told:
                    told.add((sample.place, said))
                    yield Problem(sample.place, f"{key}: {said}")


def _on_both_sides(sides: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """What to say of every text that speaks for two readings."""
    for (one, texts), (other, others) in itertools.combinations(sides.items(), 2):
        folded = {text.casefold() for text in others}
        yield from (f'"{text}" is both {one} and {other}' for text in texts if text.casefold() in folded)


def _evidence(sample: Sample) -> Iterator[tuple[str, Contrast | Choices]]:
    """A sample's own evidence, each kind with its key."""
    if sample.cues is not None:
        yield "cues", sample.cues
    if sample.sources is not None:
        yield "sources", sample.sources
    for key, by_language in (("targets", sample.targets), ("lemmas", sample.lemmas)):
        for language, contrast in (by_language or {}).items():
            yield f"{key}.{language}", contrast


def _cut_off(suite: Suite) -> Iterator[Problem]:
    """`source: We are #1.` ends before the #: what follows is a comment."""
    for number, line in enumerate(read_text(suite.path).split("\n"), start=1):
        if "#" in line and (found := _CUT_OFF.match(line[:1000])):
            place = Place(suite.path, number, found.start("rest") + 1)
            yield Problem(
                place, f'"{found["rest"].strip()}" is a comment to YAML; put text that holds a # in quotes'
            )


def _doubled_keys(suite: Suite) -> Iterator[Problem]:
    """JSON readers let a key stand twice, and the last one counts."""
    files = dict.fromkeys(sample.place.path for sample in suite.samples)
    for path in (path for path in files if path.suffix.lower() in (".jsonl", ".ndjson")):
        for place, line in text_lines(path):
            for key in _doubled_in(line, place) if isinstance(line, str) else ():
                yield Problem(place, f'"{key}" stands twice; the last one counts')


def _doubled_in(line: str, place: Place) -> list[str]:
    doubled: list[str] = []

    def seen(pairs: list[tuple[str, object]]) -> dict[str, object]:
        held = dict(pairs)
        if len(held) < len(pairs):
            doubled.extend(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        return held

    if line.strip():
        with suppress(SuiteError):  # a file of another format, whatever its name
            json_line(line, place, seen)
    return doubled


def _lost_words(suite: Suite) -> Iterator[Problem]:
    """In flow style, `[Before we left, we ate.]` is two sentences."""
    for sample in suite.samples:
        if sample.sources is not None:
            for text in itertools.chain.from_iterable(sample.sources.sides.values()):
                if _length(text, sample.source) < _length(sample.source, sample.source) / 2:
                    yield Problem(
                        sample.place,
                        f'sources: "{text}" is less than half as long as its source; did a comma inside […] split it?',
                    )


def _length(text: str, source: str) -> int:
    """In words; in characters where the source's writing does not part words."""
    return len(text.split()) if " " in source else len(text)


def _repeated(suite: Suite) -> Iterator[Problem]:
    first: dict[tuple[object, ...], Place] = {}
    told: set[tuple[Place, Place]] = set()
    for sample in suite.samples:
        # The same source with other targets or lemmas is another question.
        evidence = tuple(
            (language, contrast)
            for by_language in (sample.targets, sample.lemmas)
            for language, contrast in (by_language or {}).items()
        )
        copy = sample.attributes.get("copy")  # a public set that holds it twice says so
        key = (sample.source, sample.focus, sample.category, evidence, copy)
        place = first.setdefault(key, sample.place)
        if place != sample.place and (place, sample.place) not in told:
            told.add((place, sample.place))
            yield Problem(
                sample.place, f'the sentence "{sample.source}" stands at {place} too, with the same category'
            )


def _odd_text(suite: Suite) -> Iterator[Problem]:
    told: set[tuple[Place, str]] = set()
    for place, text in _texts(suite):
        if (problem := _odd(text)) and (place, problem) not in told:
            told.add((place, problem))
            yield Problem(place, f'{problem} in "{text}"')


def _texts(suite: Suite) -> Iterator[tuple[Place, str]]:
    for sample in suite.samples:
        yield sample.place, sample.source
        for _, contrast in _evidence(sample):
            yield from ((sample.place, text) for texts in contrast.sides.values() for text in texts)
    for pair in (pair for pairs in suite.audit.values() for pair in pairs):
        yield pair.place, pair.sample.source
        yield from ((pair.place, text) for texts in pair.targets.values() for text in texts)


def _odd(text: str) -> str | None:
    if found := _SLOT.search(text):
        return f"{found.group()} looks like a slot that was not filled"
    if found := _SPACES.search(text):
        return "a line break or a tab" if found.group().strip(" ") else "doubled spaces"
    return None
