"""A study as YAML: its records, translations of a test set, numbers and flags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from mtprobe.errors import MtprobeError, Place, SuiteError, did_you_mean
from mtprobe.records import Run, SuiteRun, read_run
from mtprobe.studies.agree import judge_of
from mtprobe.studies.figures import Figure, read_figure, value_of
from mtprobe.studies.observations import Observations, Observed, checked
from mtprobe.suite.format.fields import Strict, Text, Texts
from mtprobe.suite.parsing.problems import validated
from mtprobe.suite.parsing.tree import Tree, read_tree
from mtprobe.system.text_files import text_lines

Number: TypeAlias = Annotated[float, Field(allow_inf_nan=False)]
_PERCENT = 100.0  # accuracies are shown in percent, as BLEU is


class OutcomeModel(Strict):
    """A metric of a suite, read from every model's record."""

    suite: Text | None = None
    """The suite's name. May be omitted if the record has only one suite."""
    metric: str = "minimum_weighted_accuracy"
    """A metric, as in gates: `accuracy[rare]`."""
    method: Text | None = None
    """The method that judged, if the suite was judged by several."""


class TestSet(Strict):
    """The data for computing BLEU and chrF."""

    references: Texts
    """One or more files with one reference per line."""
    tokenize: Literal["13a", "intl", "zh", "ja-mecab", "ko-mecab", "flores200", "char", "none"] = "13a"
    """sacrebleu's tokenizer."""


class ModelEntry(Strict):
    """One model of the study."""

    name: Text
    """As the chart shows it."""
    line: Text | None = None
    """Models of one line are joined in the chart: students of one teacher, for example."""
    record: Text | None = None
    """Its run record, for outcomes that name a suite."""
    translations: Text | None = None
    """Its translations of the test set, for `bleu` and `chrf`."""
    values: dict[str, bool | Number] = Field(default_factory=dict)
    """Given numbers and flags: `{bleu: 40.6, distilled: false}`."""


def _named(value: Any) -> Any:
    """A list of names is short for outcomes that are given as values."""
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return dict.fromkeys(value)
    return value


class StudyModel(Strict):
    """A study of several models."""

    study: Literal[1]
    """The version of this format."""
    about: Text
    """The question in one sentence."""
    outcomes: Annotated[dict[str, OutcomeModel | None], Field(min_length=1), BeforeValidator(_named)]
    """What to explain. A bare name is given in the models' `values`; one with a suite is read from records."""
    on: Annotated[list[str], Field(min_length=1)]
    """What explains it: `bleu`, `chrf` and names of `values`."""
    test_set: TestSet | None = None
    """For `bleu` and `chrf` of models with `translations`."""
    models: Annotated[list[ModelEntry], Field(min_length=1)]
    """The models."""


@dataclass(frozen=True, slots=True)
class Quality:
    """BLEU and chrF of a model's translations of a test set, by sacrebleu; both from 0 to 100."""

    bleu: float
    chrf: float
    signatures: tuple[str, str]


def read_study(path: Path) -> Observations:
    """The study's table. Paths are relative to the study's folder."""
    try:
        tree = read_tree(path)
    except OSError as error:
        raise MtprobeError(f"{path}: cannot be read: {error.strerror}") from None
    if not isinstance(tree.value, dict):
        raise SuiteError.at(tree.place(()), "a study must be a mapping that starts with `study: 1`")
    study: StudyModel = validated(tree, StudyModel)
    for name, outcome in study.outcomes.items():
        if outcome is not None:
            try:
                read_figure(outcome.metric, outcome.method)
            except MtprobeError as error:
                raise SuiteError.at(tree.place(("outcomes", name, "metric")), str(error)) from None
    models: dict[str, Observed] = {}
    notes: dict[str, None] = {}
    read: dict[str, list[SuiteRun]] = {}
    for number, entry in enumerate(study.models):
        place = tree.place(("models", number))
        if entry.name in models:
            raise SuiteError.at(place, f'a second model "{entry.name}"')
        values: dict[str, float | bool] = dict(entry.values)
        if scores := _quality_of(study, entry, tree, number):
            values = {"bleu": scores.bleu, "chrf": scores.chrf, **values}
            notes.update(dict.fromkeys(scores.signatures))
        values.update(_outcomes(study, entry, tree, number, read))
        models[entry.name] = Observed(entry.name, entry.line, values, place)
    notes.update(dict.fromkeys(_judges(read)))
    return checked(
        Observations(
            study.about, tuple(models.values()), tuple(study.outcomes), tuple(study.on), tuple(notes)
        )
    )


