"""Finds the counterpart of a suite in an earlier run, and checks whether the same judge judged both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mtprobe.language import tags
from mtprobe.methods import method_named
from mtprobe.methods.first_decided import names_in
from mtprobe.records import ModelFacts, SuiteRun
from mtprobe.records.procedure import difference, same_procedure


@dataclass(frozen=True, slots=True)
class NoCounterpart:
    """Why a suite cannot be compared."""

    reason: str
    ambiguous: bool = False  # several suites fit, and nothing says which one it is
    incomparable: bool = False  # it was judged by another procedure

    def __str__(self) -> str:
        return self.reason


def counterpart(
    earlier: Sequence[SuiteRun], later: SuiteRun, *, only: bool, any_procedure: bool = False
) -> SuiteRun | NoCounterpart:
    """The same suite, method and languages with the model of the same name; or with the only model of the earlier
    run, which every model of the later run is compared with. Where the later run has only one model (`only`), the only
    one that the suite was run on will do. Of several suites of one name, the one with the same content, or with the
    same path if all have changed; never a guess.

    With `any_procedure`, another version of the method, or another combination of methods, will do.
    """
    suite = later.suite
    named = [run for run in earlier if run.suite == suite]
    if not named:
        return NoCounterpart(f'it has no suite "{suite}"')
    judged = _judged_alike(named, later)
    if not judged:
        methods = dict.fromkeys(run.method for run in named)
        return NoCounterpart(f"{suite} was judged by {', '.join(methods)}, not by {later.method}")
    fitting = [run for run in judged if _same(run.source, later.source) and _same(run.target, later.target)]
    if not fitting:
        pairs = dict.fromkeys(f"{run.source}→{run.target}" for run in judged)
        return NoCounterpart(f"{suite} was run for {', '.join(pairs)}, not for {later.source}→{later.target}")
    models = dict.fromkeys(run.model.name for run in fitting)
    serves_all = only or len({run.model.name for run in earlier}) == 1
    if later.model.name not in models and not (serves_all and len(models) == 1):
        return NoCounterpart(f"{suite} was run on {', '.join(models)}, not on {later.model.name}")
    name = later.model.name if later.model.name in models else next(iter(models))
    match = unique_match([run for run in fitting if run.model.name == name], later)
    if isinstance(match, NoCounterpart) or any_procedure or same_procedure(match, later):
        return match
    return NoCounterpart(difference(match, later), incomparable=True)


def _judged_alike(runs: Sequence[SuiteRun], later: SuiteRun) -> list[SuiteRun]:
    """Suites judged by the same method; otherwise, for combined methods, those that share a method."""
    if judged := [run for run in runs if run.method == later.method]:
        return judged
    wanted = names_in(later.method)
    related = [run for run in runs if not set(wanted).isdisjoint(names_in(run.method))]
    return [run for run in related if run.method == related[0].method]


def _same(tag: str, other: str) -> bool:
    """A record may have any origin: what is not a language tag is compared literally."""
    if tag == other or not (tags.is_language(tag) and tags.is_language(other)):
        return tag == other
    return tags.fits(tag, other) or tags.fits(other, tag)


def unique_match(candidates: Sequence[SuiteRun], suite: SuiteRun) -> SuiteRun | NoCounterpart:
    """The only candidate, or the only one with the languages, the content, else the path of the suite."""
    properties: tuple[Callable[[SuiteRun], object], ...] = (
        lambda run: (run.source, run.target),
        lambda run: run.digest,
        lambda run: run.path,
    )
    for of in properties:
        if len(candidates) > 1:
            candidates = [run for run in candidates if of(run) == of(suite)] or candidates
    if len(candidates) == 1:
        return candidates[0]
    paths = ", ".join(dict.fromkeys(run.path for run in candidates))
    return NoCounterpart(
        f'{len(candidates)} of its suites are named "{suite.suite}" ({paths}), and neither content nor path says '
        f"which of them {suite.path} is: give each suite a name of its own",
        ambiguous=True,
    )


def with_duplicates_noted(suites: Sequence[SuiteRun]) -> tuple[SuiteRun, ...]:
    """The suites of a run; those that share a name have a note that says so."""
    paths: dict[tuple[str, ...], list[str]] = {}
    for suite in suites:
        paths.setdefault(_key(suite), []).append(suite.path)

    def noted(suite: SuiteRun) -> SuiteRun:
        shared = paths[_key(suite)]
        if len(shared) == 1:
            return suite
        warning = (
            f'{len(shared)} suites of this run are named "{suite.suite}" ({", ".join(sorted(shared))}): '
            "baselines and comparisons match suites by name, so give each a name of its own"
        )
        return suite if warning in suite.notes else replace(suite, notes=(*suite.notes, warning))

    return tuple(map(noted, suites))


def _key(suite: SuiteRun) -> tuple[str, ...]:
    return suite.suite, suite.method, suite.source, suite.target, suite.model.name


def judge_warning(before: SuiteRun, after: SuiteRun) -> str | None:
    """A caveat about a difference: verdicts may differ because another model provided the scores."""
    if _judge(before) == _judge(after):
        return None
    if before.judges_itself and after.judges_itself:
        return "each model judged itself: a common `evaluator` would be fairer"
    return "the two runs were judged by different evaluators: verdicts may differ for that reason alone"


def _judge(run: SuiteRun) -> str | None:
    """The model that provided scores as an evaluator; some methods judge the model's own scores."""
    method = method_named(run.method)
    if method is not None and method.scored_by != "evaluator":
        return None
    if run.evaluator is not None:
        return _scored_by(run.evaluator)
    return _scored_by(run.model) if run.judges_itself else None


def _scored_by(model: ModelFacts) -> str:
    """Decoding options do not change scores."""
    return model.scoring or model.fingerprint


def same_judge(before: SuiteRun, after: SuiteRun) -> bool:
    """Whether identical translations of the two runs get identical verdicts: same method, scores and lemmatizer.

    Where a method judges the model's own scores, the model is the judge.
    """
    return same_procedure(before, after) and _judged_by(before) == _judged_by(after)


def _judged_by(run: SuiteRun) -> tuple[str, ...]:
    scorer = run.evaluator or (run.model if run.judges_itself else None)
    # Noise floors are fitted on all samples of a run: where they change a verdict, its outcome shows it.
    noise = {str(floor) for floor in run.noise}
    details = (part for part in run.details.split("; ") if part not in noise)
    return (run.method, *details, *((_scored_by(scorer), scorer.dtype) if scorer else ()))
