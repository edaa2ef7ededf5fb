"""What lint warns of, and what it leaves alone."""

from __future__ import annotations

import re

import pytest

from mtprobe.cli import main
from mtprobe.errors import SuiteError
from mtprobe.suite.lint import warnings

JOBS = ("doctor", "cook", "poet", "judge", "king", "clerk", "guide", "agent", "actor", "guard")
MANY = "".join(
    f"  - {{source: The <{job}> lost {number} {whose} keys., category: {category}}}\n"
    for number, job in enumerate(JOBS)
    for whose, category in (("of her", "female"), ("of his", "male"))
)


@pytest.fixture
def warned(head, load):
    """The warnings for a suite with samples enough, and these besides."""

    def warned(more: str = "", change: tuple[str, str] = ("", ""), files: dict[str, str] | None = None):
        text = head + "samples:\n" + MANY + more
        suite = load(text.replace(*change) if change[0] else text, files)
        return [f"{problem.place.line}: {problem.message}" for problem in warnings(suite)]

    return warned


SAMPLE = "  - source: The <nurse> lost his keys.\n    category: male\n"


def test_a_good_suite_gets_no_warning(warned):
    assert warned(SAMPLE) == []


def test_a_contrastive_source_that_lost_words(warned):
    text = SAMPLE.replace("The <nurse> lost his keys.", "Before we left, the <nurse> lost his keys.")
    sources = "    sources: {correct: [Before we left, the man nurse lost his keys.], incorrect: [When we left, the woman nurse lost his keys.]}\n"
    found = warned(text + sources)
    assert found[0] == (
        '33: sources: "Before we left" is less than half as long as its source; '
        "did a comma inside […] split it?"
    )
    block = sources.replace(
        "[Before we left, the man nurse lost his keys.]", '"Before we left, the man nurse lost his keys."'
    )
    block = block.replace(
        "[When we left, the woman nurse lost his keys.]", '"When we left, the woman nurse lost his keys."'
    )
    assert warned(text + block) == []


def test_text_that_a_comment_cuts_off(warned):
    assert warned(SAMPLE.replace("his keys.", "his #1 keys.")) == [
        '33: "#1 keys." is a comment in YAML; put text that contains a # in quotes'
    ]
    assert warned(SAMPLE.replace("his keys.", "his keys.  # a comment")) == []
    assert warned(SAMPLE.replace("The <nurse> lost his keys.", '"The <nurse> lost his #1 keys."')) == []


def test_lost_words_in_a_writing_without_spaces(warned):
    sample = "  - source: 这位<医生>丢了她的钥匙。\n    category: male\n    sources: {correct: 这位女医生丢了她的钥匙。, incorrect: 这位}\n"
    assert ['"这位" is less than half' in line for line in warned(sample)] == [True]


def test_two_samples_with_the_same_source_and_category(warned):
    again = SAMPLE.replace("  - source", "  - id: again\n    source")
    (found,) = warned(SAMPLE + again)
    assert found.startswith('35: the sentence "The nurse lost his keys." is also at ')
    assert found.endswith("test.mt.yaml:33:5, with the same category")


def test_the_same_sentence_with_another_focus_is_fine(warned):
    focus = "  - {id: b, source: The nurse lost his <keys>., category: male}\n"
    assert warned(SAMPLE + focus) == []


def test_two_templates_that_make_the_same_sentences_are_told_once(warned):
    template = "  - source: The <{x}> slept.\n    category: male\n    slots: {x: [cook, boy, king]}\n"
    twice = "generate:\n" + template + template.replace("  - source", "  - id: again\n    source")
    assert len(warned(twice)) == 1


def test_a_cue_on_both_sides(warned):
    (found,) = warned(SAMPLE + "    cues: {correct: [man, Male], incorrect: [woman, male]}\n")
    assert found == '33: cues: "Male" is both correct and incorrect'


