"""`cmd:COMMAND`: a program that reads one source a line and writes one translation a line. No shell."""

from __future__ import annotations

import hashlib
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from mtprobe.backends.protocols import LanguagePair, OpenRequest, languages_from
from mtprobe.backends.text import HALF_A_CHARACTER, is_whole
from mtprobe.errors import Failure, ModelError
from mtprobe.system.programs import run_program

_TAIL = 500  # characters of the program's own words that an error repeats


class CommandBackend:
    """Starts the program once a chunk, so that a program which holds its output back cannot block."""

    chunk = 2000

    def __init__(self, words: Sequence[str], program: Path, languages: LanguagePair) -> None:
        self.languages = languages
        self._words = words
        status = program.stat()
        described = "\0".join([*words, str(status.st_size), str(status.st_mtime_ns)])
        self.fingerprint = f"cmd:{hashlib.sha256(described.encode()).hexdigest()[:12]}:{languages}"

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        whole = [source for source in sources if is_whole(source)]
        made = iter(self._lines(whole) if whole else [])
        return [next(made) if is_whole(source) else HALF_A_CHARACTER for source in sources]

    def _lines(self, sources: Sequence[str]) -> list[str]:
        lines = [" ".join(source.split()) for source in sources]
        try:
            done = run_program(self._words, "".join(f"{line}\n" for line in lines).encode())
        except OSError as error:
            raise ModelError(f"cmd:{self._words[0]} cannot be started: {error.strerror}") from None
        said = done.stderr.decode(errors="replace").strip()[-_TAIL:]
        if done.returncode:
            how = f"exit code {done.returncode}" if done.returncode > 0 else f"signal {-done.returncode}"
            raise ModelError(f"cmd:{self._words[0]} died ({how}){': ' + said if said else ''}")
        try:
            answers = done.stdout.decode().removesuffix("\n").split("\n")
        except UnicodeDecodeError:
            raise ModelError(f"cmd:{self._words[0]} wrote something that is not UTF-8") from None
        if len(answers) != len(lines):
            raise ModelError(
                f"cmd:{self._words[0]} wrote {len(answers)} lines for {len(lines)} sources{': ' + said if said else ''}"
            )
        return [answer.rstrip("\r") for answer in answers]


def open_command(rest: str, request: OpenRequest) -> CommandBackend:
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise ModelError(f"cmd: cannot read the command: {error}") from None
    if not words:
        raise ModelError("cmd: needs a command, as in cmd:apertium -u eng-spa")
    program = shutil.which(words[0])
    if program is None:
        raise ModelError(f"cmd: there is no program “{words[0]}”")
    return CommandBackend(words, Path(program), languages_from(request, f"cmd:{words[0]}"))
