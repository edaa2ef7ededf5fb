"""Contains: a phrase is translated alone as it is within a sentence (referential transparency, He et al., 2021)."""

from __future__ import annotations

from mtprobe.language.comparison.differences import Comparison, compare_words
from mtprobe.methods.relations.relation import Case, Finding, Relation
from mtprobe.methods.verdict import Outcome
from mtprobe.suite.sample import Sample


class Contains(Relation):
    name = "contains"
    about = "the source contains a phrase (the further source), and its translation contains the translation of the phrase, up to inflection and articles"

    def lacks(self, sample: Sample) -> str | None:
        for variant in sample.against:
            if variant.text.casefold().rstrip(".!?") not in sample.source.casefold():
                return f'needs a phrase of the source in `against`, for `relation: contains`; "{variant.text}" is not in it'
        return super().lacks(sample)

    def judge(self, case: Case) -> Finding:
        sentence, phrase = case.first, case.second
        if not phrase.content:
            return Finding(Outcome.UNDECIDED, "the translation of the phrase has no word of content")
        comparison = compare_words(sentence.content, phrase.content, case.reader.same)
        missing = comparison.second
        if not missing:
            return self._agreement(case, comparison)
        words = " ".join(word.text for word in missing)
        spans = ((sentence.text, words),)
        inside = set(case.words[1])
        for reading, other, which in ((phrase, sentence, "alone"), (sentence, phrase, "in the sentence")):
            for word in reading.content:
                if (
                    word.folded in inside
                    and word.folded.isalpha()
                    and not case.reader.knows(word.folded)  # *station* is French too
                    and not any(case.reader.same(word, theirs) for theirs in other.content)
                ):
                    return Finding(Outcome.INCORRECT, f"“{word.text}” is left untranslated {which}", spans)
        if len(missing) == len(phrase.content) > 1:
            return Finding(Outcome.INCORRECT, f"nothing of “{phrase.text}” is in the sentence", spans)
        return Finding(Outcome.UNDECIDED, f"“{words}” is not in the sentence; perhaps other words are", spans)

    def _agreement(self, case: Case, comparison: Comparison) -> Finding:
        """In a language without cases, an adjective that has another gender belongs to another noun."""
        if case.reader.lexicon.stable_forms:
            for inside, alone in comparison.pairs:
                if case.reader.lexicon.differ_in_gender(inside.folded, alone.folded):
                    return Finding(
                        Outcome.INCORRECT,
                        f"“{alone.text}” alone, “{inside.text}” in the sentence: it agrees with another word",
                        ((inside.text, alone.text),),
                    )
        return Finding.holds()
