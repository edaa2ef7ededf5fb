"""A typo gets one message: the line, what is wrong, what would be right."""

from __future__ import annotations

import re

import pytest

TEMPLATE = """\
generate:
  - source: The <{job}> lost {whose} keys.
    slots:
      job: {doctor: {typical: male}, nurse: {typical: female}}
      whose: {her: {category: female}, his: {category: male}}
    attributes:
      stereotype: {pro: typical == category, anti: typical != category}
"""


@pytest.mark.parametrize(
    ("right", "wrong", "line", "message"),
    [
        ("languages:", "langages:", 4, 'langages: unknown key; did you mean "languages"?'),
        ("categories:", "catgories:", 6, 'catgories: unknown key; did you mean "categories"?'),
        ("  - source", "  - sorce", 13, 'samples[0].sorce: unknown key; did you mean "source"?'),
        ("    category:", "    categry:", 14, 'samples[0].categry: unknown key; did you mean "category"?'),
        ("{correct: man", "{corect: man", 8, 'cues.male.corect: unknown key; did you mean "correct"?'),
        ("targets: any", "target: any", 4, 'languages.target: unknown key; did you mean "targets"?'),
    ],
)  # fmt: skip
def test_a_typo_in_a_key_names_the_line_and_the_key_that_was_meant(
    good, problem, right, wrong, line, message
):
    found = problem(good.replace(right, wrong, 1))
    assert found.place.line == line
    assert found.message == message


def test_a_typo_in_a_key_of_a_template_names_the_line(head, problem):
    found = problem(head + TEMPLATE.replace("    slots:", "    slot:"))
    assert (found.place.line, found.message) == (
        14,
        'generate[0].slot: unknown key; did you mean "slots"?',
    )


def test_a_typo_in_a_samples_own_cues_names_the_line(good, problem):
    found = problem(good + "    cues:\n      correct: woman\n      incorect: man\n")
    assert found.place.line == 18
    assert found.message == 'samples[0].cues.incorect: unknown key; did you mean "incorrect"?'


def test_a_typo_in_a_category_names_the_line(good, problem):
    found = problem(good.replace("category: female", "category: femal"))
    assert (found.place.line, found.place.column) == (14, 5)
    assert found.message == 'category "femal" is not declared; did you mean "female"?'


def test_a_typo_in_a_category_of_a_slots_value_names_the_line(head, problem):
    found = problem(head + TEMPLATE.replace("his: {category: male}", "his: {category: mail}"))
    assert found.place.line == 16
    assert found.message == 'category "mail" is not declared; did you mean "male"?'


def test_a_typo_in_a_category_of_the_suites_cues_names_the_line(good, problem):
    found = problem(good.replace("  male: {correct", "  mael: {correct"))
    assert found.place.line == 8
    assert found.message == 'category "mael" is not declared; did you mean "male"?'


def test_a_typo_in_a_category_of_a_samples_cues_names_the_line(good, problem):
    found = problem(good + "    cues:\n      femal: {correct: woman, incorrect: man}\n")
    assert found.place.line == 16
    assert 'category "femal" is not declared; did you mean "female"?' in found.message


@pytest.mark.parametrize(
    ("gate", "message"),
    [
        ("acuracy[female]", 'unknown metric "acuracy"; did you mean "accuracy"?'),
        ("accuracy[femal]", 'category "femal" is not declared; did you mean "female"?'),
        ("gap[poss]", 'there is no attribute "poss"; did you mean "pos"?'),
        ("accuracy[ps=noun]", 'there is no attribute "ps"; did you mean "pos"?'),
        ("accuracy[pos=nun]", 'no sample has pos "nun"; did you mean "noun"?'),
        ("minimum_accuracy[female]", "minimum_accuracy is taken over all categories and has no [female]"),
    ],
)
def test_a_typo_in_a_gate_names_the_line(good, problem, gate, message):
    found = problem(good.replace("accuracy[female]", gate))
    assert (found.place.line, found.place.column) == (11, 3)
    assert found.message == f"gates.{gate}: {message}"


def test_a_typo_in_the_name_of_a_slot_names_the_line(head, problem):
    found = problem(head + TEMPLATE.replace("<{job}>", "<{jbo}>"))
    assert (found.place.line, found.message) == (13, 'there is no slot "jbo"; did you mean "job"?')


def test_a_slot_that_the_sentence_does_not_use_names_the_line(head, problem):
    found = problem(head + TEMPLATE.replace("<{job}>", "<doctor>"))
    assert (found.place.line, found.message) == (15, "the sentence has no {job}; available: whose")


def test_a_typo_in_an_exception_names_the_line(head, problem):
    found = problem(head + TEMPLATE + "    except:\n      - {job: nurs, whose: his}\n")
    assert (found.place.line, found.message) == (20, '"nurs" is not a value of job; did you mean "nurse"?')
    found = problem(head + TEMPLATE + "    except:\n      - {jb: nurse}\n")
    assert (found.place.line, found.message) == (20, 'there is no slot "jb"; did you mean "job"?')


def test_a_typo_in_a_condition_names_the_line(head, problem):
    found = problem(head + TEMPLATE.replace("typical == category", "typcal == category"))
    assert found.place.line == 18
    assert '"typcal" in "typcal == category" is neither an attribute nor a value of one' in found.message
    assert 'did you mean "typical"?' in found.message


def test_a_typo_in_a_condition_of_the_suite_names_the_line(head, problem):
    found = problem(head + "attributes:\n  part: {noun: ps == noun}\n" + TEMPLATE)
    assert found.place.line == 13
    assert '"ps" in "ps == noun" is neither an attribute nor a value of one' in found.message


