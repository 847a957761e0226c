# SPDX-License-Identifier: Apache-2.0
"""FAKE: a QMP peer that misbehaves. It takes the place of a real QEMU's socket; the process stays a real QEMU."""
import contextlib
import os
import socket
import threading

GREETING = b'{"QMP": {"version": {"qemu": {"micro": 0, "minor": 2, "major": 7}, "package": ""}, "capabilities": []}}\r\n'


def hang(peer, ended):
    ended.wait()


def hang_after_greeting(peer, ended):
    peer.sendall(GREETING)
    ended.wait()


def half_line(peer, ended):
    peer.sendall(GREETING[:40])
    ended.wait()


def drip(peer, ended):
    """Something comes all the time, the line never ends: only a deadline for the whole call helps."""
    while not ended.wait(0.1):
        peer.sendall(b" ")


def garbage(peer, ended):
    peer.sendall(b"\x00\xff\xfe{{{[[[\x80\r\n" * 100)
    ended.wait()


def ten_megabytes(peer, ended):
    peer.sendall(b'{"QMP": "' + b"a" * (10 << 20))
    ended.wait()


def deep(peer, ended):
    peer.sendall(b"[" * (1 << 20) + b"\r\n")
    ended.wait()


def close(peer, ended):
    pass


def wrong_types(peer, ended):
    """Well-formed answers that hold nothing of what was asked."""
    peer.sendall(GREETING)
    with peer.makefile("rb") as lines:
        for _ in lines:
            peer.sendall(b'{"return": [{"inserted": 5, "device": {}, "qdev": [1]}, null, "x"]}\r\n')


BEHAVIOURS = [hang, hang_after_greeting, half_line, drip, garbage, ten_megabytes, deep, close, wrong_types]


class FakeQmpPeer:
    """Serves `path` in QEMU's place until it is closed."""

    def __init__(self, path, behaviour):
        os.unlink(path)
        self._behaviour, self._ended = behaviour, threading.Event()
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen(16)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self):
        with contextlib.suppress(OSError):
            while True:
                peer, _ = self._server.accept()
                threading.Thread(target=self._one, args=(peer,), daemon=True).start()

    def _one(self, peer):
        with contextlib.suppress(OSError), peer:
            self._behaviour(peer, self._ended)

    def remove(self):
        self._ended.set()
        with contextlib.suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._thread.join(5)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.remove()
