"""Schemas → samples: both instances or none, and every sentence is kept or counted."""

from __future__ import annotations

from pathlib import Path

from mtprobe.authoring.winograd.make import NO_TRANSLATION, PRONOUNS, TWIN, SchemaCounts, make_samples
from mtprobe.authoring.winograd.schema import Instance
from mtprobe.backends.protocols import LanguagePair
from mtprobe.errors import Failure, Place

ENGLISH = "The book does not fit into the suitcase because the _ is too {}."
GERMAN = "Das Buch passt nicht in den Koffer, weil {} zu {} ist."


def instance(number, trigger, answer, name="suitcase"):
    return Instance(
        f"{name}-{number}",
        ENGLISH.format(trigger),
        ("book", "suitcase"),
        answer,
        Place(Path("s.jsonl"), number),
    )


TWINS = [instance(1, "large", 0), instance(2, "small", 1)]
TRANSLATIONS = {
    one.filled(option): GERMAN.format(filler, word)
    for one, word in zip(TWINS, ("groß", "klein"), strict=True)
    for option, filler in enumerate(("das Buch", "der Koffer"))
}


def made(instances, translations, part=PRONOUNS):
    counts = SchemaCounts()
    samples = list(
        make_samples(
            instances,
            LanguagePair("en", "de"),
            lambda sources: {source: translations[source] for source in sources},
            counts,
            part,
        )
    )
    assert counts.read == len(instances) == counts.kept + sum(counts.skipped.values())
    assert counts.kept == len(samples)
    return samples, counts


def test_a_schema_becomes_two_samples_with_opposite_answers():
    samples, counts = made(TWINS, TRANSLATIONS)
    one, two = (sample.targets["de"] for sample in samples)
    assert one.correct == ["Das Buch passt nicht in den Koffer, weil es zu groß ist."]
    assert one.incorrect == ["Das Buch passt nicht in den Koffer, weil er zu groß ist."]
    assert one.variants["gender"].correct == ["neuter"]
    assert one.variants["gender"].incorrect == ["masculine"]
    assert one.variants["antecedent"].correct == [1]
    assert two.correct == ["Das Buch passt nicht in den Koffer, weil er zu klein ist."]
    assert two.variants["antecedent"].correct == [2]
    assert [sample.source for sample in samples] == [ENGLISH.replace("the _", "<it>").format(word) for word in ("large", "small")]  # fmt: skip
    assert {sample.attributes["schema"] for sample in samples} == {"suitcase"}
    assert [sample.category for sample in samples] == ["neuter", "masculine"]
    assert counts.schemas == 1


def test_an_instance_goes_with_its_twin():
    failed = {**TRANSLATIONS, TWINS[1].filled(0): Failure("no answer")}
    samples, counts = made(TWINS, failed)
    assert not samples
    assert counts.skipped == {NO_TRANSLATION: 1, TWIN: 1}


def test_an_instance_that_has_no_twin_in_the_file_stays():
    samples, counts = made(TWINS[:1], TRANSLATIONS)
    assert len(samples) == 1
    assert not counts.skipped


def test_what_the_english_side_leaves_out_is_not_translated():
    people = Instance(
        "p-1", "The man saw the boy because the _ was tall.", ("man", "boy"), 0, Place(Path("s"), 1)
    )
    samples, counts = made([people], {})
    assert not samples
    assert counts.skipped == {"a referent is animate": 1}
