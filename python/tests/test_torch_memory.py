"""Tests of the module that PyTorch loads (internal/shim/python) that need no PyTorch: a stand-in has the few
properties of tensors that are asked for."""

import importlib
import itertools
import os
import sys
import tempfile
import types
import unittest

torch = types.ModuleType("torch")
torch.version = types.SimpleNamespace(cuda="13.0")
sys.modules["torch"] = torch

import warpgrind_torch
from warpgrind_torch import autotune, imported, memory, runtime


class Tensor:
    def __init__(self, size, stride, base=1000, item=4):
        self.sizes, self.strides, self.base, self.item = tuple(size), tuple(stride), base, item

    def size(self):
        return self.sizes

    def stride(self):
        return self.strides

    def data_ptr(self):
        return self.base

    def element_size(self):
        return self.item

    def numel(self):
        n = 1
        for size in self.sizes:
            n *= size
        return n

    def is_contiguous(self):
        expected = 1
        for size, stride in zip(reversed(self.sizes), reversed(self.strides)):
            if size != 1 and stride != expected:
                return False
            expected *= size
        return True

    def bytes(self):
        """Each byte that an element has."""
        return {
            self.base + sum(i * stride for i, stride in zip(index, self.strides)) * self.item + k
            for index in itertools.product(*map(range, self.sizes))
            for k in range(self.item)
        }


TENSORS = {
    "contiguous": Tensor((3, 4), (4, 1)),
    "transposed": Tensor((4, 3), (1, 4)),
    "columns": Tensor((3, 2), (4, 2)),
    "block": Tensor((3, 2), (4, 1)),
    "expanded": Tensor((3, 5), (0, 1)),
    "windows": Tensor((4, 3), (1, 1)),
    "wide windows": Tensor((3, 4), (2, 1)),
    "slice of three": Tensor((2, 3, 2), (20, 5, 1)),
    "no elements": Tensor((0, 3), (3, 1)),
    "one element": Tensor((), (), item=2),
    "channels last": Tensor((2, 3, 2, 2), (12, 1, 6, 3)),
}


class TestMemory(unittest.TestCase):
    def test_pieces(self):
        for name, tensor in TENSORS.items():
            with self.subTest(name):
                ranges = runtime.Ranges()
                self.assertTrue(memory.pieces(tensor, ranges))
                pairs = list(zip(ranges.flat[::2], ranges.flat[1::2]))
                self.assertEqual({b for first, end in pairs for b in range(first, end)}, tensor.bytes())
                self.assertEqual(ranges.given()[1], len(pairs))

    def test_one_piece(self):
        for name in ("contiguous", "transposed", "expanded", "windows", "wide windows", "channels last"):
            ranges = runtime.Ranges()
            memory.pieces(TENSORS[name], ranges)
            self.assertEqual(ranges.given()[1], 1, name)

    def test_too_many_pieces(self):
        ranges = runtime.Ranges()
        self.assertFalse(memory.pieces(Tensor((memory.MOST_PIECES + 1,), (2,)), ranges))
        self.assertEqual(ranges.given(), (None, 0))

    def test_dense(self):
        dense = {name for name, tensor in TENSORS.items() if memory.is_dense(tensor)}
        self.assertEqual(dense, {"contiguous", "transposed", "no elements", "one element", "channels last"})

    def test_without_warpgrind(self):
        self.assertFalse(runtime.found())
        warpgrind_torch.load()  # registers nothing: the stand-in could not


class TestAutotune(unittest.TestCase):
    def test_once(self):
        calls = []
        self.assertEqual(autotune.once(lambda: calls.append(1), quantiles=(0.5, 0.2, 0.8)), [0.0] * 3)
        self.assertEqual(autotune.once(lambda: calls.append(1)), [0.0])
        self.assertEqual(len(calls), 2)

    def test_import(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "wg_driver_under_test.py"), "w") as f:
                f.write("class CudaDriver:\n    def get_benchmarker(self):\n        return 'measured'\n")
            before, sys.path = sys.path, [folder, *sys.path]
            try:
                finders = list(sys.meta_path)
                imported.change("wg_driver_under_test", autotune.measure_nothing)
                module = importlib.import_module("wg_driver_under_test")
            finally:
                sys.path = before
        self.assertIs(module.CudaDriver().get_benchmarker(), autotune.once)
        self.assertEqual(sys.meta_path, finders)

    def test_take_first(self):
        class Autotuner:
            def prune_configs(self, configs):
                return configs

            def _bench(self, config):
                return [config] * 3

        autotune.take_first(types.SimpleNamespace(Autotuner=Autotuner))
        never = [float("inf")] * 3
        tuner = Autotuner()
        for _ in range(2):  # each time that it is asked for a configuration
            tuner.prune_configs([float("inf"), 2.0, 1.0])
            self.assertEqual([tuner._bench(c) for c in (float("inf"), 2.0, 1.0)], [never, [2.0] * 3, never])


if __name__ == "__main__":
    unittest.main()
