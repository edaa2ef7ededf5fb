"""The focus: marked once with <…>, and what cues make of a sentence there."""

from __future__ import annotations

import pytest

from mtprobe.suite.samples.focus import FocusError, contrastive_sources, insert_cue, read_marks


@pytest.mark.parametrize(
    ("written", "text", "focus"),
    [
        ("The <doctor> left.", "The doctor left.", "doctor"),
        ("<Doctors> left.", "Doctors left.", "Doctors"),
        ("I saw the <flight attendant>", "I saw the flight attendant", "flight attendant"),
        ("The <医生> left.", "The 医生 left.", "医生"),
        (r"1 \< 2 and the <doctor> is \> 5.", "1 < 2 and the doctor is > 5.", "doctor"),
        (r"The <\<b\>> tag", "The <b> tag", "<b>"),
    ],
)
def test_marks_are_taken_out_and_remembered(written, text, focus):
    marked = read_marks(written)
    assert marked.text == text
    assert marked.text[slice(*marked.focus)] == focus


@pytest.mark.parametrize(
    ("written", "text"), [("No marks.", "No marks."), (r"1 \< 2 \> 0", "1 < 2 > 0"), (r"C:\dir", r"C:\dir")]
)
def test_a_sentence_may_have_no_focus(written, text):
    assert read_marks(written).text == text
    assert read_marks(written).focus is None


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("The <doctor> saw the <nurse>.", "marked once"),
        ("The <<doctor>> left.", "marked once"),
        ("The <doctor> is > 5.", "marked once"),
        ("A > <doctor> left.", "marked once"),
        ("The <doctor left.", "opened with < and closed with >"),
        ("The doctor> left.", "opened with < and closed with >"),
        ("The > doctor < left.", "opened with < and closed with >"),
        ("The <> left.", "nothing between"),
        ("The < > left.", "nothing between"),
    ],
)
def test_wrong_marks_are_refused(written, message):
    with pytest.raises(FocusError, match=message):
        read_marks(written)


def test_wrong_marks_name_the_line_and_the_sentence(good, problem):
    found = problem(good.replace("<doctor>", "<doctor"))
    assert (found.place.line, found.place.column) == (13, 5)
    assert found.message.endswith("'The <doctor lost her keys.'")


def with_cue(written: str, cue: str, language: str = "en") -> str:
    marked = read_marks(written)
    return insert_cue(marked.text, marked.focus, cue, language)


@pytest.mark.parametrize(
    ("written", "cue", "made"),
    [
        ("The <doctor> left.", "woman", "The woman doctor left."),
        ("I met an <accountant>.", "woman", "I met a woman accountant."),
        ("I met a <doctor>.", "old", "I met an old doctor."),
        ("I met a <doctor>.", "university", "I met a university doctor."),
        ("I met an <heir>.", "hour", "I met an hour heir."),
        ("An <accountant> left.", "woman", "A woman accountant left."),
        ("A <doctor> left.", "old", "An old doctor left."),
        ("I met an <MP>.", "male", "I met a male MP."),
        ("I met a <doctor>.", "MP", "I met an MP doctor."),
        ("I met an <accountant>.", "[female]", "I met a [female] accountant."),
        ("I met a <doctor>.", "[old]", "I met an [old] doctor."),
        ("I met an <accountant>.", "<> (a woman)", "I met an accountant (a woman)."),
        ("The <doctor> left.", "<>, a woman,", "The doctor, a woman, left."),
        ("I met the <doctor>.", "<>, a woman,", "I met the doctor, a woman."),
        ("Is she the <doctor>?", "<>, a woman,", "Is she the doctor, a woman?"),
        ("The <doctor>, who left, slept.", "<>, a woman,", "The doctor, a woman, who left, slept."),
        ("A <doctor> left.", "old <> (an <>)", "An old doctor (an doctor) left."),
        ("Bananas and a <starter>.", "dinner", "Bananas and a dinner starter."),
        ('He said "a <doctor>".', "old", 'He said "an old doctor".'),
        ("It is a\u00a0<doctor>.", "old", "It is an\u00a0old doctor."),
        ("The data <set> is old.", "other", "The data other set is old."),
    ],
)
def test_a_cue_is_put_before_the_focus_and_the_article_is_made_to_fit(written, cue, made):
    assert with_cue(written, cue) == made


