"""The cues of a suite: by category, in one or several forms; or by word and sense, from a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pydantic import Field

from mtprobe.errors import MOST_PROBLEMS, Place, Problem, SuiteError, did_you_mean
from mtprobe.suite.format.evidence import CueFile, CuesByCategory, Sides
from mtprobe.suite.format.fields import Attribute, Strict, Text, Texts
from mtprobe.suite.format.suite import SuiteModel
from mtprobe.suite.parsing.files import SuiteFiles
from mtprobe.suite.parsing.lines import checked, json_line, text_lines
from mtprobe.suite.parsing.tree import Location, Tree
from mtprobe.suite.sample import Choices, Contrast, CuesBySense, Sample
from mtprobe.suite.samples.build import sides_of, undeclared
from mtprobe.suite.samples.evidence import Misfit
from mtprobe.suite.samples.opposites import check_sides

BEST = "best"  # instead of the name of a form
ONLY = "cues"  # the name of the form in a suite that has one


def chooses_form(model: SuiteModel) -> bool:
    """Whether runs use the best form; a form of that name is just a form."""
    return model.cues == BEST and BEST not in model.cue_forms


def cue_forms(model: SuiteModel, tree: Tree) -> dict[str, CuesByCategory]:
    """Every form of the suite's cues, the one that a run uses first; checked against the categories."""
    named = model.cues if isinstance(model.cues, str) and not chooses_form(model) else None
    if chooses_form(model) and len(model.cue_forms) < 2:
        raise SuiteError.at(
            tree.place(("cues",)), "cues: best: there is nothing to choose from; give several `cue_forms`"
        )
    if named is not None and named not in model.cue_forms:
        hint = did_you_mean(named, model.cue_forms) or "; there are no `cue_forms`"
        if named.endswith((".jsonl", ".jsonl.gz")):
            hint = f"; for a file of cues write {{file: {named}}}"
        raise SuiteError.at(tree.place(("cues",)), f'cues: there is no form "{named}"{hint}')
    if model.cues is not None and not isinstance(model.cues, str) and model.cue_forms:
        raise SuiteError.at(
            tree.place(("cues",)),
            f"cues: with `cue_forms`, name the form to use, as in `cues: {next(iter(model.cue_forms))}`",
        )
    if isinstance(model.cues, dict):
        forms = {ONLY: model.cues}
        at: Location = ()  # ONLY is its key too
    else:
        used = named or next(iter(model.cue_forms), None)
        forms = {
            name: model.cue_forms[name] for name in sorted(model.cue_forms, key=lambda name: name != used)
        }
        at = ("cue_forms",)
    _check_declared(forms, at, model, tree)
    _check_alike(forms, at, tree)
    return forms


def read_cue_forms(model: SuiteModel, tree: Tree) -> dict[str, dict[str, Contrast | Choices]]:
    """The forms as the other stages work on them."""
    categories = tuple(model.categories or ())
    result: dict[str, dict[str, Contrast | Choices]] = {}
    for name, form in cue_forms(model, tree).items():
        at: Location = ("cue_forms", name) if name in model.cue_forms else (name,)
        result[name] = {}
        for category, sides in form.items():
            try:
                contrast = sides_of(f"{name}.{category}", sides, category, categories)
                check_sides(f"{name}.{category}", contrast)
                result[name][category] = contrast
            except Misfit as misfit:
                raise SuiteError.at(tree.place((*at, category)), str(misfit)) from None
    return result


def _check_declared(forms: Mapping[str, CuesByCategory], at: Location, model: SuiteModel, tree: Tree) -> None:
    categories = tuple(model.categories or ())
    for name, form in forms.items():
        for category in form:
            if category not in categories:
                raise SuiteError.at(tree.place((*at, name, category)), undeclared(category, categories))


def _check_alike(forms: Mapping[str, CuesByCategory], at: Location, tree: Tree) -> None:
    """Forms must serve the same categories to be interchangeable."""
    served = {
        category: isinstance(sides, Sides) for form in forms.values() for category, sides in form.items()
    }
    for name, form in forms.items():
        for category, answered in served.items():
            if category not in form:
                message = f'no cues for "{category}", which another form has cues for'
            elif isinstance(form[category], Sides) != answered:
                message = f'"{category}" is open in one form and not in another'
            else:
                continue
            raise SuiteError.at(tree.place((*at, name)), f"{name}: {message}")


