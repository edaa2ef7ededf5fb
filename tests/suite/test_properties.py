"""Laws of the loader, on random documents: a few in `make test`, many in `make soak`."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from mtprobe.errors import SuiteError
from mtprobe.gates import gates_for
from mtprobe.methods import check_evidence
from mtprobe.suite import Suite
from mtprobe.suite.samples.build import slug_of_value
from mtprobe.suite.samples.focus import insert_cue, read_marks
from mtprobe.suites import load_suite
from tests.soak import times

EXAMPLES = times(200, 20_000)
examples = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

GOOD = """\
mtprobe: 1
name: everything
about: Does the loader survive?
languages: {source: en, targets: [de, pt-BR]}
method: contrastive-conditioning
categories: [male, female]
cluster: job
cues:
  male: {correct: man, incorrect: woman}
  female: {correct: [woman, "<> (a woman)"], incorrect: man}
gates:
  accuracy[female]: ">= 0.60 @95%"
  gap[stereotype]: {bound: "<= 0.1", xfail: {reason: known, until: 2027-01-31}}
  pt: {minimum_accuracy: ">= 70%"}
attributes:
  stereotype: {pro: typical == category, anti: "typical != category and not job in [cook]"}
slots:
  job: {doctor: {typical: male}, nurse: {typical: female}, cook: }
  whose: {her: {category: female}, his: {category: male}}
samples:
  - id: first
    source: 'The <doctor> lost 1 \\< 2 keys.'
    category: female
    attributes: {job: doctor, typical: male, rank: 1}
    sources: {correct: The woman doctor., incorrect: The man doctor.}
    lemmas: {de: {good: [Ärztin], bad: Arzt}}
generate:
  - source: A <{job}> lost {whose} {{keys}}.
    except: [{job: cook, whose: her}]
  - id: own
    source: "{adverb} an <{job}> lost {whose} way."
    slots: {adverb: [often, never]}
    attributes: {kind: way, hard: {'yes': stereotype == anti}}
take: 9
seed: 7
marks: [nightly]
"""

TOKENS = [
    *"{}[]<>:,-#&*!|>'\"%@`?~\\\n\t \0\ufeff\u2028é字",
    *[
        "- ",
        ": ",
        "\n  ",
        "\n",
        "---\n",
        "<<: ",
        "&a ",
        "*a ",
        "!!int ",
        "!!python/object:os.system ",
        "{{",
        "}}",
    ],
    *["null", "true", "no", "1e999", ".nan", "9" * 500, "0x", "<>", "{job}", "{nothing}", "\\<", ">= 2", '"'],
    *[
        "source",
        "samples",
        "generate",
        "cues",
        "gates",
        "category",
        "file",
        "data",
        "take",
        "bound",
        "xfail",
        "any",
    ],
    *[line + "\n" for line in GOOD.splitlines()],
]


def load_text(text: str | bytes, name: str = "fuzz.mt.yaml") -> Suite | SuiteError:
    """Loads it; anything but a suite or a `SuiteError` that names the file escapes and fails the test."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text)
        try:
            suite = load_suite(path)
            check_evidence(suite)
            gates_for(suite, "pt-BR")
        except SuiteError as error:
            found = error
        else:
            return suite
        assert found.problems
        assert all(str(problem).startswith(str(path)) for problem in found.problems)
        assert all(problem.message for problem in found.problems)
        str(found).encode()  # can be printed
        return found


def test_the_suite_that_is_mutated_here_is_good():
    suite = load_text(GOOD)
    assert isinstance(suite, Suite)
    assert len(suite.samples) == 9


@examples
@given(st.one_of(st.text(), st.text(st.sampled_from(TOKENS[:30])), st.binary()))
def test_any_text_loads_or_says_what_is_wrong(text):
    load_text(text)


@examples
@given(st.lists(st.sampled_from(TOKENS), max_size=60).map("".join))
def test_any_heap_of_yaml_loads_or_says_what_is_wrong(text):
    load_text(text)


