"""`cmd:COMMAND`: a program that reads one source per line and writes one translation per line. No shell."""

from __future__ import annotations

import hashlib
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path

from mtprobe.backends.protocols import LONE_SURROGATE, LanguagePair, OpenRequest, is_encodable, languages_from
from mtprobe.errors import Failure, ModelError
from mtprobe.system.programs import Limits, TooMuchOutput, TooSlow, run_program
from mtprobe.system.secrets import without_secrets

_TAIL = 500  # characters of the program's stderr that an error quotes
_MOST_OUTPUT = 16 * 2**20  # bytes per call, besides 16 for each byte of the sources
_MOST_PER_BYTE = 16
_TRIES = 2  # calls in a row that may take too long


class CommandBackend:
    """Starts the program once per chunk, so that one that buffers its output cannot block."""

    chunk = 2000
    ignores_target = True

    def __init__(
        self, words: Sequence[str], program: Path, languages: LanguagePair, timeout: float | None = None
    ) -> None:
        self.languages = languages
        self._words = words
        self._timeout = timeout
        self._too_slow = 0  # calls in a row
        status = program.stat()
        described = "\0".join([*words, str(status.st_size), str(status.st_mtime_ns)])
        self.fingerprint = f"cmd:{hashlib.sha256(described.encode()).hexdigest()[:12]}:{languages}"

    def translate(self, sources: Sequence[str]) -> list[str | Failure]:
        encodable = [source for source in sources if is_encodable(source)]
        translations = iter(self._within_time(encodable) if encodable else [])
        return [next(translations) if is_encodable(source) else LONE_SURROGATE for source in sources]

    def _within_time(self, sources: Sequence[str]) -> Sequence[str | Failure]:
        """The program's lines; a program that takes too long again and again is not started any more."""
        reason = (
            f"cmd:{self._words[0]} took longer than {self._timeout:g} s (`timeout`)" if self._timeout else ""
        )
        if self._too_slow >= _TRIES:
            return [Failure(f"{reason} {_TRIES} times in a row and is not started again")] * len(sources)
        try:
            lines = self._lines(sources)
        except TooSlow:
            self._too_slow += 1
            return [Failure(f"{reason} for {_sentences(sources)} and was killed")] * len(sources)
        self._too_slow = 0
        return lines

    def _lines(self, sources: Sequence[str]) -> list[str]:
        lines = [" ".join(source.split()) for source in sources]
        given = "".join(f"{line}\n" for line in lines).encode()
        most = _MOST_OUTPUT + _MOST_PER_BYTE * len(given)
        try:
            done = run_program(self._words, given, Limits(self._timeout, most))
        except OSError as error:
            raise ModelError(f"cmd:{self._words[0]} cannot be started: {error.strerror}") from None
        except TooMuchOutput:
            raise ModelError(
                f"cmd:{self._words[0]} wrote more than {most:,} bytes for {_sentences(lines)} and was killed"
            ) from None
        stderr = without_secrets(done.stderr.decode(errors="replace").strip())[-_TAIL:]
        quoted = f": {stderr}" if stderr else ""
        if done.returncode:
            how = f"exit code {done.returncode}" if done.returncode > 0 else f"signal {-done.returncode}"
            raise ModelError(f"cmd:{self._words[0]} died ({how}){quoted}")
        try:
            outputs = done.stdout.decode().split("\n")
        except UnicodeDecodeError:
            raise ModelError(f"cmd:{self._words[0]} wrote output that is not UTF-8") from None
        if not outputs[-1]:  # after the last line
            outputs.pop()
        if not outputs:
            raise ModelError(f"cmd:{self._words[0]} wrote no line for {_sentences(lines)}{quoted}")
        if len(outputs) != len(lines):
            raise ModelError(
                f"cmd:{self._words[0]} wrote {len(outputs)} lines for {len(lines)} sources{quoted}"
            )
        return [line.rstrip("\r") for line in outputs]


def open_command(rest: str, request: OpenRequest) -> CommandBackend:
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise ModelError(f"cmd: cannot parse the command: {error}") from None
    if not words:
        raise ModelError("cmd: needs a command, for example cmd:apertium -u eng-spa")
    program = shutil.which(words[0])
    if program is None:
        raise ModelError(f"cmd: there is no program “{without_secrets(words[0])}”")
    return CommandBackend(words, Path(program), languages_from(request, f"cmd:{words[0]}"), request.timeout)


def _sentences(sentences: Sequence[str]) -> str:
    return "1 sentence" if len(sentences) == 1 else f"{len(sentences):,} sentences"
