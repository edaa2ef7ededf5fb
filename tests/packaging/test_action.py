"""action.yml: its steps, run as the runner of GitHub would run them, with a server in place of GitHub's API"""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import yaml

from tests.conftest import ROOT

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = {step.get("name", step.get("uses")): step for step in ACTION["runs"]["steps"]}


class Api(BaseHTTPRequestHandler):
    """Comments of pull request 7 of our/model, as GitHub's API keeps them."""

    def _answer(self, value, status=HTTPStatus.OK):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _refuse(self):
        self._answer({"message": "Resource not accessible by integration"}, HTTPStatus.FORBIDDEN)

    def _body(self):
        return json.loads(self.rfile.read(int(self.headers["Content-Length"])))["body"]

    def do_GET(self):
        assert self.headers["Authorization"] == "Bearer secret"
        path, _, query = self.path.partition("?")
        if path == "/user":
            return self._answer({"login": self.server.owner}) if self.server.owner else self._refuse()
        assert path == "/repos/our/model/issues/7/comments"
        size, number = (int(part.partition("=")[2]) for part in query.split("&"))
        return self._answer(
            [
                {
                    "id": place,
                    "body": body,
                    "user": dict(zip(("type", "login"), author.split(":"), strict=False)),
                }
                for place, (author, body) in enumerate(self.server.comments)
            ][size * (number - 1) : size * number]
        )

    def do_POST(self):
        body = self._body()
        if self.server.read_only:
            return self._refuse()
        assert self.path == "/repos/our/model/issues/7/comments"
        self.server.comments.append(["Bot", body])
        return self._answer({}, HTTPStatus.CREATED)

    def do_PATCH(self):
        place = re.fullmatch("/repos/our/model/issues/comments/([0-9]+)", self.path)[1]
        self.server.comments[int(place)][1] = self._body()
        self._answer({})

    def log_message(self, *_):
        pass


@pytest.fixture
def github():
    with ThreadingHTTPServer(("127.0.0.1", 0), Api) as server:
        server.comments, server.owner, server.read_only = [], "", False
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


SUITE = """\
mtprobe: 1
name: shift
about: Does the nurse stay a woman?
languages: {source: en, targets: [pt]}
method: lexicon
gates: {accuracy: ">= 0.5"}
samples:
  - source: The <nurse> finished her shift early.
    lemmas: {pt: {good: [enfermeira], bad: [enfermeiro]}}
"""
WORDS = {"right": "A enfermeira terminou o turno cedo.", "wrong": "O enfermeiro terminou o turno cedo."}


class Runner:
    """Runs steps with bash, in a folder of its own, with values for the expressions in their environment."""

    def __init__(self, folder, github=None, **inputs):
        self.folder, self.temp = folder / "work", folder / "temp"
        self.outputs, self.github = folder / "outputs", github
        programs = folder / "bin"
        for path in (self.folder, self.temp, programs):
            path.mkdir()
        (programs / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        (programs / "python").chmod(stat.S_IRWXU)
        (self.folder / "shift.mt.yaml").write_text(SUITE, "utf-8")
        self.path = f"{programs}:{os.environ['PATH']}"
        self.inputs = {name: value.get("default", "") for name, value in ACTION["inputs"].items()} | inputs

    def step(self, name, **more):
        step = STEPS[name]
        environment = {key: self._value(str(value)) for key, value in step["env"].items()}
        runner = {
            "PATH": self.path, "RUNNER_TEMP": str(self.temp), "GITHUB_OUTPUT": str(self.outputs),
            "GITHUB_API_URL": self.api(), "no_proxy": "127.0.0.1", "PYTHONPATH": f"{ROOT}:{self.folder}",
        }  # fmt: skip
        return subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.folder, env=os.environ | environment | runner | more, text=True, capture_output=True, timeout=300,
        )  # fmt: skip

    def _value(self, text):
        known = {
            "github.action_path": str(ROOT), "github.event.pull_request.number": "7", "github.repository": "our/model",
            "github.server_url": "https://github.example", "github.run_id": "12",
        }  # fmt: skip
        known |= {f"inputs.{name}": value for name, value in self.inputs.items()} | {
            "inputs.github-token": "secret"
        }
        return re.sub(r"\$\{\{ ([\w.-]+) \}\}", lambda match: known[match[1]], text)

    def model(self, translation):
        (self.folder / "mine.py").write_text(
            f"def translate(sources):\n    return [{translation!r} for _ in sources]\n"
        )

    def api(self):
        return f"http://127.0.0.1:{self.github.server_port}" if self.github else "http://127.0.0.1:9"

    def written(self):
        return self.github.comments


ARGS = "--mt-model=python:mine:translate --mt-source=en --mt-target=pt -p no:cacheprovider"


@pytest.fixture
def runner(tmp_path, github):
    return Runner(tmp_path, github, args=f"{ARGS} --mt-set 'shift:accuracy=>= 0.9'")