def test_a_typo_in_the_cluster_names_the_line(head, problem):
    found = problem(head + "cluster: jobb\n" + TEMPLATE)
    assert found.place.line == 12
    assert found.message == 'cluster: there is no slot or attribute "jobb"; did you mean "job"?'


def test_a_typo_in_the_method_names_the_line(good, problem):
    found = problem(good.replace("contrastive-", "contrastve-"))
    assert (found.place.line, found.message) == (
        5,
        'unknown method "contrastve-conditioning"; did you mean "contrastive-conditioning"?',
    )


@pytest.mark.parametrize(
    ("right", "wrong", "where"),
    [
        ("source: en,", "source: englsh,", "languages.source"),
        ("targets: any", "targets: germn", "languages.targets"),
        ("targets: any", "targets: [de, germn]", "languages.targets[1]"),
    ],
)
def test_a_typo_in_a_language_names_the_line(good, problem, right, wrong, where):
    found = problem(good.replace(right, wrong))
    assert found.place.line == 4
    assert found.message.startswith(f"{where}: ")
    assert "is not a language tag; write BCP 47" in found.message


def test_a_typo_in_the_language_of_evidence_names_the_line(good, problem):
    found = problem(good + "    targets:\n      germn: {correct: Eine, incorrect: Ein}\n")
    assert found.place.line == 17
    assert found.message.startswith('samples[0].targets.germn: "germn" is not a language tag')


def test_everything_wrong_is_named_in_one_run(good, load):
    from mtprobe.errors import SuiteError

    wrong = good.replace("about:", "abut:").replace("    category:", "    categry:") + "    colour: red\n"
    with pytest.raises(SuiteError) as raised:
        load(wrong)
    assert [problem.place.line for problem in raised.value.problems] == [3, 14, 16]


def test_a_thousand_mistakes_are_not_all_printed(good, load):
    from mtprobe.errors import SuiteError

    with pytest.raises(SuiteError) as raised:
        load(good + "".join(f"  - {{source: Sentence {number}, categry: male}}\n" for number in range(1000)))
    assert len(raised.value.problems) <= 20


def test_an_unknown_method_is_reported_before_keys_that_it_would_need(good, problem):
    found = problem(good.replace("contrastive-conditioning", "contrastive") + "decide: {margin: auto}\n")
    assert found.message == 'unknown method "contrastive"; did you mean "contrastive-conditioning"?'


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("  - sentence: The <cook> slept.\n    category: male\n", 'samples[1].sentence: unknown key; did you mean "source"?'),
        ("  - {id: a, text: The <cook> slept., category: male}\n", 'sample "a": text: unknown key; did you mean "source"?'),
        ("  - {id: a, source: A <cook>., terms: {}}\n", 'sample "a": terms: unknown key; it belongs to the suite, not to a sample'),
        ("  - {id: a, source: A <cook>., must_contain: [aqui]}\n", 'sample "a": must_contain: begin with the language: {pt: [aqui]}'),
        ("  - {id: a, source: A <cook>., lemmas: {pt: {good: {job.pt}, bad: x}}}\n", 'sample "a": lemmas.pt.good: put it in quotes: "{job.pt}"'),
    ],
)  # fmt: skip
def test_what_authors_write_instead_of_a_key(good, problem, more, message):
    assert problem(good + more).message == message


def test_a_gate_without_a_space_after_its_colon(good, problem):
    gates = "".join(re.findall(r"(?m)^gates:.*\n(?:  .*\n)*", good))
    found = problem(good.replace(gates, 'gates:\n  minimum_accuracy:">= 0.70"\n'))
    assert found.message == 'gates: a space is missing after the colon: "minimum_accuracy: ">= 0.70""'


@pytest.mark.parametrize(
    ("right", "wrong", "place", "said"),
    [
        ("{correct: woman, incorrect: man}", "{good: woman, bad: man}", (9, 3), 'did you mean "correct"?'),
        ("{correct: woman, incorrect: man}", "{correct: woman, incorrect: false}", (9, 28), 'put it in quotes: "false"'),
        ("method: contrastive-conditioning", "method: [lexicon, question]", (5, 1), "for several, write `methods: [lexicon, question]`"),
        ("categories: [male, female]\n", "", (7, 3), "the suite lists its categories: `categories: [male, …]`"),
        ("<doctor>", "doctor", (13, 5), "needs a <focus> (the word that the question is about, in <…>)"),
        ("<doctor>", "*doctor*", (13, 5), "write <doctor>, not *doctor*"),
        ("targets: any", "targets: Portuguese", (4, 25), 'write "pt"'),
        ("gates:", "labels: mine.tsv\ngates:", (10, 1), "labels: begin with the language: {pt: mine.tsv}"),
        ("gates:", "slots: {job: jobs.txt}\ngates:", (10, 9), "slots.job: write {file: jobs.txt}"),
        ("cues:\n  male: {correct: man, incorrect: woman}\n  female: {correct: woman, incorrect: man}", "cues: c.jsonl", (7, 1), "for a file of cues write {file: c.jsonl}"),
    ],
)  # fmt: skip
def test_what_authors_write_instead_of_a_value(good, problem, right, wrong, place, said):
    assert right in good
    found = problem(good.replace(right, wrong, 1))
    assert (found.place.line, found.place.column) == place
    assert said in found.message


def test_a_data_file_without_its_key(head, problem):
    found = problem(head + "data: samples.jsonl\n")
    assert (found.place.line, found.message) == (12, "data: write {file: samples.jsonl}")
