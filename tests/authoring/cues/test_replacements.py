"""Candidates that take the place of a word, from WordNet's files and from a masked model; selection by references."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtprobe.authoring.cues.contrast import propose_replacements, select_replacements
from mtprobe.authoring.cues.material import AmbiguousWord, FocusContext
from mtprobe.authoring.cues.propose import Limits
from mtprobe.authoring.cues.replacements import Candidate, Candidates, Sources, find_candidates
from mtprobe.authoring.cues.select import Evaluator, Judged
from mtprobe.authoring.cues.thesaurus import Group
from mtprobe.language.wordnet import WordNet
from tests.authoring.cues.test_choosing import Judge
from tests.language.wordnet_files import write_wordnet

SENTENCES = {
    "river": ["They sat on the <bank> of the stream.", "Ducks slept on both <banks>."],
    "money": ["The <bank> gave her a loan.", "Two <banks> closed our accounts."],
}


@pytest.fixture
def wordnet(tmp_path) -> WordNet:
    return WordNet(write_wordnet(tmp_path / "wordnet"))


def word(sentences: dict[str, list[str]], name: str = "bank", pos: str = "noun") -> AmbiguousWord:
    def context(sense: str, number: int, text: str) -> FocusContext:
        focus = text.index("<"), text.index(">") - 1
        plain = text.replace("<", "").replace(">", "")
        return FocusContext(f"{sense}/{number}", plain, focus, right=(f"{sense} {number}",))

    return AmbiguousWord(
        name,
        {
            sense: tuple(context(sense, *one) for one in enumerate(texts))
            for sense, texts in sentences.items()
        },
        pos,
    )


def lemmas(found: Candidates) -> list[str]:
    return [candidate.lemma for candidate in found.candidates]


class Expecting:
    """A masked model that expects given words in place of the focus."""

    def __init__(self, **expected: list[str]) -> None:
        self.expected = expected
        self.words = tuple(
            sorted({word for words in expected.values() for word in words} | {"thing", "things"})
        )

    def instead_of_focus(self, contexts):
        rows = [
            [0.1 if name in self.expected[one.id.split("/")[0]] else 1e-6 for name in self.words]
            for one in contexts
        ]
        return np.array(rows)


class Prefers:
    """An evaluator to which each word in the source is worth something for one sense's references."""

    fingerprint = "prefers"

    def __init__(self, **worth: dict[str, float]) -> None:
        self.worth = worth

    def score(self, pairs):
        return [(self.one(source, target),) for source, target in pairs]

    def one(self, source, target):
        sense = target.split()[0]
        return -3.0 + sum(value for text, value in self.worth[sense].items() if text in source)


def test_wordnet_proposes_synonyms_then_hypernyms_in_the_forms_of_the_word(wordnet):
    found = find_candidates(word(SENTENCES), Sources(wordnet, None, "en"), Limits())
    assert lemmas(found) == [
        "riverside",
        "lender",
        "slope",
        "institution",
        "incline",
        "financial institution",
    ]
    assert found.candidates[-1].texts == {"bank": "financial institution", "banks": "financial institutions"}


def test_neither_names_nor_forms_of_the_word_are_proposed(wordnet):
    found = find_candidates(word(SENTENCES), Sources(wordnet, None, "en"), Limits())
    assert "Barclays" not in lemmas(found)
    suits = {"clothes": ["A <suit>."], "law": ["The <suit>."]}
    found = find_candidates(word(suits, "suit"), Sources(wordnet, None, "en"), Limits())
    assert "suit" not in lemmas(found)
    assert "lawsuit" in lemmas(found)  # another word, which only contains it


def test_a_verb_gets_its_tense(wordnet):
    sentences = {"hit": ["The ball <struck> him."], "work": ["The miners <struck> again."]}
    found = find_candidates(word(sentences, "strike", "verb"), Sources(wordnet, None, "en"), Limits())
    assert {candidate.lemma: candidate.texts["struck"] for candidate in found.candidates} == {
        "hit": "hit",
        "walk out": "walked out",
        "touch": "touched",
        "protest": "protested",
    }


def test_the_part_of_speech_is_seen_where_the_suite_does_not_say(wordnet):
    sentences = {"hit": ["The ball <struck> him."], "work": ["The miners <struck> again."]}
    found = find_candidates(word(sentences, "strike", ""), Sources(wordnet, None, "en"), Limits())
    assert "walk out" in lemmas(found)


def test_a_form_that_nobody_can_see_is_a_problem(wordnet):
    sentences = {"allow": ["They <let> him in."], "rent": ["They <let> the house."]}
    found = find_candidates(word(sentences, "let", "verb"), Sources(wordnet, None, "en"), Limits())
    assert found.problem == 'its sentences do not show which form of "let" a word in its place needs'


def test_without_wordnet_the_masked_model_proposes_in_the_right_forms():
    model = Expecting(
        river=["shore", "shores", "edge", "thing", "things"], money=["clinic", "clinics", "thing", "things"]
    )
    found = find_candidates(word(SENTENCES), Sources(None, model, "en"), Limits(pool=2))
    assert lemmas(found) == ["shore", "clinic"]  # "edge" has no plural in the model's vocabulary
    assert found.candidates[0].texts == {"bank": "shore", "banks": "shores"}


