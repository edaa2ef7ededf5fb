"""`fillers` for a gap, and the `triggers` that tell which target is right."""

from __future__ import annotations

import pytest

HEAD = """\
mtprobe: 1
name: schemas
about: Is the gap filled with what is meant?
languages: {source: en, targets: en}
method: masked-lm
variants: {order: [first, second]}
gates: {accuracy: ">= 0.60"}
"""
SAMPLE = """\
samples:
  - source: The trophy does not fit into the suitcase because _ is too large.
    triggers: Large
    fillers:
      correct: the trophy
      incorrect: [the suitcase, the bag]
      variants:
        order: {correct: first, incorrect: [second, second]}
"""


def test_fillers_make_targets_in_the_language_of_the_source(load):
    (sample,) = load(HEAD + SAMPLE).samples
    assert sample.source == "The trophy does not fit into the suitcase because _ is too large."
    contrast = sample.targets["en"]
    assert contrast.correct == ("The trophy does not fit into the suitcase because the trophy is too large.",)
    assert contrast.incorrect == (
        "The trophy does not fit into the suitcase because the suitcase is too large.",
        "The trophy does not fit into the suitcase because the bag is too large.",
    )
    assert contrast.variants["order"].incorrect == ("second", "second")


def test_a_filler_gets_its_capital_and_its_article(load):
    text = SAMPLE[: SAMPLE.index("    triggers")]
    text = text.replace("The trophy does not fit into the suitcase because _", "It broke. _")
    (opening,) = load(HEAD + text + "    fillers: {correct: the egg, incorrect: NASA}\n").samples
    assert opening.targets["en"].correct == ("It broke. The egg is too large.",)
    assert opening.targets["en"].incorrect == ("It broke. NASA is too large.",)
    (inside,) = load(
        HEAD + text.replace("It broke. _", "A _") + "    fillers: {correct: egg, incorrect: bag}\n"
    ).samples
    assert inside.targets["en"].correct == ("An egg is too large.",)


def test_templates_fill_fillers_and_triggers(load):
    suite = load(
        HEAD
        + """\
generate:
  - id: fit
    source: The trophy does not fit into the suitcase because _ is too {size}.
    slots: {size: [large, big]}
    triggers: "{size}"
    fillers: {correct: "the {size} trophy", incorrect: the suitcase}
"""
    )
    assert [sample.source[slice(*sample.triggers[0])] for sample in suite.samples] == ["large", "big"]
    assert suite.samples[1].targets["en"].correct[0].endswith("because the big trophy is too big.")


def test_triggers_are_found_as_whole_words_in_any_spelling_of_capitals(load):
    text = SAMPLE.replace("triggers: Large", "triggers: [not FIT, is]")
    (sample,) = load(HEAD + text).samples
    assert [sample.source[start:end] for start, end in sample.triggers] == ["not fit", "is"]


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("_ is", "it is", 11, "the source has no gap; write one _ in their place"),
        ("_ is", "_ or _ is", 11, "the source has 2 gaps"),
        (
            "triggers: Large",
            "triggers: lage",
            10,
            '"lage" is not in the source; did you mean "large"?',
        ),
        (
            "    triggers",
            "    targets: {en: {correct: Yes., incorrect: No.}}\n    triggers",
            12,
            "there are `targets` in en already",
        ),
        ("second, second", "second", 9, "variants.order: 1 incorrect values for 2 incorrect targets"),
    ],
)
def test_mistakes_are_told_with_their_place(problem, old, new, line, message):
    assert old in SAMPLE
    found = problem(HEAD + SAMPLE.replace(old, new))
    assert message in found.message
    assert found.place.line == line


def test_a_sample_without_fillers_or_targets_lacks_them(problem):
    found = problem(HEAD + "samples:\n  - source: Nothing.\n")
    assert "masked-lm needs `fillers` for a gap `_` in its source, or whole `targets`" in found.message
