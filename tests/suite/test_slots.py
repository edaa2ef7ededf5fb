"""Slots: every combination of their values is a sample."""

from __future__ import annotations

import pytest


def template(source: str, slots: str = "", more: str = "", indent: str = "    ") -> str:
    lines = ["generate:", f"  - source: {source}"]
    if slots:
        lines += ["    slots:", *(f"      {line}" for line in slots.strip().splitlines())]
    lines += [f"{indent}{line}" for line in more.strip().splitlines()]
    return "\n".join(lines) + "\n"


@pytest.fixture
def sources(head, load):
    def sources(text: str, files: dict[str, str] | None = None) -> list[str]:
        return [sample.source for sample in load(head + text, files).samples]

    return sources


WHOSE = "whose: {her: {category: female}, his: {category: male}}"


def test_a_list_of_words_fills_a_slot(sources):
    assert sources(template("The <{job}> slept.", "job: [doctor, nurse]", "category: male")) == [
        "The doctor slept.",
        "The nurse slept.",
    ]


def test_every_combination_is_a_sample_and_a_value_sets_the_category(head, load):
    suite = load(head + template("The <{job}> lost {whose} keys.", f"job: [doctor, nurse]\n{WHOSE}"))
    assert [(sample.source, sample.category) for sample in suite.samples] == [
        ("The doctor lost her keys.", "female"),
        ("The doctor lost his keys.", "male"),
        ("The nurse lost her keys.", "female"),
        ("The nurse lost his keys.", "male"),
    ]


def test_a_slots_value_and_its_attributes_are_attributes_of_the_sample(head, load):
    slots = "job: {doctor: {typical: male, rank: 1}, nurse: }\n" + WHOSE
    first = load(
        head + template("The <{job}> lost {whose} keys.", slots, "attributes: {kind: keys}")
    ).samples[0]
    assert first.attributes == {"kind": "keys", "job": "doctor", "whose": "her", "typical": "male", "rank": 1}


def test_values_agree_on_the_attributes_that_they_share(sources):
    who = "who: {she: {category: female}, he: {category: male}}"
    assert sources(template("The <doctor> lost {whose} keys when {who} left.", f"{WHOSE}\n{who}")) == [
        "The doctor lost her keys when she left.",
        "The doctor lost his keys when he left.",
    ]


def test_values_that_never_agree_are_an_error(head, problem):
    found = problem(head + template("'{a} {b}.'", "a: {x: {k: 1}}\nb: {y: {k: 2}}", "category: male"))
    assert (found.place.line, found.message) == (
        13,
        "no combination of slot values is left; check `except` and the categories",
    )


def test_except_leaves_combinations_out(sources):
    text = template(
        "The <{job}> lost {whose} keys.",
        f"job: [doctor, nurse, king]\n{WHOSE}",
        "except:\n  - {job: king, whose: her}\n  - {job: [doctor, nurse], whose: his}",
    )
    assert sources(text) == [
        "The doctor lost her keys.",
        "The nurse lost her keys.",
        "The king lost his keys.",
    ]


def test_slots_of_the_suite_serve_every_template_and_a_templates_own_come_first(sources):
    text = (
        f"slots:\n  job: [doctor]\n  {WHOSE}\n"
        + template("The <{job}> lost {whose} keys.")
        + "  - source: The <{job}> lost {whose} way.\n    slots: {job: [nurse]}\n"
    )
    assert sources(text) == [
        "The doctor lost her keys.",
        "The doctor lost his keys.",
        "The nurse lost her way.",
        "The nurse lost his way.",
    ]


def test_a_text_file_has_one_value_a_line(sources):
    files = {"jobs.txt": "\ufeff# jobs\ndoctor\n\n  flight attendant  \r\ndoctor\n"}
    text = template("The <{job}> slept.", "job: {file: jobs.txt}", "category: male")
    assert sources(text, files) == ["The doctor slept.", "The flight attendant slept."]


