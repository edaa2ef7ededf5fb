"""Sets of contrastive translations, each in its published layout: what becomes of an item, and what is wrong with one."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from mtprobe.datasets import FORMATS
from mtprobe.errors import SuiteError
from mtprobe.suite.data import Reading, Skipped
from mtprobe.suite.parsing.files import SuiteFiles
from mtprobe.suites import load_suite


@pytest.fixture
def items(files, reading):
    """What is read from an entry, the files written before."""

    def items(entry, contents=None):
        files(contents or {})
        format = FORMATS[entry["format"]]
        return [item for _, item in format.read(format.entry(**entry), reading)]

    return items


def pair(sample, language="de"):
    return sample.targets[language].correct, sample.targets[language].incorrect


def test_every_format_has_its_name_and_describes_its_keys():
    for name, format in FORMATS.items():
        assert format.name == name
        assert format.entry.__doc__


# -- DistilLingEval --

DISTIL = {
    "clause_omission.human/src.en": "It rains, and I stay.\nI was unhappy.\n",
    "clause_omission.human/tgt.correct.de": "Es regnet, und ich bleibe.\nIch war unglücklich.\n",
    "clause_omission.human/tgt.incorrect.de": "Ich bleibe.\nIch war glücklich.\n",
}
DISTIL_ENTRY = {"format": "distil-lingeval", "folder": "clause_omission.human", "target": "de"}


def test_distil_lingeval_pairs_know_their_phenomenon_and_origin(items):
    first, second = items(DISTIL_ENTRY, DISTIL)
    assert pair(first) == (["Es regnet, und ich bleibe."], ["Ich bleibe."])
    assert first.attributes == {"phenomenon": "clause_omission", "origin": "human"}
    assert first.category is None
    assert second.source == "I was unhappy."
    machine = {name.replace(".human", ".mt"): text for name, text in DISTIL.items()}
    (of_machine, _) = items(DISTIL_ENTRY | {"folder": "clause_omission.mt", "category": "origin"}, machine)
    assert of_machine.attributes["origin"] == of_machine.category == "machine"


def test_distil_lingeval_files_of_different_lengths_are_a_located_error(items):
    with pytest.raises(SuiteError) as raised:
        items(DISTIL_ENTRY, DISTIL | {"clause_omission.human/tgt.correct.de": "Eins.\n"})
    assert "tgt.correct.de:2: tgt.correct.de has 1 lines, " in str(raised.value)


def test_distil_lingeval_an_empty_line_is_named_in_its_own_file(items):
    _, wrong = items(DISTIL_ENTRY, DISTIL | {"clause_omission.human/tgt.incorrect.de": "Ich bleibe.\n\n"})
    assert str(wrong).endswith(
        "clause_omission.human/tgt.incorrect.de:2: an empty line (`mtprobe import --keep-going` skips such lines)"
    )


def test_distil_lingeval_a_folder_with_another_name_is_refused(items):
    with pytest.raises(SuiteError, match="is named after its phenomenon and its origin"):
        items(DISTIL_ENTRY | {"folder": "clauses"})


# -- LingEval97 --

LINGEVAL = [
    {
        "source": "Prices fall <today>",
        "reference": "Die Preise fallen.",
        "origin": "newstest2009.1",
        "errors": [
            {
                "type": "subj_verb_agreement",
                "contrastive": "Die Preise fällt.",
                "distance": 1,
                "frequency": 286,
            },
            {"type": "polarity_particle_nicht_ins", "contrastive": "Die Preise fallen nicht."},
        ],
    },
    {"source": "Stop.", "reference": "Halt.", "origin": "newstest2009.2", "errors": []},
]
LINGEVAL_ENTRY = {"format": "lingeval97", "file": "lingeval97.json", "target": "de", "category": "type"}


def test_lingeval97_every_error_is_a_sample(items):
    agreement, polarity, left_out = items(LINGEVAL_ENTRY, {"lingeval97.json": json.dumps(LINGEVAL, indent=1)})
    assert pair(agreement) == (["Die Preise fallen."], ["Die Preise fällt."])
    assert agreement.category == "subj_verb_agreement"
    assert agreement.attributes["distance"] == 1
    assert agreement.source == "Prices fall \\<today\\>"
    assert "distance" not in polarity.attributes
    assert isinstance(left_out, Skipped)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", ":1: not a JSON array"),
        ('[\n{"source": 1}\n]', ":2: source: must be text"),
        ('[\n\n{"source": "a" "b"}]', ":3:16: not valid JSON: "),
        ("[" * 100_000, ":1: not valid JSON: nested too deeply"),
        ("[1 2]", ":1: not valid JSON: a comma is missing"),
        ("[1, ]", ":1: not valid JSON: a comma before the end"),
        ("[] []", ":1: not valid JSON: text after the array"),
        ("[", ":1:2: not valid JSON: "),
        (f'[\n{{"source": {"9" * 5_000}}}]', ":2: not valid JSON: a number with too many digits"),
        (
            '[\n{"source": "\\ud800", "reference": "b", "errors": []}]',
            ":2: not valid JSON: \\ud800 is a lone surrogate",
        ),
    ],
)
def test_a_malformed_json_file_is_named_with_its_line(items, text, message):
    try:
        found = "\n".join(str(item) for item in items(LINGEVAL_ENTRY, {"lingeval97.json": text}))
    except SuiteError as error:
        found = str(error)
    assert f"lingeval97.json{message}" in found


def test_a_category_that_the_set_does_not_have_is_told(items):
    wrong = items(LINGEVAL_ENTRY | {"category": "typ"}, {"lingeval97.json": json.dumps(LINGEVAL)})[0]
    assert 'has no attribute "typ" for its category; did you mean "type"?' in str(wrong)


# -- MuCoW (scoring) and ContraWSD --

WSD = {
    "source": "Er sitzt auf der Bank.",
    "reference": "He sits on the bench.",
    "ambig word": "Bank",
    "sense": "bench|seat",
    "origin": "europarl",
    "original translation": "bench",
    "errors": [{"contrastive": "He sits on the bank.", "type": "word_sense", "replacement": "bank"}],
}
RATIO = {"frequency of sense/ambig word in wmt16": "50/200"}


@pytest.mark.parametrize("format", ["mucow-scoring", "contrawsd"])
def test_word_senses_have_all_variants_of_a_reference(items, format):
    entry = {"format": format, "file": "wsd.json", "target": "en"}
    (sample,) = items(entry, {"wsd.json": json.dumps([WSD | RATIO])})
    assert pair(sample, "en") == (["He sits on the bench."], ["He sits on the bank."])
    assert sample.attributes == {
        "origin": "human", "word": "Bank", "sense": "Bank:bench|seat", "corpus": "europarl",
        "frequency": 50, "share": 0.25,
    }  # fmt: skip


@pytest.mark.parametrize("text", ["50 of 200", "1/0", "²/3", "9" * 300 + "/" + "9" * 5_000])
def test_a_frequency_that_is_none_is_told(items, text):
    bad = WSD | {"frequency of sense/ambig word in wmt16": text}
    entry = {"format": "contrawsd", "file": "wsd.json", "target": "en"}
    (wrong,) = items(entry, {"wsd.json": json.dumps([bad])})
    assert f'wsd.json:1: frequency of sense/ambig word: "{text[:100]}' in str(wrong)
    assert str(wrong).endswith('" is not like 12/340')


# -- ContraPro --


@pytest.mark.parametrize("keys", [("source", "reference"), ("src segment", "ref segment")])
def test_contrapro_knows_pronouns_and_distance(items, keys):
    item = {
        keys[0]: "It is old.", keys[1]: "Sie ist alt.", "src pronoun": "It", "ref pronoun": "Sie",
        "ante distance": 2, "intrasegmental": False, "document id": "1954/1", "segment id": 7,
        "errors": [{"contrastive": "Er ist alt.", "replacement": "Er"}, {"contrastive": "Es ist alt.", "replacement": "Es"}],
    }  # fmt: skip
    entry = {"format": "contrapro", "file": "contrapro.json", "target": "de", "category": "pronoun"}
    (sample,) = items(entry, {"contrapro.json": json.dumps([item])})
    assert pair(sample) == (["Sie ist alt."], ["Er ist alt.", "Es ist alt."])
    assert sample.category == "sie"
    assert sample.attributes["antecedent_distance"] == 2
    assert sample.attributes["intrasegmental"] is False


# -- Wino-X --

WINO_MT = {
    "qID": "3XYZ-1", "sentence": "The trophy did not fit into the suitcase because it was too big.",
    "translation1": "Die Trophäe passte nicht in den Koffer, weil sie zu groß war.",
    "translation2": "Die Trophäe passte nicht in den Koffer, weil er zu groß war.",
    "answer": 1, "pronoun1": "sie", "pronoun2": "er", "referent1_en": "trophy", "referent2_en": "suitcase",
}  # fmt: skip
WINO_LM = {
    "qID": "3XYZ-2", "sentence": "x", "context_en": "The trophy did not fit into the suitcase because the _ was too small.",
    "context_de": "Die Trophäe passte nicht in den Koffer, weil _ zu klein war.", "answer": "2",
    "option1_en": "trophy", "option2_en": "suitcase", "option1_de": "die Trophäe", "option2_de": "der Koffer",
    "context_referent_of_option1_de": "Trophäe", "context_referent_of_option2_de": "Koffer,",
}  # fmt: skip
WINO_ENTRY = {"format": "wino-x", "file": "test.jsonl", "target": "de"}


def test_wino_x_knows_schema_gender_and_antecedent_of_both_variants(items):
    first, second = items(
        WINO_ENTRY,
        {"test.jsonl": json.dumps(WINO_MT) + "\n" + json.dumps(WINO_MT | {"qID": "3XYZ-2", "answer": 2})},
    )
    assert pair(first) == ([WINO_MT["translation1"]], [WINO_MT["translation2"]])
    assert first.attributes == {
        "origin": "machine", "part": "mt", "schema": "3XYZ", "gender": "feminine", "gender_incorrect": "masculine",
        "antecedent": 1, "antecedent_incorrect": 2,
    }  # fmt: skip
    variants = first.targets["de"].variants
    assert {name: (one.correct, one.incorrect) for name, one in variants.items()} == {
        "gender": (["feminine"], ["masculine"]),
        "position": ([1], [2]),
    }
    assert pair(second) == ([WINO_MT["translation2"]], [WINO_MT["translation1"]])
    assert (second.attributes["gender"], second.attributes["antecedent"]) == ("masculine", 2)
    assert first.attributes["schema"] == second.attributes["schema"]


@pytest.mark.parametrize(
    ("sentence", "marked"),
    [
        ("It fell on it because it was old.", "It fell on it because <it> was old."),
        ("It fell.", "<It> fell."),
        ("With its item, it fell.", "With its item, <it> fell."),
    ],
)
def test_wino_x_the_last_it_is_the_focus(items, sentence, marked):
    (sample,) = items(WINO_ENTRY, {"test.jsonl": json.dumps(WINO_MT | {"sentence": sentence})})
    assert sample.source == marked


def test_wino_x_genders_rank_as_in_the_published_table_or_as_stated(tmp_path, files):
    suite = """mtprobe: 1
