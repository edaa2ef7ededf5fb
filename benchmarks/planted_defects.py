"""What the method `relation` notices: defects planted in pairs of translations that it judged correct.

    MTPROBE_MODELS=… python -m benchmarks.planted_defects

Precision says how many alarms are right, not how many defects raise one. Here one defect is planted in the second translation of
every pair of the shipped suite that is judged correct, controls included, and the pair is judged again.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import mtprobe
from benchmarks.relations import ROOT, SUITES, models, other_of
from mtprobe.backends.protocols import LanguagePair
from mtprobe.language.comparison import Reader, Reading, Word, lexicon_of
from mtprobe.language.comparison.reading import source_words
from mtprobe.language.lemmatizers import open_lemmatizer
from mtprobe.methods.relations import RELATIONS
from mtprobe.methods.relations.relation import Case
from mtprobe.methods.verdict import Outcome, Result
from mtprobe.statistics.intervals import wilson
from mtprobe.suite.sample import Sample
from mtprobe.suites import load_suite

NEGATION = {"pt": "não", "fr": "pas"}
COMPARED = ("same", "differs-in", "symmetric")
Plant = Callable[["Pair", Random], str | None]


class Pair:
    """A pair of translations that was judged correct."""

    def __init__(self, sample: Sample, result: Result, reader: Reader) -> None:
        self.sample = sample
        self.other, self.second = other_of(result)
        self.first = result.translation or ""
        self.reader = reader

    @property
    def reading(self) -> Reading:
        return self.reader.read([self.second])[self.second]

    def judged(self, second: str, languages: LanguagePair) -> Outcome:
        readings = self.reader.read([self.first, second])
        source = lexicon_of(languages.source)
        case = Case(
            self.sample, self.other, readings[self.first], readings[second], self.reader, source, languages
        )
        return RELATIONS[self.sample.relation].judge(case).outcome

    def shared(self) -> list[Word]:
        """Words of content that both translations have: what is planted there is outside the change."""
        first = self.reader.read([self.first])[self.first]
        return [
            word for word in self.reading.content if any(self.reader.same(word, one) for one in first.content)
        ]


def lost(pair: Pair, draw: Random) -> str | None:
    words = pair.shared()
    if not words:
        return None
    word = draw.choice(words)
    return " ".join((pair.second[: word.start] + pair.second[word.end :]).split())


def untranslated(pair: Pair, draw: Random) -> str | None:
    lexicon = lexicon_of("en")
    common = set(source_words(pair.sample.source)) & set(source_words(pair.other))
    english = sorted(word for word in common if lexicon.has_content(frozenset({word})) and word.isalpha())
    words = [word for word in pair.shared() if word.text.islower()]
    if not words or not english:
        return None
    return replaced(pair.second, draw.choice(words), draw.choice(english))


def negated(pair: Pair, draw: Random) -> str | None:
    if pair.reading.negations:
        return None
    words = pair.second.split()
    place = draw.randrange(1, len(words)) if len(words) > 1 else 0
    return " ".join([*words[:place], NEGATION[pair.reader.lexicon.language], *words[place:]])


def other_word(pair: Pair, draw: Random) -> str | None:
    words = [word for word in pair.shared() if word.text.islower()]
    return replaced(pair.second, draw.choice(words), "tartaruga") if words else None


def not_exchanged(pair: Pair, draw: Random) -> str | None:  # noqa: ARG001 - like the others
    return pair.first if pair.sample.relation == "symmetric" else None


def replaced(text: str, word: Word, by: str) -> str:
    return text[: word.start] + by + text[word.end :]


PLANTS: dict[str, Plant] = {
    "a word is lost": lost,
    "a word is left in English": untranslated,
    "a negation is added": negated,
    "names are not exchanged": not_exchanged,
    "another word in the place of one": other_word,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--store", type=Path, default=ROOT / ".mtprobe" / "store.sqlite")
    args = parser.parse_args()
    print("| planted | into | n | alarm (95 %) | undecided | missed |\n|---|---|--:|--:|--:|--:|")
    suite = load_suite(SUITES / "relations.mt.yaml")
    samples = {sample.id: sample for sample in suite.samples if sample.relation in COMPARED}
    for language, model in models().items():
        run = mtprobe.run(suite.path, model["model"], store=args.store).suites[0]
        reader = Reader(lexicon_of(language), open_lemmatizer("auto", language))
        pairs = [
            Pair(samples[result.id], result, reader)
            for result in run.results
            if result.id in samples and result.verdict.outcome is Outcome.CORRECT
        ]
        for name, plant in PLANTS.items():
            outcomes: Counter[Outcome] = Counter()
            for pair in pairs:
                text = plant(pair, Random(f"{name} {pair.sample.id}"))
                if text is not None and text != pair.second:
                    outcomes[pair.judged(text, LanguagePair("en", language))] += 1
            print(row(name, language, outcomes))


def row(name: str, language: str, outcomes: Counter[Outcome]) -> str:
    n, alarms = outcomes.total(), outcomes[Outcome.INCORRECT]
    low, high = wilson(alarms, n)
    shares = [f"{outcomes[outcome] / n:.2f}" for outcome in (Outcome.UNDECIDED, Outcome.CORRECT)]
    return f"| {name} | {language} | {n} | {alarms / n:.2f} ({low:.2f}–{high:.2f}) | {' | '.join(shares)} |"


if __name__ == "__main__":
    main()
