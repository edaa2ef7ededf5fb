"""Warnings about lists: an entry that was meant as several, words on both lists, and unused evidence and labels."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from mtprobe.errors import Problem
from mtprobe.language import tags
from mtprobe.language.match import fold
from mtprobe.suite.parsing.tree import Tree
from mtprobe.suite.sample import Sample, Suite

_COMMAS = (", ", "; ")
_SHOWN = 3  # ids in a message


def list_warnings(suite: Suite, tree: Tree) -> Iterator[Iterator[Problem]]:
    """One kind after the other."""
    yield _several_in_one(suite)
    yield _on_both_lists(suite)
    yield _unclosed_expressions(suite)
    yield _other_languages(suite)
    yield _unknown_labels(suite, tree)


def _several_in_one(suite: Suite) -> Iterator[Problem]:
    """`good: médica, doutora` is one entry, which no translation contains."""
    reported = set()
    for sample in suite.samples:
        for key, text in _entries(sample):
            if any(comma in text for comma in _COMMAS) and (key, text) not in reported:
                reported.add((key, text))
                words = text.replace(";", ",")
                yield Problem(
                    sample.place, f'{key}: "{text}" is one entry; for several, write a list: [{words}]'
                )


def _entries(sample: Sample) -> Iterator[tuple[str, str]]:
    """Words of which an entry is one. A cue may have a comma where it says how the sentence goes on: `<>, a woman,`."""
    for language, lemmas in (sample.lemmas or {}).items():
        for text in chain(lemmas.correct, lemmas.incorrect, lemmas.either):
            yield f"lemmas.{language}", text
    for key, by_language in sample.word_lists.items():
        for words in by_language.values():
            yield from ((key, word) for word in words if not word.startswith("/"))
    for cue in chain.from_iterable(sample.cues.sides.values()) if sample.cues else ():
        if "<" not in cue:
            yield "cues", cue


def _on_both_lists(suite: Suite) -> Iterator[Problem]:
    reported = set()
    for sample in suite.samples:
        required, forbidden = (sample.word_lists.get(key, {}) for key in ("must_contain", "must_not_contain"))
        for language in required.keys() & forbidden.keys():
            banned = {fold(word) for word in forbidden[language]}
            for word in (word for word in required[language] if fold(word) in banned):
                if (language, word) not in reported:
                    reported.add((language, word))
                    yield Problem(
                        sample.place,
                        f'"{word}" is in must_contain and in must_not_contain for {language}; remove it from one of the two',
                    )


def _unclosed_expressions(suite: Suite) -> Iterator[Problem]:
    reported = set()
    for sample in suite.samples:
        for key, by_language in sample.word_lists.items():
            for word in chain.from_iterable(by_language.values()):
                once = word.startswith("/") != word.endswith("/") and (key, word) not in reported
                if once:
                    reported.add((key, word))
                    yield Problem(
                        sample.place,
                        f'{key}: "{word}" is a word; a regular expression is between two slashes',
                    )


def _other_languages(suite: Suite) -> Iterator[Problem]:
    """Evidence in French in a suite for models into Portuguese."""
    if suite.targets is None:
        return
    reported = set()
    for sample in suite.samples:
        by_key = {"targets": sample.targets, "lemmas": sample.lemmas, "references": sample.references}
        for key, languages in {**by_key, **sample.word_lists}.items():
            for language in languages or ():
                if (key, language) not in reported and not any(
                    tags.fits(wanted, language) for wanted in (*suite.targets, suite.source)
                ):
                    reported.add((key, language))
                    yield Problem(
                        sample.place,
                        f"{key}.{language}: the suite is for models into {', '.join(suite.targets)}",
                    )


def _unknown_labels(suite: Suite, tree: Tree) -> Iterator[Problem]:
    """Swapped columns, or labels of another suite: a label belongs to a source."""
    sources = {sample.source for sample in suite.samples}
    written = {tags.standard(tag): tag for tag in tree.value.get("labels", ())}
    for language, labels in suite.labels.items():
        unknown = list(dict.fromkeys(label.id for label in labels if label.source not in sources))
        if unknown:
            shown = ", ".join(f'"{id}"' for id in unknown[:_SHOWN])
            more = f" and {len(unknown) - _SHOWN:,} more" if len(unknown) > _SHOWN else ""
            yield Problem(
                tree.place(("labels", written[language])),
                f"labels.{language}: not about a sentence of this suite: {shown}{more}",
            )
