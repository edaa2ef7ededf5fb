"""What holds for every text: wrong variants differ, in one place; seed and line decide alone."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mtprobe.authoring.corpus.parallel import Corpus
from mtprobe.authoring.pairs import kinds_of, open_kind
from mtprobe.authoring.pairs.change import Change
from mtprobe.authoring.pairs.make import Making, PairCounts, make_pairs
from mtprobe.backends.protocols import LanguagePair
from mtprobe.language.tagging import open_tagger
from mtprobe.progress import Silent
from tests.authoring.pairs.conftest import EXAMPLES, found

languages = st.sampled_from(sorted(EXAMPLES))
_KNOWN = {
    language: [pair for held in kinds.values() for group in ("pairs", "none") for pair in held[group]]
    for language, kinds in EXAMPLES.items()
}


@st.composite
def lines(draw: st.DrawFn) -> tuple[str, str, str]:
    """Sentences of the examples, joined, cut and stirred: text of all shapes with the phenomena in it."""
    language = draw(languages)
    pairs = draw(st.lists(st.sampled_from(_KNOWN[language]), min_size=1, max_size=3))
    source, target = (" ".join(pair[at] for pair in pairs) for at in (0, 1))
    words = target.split(" ")
    if draw(st.booleans()):
        words = draw(st.permutations(words))
    if draw(st.booleans()):
        words.insert(draw(st.integers(0, len(words))), draw(st.text(max_size=6)))
    return language, source, " ".join(words)


@given(lines())
@settings(max_examples=300, deadline=None)
def test_a_wrong_variant_differs_in_one_span_and_nowhere_else(example):
    language, source, target = example
    for kind in kinds_of(language):
        for change in found(kind, language, source, target):
            if isinstance(change, Change):
                wrong = change.applied_to(target)
                assert wrong != target
                assert 0 <= change.start < change.end <= len(target)
                assert wrong.startswith(target[: change.start])
                assert wrong.endswith(target[change.end :])
                assert len(wrong) == len(target) - (change.end - change.start) + len(change.new)


def made(folder: Path, rows: list[tuple[str, str]], language: str, seed: int = 0) -> set[tuple[str, ...]]:
    table = folder / "corpus.tsv"
    table.write_text("".join(f"{source}\t{target}\n" for source, target in rows), encoding="utf-8")
    kinds = tuple(open_kind(name, language) for name in kinds_of(language))
    making = Making(kinds, open_tagger("rules", language), LanguagePair("en", language), seed=seed)
    pairs = make_pairs(Corpus((table,), ("target",)), making, PairCounts(), Silent())
    return {(pair.kind, pair.source, pair.correct, pair.incorrect) for pair in pairs}


@given(languages, st.integers(0, 5), st.randoms(use_true_random=False))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_line_is_decided_by_itself_and_the_seed(tmp_path, language, seed, shuffle: random.Random):
    rows = [(source, target) for source, target, *_ in _KNOWN[language]]
    before = made(tmp_path, rows, language, seed)
    shuffle.shuffle(rows)
    assert made(tmp_path, rows, language, seed) == before
    half = rows[: len(rows) // 2]
    assert made(tmp_path, half, language, seed) == {pair for pair in before if (pair[1], pair[2]) in half}


def test_another_seed_chooses_otherwise(tmp_path):
    rows = [
        (f"The cat and {number} dogs.", f"Die Katze und der Hund und das Schwein, {number}.")
        for number in range(40)
    ]
    one, other = (made(tmp_path, rows, "de", seed) for seed in (0, 1))
    assert one != other
    assert len(one) == len(other)
