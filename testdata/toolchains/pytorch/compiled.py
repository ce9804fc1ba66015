"""torch.compile, in the default mode and in the one that asks for CUDA graphs: results and gradients are those of the same code
uncompiled."""

import torch


def step(x, w, b):
    return torch.nn.functional.gelu(x @ w + b).square().sum(-1)


def gradients(f, x, w, b):
    w = w.detach().requires_grad_()
    y = f(x, w, b)
    y.sum().backward()
    return y.detach().clone(), w.grad


def main():
    x, w, b = (torch.randn(n, device="cuda") for n in ((6, 20), (20, 30), (30,)))
    ok = True
    for mode in "default", "reduce-overhead":
        compiled = torch.compile(step, mode=mode)
        for _ in range(3):  # the first is a warm-up for a graph, the second would be recorded
            ok &= all(torch.allclose(a, e, atol=1e-4) for a, e in zip(gradients(compiled, x, w, b), gradients(step, x, w, b)))
            x = x * 1.5
        print(f"{mode}: {'PASS' if ok else 'FAIL'}")
    return 0 if ok else 1


if __name__ == "__main__":
    raise SystemExit(main())
