"""Warnings about evidence that does not decide as intended: cues, sources, targets and lemmas."""

from __future__ import annotations

import difflib
import itertools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from mtprobe.errors import Place, Problem
from mtprobe.language import tags
from mtprobe.language.english.inflection import Form, inflected
from mtprobe.language.match import fold
from mtprobe.suite.parsing.tree import Tree
from mtprobe.suite.sample import Choices, Contrast, Sample, Suite
from mtprobe.suite.samples.focus import contrastive_sources
from mtprobe.suite.samples.opposites import on_both_sides

_ALIKE = 0.5  # of the words of a minimal pair: with fewer in common, the sides differ in more than one thing
_SHORT = 4  # words: in shorter sentences one word is much
_LONG = 200  # words: what follows is not compared
_PAIRS = 20  # of one sample: the others are not compared
_STEM = 4  # letters: shorter words begin others by chance
_RUN = 3  # words in the same order: two may be in both by chance
_SENTENCES = 2  # of each sense: with one, its number is chance

_WORDS = re.compile(r"\w+")
_REPLACEMENT = re.compile(r"<([^<>]+)>")
_ENDINGS = ("", "s", "es", "d", "ed")


def evidence_warnings(suite: Suite, tree: Tree) -> Iterator[Iterator[Problem]]:
    """One kind after the other."""
    yield _shared_cues(suite, tree)
    yield _once(_shared_evidence(suite))
    yield _once(_listed_twice(suite))
    yield _once(_same_source(suite))
    yield _once(_doubled_words(suite))
    yield _once(_repeated_focus(suite))
    yield _once(_sentences_as_cues(suite))
    yield _once(_mixed_kinds(suite))
    yield _once(_far_apart(suite))
    yield _number(suite)


def evidence_of(sample: Sample) -> Iterator[tuple[str, Contrast | Choices]]:
    """A sample's own evidence, each kind with its key."""
    if sample.cues is not None:
        yield "cues", sample.cues
    if sample.sources is not None:
        yield "sources", sample.sources
    for key, by_language in (("targets", sample.targets), ("lemmas", sample.lemmas)):
        for language, contrast in (by_language or {}).items():
            yield f"{key}.{language}", contrast


def _once(problems: Iterator[Problem]) -> Iterator[Problem]:
    """Without repetitions: a template's samples share their place, and often their evidence."""
    reported: set[tuple[Place, str]] = set()
    for problem in problems:
        if (problem.place, problem.message) not in reported:
            reported.add((problem.place, problem.message))
            yield problem


def _own_evidence(suite: Suite) -> Iterator[tuple[Sample, str, Contrast | Choices]]:
    """The evidence of each sample, except cues of the suite."""
    suite_cues = [contrast.sides for contrast in suite.cues.values()]
    for sample in suite.samples:
        for key, contrast in evidence_of(sample):
            if key != "cues" or contrast.sides not in suite_cues:
                yield sample, key, contrast


def _shared_cues(suite: Suite, tree: Tree) -> Iterator[Problem]:
    for name, form in suite.cue_forms.items():
        for category, contrast in form.items():
            at = (
                ("cue_forms", name, category)
                if name in tree.value.get("cue_forms", ())
                else ("cues", category)
            )
            for message in (*_nearly_shared(contrast.sides), *_twice(contrast.sides)):
                yield Problem(tree.place(at), f"{at[-2]}: {message}")


def _shared_evidence(suite: Suite) -> Iterator[Problem]:
    for sample, key, contrast in _own_evidence(suite):
        # Lemmas are compared as they are matched.
        folded = fold if key.startswith("lemmas.") else str.casefold
        for message in _nearly_shared(contrast.sides, folded):
            yield Problem(sample.place, f"{key}: {message}")


def _nearly_shared(
    sides: Mapping[str, tuple[str, ...]], folded: Callable[[str], str] = str.casefold
) -> Iterator[str]:
    """A message for every text that speaks for two readings, ignoring capitals. What an author wrote twice is an error."""
    for text, first, second in on_both_sides(sides, folded):
        yield f'"{text}" is both {first} and {second}'


def _listed_twice(suite: Suite) -> Iterator[Problem]:
    """A lemma that is listed twice is found once; other texts are scored twice."""
    for sample, key, contrast in _own_evidence(suite):
        if not key.startswith("lemmas."):
            yield from (Problem(sample.place, f"{key}: {message}") for message in _twice(contrast.sides))


