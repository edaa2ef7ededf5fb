"""A server that repeats the key, in whatever encoding and wherever, is not repeated in anything that we keep or show"""

from __future__ import annotations

import base64
import json
import logging
import re
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from mtprobe.errors import Failure, ModelError
from tests.plugins.encodings import ENCODINGS, traces
from tests.plugins.imitations import DEEPL, KEY, LIBRETRANSLATE, OPENAI, openai
from tests.plugins.loopback import Asked, Handler, Loopback, Reply, loopback
from tests.plugins.test_keys import whole
from tests.pytester.conftest import Project

PADDING = 185  # a message is cut to 200 characters, so a key after it lies across the cut


def leaks(text: str) -> list[str]:
    return [trace for trace in traces(KEY) if trace in text]


def every_text(value: Any, change: Callable[[str], str]) -> Any:
    """JSON with all its texts changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [every_text(item, change) for item in value]
    if isinstance(value, dict):
        return {name: every_text(item, change) for name, item in value.items()}
    return value


def repeating(encoded: str, headers: dict[str, str]) -> Callable[[Handler, Callable[[], Reply]], None]:
    """The truth, with the key after every text and in the headers."""

    def fault(handler: Handler, truth: Callable[[], Reply]) -> None:
        reply = truth()
        content = every_text(json.loads(reply.body), lambda text: f"{text} {encoded}")
        handler.send(Reply(reply.status, content, headers))

    return fault


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_translation_that_repeats_the_key_fails_for_its_sentence(service, encoding, caplog):
    caplog.set_level(logging.DEBUG)
    encoded = ENCODINGS[encoding](KEY)
    service.server.always = repeating(encoded, {"X-Echo": encoded})
    backend = service.open("tries=1")
    answers = backend.translate(["One."])
    assert answers == [Failure("the answer repeated the API key")] or "[hidden key]" in repr(answers)
    assert not leaks(repr([answers, backend.provider, backend.fingerprint]))
    assert not leaks(caplog.text + repr([record.__dict__ for record in caplog.records]))


@pytest.mark.slow
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("code", [400, 403, 503])
def test_an_error_that_repeats_the_key_across_the_cut(start, code, encoding, caplog):
    caplog.set_level(logging.DEBUG)
    service = start(DEEPL)
    encoded = ENCODINGS[encoding](KEY)
    bodies: list[Any] = [{"message": "x" * PADDING + f" {encoded}"}, ("y" * PADDING + encoded).encode()]
    for body in bodies:
        service.server.always = lambda handler, _, body=body: handler.send(Reply(code, body, {"X": encoded}))
        try:
            said = repr(service.translate("One.", options=("concurrency=1", "tries=2", "deadline=5")))
        except ModelError as error:
            said = whole(error)
        assert f"HTTP {code}" in said
        assert not leaks(said + caplog.text + repr([record.__dict__ for record in caplog.records]))


@pytest.mark.parametrize("charset", ["utf-16", "utf-32-le", "utf-8-sig"])
def test_an_answer_in_another_encoding_of_unicode(start, charset):
    service = start(OPENAI)

    def fault(handler: Handler, truth: Callable[[], Reply]) -> None:
        content = every_text(json.loads(truth().body), lambda text: f"{text} {KEY}")
        handler.send(Reply(200, json.dumps(content).encode(charset)))

    service.server.always = fault
    backend = service.open("tries=1")
    assert not leaks(repr([backend.translate(["One."]), backend.provider]))


def test_a_status_line_that_repeats_the_key(start, caplog):
    caplog.set_level(logging.DEBUG)
    service = start(DEEPL)

    def fault(handler: Handler, truth: Callable[[], Reply]) -> None:
        body = truth().body
        handler.wfile.write(f"HTTP/1.1 200 {KEY}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)

    service.server.always = fault
    assert service.translate("One.") == ["One. ✓"]
    service.server.always = lambda handler, _: handler.wfile.write(f"{KEY} {KEY}\r\n\r\n".encode())
    assert isinstance(service.translate("One.", options=("tries=1",))[0], Failure)
    assert "httpx" in {record.name for record in caplog.records}
    assert not leaks(caplog.text + repr([record.__dict__ for record in caplog.records]))


def test_a_redirect_that_repeats_the_key(service):
    reply = Reply(307, b"", {"Location": f"http://127.0.0.1:1/?key={KEY}"})
    service.server.always = lambda handler, _: handler.send(reply)
    with pytest.raises(ModelError, match="HTTP 307") as caught:
        service.translate("One.")
    assert not leaks(whole(caught.value))


def test_a_key_that_is_a_word_does_not_spoil_translations(start, monkeypatch):
    service = start(LIBRETRANSLATE)
    monkeypatch.setattr("tests.plugins.imitations.KEY", "none")
    monkeypatch.setenv(LIBRETRANSLATE.key, "none")
    assert service.translate("There is none left.") == ["There is none left. ✓"]


def test_a_key_is_not_pickled(start):
    import pickle

    backend = start(DEEPL).open()
    with pytest.raises(TypeError, match="a key is not written anywhere"):
        pickle.dumps(backend._service.keys)


@pytest.mark.parametrize(
    "url",
    ["http://user:s3cr3tpassw0rd@127.0.0.1", "htp://u:s3cr3tpassw0rd@h", "http://h/?key=s3cr3tpassw0rd"],
)
@pytest.mark.parametrize("more", ["", "&timeout=-1"])
def test_a_secret_in_an_address_is_not_repeated(start, url, more):
    service = start(DEEPL)
    service.server.address = url
    with pytest.raises(ModelError) as caught:
        service.open(*([more.removeprefix("&")] if more else []))
    assert "s3cr3tpassw0rd" not in str(caught.value)


def unpacked(page: str) -> str:
    """What a page decompresses before it shows it."""
    packed = re.findall(r">([A-Za-z0-9+/=]{100,})<", page)
    return "".join(zlib.decompress(base64.b64decode(text), -15).decode() for text in packed)


# -- everything that a run and its verbs write --


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    return Project(pytester)


@pytest.fixture
def mixed(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    """Repeats the key in one encoding after the other, in good answers and in bad ones."""
    monkeypatch.setenv(OPENAI.key, KEY)
    forms = [encode(KEY) for encode in ENCODINGS.values()]

    def imitation(asked: Asked) -> Reply:
        reply = openai(asked)
        if asked.method != "POST" or reply.status != 200:
            return reply
        form = forms[len(here.asked) % len(forms)]
        if len(here.asked) % 3 == 0:
            message = {"error": {"message": "z" * PADDING + form, "type": "t", "code": form}}
            return Reply(400, message, {"X-Echo": form})
        content = {**reply.content, "model": f"m {form}"}
        if len(here.asked) % 3 == 1:
            content = every_text(content, lambda text: f"{text} {form}")
        return Reply(200, content, {"X-Echo": form})

    with loopback(imitation) as here:
        yield here


@pytest.mark.slow
def test_no_artefact_of_a_run_contains_the_key(project, mixed, monkeypatch):
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", "summary.md")
    monkeypatch.setenv("MTPROBE_CACHE", str(project.path / "cache"))
    result = project.pytest(
        f"--mt-model=openai:chatty-1?url={mixed.address}/v1&concurrency=1&tries=1&price=0", "--mt-target=pt",
        "--mt-evaluator=python:toys:fair", "--mt-report=report.html", "--mt-markdown=run.md", "--junit-xml=junit.xml",
        "--mt-record=run.jsonl", "--log-cli-level=DEBUG", "--log-file=run.log", "--log-file-level=DEBUG", "-rA",
        "--showlocals", "--full-trace", "-v", model=None, alone=True,
    )  # fmt: skip
    output = result.stdout.str() + result.stderr.str()
    assert len(mixed.translations()) > len(ENCODINGS) / 2
    assert "the answer repeated the API key" in output
    assert "httpcore" in (project.path / "run.log").read_text("utf-8")
    assert not leaks(output)
    identifier = next(line["id"] for line in project.record("run.jsonl") if line.get("kind") == "sample")
    for verb in (["show", "run.jsonl", identifier], ["compare", "run.jsonl", "run.jsonl"],
                 ["report", "run.jsonl", "-o", "again.html", "--csv", "run.csv", "--markdown", "again.md"],
                 ["store", "stats"], ["store", "export", "store.jsonl"]):  # fmt: skip
        done = subprocess.run(
            [sys.executable, "-c", "from mtprobe.cli import main; raise SystemExit(main())", *verb],
            cwd=project.path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode in (0, 1, 2), done.stderr
        assert "Traceback" not in done.stderr
        assert not leaks(done.stdout + done.stderr), verb
    files = [path for path in project.path.rglob("*") if path.is_file()]
    assert {"run.jsonl", "report.html", "run.md", "junit.xml", "summary.md", "run.csv", "store.sqlite"} <= {
        path.name for path in files
    }
    for path in files:
        assert not leaks(path.read_bytes().decode("latin-1")), path
    samples = unpacked((project.path / "report.html").read_text("utf-8"))
    assert "The doctor" in samples
    assert not leaks(samples)
