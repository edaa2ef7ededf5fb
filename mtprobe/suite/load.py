"""Reads suites: a path → a `Suite`, or one `SuiteError` with all problems."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from mtprobe.errors import (
    MOST_PROBLEMS,
    MissingData,
    MissingFile,
    Place,
    Problem,
    SuiteError,
    did_you_mean,
)
from mtprobe.suite.data import Reading, Skipped
from mtprobe.suite.format.data import DEFAULT
from mtprobe.suite.format.evidence import SampleModel
from mtprobe.suite.format.suite import SuiteModel, method_fields, suite_model
from mtprobe.suite.gate_texts import read_gates
from mtprobe.suite.parsing.files import SuiteFiles
from mtprobe.suite.parsing.problems import validated
from mtprobe.suite.parsing.tree import Location, Tree, read_tree
from mtprobe.suite.sample import Sample, Scalar, Suite
from mtprobe.suite.samples.audit import read_audit
from mtprobe.suite.samples.build import Declared, Written, build_sample, slug
from mtprobe.suite.samples.context import with_controls
from mtprobe.suite.samples.cues import chooses_form, cue_file, read_cue_forms, with_cues
from mtprobe.suite.samples.evidence import Misfit, word_lists_of
from mtprobe.suite.samples.expand import (
    Expansion,
    OpenTemplate,
    attribute_names,
    attribute_values,
    expand_template,
    read_derived,
    samples_of,
)
from mtprobe.suite.samples.frequencies import Frequencies, read_frequencies
from mtprobe.suite.samples.labels import read_labels
from mtprobe.suite.samples.opposites import check_evidence_of
from mtprobe.suite.samples.relations import Relations, one_per_perturbation
from mtprobe.suite.samples.slots import SlotTable, read_slots
from mtprobe.suite.vocabulary import Vocabulary
from mtprobe.system.garbage import without_collecting_garbage


def read_suite(
    path: Path,
    data_root: Path | None = None,
    *,
    vocabulary: Vocabulary,
    uncounted: bool = False,
    uncued: bool = False,
) -> Suite:
    """Reads a suite as `mtprobe.suites.load_suite` does, with the methods and formats of the vocabulary."""
    try:
        with without_collecting_garbage():
            return _load(path, data_root, vocabulary, uncounted, uncued)
    except OSError as error:
        raise SuiteError.at(
            Place(Path(error.filename or path)), f"cannot be read: {error.strerror}"
        ) from None


def _load(path: Path, data_root: Path | None, vocabulary: Vocabulary, uncounted: bool, uncued: bool) -> Suite:
    tree = read_tree(path)
    _check_root(tree)
    model: SuiteModel = validated(tree, suite_model(vocabulary))
    files = SuiteFiles(path, data_root)
    try:
        samples, templates = _all_samples(model, tree, files, vocabulary, uncounted)
        samples = tuple(one_per_perturbation(samples))
        if not uncued:
            samples = with_cues(samples, model, tree, files)
        if model.context_controls:
            samples = with_controls(samples, model, tree)
    except MissingFile as error:
        raise MissingData(
            error.problems, model.name, [gate.key for gate in read_gates(model, tree)]
        ) from None
    keys = list(method_fields(vocabulary))
    suite = Suite(
        path=path,
        name=model.name,
        about=model.about,
        source=model.languages.source,
        targets=_target_languages(model),
        methods=_methods(model, tree),
        methods_place=tree.place(("methods" if model.methods else "method",)),
        combine=model.combine,
        categories=tuple(model.categories or ()),
        gates=tuple(read_gates(model, tree)),
        samples=samples,
        templates=templates,
        attributes=_attributes(samples),
        cue_forms=read_cue_forms(model, tree),
        chooses_form=chooses_form(model),
        cue_file=cue_file(model, path),
        audit=read_audit(model, samples, files, tree, cued=not uncued),
        digest=files.digest(),
        open=_open(samples),
        variants=_variants(model),
        options={key: getattr(model, key) for key in keys},
        option_places={key: tree.place((key,)) for key in (*keys, "hunt")},
        labels=read_labels(model, samples, files, tree),
        corrected=model.corrected,
        ignores_degenerate=model.degenerate == "ignore",
        marks=tuple(model.marks),
        seed=model.seed,
        each=model.expect == "each",
        hunt=model.hunt,
        sequential=model.sequential,
        files=tuple(dict.fromkeys(files.found)),
    )
    _check_cluster(model, suite, tree)
    _check_options(suite, vocabulary)
    if not (suite.gates or suite.each or suite.hunt):
        raise SuiteError.at(tree.place(("gates",)), "gates: missing; without gates, nothing can fail")
    return suite.take(model.take) if model.take else suite


def _target_languages(model: SuiteModel) -> tuple[str, ...] | None:
    return None if model.languages.targets == "any" else tuple(model.languages.targets)


def _check_options(suite: Suite, vocabulary: Vocabulary) -> None:
    if any(name not in vocabulary.methods and ":" not in name for name in suite.methods):
        return  # the unknown method is reported where methods are looked up; the keys may be those of the one that is meant
    owners = dict.fromkeys(keys for keys in vocabulary.methods.values() if keys)
    if problems := [problem for keys in owners for problem in keys.problems(suite)]:
        raise SuiteError(problems)


def _check_root(tree: Tree) -> None:
    if tree.value is None:
        raise SuiteError.at(Place(tree.path, 1), "the file is empty; `mtprobe new suite` starts one")
    if not isinstance(tree.value, dict):
        kind = "list" if isinstance(tree.value, list) else "single value"
        raise SuiteError.at(
            tree.place(()), f"a suite is a mapping that starts with `mtprobe: 1`, not a {kind}"
        )


def _methods(model: SuiteModel, tree: Tree) -> tuple[str, ...]:
    if (model.method is None) == (model.methods is None):
        raise SuiteError.at(tree.place(("method",)), "give either `method` or `methods`")
    if model.combine is not None and len(model.methods or ()) < 2:
        raise SuiteError.at(tree.place(("combine",)), "combine: needs at least two `methods`")
    return (model.method,) if model.method is not None else tuple(model.methods or ())


def _all_samples(
    model: SuiteModel, tree: Tree, files: SuiteFiles, vocabulary: Vocabulary, uncounted: bool
) -> tuple[tuple[Sample, ...], tuple[OpenTemplate, ...]]:
    categories = model.categories or ()
    shared = read_slots(model.slots, categories, files, ("slots",), tree)
    own = [
        read_slots(template.slots, categories, files, ("generate", number, "slots"), tree)
        for number, template in enumerate(model.generate)
    ]
    frequencies = _frequencies(model, tree, files, uncounted)
    declared = _declared(model, tree, [shared, *own], frequencies)
    expansion = Expansion(declared, shared, tree)
    parts = (
        _single(model, tree, declared),
        _generated(model, expansion, own),
        _from_files(model, tree, files, declared, vocabulary),
    )
    samples: dict[str, Sample] = {}
    problems: list[Problem] = []
    for item in itertools.chain(*parts):
        if isinstance(item, SuiteError):
            problems.extend(item.problems)
        elif (first := samples.setdefault(item.id, item)) is not item:
            message = (
                f'duplicate id "{item.id}" (first at {first.place}); give one of the samples its own `id`'
            )
            problems.append(Problem(item.place, message))
        if len(problems) >= MOST_PROBLEMS:
            break
    if problems:
        raise SuiteError(problems)
    if not samples:
        raise SuiteError.at(tree.place(()), "the suite has no samples; give `samples`, `generate` or `data`")
    return tuple(samples.values()), tuple(expansion.templates)


def _frequencies(model: SuiteModel, tree: Tree, files: SuiteFiles, uncounted: bool) -> Frequencies | None:
    if model.frequencies is None:
        return None
    place = tree.place(("frequencies",))
    targets = model.languages.targets
    if targets == "any" or len(targets) != 1:
        raise SuiteError.at(place, "frequencies: needs one target language; give it in `targets`")
    if uncounted:
        return Frequencies(targets[0], None)
    return Frequencies(targets[0], read_frequencies(files.find(model.frequencies, place), targets[0]))


def _declared(
    model: SuiteModel, tree: Tree, tables: Sequence[SlotTable], frequencies: Frequencies | None
) -> Declared:
    categories = tuple(model.categories or ())
    names = {name for table in tables for name in attribute_names(table)}
    names |= {name for sample in (*model.samples, *model.generate) for name in sample.attributes}
    names |= {name for data in model.data for name in data.known_attributes}
    if any(sample.senses for sample in (*model.samples, *model.generate)):
        names |= {"sense_rank", "polysemy"}
    words = {word for table in tables for word in attribute_values(table)}
    words |= {str(value) for sample in model.samples for value in sample.attributes.values()}
    return Declared(
        categories=categories or None,
        cluster=model.cluster,
        cues=next(iter(read_cue_forms(model, tree).values()), {}),
        frequencies=frequencies,
        derived=read_derived(model.attributes, names, words | {*categories}, ("attributes",), tree.place),
        variants=_variants(model),
        language=model.languages.source,
        preserve=tuple(model.preserve or ()),
        word_lists=word_lists_of(model),
        relations=Relations(model.relation or "", tuple(model.perturb or ()), model.seed),
    )


def _variants(model: SuiteModel) -> dict[str, tuple[Scalar, ...]]:
    scales = {name: values for data in model.data for name, values in data.scales.items()}
    return scales | {name: tuple(values) for name, values in model.variants.items()}


# Each of these yields samples, or the error in the place of one: so that everything that is wrong is reported at once.


def _single(model: SuiteModel, tree: Tree, declared: Declared) -> Iterator[Sample | SuiteError]:
    for number, sample in enumerate(model.samples):
        try:
            yield _checked(_sample(declared, sample, tree.place(("samples", number))))
        except Misfit as misfit:
            yield SuiteError.at(tree.place(("samples", number, misfit.key)), str(misfit))


def _generated(
    model: SuiteModel, expansion: Expansion, own: Sequence[SlotTable]
) -> Iterator[Sample | SuiteError]:
    """All templates are checked before the first is filled."""
    opened: list[tuple[Location, OpenTemplate]] = []
    for number, (template, slots) in enumerate(zip(model.generate, own, strict=True)):
        at: Location = ("generate", number)
        try:
            opened.append((at, expand_template(template, slots, at, expansion)))
        except SuiteError as error:
            yield error
    for at, ready in opened if not expansion.room.exceeded else ():
        try:
            yield from samples_of(ready, at, expansion)
        except SuiteError as error:
            yield error
    expansion.templates.extend(ready for _, ready in opened)


def _from_files(
    model: SuiteModel, tree: Tree, files: SuiteFiles, declared: Declared, vocabulary: Vocabulary
) -> Iterator[Sample | SuiteError]:
    for number, entry in enumerate(model.data):
        at: Location = ("data", number) if isinstance(tree.value["data"], list) else ("data",)
        reading = Reading(
            files, _placer(tree, at), model.languages.source, _target_languages(model), entry.missing
        )
        count = 0
        format = vocabulary.formats[entry.format or DEFAULT]
        for place, item in format.read(entry, reading):
            count += 1
            try:
                if isinstance(item, SuiteError):
                    yield item
                elif not isinstance(item, Skipped):
                    sample = _sample(declared, item, place)
                    yield sample if format.published else _checked(sample)
            except Misfit as misfit:
                yield SuiteError.at(place, str(misfit))
        if not count:
            yield SuiteError.at(tree.place(at), f"data: {entry.name} has no samples")


def _placer(tree: Tree, at: Location) -> Callable[[str], Place]:
    return lambda key: tree.place((*at, key))


def _sample(declared: Declared, sample: SampleModel, place: Place) -> Sample:
    written = Written(
        sample.source,
        sample.id or slug(sample.source),
        place,
        sample.attributes,
        context=tuple(sample.context or ()),
    )
    return build_sample(declared, sample, written)


def _checked(sample: Sample) -> Sample:
    check_evidence_of(sample)
    return sample


def _attributes(samples: Iterable[Sample]) -> dict[str, frozenset[Scalar]]:
    values: dict[str, set[Scalar]] = {}
    for sample in samples:
        for name, value in sample.attributes.items():
            values.setdefault(name, set()).add(value)
    return {name: frozenset(distinct) for name, distinct in values.items()}


def _open(samples: Iterable[Sample]) -> dict[str, frozenset[str]]:
    """The open categories with their choices. A category is open for all of its samples or for none."""
    first: dict[str, Sample] = {}
    choices: dict[str, set[str]] = {}
    for sample in samples:
        if sample.category is None:
            continue
        other = first.setdefault(sample.category, sample)
        if bool(other.choices) != bool(sample.choices):
            raise SuiteError.at(
                sample.place,
                f'category "{sample.category}": this sample has {"choices" if sample.choices else "a right answer"} '
                f"but the one at {other.place} does not; give one of them another category",
            )
        choices.setdefault(sample.category, set()).update(sample.choices)
    return {category: frozenset(names) for category, names in choices.items() if names}


def _check_cluster(model: SuiteModel, suite: Suite, tree: Tree) -> None:
    if model.cluster is not None and model.cluster not in suite.attributes:
        raise SuiteError.at(
            tree.place(("cluster",)),
            f'cluster: there is no slot or attribute "{model.cluster}"{did_you_mean(model.cluster, suite.attributes)}',
        )