name: x
about: x?
languages: {source: en, targets: [de]}
method: minimal-pairs
gates: {"bias[gender]": "<= 0.24"}
data: {format: wino-x, file: x.jsonl}
"""
    files({"x.jsonl": json.dumps(WINO_MT)})

    def scales(text):
        (tmp_path / "x.mt.yaml").write_text(text, encoding="utf-8")
        return load_suite(tmp_path / "x.mt.yaml").variants

    assert scales(suite) == {"gender": ("feminine", "masculine", "neuter")}
    stated = suite.replace("x.jsonl}", "x.jsonl, order: stated}")
    assert scales(stated) == {"gender": ("masculine", "feminine", "neuter")}
    own = suite + "variants: {gender: [neuter, feminine, masculine]}\n"
    assert scales(own) == {"gender": ("neuter", "feminine", "masculine")}


def test_wino_x_gaps_are_filled(items):
    (sample,) = items(WINO_ENTRY, {"test.jsonl": json.dumps(WINO_LM)})
    assert pair(sample) == (
        ["Die Trophäe passte nicht in den Koffer, weil der Koffer zu klein war."],
        ["Die Trophäe passte nicht in den Koffer, weil die Trophäe zu klein war."],
    )
    assert sample.source == "The trophy did not fit into the suitcase because the suitcase was too small."
    assert sample.attributes["antecedent"] == 2


def test_wino_x_russian_pronouns_in_latin_letters_are_known(items):
    russian = WINO_MT | {"pronoun1": "oнa", "pronoun2": "он"}  # o and a are Latin in the first
    (sample,) = items(WINO_ENTRY | {"target": "ru"}, {"test.jsonl": json.dumps(russian)})
    assert (sample.attributes["gender"], sample.attributes["gender_incorrect"]) == ("feminine", "masculine")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[]", ":1: must be a mapping"),
        (json.dumps(WINO_MT | {"answer": 3}), ":1: answer: must be 1 or 2"),
        (json.dumps({key: value for key, value in WINO_MT.items() if key != "sentence"}), ":1: sentence: is missing"),
        (json.dumps(WINO_LM | {"context_de": "Ohne Lücke."}), ':1: context_de: has no gap "_"'),
        (json.dumps({key: value for key, value in WINO_LM.items() if key != "option1_de"}), ":1: option1_de: is missing"),
        ("{", ":1:2: not valid JSON"),
    ],
)  # fmt: skip
def test_wino_x_a_malformed_line_is_named(items, line, message):
    (wrong,) = items(WINO_ENTRY, {"test.jsonl": line})
    assert f"test.jsonl{message}" in str(wrong)


# -- BLiMP --


def test_blimp_pairs_are_english(items):
    line = {
        "sentence_good": "Katherine can't help herself.", "sentence_bad": "Katherine can't help himself.",
        "field": "morphology", "linguistics_term": "anaphor_agreement", "UID": "anaphor_gender_agreement",
        "simple_LM_method": True, "pairID": "0",
    }  # fmt: skip
    entry = {"format": "blimp", "file": "a.jsonl", "category": "field"}
    (sample,) = items(entry, {"a.jsonl": json.dumps(line) + "\n\n"})
    assert pair(sample, "en") == (["Katherine can't help herself."], ["Katherine can't help himself."])
    assert (sample.id, sample.category) == ("anaphor_gender_agreement/0", "morphology")


# -- MT-GenEval, GATE, DiBiMT --


def test_mt_geneval_either_source_is_a_sample_with_the_other_reference_as_its_wrong_target(items):
    name = "geneval-sentences-{}-test.en_de.{}"
    contents = {
        name.format("masculine", "en"): "He was an actor.\nHe slept.\n",
        name.format("feminine", "en"): "She was an actor.\nShe slept.\n",
        name.format("masculine", "de"): "Er war Schauspieler.\nSchlief.\n",
        name.format("feminine", "de"): "Sie war Schauspielerin.\nSchlief.\n",
    }
    male, female, same, _ = items({"format": "mt-geneval", "folder": ".", "target": "de"}, contents)
    assert (male.category, male.source, pair(male)) == (
        "male", "He was an actor.", (["Er war Schauspieler."], ["Sie war Schauspielerin."]),
    )  # fmt: skip
    assert (female.category, pair(female)) == (
        "female",
        (["Sie war Schauspielerin."], ["Er war Schauspieler."]),
    )
    assert male.attributes["pair"] == female.attributes["pair"]
    assert isinstance(same, Skipped)


HEADER = "labels\tsource\tf\tm\tkw_s\tkw_f\tkw_m\tdata_split\n"


def test_gate_both_translations_are_right(items):
    lines = (
        "SUBJ;PROF\tThe old boss left.\tLa jefa.\tEl jefe.\told [boss]\tla [jefa]\tel [jefe]\tdev\n"
        "SUBJ;PROF;PLUR\tThe workers met a boss.\tLas\tLos\tworkers=boss\tlas\tlos\tdev\n"
        "SUBJ\tYou are kind.\tTú\tTú\tyou=kind\ttú\ttú\tdev\n"
        "SUBJ\tNobody left.\tA\tB\tcook\ta\tb\tdev\n"
        "SUBJ\ttoo few\n"
        "SUBJ\tNobody left.\tA\tB\t[ ]\ta\tb\tdev\n"
    )
    one, many, pronoun, absent, wrong, nobody = items(
        {"format": "gate", "file": "es.tsv", "target": "es"}, {"es.tsv": HEADER + lines}
    )
    assert (one.source, one.category) == ("The old <boss> left.", "person")
    assert one.references == {"es": ["La jefa.", "El jefe."]}
    assert (many.source, many.category, many.attributes["people"]) == (
        "The <workers> met a boss.",
        "people",
        2,
    )
    assert isinstance(pronoun, Skipped)
    assert isinstance(absent, Skipped)
    assert "es.tsv:6: 2 columns; the header has 8" in str(wrong)
    assert "es.tsv:7: kw_s: is empty" in str(nobody)
    with pytest.raises(SuiteError, match="the first line has the columns labels"):
        items({"format": "gate", "file": "es.tsv", "target": "es"}, {"es.tsv": lines})


def test_dibimt_items_have_lemmas_by_language(items):
    contents = [
        {"id": "shot-1", "sentence": "He took a shot.", "word": "shot", "pos": "NOUN", "sense_rank": 2, "polysemy": 9,
         "good": {"de": ["Schuss"], "it": ["tiro"], "zh": []}, "bad": {"de": ["Spritze", "Foto * Kamera"], "zh": ["x"]}},
        {"sentence": "He <shot>, then shot.", "word": "shot", "good": {"de": ["schießen"]}, "bad": {"de": ["drehen"]}},
        {"sentence": "A shot.", "word": "shot", "good": {"de": ["Schuss"]}, "bad": {}},
        {"sentence": "Nothing.", "word": "shot", "good": {"de": ["Schuss"]}, "bad": {"de": ["Foto"]}},
        {"sentence": "A shot.", "word": "shot", "sense_rank": 0, "good": {}, "bad": {}},
    ]  # fmt: skip
    full, marked, one_side, missing, rank = items(
        {"format": "dibimt", "file": "d.json"}, {"d.json": json.dumps(contents, indent=1)}
    )
    assert (full.id, full.source) == ("shot-1", "He took a <shot>.")
    assert set(full.lemmas) == {"de"}
    assert full.lemmas["de"].bad == ["Spritze", "Foto * Kamera"]
    assert full.attributes == {"word": "shot", "pos": "NOUN", "sense_rank": 2, "polysemy": 9}
    assert marked.source == "He <shot>, then shot."
    assert isinstance(one_side, Skipped)
    assert 'the word "shot" is not in the sentence' in str(missing)
    assert "sense_rank: must be at least 1" in str(rank)


# -- published --


@pytest.fixture
def published_items(published, reading):
    def read(source, **entry):
        there = Reading(SuiteFiles(published / "x"), reading.place, source, None)
        format = FORMATS[entry["format"]]
        return [item for _, item in format.read(format.entry(**entry), there)]

    return read


@pytest.mark.parametrize(
    ("folder", "count"),
    [("polarity_affix_del.human", 408), ("polarity_affix_del.mt", 180), ("clause_omission.human", 1104), ("clause_omission.mt", 1025)],
)  # fmt: skip
def test_the_published_distil_lingeval(published_items, folder, count):
    found = published_items("en", format="distil-lingeval", folder=f"distil-lingeval/{folder}", target="de")
    assert len(found) == len({item.id for item in found}) == count


def test_the_published_mucow_scoring_suite(published_items):
    found = published_items(
        "cs", format="mucow-scoring", file="mucow/scoring/cs-en.mucow.scoring.json", target="en"
    )
    assert len(found) == len({item.id for item in found}) == 3791
    assert sum(len(item.targets["en"].incorrect) for item in found) == 7679
    assert Counter(item.attributes["corpus"] for item in found)["europarl"] == 477
    assert sum(item.attributes["sense"] == "šach:check" for item in found) == 8


def test_the_published_mt_geneval_and_gate(published_items):
    found = published_items("en", format="mt-geneval", folder="mt-geneval", target="de")
    assert Counter(item.category for item in found) == {"male": 300, "female": 300}
    gate = published_items("en", format="gate", file="gate/ES_2_variants.head.tsv", target="es")
    assert len(gate) == 300
    assert sum(isinstance(item, Skipped) for item in gate) == 37
    assert {item.category for item in gate if not isinstance(item, Skipped)} == {"person", "people"}


# -- context --

PRONOUNS = [
    {"src segment": "I like it.", "ref segment": "Ich mag sie.", "src pronoun": "it", "ref pronoun": "sie",
     "ante distance": 1, "errors": [{"contrastive": "Ich mag ihn."}, {"contrastive": "Ich mag es."}]},
    {"src segment": "It fell.", "ref segment": "Er fiel.", "src pronoun": "It", "ref pronoun": "Er",
     "ante distance": 1, "errors": [{"contrastive": "Sie fiel."}]},
]  # fmt: skip


def contrapro(files, reading, lines, **keys):
    files(
        {
            "contrapro.json": json.dumps(PRONOUNS),
            "contrapro.context.en": "".join(f"{line}\n" for line in lines),
        }
    )
    entry = FORMATS["contrapro"].entry(
        format="contrapro", file="contrapro.json", context="contrapro.context.en", target="de", **keys
    )
    return [item for _, item in FORMATS["contrapro"].read(entry, reading)]


def test_contrapro_takes_its_context_from_the_file_of_the_authors_script(files, reading):
    """One line per target; the first sentence of a document has none."""
    first, second = contrapro(files, reading, ["I bought a cup."] * 3 + ["", ""])
    assert (first.context, second.context) == (["I bought a cup."], None)
    two = ["I went out.", "I bought a cup."] * 3 + ["", "Look."] * 2
    first, second = contrapro(files, reading, two, context_sentences=2)
    assert (first.context, second.context) == (["I went out.", "I bought a cup."], ["Look."])


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["a"] * 3 + ["b"], "no context for this sentence"),
        (["a", "b", "a", "c", "c"], "the same for all of its targets"),
        (["a"] * 3 + ["b"] * 3, "more lines of context than sentences"),
    ],
)
def test_context_that_does_not_fit_is_an_error(files, reading, lines, message):
    *_, last = contrapro(files, reading, lines)
    assert isinstance(last, SuiteError)
    assert message in str(last)


GENEVAL_CONTEXT = {
    "2to1-test.en_de.en": "She won a prize. <sep> The teacher was happy.\n<sep> The teacher left.\nHis sister met her. <sep> The nurse sang.\nNo separator.\nHe sat. <sep> The child slept.\n",
    "original-test.en_de.de": "Die Lehrerin war froh.\nDer Lehrer ging.\nDer Pfleger sang.\nX.\nDas Kind schlief.\n",
    "flipped-test.en_de.de": "Der Lehrer war froh.\nDie Lehrerin ging.\nDie Pflegerin sang.\nY.\nDas Kind schlief.\n",
}


def test_the_contextual_part_of_mt_geneval_has_the_sentence_before(files, reading):
    files({f"geneval-context-wikiprofessions-{name}": text for name, text in GENEVAL_CONTEXT.items()})
    entry = FORMATS["mt-geneval"].entry(format="mt-geneval", folder=".", part="context", target="de")
    teacher, none, nurse, broken, child = (item for _, item in FORMATS["mt-geneval"].read(entry, reading))
    assert (teacher.context, teacher.source) == (["She won a prize."], "The teacher was happy.")
    assert teacher.targets["de"].correct == ["Die Lehrerin war froh."]
    assert teacher.targets["de"].incorrect == ["Der Lehrer war froh."]
    assert teacher.attributes == {"origin": "human", "gender": "feminine"}
    assert nurse.attributes == {"origin": "human"}  # his and her
    assert isinstance(none, Skipped)
    assert isinstance(child, Skipped)
    assert "<sep>" in str(broken)
