"""How many German translations a second the method lexicon judges on one core, with simplemma. Goal: 20,000.

The translations are the German side of Tatoeba's sentence pairs (`MTPROBE_DATA`), each looked through for good and bad
lemmas: words that stand in it now and then. The first pass meets every word for the first time, later ones remember it.
"""

from __future__ import annotations

import gzip
import os
import time
from pathlib import Path

from mtprobe.backends.protocols import LanguagePair
from mtprobe.errors import Place
from mtprobe.language.words import words_of
from mtprobe.methods.lexicon import Lexicon
from mtprobe.methods.method import Ask, Translated
from mtprobe.suite.sample import Sample, SenseLemmas

_PASSES = 5


def samples() -> list[Translated]:
    folder = Path(os.environ["MTPROBE_DATA"]) / "tatoeba"
    with gzip.open(folder / "en-de.deu.gz", "rt", encoding="utf-8") as stream:
        lines = [line.strip() for line in stream]
    with gzip.open(folder / "en-de.eng.gz", "rt", encoding="utf-8") as stream:
        sources = [line.strip() for line in stream]
    found = []
    for number, (source, line) in enumerate(zip(sources, lines, strict=True)):
        # Its own longest word in every second, a stranger's in the others; bad ones are strangers'.
        own = lines[number if number % 2 else (number * 7) % len(lines)]
        good = tuple(sorted(words_of(own), key=len)[-2:]) or ("Schluck",)
        bad = (
            *(words_of(lines[(number * 13) % len(lines)]) or ["Schuss"])[-2:],
            "nehmen * frei",
            "Schuss Whiskey",
        )
        lemmas = {"de": SenseLemmas(good, bad)}
        place = Place(Path("benchmark"), number)
        found.append(Translated(Sample(str(number), source, None, None, {}, "", place, lemmas=lemmas), line))
    return found


def main() -> list[str]:
    if "MTPROBE_DATA" not in os.environ:
        return ["not measured: MTPROBE_DATA is not set"]
    judged = samples()
    method = Lexicon("simplemma")
    ask = Ask(None, LanguagePair("en", "de"), lambda _: {})  # type: ignore[arg-type]
    method.judge(judged[:1], ask)  # loads the dictionary
    rates, outcomes = [], {}
    for _ in range(_PASSES):
        started = time.process_time()
        verdicts = [
            one for at in range(0, len(judged), 4000) for one in method.judge(judged[at : at + 4000], ask)
        ]
        rates.append(len(judged) / (time.process_time() - started))
        outcomes = {
            name: sum(one.outcome == name for one in verdicts)
            for name in ("correct", "incorrect", "undecided")
        }
    return [
        f"{len(judged):,} translations, {method.details}: {rates[0]:,.0f} a second the first time, "
        f"{max(rates[1:]):,.0f} afterwards (processor time); {outcomes}"
    ]


if __name__ == "__main__":
    print("\n\n".join(main()))