def test_a_cue_of_the_suite_on_both_sides_is_reported_once(warned):
    found = warned(change=("male: {correct: man, incorrect: woman}", "male: {correct: man, incorrect: Man}"))
    assert found == ['8: cues: "man" is both correct and incorrect']


def test_typographic_quotes_around_a_sentence(warned):
    (found,) = warned(SAMPLE.replace("The <nurse> lost his keys.", "“The <nurse> lost his keys.”"))
    assert found.startswith("33: “…” are not quotes in YAML but part of the sentence")
    assert warned(SAMPLE.replace("The <nurse> lost his keys.", '"“The <nurse> lost his keys.”"')) == []
    assert (
        warned(SAMPLE.replace("The <nurse> lost his keys.", "“The <nurse>”, he said, “lost his keys.”")) == []
    )


def test_a_focus_in_other_brackets(warned):
    sources = (
        "    sources: {correct: The man nurse lost his keys., incorrect: The woman nurse lost his keys.}\n"
    )
    (found,) = warned(SAMPLE.replace("<nurse>", "‹nurse›") + sources)
    assert found == (
        '33: no focus in "The ‹nurse› lost his keys.": the focus is marked with < and >: write <nurse>, not ‹nurse›'
    )
    assert warned(SAMPLE.replace("<nurse>", "«nurse»") + sources) == []
    assert warned(SAMPLE.replace("<nurse>", r"nurse, 3 \< 5 and 7 \> 6,") + sources) == []


def test_a_small_category_and_an_empty_one(warned):
    found = warned(
        "  - {source: They lost <keys>., category: unknown, cues: {correct: a, incorrect: b}}\n",
        ("[male, female]", "[male, female, unknown, other]"),
    )
    assert found == [
        '6: the category "unknown" has 1 sample; fewer than 10 prove nothing',
        '6: no sample has the category "other"',
    ]


def test_regression_cases_may_be_few(good, load):
    text = good.replace('gates:\n  accuracy[female]: ">= 0.60"', "expect: each\ngates: {}")
    assert [problem.message for problem in warnings(load(text))] == ['no sample has the category "male"']


def test_a_slot_of_the_suite_that_no_template_uses(warned):
    more = "slots:\n  used: [cook]\n  unused: [x]\ngenerate:\n  - {source: 'The <{used}> slept.', category: male}\n"
    assert warned(more) == ['35: no template uses the slot "unused"']


def test_a_slot_that_only_evidence_uses_is_used(warned):
    template = "  - {source: The <man> slept., category: male, cues: {correct: '{x}', incorrect: woman}}\n"
    assert warned("slots: {x: [old, young]}\ngenerate:\n" + template) == []


def test_an_expired_known_failure(warned):
    bound = '{bound: ">= 0.60", xfail: {reason: known, until: 2020-01-31}}'
    assert warned(change=('">= 0.60"', bound)) == [
        "11: gates.accuracy[female]: xfail ended on 2020-01-31; the gate counts again"
    ]
    assert warned(change=('">= 0.60"', bound.replace("2020", "2999"))) == []


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("The  <nurse> lost his keys.", 'repeated spaces in "The  nurse lost his keys."'),
        (
            "The\u00a0<nurse> slept.",
            'a non-breaking space (U+00A0) in "The\u00a0nurse slept."',
        ),
        (
            "The <nurse> sle\u200bpt.",
            'a zero width space (U+200B) in "The nurse sle\\u200bpt."',
        ),
        ("The <nurse > slept.", "spaces between < and > are part of the sentence; write <nurse>"),
        ('"The <nurse>\\tlost."', 'a line break or a tab in "The nurse\\tlost."'),
        ("The <nurse> lost {possessive} keys.", '{possessive} looks like an unfilled slot (slots are written in single braces, under `generate`) in "The nurse lost {possessive} keys."'),
    ],
)  # fmt: skip
def test_odd_text(warned, source, message):
    assert warned(SAMPLE.replace("The <nurse> lost his keys.", source)) == [f"33: {message}"]


