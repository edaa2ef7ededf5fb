"""Audit pairs: translations whose reading is known, from the suite or from files, checked against the suite."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from mtprobe.errors import Problem, SuiteError, did_you_mean
from mtprobe.language import tags
from mtprobe.suite.format.evidence import SIDES, CuesByCategory, Sides
from mtprobe.suite.format.suite import AuditFile, AuditPairModel, AuditPairs, SuiteModel
from mtprobe.suite.parsing.files import SuiteFiles
from mtprobe.suite.parsing.problems import validated
from mtprobe.suite.parsing.tree import Location, Tree, read_tree
from mtprobe.suite.sample import AuditPair, Sample
from mtprobe.suite.samples.build import slug
from mtprobe.suite.samples.cues import cue_forms
from mtprobe.suite.samples.focus import FocusError, read_marks


def read_audit(
    model: SuiteModel, samples: Sequence[Sample], files: SuiteFiles, tree: Tree, *, cued: bool = True
) -> dict[str, tuple[AuditPair, ...]]:
    """The audit pairs of each language, or one `SuiteError` with everything that is wrong with them.

    If samples are not `cued` yet, pairs may name them without their cues.
    """
    if not model.audit:
        return {}
    cues = next(iter(cue_forms(model, tree).values()), {})
    ids = {sample.id: sample for sample in samples}
    problems: list[Problem] = []
    by_language: dict[str, list[AuditPair]] = {}
    for tag in tree.value["audit"]:
        language = tags.standard(tag)
        if language in by_language:
            raise SuiteError.at(tree.place(("audit", tag)), f"audit.{tag}: duplicate language {language}")
        pairs, own, at = _written(model.audit[language], files, tree, ("audit", tag))
        for number, pair in enumerate(pairs):
            try:
                by_language.setdefault(language, []).append(_pair(pair, cues, ids, own, (*at, number), cued))
            except SuiteError as error:
                problems.extend(error.problems)
    if problems:
        raise SuiteError(problems)
    return {language: tuple(pairs) for language, pairs in by_language.items()}


def _written(
    audit: AuditFile | Sequence[AuditPairModel], files: SuiteFiles, tree: Tree, at: Location
) -> tuple[Sequence[AuditPairModel], Tree, Location]:
    """The pairs, the tree of the file that contains them, and their location in it."""
    if not isinstance(audit, AuditFile):
        return audit, tree, at
    own = read_tree(files.find(audit.file, tree.place((*at, "file"))))
    return validated(own, AuditPairs), own, ()


def _pair(
    pair: AuditPairModel,
    cues: CuesByCategory,
    ids: Mapping[str, Sample],
    tree: Tree,
    at: Location,
    cued: bool,
) -> AuditPair:
    place = tree.place
    if (pair.source is None) == (pair.sample is None):
        raise SuiteError.at(place(at), "an audit pair has either `source` or `sample`")
    if pair.sample is not None and pair.sample not in ids:
        raise SuiteError.at(
            place((*at, "sample")),
            f'there is no sample "{pair.sample}" in the suite{did_you_mean(pair.sample, ids)}',
        )
    if pair.source is None:
        readings: Iterable[str] = SIDES
        sample = ids[pair.sample or ""]
        if sample.choices:
            raise SuiteError.at(
                place((*at, "sample")),
                f'the sample "{sample.id}" is open: it has no correct reading',
            )
        if cued and sample.cues is None and sample.sources is None:
            raise SuiteError.at(
                place((*at, "sample")), f'the sample "{sample.id}" has neither cues nor sources'
            )
    else:
        readings = [category for category, sides in cues.items() if isinstance(sides, Sides)]
        if not readings:
            raise SuiteError.at(
                place((*at, "source")),
                "the suite has no `cues` by category, correct and incorrect, to put into this source; "
                "name a `sample` that has its own",
            )
        sample = _source_alone(pair.source, tree, (*at, "source"))
    kind = "category that has cues" if pair.source is not None else "reading"
    problems = [
        Problem(
            place((*at, "targets", reading)), f'"{reading}" is not a {kind}{did_you_mean(reading, readings)}'
        )
        for reading in pair.targets
        if reading not in readings
    ]
    if problems:
        raise SuiteError(problems)
    targets = {reading: tuple(texts) for reading, texts in pair.targets.items()}
    return AuditPair(sample, pair.source is not None, targets, place(at))


def _source_alone(written: str, tree: Tree, at: Location) -> Sample:
    try:
        marked = read_marks(written)
    except FocusError as error:
        raise SuiteError.at(tree.place(at), f"{error}: {written!r}") from None
    if marked.focus is None:
        raise SuiteError.at(tree.place(at), "has no focus for the cues; mark it as <word>")
    return Sample(
        id=slug(written),
        source=marked.text,
        focus=marked.focus,
        category=None,
        attributes={},
        cluster=marked.text[slice(*marked.focus)].casefold(),
        place=tree.place(at),
    )