@st.composite
def mutations(draw: st.DrawFn) -> str:
    """The good suite with a few pieces dropped, doubled, swapped or replaced."""
    text = GOOD
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(st.integers(0, 12))
        piece = draw(
            st.one_of(st.just(""), st.sampled_from(TOKENS), st.text(max_size=3), st.just(text[start:end] * 2))
        )
        text = text[:start] + piece + text[end:]
    return text


@pytest.mark.slow
@examples
@given(mutations())
def test_a_damaged_suite_loads_or_says_what_is_wrong(text):
    load_text(text)


@st.composite
def changed_lines(draw: st.DrawFn) -> str:
    """The good suite with lines dropped, doubled, moved or indented: valid YAML more often than not."""
    lines = GOOD.splitlines()
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines) - 1))
        change = draw(st.sampled_from(["drop", "double", "move", "indent", "value"]))
        line = lines.pop(at)
        if change == "double":
            lines[at:at] = [line, line]
        elif change == "move":
            lines.insert(draw(st.integers(0, len(lines))), line)
        elif change == "indent":
            lines.insert(at, "  " + line)
        elif change == "value":
            value = draw(
                st.sampled_from(["", "1", "[]", "{}", "[a]", "{a: b}", "{a: {b: c}}", "true", "''", "~", "x"])
            )
            lines.insert(at, line.partition(":")[0] + ": " + value)
    return "\n".join(lines)


@pytest.mark.slow
@examples
@given(changed_lines())
def test_a_suite_with_changed_lines_loads_or_says_what_is_wrong(text):
    load_text(text)


@pytest.mark.slow
@examples
@given(changed_lines())
def test_loading_is_deterministic(text):
    one, other = load_text(text), load_text(text)
    if isinstance(one, Suite):
        assert isinstance(other, Suite)
        assert [(s.id, s.source, s.category, s.attributes, s.cluster, s.cues) for s in one.samples] == [
            (s.id, s.source, s.category, s.attributes, s.cluster, s.cues) for s in other.samples
        ]


words = st.sampled_from(
    ["the", "a", "old", "doctor", "<nurse>", "keys", "Ärztin", "字", "it's", "X-ray", "UN", "8", "{x}", "…"]
)


@pytest.mark.slow
@examples
@given(
    st.lists(st.lists(words, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=12, unique=True),
    st.randoms(),
)
def test_permuting_samples_changes_nothing_but_their_order(sentences, rng):
    def write(order: list[str]) -> str:
        head = GOOD.partition("samples:")[0].replace("cluster: job\n", "").partition("attributes:")[0]
        head = head.replace("gap[stereotype]", "gap")
        samples = [
            f"  - {{source: {_quoted(text)}, category: {'female' if len(text) % 2 else 'male'}}}"
            for text in order
        ]
        return head + "samples:\n" + "\n".join(samples) + "\ntake: 5\n"

    shuffled = sentences.copy()
    rng.shuffle(shuffled)
    one, other = load_text(write(sentences)), load_text(write(shuffled))
    assert type(one) is type(other)
    if isinstance(one, Suite):
        facts = [
            {s.id: (s.source, s.focus, s.category, s.cluster, s.cues) for s in suite.samples}
            for suite in (one, other)
        ]
        assert facts[0] == facts[1]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


@examples
@given(st.text(max_size=40), st.text(max_size=40))
@example("a-b", "a b")
@example("A", "a")
def test_different_values_have_different_slugs(one, other):
    assert (slug_of_value(one) == slug_of_value(other)) == (one == other)


@examples
@given(
    st.text(st.characters(exclude_characters="<>\\\x01\x02"), max_size=20),
    st.sampled_from(["old", "woman", "<> (a man)", "[female]"]),
    st.sampled_from(["en", "de", "fr"]),
)
def test_a_cue_changes_nothing_behind_the_focus(text, cue, language):
    before, after = text[: len(text) // 2], text[len(text) // 2 :]
    marked = read_marks(f"{before}<doctor>{after}")
    made = insert_cue(marked.text, marked.focus, cue, language)
    assert made.endswith(after)
    assert "doctor" in made
    assert "<>" not in made
