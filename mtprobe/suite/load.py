"""The door into suites: a path → a `Suite`, or one `SuiteError` with all that is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from mtprobe.datasets import read_data
from mtprobe.datasets.reading import LeftOut, Reading
from mtprobe.errors import (
    MOST_PROBLEMS,
    MissingData,
    MissingFile,
    Place,
    Problem,
    SuiteError,
    did_you_mean,
)
from mtprobe.language import tags
from mtprobe.suite.format.suite import GateModel, SampleModel, SuiteModel
from mtprobe.suite.parsing.files import SuiteFiles
from mtprobe.suite.parsing.problems import validated
from mtprobe.suite.parsing.tree import Location, Tree, read_tree
from mtprobe.suite.sample import GateText, Sample, Scalar, Suite, Xfail
from mtprobe.suite.samples.audit import read_audit
from mtprobe.suite.samples.build import Declared, build_sample, slug
from mtprobe.suite.samples.cue_file import cue_file, with_cues
from mtprobe.suite.samples.cues import read_cue_forms
from mtprobe.suite.samples.expand import (
    Expansion,
    attribute_names,
    attribute_values,
    expand_template,
    read_derived,
)
from mtprobe.suite.samples.frequencies import Frequencies
from mtprobe.suite.samples.misfit import Misfit
from mtprobe.suite.samples.slots import SlotTable, read_slots
from mtprobe.system.garbage import without_collecting_garbage


def load_suite(
    path: Path, data_root: Path | None = None, *, uncounted: bool = False, uncued: bool = False
) -> Suite:
    """Reads a suite with all of its samples. `MissingData` is a suite that may be left out: its data is not here.

    With `uncounted`, its file of `frequencies` need not be there yet, and samples have no category from it.
    With `uncued`, its file of cues need not be there yet, and samples have no cues from it.
    """
    try:
        with without_collecting_garbage():
            return _load(path, data_root, uncounted, uncued)
    except OSError as error:
        raise SuiteError.at(
            Place(Path(error.filename or path)), f"cannot be read: {error.strerror}"
        ) from None


def _load(path: Path, data_root: Path | None, uncounted: bool, uncued: bool) -> Suite:
    tree = read_tree(path)
    _check_root(tree)
    model: SuiteModel = validated(tree, SuiteModel)
    files = SuiteFiles(path, data_root)
    try:
        samples = _all_samples(model, tree, files, uncounted)
        if not uncued:
            samples = with_cues(samples, model, tree, files)
    except MissingFile as error:
        raise MissingData(error.problems, model.name, [gate.key for gate in _gates(model, tree)]) from None
    suite = Suite(
        path=path,
        name=model.name,
        about=model.about,
        source=model.languages.source,
        targets=None if model.languages.targets == "any" else tuple(model.languages.targets),
        methods=_methods(model, tree),
        methods_place=tree.place(("methods" if model.methods else "method",)),
        categories=tuple(model.categories or ()),
        gates=tuple(_gates(model, tree)),
        samples=samples,
        attributes=_attributes(samples),
        cue_forms=read_cue_forms(model, tree),
        cue_file=cue_file(model, path),
        calibrate=model.calibrate,
        calibrate_place=tree.place(("calibrate",)),
        audit=read_audit(model, samples, files, tree, cued=not uncued),
        digest=files.digest(),
        open=_open(samples),
        variants=_variants(model),
        marks=tuple(model.marks),
        ties=model.ties,
        gender_rules=model.gender_rules,
        seed=model.seed,
        each=model.expect == "each",
    )
    _check_cluster(model, suite, tree)
    if suite.calibrate and not suite.audit:
        raise SuiteError.at(
            tree.place(("calibrate",)), "calibrate: needs `audit` pairs, which tell what to take off"
        )
    if not suite.gates and not suite.each:
        raise SuiteError.at(tree.place(("gates",)), "gates: none, so nothing could fail")
    return suite.take(model.take) if model.take else suite


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
    return (model.method,) if model.method is not None else tuple(model.methods or ())


def _gates(model: SuiteModel, tree: Tree) -> Iterator[GateText]:
    for key, value in model.gates.items():
        if isinstance(value, dict):
            if not tags.is_language(key):
                raise SuiteError.at(
                    tree.place(("gates", key)),
                    f'gates.{key}: neither a gate with a bound nor a language tag; write {key}: ">= 0.60"',
                )
            for inner, gate in value.items():
                place = tree.place(("gates", key, inner))
                yield _gate(inner, gate, place, tags.standard(key))
        else:
            yield _gate(key, value, tree.place(("gates", key)), None)


def _gate(key: str, gate: str | GateModel, place: Place, language: str | None) -> GateText:
    if isinstance(gate, str):
        return GateText(key, gate, place, language)
    xfail = Xfail(gate.xfail.reason, gate.xfail.until) if gate.xfail else None
    return GateText(key, gate.bound, place, language, xfail)


def _all_samples(model: SuiteModel, tree: Tree, files: SuiteFiles, uncounted: bool) -> tuple[Sample, ...]:
    categories = model.categories or ()
    shared = read_slots(model.slots, categories, files, ("slots",), tree)
    own = [
        read_slots(template.slots, categories, files, ("generate", number, "slots"), tree)
        for number, template in enumerate(model.generate)
    ]
    frequencies = _frequencies(model, tree, files, uncounted)
    declared = _declared(model, tree, [shared, *own], frequencies)
    found: dict[str, Sample] = {}
    problems: list[Problem] = []
    for sample in _collecting(_sources(model, tree, files, declared, shared, own), problems):
        first = found.setdefault(sample.id, sample)
        if first is not sample:
            problems.append(
                Problem(
                    sample.place,
                    f'a second sample has the id "{sample.id}"; the first is at {first.place}; give one an `id`',
                )
            )
            if len(problems) >= MOST_PROBLEMS:
                break
    if problems:
        raise SuiteError(problems)
    if not found:
        raise SuiteError.at(tree.place(()), "the suite has no samples; give `samples`, `generate` or `data`")
    return tuple(found.values())


def _frequencies(model: SuiteModel, tree: Tree, files: SuiteFiles, uncounted: bool) -> Frequencies | None:
    # As all that reads data files, loaded when a suite names one.
    from mtprobe.datasets.frequencies import read_frequencies

    if model.frequencies is None:
        return None
    place = tree.place(("frequencies",))
    targets = model.languages.targets
    if targets == "any" or len(targets) != 1:
        raise SuiteError.at(place, "frequencies: are those of one language; give that one in `targets`")
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
    words |= {str(held) for sample in model.samples for held in sample.attributes.values()}
    return Declared(
        categories=categories or None,
        cluster=model.cluster,
        cues=next(iter(read_cue_forms(model, tree).values()), {}),
        frequencies=frequencies,
        derived=read_derived(model.attributes, names, words | {*categories}, ("attributes",), tree.place),
        variants=_variants(model),
        language=model.languages.source,
    )


def _variants(model: SuiteModel) -> dict[str, tuple[Scalar, ...]]:
    return {name: tuple(values) for name, values in model.variants.items()}


def _sources(
    model: SuiteModel,
    tree: Tree,
    files: SuiteFiles,
    declared: Declared,
    shared: SlotTable,
    own: Sequence[SlotTable],
) -> Iterator[Sample | SuiteError]:
    """Every sample, or the error that stands in its place: so that one run names all that is wrong."""
    for number, sample in enumerate(model.samples):
        try:
            yield _one(declared, sample, tree.place(("samples", number)))
        except Misfit as misfit:
            yield SuiteError.at(tree.place(("samples", number, misfit.key)), str(misfit))
    expansion = Expansion(declared, shared, model.languages.source, tree)
    expanded = []
    for number, (template, slots) in enumerate(zip(model.generate, own, strict=True)):
        try:
            expanded.append(expand_template(template, slots, ("generate", number), expansion))
        except SuiteError as error:
            yield error
    for samples in expanded if not expansion.room.exceeded else ():
        try:
            yield from samples
        except SuiteError as error:
            yield error
    for number, data in enumerate(model.data):
        where: Location = ("data", number) if isinstance(tree.value["data"], list) else ("data",)
        targets = None if model.languages.targets == "any" else tuple(model.languages.targets)
        reading = Reading(files, _placer(tree, where), model.languages.source, targets, data.missing)
        for place, read in read_data(data, reading):
            try:
                if isinstance(read, SuiteError):
                    yield read
                elif not isinstance(read, LeftOut):
                    yield _one(declared, read, place)
            except Misfit as misfit:
                yield SuiteError.at(place, str(misfit))


def _placer(tree: Tree, at: Location) -> Callable[[str], Place]:
    return lambda key: tree.place((*at, key))


def _one(declared: Declared, sample: SampleModel, place: Place) -> Sample:
    return build_sample(
        declared, sample, written=sample.source, id=sample.id or slug(sample.source), place=place
    )


def _collecting(sources: Iterable[Sample | SuiteError], problems: list[Problem]) -> Iterator[Sample]:
    for one in sources:
        if isinstance(one, Sample):
            yield one
        else:
            problems.extend(one.problems)
            if len(problems) >= MOST_PROBLEMS:
                return


def _attributes(samples: Iterable[Sample]) -> dict[str, frozenset[Scalar]]:
    values: dict[str, set[Scalar]] = {}
    for sample in samples:
        for name, value in sample.attributes.items():
            values.setdefault(name, set()).add(value)
    return {name: frozenset(held) for name, held in values.items()}


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
                f"and the one at {other.place} has not; give one of them another category",
            )
        choices.setdefault(sample.category, set()).update(sample.choices)
    return {category: frozenset(found) for category, found in choices.items() if found}


def _check_cluster(model: SuiteModel, suite: Suite, tree: Tree) -> None:
    if model.cluster is not None and model.cluster not in suite.attributes:
        raise SuiteError.at(
            tree.place(("cluster",)),
            f'cluster: there is no slot or attribute "{model.cluster}"{did_you_mean(model.cluster, suite.attributes)}',
        )
