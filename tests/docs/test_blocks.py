"""Commands in README and docs work as printed; `blocks.py` says how they are marked."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mtprobe.suites import load_suite
from tests.pytester.running import OTHERS_OFF

from .blocks import PAGES, ROOT, SHELL, Block, blocks_of, continued, indented_commands

RUN = [page for page in PAGES if any(block.kind == "run" for block in blocks_of(page))]
STORIES = [
    page for page in RUN if page not in {continued(other) for other in RUN}
]  # each with what it continues


def name_of(page: Path) -> str:
    """Of a test: there are two READMEs."""
    return str(page.relative_to(ROOT).with_suffix(""))


@pytest.fixture(scope="session")
def shared_store(tmp_path_factory):
    """What one page has translated, no other page translates again."""
    return tmp_path_factory.mktemp("store")


@pytest.fixture
def folder(tmp_path, shared_store):
    """As a reader has it: the suites, the records of the studies, and nothing else."""
    shutil.copytree(ROOT / "suites", tmp_path / "suites")
    shutil.copytree(ROOT / "reports" / "studies", tmp_path / "reports" / "studies")
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / ".mtprobe").symlink_to(shared_store, target_is_directory=True)
    return tmp_path


def story(page: Path):
    """The README and the tutorial are run by `make test`, the others by `make test-slow`."""
    first = page.stem == "README" or page.parent.name == "tutorial"
    return pytest.param(page, marks=() if first else pytest.mark.slow, id=name_of(page))


@pytest.mark.parametrize("page", list(map(story, STORIES)))
def test_commands_marked_as_runnable_do_what_the_page_says(page, folder):
    for each in filter(None, (continued(page), page)):
        for block in blocks_of(each):
            if block.kind in ("file", "append"):
                with (folder / block.detail).open(
                    "a" if block.kind == "append" else "w", encoding="utf-8"
                ) as file:
                    file.write(block.text)
            elif block.kind == "run":
                run(block, folder)


def run(block: Block, folder: Path) -> None:
    program = ["bash", "-e", "-o", "pipefail", "-c"] if block.is_shell else [sys.executable, "-c"]
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PYTEST_ADDOPTS": " ".join(OTHERS_OFF),
    }
    done = subprocess.run(
        [*program, block.text], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode in block.exit_codes, f"{block.place}\n{done.stdout}\n{done.stderr}"
    if block.exit_codes == {1} and "pytest" in block.text:
        assert " failed" in done.stdout, (
            f"{block.place}: failed without a failed gate\n{done.stdout}\n{done.stderr}"
        )


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_command_is_run_or_says_why_not(page):
    unmarked = [
        f"{block.place}: mark it `<!-- run -->` or `<!-- not run: REASON -->`"
        for block in blocks_of(page)
        if (block.is_shell or block.language == "python")
        and (block.kind not in ("run", "not run", "file") or (block.kind == "not run" and not block.detail))
    ]
    assert unmarked == []


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_commands_are_in_fenced_blocks(page):
    assert indented_commands(page) == []


def test_most_pages_with_commands_run_some():
    """A page on which nothing runs is about what a test lacks: a service, a cluster, a person at the keyboard."""
    silent = {page.stem for page in PAGES if any(block.language in SHELL for block in blocks_of(page))}
    silent -= {page.stem for page in RUN}
    assert silent <= {"services", "cluster", "reproduce", "repeats", "vllm", "language-models", "question"}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_suites_on_the_page_are_valid(page, folder):
    for block in blocks_of(page):
        if block.kind == "file":
            (folder / block.detail).write_text(block.text, encoding="utf-8")
    for block in blocks_of(page):
        if block.language == "yaml" and block.text.startswith("mtprobe: 1"):
            path = folder / "on-the-page.mt.yaml"
            path.write_text(block.text, encoding="utf-8")
            assert load_suite(path).samples, block.place
