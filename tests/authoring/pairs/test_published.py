"""Real text: pairs of every kind come out of Tatoeba, and published wrong variants are found again."""

from __future__ import annotations

import pytest

from mtprobe.authoring.corpus.parallel import Corpus
from mtprobe.authoring.pairs import kinds_of, open_kind
from mtprobe.authoring.pairs.make import Making, PairCounts, make_pairs
from mtprobe.backends.protocols import LanguagePair
from mtprobe.language.tagging import open_tagger
from mtprobe.progress import Silent
from mtprobe.system.text_files import text_lines
from tests.authoring.pairs.conftest import wrong_targets

# What came out when the pairs were read; a change of more than a tenth is to be looked at.
EXPECTED = {
    "de": {
        "placeholder-noun": 9443,
        "hypercorrect-genitive": 5,
        "polarity-affix": 168,
        "negation-particle": 1471,
        "clause-omission": 529,
        "np-agreement": 4243,
        "subject-verb-agreement": 7366,
        "gendered-pronoun": 1620,
    },
    "pt": {
        "placeholder-noun": 4523,
        "polarity-affix": 77,
        "negation-particle": 1186,
        "clause-omission": 305,
        "np-agreement": 3149,
        "subject-verb-agreement": 4338,
        "gendered-pronoun": 640,
    },
}


@pytest.mark.parametrize(("language", "code"), [("de", "deu"), ("pt", "por")])
def test_so_many_pairs_of_each_kind_come_out_of_tatoeba(shared_data, language, code):
    folder = shared_data / "tatoeba"
    corpus = Corpus((folder / f"en-{language}.eng.gz", folder / f"en-{language}.{code}.gz"), ("target",))
    kinds = tuple(open_kind(name, language) for name in kinds_of(language))
    making = Making(kinds, open_tagger("rules", language), LanguagePair("en", language))
    counts = PairCounts()
    for pair in make_pairs(corpus, making, counts, Silent()):
        assert pair.correct != pair.incorrect
    made = {kind: counts.made[kind, "human"] for kind in kinds_of(language)}
    assert made == {kind: pytest.approx(number, rel=0.1) for kind, number in EXPECTED[language].items()}
    for kind in made:
        assert made[kind] + sum(counts.skipped[kind, "human"].values()) == counts.lines


def published(folder, phenomenon, origin):
    held = folder / "distil-lingeval" / f"{phenomenon}.{origin}"
    sides = []
    for name in ("src.en", "tgt.correct.de", "tgt.incorrect.de"):
        path = held / name
        lines = text_lines(path if path.is_file() else held / f"{name}.gz")
        sides.append([line for _, line in lines])
    return list(zip(*sides, strict=True))


# The rest of the published omissions are mostly cut after a day of the month (*am 1. | Oktober*), or inside quotes.
@pytest.mark.parametrize(
    ("phenomenon", "kind", "origin", "number", "share"),
    [
        ("polarity_affix_del", "polarity-affix", "human", 408, 0.90),
        ("polarity_affix_del", "polarity-affix", "mt", 180, 0.97),
        ("clause_omission", "clause-omission", "human", 1104, 0.58),
        ("clause_omission", "clause-omission", "mt", 1025, 0.58),
    ],
)
def test_published_wrong_variants_are_among_ours(shared_data, phenomenon, kind, origin, number, share):
    items = published(shared_data, phenomenon, origin)
    again = [wrong in wrong_targets(kind, "de", source, right) for source, right, wrong in items]
    assert len(items) == number
    assert sum(again) / number >= share