def test_a_yaml_file_has_a_list_or_a_mapping(head, load):
    files = {
        "jobs.yaml": "doctor: {typical: male}\nnurse: {typical: female}\n",
        "whose.yml": "[his]",
    }
    slots = "job: {file: jobs.yaml}\nwhose: {file: whose.yml}"
    suite = load(head + template("The <{job}> lost {whose} keys.", slots, "category: male"), files)
    assert [sample.attributes["typical"] for sample in suite.samples] == ["male", "female"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("jobs.txt", "# nothing\n", "jobs.txt:1: has no values; a slot's file has one value per line"),
        ("jobs.yaml", "", "jobs.yaml:1:1: is empty"),
        ("jobs.yaml", "[]", "jobs.yaml:1:1: must have at least one entry"),
        ("jobs.yaml", "doctor:\n  typical: [x]", "jobs.yaml:2:3: doctor.typical: an attribute's value is"),
        ("jobs.yaml", "[a, b, a]", 'jobs.yaml:1:1: duplicate "a"'),
        ("jobs.yaml", "a: [", "jobs.yaml:2:1: not valid YAML"),
    ],
)
def test_a_mistake_in_a_slots_file_names_that_file(head, problem, name, content, message):
    text = head + template("The <{job}> slept.", f"job: {{file: {name}}}", "category: male")
    assert message in str(problem(text, {name: content}))


def test_a_missing_slots_file_names_the_slot(head, problem):
    found = problem(head + template("The <{job}> slept.", "job: {file: jobs.txt}", "category: male"))
    assert (found.place.line, found.message) == (15, 'there is no file "jobs.txt" in the suite\'s folder')


def test_a_slot_may_have_the_one_value_file(sources):
    assert sources(template("The <{x}>.", "x: {file: {rank: 1}}", "category: male")) == ["The file."]


@pytest.mark.parametrize(
    ("slot", "message"),
    [
        ("[]", "must have at least one entry"),
        ("{}", "must have at least one entry"),
        ("doctor", "must be a list, even of one word: [doctor]"),
        ("[doctor, doctor]", 'duplicate "doctor"'),
        ("[true]", "a slot's values are words; put them in quotes if necessary"),
        ("[[a]]", "a slot's values are words; put them in quotes if necessary"),
        ("{doctor: male}", "must be a mapping of attributes, as in {typical: male}"),
    ],
)
def test_what_is_no_slot_is_named(head, problem, slot, message):
    found = problem(head + template("The <{job}>.", f"job: {slot}", "category: male"))
    assert found.place.line == 15
    assert found.message.endswith(message)


def test_numbers_are_words_in_a_slot(sources):
    assert sources(template("<{n}> keys.", "n: [1, 2.5]", "category: male")) == ["1 keys.", "2.5 keys."]


def test_a_and_an_are_made_to_fit_the_value(sources):
    text = template(
        "It was a <{job}>, an {adjective} one.",
        "job: [engineer, doctor, university lecturer]\nadjective: [old, tall]",
        "category: male",
    )
    assert sources(text)[:4] == [
        "It was an engineer, an old one.",
        "It was an engineer, a tall one.",
        "It was a doctor, an old one.",
        "It was a doctor, a tall one.",
    ]
    assert sources(text)[4] == "It was a university lecturer, an old one."


def test_a_value_that_opens_a_sentence_gets_a_capital(sources):
    text = template('"<{job}> left. {job} slept."', "job: [doctors]", "category: male")
    assert sources(text) == ["Doctors left. Doctors slept."]
    text = template("'“{job} left,” said the <nurse>.'", "job: [doctors]", "category: male")
    assert sources(text) == ["“Doctors left,” said the nurse."]


def test_another_language_keeps_its_words(head, load):
    text = head.replace("source: en", "source: es") + template(
        "Vi a {x} <casa>.", "x: [otra]", "category: male"
    )
    assert load(text).samples[0].source == "Vi a otra casa."


def test_doubled_braces_are_plain_ones(sources):
    text = template("'{{job}} is a <{job}> }} {{.'", "job: [doctor]", "category: male")
    assert sources(text) == ["{job} is a doctor } {."]


@pytest.mark.parametrize("source", ["'A { <{job}>.'", "'A } <{job}>.'", "'A <{job}> {'"])
def test_a_single_brace_is_refused(head, problem, source):
    found = problem(head + template(source, "job: [doctor]", "category: male"))
    assert found.place.line == 13
    assert "a literal brace is written twice" in found.message