class CueLine(Strict):
    """One line of a cue file."""

    word: Attribute
    """The ambiguous word, as the samples' attribute has it."""
    sense: Attribute
    """One of its senses."""
    form: Text | None = None
    """The form of the word that the cues replace, in small letters: the line is for samples that have it in their focus."""
    correct: Texts
    """Cues for this sense."""
    incorrect: Texts
    """Cues for the word's other senses."""
    about: dict[str, Any] = Field(default_factory=dict)
    """How the cues were found, for people to read."""


Key = tuple[str, str]  # word and sense
FormKey = tuple[str, str, str]  # and the form of the word; empty for any


def cue_file(model: SuiteModel, suite: Path) -> CuesBySense | None:
    """The file that the suite names for its cues, whether it exists or not."""
    if not isinstance(model.cues, CueFile):
        return None
    word, sense = model.cues.by
    return CuesBySense(suite.parent / model.cues.file, word, sense)


def with_cues(
    samples: tuple[Sample, ...], model: SuiteModel, tree: Tree, files: SuiteFiles
) -> tuple[Sample, ...]:
    """The samples; those without cues and sources of their own get the cues of their sense."""
    named = model.cues
    if not isinstance(named, CueFile):
        return samples
    path = files.find(named.file, tree.place(("cues", "file")))
    cues = _read(path)
    if not any(map(_wants, samples)):
        raise SuiteError.at(
            tree.place(("cues", "file")),
            f"cues.file: no sample takes cues from {named.file}: each has its own cues or sources, or no <focus>",
        )
    cued: list[Sample] = []
    problems: list[Problem] = []
    for sample in samples:
        if not _wants(sample):
            cued.append(sample)
            continue
        key, lacking = _key(sample, named.by)
        own = key and (cues.get((*key, _form(sample))) or cues.get((*key, "")))
        if own:
            cued.append(replace(sample, cues=own))
        elif lacking or named.without == "error":
            message = lacking or (_nothing_for(key, _form(sample), cues, path) if key else "")
            problems.append(Problem(sample.place, f'sample "{sample.id}": {message}'))
            if len(problems) >= MOST_PROBLEMS:
                break
    if problems:
        raise SuiteError(problems)
    if not cued:
        raise SuiteError.at(
            tree.place(("cues", "without")), f"cues.without: {path} has cues for none of the samples"
        )
    return tuple(cued)


def _wants(sample: Sample) -> bool:
    """Whether it can take cues and has none; without a focus, other methods may judge it."""
    return sample.focus is not None and sample.cues is None and sample.sources is None


def _key(sample: Sample, by: Sequence[str]) -> tuple[Key | None, str]:
    """The word and the sense of a sample, or what it lacks."""
    for name in by:
        if name not in sample.attributes:
            hint = did_you_mean(name, sample.attributes)
            return None, f'has no attribute "{name}", by which cues are looked up (`cues.by`){hint}'
    word, sense = (str(sample.attributes[name]) for name in by)
    return (word, sense), ""


def _form(sample: Sample) -> str:
    return sample.source[slice(*sample.focus)].casefold() if sample.focus else ""


def _nothing_for(key: Key, form: str, cues: Mapping[FormKey, Contrast], path: Path) -> str:
    """The message about a sample that finds no cues."""
    word, sense = key
    forms = [listed for *other, listed in cues if tuple(other) == key]
    if forms:
        return f'{path} has cues for "{word}" in the sense "{sense}" only in the form {", ".join(forms)}, not "{form}"'
    senses = [sense for listed, sense, _ in cues if listed == word]
    hint = did_you_mean(sense, senses) if senses else did_you_mean(word, (listed for listed, _, _ in cues))
    return f'{path} has no cues for "{word}" in the sense "{sense}"{hint}'


def _read(path: Path) -> dict[FormKey, Contrast]:
    cues: dict[FormKey, Contrast] = {}
    first: dict[FormKey, Place] = {}
    problems: list[Problem] = []
    for place, text in text_lines(path):
        try:
            if isinstance(text, SuiteError):
                raise text
            if not text.strip():
                continue
            line = checked(CueLine, json_line(text, place), place)
            key = str(line.word), str(line.sense), (line.form or "").casefold()
            if first.setdefault(key, place) is not place:
                form = f' and the form "{key[2]}"' if key[2] else ""
                raise SuiteError.at(
                    place,
                    f'duplicate line for "{key[0]}" in the sense "{key[1]}"{form} (first at {first[key]})',
                )
            cues[key] = Contrast(tuple(line.correct), tuple(line.incorrect))
            check_sides("cues", cues[key])
        except Misfit as misfit:
            problems.append(Problem(place, str(misfit)))
        except SuiteError as error:
            problems.extend(error.problems)
            if len(problems) >= MOST_PROBLEMS:
                break
    if problems:
        raise SuiteError(problems)
    return cues
