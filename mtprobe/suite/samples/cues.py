"""The cues of a suite: by category, in one or several forms; a run uses one of them."""

from __future__ import annotations

from collections.abc import Mapping

from mtprobe.errors import SuiteError, did_you_mean
from mtprobe.suite.format.cues import CuesByCategory
from mtprobe.suite.format.sides import Sides
from mtprobe.suite.format.suite import SuiteModel
from mtprobe.suite.parsing.tree import Location, Tree
from mtprobe.suite.sample import Choices, Contrast
from mtprobe.suite.samples.build import sides_of, undeclared
from mtprobe.suite.samples.misfit import Misfit

ONLY = "cues"  # the name of the form in a suite that has one


def cue_forms(model: SuiteModel, tree: Tree) -> dict[str, CuesByCategory]:
    """Every form of the suite's cues, the one that a run uses first; checked against the categories."""
    named = model.cues if isinstance(model.cues, str) else None
    if named is not None and named not in model.cue_forms:
        hint = did_you_mean(named, model.cue_forms) or "; there are no `cue_forms`"
        raise SuiteError.at(tree.place(("cues",)), f'cues: there is no form "{named}"{hint}')
    if model.cues is not None and named is None and model.cue_forms:
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
                result[name][category] = sides_of(f"{name}.{category}", sides, category, categories)
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
