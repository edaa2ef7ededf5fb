"""Answers → the text of a commented suite."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from mtprobe.authoring.ask import interview as read
from mtprobe.authoring.ask.interview import Interview, Unusable
from mtprobe.language.gender.rules import rules_for
from mtprobe.suite.format.schema import SCHEMA_ID
from mtprobe.suite.samples.clauses import escaped_brackets
from mtprobe.suite.starter import as_yaml

Targets = list[str] | None  # None: any

_JOBS = "doctor, nurse, engineer, teacher, lawyer, cook, writer, dentist, painter, librarian"
_HEAD = """\
# yaml-language-server: $schema={schema}
# Written from the answers to `mtprobe new suite --ask`; change it as you like.
#
#   mtprobe lint {path}
#   mtprobe watch --model=demo {path}
#   pytest --mt-model=demo --mt-record=run.jsonl --mt-report=report.html {path}
#   mtprobe label run.jsonl
#
# Read the translations in the report: the incorrect ones, and the correct ones too. Only a reader sees that a verdict is wrong.
mtprobe: 1
name: {name}
about: {about}
languages: {{source: {source}, targets: {targets}}}
"""
_CONDITIONING = """\
method: contrastive-conditioning            # an evaluator reads the translation; by default the model itself
"""
_GRAMMAR_FIRST = """\
methods: [gender-morphology, contrastive-conditioning]
combine: first-decided                      # grammar decides where it can read the gender, an evaluator the rest
"""
_GATES = """\

# Each gate is a test. Put bounds in quotes.
gates:
  minimum_accuracy: ">= 0.60"               # the worst of the categories
"""
_DEGENERATE = """\
  degenerate: "<= 0.02"                     # empty, copied or endless translations
