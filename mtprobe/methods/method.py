"""What a method looks like: it turns samples and their translations into verdicts, and may ask for scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeAlias, runtime_checkable

from mtprobe.backends.protocols import LanguagePair
from mtprobe.backends.scorer import ScorePair, ScorePlace, TokenLogProbs
from mtprobe.errors import Failure
from mtprobe.methods.verdict import Verdict
from mtprobe.suite.format.keys import MethodKeys
from mtprobe.suite.sample import Sample, Suite

Scores: TypeAlias = Mapping[ScorePair, TokenLogProbs | Failure]


class Translated(NamedTuple):
    """A sample with what the model made of its source."""

    sample: Sample
    text: str | None  # None only where a method judges given targets, and the model gave no translation


@dataclass(frozen=True, slots=True)
class Ask:
    """What a method may ask while it judges."""

    suite: Suite
    languages: LanguagePair
    scores: Callable[[Sequence[ScorePair]], Scores]  # each pair is scored once, however often it is asked for
    made_before: Mapping[ScorePlace, float] | None = (
        None  # scores from a file, which knows places and no texts
    )


@dataclass(frozen=True, slots=True)
class MethodOptions:
    """What a user may choose for all methods that know the choice."""

    lemmatiser: str = "auto"
    alignment: str | None = None  # who aligns words; None: the light aligner of our own


@runtime_checkable
class Configurable(Protocol):
    """A method that a user's choices change."""

    @property
    def details(self) -> str:
        """What stands in the signature behind the method's name."""

    def configured(self, options: MethodOptions) -> Method:
        """The method as the user wants it."""

    def cannot(self, target: str) -> str | None:
        """What is missing on this machine for models into this language, or None; nothing heavy is loaded."""


class Method(Protocol):
    """How samples are judged. Blocks of samples come one after the other; a verdict depends on its own alone."""

    @property
    def name(self) -> str:
        """As suites and `--mt-method` call it."""

    @property
    def scored_by(self) -> Literal["evaluator", "model", "language model"] | None:
        """Who gives scores: an evaluator, which may be the model; the model under test; or nobody.

        A "language model" is a model under test that is shown no source.
        """

    @property
    def keys(self) -> type[MethodKeys] | None:
        """The keys that it adds to suites."""

    @property
    def judges(self) -> Literal["translations", "targets"]:
        """What the model wrote, where a degenerate output is no answer; or targets that the suite brings."""

    def lacks(self, sample: Sample, target: str | None = None) -> str | None:
        """What a sample would need to be judged by this method, or None when it has it.

        With a target, for models into this language; without one, for models into any.
        """

    def judge(self, samples: Sequence[Translated], ask: Ask) -> Sequence[Verdict]:
        """A verdict a sample, in order."""
