"""Where in the program an operator was called."""

import os
import sys
import sysconfig
import threading

import torch

OWN = tuple(os.path.dirname(os.path.abspath(f)) + os.sep for f in (__file__, torch.__file__))
INSTALLED = OWN + tuple({p + os.sep for p in (sysconfig.get_path(n) for n in ("stdlib", "platstdlib", "purelib", "platlib")) if p})


def here():
    """The innermost line of the program as file:line: not of an installed package unless there is no other. In a thread
    of PyTorch, which runs backward passes, it is the main thread's."""
    frame = sys._getframe(1)
    found = outside(frame, INSTALLED) or outside(frame, OWN)
    if not found and threading.current_thread() is not threading.main_thread():
        frame = sys._current_frames().get(threading.main_thread().ident)
        found = outside(frame, INSTALLED) or outside(frame, OWN)
    return found.encode() if found else b""


def outside(frame, folders):
    while frame:
        name = frame.f_code.co_filename
        if not name.startswith(folders) and not name.startswith("<"):
            return f"{name}:{frame.f_lineno}"
        frame = frame.f_back
    return None
