"""A Triton kernel and PyTorch's operators in two streams; the argument says which mistake is made."""

import sys

import torch
import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, block: tl.constexpr):
    i = tl.arange(0, block)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@triton.jit
def products(x, y, out, n: tl.constexpr):
    """Each lane of a warp adds its own product by a fused multiply-add, and all store the sum."""
    i = tl.arange(0, n)
    tl.store(out, tl.sum(tl.load(x + i) * tl.load(y + i), axis=0))


def main(mistake):
    if not mistake:
        x, y, out = torch.randn(128, device="cuda"), torch.randn(128, device="cuda"), torch.empty(1, device="cuda")
        products[1,](x, y, out, 128)
        torch.testing.assert_close(out[0], x.dot(y))
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
