from __future__ import annotations

import shlex
import sys

import pytest

from mtprobe.backends.cmd import open_command
from mtprobe.backends.protocols import OpenRequest
from mtprobe.errors import ModelError

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
