"""action.yml: its steps, run as the runner of GitHub would run them, with a `gh` that writes to a file"""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys

import pytest
import yaml

from tests.conftest import ROOT

ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
STEPS = {step.get("name", step.get("uses")): step for step in ACTION["runs"]["steps"]}

# Keeps comments in a file, as GitHub's API would answer.
GH = f"""#!{sys.executable}
import json, os, pathlib, re, sys
place = pathlib.Path(os.environ["COMMENTS"])
comments = json.loads(place.read_text()) if place.exists() else []
args = sys.argv[1:]
assert args.pop(0) == "api" and os.environ["GH_TOKEN"] == "secret"
if args[0] == "user":
    owner = os.environ.get("TOKEN_OWNER") or sys.exit("HTTP 403: Resource not accessible by integration")
    sys.exit(print(owner))
path = next(arg for arg in args if arg.startswith("repos/"))
if os.environ.get("READ_ONLY") and "--method" in args:
    sys.exit("HTTP 403: Resource not accessible by integration")
if "--method" not in args:
    assert path == "repos/our/model/issues/7/comments" and "--paginate" in args
    for number, (author, body) in enumerate(comments):
        print(json.dumps({{"id": number, "body": body, "type": author.partition(":")[0], "login": author.partition(":")[2]}}))
    sys.exit()
body = json.load(sys.stdin)["body"]
if args[args.index("--method") + 1] == "POST":
    assert path == "repos/our/model/issues/7/comments"
    comments.append(["Bot", body])
else:
    comments[int(re.fullmatch("repos/our/model/issues/comments/([0-9]+)", path)[1])][1] = body
place.write_text(json.dumps(comments))
"""

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

    def __init__(self, folder, **inputs):
        self.folder, self.temp = folder / "work", folder / "temp"
        self.outputs, self.comments = folder / "outputs", folder / "comments.json"
        programs = folder / "bin"
        for path in (self.folder, self.temp, programs):
            path.mkdir()
        for name, text in {"gh": GH, "python": f'#!/bin/sh\nexec "{sys.executable}" "$@"\n'}.items():
            (programs / name).write_text(text)
            (programs / name).chmod(stat.S_IRWXU)
        (self.folder / "shift.mt.yaml").write_text(SUITE, "utf-8")
        self.path = f"{programs}:{os.environ['PATH']}"
        self.inputs = {name: value.get("default", "") for name, value in ACTION["inputs"].items()} | inputs

    def step(self, name, **more):
        step = STEPS[name]
        environment = {key: self._value(str(value)) for key, value in step["env"].items()}
        runner = {
            "PATH": self.path, "RUNNER_TEMP": str(self.temp), "GITHUB_OUTPUT": str(self.outputs),
            "COMMENTS": str(self.comments), "PYTHONPATH": f"{ROOT}:{self.folder}",
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

    def written(self):
        return json.loads(self.comments.read_text("utf-8"))


ARGS = "--mt-model=python:mine:translate --mt-source=en --mt-target=pt -p no:cacheprovider"


@pytest.fixture
def runner(tmp_path):
    return Runner(tmp_path, args=f"{ARGS} --mt-set 'shift:accuracy=>= 0.9'")


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
    runner.comments.write_text(json.dumps(others))
    runner.step("Comment on the pull request")
    assert runner.written()[:3] == others
    assert "wrote no summary" in runner.written()[3][1]


def test_the_comment_of_a_personal_token_is_updated_too(runner):
    """Its author is a user, like those who may write the marker into comments of their own."""
    runner.comments.write_text(
        json.dumps(
            [["User:eve", "<!-- mtprobe: mtprobe -->\nmine"], ["User:ada", "<!-- mtprobe: mtprobe -->\nold"]]
        )
    )
    runner.step("Comment on the pull request", TOKEN_OWNER="ada")
    (_, eve), (_, ada) = runner.written()
    assert eve.endswith("mine")
    assert "wrote no summary" in ada


def test_a_token_that_may_only_read_is_a_warning(runner):
    commented = runner.step("Comment on the pull request", READ_ONLY="1")
    assert commented.returncode == 0
    assert commented.stdout.startswith("::warning title=mtprobe::")
    assert "HTTP 403" in commented.stdout


def test_a_long_summary_is_cut_to_what_a_comment_may_hold(runner):
    folder = runner.folder / ".mtprobe/action"
    folder.mkdir(parents=True)
    (folder / "summary.md").write_text("a line of the summary\n" * 10_000)
    runner.step("Comment on the pull request")
    ((_, body),) = runner.written()
    assert len(body) < 65_536
    assert "… and more" in body


@pytest.mark.parametrize(
    "evil", ["$(touch hacked)", "`touch hacked`", "; touch hacked", "x' && touch hacked && echo '"]
)
def test_an_input_is_never_read_as_code(tmp_path, evil):
    runner = Runner(tmp_path, args=f"--collect-only {evil}", packages=f"--help {evil}")
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
