"""The door into suites: a path → a `Suite`, or one `SuiteError` with all that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from mtprobe.datasets import read_data
from mtprobe.errors import Place, Problem, SuiteError, did_you_mean
from mtprobe.language import tags
from mtprobe.suite.build import Declared, build_sample, slug
from mtprobe.suite.expand import Expansion, expand_template, read_derived
from mtprobe.suite.files import SuiteFiles
from mtprobe.suite.model import GateModel, SampleModel, SuiteModel
from mtprobe.suite.problems import validated
from mtprobe.suite.sample import Contrast, GateText, Sample, Scalar, Suite, Xfail
from mtprobe.suite.slots import Value, read_slots
from mtprobe.suite.tree import Tree, read_tree

_MAX_PROBLEMS = 20


def load_suite(path: Path, data_root: Path | None = None) -> Suite:
    """Reads a suite with all of its samples."""
    try:
        tree = read_tree(path)
    except OSError as error:
        raise SuiteError.at(Place(path), f"cannot be read: {error.strerror}") from None
    _check_root(tree)
    model: SuiteModel = validated(tree, SuiteModel)
    files = SuiteFiles(path, data_root)
    samples = _all_samples(model, tree, files)
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
        digest=files.digest(),
        marks=tuple(model.marks),
        ties=model.ties,
        seed=model.seed,
        each=model.expect == "each",
    )
    _check_cluster(model, suite, tree)
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


def _all_samples(model: SuiteModel, tree: Tree, files: SuiteFiles) -> tuple[Sample, ...]:
    slots = read_slots(model.slots, files, tree.place(("slots",)))
    declared = _declared(model, tree, slots)
    found: list[Sample] = []
    places: dict[str, Place] = {}
    problems: list[Problem] = []
    for sample in _collecting(_sources(model, tree, files, declared, slots), problems):
        if sample.id in places:
            problems.append(
                Problem(
                    sample.place,
                    f'a second sample has the id "{sample.id}"; the first is at {places[sample.id]}; give one an `id`',
                )
            )
        places[sample.id] = sample.place
        found.append(sample)
        if len(problems) >= _MAX_PROBLEMS:
            break
    if problems:
        raise SuiteError(problems)
    if not found:
        raise SuiteError.at(tree.place(()), "the suite has no samples; give `samples`, `generate` or `data`")
    return tuple(found)


def _declared(model: SuiteModel, tree: Tree, slots: dict[str, tuple[Value, ...]]) -> Declared:
    for category in model.cues or {}:
        if category not in (model.categories or ()):
            raise SuiteError.at(
                tree.place(("cues", category)),
                f'category "{category}" is not declared{did_you_mean(category, model.categories or ())}',
            )
    values = [value for slot in slots.values() for value in slot]
    names = {*slots, *_names_in_samples(model), *(name for value in values for name in value.attributes)}
    words = {*(value.text for value in values), *(model.categories or ())}
    words |= {str(held) for value in values for held in value.attributes.values()}
    words |= {str(held) for sample in model.samples for held in sample.attributes.values()}
    return Declared(
        categories=tuple(model.categories) if model.categories else None,
        cluster=model.cluster,
        cues={
            category: Contrast(tuple(sides.correct), tuple(sides.incorrect))
            for category, sides in (model.cues or {}).items()
        },
        derived=read_derived(model.attributes, names, words, ("attributes",), tree.place),
    )


def _names_in_samples(model: SuiteModel) -> set[str]:
    names = {name for sample in model.samples for name in sample.attributes}
    names |= {name for data in model.data for name in data.attributes}
    for template in model.generate:
        names |= {*template.slots, *template.attributes}
        for slot in template.slots.values():
            if isinstance(slot, dict):
                names |= {name for attributes in slot.values() for name in attributes or ()}
    return names


def _sources(
    model: SuiteModel,
    tree: Tree,
    files: SuiteFiles,
    declared: Declared,
    slots: dict[str, tuple[Value, ...]],
) -> Iterator[Sample | SuiteError]:
    """Every sample, or the error that stands in its place: so that one run names all that is wrong."""
    for number, sample in enumerate(model.samples):
        yield _one(declared, sample, tree.place(("samples", number)))
    expansion = Expansion(declared, slots, model.languages.source, tree)
    for number, template in enumerate(model.generate):
        at = ("generate", number)
        try:
            own = read_slots(template.slots, files, tree.place((*at, "slots")))
            yield from expand_template(template, own, at, expansion)
        except SuiteError as error:
            yield error
    for number, data in enumerate(model.data):
        where = ("data", number) if isinstance(tree.value["data"], list) else ("data",)
        for place, read in read_data(
            data, files, tree.place((*where, "file")), tree.place((*where, "format"))
        ):
            yield _one(declared, read, place) if isinstance(read, SampleModel) else read


def _one(declared: Declared, sample: SampleModel, place: Place) -> Sample | SuiteError:
    try:
        return build_sample(
            declared, sample, written=sample.source, id=sample.id or slug(sample.source), place=place
        )
    except SuiteError as error:
        return error


def _collecting(sources: Iterable[Sample | SuiteError], problems: list[Problem]) -> Iterator[Sample]:
    for one in sources:
        if isinstance(one, Sample):
            yield one
        else:
            problems.extend(one.problems)
            if len(problems) >= _MAX_PROBLEMS:
                return


def _attributes(samples: Iterable[Sample]) -> dict[str, frozenset[Scalar]]:
    values: dict[str, set[Scalar]] = {}
    for sample in samples:
        for name, value in sample.attributes.items():
            values.setdefault(name, set()).add(value)
    return {name: frozenset(held) for name, held in values.items()}


def _check_cluster(model: SuiteModel, suite: Suite, tree: Tree) -> None:
    if model.cluster is not None and model.cluster not in suite.attributes:
        raise SuiteError.at(
            tree.place(("cluster",)),
            f'cluster: there is no slot or attribute "{model.cluster}"{did_you_mean(model.cluster, suite.attributes)}',
        )
