"""The kit can fail where it opens a model again: by its spec, here and in another process."""

from __future__ import annotations

import textwrap

import pytest

MODEL = """
import functools
{imports}

class Model:
    @functools.cached_property
    def fingerprint(self):
        return {fingerprint}

    def __call__(self, sources):
        return [f"{{source.encode(errors='replace').decode().upper()}}{{{ending}}}" for source in sources]
"""
TESTS = """
import pytest
from mtprobe.testing import BackendConformance


class TestSpec(BackendConformance):
    heavy = ("weighty",)

    @pytest.fixture
    def spec(self):
        return "{spec}"
"""
GOOD = {"imports": "", "fingerprint": "'one'", "ending": "''"}
BROKEN = {
    "good": ({}, set()),
    "a fingerprint that another process does not know": (
        {"fingerprint": "str(hash('weights'))"},
        {"its_fingerprint_is_known_in_another_process_without_loading"},
    ),
    "a heavy import": (
        {"imports": "import weighty"},
        {"its_fingerprint_is_known_in_another_process_without_loading"},
    ),
    "cannot be opened elsewhere": (
        {"imports": "import os\nfirst = not os.environ.pop('OPENED_BEFORE', None)\nassert first"},
        {"its_fingerprint_is_known_in_another_process_without_loading"},
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_with_a_spec_fails_its_own_check(pytester, monkeypatch, name):
    changed, expected = BROKEN[name]
    module = f"broken_{list(BROKEN).index(name)}"  # imported anew each time
    pytester.makepyfile(weighty="")
    pytester.makepyfile(**{module: MODEL.format(**{**GOOD, **changed}) + "\nmodel = Model()\n"})
    pytester.makepyfile(test_spec=TESTS.replace("{spec}", f"python:{module}:model"))
    monkeypatch.syspath_prepend(pytester.path)
    if name == "cannot be opened elsewhere":
        pytester.makeconftest(f"import {module}, os\nos.environ['OPENED_BEFORE'] = 'yes'\n")
    assert failed(pytester.runpytest_inprocess()) == expected


@pytest.mark.slow
def test_one_that_changes_when_it_is_opened_again_fails(pytester, monkeypatch):
    """A plugin's factory, since a function of Python's is the same object each time."""
    monkeypatch.syspath_prepend(pytester.path)
    pytester.makepyfile(
        changing=textwrap.dedent("""\
            import itertools

            from mtprobe.backends.protocols import LanguagePair

            NUMBERS = itertools.count()


            class Changing:
                languages = LanguagePair("en", "pt")

                def __init__(self, where):
                    number = next(NUMBERS)
                    self.fingerprint = f"changing:{number if where == 'fingerprint' else 0}"
                    self.ending = str(number) if where == "translations" else ""

                def translate(self, sources):
                    return [text.encode(errors="replace").decode().upper() + self.ending for text in sources]


            def open_changing(rest, request):
                return Changing(rest)
            """)
    )
    information = pytester.mkdir("changing-1.0.dist-info")
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: changing\nVersion: 1.0\n")
    (information / "entry_points.txt").write_text("[mtprobe.backends]\nchanging = changing:open_changing\n")
    for where, expected in (
        ("fingerprint", "its_fingerprint_is_that_of_the_same_model_opened_again"),
        ("translations", "the_same_model_opened_again_translates_alike"),
    ):
        pytester.makepyfile(test_spec=TESTS.replace("{spec}", f"changing:{where}"))
        assert failed(pytester.runpytest_inprocess()) == {expected}


def failed(result) -> set[str]:
    reports = result.reprec.getreports("pytest_runtest_logreport")
    return {report.nodeid.rpartition("::test_")[2].partition("[")[0] for report in reports if report.failed}
