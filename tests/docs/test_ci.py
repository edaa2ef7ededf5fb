"""docs/howto/ci.md: the workflow is one, and what it says of options and verbs is so."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path

import yaml

from mtprobe.cli.verbs import own_verbs
from mtprobe.pytest_plugin.options import _OPTIONS

TEXT = (Path(__file__).parents[2] / "docs" / "howto" / "ci.md").read_text(encoding="utf-8")


def workflow():
    return yaml.safe_load(TEXT.split("```yaml\n")[1].split("```")[0])


def test_the_workflow_runs_pytest_and_keeps_what_it_wrote():
    steps = workflow()["jobs"]["gates"]["steps"]
    command = next(step["run"] for step in steps if "pytest" in step.get("run", ""))
    kept = next(step for step in steps if "upload-artifact" in step.get("uses", ""))
    assert kept["if"] == "always()"
    for path in kept["with"]["path"].split():
        assert path in command


def test_every_option_and_verb_exists():
    options = {f"--mt-{name}" for name, *_ in _OPTIONS}
    assert set(re.findall(r"--mt-[a-z-]+", TEXT)) <= options
    verbs = re.findall(r"^mtprobe (\w+)", TEXT, re.MULTILINE)
    assert len(verbs) >= 8
    assert set(verbs) <= {verb.name for verb in own_verbs()}


def test_the_step_that_compares_fails_if_the_candidate_is_worse():
    (step,) = yaml.safe_load(TEXT.split("```yaml\n")[-1].split("```")[0])
    verb, *words = shlex.split(step["run"].partition(">>")[0].removeprefix("mtprobe "))
    parser = argparse.ArgumentParser()
    next(found for found in own_verbs() if found.name == verb).load().arguments(parser)
    assert parser.parse_args(words).fail_if_worse
