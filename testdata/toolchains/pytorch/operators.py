"""PyTorch's operators on tensors of the device, compared with the same on the CPU."""

import sys

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.checkpoint import checkpoint


def values(device, *size, dtype=torch.float32):
    return torch.randn(*size, generator=torch.Generator().manual_seed(1)).to(dtype).to(device)


def arithmetic(d):
    x = values(d, 4, 5)
    y = (x * 2 + x[0]).t()[1:, ::2]
    y.add_(1)
    out = torch.empty(5, 4, device=d).t()
    torch.add(x, 1, out=out)
    resized = torch.sub(x, 1, out=torch.empty(0, device=d))
    return y, out, resized, torch.complex(x, x).conj().clone().imag, torch.arange(3, 9, device=d) // 2


def indexing(d):
    x = values(d, 6, 5)
    x[:, 1] = 7
    x[torch.tensor([0, 2])] = 3.0
    x[x > 2] = 2
    return x[torch.tensor([1, 1], device=d)], x[x > 1], x.nonzero(), torch.unique(x), torch.sort(x, 0)[0], F.embedding(torch.tensor([2], device=d), x)


def algebra(d):
    x = values(d, 4, 4)
    half = values(d, 2, 4, 5, dtype=torch.float16)
    return x @ x, torch.linalg.solve(x, x[:, :2]), torch.linalg.svd(x)[1], torch.fft.rfft(x).abs(), torch.bmm(half, half.transpose(1, 2))


def layers(d):
    image, weight = values(d, 1, 4, 8, 8), values(d, 4, 1, 3, 3)
    q = values(d, 1, 2, 8, 4)
    return (F.conv2d(image, weight, groups=4), F.conv_transpose2d(image, weight.expand(4, 2, 3, 3)), F.max_pool2d(image, 2), F.interpolate(image, scale_factor=2, mode="bilinear"),
            nn.BatchNorm2d(4).to(d)(image), F.rms_norm(image, (8,)), F.scaled_dot_product_attention(q, q, q, is_causal=True))


def learn(d, model, size, of=lambda y: y):
    torch.manual_seed(3)
    model = model().to(d)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for _ in range(3):
        optimizer.zero_grad()
        loss = of(model(values(d, *size))).pow(2).mean()
        loss.backward()
        optimizer.step()
    return loss, *(p.detach() for p in model.parameters())


def training(d):
    return learn(d, lambda: nn.Sequential(nn.Conv2d(2, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(16, 3)), (5, 2, 4, 4))


def transformer(d):
    return learn(d, lambda: nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), (2, 5, 8))


def recurrent(d):
    return *learn(d, lambda: nn.LSTM(8, 4), (5, 2, 8), lambda y: y[0]), *learn(d, lambda: nn.GRU(8, 4), (5, 2, 8), lambda y: y[0])


def autocast(d):
    with torch.autocast(d, dtype=torch.bfloat16):
        return F.linear(values(d, 4, 8), values(d, 3, 8)).float(),


def same(name, f):
    torch.testing.assert_close([t.cpu() for t in f("cuda")], [t.cpu() for t in f("cpu")], rtol=2e-3, atol=2e-3)
    print(f"{name}: PASS")


def random():
    torch.manual_seed(5)
    a, state = torch.randn(1000, device="cuda"), torch.cuda.get_rng_state()
    b = torch.rand(5, device="cuda")
    torch.cuda.set_rng_state(state)
    again = torch.rand(5, device="cuda")
    torch.manual_seed(5)
    assert torch.equal(torch.randn(1000, device="cuda"), a) and torch.equal(again, b)
    assert not torch.equal(torch.rand(5, device="cuda"), torch.rand(5, device="cuda"))
    assert abs(a.mean().item()) < 0.2 and abs(a.std().item() - 1) < 0.1
    x = torch.ones(64, device="cuda", requires_grad=True)
    y = checkpoint(F.dropout, x, use_reentrant=False)  # dropped again in the backward pass
    y.sum().backward()
    assert torch.equal(x.grad, y)
    print("random: PASS")


def refused():
    for wrong in (lambda x: x + torch.ones(3), lambda x: x + torch.ones(4, device="cuda")):
        try:
            wrong(torch.ones(3, device="cuda"))
        except RuntimeError:
            continue
        raise AssertionError("no error")
    print("refused: PASS")


def uninitialized():
    x = torch.empty(100, device="cuda")
    x[:60] = 1
    first = torch.arange(100, device="cuda") < 60
    return x * 2, x[:60] * 3, x.clone(), torch.where(first, x, 0) + 1, x[first] + 1, x.index_select(0, first.nonzero()[:, 0]) + 1


def main():
    if sys.argv[1:] == ["uninitialized"]:
        uninitialized()
        return
    for f in (arithmetic, indexing, algebra, layers, training, transformer, recurrent, autocast):
        same(f.__name__, f)
    random()
    refused()


if __name__ == "__main__":
    main()