def _twice(sides: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    for side, texts in sides.items():
        for text, count in Counter(text.casefold() for text in texts).items():
            if count > 1:
                yield f'"{text}" is listed {count} times under {side}'


def _same_source(suite: Suite) -> Iterator[Problem]:
    """Different cues that make the same source: `river` before the focus, `<river bank>` in its place."""
    for sample, cues, sources in _contrastive(suite):
        made_by: dict[str, tuple[str, str]] = {}  # the cue and its side
        for side, texts in sources.sides.items():
            for cue, text in zip(cues.sides[side], texts, strict=True):
                other, its_side = made_by.setdefault(text.casefold(), (cue, side))
                if its_side != side and other.casefold() != cue.casefold():
                    yield Problem(
                        sample.place,
                        f'cues: "{other}" ({its_side}) and "{cue}" ({side}) make the same sentence, "{text}"',
                    )


def _doubled_words(suite: Suite) -> Iterator[Problem]:
    """The cue *tennis* before *court* in *the tennis court*."""
    for sample, _, sources in _contrastive(suite):
        present = _doubled(sample.source)
        for text in itertools.chain.from_iterable(sources.sides.values()):
            if more := sorted(_doubled(text) - present):
                yield Problem(sample.place, f'a cue doubles the word "{more[0]}" in "{text}"')


def _doubled(text: str) -> set[str]:
    tokens = re.findall(r"\w+|[^\w\s]", text.casefold())
    return {word for word, following in itertools.pairwise(tokens) if word == following and word.isalpha()}


def _contrastive(suite: Suite) -> Iterator[tuple[Sample, Contrast | Choices, Contrast | Choices]]:
    """Each sample with its cues and with the sources that they make."""
    for sample in suite.samples:
        if sample.cues is None or sample.sources is not None:
            continue
        if sources := contrastive_sources(sample, suite.source):
            yield sample, sample.cues, sources


def _repeated_focus(suite: Suite) -> Iterator[Problem]:
    """*The drilling drill*: a form of the word itself says nothing about its sense."""
    for sample in suite.samples:
        if sample.cues is None or sample.focus is None:
            continue
        focus = sample.source[slice(*sample.focus)].casefold()
        for cue in itertools.chain.from_iterable(sample.cues.sides.values()):
            replacement = _REPLACEMENT.fullmatch(cue)
            if replacement and (sample.place.path != suite.path or replacement[1].casefold() == focus):
                continue  # a data file may do so on purpose; what changes nothing is reported as such
            if "<" in cue and not replacement:
                continue  # it keeps the focus
            same = (
                _same_word if replacement else _same_stem
            )  # "<matchstick>" in place of "match" is another word
            if any(same(word, focus) for word in _WORDS.findall(cue.casefold())):
                yield Problem(
                    sample.place, f'the cue "{cue}" repeats the focus "{focus}"; choose another word'
                )


def _sentences_as_cues(suite: Suite) -> Iterator[Problem]:
    """A whole sentence among the cues would be inserted into the sentence."""
    for sample in suite.samples:
        if sample.cues is None:
            continue
        words = _WORDS.findall(sample.source.casefold())
        runs = set(zip(*(words[start:] for start in range(_RUN)), strict=False))
        for cue in itertools.chain.from_iterable(sample.cues.sides.values()):
            own = _WORDS.findall(cue.casefold())
            if not runs.isdisjoint(zip(*(own[start:] for start in range(_RUN)), strict=False)):
                yield Problem(
                    sample.place,
                    f'the cue "{cue}" repeats words of its sentence; a cue is a word or two, '
                    "and whole sentences are written under `sources`",
                )


def _mixed_kinds(suite: Suite) -> Iterator[Problem]:
    """`[heron, <stork>]` in a sample of the suite's own: brackets that were forgotten. Data files may mix on purpose."""
    for sample in suite.samples:
        if sample.place.path != suite.path:
            continue
        for side, cues in sample.cues.sides.items() if sample.cues else ():
            instead = next((cue for cue in cues if _REPLACEMENT.fullmatch(cue)), None)
            before = next((cue for cue in cues if "<" not in cue), None)
            if instead and before:
                yield Problem(
                    sample.place,
                    f'cues ({side}): "{instead}" replaces the focus, but "{before}" is put before it; write <{before}> if it should replace it too',
                )


def _same_word(word: str, other: str) -> bool:
    """Whether they are forms of one word, as far as their endings show."""
    short, long = sorted((word, other), key=len)
    return long.startswith(short) and long.removeprefix(short) in _ENDINGS


def _same_stem(word: str, other: str) -> bool:
    return min(len(word), len(other)) >= _STEM and (word.startswith(other) or other.startswith(word))


def _far_apart(suite: Suite) -> Iterator[Problem]:
    for sample in suite.samples:
        for language, contrast in (sample.targets or {}).items():
            pairs = itertools.product(contrast.correct, contrast.incorrect)
            for correct, incorrect in itertools.islice(pairs, _PAIRS):
                words, other_words = _WORDS.findall(correct), _WORDS.findall(incorrect)
                if _little_in_common(words[:_LONG], other_words[:_LONG]):
                    yield Problem(
                        sample.place,
                        f'targets.{language}: "{correct}" and "{incorrect}" share less than half of their words;'
                        " a pair should differ in one thing",
                    )


def _little_in_common(one: Sequence[str], other: Sequence[str]) -> bool:
    if min(len(one), len(other)) < _SHORT:
        return False
    matcher = difflib.SequenceMatcher(None, one, other, autojunk=False)
    common = sum(block.size for block in matcher.get_matching_blocks())
    return common < _ALIKE * min(len(one), len(other))  # what one side only omits is in common


def _number(suite: Suite) -> Iterator[Problem]:
    """A noun that is plural in all sentences of one sense and singular in those of another."""
    if not tags.fits("en", suite.source):
        return
    by_word: defaultdict[str, defaultdict[str, list[Sample]]] = defaultdict(lambda: defaultdict(list))
    for sample in suite.samples:
        word, sense = sample.attributes.get("word"), sample.attributes.get("sense")
        if word is not None and sense is not None and sample.focus and sample.attributes.get("pos") != "verb":
            by_word[str(word)][str(sense)].append(sample)
    for senses in by_word.values():
        forms = {
            sense: {sample.source[slice(*sample.focus)].casefold() for sample in samples if sample.focus}
            for sense, samples in senses.items()
            if len(samples) >= _SENTENCES
        }
        for plural, singular in itertools.permutations(forms, 2):
            if len(forms[plural]) == len(forms[singular]) == 1:
                (many,), (one,) = forms[plural], forms[singular]
                if many != one and many == inflected(one, Form.PLURAL):
                    yield Problem(
                        senses[plural][0].place,
                        f'every sentence of the sense "{plural}" has "{many}", every one of "{singular}" has "{one}":'
                        " the number reveals the sense",
                    )
