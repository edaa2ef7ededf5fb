"""Chooses the form of a suite's cues for an evaluator (`cues: best`), by labels or by a witness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from mtprobe.audit.truth import answer_of
from mtprobe.backends.stored import scoring_fingerprint_of
from mtprobe.errors import MtprobeError, Place, SuiteError
from mtprobe.methods import Method, Preparation
from mtprobe.methods.conditioning.forms import (
    FEWEST,
    ChosenForm,
    balanced_agreement,
    enough,
    samples_for_choice,
    store_form,
    stored_form,
)
from mtprobe.methods.first_decided import FirstDecided
from mtprobe.methods.judge import judge_all
from mtprobe.suite.labels import UNCLEAR
from mtprobe.suite.sample import Suite


def parts_of(methods: Sequence[Method]) -> Iterator[Method]:
    """The methods, with those that are combined one by one."""
    for method in methods:
        yield from method.methods if isinstance(method, FirstDecided) else (method,)


def form_judge(suite: Suite, methods: Sequence[Method]) -> Method | None:
    """The method whose verdicts depend on the form; None if there is nothing to choose."""
    if not suite.chooses_form:
        return None
    return next(
        (
            method
            for method in parts_of(methods)
            if method.scored_by == "evaluator" and "scores" in method.asks_for
        ),
        None,
    )


def nothing_to_choose_by(
    suite: Suite, target: str, methods: Sequence[Method], unnamed: Sequence[Method]
) -> str | None:
    """Why there is no best form, as far as that is known before anything runs."""
    if form_judge(suite, methods) is None or suite.labels_for(target) or unnamed:
        return None
    if any(method.is_witness for method in parts_of(methods)):
        return None
    return f"{suite.path}: {_nothing(target)}"


def best_form(judge: Method, witnesses: Sequence[Method], preparation: Preparation) -> ChosenForm:
    """The form whose verdicts agree best with labels, else with the first witness that decides enough samples.

    Chosen once for each evaluator, content of the suite and target language, if there is a store.
    """
    suite, target, scorer = preparation.fixed, preparation.languages.target, preparation.scorer
    if scorer is None:
        raise ValueError("a form is chosen for an evaluator")
    evaluator = scoring_fingerprint_of(scorer)
    if (known := stored_form(preparation.store, evaluator, suite, target)) is not None:
        return known
    samples = samples_for_choice(suite)
    keys = {sample.key for sample in samples}
    tried = replace(
        preparation,
        suite=replace(suite, samples=tuple(samples)),
        complete=None,
        translations={key: text for key, text in preparation.translations.items() if key in keys},
    )
    name, truth = _truth(tried, witnesses)
    agreement = {
        form: balanced_agreement(samples, _answers(judge, _with_form(tried, form)), truth)
        for form in suite.cue_forms
    }
    best = max(agreement, key=lambda form: agreement[form])  # the first of equals
    chosen = ChosenForm(best, name, len(truth), agreement)
    store_form(preparation.store, evaluator, suite, target, chosen)
    return chosen


def _with_form(tried: Preparation, form: str) -> Preparation:
    """Ready to be judged with a form; nothing else is measured on the way."""
    suite = tried.suite.with_form(form)
    audit = suite.audit if suite.options.get("calibrate") else {}
    options = {**suite.options, "decide": None}
    return replace(tried, suite=replace(suite, audit=audit, options=options))


def _answers(method: Method, preparation: Preparation) -> dict[str, str | None]:
    return {result.id: answer_of(result) for result in judge_all(method.prepare(preparation), preparation)}


def _truth(tried: Preparation, witnesses: Sequence[Method]) -> tuple[str, Mapping[str, str]]:
    suite, target = tried.suite, tried.languages.target
    labels = {label.key: label.label for label in suite.labels_for(target) if label.label != UNCLEAR}
    by_labels = {
        sample.id: labels[key]
        for sample in suite.samples
        if (key := (sample.source, str(tried.translations.get(sample.key)))) in labels
    }
    if enough(suite.samples, by_labels):
        return "the labels", by_labels
    for witness in witnesses:
        try:
            answers = _answers(witness, replace(tried, scorer=None))
        except MtprobeError:  # the run says why, where it asks the witness again
            continue
        decided = {id_: answer for id_, answer in answers.items() if answer is not None}
        if enough(suite.samples, decided):
            return witness.as_witness or witness.name, decided
    raise SuiteError.at(Place(suite.path), _nothing(target))


def _nothing(target: str) -> str:
    return (
        f"cues: best: there is nothing to choose by for {target}: it takes labels or a method that asks no model "
        f"(gender-morphology, lexicon) for at least {FEWEST} samples of each category, in one half of the words; name a form"
    )
