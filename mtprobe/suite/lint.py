"""Warnings about likely mistakes in a suite: `mtprobe lint`."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress

from mtprobe.errors import Place, Problem, SuiteError
from mtprobe.language.wordnet import WordNet
from mtprobe.suite.lint_audit import audit_warnings
from mtprobe.suite.lint_evidence import evidence_warnings
from mtprobe.suite.lint_lists import list_warnings
from mtprobe.suite.lint_relations import relation_warnings
from mtprobe.suite.lint_replacements import replacement_warnings
from mtprobe.suite.lint_text import text_warnings
from mtprobe.suite.parsing.lines import json_line, text_lines
from mtprobe.suite.parsing.tree import Tree, read_tree
from mtprobe.suite.sample import Suite

FEW = 10  # samples per category: with fewer, its interval says nothing
_LARGE = 20  # samples per cluster
_SIZEABLE = 30  # samples: somebody who starts with fewer knows that they are few
# The same source with other texts of the first keys is another question; with other words of the second it is the same.
_MAKE_A_QUESTION = frozenset(
    {"source", "context", "cues", "sources", "targets", "references", "fillers", "against"}
)
_ANSWERS = ("lemmas", "must_contain", "must_not_contain")
_MOST = 10  # warnings of one kind per suite


def warnings(suite: Suite, wordnet: WordNet | None = None) -> Iterator[Problem]:
    """Probable mistakes, one kind after the other; of each kind only the first few. With WordNet, also what it knows of cues."""
    tree = read_tree(suite.path)
    for kind in (
        _small_categories(suite, tree),
        _few_clusters(suite, tree),
        _unused_slots(tree),
        _slots_in_evidence_only(tree),
        _expired(suite),
        _duplicate_keys(suite),
        _lost_words(suite),
        *evidence_warnings(suite, tree),
        *replacement_warnings(suite, wordnet),
        *relation_warnings(suite, tree),
        *list_warnings(suite, tree),
        _repeated(suite),
        *text_warnings(suite),
        *audit_warnings(suite, tree),
    ):
        yield from _first_few(kind)


def _first_few(problems: Iterable[Problem]) -> Iterator[Problem]:
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
                continue  # it is only a choice
            yield Problem(place, f'no sample has the category "{category}"')
        elif counted[category] < FEW and suite.gates:
            samples = "1 sample" if counted[category] == 1 else f"{counted[category]} samples"
            yield Problem(place, f'the category "{category}" has {samples}; fewer than {FEW} prove nothing')


def _few_clusters(suite: Suite, tree: Tree) -> Iterator[Problem]:
    """Clusters are what is counted: `cluster: phenomenon` makes one observation of hundreds of samples."""
    name = tree.value.get("cluster")
    clusters = len({sample.cluster for sample in suite.samples})
    count = "one cluster" if clusters == 1 else f"{clusters} clusters"
    if name and clusters < FEW and len(suite.samples) >= _LARGE * clusters:
        yield Problem(
            tree.place(("cluster",)),
            f'the {len(suite.samples):,} samples are {count} of "{name}", and only clusters are independent; '
            "choose an attribute that few samples share, or none",
        )
    elif name and suite.gates and clusters < FEW and len(suite.samples) >= _SIZEABLE:
        yield Problem(
            tree.place(("cluster",)),
            f'the {len(suite.samples):,} samples are {count} of "{name}"; with fewer than {FEW}, gates are rarely decided',
        )


def _unused_slots(tree: Tree) -> Iterator[Problem]:
    templates = ({**template, "slots": None} for template in tree.value.get("generate", ()))
    written = json.dumps(list(templates), ensure_ascii=False)
    for name in tree.value.get("slots", ()):
        if not _has_slot(written, name):
            yield Problem(tree.place(("slots", name)), f'no template uses the slot "{name}"')


def _slots_in_evidence_only(tree: Tree) -> Iterator[Problem]:
    """`<[occupation]>` in the sentence and `{occupation.feminine}` in its lemmas: every value makes the same sentence."""
    for number, template in enumerate(tree.value.get("generate", ())):
        texts = json.dumps(
            {key: value for key, value in template.items() if key in _MAKE_A_QUESTION}, ensure_ascii=False
        )
        evidence = json.dumps({key: template.get(key) for key in _ANSWERS}, ensure_ascii=False)
        for name in (*template.get("slots", ()), *tree.value.get("slots", ())):
            if _has_slot(evidence, name) and not _has_slot(texts, name):
                yield Problem(
                    tree.place(("generate", number, "source")),
                    f'the slot "{name}" is not in the sentence; write {{{name}}} where its values go',
                )


def _has_slot(text: str, name: str) -> bool:
    return f"{{{name}}}" in text or f"{{{name}." in text


def _expired(suite: Suite) -> Iterator[Problem]:
    for gate in suite.gates:
        if gate.xfail and gate.xfail.expired:
            yield Problem(
                gate.place, f"gates.{gate.key}: xfail ended on {gate.xfail.until}; the gate counts again"
            )


def _duplicate_keys(suite: Suite) -> Iterator[Problem]:
    """JSON readers accept duplicate keys, and the last one counts."""
    files = dict.fromkeys(sample.place.path for sample in suite.samples)
    for path in (path for path in files if path.suffix.lower() in (".jsonl", ".ndjson")):
        for place, line in text_lines(path):
            for key in _duplicates_in(line, place) if isinstance(line, str) else ():
                yield Problem(place, f'duplicate key "{key}"; the last one counts')


def _duplicates_in(line: str, place: Place) -> list[str]:
    duplicates: list[str] = []

    def collect(pairs: list[tuple[str, object]]) -> dict[str, object]:
        value = dict(pairs)
        if len(value) < len(pairs):
            duplicates.extend(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        return value

    if line.strip():
        with suppress(SuiteError):  # a file of another format, whatever its name
            json_line(line, place, collect)
    return duplicates


def _lost_words(suite: Suite) -> Iterator[Problem]:
    """In flow style, `[Before we left, we ate.]` is two sentences."""
    for sample in suite.samples:
        sides = {"sources": [*sample.sources.sides.values()]} if sample.sources else {}
        for language, targets in (sample.targets or {}).items():
            sides[f"targets.{language}"] = [texts for texts in targets.sides.values() if len(texts) > 1]
        for key, lists in sides.items():
            for text in itertools.chain.from_iterable(lists):
                if _length(text, sample.source) < _length(sample.source, sample.source) / 2:
                    yield Problem(
                        sample.place,
                        f'{key}: "{text}" is less than half as long as its source; did a comma inside […] split it?',
                    )


def _length(text: str, source: str) -> int:
    """In words; in characters if the source is written without spaces."""
    return len(text.split()) if " " in source else len(text)


def _repeated(suite: Suite) -> Iterator[Problem]:
    first: dict[tuple[object, ...], dict[str | None, Place]] = {}  # by category
    reported: set[tuple[Place, Place]] = set()
    for sample in suite.samples:
        # The same source with other targets or lemmas is a different question.
        evidence = tuple(
            (language, contrast)
            for by_language in (sample.targets, sample.lemmas)
            for language, contrast in (by_language or {}).items()
        )
        copy = sample.attributes.get("copy")  # marks the repetitions of a public set
        relation = (sample.relation, sample.against)
        sentence = (sample.source, sample.focus, sample.context, evidence, copy, relation)
        known = first.setdefault(sentence, {})
        place = known.setdefault(sample.category, sample.place)
        same = place != sample.place
        if not same and not evidence and next(iter(known)) != sample.category:
            place = next(iter(known.values()))
        if place != sample.place and (place, sample.place) not in reported:
            reported.add((place, sample.place))
            category = "the same category" if same else "another category; one of the two must be wrong"
            yield Problem(sample.place, f'the sentence "{sample.source}" is also at {place}, with {category}')
