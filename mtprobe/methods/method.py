"""The base class of methods, which turn samples and their translations into verdicts, and may request scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, TypeAlias

from mtprobe.backends.protocols import LanguagePair
from mtprobe.backends.scorer import ScorePair, ScorePlace, Scorer, TokenLogProbs
from mtprobe.backends.stored import score_all
from mtprobe.errors import Failure
from mtprobe.language.alignment import SentencePair
from mtprobe.suite.format.keys import MethodKeys
from mtprobe.suite.sample import text_of_key

if TYPE_CHECKING:
    from mtprobe.backends.answers import Answers, Completes
    from mtprobe.backends.model import Model
    from mtprobe.methods.audit_pairs.measure import Audited
    from mtprobe.methods.conditioning.noise import NoiseFloor
    from mtprobe.methods.salience.outcome import SuiteSalience
    from mtprobe.methods.verdict import Result, Verdict
    from mtprobe.progress import Progress
    from mtprobe.store import Store
    from mtprobe.suite.sample import Sample, Suite

Further: TypeAlias = tuple[str | Failure | None, ...]  # translations; None where there is none
Scores: TypeAlias = Mapping[ScorePair, TokenLogProbs | Failure]


class Translated(NamedTuple):
    """A sample with the model's translation of its source."""

    sample: Sample
    text: str | None  # None only where a method judges given targets and there is no translation

    @property
    def further(self) -> Further:
        """The translations of its further sources, in order."""
        return ()


class Related(Translated):
    """A sample with further sources, and their translations. It is a pair like any other."""

    _further: Further = ()

    @classmethod
    def of(cls, sample: Sample, text: str | None, further: Further) -> Related:
        related = cls(sample, text)
        related._further = further
        return related

    @property
    def further(self) -> Further:
        return self._further


@dataclass(frozen=True, slots=True)
class Ask:
    """What a method may request while it judges."""

    suite: Suite
    languages: LanguagePair
    scores: Callable[[Sequence[ScorePair]], Scores]  # each pair is scored once, however often it is asked for
    scores_by_place: Mapping[ScorePlace, float] | None = None  # from a file, which knows places and no texts
    in_context: Callable[[Sequence[str], str], str] | None = (
        None  # the source as the scorer takes it in its context
    )

    def source_of(self, sample: Sample) -> str:
        """The source for scoring targets, in its context if the scorer can use it."""
        if not sample.context or self.in_context is None:
            return sample.source
        return self.in_context(sample.context, sample.source)


@dataclass(frozen=True, slots=True)
class Preparation:
    """The complete suite and its translations, for a method to look at before it judges the first sample."""

    suite: Suite
    model: Model
    languages: LanguagePair
    # By `Sample.key`, further ones by `text_key` with the repeat; empty where nothing needs them.
    translations: Mapping[str, str | Failure]
    scorer: Scorer | None
    store: Store | None
    progress: Progress
    complete: Suite | None = None  # the suite before samples were taken from it, if some were
    scored: dict[ScorePair, TokenLogProbs | Failure] = field(default_factory=dict)  # so far, while preparing
    repeats: int = 1  # translations of each sample
    back: Model | None = None  # a second model, which translates in the opposite direction
    judge: Answers | Completes | None = None  # the evaluator, where a method asks it questions

    @property
    def fixed(self) -> Suite:
        """The suite that a method chooses samples from for whatever it fits, so that taking fewer changes nothing."""
        return self.complete or self.suite

    def ask(self, scores: Callable[[Sequence[ScorePair]], Scores] | None = None) -> Ask:
        """By default for scores that preparing needs; judging does not make them again."""
        by_place, in_context = (getattr(self.scorer, name, None) for name in ("by_place", "in_context"))
        return Ask(self.suite, self.languages, scores or self._scores, by_place, in_context)

    @property
    def translated_pairs(self) -> list[SentencePair]:
        """Every source with its translation, for aligners; where sentences were translated repeatedly, each pair once."""
        pairs = [
            SentencePair(text_of_key(key), text)
            for key, text in self.translations.items()
            if isinstance(text, str)
        ]
        return pairs if self.repeats == 1 else list(dict.fromkeys(pairs))

    def _scores(self, pairs: Sequence[ScorePair]) -> Scores:
        if self.scorer is not None:
            missing = [pair for pair in pairs if pair not in self.scored]
            self.scored.update(score_all(self.scorer, missing, self.store, self.progress))
        return {pair: self.scored[pair] for pair in pairs if pair in self.scored}


