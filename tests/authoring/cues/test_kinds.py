"""Which kind of cue a file gets, and what the choice is worth."""

from __future__ import annotations

from mtprobe.authoring.cues.kinds import best_kind, kind_of_word, worth_of_choice
from mtprobe.authoring.cues.propose import Proposals
from mtprobe.authoring.cues.select import Judged, SelectedCue, SenseCues

CUE = (SelectedCue("x", 0.5),)


def sense(
    held_out: tuple[int, int], wrong: tuple[int, int] = (0, 0), cues: tuple[SelectedCue, ...] = CUE
) -> SenseCues:
    return SenseCues("s", Proposals((), ()), cues, cues, held_out=Judged(*held_out), wrong=Judged(*wrong))


def test_the_kind_that_judges_more_held_out_references_rightly():
    words = [{"before": (sense((9, 10)),), "replace": (sense((8, 10)),)}]
    assert best_kind(words) == "before"


def test_wrong_translations_count_as_much_as_right_ones():
    words = [{"before": (sense((10, 10), (1, 2)),), "replace": (sense((9, 10), (2, 2)),)}]
    assert best_kind(words) == "replace"


def test_only_what_both_kinds_judge_is_compared():
    words = [
        {"before": (sense((7, 10)),), "replace": (sense((8, 10)),)},
        {"before": (sense((99, 100)),), "replace": (sense((0, 0), cues=()),)},
    ]
    assert best_kind(words) == "replace"


def test_of_equal_kinds_the_replacement():
    assert best_kind([{"before": (sense((1, 2)),), "replace": (sense((1, 2)),)}]) == "replace"


def test_where_nothing_is_comparable_the_kind_with_more_cues():
    words = [{"before": (sense((0, 0)),), "replace": (sense((0, 0), cues=()),)}]
    assert best_kind(words) == "before"
    assert best_kind([{"replace": (sense((0, 0)),)}]) == "replace"
    assert best_kind([]) is None


def test_a_word_without_cues_of_the_chosen_kind_gets_the_others():
    word = {"before": (sense((1, 1)),), "replace": (sense((0, 0), cues=()),)}
    assert kind_of_word(word, "replace") == "before"
    assert kind_of_word({**word, "replace": (sense((0, 0)),)}, "replace") == "replace"


def test_a_choice_is_judged_on_words_that_did_not_make_it():
    """One word is for one kind, the other for the other: each is judged with the kind that it is not for."""
    good, bad = (sense((2, 2)),), (sense((0, 2)),)
    words = {"bank": {"before": good, "replace": bad}, "bat": {"before": bad, "replace": good}}
    assert worth_of_choice(words) == Judged(0, 4)
    assert worth_of_choice({"bank": words["bank"]}) == Judged()
