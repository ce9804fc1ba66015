"""One operator, executed by PyTorch's kernel for the CPU."""

import torch

from . import memory, places, runtime

# Operators that do not read what they write.
OVERWRITES = {
    "bernoulli_", "cauchy_", "copy_", "exponential_", "fill_", "geometric_", "log_normal_", "normal_", "random_",
    "uniform_", "zero_", "_foreach_copy_", "_foreach_zero_",
}

# Operators that read or write elements of a tensor which others choose, and which arguments that tensor may be.
# Which elements these are is not followed.
CHOOSES = dict.fromkeys((
    "_embedding_bag", "_embedding_bag_forward_only", "_index_put_impl_", "_unsafe_index", "embedding", "embedding_renorm_", "gather", "index",
    "index_add_", "index_copy_", "index_fill_", "index_put_", "index_reduce_", "index_select", "masked_fill_", "masked_scatter_",
    "masked_select", "put_", "scatter_", "scatter_add_", "scatter_reduce_", "take",
), (0,)) | {"where": (1, 2)}

# Operators that take tensors of the CPU beside those of the device.
MIXES = {
    "_ctc_loss", "_ctc_loss_backward", "_foreach_copy_", "_index_put_impl_", "_pack_padded_sequence", "_unsafe_index", "index", "index_put_",
}

NARROW = (torch.float16, torch.bfloat16)


class Operator:
    def __init__(self, name):
        self.name, self.op = name, None

    def prepare(self):
        qualified, _, overload = self.name.partition(".")
        base = qualified.split("::")[1]
        op = getattr(getattr(torch.ops.aten, base), overload or "default")
        schema = op._schema
        self.overwrites, self.chooses, self.mixes = base in OVERWRITES, CHOOSES.get(base, ()), base in MIXES
        self.seeded = torch.Tag.nondeterministic_seeded in op.tags
        self.synchronizes = bool({torch.Tag.data_dependent_output, torch.Tag.dynamic_output_shape} & set(op.tags))
        self.positional = [role(a) for a in schema.arguments if not a.kwarg_only]
        self.named = {a.name: role(a) for a in schema.arguments if a.kwarg_only}
        names = [a.name for a in schema.arguments]
        self.returns = [written(r, schema.arguments, names) for r in schema.returns]
        self.label = qualified.encode()
        self.op = op

    def __call__(self, *args, **kwargs):
        if self.op is None:
            self.prepare()
        call = Call(self)
        for value in (*args, *kwargs.values()):
            call.look(value)
        device = call.where()
        if device.index != torch._C._cuda_getDevice():
            with torch.cuda.device(device):
                return call.run(args, kwargs)
        return call.run(args, kwargs)


def role(argument):
    """How an operator uses a tensor: "in", "inout", or "out" for one whose content and shape do not matter."""
    if argument.alias_info is None or not argument.alias_info.is_write:
        return "in"
    return "out" if argument.kwarg_only else "inout"


def written(result, arguments, names):
    """The index and the name of the argument that a result is, None for a new one."""
    if result.alias_info is None:
        return None
    for i, a in enumerate(arguments):
        if a.alias_info is not None and a.alias_info.before_set == result.alias_info.before_set:
            return i, names[i]
    return None


