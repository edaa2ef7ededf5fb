"""Audit pairs: translations of known reading, in the suite or beside it."""

from __future__ import annotations

import pytest

from mtprobe.suite.lint import warnings

PAIR = """\
    - source: The <doctor> was tired.
      targets:
        male: O médico estava cansado.
        female: A médica estava cansada.
"""
IN_A_FILE = PAIR.replace("\n    ", "\n").removeprefix("    ")

OWN_CUES = """\
mtprobe: 1
name: animals
about: Which bat?
languages: {source: en, targets: any}
method: contrastive-conditioning
gates: {accuracy: ">= 0.6"}
samples:
  - id: bat/animal
    source: The <bat> flew away.
    attributes: {lemma: bat}
    cues: {correct: vampire, incorrect: baseball}
  - id: bat/club
    source: He swung the <bat>.
    attributes: {lemma: bat}
    sources: {correct: He swung the baseball bat., incorrect: He swung the vampire bat.}
audit:
  pt:
    - sample: bat/animal
      targets: {correct: O morcego voou., incorrect: O taco voou.}
    - sample: bat/club
      targets: {correct: Ele balançou o taco., incorrect: Ele balançou o morcego.}
"""


@pytest.fixture
def audited(good):
    return good + "audit:\n  pt:\n" + PAIR


def test_a_pair_has_a_source_with_its_focus_and_a_target_a_category(audited, load):
    (pair,) = load(audited).audit["pt"]
    assert (pair.sample.source, pair.sample.focus) == ("The doctor was tired.", (4, 10))
    assert pair.targets == {"male": ("O médico estava cansado.",), "female": ("A médica estava cansada.",)}
    assert pair.by_category
    assert pair.sample.cluster == "doctor"
    assert pair.place.line == 18


def test_a_pair_may_name_a_sample_with_its_own_cues(load):
    pairs = load(OWN_CUES).audit["pt"]
    assert [pair.sample.id for pair in pairs] == ["bat/animal", "bat/club"]
    assert [pair.by_category for pair in pairs] == [False, False]
    assert {pair.sample.cluster for pair in pairs} == {"bat"}


def test_a_reading_may_have_several_targets(audited, load):
    text = audited.replace("O médico estava cansado.", "[O médico estava cansado., O doutor estava cansado.]")
    assert len(load(text).audit["pt"][0].targets["male"]) == 2


def test_pairs_for_a_language_serve_every_model_into_it(audited, load):
    suite = load(audited)
    assert len(suite.audit_for("pt-BR")) == len(suite.audit_for("por_Latn")) == 1
    assert suite.audit_for("de") == ()


def test_pairs_may_stand_in_a_file(good, load):
    suite = load(good + "audit: {pt: {file: audit/pt.yaml}}\n", {"audit/pt.yaml": IN_A_FILE})
    (pair,) = suite.audit["pt"]
    assert (pair.place.path.name, pair.place.line) == ("pt.yaml", 1)


def test_the_file_is_part_of_the_suites_digest(good, load):
    text = good + "audit: {pt: {file: pt.yaml}}\n"
    first = load(text, {"pt.yaml": IN_A_FILE}).digest
    assert load(text, {"pt.yaml": IN_A_FILE.replace("cansado", "exausto")}).digest != first


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("female: A", "femal: A", 21, '"femal" is not a category that has cues; did you mean "female"?'),
        ("      targets:", "      target:", 19, 'audit.pt[0].target: unknown key; did you mean "targets"?'),
        ("<doctor> was", "doctor was", 18, "has no focus for the cues; mark it as <word>"),
        ("  pt:\n", "  portuguese:\n", 17, None),
        ("source: The <doctor> was tired.", "sample: nobody", 18, None),
    ],
)
def test_a_mistake_in_a_pair_names_the_line(audited, problem, old, new, line, message):
    found = problem(audited.replace(old, new))
    assert found.place.line == line
    assert message is None or found.message == message


def test_an_unclosed_focus_is_told_as_in_a_sample(audited, problem):
    found = problem(audited.replace("<doctor> was", "<doctor was"))
    assert (found.place.line, "the focus is opened with < and closed with >" in found.message) == (18, True)


def test_a_pair_has_either_a_source_or_a_sample(audited, problem):
    for text in (
        audited.replace("source: The <doctor> was tired.\n      ", ""),
        audited.replace("      targets", "      sample: the-doctor-lost-her-keys\n      targets"),
    ):
        found = problem(text)
        assert (found.place.line, found.message) == (18, "an audit pair has either `source` or `sample`")


def test_an_unknown_sample_is_named_with_what_was_meant(problem):
    found = problem(OWN_CUES.replace("sample: bat/club", "sample: bat/clab"))
    assert found.message == 'there is no sample "bat/clab" in the suite; did you mean "bat/club"?'
    assert found.place.line == 20


