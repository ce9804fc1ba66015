"""torch.distributed with NCCL between processes, as torchrun starts them; the argument says which mistake is made."""

import os
import sys

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

rank, ranks = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])


def report(name, right):
    print(f"{name}, rank {rank}: {'PASS' if right else 'FAIL'}", flush=True)


def same(got, want):
    return torch.equal(got.cpu(), want)


def collectives():
    x = torch.full((1000,), rank + 1.0, device="cuda")
    dist.all_reduce(x)
    report("all_reduce", same(x, torch.full((1000,), ranks * (ranks + 1) / 2)))
    x = torch.full((10,), rank, device="cuda")
    dist.broadcast(x, 1)
    report("broadcast", same(x, torch.ones(10, dtype=torch.int64)))
    parts = [torch.empty(5, device="cuda") for _ in range(ranks)]
    dist.all_gather(parts, torch.full((5,), float(rank), device="cuda"))
    report("all_gather", all(same(p, torch.full((5,), float(q))) for q, p in enumerate(parts)))
    part = torch.empty(4, device="cuda")
    dist.reduce_scatter_tensor(part, torch.arange(4.0 * ranks, device="cuda"), op=dist.ReduceOp.AVG)
    report("reduce_scatter", same(part, torch.arange(4.0) + 4 * rank))
    x = torch.empty(2 * ranks, device="cuda")
    dist.all_to_all_single(x, torch.arange(2.0 * ranks, device="cuda") + 100 * rank)
    report("all_to_all", same(x, torch.cat([torch.arange(2.0) + 2 * rank + 100 * q for q in range(ranks)])))
    sent, received = torch.full((3,), float(rank), device="cuda"), torch.empty(3, device="cuda")
    ring = [dist.P2POp(dist.isend, sent, (rank + 1) % ranks), dist.P2POp(dist.irecv, received, (rank - 1) % ranks)]
    for work in dist.batch_isend_irecv(ring):
        work.wait()
    report("ring", same(received, torch.full((3,), float((rank - 1) % ranks))))
    objects = [None] * ranks
    dist.all_gather_object(objects, {"rank": rank})
    report("objects", [o["rank"] for o in objects] == list(range(ranks)))
    x = torch.full((3,), rank + 1.0, device="cuda")
    alone = [dist.new_group([q]) for q in range(ranks)][rank]
    dist.all_reduce(x, group=alone)
    report("group", same(x, torch.full((3,), rank + 1.0)))
    dist.barrier(device_ids=[rank])


def network():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(20, 50), nn.ReLU(), nn.Linear(50, 3))


def training():
    """Steps of the ranks on parts of the data are those of one process on all of it."""
    whole, part = network(), network().cuda()
    parallel = DistributedDataParallel(part, device_ids=[rank])
    x, y = torch.randn(8 * ranks, 20), torch.randn(8 * ranks, 3)
    own = slice(8 * rank, 8 * rank + 8)
    for model, data in ((whole, (x, y)), (parallel, (x[own].cuda(), y[own].cuda()))):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for _ in range(5):
            optimizer.zero_grad()
            nn.functional.mse_loss(model(data[0]), data[1]).backward()
            optimizer.step()
    report("training", all(torch.allclose(a.cpu(), b, atol=1e-5) for a, b in zip(part.parameters(), whole.parameters())))


def main(mistake):
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl")
    if not mistake:
        collectives()
        training()
    x = torch.empty(1000 + (mistake == "sizes") * rank, device="cuda")
    if mistake != "empty":
        x.fill_(1)
    work = dist.all_reduce(x, async_op=True)
    if mistake != "no wait":
        work.wait()
    y = x * 2
    work.wait()
    report("result", same(y, torch.full_like(y, 2.0 * ranks, device="cpu")) or mistake == "empty")
    dist.destroy_process_group()


main(*sys.argv[1:] or [""])
