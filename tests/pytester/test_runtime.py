"""The runtime in records and reports; a runtime that computes wrongly ends in an error that names it"""

from __future__ import annotations

import sqlite3

import numpy as np

from mtprobe.engine.runtime.session import Session
from mtprobe.engine.runtime.version import runtime_name
from mtprobe.engine.selftest import memory

RUN = ("--mt-model=demo", "--mt-take=4")


def model(project):
    (suite,) = (line for line in project.record() if line["kind"] == "suite")
    return suite["model"]


def test_the_record_names_what_computed_it_and_what_computed_the_store(project):
    expected = f"{runtime_name()} CPUExecutionProvider"
    result = project.pytest("-v", *RUN, model=None)
    assert (model(project)["provider"], model(project)["runtime"]) == ("CPUExecutionProvider", expected)
    result.stdout.fnmatch_lines([f"*(greedy, max 256 tokens, fp32, {expected})*"])
    result = project.pytest("-v", *RUN, model=None)
    assert (model(project)["provider"], model(project)["runtime"]) == ("from the store", expected)
    result.stdout.fnmatch_lines([f"*fp32, from the store, {expected})*"])


def test_rows_of_unknown_runtimes_are_used_and_those_of_wrong_ones_are_not(project):
    project.pytest(*RUN, model=None)
    (store,) = project.pytester.path.rglob("store.sqlite")
    connection = sqlite3.connect(store)
    with connection:
        connection.execute("UPDATE kept SET runtime = NULL")
    project.pytest(*RUN, model=None)
    assert (model(project)["provider"], model(project)["runtime"]) == ("from the store", "not recorded")
    with connection:
        connection.execute(
            "INSERT INTO runtimes VALUES (99, ?)", (b"onnxruntime-gpu 1.20.1 CPUExecutionProvider",)
        )
        connection.execute("UPDATE kept SET runtime = 99")
    connection.close()
    project.pytest(*RUN, model=None)
    assert model(project)["provider"] == "CPUExecutionProvider"


def test_a_runtime_that_computes_wrongly_is_an_error_without_a_traceback(project, monkeypatch, tmp_path):
    right = Session.run_with_device_outputs

    def wrong(self, outputs, device_outputs, inputs):
        ones = {name: np.ones_like(inputs[name]) for name in ("source_mask",) if name in inputs}
        return right(self, outputs, device_outputs, {**inputs, **ones})

    monkeypatch.setattr(Session, "run_with_device_outputs", wrong)
    monkeypatch.setattr(memory, "cache_folder", lambda: tmp_path / "graphs")
    result = project.pytest(*RUN, model=None)
    assert result.ret == 1
    result.stdout.fnmatch_lines([f"*{runtime_name()} CPUExecutionProvider computes wrong numbers for demo:*"])
    assert "Traceback" not in result.stdout.str()
