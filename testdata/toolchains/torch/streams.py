"""A Triton kernel and PyTorch's operators in two streams; the argument says which mistake is made."""

import sys

import torch
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, block: tl.constexpr):
    i = tl.arange(0, block)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


def main(mistake):
    n = 100
    x, y, out = torch.randn(n, device="cuda"), torch.randn(n, device="cuda"), torch.empty(n, device="cuda")
    temporary = x + 1
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        add[1,](temporary, y, out, n + (mistake == "past"), block=128)
    if mistake != "no record":
        temporary.record_stream(side)
    del temporary
    if mistake not in ("no wait", "no record"):
        torch.cuda.current_stream().wait_stream(side)
    if mistake != "no record":
        assert torch.allclose(out * 2, (x + 1 + y) * 2)
    torch.cuda.synchronize()
    print("streams: PASS")


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]))
