"""The other things that people hand us: translations, scores, alignments, specs, gates, options. Damaged ones are told."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.errors import MtprobeError, Place
from mtprobe.gates.parse import GateError, read_bound, read_gate
from mtprobe.language.alignment import SentencePair
from mtprobe.language.alignment.files import open_links
from mtprobe.suite.sample import GateText
from mtprobe.suites import load_suite
from tests.fuzz import byte_damage
from tests.fuzz.corpus import SUITE, small
from tests.fuzz.walk import SECONDS, within, write
from tests.soak import times

pytestmark = pytest.mark.slow

CASES = times(300, 20_000)
REQUEST = OpenRequest(source="en", target="de")
PAIRS = "It is old. ||| Sie ist alt.\nThe cook left.\tDie Köchin ging.\n".encode()
LINES = b"".join(json.dumps({"source": f"s{n}", "translation": f"t{n}"}).encode() + b"\n" for n in range(3))
LINKS = b"0-0 1-1 2-2\n0-0 1-1 2-2\n"
SCORES = b"-0.5\n-1.25\n"


def damaged(data: bytes, number: int, folder: Path, name: str) -> Path:
    path = folder / name
    made = byte_damage.mutated(data, Random(number))
    path.write_bytes(gzip.compress(made) if name.endswith(".gz") and number % 2 else made)
    return path


def told(error: Exception, name: str = "") -> None:
    """It names the file, and can be printed."""
    assert str(error).strip()
    assert name in str(error)
    str(error).encode()


@pytest.mark.parametrize("name", ["pairs.txt", "pairs.jsonl", "pairs.txt.gz"])
def test_damaged_translations_are_read_or_told(tmp_path, name):
    read = refused = 0
    for number in range(CASES):
        path = damaged(LINES if name.endswith(".jsonl") else PAIRS, number, tmp_path, name)
        try:
            with within(SECONDS):
                open_backend(ModelSpec.parse(f"file:{path}"), REQUEST).translate(["It is old.", "s1"])
            read += 1
        except MtprobeError as error:
            told(error, name)
            refused += 1
    assert read
    assert refused


@pytest.mark.parametrize("name", ["links.txt", "links.txt.gz"])
def test_damaged_alignments_are_read_or_told(tmp_path, name):
    (tmp_path / "pairs.txt").write_bytes(PAIRS)
    read = refused = 0
    for number in range(CASES):
        path = damaged(LINKS, number, tmp_path, name)
        try:
            with within(SECONDS):
                open_links(f"{tmp_path / 'pairs.txt'},{path}").align(
                    [SentencePair("It is old.", "Sie ist alt.")]
                )
            read += 1
        except MtprobeError as error:
            told(error, name)
            refused += 1
    assert read
    assert refused


@pytest.mark.parametrize("name", ["scores.txt", "scores.txt.gz"])
def test_damaged_scores_are_read_or_told(tmp_path, name):
    seed = next(seed for seed in small() if seed.name == "lingeval97")
    suite = load_suite(write(seed.files, tmp_path))
    read = refused = 0
    for number in range(CASES):
        path = damaged(SCORES, number, tmp_path, name)
        try:
            with within(SECONDS):
                open_backend(ModelSpec.parse(f"scores:{path}?better=lower"), REQUEST).for_suite(suite, "de")
            read += 1
        except MtprobeError as error:
            told(error, name)
            refused += 1
    assert refused


PIECES = ["hf:", "file:", "scores:", "onnx:", "firefox:", "mlm:", "demo", "nobody:", "a=", "=", "?", "&", "beams=4", "beams=²",
          "beams=" + "9" * 5000, "length_penalty=nan", "length_penalty=1e999", "better=lower", "better=", "max_length=-1", "x=y", ":",
          "//", "..", "~", "%00", "\x00", "é", "\ud800", " ", ",", ",,", "a" * 5000, "/dev/null", "/", "\n", "[", "]"]  # fmt: skip


@settings(max_examples=times(300, 20_000), deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join))
def test_any_spec_opens_or_is_told(text):
    try:
        spec = ModelSpec.parse(text)
        if spec.kind in ("hf", "mlm") and not Path(spec.rest.partition("?")[0]).is_absolute():
            spec = ModelSpec(spec.name, spec.kind, f"/nowhere/{spec.rest}")  # nothing is asked of a hub here
        open_backend(spec, REQUEST)
    except MtprobeError as error:
        told(error)


GATE_PIECES = ["accuracy", "gap", "bias", "f1", "chosen", "sfii", "regression", "minimum_accuracy", "audit_accuracy", "[", "]", "=", ",",
               "@", "female", "gender", "pos=noun", "sense_rank", "lexicon", "minimal-pairs", " ", "\n", "é", "\x00", "[]", "x" * 9000]  # fmt: skip
BOUND_PIECES = [
    ">=",
    "<=",
    ">",
    "<",
    "≥",
    " ",
    "0.5",
    "50",
    "%",
    "@95%",
    "@",
    "-",
    "1e5",
    "9" * 5000,
    "٣",
    ".",
    "nan",
    "inf",
    "\n",
]


@pytest.fixture(scope="module")
def suite(tmp_path_factory):
    seed = next(seed for seed in small() if seed.name == "jsonl")
    return load_suite(write(seed.files, tmp_path_factory.mktemp("gates")))


@settings(max_examples=times(300, 20_000), deadline=None)
@given(key=st.lists(st.sampled_from(GATE_PIECES), max_size=6).map("".join),
       bound=st.lists(st.sampled_from(BOUND_PIECES), max_size=5).map("".join))  # fmt: skip
def test_any_gate_is_read_or_told(suite, key, bound):
    for written, said in ((key, ">= 0.5"), ("accuracy", bound)):
        try:
            with within(SECONDS):
                gate = read_gate(GateText(written, said, Place(Path(SUITE), 1)), suite)
            assert str(read_bound(str(gate.bound), share=False)) == str(gate.bound)
        except GateError as error:
            told(error)


OPTIONS = [
    ("--mt-take", "²"), ("--mt-take", "9" * 5000), ("--mt-take", "-1"), ("--mt-salience", "x"), ("--mt-budget", "nan"), ("--mt-budget", "1e999"),
    ("--mt-set", "a"), ("--mt-set", ":="), ("--mt-set", "doctors:accuracy[female]=9"), ("--mt-model", ""), ("--mt-model", "?"),
    ("--mt-model", "file:" + "a" * 5000), ("--mt-model", "scores:" + "a" * 5000), ("--mt-model", "x=y=z"), ("--mt-evaluator", "nobody:x"),
    ("--mt-target", "é"), ("--mt-target", "x" * 500), ("--mt-report", "a" * 5000), ("--mt-baseline", "a" * 5000), ("--mt-baseline", "/dev/null"),
    ("--mt-alignment", "a" * 5000), ("--mt-lemmatizer", "x:" + "a" * 5000), ("--mt-method", "x"), ("--mt-device", "x"), ("--mt-data-root", "a" * 5000),
]  # fmt: skip
DOCTORS = """\
mtprobe: 1
name: doctors
about: Does the translation keep the doctor's gender?
languages: {source: en}
method: contrastive-conditioning
categories: [male, female]
cues: {male: {correct: man, incorrect: woman}, female: {correct: woman, incorrect: man}}
gates: {"accuracy[female]": ">= 0.60", "regression": "<= 0.1"}
samples: [{source: The <doctor> lost her keys., category: female}, {source: A <cook> lost his keys., category: male}]
"""


@pytest.mark.parametrize(("option", "value"), OPTIONS, ids=lambda text: text[:20])
def test_an_option_that_cannot_be_is_told_without_a_traceback(pytester, option, value):
    pytester.makefile(".mt.yaml", doctors=DOCTORS)
    (pytester.path / "pairs.txt").write_bytes(PAIRS)
    given = ["--mt-model=file:pairs.txt"] if option != "--mt-model" else []
    given += ["--mt-target=de"] if option != "--mt-target" else []
    result = pytester.runpytest_inprocess("--collect-only", *given, f"{option}={value}", "doctors.mt.yaml")
    said = result.stdout.str() + result.stderr.str()
    assert "Traceback" not in said
    assert "INTERNALERROR" not in said
    assert "Error: [" not in said