def test_the_masked_model_helps_where_wordnet_knows_too_few_senses(wordnet):
    model = Expecting(one=["seat", "thing"], other=["desk", "thing"])
    sentences = {"one": ["The <bench> is old."], "other": ["The <bench> is long."]}
    found = find_candidates(word(sentences, "bench"), Sources(wordnet, model, "en"), Limits(pool=1))
    assert {group.name for group in found.groups} == {"sense one", "sense other"}
    found = find_candidates(word(sentences, "bench"), Sources(wordnet, None, "en"), Limits())
    assert found.problem == "WordNet has no word that can take its place"


def test_other_languages_need_one_form():
    model = Expecting(river=["ufer"], money=["kasse"])
    one = word({"river": ["Die <bank> hier."], "money": ["Die <bank> da."]})
    assert lemmas(find_candidates(one, Sources(None, model, "de"), Limits(pool=1))) == ["ufer", "kasse"]
    several = find_candidates(word(SENTENCES), Sources(None, model, "de"), Limits())
    assert several.problem == "its sentences have several forms (bank, banks), and only English is inflected"


def test_references_tell_which_candidates_speak_for_which_sense(wordnet):
    found = find_candidates(word(SENTENCES), Sources(wordnet, None, "en"), Limits())
    evaluator = Prefers(
        river={"riverside": 2, "slope": 1, "lender": -1}, money={"lender": 2, "institution": 1}
    )
    river, money = select_replacements(
        word(SENTENCES), found, Evaluator(evaluator, None, "en"), Limits(cues=2)
    )
    assert [cue.word for cue in river.correct] == ["riverside", "slope"]
    assert [cue.word for cue in money.correct] == ["lender", "institution"]
    assert [cue.word for cue in river.incorrect] == ["lender", "institution"]
    assert river.held_out == money.held_out == Judged(2, 2)


def test_without_references_glosses_tell(wordnet):
    found = find_candidates(word(SENTENCES), Sources(wordnet, None, "en"), Limits())
    river, money = propose_replacements(word(SENTENCES), found, Limits())
    assert {*river.proposals.correct} == {"riverside", "slope", "incline"}
    assert {*money.proposals.correct} == {"lender", "institution", "financial institution"}
    assert river.correct == ()


def test_what_is_listed_for_another_sense_is_no_cue():
    """*slope* is proposed for the river, and true of the other sense's group too."""
    groups = (
        Group("a", ("shore", "slope"), frozenset({"shore", "slope"}), {"river": 1.0, "money": 0.0}),
        Group("b", ("lender",), frozenset({"lender", "slope"}), {"river": 0.0, "money": 1.0}),
    )
    texts = [Candidate(name, {"bank": name, "banks": f"{name}s"}) for name in ("shore", "slope", "lender")]
    river, money = propose_replacements(word(SENTENCES), Candidates(tuple(texts), groups), Limits())
    assert river.proposals.correct == ("shore",)
    assert money.proposals.correct == ("lender",)


@given(st.integers(0, 1000), st.integers(2, 3), st.integers(1, 4), st.integers(2, 8))
@settings(max_examples=40, deadline=None)
def test_laws_for_any_scores(seed, senses, contexts, count):
    sentences = {
        f"s{number}": [f"The <bank> {number}{at}." for at in range(contexts)] for number in range(senses)
    }
    groups = tuple(
        Group(
            f"g{number}",
            (f"w{number}", f"w{number + 1}"),
            frozenset({f"w{number}"}),
            dict.fromkeys(sentences, 0.0),
        )
        for number in range(count)
    )
    names = sorted({name for group in groups for name in group.lemmas})
    candidates = Candidates(tuple(Candidate(name, {"bank": name}) for name in names), groups)
    found = select_replacements(word(sentences), candidates, Evaluator(Judge(seed), None, "en"), Limits())
    for sense in found:
        assert len(sense.correct) == len(sense.incorrect) <= 3
        for other in (other for other in found if other is not sense):
            assert not {cue.word for cue in sense.correct} & {cue.word for cue in other.correct}
            assert {cue.word for cue in sense.correct} <= {*sense.proposals.correct}
        assert bool(sense.problem) == (not sense.correct)
        assert sense.references.n in (0, contexts)
    straight = word(sentences)
    mixed = AmbiguousWord("bank", {sense: of[::-1] for sense, of in straight.senses.items()}, "noun")
    again = select_replacements(mixed, candidates, Evaluator(Judge(seed), None, "en"), Limits())
    assert [(sense.proposals, sense.held_out) for sense in again] == [
        (sense.proposals, sense.held_out) for sense in found
    ]


def test_the_half_that_selects_is_not_the_half_that_is_reported(wordnet):
    """An evaluator whose references disagree about every cue: selected on all they look right, held out they are wrong."""

    class Contrary:
        fingerprint = "contrary"

        def score(self, pairs):
            return [
                (-1.0 if ("riverside" in s) == (t in ("river 0", "money 1")) else -2.0,) for s, t in pairs
            ]

    found = find_candidates(word(SENTENCES), Sources(wordnet, None, "en"), Limits())
    senses = select_replacements(word(SENTENCES), found, Evaluator(Contrary(), None, "en"), Limits(cues=1))
    held_out = sum((sense.held_out for sense in senses), Judged())
    assert held_out.right == 0
    assert held_out.n > 0