@pytest.mark.parametrize(
    ("written", "cue", "made"),
    [
        ("<Doctors> left.", "women", "Women doctors left."),
        ("<Doctors> left.", "<> (women)", "Doctors (women) left."),
        ('"<Doctors> left," he said.', "women", '"Women doctors left," he said.'),
        ("He slept. <Doctors> left.", "women", "He slept. Women doctors left."),
        ("<NASA> called.", "the", "The NASA called."),
        ("<iPhones> ring.", "old", "old iPhones ring."),
        ("<Doctors> left.", "[female]", "[female] Doctors left."),
        ("I saw Dr. <Jones>.", "woman", "I saw Dr. woman Jones."),
        ("Some people, e.g. <doctors>, left.", "women", "Some people, e.g. women doctors, left."),
        ("Who? <Doctors>!", "women", "Who? Women doctors!"),
    ],
)
def test_a_sentence_keeps_its_capital(written, cue, made):
    assert with_cue(written, cue) == made


@pytest.mark.parametrize(
    ("written", "cue", "made"),
    [
        ("We <missed> him.", "<longed for>", "We longed for him."),
        ("We <missed> him.", "dearly <missed>", "We dearly missed him."),
        ("It was an <order>.", "<command>", "It was a command."),
        ("<Miss> him!", "<long for>", "Long for him!"),
        ("We <missed> him.", "<failed> to <catch>", "We failed to catch him."),
    ],
)
def test_a_cue_in_marks_takes_the_place_of_the_focus(written, cue, made):
    assert with_cue(written, cue) == made


@pytest.mark.parametrize(
    ("written", "cue", "language", "made"),
    [
        ("<Ärzte> schlafen.", "weibliche", "de", "Weibliche Ärzte schlafen."),
        ("Die <Ärztin> schläft.", "junge", "de", "Die junge Ärztin schläft."),
        ("<Médecins> et malades.", "vieux", "fr", "Vieux médecins et malades."),
        ("Il a <mal>.", "un peu", "fr", "Il a un peu mal."),
        ("Vi a <Ana>.", "una", "es", "Vi a una Ana."),
        ("这位<医生>走了。", "女<>", "zh", "这位女医生走了。"),
    ],
)
def test_other_languages_keep_their_own_spelling(written, cue, language, made):
    assert with_cue(written, cue, language) == made


def test_contrastive_sources_come_from_the_suites_cues(good, load):
    suite = load(good)
    contrast = contrastive_sources(suite.samples[0], suite.source)
    assert contrast.correct == ("The woman doctor lost her keys.",)
    assert contrast.incorrect == ("The man doctor lost her keys.",)


def test_a_samples_own_cues_come_first(good, load):
    suite = load(good + "    cues: {correct: [lady, female], incorrect: male}\n")
    contrast = contrastive_sources(suite.samples[0], "en")
    assert contrast.correct == ("The lady doctor lost her keys.", "The female doctor lost her keys.")
    assert contrast.incorrect == ("The male doctor lost her keys.",)


def test_a_samples_cues_may_be_given_by_category(good, load):
    cues = "    cues:\n      female: {correct: lady, incorrect: lad}\n      male: {correct: lad, incorrect: lady}\n"
    assert load(good + cues).samples[0].cues.correct == ("lady",)


def test_whole_sources_take_the_place_of_cues_and_may_carry_the_mark_too(good, load):
    sources = """\
    sources:
      correct: The <lady doctor> lost her keys.
      incorrect: ['The male doctor lost his keys.', 'The doctor, 1 \\< 2, lost his keys.']
"""
    contrast = contrastive_sources(load(good + sources).samples[0], "en")
    assert contrast.correct == ("The lady doctor lost her keys.",)
    assert contrast.incorrect == ("The male doctor lost his keys.", "The doctor, 1 < 2, lost his keys.")


def test_cues_need_a_focus(good, problem):
    text = good.replace("<doctor>", "doctor") + "    cues: {correct: woman, incorrect: man}\n"
    found = problem(text)
    assert found.place.line == 13
    assert found.message == "source: cues need a focus; mark a word as <word>"


def test_a_sample_without_evidence_is_named(good, problem):
    found = problem(good.replace("<doctor>", "doctor"))
    assert found.place.line == 13
    assert found.message.startswith(
        'sample "the-doctor-lost-her-keys": contrastive-conditioning needs a <focus>'
    )