def test_braces_in_a_plain_sample_are_plain(good, load):
    assert (
        load(good.replace("The <doctor>", "The {x} <doctor>")).samples[0].source.startswith("The {x} doctor")
    )


def test_evidence_is_filled_in_too(head, load):
    more = """\
category: female
cues: {correct: 'lady {job}-like', incorrect: man}
sources:
  correct: A {job} (a woman) slept.
  incorrect: "{job} slept, a man."
targets:
  de: {correct: "{job} schlief.", incorrect: Er.}
lemmas:
  de: {good: ["{job}in"], bad: ["{job}"]}
"""
    sample = load(head + template("The <{job}> slept.", "job: [architect]", more)).samples[0]
    assert sample.category == "female"
    assert sample.cues.correct == ("lady architect-like",)
    assert sample.sources.correct == ("An architect (a woman) slept.",)
    assert sample.sources.incorrect == ("Architect slept, a man.",)
    assert sample.targets["de"].correct == ("Architect schlief.",)
    assert (sample.lemmas["de"].correct, sample.lemmas["de"].incorrect) == (("architectin",), ("architect",))


def test_a_slot_may_stand_in_the_evidence_only(head, load):
    more = "category: female\ncues: {correct: '{word}', incorrect: man}"
    suite = load(head + template("The <doctor> slept.", "word: [lady, woman]", more))
    assert [sample.cues.correct for sample in suite.samples] == [("lady",), ("woman",)]


def test_a_mistake_in_the_evidences_slots_names_its_line(head, problem):
    text = head + template(
        "The <{job}>.", "job: [doctor]", "category: male\ncues: {correct: '{jb}', incorrect: x}"
    )
    found = problem(text)
    assert (found.place.line, found.message) == (17, 'there is no slot "jb"; did you mean "job"?')


def test_a_template_needs_no_slots(sources):
    assert sources(template("The <doctor> slept.", more="category: male")) == ["The doctor slept."]


def test_too_many_combinations_are_refused_before_they_are_made(head, problem):
    slots = "\n".join(f"{name}: [{', '.join(f'{name}{number}' for number in range(100))}]" for name in "abc")
    found = problem(head + template('"{a} {b} {c}"', slots, "category: male"))
    assert (found.place.line, found.message) == (
        13,
        "1,000,000 combinations of slot values; a suite may have at most 200,000: use fewer slots or values, "
        "or a JSON Lines file that the suite names with `data:`",
    )


def test_the_slot_in_the_focus_is_the_default_cluster(head, load):
    suite = load(head + template("The <{job}> lost {whose} keys.", f"job: [doctor, nurse]\n{WHOSE}"))
    assert [sample.cluster for sample in suite.samples] == ["doctor", "doctor", "nurse", "nurse"]


def test_an_escaped_sign_does_not_open_the_focus_of_a_cluster(head, load):
    text = template(r"'{n} \< 5 \> 1, said the <{job}>.'", "job: [doctor]\nn: [3]", "category: male")
    assert load(head + text).samples[0].cluster == "doctor"


JOBS = "job: {doctor: {she: médica, he: médico}, engineer: {she: engenheira, he: engenheiro}}"


def test_an_attribute_of_a_value_can_be_filled_in(head, load):
    evidence = """
category: female
cues: {correct: "<woman {job.she}>", incorrect: "<man {job.he}>"}
lemmas: {pt: {good: "{job.she}", bad: ["{job.he}", "{job}"]}}
targets:
  pt:
    correct: A {job.she} dormiu.
    incorrect: "{job.he} dormiu."
references: {pt: "{job.she}, {job.he}"}
"""
    first, second = load(head + template("The <{job}> slept.", JOBS, evidence)).samples
    assert first.lemmas["pt"].sides == {"correct": ("médica",), "incorrect": ("médico", "doctor")}
    assert first.targets["pt"].sides == {"correct": ("A médica dormiu.",), "incorrect": ("Médico dormiu.",)}
    assert first.cues.sides == {"correct": ("<woman médica>",), "incorrect": ("<man médico>",)}
    assert first.references == {"pt": ("Médica, médico",)}
    assert second.lemmas["pt"].correct == ("engenheira",)