@pytest.mark.slow
def test_the_second_run_updates_the_comment_of_the_first(runner):
    runner.model(WORDS["wrong"])
    first = runner.step("Run pytest")
    assert first.returncode == 1, first.stdout + first.stderr
    assert runner.outputs.read_text() == "exit-code=1\n"
    assert runner.step("Comment on the pull request").returncode == 0
    ((_, before),) = runner.written()
    assert before.startswith("<!-- mtprobe: mtprobe -->\n")
    assert ">= 0.9" in before
    assert "https://github.example/our/model/actions/runs/12" in before

    runner.model(WORDS["right"])
    second = runner.step("Run pytest")
    assert second.returncode == 0, second.stdout + second.stderr
    runner.step("Comment on the pull request")
    ((_, after),) = runner.written()
    assert after != before
    assert after.startswith("<!-- mtprobe: mtprobe -->\n")
    assert (runner.folder / ".mtprobe/action/report.html").is_file()
    assert (runner.folder / ".mtprobe/store.sqlite").is_file()


def test_comments_of_other_jobs_and_of_people_are_left_alone(runner):
    others = [
        ["Bot", "<!-- mtprobe: nightly -->\n…"],
        ["User", "<!-- mtprobe: mtprobe -->\nmine"],
        ["Bot", "hello"],
    ]
    runner.github.comments = list(map(list, others))
    runner.step("Comment on the pull request")
    assert runner.written()[:3] == others
    assert "wrote no summary" in runner.written()[3][1]


def test_the_comment_of_a_personal_token_is_updated_too(runner):
    """Its author is a user, like those who may write the marker into comments of their own."""
    marker = "<!-- mtprobe: mtprobe -->"
    runner.github.comments = [["User:eve", f"{marker}\nmine"], ["User:ada", f"{marker}\nold"]]
    runner.github.owner = "ada"
    runner.step("Comment on the pull request")
    (_, eve), (_, ada) = runner.written()
    assert eve.endswith("mine")
    assert "wrote no summary" in ada


def test_the_comment_is_found_behind_a_hundred_others(runner):
    runner.github.comments = [["User:eve", "hello"] for _ in range(200)] + [
        ["Bot", "<!-- mtprobe: mtprobe -->"]
    ]
    runner.step("Comment on the pull request")
    assert len(runner.written()) == 201
    assert "wrote no summary" in runner.written()[200][1]


def test_an_api_that_cannot_be_reached_is_a_warning(tmp_path):
    commented = Runner(tmp_path).step("Comment on the pull request")
    assert commented.returncode == 0
    assert commented.stdout.startswith(
        "::warning title=mtprobe::the pull request could not be commented on: "
    )


def test_a_token_that_may_only_read_is_a_warning(runner):
    runner.github.read_only = True
    commented = runner.step("Comment on the pull request")
    assert commented.returncode == 0
    assert commented.stdout.startswith("::warning title=mtprobe::")
    assert "HTTP Error 403" in commented.stdout


def test_a_long_summary_is_cut_to_what_a_comment_may_hold(runner):
    folder = runner.folder / ".mtprobe/action"
    folder.mkdir(parents=True)
    (folder / "summary.md").write_text("a line of the summary\n" * 10_000)
    runner.step("Comment on the pull request")
    ((_, body),) = runner.written()
    assert len(body) < 65_536
    assert "… and more" in body


@pytest.mark.slow
@pytest.mark.parametrize(
    "evil", ["$(touch hacked)", "`touch hacked`", "; touch hacked", "x' && touch hacked && echo '"]
)
def test_an_input_is_never_read_as_code(tmp_path, github, evil):
    runner = Runner(tmp_path, github, args=f"--collect-only {evil}", packages=f"--help {evil}")
    runner.inputs["comment-id"] = evil
    runner.step("Run pytest")
    runner.step("Comment on the pull request")
    assert not list(tmp_path.rglob("hacked"))
    assert runner.written()[0][0] == "Bot"


def test_quotes_that_do_not_match_fail_before_pytest_runs(tmp_path):
    runner = Runner(tmp_path, args="-k 'a")
    failed = runner.step("Run pytest")
    assert failed.returncode == 1
    assert "No closing quotation" in failed.stderr


def test_no_expression_is_inside_a_script():
    for step in ACTION["runs"]["steps"]:
        assert "${{" not in step.get("run", "")


def test_every_input_is_described_and_used():
    text = (ROOT / "action.yml").read_text("utf-8")
    used = set(re.findall(r"inputs\.([\w-]+)", text))
    assert used == set(ACTION["inputs"])
    assert all(value["description"] for value in ACTION["inputs"].values())
    assert ACTION["runs"]["using"] == "composite"
    assert all(step.get("uses") or step["shell"] == "bash" for step in ACTION["runs"]["steps"])


def test_the_store_is_kept_and_files_are_uploaded_even_if_a_gate_fails():
    for name in (
        "Keep what was translated",
        "Upload record, report and summary",
        "Comment on the pull request",
    ):
        assert STEPS[name]["if"].startswith("always()")
    saved = STEPS["Keep what was translated"]["with"]
    restored = STEPS["Restore what was translated before"]["with"]
    assert saved["path"] == restored["path"]
    assert saved["key"] == restored["key"]
    assert saved["key"].startswith(restored["restore-keys"])


def test_the_page_describes_every_input_with_its_default():
    page = (ROOT / "docs/howto/ci.md").read_text("utf-8")
    rows = dict(
        re.findall(
            r"^\| `([\w-]+)` \|.*\| ([^|]+) \|$", page.partition("## A ready-made action")[2], re.MULTILINE
        )
    )
    assert set(ACTION["inputs"]) <= set(rows)
    for name, value in ACTION["inputs"].items():
        if name != "github-token":
            assert rows[name] == (f"`{value['default']}`" if "default" in value else "required")
