"""Every backend of our own passes the checks that plugins are held to."""

from __future__ import annotations

import shlex
import sys
import textwrap

import pytest

from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import ModelSpec, open_backend
from mtprobe.engine.demo import demo_folder
from mtprobe.engine.export import export
from mtprobe.testing import AWKWARD, SOURCES, BackendConformance, TranslationConformance
from tests.engine.hf_models import make, train_vocabularies
from tests.engine.lm import models as language_models

REQUEST = OpenRequest(source="en", target="pt", threads=1)


class AtOnce:
    """Ours take strings, and none of them streams."""

    test_a_stream_gives_each_translation_once = None
    test_context_and_repeats_are_answered = None


@pytest.fixture(scope="module")
def marian(tmp_path_factory):
    """A small Hugging Face model, in a folder."""
    pytest.importorskip("transformers")
    folder = tmp_path_factory.mktemp("models")
    return make("marian", folder / "marian", train_vocabularies(folder)).folder


@pytest.fixture(scope="module")
def saved(marian, tmp_path_factory):
    """The same, exported."""
    folder = tmp_path_factory.mktemp("saved") / "marian"
    export("marian", open_backend(ModelSpec.parse(f"hf:{marian}"), REQUEST), folder)
    return folder


@pytest.fixture(scope="module")
def language_model(tmp_path_factory):
    """A small one, in a folder."""
    return language_models.make(tmp_path_factory.mktemp("lm"), "grouped queries").folder


class TestDemo(AtOnce, BackendConformance):
    opening = REQUEST
    fails_on = ("word " * 600,)

    @pytest.fixture
    def spec(self):
        return "demo"


class TestFirefox(AtOnce, BackendConformance):
    opening = REQUEST
    fails_on = ("word " * 600,)

    @pytest.fixture
    def spec(self):
        return f"firefox:{demo_folder()}"


class TestHf(AtOnce, BackendConformance):
    opening = REQUEST
    fails_on = ("word " * 200,)
    sources = tuple(source[:50] for source in SOURCES)

    @pytest.fixture
    def spec(self, marian):
        return f"hf:{marian}?max_length=10"


class TestLm(BackendConformance):
    opening = REQUEST
    fails_on = ("word " * 300,)
    sources = tuple(source[:40] for source in SOURCES)
    test_a_stream_gives_each_translation_once = None
    test_every_scored_token_has_its_attention = None
    test_the_attention_to_all_words_is_at_most_one = None
    test_attention_does_not_depend_on_its_batch = None

    @pytest.fixture
    def spec(self, language_model):
        return f"lm:{language_model}?max_new_tokens=6&sample=true"


class TestOnnx(AtOnce, BackendConformance):
    opening = REQUEST
    fails_on = ("word " * 200,)
    sources = tuple(source[:50] for source in SOURCES)

    @pytest.fixture
    def spec(self, saved):
        return f"onnx:{saved}?max_length=10"


class TestFile(AtOnce, TranslationConformance):
    fails_on = ("A source that the file does not have.",)

    @pytest.fixture
    def spec(self, tmp_path):
        path = tmp_path / "made.tsv"
        known = [*SOURCES, AWKWARD["emoji"], AWKWARD["right to left"]]
        path.write_text("".join(f"{source}\t{source.upper()}\n" for source in known), encoding="utf-8")
        return f"file:{path}"


class TestCommand(AtOnce, TranslationConformance):
    fails_on = ("half \ud83d a character",)

    @pytest.fixture
    def spec(self):
        program = (
            "import sys\n"
            "for line in sys.stdin.buffer: sys.stdout.buffer.write(line.decode().upper().encode())"
        )
        return f"cmd:{shlex.quote(sys.executable)} -c {shlex.quote(program)}"


class TestPython(AtOnce, BackendConformance):
    """A function that also scores: letters by letters, the likelier the nearer they are to the source's."""

    fails_on = ("half \ud83d a character",)

    @pytest.fixture
    def spec(self, tmp_path, monkeypatch):
        (tmp_path / "letters.py").write_text(
            textwrap.dedent("""\
                import math

                from mtprobe.errors import Failure


                class Letters:
                    def __call__(self, sources):
                        return [Failure("no text") if "\\ud83d" in one else one.upper() for one in sources]

                    def score(self, pairs):
                        return [self.tokens(source.upper(), target) for source, target in pairs]

                    def tokens(self, source, target):
                        right = [at < len(source) and letter == source[at] for at, letter in enumerate(target)]
                        ended = len(target) == len(source)
                        return [math.log(0.9 if one else 1e-5) for one in [*right, ended]]


                model = Letters()
                """)
        )
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "letters", raising=False)
        return "python:letters:model"
