from __future__ import annotations

import shlex
import sys

import pytest

from mtprobe.backends.cmd import open_command
from mtprobe.backends.protocols import OpenRequest
from mtprobe.errors import Failure, ModelError

REQUEST = OpenRequest(source="en", target="pt")


def command(code):
    return open_command(f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}", REQUEST)


def test_each_line_in_is_a_line_out():
    backend = command("import sys\nfor line in sys.stdin: print(line.strip().upper())")
    assert backend.translate(["one", "two\nlines", "", "três"]) == ["ONE", "TWO LINES", "", "TRÊS"]


def test_no_shell_reads_the_command():
    backend = open_command(
        f"{shlex.quote(sys.executable)} -c 'import sys; print(sys.argv[1])' '$(id); $HOME | x'", REQUEST
    )
    assert backend.translate(["x"]) == ["$(id); $HOME | x"]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import sys; sys.stdin.read(); sys.exit('out of memory')", r"died \(exit code 1\): out of memory"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", r"died \(signal 9\)"),
        ("print('only one')", "wrote 1 lines for 3 sources"),
        ("for i in range(4): print(i)", "wrote 4 lines for 3 sources"),
        ("pass", "wrote no line for 3 sentences"),
        ("import sys; sys.stderr.write('no model')", "wrote no line for 3 sentences: no model"),
        (
            "while True: print('x' * 10_000)",
            r"wrote more than 16,\d+,\d+ bytes for 3 sentences and was killed",
        ),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\xfe\\n' * 3)", "not UTF-8"),
    ],
)
def test_a_dead_process_or_a_wrong_count_is_reported(code, said):
    with pytest.raises(ModelError, match=said):
        command(code).translate(["a", "b", "c"])


def test_a_command_that_cannot_be_run_is_reported_when_it_is_opened():
    with pytest.raises(ModelError, match="there is no program “not-a-program-at-all”"):
        open_command("not-a-program-at-all -x", REQUEST)
    with pytest.raises(ModelError, match="needs a command"):
        open_command("  ", REQUEST)
    with pytest.raises(ModelError, match="cannot parse the command"):
        open_command("a 'b", REQUEST)


def test_the_words_of_the_command_are_in_the_fingerprint_but_not_readable_there():
    one, other = (open_command(f"{sys.executable} --key={key}", REQUEST) for key in ("secret1", "secret2"))
    assert one.fingerprint != other.fingerprint
    assert "secret" not in one.fingerprint


def test_half_a_character_fails_by_itself_and_is_not_written():
    backend = command("import sys\nfor line in sys.stdin: print(line.strip().upper())")
    one, broken, other = backend.translate(["one", "half \ud83d", "other"])
    assert (one, other) == ("ONE", "OTHER")
    assert "lone surrogate" in broken.reason


def test_no_line_is_no_translation_and_an_empty_line_is_an_empty_one():
    with pytest.raises(ModelError, match=r"wrote no line for 1 sentence$"):
        command("pass").translate(["a"])
    assert command("print()").translate(["a"]) == [""]
    assert command("print('x', end='')").translate(["a"]) == ["x"]
    assert command("print(); print()").translate(["a", "b"]) == ["", ""]
    with pytest.raises(ModelError, match="wrote 1 lines for 2 sources"):
        command("print()").translate(["a", "b"])


@pytest.mark.slow
def test_a_program_that_takes_too_long_fails_for_what_it_was_given(tmp_path, monkeypatch):
    """It is started once more, and then no more."""
    script = tmp_path / "slow.sh"
    script.write_text(
        "#!/bin/sh\nlines=$(cat)\necho started >> started\n"
        'case "$lines" in *slow*) sleep 60;; esac\nprintf "%s\\n" "$lines"\n',
        encoding="utf-8",
    )
    monkeypatch.chdir(tmp_path)
    backend = open_command("sh slow.sh", OpenRequest(target="pt", timeout=1.5))
    late, also = backend.translate(["slow", "fast"])
    assert late == also
    assert late.reason.endswith("took longer than 1.5 s (`timeout`) for 2 sentences and was killed")
    assert backend.translate(["fast"]) == ["fast"]
    assert all(isinstance(backend.translate(["slow"])[0], Failure) for _ in range(2))
    (refused,) = backend.translate(["fast"])
    assert refused.reason.endswith("2 times in a row and is not started again")
    assert (tmp_path / "started").read_text().count("started") == 4


def test_nothing_starts_no_program():
    assert command("import sys; sys.exit('started')").translate([]) == []


def test_what_a_command_names_as_a_secret_is_not_repeated(tmp_path):
    script = tmp_path / "fails.sh"
    script.write_text("#!/bin/sh\necho usage: --api-key $2 >&2\nexit 3\n")
    script.chmod(0o755)
    backend = open_command(f"{script} --api-key s3cr3t-4711", OpenRequest(source="en", target="de"))
    with pytest.raises(ModelError, match=r"usage: --api-key \[hidden key\]"):
        backend.translate(["One."])
    with pytest.raises(ModelError, match=r"no program “API_KEY=\[hidden key\]”"):
        open_command("API_KEY=s3cr3t-4711 translate", OpenRequest(source="en", target="de"))
