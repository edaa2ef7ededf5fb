"""The suite's key `question`: the wording of the questions to the judge."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

from mtprobe.errors import Problem, did_you_mean
from mtprobe.suite.format.fields import Name, Strict, Text, different
from mtprobe.suite.format.keys import MethodKeys
from mtprobe.suite.labels import UNCLEAR

if TYPE_CHECKING:
    from mtprobe.suite.sample import Suite

METHOD = "question"
FIELD = re.compile(r"\{(\w+)\}")
LANGUAGES = ("source_language", "target_language")
FIELDS = ("translation", "source", "focus", "choices", *LANGUAGES)
MOST_CHOICES = 26  # each is named by a letter
WORDS = "words"
Rule: TypeAlias = Literal["letter", "words"]
RULES: tuple[Rule, ...] = ("letter", "words")


def _fields(*known: str, needs: tuple[str, ...] = ()) -> AfterValidator:
    def check(text: str) -> str:
        for field in FIELD.findall(text):
            if field not in known:
                raise PydanticCustomError(
                    "field", f"there is no field {{{field}}}{did_you_mean(field, known)}"
                )
        for field in needs:
            if f"{{{field}}}" not in text:
                raise PydanticCustomError("field", f"has no {{{field}}}, the place of the {field}")
        return text

    return AfterValidator(check)


def _several(choices: dict[str, str]) -> dict[str, str]:
    if not 2 <= len(choices) <= MOST_CHOICES:
        raise PydanticCustomError("choices", f"needs from two to {MOST_CHOICES} choices")
    different(list(choices.values()))
    return choices


class QuestionWording(Strict):
    """How the method `question` asks."""

    text: Annotated[Text, _fields(*FIELDS, needs=("translation", "choices"))] | None = None
    """The question, with `{translation}` and `{choices}`, and where it needs them `{focus}`, `{source}`, `{source_language}` and `{target_language}`. A judge that sees the source knows which reading is right, and may answer that. By default a question that mtprobe brings for genders, for choices, or for meanings."""
    system: Annotated[Text, _fields(*LANGUAGES)] | None = None
    """A system message before it, for models that are asked in a chat."""
    choices: Annotated[dict[Name, Text], AfterValidator(_several)] | None = None
    """How readings are described, by category or by the choice of an open one. `unclear` is one more choice, which leaves a sample undecided. By default `male` and `female` are described as genders, other choices by their cues, and otherwise the two readings are what the sample's cues or sources say."""
    read: Annotated[list[Rule], Field(min_length=1), AfterValidator(different)] = Field(
        default_factory=lambda: list(RULES)
    )
    """How an answer in words is read, where a model gives no log-probabilities, by its `letter` ("B", "(B) a woman", "The answer is B."), and by the `words` of exactly one choice. Where the two contradict each other, or find nothing, the sample is undecided."""
    answer: Literal["words"] | None = None
    """`words`: the judge is asked for an answer in words, even if it gives log-probabilities. By default these are compared, where there are any."""


def _as_wording(value: Any) -> Any:
    return {"text": value} if isinstance(value, str) else value


class QuestionKeys(MethodKeys):
    question: (
        Annotated[QuestionWording, BeforeValidator(_as_wording, json_schema_input_type=str | QuestionWording)]
        | None
    ) = None
    """For the method `question`: the wording of the question which reading a translation conveys. A text, or a mapping with more settings."""

    @classmethod
    def problems(cls, suite: Suite) -> Iterator[Problem]:
        wording: QuestionWording | None = suite.options["question"]
        place = suite.place_of("question")
        if METHOD not in suite.methods:
            if wording is not None:
                yield Problem(place, f"question: only the method {METHOD} needs it")
            return
        known = [*suite.categories, *suite.choices, UNCLEAR]
        for name in (wording.choices or {}) if wording else ():
            if name not in known:
                yield Problem(
                    place,
                    f'question.choices: "{name}" is not a category or a choice of the suite{did_you_mean(name, known)}',
                )
