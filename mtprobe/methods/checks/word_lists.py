"""Word lists: words that a translation must or must not contain, by lemma or regular expression.

`must_contain` needs one of its words, `must_not_contain` allows none. A word that is not its own dictionary form
matches only as it is written: *padeira* is not found in *o padeiro*, although both have one lemma. A word between slashes, `/vou[sz]/`, is a regular expression.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple

from mtprobe.errors import Problem
from mtprobe.language import tags
from mtprobe.language.lemmatizers import missing_package, open_lemmatizer
from mtprobe.language.lexeme import LexemeError, read_lexeme
from mtprobe.language.match import Matcher, Sentence, fold
from mtprobe.methods.method import Ask, Method, MethodOptions, Obstacle, Preparation, Translated
from mtprobe.methods.verdict import Evidence, Outcome, Verdict
from mtprobe.suite.format.keys import MethodKeys
from mtprobe.suite.sample import Sample, Suite

_SECONDS = 1.0  # for one expression on one translation


class WordListKeys(MethodKeys):
    @classmethod
    def problems(cls, suite: Suite) -> Iterator[Problem]:
        """Words that cannot be looked for, and words that a translation must have and must not have; each once."""
        said: set[str] = set()
        for sample in suite.samples:
            for complaint in (*_unreadable(sample), *_contradictions(sample)):
                if complaint not in said:
                    said.add(complaint)
                    yield Problem(sample.place, complaint)


def _unreadable(sample: Sample) -> Iterator[str]:
    for key, by_language in sample.word_lists.items():
        for word in (word for words in by_language.values() for word in words):
            if complaint := _complaint(word):
                yield f"{key}: {complaint}"


def _complaint(word: str) -> str | None:
    """What is wrong with an entry; of expressions nothing is known without the package that reads them."""
    if not _is_expression(word):
        try:
            read_lexeme(word)
        except LexemeError as error:
            return f"{error}; signs are found by a regular expression between slashes"
    elif find_spec("regex") is not None:
        import regex

        try:
            regex.compile(word[1:-1])
        except regex.error as error:
            return f"{word} is not a regular expression: {error}"
    return None


def _contradictions(sample: Sample) -> Iterator[str]:
    required = sample.word_lists.get("must_contain", {})
    for language, forbidden in sample.word_lists.get("must_not_contain", {}).items():
        if language in required and set(required[language]) <= set(forbidden):
            words = ", ".join(required[language])
            yield f"must_contain and must_not_contain both have {words} ({language}): no translation is correct"


class WordLists(Method):
    name = "word-lists"
    about = "the translation contains a word of `must_contain` and none of `must_not_contain`"
    keys = WordListKeys

    def __init__(self, lemmatizer: str = "auto", matcher: Matcher | None = None) -> None:
        self._lemmatizer = lemmatizer
        self._matcher = matcher

    @property
    def is_witness(self) -> bool:
        """The words that it looks for need not be related to what other methods judge."""
        return False

    def configured(self, options: MethodOptions) -> WordLists:
        return WordLists(options.lemmatizer)

    def lacks(self, sample: Sample, target: str | None = None) -> str | None:
        if not sample.word_lists:
            return "needs `must_contain` or `must_not_contain`, words of the target language"
        languages = sorted({language for words in sample.word_lists.values() for language in words})
        if target is not None and not any(tags.fits(language, target) for language in languages):
            return (
                f"needs `must_contain` or `must_not_contain` in {target}; available: {', '.join(languages)}"
            )
        return None

    def obstacle(self, suite: Suite, target: str) -> Obstacle | None:
        words = {
            word for sample in suite.samples for words in _lists(sample, target).values() for word in words
        }
        if any(_expressions(words)) and find_spec("regex") is None:
            return Obstacle(f'{self.name} needs regex: pip install "mtprobe[checks]"', user_can_fix=True)
        if len(list(_expressions(words))) < len(words) and (
            missing := missing_package(self._lemmatizer, target)
        ):
            return Obstacle(f"{self.name}: {missing}", user_can_fix=True)
        return None

    def prepare(self, preparation: Preparation) -> WordLists:
        target = preparation.languages.target
        lists = [_lists(sample, target) for sample in preparation.suite.samples]
        plain = {
            word for words in lists for some in words.values() for word in some if not _is_expression(word)
        }
        if not plain:
            return WordLists(self._lemmatizer)
        matcher = Matcher(open_lemmatizer(self._lemmatizer, target), target, respect_forms=True)
        matcher.learn(plain)
        return WordLists(self._lemmatizer, matcher)

    def judge(self, samples: Sequence[Translated], ask: Ask) -> list[Verdict]:
        texts = [text or "" for _, text in samples]
        sentences = (
            self._matcher.sentences(texts) if self._matcher else [Sentence(text, []) for text in texts]
        )
        return [
            self._verdict(_lists(sample, ask.languages.target), sentence)
            for (sample, _), sentence in zip(samples, sentences, strict=True)
        ]

    def _verdict(self, lists: Mapping[str, Sequence[str]], sentence: Sentence) -> Verdict:
        required, forbidden = lists["must_contain"], lists["must_not_contain"]
        try:
            good = list(self._found(required, sentence, unless=forbidden))
            bad = list(self._found(forbidden, sentence, unless=required))
        except TimeoutError as error:
            return Verdict(Outcome.ERROR, f"{self.name}: {error}")
        evidence = (
            *(Evidence("incorrect", found.text, attributes={"word": found.word}) for found in bad),
            *(Evidence("correct", found.text, attributes={"word": found.word}) for found in good),
        )
        if bad:
            return Verdict(Outcome.INCORRECT, bad[0].complaint, evidence=evidence)
        if required and not good:
            return Verdict(Outcome.INCORRECT, f"contains none of {', '.join(required)}", evidence=evidence)
        return Verdict(Outcome.CORRECT, evidence=evidence)

    def _found(self, words: Sequence[str], sentence: Sentence, unless: Sequence[str]) -> Iterator[_Found]:
        """The entries that occur in a sentence; a word that the other list has in the same form does not match by its lemma."""
        others = {fold(word) for word in unless if not _is_expression(word)}
        others |= {f"{word}s" for word in others}
        plain = [word for word in words if not _is_expression(word)]
        if plain and self._matcher:
            for match in self._matcher.find(sentence, plain)[0]:
                found = _Found(match.lexeme, sentence.text[match.start : match.end])
                if not (found.is_another_form and fold(found.text) in others):
                    yield found
        for word in words:
            if _is_expression(word) and (text := _search(word[1:-1], sentence.text)) is not None:
                yield _Found(word, text)


class _Found(NamedTuple):
    word: str  # as the suite writes it
    text: str  # as the translation does

    @property
    def is_another_form(self) -> bool:
        return not _is_expression(self.word) and fold(self.text) != fold(self.word)

    @property
    def complaint(self) -> str:
        if self.is_another_form:
            return f"contains “{self.text}”, a form of “{self.word}” (must_not_contain)"
        return f"must not contain “{self.text}”"


def _search(expression: str, text: str) -> str | None:
    import regex

    try:
        match: Any = regex.search(expression, text, timeout=_SECONDS)
    except TimeoutError:
        raise TimeoutError(f"/{expression}/ took longer than {_SECONDS:g} s") from None
    return None if match is None else str(match[0])


def _is_expression(word: str) -> bool:
    return len(word) > 2 and word[0] == word[-1] == "/"


def _expressions(words: Any) -> Iterator[str]:
    return (word[1:-1] for word in words if _is_expression(word))


def _lists(sample: Sample, target: str) -> dict[str, tuple[str, ...]]:
    """Both lists for a target language; empty ones where there is nothing."""
    return {
        key: tuple(
            word
            for language, words in sample.word_lists.get(key, {}).items()
            if tags.fits(language, target)
            for word in words
        )
        for key in ("must_contain", "must_not_contain")
    }
