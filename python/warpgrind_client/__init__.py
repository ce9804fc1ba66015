"""Judge CUDA kernels with warpgrind, without a GPU. Jobs and verdicts are dicts: see docs/JUDGE.md."""

import json
import os
import shutil
import socket
import subprocess
import tempfile
import threading
import time

__all__ = ["Judge"]


class Judge:
    """A connection to warpgrind serve, which it starts unless the path of a socket is given."""

    def __init__(self, socket=None, program="warpgrind", flags=(), start_seconds=30):
        self._dir = self._server = None
        if socket is None:
            self._dir = tempfile.mkdtemp(prefix="warpgrind-")
            socket = os.path.join(self._dir, "socket")
            self._server = subprocess.Popen([program, "serve", "--socket", socket, *flags], stderr=subprocess.DEVNULL)
        self._path = socket
        try:
            self._wait(start_seconds)
        except BaseException:
            self.close()
            raise

    def _wait(self, seconds):
        end = time.monotonic() + seconds
        while True:
            try:
                return self._connect().close()
            except OSError:
                if time.monotonic() > end or self._server and self._server.poll() is not None:
                    raise
                time.sleep(0.02)

    def _connect(self):
        s = socket.socket(socket.AF_UNIX)
        try:
            s.connect(self._path)
        except BaseException:
            s.close()
            raise
        return s

    def judge(self, job):
        """The verdict on a job."""
        return next(self.judge_all([job]))

    def judge_all(self, jobs):
        """Yields the verdicts on jobs, in their order. Several are judged at once."""
        with self._connect() as s, s.makefile("r", encoding="utf-8") as replies:
            sent = [0, False]  # how many, and whether these are all
            failed = []

            def send():
                try:
                    for job in jobs:
                        line = {k: v for k, v in job.items() if k != "notes"}
                        s.sendall(json.dumps(line).encode() + b"\n")
                        sent[0] += 1
                    s.shutdown(socket.SHUT_WR)
                except OSError:
                    pass  # the reader sees that the connection ended
                except BaseException as e:  # of the iterator
                    failed.append(e)
                    s.shutdown(socket.SHUT_RDWR)
                sent[1] = True

            sender = threading.Thread(target=send, daemon=True)
            sender.start()
            got = 0
            for line in replies:
                got += 1
                yield json.loads(line)
            sender.join(timeout=1)
            if failed:
                raise failed[0]
            if not sent[1] or got < sent[0]:
                raise ConnectionError("warpgrind serve ended the connection")

    def close(self):
        """Ends the server that this object started."""
        if self._server:
            self._server.terminate()
            self._server.wait()
        if self._dir:
            shutil.rmtree(self._dir, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
