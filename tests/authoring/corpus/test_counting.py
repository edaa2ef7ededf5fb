"""Items found in sentence pairs, and what is made of the counts."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mtprobe.authoring.corpus.count import Search, count
from mtprobe.authoring.corpus.frequency import item_counts
from mtprobe.authoring.corpus.matching import Inventory, Item, ItemMatcher, Phrases
from mtprobe.authoring.corpus.parallel import Corpus
from mtprobe.authoring.corpus.redistribution import redistribution
from mtprobe.language.lemmatizers import open_lemmatizer

OCCUPATIONS = Inventory(
    (
        Item("doctor", ("doctor", "doctors"), {"male": ("Arzt", "Ärzte"), "female": ("Ärztin", "Ärztinnen")}),
        Item("CEO", ("CEO",), {"male": ("Chef",), "female": ("Chefin",)}),
        Item("construction worker", ("construction worker",), {"male": ("Bauarbeiter",), "female": ("Bauarbeiterin",)}),
    ),
    by="form",
)  # fmt: skip
WORDS = Inventory(
    (
        Item("starter", ("starter",), {"food": ("vorspeise",), "motor": ("anlasser", "starter")}),
        Item("seal", ("seal",), {"animal": ("robbe",), "stamp": ("siegel",)}),
    ),
    by="lemma",
)


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("The Doctor came.", {"doctor"}),  # a phrase without a capital is found with one too
        ("the ceo", set()),  # one with a capital is not found without it
        ("the CEO and the doctor", {"CEO", "doctor"}),
        ("A construction worker.", {"construction worker"}),
        ("A construction; worker", {"construction worker"}),
        ("doctoral doctor-patient", set()),
        ("", set()),
    ],
)
def test_phrases_are_found_as_complete_words(sentence, found):
    phrases = Phrases([(name, name) for name in ("doctor", "CEO", "construction worker")])
    assert phrases.in_text(sentence) == found


@pytest.mark.parametrize(
    ("source", "target", "found"),
    [
        ("The doctor came.", "Der Arzt kam.", (0,)),
        ("The doctors came.", "Die Ärztinnen kamen.", (1,)),
        ("The doctor came.", "Arzt und Ärztin kamen.", (0, 1)),
        ("The doctor came.", "Ärzt*innen kamen, das Personal auch.", ()),
        ("The doctor came.", "Der arzt kam.", ()),
    ],
)
def test_genders_are_found_by_their_forms(source, target, found):
    assert ItemMatcher(OCCUPATIONS).count([[source, target]]) == {(0, (found,)): 1}


def test_pairs_without_an_item_in_the_source_do_not_count():
    assert ItemMatcher(OCCUPATIONS).count([["She came.", "Die Ärztin kam."]]) == {}


def test_senses_are_found_by_lemmas_of_the_target():
    matcher = ItemMatcher(WORDS, open_lemmatizer("simplemma", "de"))
    rows = [
        ["A starter and a seal.", "Vorspeisen und Robben."],
        ["A starter.", "Ein Starter, keine Vorspeise."],
        ["Two starters.", "Zwei Vorspeisen."],  # the source word stands there in another form
    ]
    assert matcher.count(rows) == {(0, ((0,),)): 1, (1, ((0,),)): 1, (0, ((0, 1),)): 1}
    inflected = ItemMatcher(WORDS, open_lemmatizer("simplemma", "de"), open_lemmatizer("simplemma", "en"))
    assert inflected.count(rows)[0, ((0,),)] == 2


def test_a_form_that_the_lemmatizer_misreads_counts_as_it_is_written():
    spring = Item("spring", ("spring",), {"season": ("primavera",), "coil": ("mola",)})
    lemmatizer = open_lemmatizer("simplemma", "pt")
    text = "A primavera chegou."
    assert "primavera" not in [token.lemma for token in lemmatizer.lemmatize([text])[0]]
    counts = ItemMatcher(Inventory((spring,), "lemma"), lemmatizer).count([["Spring has come.", text]])
    assert counts == {(0, ((0,),)): 1}


def test_versions_of_one_pair_are_counted_together():
    matcher = ItemMatcher(OCCUPATIONS)
    rows = [["The doctor.", "Die Ärztin.", "Der Arzt."], ["A doctor.", "Die Ärztin.", "Eine Ärztin."]]
    assert matcher.count(rows) == {(0, ((1,), (0,))): 1, (0, ((1,), (1,))): 1}


@pytest.fixture
def corpus(tmp_path):
    rows = [
        ("The doctor came.", "Die Ärztin kam."),
        ("A starter.", "Eine Vorspeise."),
        ("The CEO.", "Der Chef."),
    ]
    for number, name in enumerate(("en", "de")):
        (tmp_path / name).write_text("".join(row[number] + "\n" for row in rows * 4000), encoding="utf-8")
    return Corpus((tmp_path / "en", tmp_path / "de"), ("de",))


class Watched:
    def __init__(self):
        self.total = self.steps = 0
        self.ended = False

    def start(self, _, total):
        self.total = total

    def advance(self, steps):
        self.steps += steps

    def done(self):
        self.ended = True


@pytest.mark.slow
@pytest.mark.parametrize("lemmatizer", [None, ("simplemma", "de")])
def test_the_number_of_processes_changes_nothing(corpus, lemmatizer):
    search = Search(corpus, WORDS if lemmatizer else OCCUPATIONS, lemmatizer)
    one, two, watched = count(search, 1), count(search, 2, watched := Watched()), watched
    assert one == two
    assert one.lines == 12_000
    assert sum(one.patterns.values()) == (4000 if lemmatizer else 8000)
    assert watched.ended
    assert watched.steps == watched.total == corpus.size


patterns = st.lists(
    st.tuples(
        st.integers(0, 2), st.sampled_from([(), (0,), (1,), (0, 1)]), st.sampled_from([(), (0,), (1,)])
    ),
    max_size=60,
).map(lambda rows: Counter((item, (one, other)) for item, one, other in rows))


def gender(_, found):
    return ("male", "female")[found[0]] if len(found) == 1 else "other"


@given(patterns)
def test_item_counts_add_up(found):
    for version in (0, 1):
        counts = item_counts(OCCUPATIONS, found, version)
        assert sum(one.occurrences for one in counts) == sum(found.values())
        for one in counts:
            assert sum(one.classes.values()) == one.occurrences - one.none + one.unclear


@given(patterns)
def test_shares_sum_to_one_changes_to_nothing_and_flows_to_all(found):
    moved = redistribution(found, gender, ("male", "other", "female"), ("reference", "student"))
    n = sum(found.values())
    assert moved.n == n
    if not n:
        return
    for shares in moved.shares:
        assert sum(one.value for one in shares.values()) == pytest.approx(1)
        assert all(one.low - 1e-9 <= one.value <= one.high + 1e-9 for one in shares.values())
    (changes,), (flows,) = moved.changes, moved.flows
    assert sum(one.value for one in changes.values()) == pytest.approx(0, abs=1e-9)
    assert sum(flow.count for flow in flows) == n
    for name in moved.classes:
        assert sum(flow.count for flow in flows if flow.start == name) / n == pytest.approx(
            moved.shares[0][name].value
        )
        assert sum(flow.count for flow in flows if flow.end == name) / n == pytest.approx(
            moved.shares[1][name].value
        )
        assert changes[name].value == pytest.approx(moved.shares[1][name].value - moved.shares[0][name].value)


def test_the_most_frequent_class_must_occur_more_often_than_any_other():
    found = Counter({(0, ((0,),)): 3, (0, ((1,),)): 1, (1, ((0,),)): 2, (1, ((1,),)): 2})
    doctor, ceo, worker = item_counts(OCCUPATIONS, found, 0)
    assert doctor.most_frequent() == "male"
    assert doctor.most_frequent(sure=True) is None  # 3 of 4 is no proof
    assert ceo.most_frequent() is None  # as many of each
    assert worker.most_frequent() is None  # not found at all
    many = item_counts(OCCUPATIONS, Counter({(0, ((0,),)): 30, (0, ((1,),)): 10}), 0)[0]
    assert many.most_frequent(sure=True) == "male"
