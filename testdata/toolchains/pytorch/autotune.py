"""A Triton kernel with several configurations: each runs once, and the first is taken."""

import torch
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"block": n}) for n in (64, 128, 256)], key=["n"])
@triton.jit
def twice(x, out, n, block: tl.constexpr):
    i = tl.program_id(0) * block + tl.arange(0, block)
    tl.store(out + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def main():
    x = torch.randn(1000, device="cuda")
    out = torch.empty_like(x)
    for _ in range(2):
        twice[lambda chosen: (triton.cdiv(1000, chosen["block"]),)](x, out, 1000)
    assert torch.equal(out, x * 2) and twice.best_config.kwargs == {"block": 64}
    print("autotune: PASS")


if __name__ == "__main__":
    main()