@pytest.mark.parametrize("source", ["The <nurse> paid 10\u00a0000\u00a0€.", "The <nurse>\u202f: why\u00a0?"])
def test_a_non_breaking_space_that_typography_asks_for_is_fine(warned, source):
    assert warned(f'  - source: "{source}"\n    category: male\n') == []


def test_odd_text_in_evidence(warned):
    more = SAMPLE + "    targets: {de: {correct: 'Der  Pfleger.', incorrect: Die Schwester.}}\n"
    assert warned(more) == ['33: repeated spaces in "Der  Pfleger."']


def test_data_is_linted_in_its_own_lines(warned):
    line = '{"source": "The <%s>  slept.", "category": "male"}\n'
    files = {"a.jsonl": line % "nurse" + line % "cook"}
    assert warned("data: {file: a.jsonl}\n", files=files) == [
        '1: repeated spaces in "The nurse  slept."',
        '2: repeated spaces in "The cook  slept."',
    ]


def test_a_key_that_stands_twice_in_a_line_of_data(warned):
    line = '{"source": "The <nurse> slept.", "category": "male", "attributes": {"a": 1, "b": 2, "a": 3}}\n'
    assert warned("data: {file: a.jsonl}\n", files={"a.jsonl": "\n" + line}) == [
        '2: duplicate key "a"; the last one counts'
    ]


def test_a_thousand_warnings_of_a_kind_are_cut_short(warned):
    line = '{"source": "The <nurse>  slept %d times.", "category": "male"}\n'
    files = {"a.jsonl": "".join(line % number for number in range(1000))}
    found = warned("data: {file: a.jsonl}\n", files=files)
    assert len(found) == 11
    assert found[-1].endswith("… and 990 more of this kind")


def test_errors_of_evidence_and_gates_are_told_together(good, tmp_path, capsys):
    path = tmp_path / "a.mt.yaml"
    path.write_text(good.replace("<doctor>", "doctor").replace("accuracy[", "acuracy["))
    assert main(["lint", str(path)]) == 1
    told = [line for line in capsys.readouterr().out.splitlines() if "warning" not in line]
    assert [line.removeprefix(f"{path}:").split(":")[0] for line in told if line.startswith(str(path))] == [
        "13",
        "11",
    ]


def test_clusters_that_swallow_the_suite(load):
    kind = "source: The <nurse> lost {possessive} {thing}."
    head = """mtprobe: 1
name: keys
about: Keys?
languages: {source: en, targets: any}
method: contrastive-conditioning
categories: [female]
cluster: CLUSTER
cues: {female: {correct: woman, incorrect: man}}
gates: {accuracy: ">= 0.5"}
generate:
  - SOURCE
    category: female
    attributes: {kind: possession}
    slots:
      possessive: [her]
      thing: [THINGS]
"""
    things = ", ".join(f"key{number}" for number in range(40))
    text = head.replace("SOURCE", kind).replace("THINGS", things)
    (found,) = warnings(load(text.replace("CLUSTER", "kind")))
    assert (found.place.line, found.message) == (
        7,
        'the 40 samples are one cluster of "kind", and only clusters are independent; '
        "choose an attribute that few samples share, or none",
    )
    assert list(warnings(load(text.replace("CLUSTER", "thing")))) == []


def test_a_gated_suite_of_few_clusters(warned):
    in_four = re.sub(r"lost (\d)(.+?), category", r"lost \1\2, attributes: {shift: \1}, category", MANY)
    in_four = re.sub(r"shift: [3-9]", "shift: 3", in_four)
    in_four += in_four.replace(" lost ", " found ")
    found = warned(change=("samples:\n" + MANY, "cluster: shift\nsamples:\n" + in_four))
    assert [line.partition(": ")[2] for line in found] == [
        'the 40 samples are 4 clusters of "shift"; with fewer than 10, gates are rarely decided'
    ]


