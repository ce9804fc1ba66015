"""What warpgrind's runtime library, which is loaded before all others, offers to interpreters."""

import array
import ctypes

process = ctypes.CDLL(None)


def found():
    """Whether this process runs under warpgrind."""
    return hasattr(process, "__wg_beginOperator")


class Error(RuntimeError):
    pass


def function(name, *arguments, returns=ctypes.c_int):
    f = process[name]
    f.argtypes, f.restype = arguments, returns
    return f


if found():
    pointer, size = ctypes.c_void_p, ctypes.c_size_t
    host_address = function("__wg_hostAddress", pointer, returns=pointer)
    begin_operator = function("__wg_beginOperator", pointer)
    end_operator = function("__wg_endOperator", ctypes.c_char_p, ctypes.c_char_p, pointer, pointer, size, pointer, size, pointer, size)
    set_place = function("__wg_setPlace", ctypes.c_char_p, returns=None)
    copy_async = function("cudaMemcpyAsync", pointer, pointer, size, ctypes.c_int, pointer)
    synchronize = function("cudaStreamSynchronize", pointer)
    error_name = function("cudaGetErrorName", ctypes.c_int, returns=ctypes.c_char_p)
    error_text = function("cudaGetErrorString", ctypes.c_int, returns=ctypes.c_char_p)


def check(code):
    if code:
        raise Error(f"CUDA error: {error_text(code).decode()} ({error_name(code).decode()})")


class Ranges:
    """Ranges of addresses, each from its first byte to the one after its last."""

    def __init__(self):
        self.flat = array.array("Q")

    def add(self, first, end):
        self.flat.append(first)
        self.flat.append(end)

    def given(self):
        address, n = self.flat.buffer_info()
        return (address if n else None), n // 2


def begin(stream):
    """Waits until the work before has run, without that the program counts as having waited."""
    check(begin_operator(stream))


def end(name, where, stream, reads, writes, marks):
    """Tells what an operator did, as one piece of work of a stream."""
    check(end_operator(name, where, stream, *reads.given(), *writes.given(), *marks.given()))
