"""The answers of a judge: the log-probability of each choice, or a choice parsed from its words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from mtprobe.backends import checked
from mtprobe.backends.answers import (
    Answers,
    ChoiceScores,
    Completes,
    Question,
    answer_all,
    as_shares,
    can_answer,
    can_complete,
    complete_all,
    samples_answers,
)
from mtprobe.backends.ensemble import AnsweringEnsemble, joined_answers
from mtprobe.backends.guard import guarded
from mtprobe.errors import Failure, ModelError
from mtprobe.methods.question.repeats import LogProbs, Repeated, Unreadable, best, same_share, votes
from mtprobe.progress import Progress
from mtprobe.store import Store

# "B", "b", "(B) a woman", "**B**", "B" on a line, "Answer: B", but not "A woman" or "A/B"
_FIRST = re.compile(
    r"\W*(?:(?:The )?(?:answer|option|choice|letter)(?: is)?\W*|boxed\W+)?([a-z])(?=\W*$|[^\w\s'’/&]|[ \t]*\n)",
    re.IGNORECASE,
)
# "… the answer is B because …"; A and I may be words
_STATED = re.compile(
    r"\b(?:[Aa]nswer|[Oo]ption|[Cc]hoice|[Ll]etter)(?: is)?\W{0,3}([B-HJ-Z]\b|[AI]\b(?!\s+(?!or\b|and\b|because\b|since\b)[a-z]))(?!['’/&])"
)
_DENIES = re.compile(r"\b(?:not|neither|nor|never|cannot|rather than|instead of)\b|n['’]t\b")


Answer: TypeAlias = LogProbs | int | Unreadable | Repeated | Failure
"""The log-probabilities of the choices, or the place of the choice that was named."""


@dataclass(frozen=True, slots=True)
class Judge:
    """A model that answers, through the store."""

    model: Answers | Completes
    store: Store | None
    progress: Progress
    read: Sequence[str]  # the rules by which answers in words are read
    words: bool = False  # answers in words are wanted, also of a model that gives log-probabilities
    repeats: int = 1  # how often each question is asked, where that can change the answer

    @property
    def gives_probabilities(self) -> bool:
        return not self.words and can_answer(self.model)

    @property
    def repeats_made(self) -> int:
        """How often questions are asked."""
        return repeats_of_judge(self.repeats, self.model, words=self.words)

    @property
    def _members(self) -> Sequence[Answers | Completes]:
        return _members(self.model)

    def _repeats(self, member: Answers | Completes) -> int:
        return _repeats(self.repeats, member, in_words=not self.gives_probabilities)

    def ask(self, questions: Sequence[tuple[Question, Sequence[str]]]) -> list[Answer]:
        """One answer per question, the mean of its repeats; with each come the texts of its choices."""
        if self.gives_probabilities:
            return self._probabilities([question for question, _ in questions])
        if not can_complete(self.model):
            several = isinstance(self.model, AnsweringEnsemble)
            how = ": several evaluators together give log-probabilities" if several else ""
            raise ModelError(f"{checked.name_of(self.model)} cannot answer questions in words{how}")
        repeats = range(self._repeats(self.model))
        prompts = [question.again(repeat).prompt for repeat in repeats for question, _ in questions]
        texts = complete_all(self.model, prompts, self.store, self.progress)
        return [
            self._in_words([texts[question.again(repeat).prompt] for repeat in repeats], question, choices)
            for question, choices in questions
        ]

    def _probabilities(self, questions: Sequence[Question]) -> list[Answer]:
        by_member = [self._scores(member, questions) for member in self._members if can_answer(member)]
        answers: list[Answer] = []
        for given in zip(*by_member, strict=True):
            joined = joined_answers(
                [repeats[0] if len(repeats) == 1 else joined_answers(repeats) for repeats in given]
            )
            if isinstance(joined, Failure):
                answers.append(joined)
                continue
            shares, count = as_shares(joined), max(map(len, given))
            if count == 1:
                answers.append(shares)
                continue
            same = min(
                same_share([best(as_shares(one)) for one in repeats if not isinstance(one, Failure)])
                for repeats in given
            )
            answers.append(Repeated(count, same, shares, in_words=False))
        return answers

    def _scores(self, member: Answers, questions: Sequence[Question]) -> list[list[ChoiceScores | Failure]]:
        """For each question, the answers of one model to each repeat."""
        repeats = range(self._repeats(member))
        asked = [question.again(repeat) for repeat in repeats for question in questions]
        scores = answer_all(member, asked, self.store, self.progress)
        return [[scores[question.again(repeat)] for repeat in repeats] for question in questions]

    def _in_words(self, texts: Sequence[str | Failure], question: Question, choices: Sequence[str]) -> Answer:
        answers = [
            text if isinstance(text, Failure) else read_answer(text, question.choices, choices, self.read)
            for text in texts
        ]
        return answers[0] if len(answers) == 1 else votes(answers, len(choices))


def repeats_of_judge(wanted: int, model: Answers | Completes, *, words: bool) -> int:
    """How often it is asked: once, if its answers are always the same. `words`: it is asked for answers in words."""
    in_words = words or not can_answer(model)
    return max(_repeats(wanted, member, in_words=in_words) for member in _members(model))


def _members(model: Answers | Completes) -> Sequence[Answers | Completes]:
    return model.judges if isinstance(model, AnsweringEnsemble) else (model,)


def _repeats(wanted: int, member: Answers | Completes, *, in_words: bool) -> int:
    with guarded(member):
        return wanted if samples_answers(member, in_words=in_words) else 1


def read_answer(
    text: str, letters: Sequence[str], choices: Sequence[str], rules: Sequence[str]
) -> int | Unreadable:
    """The place of the choice that the rules find. "A) feminine" where B is feminine names two, so it names none."""
    found = {
        place
        for rule in rules
        if (place := _by_letter(text, letters) if rule == "letter" else _by_words(text, choices)) is not None
    }
    return found.pop() if len(found) == 1 else Unreadable(text)


def _by_letter(text: str, letters: Sequence[str]) -> int | None:
    """A letter at the beginning or after "the answer is"; two different ones decide nothing."""
    first = _FIRST.match(text.strip())
    found = {first[1].upper()} if first else set(_STATED.findall(text))
    return letters.index(next(iter(found))) if len(found) == 1 and found <= set(letters) else None


def _by_words(text: str, choices: Sequence[str]) -> int | None:
    """The only choice whose words are in the answer, not as part of a longer choice; none in an answer that denies."""
    rest = text.casefold()
    found: list[int] = []
    for place in sorted(range(len(choices)), key=lambda place: -len(choices[place])):
        rest, count = re.subn(rf"(?<!\w){re.escape(choices[place].casefold())}(?!\w)", "\n", rest)
        found += [place] * bool(count)
    return found[0] if len(found) == 1 and not _DENIES.search(rest) else None