@dataclass(frozen=True, slots=True)
class MethodOptions:
    """The user's settings; each method uses those that apply to it."""

    lemmatizer: str = "auto"
    alignment: str | None = None  # None: the built-in aligner
    judge_repeats: int = 1  # how often a judge that samples is asked each question


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a method cannot judge a suite for a model."""

    reason: str
    user_can_fix: bool = False  # something is missing on this machine: an error, not a reason to skip


class Method(ABC):
    """A method of judging samples. Samples arrive in blocks; a verdict depends only on its own sample.

    A subclass needs a name, `lacks` and `judge`; everything else has a default.
    """

    name: str
    """As suites and the option `method` name it."""
    version: ClassVar[int] = 1
    """Raised when the same evidence may lead to another verdict: runs by different versions are not compared."""
    about: ClassVar[str] = ""
    """One line for the documentation."""
    judges: Literal["translations", "targets"] = "translations"
    """The model's own translations, where a degenerate output is never right; or targets that the suite brings."""
    scored_by: Literal["evaluator", "model", "language model"] | None = None
    """The model that provides scores: an evaluator (by default the model itself), the model under test, or none.

    A language model is a model under test that is shown no source.
    """
    asks_for: frozenset[Literal["scores", "answers"]] = frozenset({"scores"})
    """What that model has to provide: log-probabilities of texts, or answers to questions."""
    scores_wrong_translations: bool = False
    """Scores are not needed, but where the model provides them, wrong translations are compared with good ones."""
    reads_senses: bool = False
    """Evidence names the lemmas of a translation, and their senses."""

    scored_evidence: str = "scored texts"
    """What evidence with a score is, as a heading above it."""
    found_evidence: str = "found in the translation"
    """What evidence without a score is."""

    as_witness: ClassVar[str] = ""
    """What its decisions are called where they audit another method's verdicts: "the grammar".

    A method without scores that has such a name is asked even where the suite does not name it.
    """

    keys: ClassVar[type[MethodKeys] | None] = None
    """The keys that it adds to suites; their values are `Suite.options`."""

    @property
    def details(self) -> str:
        """Other things that verdicts depend on, besides suite, model and evaluator; part of the signature."""
        return ""

    @property
    def procedure(self) -> str:
        """How verdicts are reached: the method, its version, and what the suite sets, once the method is prepared.

        Verdicts by different procedures are not comparable.
        """
        return f"{self.name} {self.version}"

    @property
    def is_witness(self) -> bool:
        """Whether it judges translations without a model, so that its verdicts can audit those of an evaluator."""
        return self.scored_by is None and self.judges == "translations"

    @property
    def audited(self) -> Audited | None:
        """The audit of the evaluator, once the method is prepared; None where there is none."""
        return None

    @property
    def noise(self) -> tuple[NoiseFloor, ...]:
        """The margins that verdicts of a prepared method need; none where every margin decides."""
        return ()

    @abstractmethod
    def lacks(self, sample: Sample, target: str | None = None) -> str | None:
        """The reason why this method cannot judge the sample, or None.

        With a target language, for models into it; without one, for models into any.
        """

    @abstractmethod
    def judge(self, samples: Sequence[Translated], ask: Ask) -> Sequence[Verdict]:
        """One verdict per sample, in order."""

    def configured(self, options: MethodOptions) -> Method:  # noqa: ARG002 - a default
        """The method with the user's choices."""
        return self

    def needs_back(self, sample: Sample) -> bool:  # noqa: ARG002 - a default
        """Whether a sample can be judged only with a second model that translates back."""
        return False

    def obstacle(self, suite: Suite, target: str) -> Obstacle | None:  # noqa: ARG002 - a default
        """Why the suite cannot be judged for models into this language, or None; loads nothing heavy."""
        return None

    def fitted_on(self, suite: Suite) -> Sequence[Sample]:  # noqa: ARG002 - a default
        """The samples of the complete suite whose translations `prepare` needs, even if a run takes only others."""
        return ()

    def prepare(self, preparation: Preparation) -> Method:  # noqa: ARG002 - a default
        """The method, ready for one suite and model: aligned, calibrated, whatever takes the whole suite."""
        return self

    def notes(self, results: Sequence[Result]) -> Sequence[str]:  # noqa: ARG002 - a default
        """Notes for readers about how these results were judged."""
        return ()

    def salience(
        self,
        preparation: Preparation,  # noqa: ARG002 - a default
        samples: int,  # noqa: ARG002
    ) -> SuiteSalience | str | None:
        """Which source words count for the model's choices, on this many samples; or why that is unknown.

        None where the question makes no sense for the method.
        """
        return None