"""


def ask_for_suite(interview: Interview, name: str, path: str) -> str:
    """The text of the suite."""
    interview.say(f"Enter accepts the answer in brackets, {read.BACK} goes back to the question before.")
    return interview.of(lambda asked: _text(asked, name, path))


def _text(interview: Interview, name: str, path: str) -> str:
    source = interview.ask("Language of the sentences", read.language, "en")
    interview.tell("What should the suite find out?")
    for number, (kind, (about, _)) in enumerate(_KINDS.items(), start=1):
        interview.tell(f"  {number} {kind:<8} {about}")
    kind = interview.ask("Question", read.one_of(*_KINDS), "gender")
    pairs = kind == "pairs"
    asked = (
        "Language of the translations"
        if pairs
        else "Languages of the translations, separated by commas, or any"
    )
    targets = interview.ask(asked, read.one_language if pairs else read.languages, "pt" if pairs else "any")
    about, body = _KINDS[kind]
    if kind == "own":
        about = interview.ask("The question that the suite asks, in a sentence", read.text)
    head = _HEAD.format(
        schema=SCHEMA_ID,
        path=path,
        name=as_yaml(name),
        about=as_yaml(about),
        source=as_yaml(source),
        targets="any" if targets is None else f"[{', '.join(map(as_yaml, targets))}]",
    )
    return head + "\n".join(body(interview, source, targets)) + "\n"


def _gender(interview: Interview, source: str, targets: Targets) -> Iterator[str]:
    english = source.split("-")[0] == "en"

    def default(text: str) -> str:
        return text if english else ""

    jobs = interview.ask("Words for people, separated by commas", read.bare_words, default(_JOBS))
    sentences = [
        (
            interview.ask("A sentence about a woman, with {word} for the person", read.sentence_with("word"), default(hers)),
            interview.ask("The same about a man", read.sentence_with("word"), default(his)),
        )
        for hers, his in (
            ("The {word} finished her shift before the others arrived.", "The {word} finished his shift before the others arrived."),
            ("The {word} said that she had lost her keys.", "The {word} said that he had lost his keys."),
        )
    ]  # fmt: skip
    woman = interview.ask("A word that makes the person a woman", read.bare_word, default("woman"))
    man = interview.ask(
        "A word that makes the person a man", _other_than(woman, read.bare_word), default("man")
    )
    yield _method(targets) + "categories: [female, male]                  # the groups that samples count for"
    yield "cluster: word                               # samples that share it are not independent"
    yield "\n# Put before the <focus> in the contrastive sources: which one makes the translation more probable?"
    yield "cues:"
    yield f"  female: {{correct: {as_yaml(woman)}, incorrect: {as_yaml(man)}}}"
    yield f"  male: {{correct: {as_yaml(man)}, incorrect: {as_yaml(woman)}}}"
    yield _GATES + _DEGENERATE + '  gap: "<= 0.20"                            # between women and men'
    yield "\n# Every word in every sentence is a sample.\nslots:"
    yield f"  word: {_listed(jobs)}\n\ngenerate:"
    for number, pair in enumerate(sentences, start=1):
        for category, sentence in zip(("female", "male"), pair, strict=True):
            marked = escaped_brackets(sentence).replace("{word}", "<{word}>")
            yield f"  - id: sentence-{number}-{category}\n    source: {as_yaml(marked)}\n    category: {category}"


def _senses(interview: Interview, source: str, _targets: Targets) -> Iterator[str]:
    first, second = interview.ask("Names for the two senses of each word", read.two_names, "frequent, rare")
    yield (
        _CONDITIONING
        + "scoring: focus                              # it compares only the words that translate the <focus>"
    )
    yield "decide: {margin: auto}                      # a verdict needs more than noise; otherwise the sample is undecided"
    yield f"categories: {_listed([first, second])}\ncluster: word                               # samples that share it are not independent"
    yield _GATES + _DEGENERATE
    yield "# Each sentence leaves one sense only. A cue in <…> takes the place of the word: a near-synonym that has one sense,"
    yield "# in the same form. The correct cues have the sense of the sentence; the incorrect ones make nonsense of it.\nsamples:"
    for word in interview.ask("Ambiguous words, separated by commas", read.bare_words):
        sentences: dict[str, list[str]] = {}
        synonyms: dict[str, list[str]] = {}
        for sense in (first, second):
            taken = {*synonyms.get(first, ())}
            synonyms[sense] = interview.ask(
                f'Two or three near-synonyms of "{word}" in its {sense} sense, separated by commas',
                _none_of(taken),
            )
            sentences[sense] = list(
                interview.ask_each(
                    f'Sentence with "{word}" in its {sense} sense', read.sentence_about(word, source)
                )
            )
        for sense, other in ((first, second), (second, first)):
            for sentence in sentences[sense]:
                yield f"  - source: {as_yaml(sentence)}\n    category: {as_yaml(sense)}\n    attributes: {{word: {as_yaml(word)}}}"
                yield f"    cues:\n      correct: {_instead(synonyms[sense])}\n      incorrect: {_instead(synonyms[other])}"


def _pairs(interview: Interview, _source: str, targets: Targets) -> Iterator[str]:
    target = (targets or [""])[0]
    categories = interview.ask("Names of the errors that the wrong translations have", read.names, "negation")
    yield "method: minimal-pairs                       # is the right translation more probable than the wrong one?"
    yield f"categories: {_listed(categories)}"
    yield _GATES
    yield "# The two translations differ in one thing.\nsamples:"
    for category in categories:
        for source in interview.ask_each(f"Sentence ({category})", read.text):
            right = interview.ask(f'Right translation of "{source}"', read.text)
            wrong = interview.ask("The same with the error", _other_than(right))
            yield f"  - source: {as_yaml(_escaped(source))}\n    category: {as_yaml(category)}\n    targets:\n      {as_yaml(target)}:"
            yield f"        correct: {as_yaml(right)}\n        incorrect: {as_yaml(wrong)}"


def _own(interview: Interview, _source: str, _targets: Targets) -> Iterator[str]:
    categories = interview.ask("Names of the groups that are compared", read.names)
    yield f"{_CONDITIONING}categories: {_listed(categories)}"
    yield _GATES + _DEGENERATE
    yield "# Cues are put before the <focus>; in <…> they take its place. The correct ones have the sense of the sentence.\nsamples:"
    for category in categories:
        for source in interview.ask_each(f"Sentence with its <focus> ({category})", read.focused):
            right = interview.ask("Cues for the right reading, separated by commas", _cues(()))
            wrong = interview.ask("Cues for the wrong reading", _cues(right))
            yield f"  - source: {as_yaml(source)}\n    category: {as_yaml(category)}"
            yield f"    cues:\n      correct: {_listed(right)}\n      incorrect: {_listed(wrong)}"


Body = Callable[[Interview, str, Targets], Iterator[str]]
_KINDS: dict[str, tuple[str, Body]] = {
    "gender": ("Does the translation keep the gender that the sentence implies?", _gender),
    "senses": ("Are ambiguous words translated in the right sense?", _senses),
    "pairs": ("Does the model prefer right translations to wrong ones?", _pairs),
    "own": ("A question of your own, with sentences and cues", _own),
}


def _method(targets: Targets) -> str:
    """How gender is judged: by grammar first, if there is one for a target."""
    readable = targets is None or any(rules_for("grammar", target) for target in targets)
    return _GRAMMAR_FIRST if readable else _CONDITIONING


def _other_than(first: str, usable: Callable[[str], str] = read.text) -> Callable[[str], str]:
    def check(answer: str) -> str:
        if usable(answer) == first:
            raise Unusable(f'"{first}" is the other one already; the two must differ')
        return answer

    return check


def _none_of(taken: set[str]) -> Callable[[str], list[str]]:
    def check(answer: str) -> list[str]:
        for word in (listed := read.bare_words(answer)):
            if word in taken:
                raise Unusable(f'"{word}" is a near-synonym of the other sense already')
        if len(listed) < 2:
            raise Unusable(
                "give two or three, separated by commas; how far their scores differ shows the noise"
            )
        return listed

    return check


def _cues(taken: Sequence[str]) -> Callable[[str], list[str]]:
    """Words; <word> takes the place of the focus."""

    def check(answer: str) -> list[str]:
        listed = [cue.strip() for cue in read.text(answer).split(",") if cue.strip()]
        for cue in listed:
            if not re.fullmatch(r"[^<>{}]+|[^<>{}]*<[^<>{}]*>[^<>{}]*", cue):
                raise Unusable(f'"{cue}" is not a cue: a word, or <word> to take the place of the focus')
            if cue in taken:
                raise Unusable(f'"{cue}" is a cue for the right reading already')
        if not listed:
            raise Unusable("give cues, separated by commas")
        return list(dict.fromkeys(listed))

    return check


def _escaped(source: str) -> str:
    """A sentence without a focus: its < and > are literal."""
    return source if re.search(r"<[^<>]+>", source) else source.replace("<", "\\<").replace(">", "\\>")


def _listed(texts: Sequence[str]) -> str:
    return f"[{', '.join(map(as_yaml, texts))}]"


def _instead(texts: Sequence[str]) -> str:
    return _listed([f"<{text}>" for text in texts])