def _quality_of(study: StudyModel, entry: ModelEntry, tree: Tree, number: int) -> Quality | None:
    if entry.translations is None:
        return None
    if study.test_set is None:
        raise SuiteError.at(
            tree.place(("models", number, "translations")), "translations need a `test_set` with `references`"
        )
    folder = tree.path.parent
    references = [folder / name for name in study.test_set.references]
    return _quality(folder / entry.translations, references, study.test_set.tokenize)


def _quality(translations: Path, references: Sequence[Path], tokenize: str) -> Quality:
    """One translation per line, with one reference per line in each reference file."""
    try:
        from sacrebleu.metrics.bleu import BLEU
        from sacrebleu.metrics.chrf import CHRF
    except ImportError:
        raise MtprobeError('BLEU needs sacrebleu: pip install "mtprobe[study]"') from None

    hypotheses = [line for _, line in text_lines(translations)]
    expected = [[line for _, line in text_lines(path)] for path in references]
    for path, lines in zip(references, expected, strict=True):
        if len(lines) != len(hypotheses):
            raise MtprobeError(f"{translations}: {len(hypotheses):,} lines, but {len(lines):,} in {path}")
    if not hypotheses:
        raise MtprobeError(f"{translations}: is empty")
    metrics = BLEU(tokenize=tokenize), CHRF()
    scores = [float(metric.corpus_score(hypotheses, expected).score) for metric in metrics]
    return Quality(scores[0], scores[1], (str(metrics[0].get_signature()), str(metrics[1].get_signature())))


def _outcomes(
    study: StudyModel, entry: ModelEntry, tree: Tree, number: int, read: dict[str, list[SuiteRun]]
) -> dict[str, float]:
    """The metrics that are read from a record; `read` has the suites read so far, by outcome."""
    wanted = {name: outcome for name, outcome in study.outcomes.items() if outcome is not None}
    if not wanted or entry.record is None:
        return {}
    place = tree.place(("models", number, "record"))
    run = read_run(tree.path.parent / entry.record)
    values = {}
    for name, outcome in wanted.items():
        if name not in entry.values:
            figure = read_figure(outcome.metric, outcome.method)
            suite = _suite(run, outcome.suite, figure.method, place)
            read.setdefault(name, []).append(suite)
            _check_same(suite, read[name][0], place)
            values[name] = _measured(suite, figure, place)
    return values


def _check_same(suite: SuiteRun, first: SuiteRun, place: Place) -> None:
    """Numbers are comparable only if every model was given the same samples."""
    ids, first_ids = ({result.id for result in run.results} for run in (suite, first))
    if suite.digest != first.digest or ids != first_ids:
        raise SuiteError.at(
            place, f'the samples of "{suite.suite}" are not those of model "{first.model.name}"'
        )
    if (suite.source, suite.target, suite.method) != (first.source, first.target, first.method):
        raise SuiteError.at(
            place, f'"{suite.suite}" has another language pair or method than for model "{first.model.name}"'
        )


def _judges(read: Mapping[str, Sequence[SuiteRun]]) -> Iterator[str]:
    """Notes on outcomes whose models were not all judged by the same evaluator."""
    for name, suites in read.items():
        judges = dict.fromkeys(judge_of(suite) for suite in suites)
        if len(judges) > 1 or any(suite.judges_itself for suite in suites):
            yield f"{name}: models were judged by different evaluators ({', '.join(judges)})"


def _suite(run: Run, name: str | None, method: str | None, place: Place) -> SuiteRun:
    named = [suite for suite in run.suites if name is None or suite.suite == name]
    fitting = [suite for suite in named if method is None or suite.method == method]
    if len(fitting) == 1:
        return fitting[0]
    raise SuiteError.at(place, _not_one(run, name, method, named, fitting))


def _not_one(
    run: Run, name: str | None, method: str | None, named: Sequence[SuiteRun], fitting: Sequence[SuiteRun]
) -> str:
    """Why it is not clear which suite of a record is meant."""
    methods = list(dict.fromkeys(suite.method for suite in named))
    if not named:
        names = [suite.suite for suite in run.suites]
        return f'the record has no suite "{name}"{did_you_mean(name or "", names)}'
    if not fitting:
        by = f"it is judged by {', '.join(methods)}"
        return f'"{named[0].suite}" is not judged by "{method}"{did_you_mean(method or "", methods) or "; " + by}'
    if (models := len({suite.model.name for suite in fitting})) > 1:
        return f"the record has {models} models; a study needs one record per model"
    if len({suite.suite for suite in fitting}) > 1:
        return "the record has several suites; name one with `suite` in `outcomes`"
    return f'"{fitting[0].suite}" is judged by {", ".join(methods)}; name one with `method` in `outcomes`'


def _measured(suite: SuiteRun, figure: Figure, place: Place) -> float:
    try:
        return (_PERCENT if figure.metric.is_share else 1.0) * value_of(suite, figure)
    except MtprobeError as error:
        raise SuiteError.at(place, str(error)) from None