class Call:
    """One call of an operator."""

    def __init__(self, operator):
        self.operator, self.device, self.other = operator, None, None
        self.views = memory.Views()
        self.reads, self.writes, self.marks = runtime.Ranges(), runtime.Ranges(), runtime.Ranges()
        self.outs = []  # tensors of the device for results, each with the one of the CPU that the kernel writes instead
        self.seed = None

    def look(self, value):
        """Finds the device."""
        if isinstance(value, torch.Tensor):
            if value.is_cuda:
                if self.device is None:
                    self.device = value.device
                elif self.device != value.device:
                    self.other = value.device
            elif value.dim() > 0 and not self.operator.mixes:
                self.other = value.device
        elif isinstance(value, torch.device):
            if self.device is None and value.type == "cuda":
                self.device = value
        elif isinstance(value, (list, tuple)):
            for v in value:
                self.look(v)

    def where(self):
        if self.other is not None and self.device is not None:
            raise RuntimeError(f"Expected all tensors to be on the same device, but found at least two devices, {self.device} and {self.other}!")
        if self.device is None or self.device.index is None:
            self.device = torch.device("cuda", torch.cuda.current_device())
        return self.device

    def run(self, args, kwargs):
        op = self.operator
        stream = torch._C._cuda_getCurrentRawStream(self.device.index)
        if torch.cuda.is_current_stream_capturing():
            raise NotImplementedError(f"warpgrind: {op.name} is executed by the CPU and cannot be captured in a CUDA graph")
        runtime.begin(stream)
        given = [self.host(v, how, i in op.chooses) for i, (v, how) in enumerate(zip(args, op.positional))]
        named = {name: self.host(v, op.named[name], False) for name, v in kwargs.items()}
        results = self.compute(given, named)
        many = isinstance(results, (list, tuple))
        back = [self.result(r, at, args, kwargs) for r, at in zip(results if many else [results], self.slots(results, many))]
        for tensor, values in self.outs:
            self.settle(tensor, values)
        runtime.end(op.label, places.here(), stream, self.reads, self.writes, self.marks)
        if op.synchronizes:
            runtime.check(runtime.synchronize(stream))
        if not op.returns:
            return None
        return type(results)(back) if isinstance(results, list) else tuple(back) if many else back[0]

    def slots(self, results, many):
        returns = self.operator.returns
        if many and len(returns) != len(results):  # one list
            return [None] * len(results)
        return returns or [None]

    def host(self, value, how, chosen):
        """What the kernel for the CPU gets for an argument."""
        if isinstance(value, torch.Tensor):
            return self.tensor(value, how, chosen) if value.is_cuda else value
        if isinstance(value, torch.device):
            return torch.device("cpu")
        if isinstance(value, torch.Generator):
            return self.generator(value) if value.device.type == "cuda" else value
        if isinstance(value, (list, tuple)):
            return [self.host(v, how, chosen) for v in value]
        return value

    def tensor(self, tensor, how, chosen):
        op = self.operator
        self.supported(tensor)
        if how == "out":
            values = torch.empty_strided(tensor.size(), tensor.stride(), dtype=tensor.dtype, device="cpu")
            self.outs.append((tensor, values))
            return values
        if chosen:
            if how == "inout":
                memory.pieces(tensor, self.marks)
        elif how == "in":
            memory.pieces(tensor, self.reads)
        else:
            if not op.overwrites:
                memory.pieces(tensor, self.reads)
            memory.pieces(tensor, self.writes)
        return self.views.of(tensor)

    def supported(self, tensor):
        if tensor.layout != torch.strided or tensor.is_quantized:
            kind = "quantized" if tensor.is_quantized else "sparse"
            raise NotImplementedError(f"warpgrind: {self.operator.name}: {kind} tensors of the device are not supported")

    def generator(self, generator):
        """A generator of the CPU whose numbers follow from the seed and the offset of one of the device."""
        offset = generator.get_offset()
        generator.set_offset(offset + 4)
        self.seed = (generator.initial_seed() * 0x9E3779B97F4A7C15 + offset) & (1 << 63) - 1
        return torch.Generator().manual_seed(self.seed)

    def compute(self, args, kwargs):
        op = self.operator.op
        if not self.operator.seeded or self.seed is not None:
            return self.call(op, args, kwargs)
        before = torch.default_generator.get_state()
        try:
            torch.default_generator.set_state(self.generator(torch.cuda.default_generators[self.device.index]).get_state())
            return self.call(op, args, kwargs)
        finally:
            torch.default_generator.set_state(before)

    def call(self, op, args, kwargs):
        try:
            return op(*args, **kwargs)
        except NotImplementedError:
            wide = Widened()
            args, kwargs = wide.all(args), wide.all(kwargs)
            if not wide.narrow:
                raise
            return wide.narrowed(op(*args, **kwargs))

    def result(self, value, at, args, kwargs):
        """What the caller gets for a result."""
        if isinstance(value, (list, tuple)):
            return [self.result(v, None, args, kwargs) for v in value]
        if not isinstance(value, torch.Tensor):
            return value
        if at is not None:
            i, name = at
            return args[i] if i < len(args) else kwargs[name]
        self.supported(value)
        value = plain(value)
        tensor = torch.empty_strided(value.size(), value.stride(), dtype=value.dtype, device=self.device)
        self.fill(tensor, value)
        return tensor

    def settle(self, tensor, values):
        """Puts what was computed for an argument for a result into it."""
        values = plain(values)
        if tensor.size() != values.size():
            tensor.resize_(values.size())
        if tensor.stride() != values.stride() or not memory.is_dense(values):
            memory.pieces(tensor, self.writes)
            self.views.of(tensor).copy_(values)
            return
        self.fill(tensor, values)

    def fill(self, tensor, values):
        memory.pieces(tensor, self.writes)
        memory.put(tensor, values)


def plain(value):
    """The same values without gaps, overlaps and pending operations."""
    value = value.resolve_conj().resolve_neg()
    return value if memory.is_dense(value) else value.clone(memory_format=torch.contiguous_format)


class Widened:
    """Arguments in single precision, for kernels of the CPU that have no half precision."""

    def __init__(self):
        self.narrow, self.written = None, []

    def all(self, value):
        if isinstance(value, torch.Tensor) and value.dtype in NARROW:
            self.narrow = value.dtype
            wide = value.float()
            self.written.append((value, wide))
            return wide
        if isinstance(value, torch.dtype) and value in NARROW:
            self.narrow = value
            return torch.float32
        if isinstance(value, dict):
            return {k: self.all(v) for k, v in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.all(v) for v in value]
        return value

    def narrowed(self, results):
        for value, wide in self.written:
            if wide._version:
                value.copy_(wide)

        def back(r):
            if isinstance(r, (list, tuple)):
                return type(r)(back(v) for v in r)
            return r.to(self.narrow) if isinstance(r, torch.Tensor) and r.dtype == torch.float32 else r

        return back(results)
