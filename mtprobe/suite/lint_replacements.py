"""Warnings about cues that replace a word, and about cues that fit two of its senses."""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from mtprobe.errors import Problem
from mtprobe.language import tags
from mtprobe.language.english.inflection import FORMS, Form, form_in, is_form_of, is_plural, may_be, singulars
from mtprobe.language.wordnet import WordNet
from mtprobe.suite.sample import Sample, Suite
from mtprobe.suite.samples.focus import contrastive_sources

_REPLACEMENT = re.compile(r"<([^<>]+)>")
# One of these before the focus, with at most two words between, or after it, shows that it is singular.
_SINGULAR_BEFORE = re.compile(
    r"\b(?:an?|this|that|each|every|another|either|neither|one|much) (?:[\w'-]+ ){0,2}$", re.IGNORECASE
)
_SINGULAR_AFTER = re.compile(r" (?:is|isn't|was|wasn't|has|hasn't|does|doesn't)\b", re.IGNORECASE)

Cues = dict[str, str]  # cues without their brackets, in small letters, each as it is written


def replacement_warnings(suite: Suite, wordnet: WordNet | None) -> Iterator[Iterator[Problem]]:
    """One kind after the other."""
    yield _unchanged(suite)
    if tags.fits("en", suite.source):
        yield _other_word(suite)
        yield _other_form(suite)
    yield _in_two_senses(suite)
    if wordnet is not None and tags.fits("en", suite.source):
        yield _synonyms(suite, wordnet)


def _unchanged(suite: Suite) -> Iterator[Problem]:
    """A cue that leaves the sentence as it is speaks for nothing: `<bank>` in place of *bank*."""
    for sample in suite.samples:
        sources = contrastive_sources(sample, suite.source)
        for side, texts in sources.sides.items() if sources else ():
            if sample.source.casefold() in map(str.casefold, texts):
                yield Problem(sample.place, f"a contrastive source ({side}) is the source itself")


def _other_word(suite: Suite) -> Iterator[Problem]:
    """A sentence that was copied from another word, or whose focus is on the wrong one."""
    for sample in suite.samples:
        word = str(sample.attributes.get("word", ""))
        focus = sample.source[slice(*sample.focus)] if sample.focus else ""
        if word and focus and word.casefold() not in focus.casefold() and not is_form_of(focus, word):
            yield Problem(sample.place, f'the focus "{focus}" is not a form of the word "{word}"')


def _other_form(suite: Suite) -> Iterator[Problem]:
    """A cue in another number or tense than the word that it replaces: grammar speaks against it, not meaning."""
    for sample in suite.samples:
        if sample.cues is None or sample.focus is None or "word" not in sample.attributes:
            continue
        for cue in itertools.chain.from_iterable(sample.cues.sides.values()):
            if match := _REPLACEMENT.fullmatch(cue):
                problem = _misfit(sample, sample.focus, match[1])
                if problem:
                    yield Problem(sample.place, f'the cue "{cue}" {problem}')


def _misfit(sample: Sample, focus: tuple[int, int], cue: str) -> str:
    text = sample.source[slice(*focus)]
    pos = str(sample.attributes.get("pos", ""))
    word = str(sample.attributes["word"])
    form = next(
        (form for name in ((pos,) if pos else FORMS) if (form := _form(sample, focus, word, name))), None
    )
    if form is Form.PLURAL and is_plural(text) and is_plural(cue) is False:
        return f'is singular, and replaces the plural "{text}"'
    if form is Form.SINGULAR and is_plural(text) is False and is_plural(cue):
        before, after = sample.source[: focus[0]], sample.source[focus[1] :]
        if _SINGULAR_BEFORE.search(before) or _SINGULAR_AFTER.match(after):
            return f'is plural, and replaces the singular "{text}"'
    if form in FORMS["verb"] and not may_be(cue, form):
        return f'is not a {form.value}, and replaces the {form.value} "{text}"'
    return ""


def _form(sample: Sample, focus: tuple[int, int], word: str, pos: str) -> Form | None:
    return form_in(sample.source, focus, word, pos) if pos in FORMS else None


def _in_two_senses(suite: Suite) -> Iterator[Problem]:
    """The same cue for two senses of a word, before it or in its place, in any form."""
    for senses in _cues_by_sense(suite).values():
        for (one, (cues, _)), (other, (other_cues, sample)) in itertools.combinations(senses.items(), 2):
            reported = (
                {cue.casefold() for cue in sample.cues.sides.get("incorrect", ())} if sample.cues else set()
            )
            shared = sorted(cues.keys() & other_cues.keys())
            for cue, same in dict.fromkeys((other_cues[text], cues[text]) for text in shared):
                if cue.casefold() not in reported:  # else it is on both sides of a sample
                    written = "" if cue == same else f' (there as "{same}")'
                    yield Problem(
                        sample.place, f'the cue "{cue}" for "{other}" is also listed for "{one}"{written}'
                    )


def _synonyms(suite: Suite, wordnet: WordNet) -> Iterator[Problem]:
    """Two cues for different senses that WordNet lists for one sense of the word: one of them is in the wrong list."""
    for (word, pos), senses in _cues_by_sense(suite).items():
        for synset in wordnet.synsets(word, pos) if pos in FORMS else ():
            listed = {
                lemma.casefold()
                for relative in (synset, *wordnet.hypernyms(synset))
                for lemma in relative.lemmas
            }
            for (one, (cues, _)), (other, (other_cues, sample)) in itertools.combinations(senses.items(), 2):
                texts = itertools.product(cues.keys() & listed, other_cues.keys() & listed)
                pairs = {(cues[text], other_cues[other_text]) for text, other_text in texts}
                for cue, other_cue in sorted(pairs):
                    yield Problem(
                        sample.place,
                        f'the cues "{cue}" ({one}) and "{other_cue}" ({other}) fit one sense of "{word}" in WordNet:'
                        f" {synset.gloss.partition(';')[0]}",
                    )


BySense = Mapping[str, tuple[Cues, Sample]]  # by sense its correct cues, and its first sample


def _cues_by_sense(suite: Suite) -> dict[tuple[str, str], BySense]:
    """For each word and part of speech its senses."""
    words: defaultdict[tuple[str, str], dict[str, tuple[Cues, Sample]]] = defaultdict(dict)
    for sample in suite.samples:
        known = sample.attributes
        if sample.cues is None or "word" not in known or "sense" not in known:
            continue
        key = str(known["word"]), str(known.get("pos", ""))
        cues, _ = words[key].setdefault(str(known["sense"]), ({}, sample))
        for cue in sample.cues.sides.get("correct", ()):
            bare = _REPLACEMENT.sub(r"\1", cue).casefold()
            cues.setdefault(bare, cue)
            for lemma in singulars(bare) if " " not in bare and is_plural(bare) else ():
                cues.setdefault(lemma, cue)
    return dict(words)