def test_an_attribute_in_the_sentence_changes_neither_ids_nor_clusters(head, load):
    slots = "animal: {owl: {sound: hoots}, cat: {sound: meows}}"
    samples = load(head + template("A <{animal}> {animal.sound}.", slots, "category: male")).samples
    assert [sample.source for sample in samples] == ["An owl hoots.", "A cat meows."]
    assert [sample.id for sample in samples] == ["a/owl", "a/cat"]
    assert [sample.cluster for sample in samples] == ["owl", "cat"]


def test_a_slot_that_only_appears_by_an_attribute_of_its_values(head, load):
    slots = "animal: {owl: {kind: night bird}, cat: {kind: pet}}"
    samples = load(head + template("The <{animal.kind}> slept.", slots, "category: male")).samples
    assert [(sample.id, sample.source, sample.cluster) for sample in samples] == [
        ("the-slept/owl", "The night bird slept.", "owl"),
        ("the-slept/cat", "The pet slept.", "cat"),
    ]


def test_numbers_and_truth_are_filled_in_as_yaml_writes_them(sources):
    slots = "room: {kitchen: {number: 7, open: true}}"
    text = template("The <{room}>, no. {room.number}, is open: {room.open}.", slots, "category: male")
    assert sources(text.replace("source: The", 'source: "The').replace("open}.", 'open}."')) == [
        "The kitchen, no. 7, is open: true."
    ]


def test_attributes_of_slots_of_the_suite_and_of_files(sources):
    slots = "slots: {job: {file: jobs.yaml}}\n"
    files = {"jobs.yaml": "doctor: {place: hospital}\nengineer: {place: office}\n"}
    assert sources(slots + template("The <{job}> left the {job.place}.", more="category: male"), files) == [
        "The doctor left the hospital.",
        "The engineer left the office.",
    ]


def test_a_slot_may_have_a_dot_in_its_name(sources):
    slots = "a.b: {x: {c.d: y}}\na: [z]"
    assert sources(template("The <{a.b}> {a.b.c.d} {a}.", slots, "category: male")) == ["The x y z."]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("job.sh", 'no value of the slot "job" has the attribute "sh"; did you mean "she"?'),
        ("jb.she", 'there is no slot "jb"; did you mean "job"?'),
        ("job.", 'no value of the slot "job" has the attribute ""; available: she, he, cat'),
        ("job.cat", '{job.cat}: the value "engineer" has no attribute "cat"'),
    ],
)
def test_a_typo_in_an_attribute_of_a_value_names_the_line(head, problem, name, message):
    slots = JOBS.replace("he: médico", "he: médico, cat: a")
    evidence = f'category: female\nlemmas:\n  pt:\n    good: "{{job.she}}"\n    bad:\n      - "{{{name}}}"\n'
    found = problem(head + template("The <{job}> slept.", slots, evidence))
    assert (found.place.line, found.place.column) == (21, 13)
    assert found.message == message


def test_an_attribute_of_a_slot_without_attributes(head, problem):
    found = problem(head + template("The <{job}> saw {job.she}.", "job: [doctor]", "category: male"))
    assert found.message == (
        'no value of the slot "job" has the attribute "she"; its values have no attributes'
    )


def test_lint_knows_slots_that_appear_by_an_attribute(head, load):
    from mtprobe.suite.lint import warnings

    slots = "slots: {animal: {owl: {kind: bird}}, unused: [x]}\n"
    suite = load(head + slots + template("The <{animal.kind}> slept.", more="category: male"))
    found = [problem.message for problem in warnings(suite) if "slot" in problem.message]
    assert found == ['no template uses the slot "unused"']


def test_room_is_counted_with_attributes_filled_in(head, problem):
    long = "x" * 15_000
    values = "\n".join(f"  w{number}: {{text: {long}}}" for number in range(60))
    slots = f"a:\n{values}\nb: [{', '.join(f'v{number}' for number in range(80))}]"
    found = problem(head + template("The <{a}> {a.text} {b}.", slots, "category: male"))
    assert "characters with every combination filled in" in found.message
