# SPDX-License-Identifier: Apache-2.0
"""Runs commands in a guest made by tools/guest-image.sh, through its second serial port on a unix socket."""
import base64
import socket
import time

from parts.wait import WaitTimeout, wait_for


class SerialShell:
    def __init__(self, path):
        self.path = path
        self._socket = None
        self._buffer = b""
        self._number = 0

    def connect(self, seconds=60):
        def attempt():
            self._socket = socket.socket(socket.AF_UNIX)
            try:
                self._socket.connect(str(self.path))
                return True
            except OSError:
                self._socket.close()
                return False

        wait_for(attempt, f"{self.path} to take a connection", seconds)
        return self

    def run(self, command, timeout=60.0, check=True):
        """The command's output; with check a status other than 0 is an error."""
        self._number += 1
        line = f"{self._number} {base64.b64encode(command.encode()).decode()}\n"
        self._socket.sendall(line.encode())
        status, output = self._answer(f"{self._number} ".encode(), time.monotonic() + timeout)
        if check and status:
            raise RuntimeError(f"in the guest: {command}: exit status {status}: {output}")
        return output

    def _answer(self, start, end):
        while True:
            line = self._line(end)
            if line.startswith(start):
                _, status, *output = line.decode().split(" ", 2)
                return int(status), base64.b64decode(output[0] if output else "").decode(errors="replace")

    def _line(self, end):
        while b"\n" not in self._buffer:
            self._socket.settimeout(max(0.01, end - time.monotonic()))
            try:
                got = self._socket.recv(65536)
            except TimeoutError:
                got = b""
                if time.monotonic() >= end:
                    raise WaitTimeout(f"the guest did not answer on {self.path} in time") from None
                continue
            if not got:
                raise ConnectionError(f"{self.path}: the guest closed its serial port")
            self._buffer += got
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line.strip()

    def close(self):
        if self._socket:
            self._socket.close()