def test_one_sentence_in_two_categories(warned):
    found = warned(SAMPLE + "  - {id: a, source: The <nurse> lost his keys., category: female}\n")
    assert [message.partition(", with ")[2] for message in found] == [
        "another category; one of the two must be wrong"
    ]


CRANE = """\
  - source: The male <crane> laid eggs.
    category: male
    cues:
      correct: CORRECT
      incorrect: [<machine>, <hoist>]
"""


@pytest.mark.parametrize(
    ("correct", "message"),
    [
        ("[<heron>, <cranes>]", 'the cue "<cranes>" repeats the focus "crane"'),
        ("[<heron>, <crane bird>]", 'the cue "<crane bird>" repeats the focus "crane"'),
        ("[<heron>, bird]", '"<heron>" replaces the focus, but "bird" is put before it; write <bird>'),
    ],
)
def test_cues_in_place_of_the_focus_that_are_slips(warned, correct, message):
    (found,) = warned(CRANE.replace("CORRECT", correct))
    assert message in found


def test_a_compound_of_the_focus_is_another_word(warned):
    assert warned(CRANE.replace("CORRECT", "[<heron>, <cranelike>]")) == []


def test_a_gate_for_a_language_that_the_suite_is_not_for(good, load):
    from mtprobe.gates import idle_gates

    written = good.replace("targets: any", "targets: [de, pt-BR]").replace(
        "gates:\n", 'gates:\n  pt: {accuracy: ">= 0.6"}\n  fr: {accuracy: ">= 0.6", gap: "<= 0.2"}\n'
    )
    (found,) = idle_gates(load(written))
    assert (found.place.line, found.message) == (
        12,
        "gates.fr: never used; the suite is for models into de, pt-BR",
    )
    assert [*idle_gates(load(written.replace("[de, pt-BR]", "any")))] == []


_TEMPLATE = """\
mtprobe: 1
name: people
about: Does a woman stay a woman?
languages: {source: en, targets: [pt]}
method: lexicon
gates: {accuracy: ">= 0.60"}
slots:
  occupation:
    doctor: {feminine: médica, masculine: médico}
    nurse: {feminine: enfermeira, masculine: enfermeiro}
generate:
  - source: The <{occupation}> lost her keys.
    lemmas:
      pt: {good: "{occupation.feminine}", bad: "{occupation.masculine}"}
"""


@pytest.mark.parametrize("written", ["[occupation]", "(occupation)", "nurse"])
def test_a_slot_that_only_the_evidence_has(load, written):
    assert "is not in the sentence" not in str([*warnings(load(_TEMPLATE))])
    found = [*warnings(load(_TEMPLATE.replace("<{occupation}>", f"<{written}>")))]
    assert [(problem.place.line, problem.message) for problem in found] == [
        (12, 'the slot "occupation" is not in the sentence; write {occupation} where its values go')
    ]


def test_a_target_that_a_comma_split(load):
    suite = """\
mtprobe: 1
name: pairs
about: Is a door open?
languages: {source: en, targets: [pt]}
method: minimal-pairs
gates: {accuracy: ">= 0.60"}
samples:
  - source: Yes, the door is open.
    targets: {pt: {correct: [Sim, a porta está aberta.], incorrect: [Sim, a porta está fechada.]}}
"""
    quoted = suite.replace("[Sim, a porta está aberta.]", '"Sim, a porta está aberta."').replace(
        "[Sim, a porta está fechada.]", '"Sim, a porta está fechada."'
    )
    with pytest.raises(SuiteError, match="is both correct and incorrect"):
        load(suite)
    assert [*warnings(load(quoted))] == []
    split = suite.replace("incorrect: [Sim, a porta está fechada.]", 'incorrect: "Não, a porta está aberta."')
    assert 'targets.pt: "Sim" is less than half as long as its source' in str([*warnings(load(split))])
