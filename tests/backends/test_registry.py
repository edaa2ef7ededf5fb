from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from mtprobe.backends import registry
from mtprobe.backends.protocols import OpenRequest
from mtprobe.backends.registry import ModelSpec
from mtprobe.errors import ModelError


@pytest.mark.parametrize(
    ("text", "name", "kind", "rest"),
    [
        ("demo", "demo", "demo", ""),
        ("new=demo", "new", "demo", ""),
        ("demo?beams=4", "demo-beams-4", "demo", "?beams=4"),
        ("wide=demo?beams=4", "wide", "demo", "?beams=4"),
        ("firefox:m/enpt?beams=4", "firefox-enpt-beams-4", "firefox", "m/enpt?beams=4"),
        ("firefox:/models/enpt", "firefox-enpt", "firefox", "/models/enpt"),
        ("cmd:/usr/bin/apertium -u eng-spa", "cmd-apertium", "cmd", "/usr/bin/apertium -u eng-spa"),
        ("v2=cmd:run --beam=5", "v2", "cmd", "run --beam=5"),
        ("cmd:run --beam=5", "cmd-run", "cmd", "run --beam=5"),
        ("python:pkg.module:call", "python-pkg.module-call", "python", "pkg.module:call"),
    ],
)
def test_specs_are_read(text, name, kind, rest):
    assert ModelSpec.parse(text) == ModelSpec(name, kind, rest)


def test_an_installed_plugin_is_found_by_its_entry_point(monkeypatch):
    class Point:
        name, value, dist = "mine", "mine:open", None

        @staticmethod
        def load():
            return lambda rest, request: ("opened", rest, request.target)

    monkeypatch.setattr(
        registry, "entry_points", lambda group: [Point] if group == "mtprobe.backends" else []
    )
    opened = registry.open_backend(ModelSpec.parse("mine:x"), OpenRequest(target="pt"))
    assert opened == ("opened", "x", "pt")
    assert "mine" in [one.kind for one in registry.listed()]


def test_an_unknown_kind_is_reported_with_a_suggestion():
    with pytest.raises(ModelError, match='did you mean "file"'):
        registry.open_backend(ModelSpec.parse("fil:x"), OpenRequest())


@pytest.mark.parametrize(
    ("spec", "package"),
    [("deepl", "mtprobe-deepl"), ("openai:gpt", "mtprobe-openai"), ("ct2:/x", "mtprobe-ctranslate2")],
)
def test_a_kind_of_a_plugin_that_is_not_installed_names_the_package(monkeypatch, spec, package):
    monkeypatch.setattr("mtprobe.backends.registry._plugins", list)
    with pytest.raises(ModelError, match=f"it comes with a plugin: pip install {package}$"):
        registry.open_backend(ModelSpec.parse(spec), OpenRequest("en", "pt"))


def test_every_plugin_of_ours_is_known():
    declared = {}
    for path in Path(__file__).parents[2].glob("plugins/*/pyproject.toml"):
        project = tomllib.loads(path.read_text(encoding="utf-8"))["project"]
        kinds = project.get("entry-points", {}).get("mtprobe.backends", {})
        declared |= dict.fromkeys(kinds, project["name"])
    assert declared == registry._PLUGINS