def test_a_sample_has_two_readings(problem):
    found = problem(OWN_CUES.replace("incorrect: O taco", "wrong: O taco"))
    assert found.message == '"wrong" is not a reading; available: correct, incorrect'


def test_a_source_needs_cues_by_category(problem):
    found = problem(OWN_CUES.replace("sample: bat/animal", "source: The <bat> slept."))
    assert "no `cues` by category" in found.message


def test_a_language_stands_once_however_it_is_written(audited, problem):
    found = problem(audited + "  por:\n" + PAIR)
    assert (found.place.line, found.message) == (22, "audit.por: duplicate language pt")


@pytest.mark.parametrize("text", ["", "pt\n", "- 3\n", "- {source: A <man>., targets: {}}\n", "a: [\n"])
def test_a_mistake_in_a_file_is_located_in_the_file(good, problem, text):
    found = problem(good + "audit: {pt: {file: pt.yaml}}\n", {"pt.yaml": text})
    assert found.place.path.name == "pt.yaml"
    assert found.place.line >= 1


def test_a_file_outside_of_the_suites_folder_is_refused(good, problem):
    found = problem(good + "audit: {pt: {file: ../pt.yaml}}\n")
    assert (found.place.line, "is outside" in found.message) == (16, True)


def test_every_mistake_is_named_at_once(audited, load):
    from mtprobe.errors import SuiteError

    text = audited + PAIR.replace("female", "femal").replace("male: O", "mail: O")
    with pytest.raises(SuiteError) as raised:
        load(text)
    assert [problem.place.line for problem in raised.value.problems] == [24, 25]


def test_a_gate_on_the_audit_needs_pairs_and_has_no_brackets(good, audited, load, problem):
    old = 'accuracy[female]: ">= 0.60"'
    assert load(audited.replace(old, 'audit_accuracy: ">= 0.9"')).gates[0].key == "audit_accuracy"
    found = problem(audited.replace(old, 'audit_accuracy[female]: ">= 0.9"'))
    assert "is taken over all audit pairs and has no [female]" in found.message
    found = problem(good.replace(old, 'audit_accuracy: ">= 0.9"'))
    assert (found.place.line, found.message) == (
        11,
        "gates.audit_accuracy: audit_accuracy needs `audit` pairs in the suite",
    )


def _warned(suite):
    return [
        f"{problem.place.line}: {problem.message}"
        for problem in warnings(suite)
        if "audit" in problem.message
    ]


JOBS = ["doctor", "nurse", "cook", "poet", "judge", "king", "clerk", "guide", "agent", "actor"]
MANY = "".join(PAIR.replace("doctor", job).replace("médic", job) for job in JOBS)


def test_good_pairs_get_no_warning(good, load):
    assert _warned(load(good + "audit:\n  pt:\n" + MANY)) == []


def test_lint_warns_of_pairs_that_cannot_be_meant(good, load):
    text = good + "audit:\n  pt:\n" + MANY
    same = text.replace("A doctora estava cansada.", "O doctoro estava cansado.")
    assert '18: audit.pt: "O doctoro estava cansado." is both male and female' in _warned(load(same))
    copied = text.replace("A doctora estava cansada.", "The doctor was tired.")
    assert "18: audit.pt: a target is its source, not a translation of it" in _warned(load(copied))
    (twice,) = _warned(load(text + MANY.partition("        female")[0]))
    assert twice.startswith('58: audit.pt: "O doctoro estava cansado." is also at ')


def test_lint_warns_of_too_few_pairs_and_of_one_sided_ones(audited, load):
    assert _warned(load(audited)) == ["17: audit.pt: pairs for only 1 word; fewer than 10 prove little"]
    one = audited.replace("        female: A médica estava cansada.\n", "")
    assert '17: audit.pt: every target is "male"; an audit needs other readings too' in _warned(load(one))


def test_lint_warns_of_a_language_that_the_suite_is_not_for(good, load):
    text = good.replace("targets: any", "targets: [de]") + "audit:\n  pt:\n" + MANY
    assert _warned(load(text)) == ["17: audit.pt: the suite is for en→de"]


def test_odd_signs_in_targets_are_found(good, load):
    text = good + "audit:\n  pt:\n" + MANY.replace("O doctoro estava", "O doctoro  estava")
    assert any("repeated spaces" in problem.message for problem in warnings(load(text)))


def test_a_typo_beside_the_file_of_pairs_is_named(good, problem):
    found = problem(good + "audit: {pt: {file: pairs.yaml, flie: y}}\n")
    assert found.message == 'audit.pt.flie: unknown key; did you mean "file"?'
