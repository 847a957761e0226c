# SPDX-License-Identifier: Apache-2.0
"""One QMP command at a time, on a connection of its own: the socket is left free for the program under test."""
import json
import socket


class QmpError(RuntimeError):
    pass


def execute(path, command, timeout=10, **arguments):
    with socket.socket(socket.AF_UNIX) as peer:
        peer.settimeout(timeout)
        peer.connect(str(path))
        with peer.makefile("rw", encoding="utf-8") as stream:
            stream.readline()  # greeting
            for name, values in (("qmp_capabilities", {}), (command, arguments)):
                stream.write(json.dumps({"execute": name, "arguments": values}) + "\n")
                stream.flush()
                answer = {}
                while "return" not in answer and "error" not in answer:  # events may come between
                    answer = json.loads(stream.readline())
                if "error" in answer:
                    raise QmpError(f"{name}: {answer['error']['desc']}")
    return answer["return"]
