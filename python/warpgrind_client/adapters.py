"""Jobs of two common forms of tasks.

By default no host code of a candidate is run: the launches are read from its text. With host=True the judge compiles the C++ function and runs it, in its sandbox,
with tensors of its own. The candidate's Python is never run.
"""

import ast
import re

__all__ = ["CannotJudge", "from_load_inline", "from_definition"]

TYPES = {"float16": "f16", "bfloat16": "bf16", "float32": "f32", "float64": "f64", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
         "uint8": "u8", "bool": "u8", "half": "f16", "float": "f32", "double": "f64"}
SCALARS = {"int": "i32", "unsigned": "u32", "unsigned int": "u32", "int32_t": "i32", "uint32_t": "u32", "long": "i64", "long long": "i64",
           "int64_t": "i64", "size_t": "u64", "uint64_t": "u64", "float": "f32", "double": "f64", "bool": "u8"}


class CannotJudge(ValueError):
    """The text does not have the form that the adapter knows; the message says where."""


def from_load_inline(text, inputs, outputs, reference, scalars=None, function=None, host=False, **fields):
    """A job of Python text that compiles CUDA with load_inline.

    inputs and outputs are {name: (type, shape)} with the names of the C++ function's parameters and of what it returns; scalars are {name: value}.
    reference is the job's: {"source": C++} or {"expected": ...}. Other keywords become fields of the job.
    """
    call = _load_inline(text)
    if host:
        names = call["functions"]
        if function is None and len(names) != 1:
            raise CannotJudge(f"load_inline names {len(names)} functions: want one, named by function")
        source = call["cuda_sources"] + "\n" + call["cpp_sources"]
        job = _host_job(source, function or names[0], inputs, outputs, scalars or {}, reference, fields)
    else:
        job = _job(call["cuda_sources"], function, inputs, outputs, scalars or {}, reference, fields)
    if "class ModelNew" in text:
        job["notes"].append("what ModelNew.forward does in Python around the CUDA function")
    return job


def from_definition(definition, workload, solution, reference=None, host=False, **fields):
    """A job of a definition, a workload and a solution as dicts.

    Without a reference, the definition's own must have been run by the caller: give {"expected": ...} or {"source": C++}.
    """
    if reference is None:
        raise CannotJudge("the definition's reference is Python: give its outputs, or a C++ function")
    axes = {n: a["value"] for n, a in definition["axes"].items() if a["type"] == "const"}
    axes.update(workload.get("axes", {}))
    spec = solution["spec"]
    if spec.get("language", "").lower() not in ("cuda", "cpp"):
        raise CannotJudge(f"the solution is {spec.get('language')}, not CUDA")
    inputs, scalars = {}, {}
    for name, d in definition["inputs"].items():
        given = workload.get("inputs", {}).get(name, {"type": "random"})
        if given["type"] == "scalar":
            scalars[name] = given["value"]
        elif given["type"] == "random":
            inputs[name] = (d["dtype"], list(d["shape"] or []))
        else:
            raise CannotJudge(f"input {name} comes from {given['type']}: give it as data of the job")
    outputs = {name: (d["dtype"], list(d["shape"] or [1])) for name, d in definition["outputs"].items()}
    function = spec["entry_point"].split("::")[-1]
    fields = {"id": solution.get("name", ""), **fields, "shapes": {**axes, **fields.get("shapes", {})}}
    make = _host_job if host else _job
    return make("\n".join(s["content"] for s in solution["sources"]), function, inputs, outputs, scalars, reference, fields)


def _load_inline(text):
    """The texts and the functions that load_inline is given: names, constants, + and lists are followed."""
    try:
        tree = ast.parse(text)
    except SyntaxError as e:
        raise CannotJudge(f"the text is not Python: {e}") from None
    values = {}

    def value(node):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        if isinstance(node, ast.Name) and node.id in values:
            return values[node.id]
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return value(node.left) + value(node.right)
        if isinstance(node, (ast.List, ast.Tuple)):
            return "\n".join(value(e) for e in node.elts)
        raise CannotJudge("an argument of load_inline is not a constant text")

    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            try:
                values[node.targets[0].id] = value(node.value)
            except CannotJudge:
                pass
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) == "load_inline":
            given = {k.arg: k.value for k in node.keywords}
            if "cuda_sources" in given:
                found.append(given)
    if len(found) != 1:
        raise CannotJudge(f"{len(found)} calls of load_inline with cuda_sources: want one")
    given = found[0]
    functions = value(given["functions"]).split("\n") if "functions" in given else []
    return {"cuda_sources": value(given["cuda_sources"]), "cpp_sources": value(given["cpp_sources"]) if "cpp_sources" in given else "", "functions": functions}


def _host_job(source, function, inputs, outputs, scalars, reference, fields):
    """A job whose host function the judge runs: what it takes is read from its parameters, outputs that it does not take are what it returns."""
    found = [h for h in _host_functions(_without_comments(source)) if h.name == function]
    if len(found) != 1:
        raise CannotJudge(f"{len(found)} host functions are called {function}: want one")
    types = {}
    for p in _split(found[0].params):
        p = re.sub(r"=.*$", "", p, flags=re.S).strip()
        name = re.search(r"(\w+)$", p).group(1)
        types[name] = re.sub(r"\bconst\b|[&*]", "", p[:-len(name)]).strip()
    arguments = []
    for role, group in (("input", inputs), ("output", outputs)):
        for name, (dtype, shape) in group.items():
            arguments.append({"name": name, "type": TYPES.get(str(dtype).replace("torch.", ""), dtype), "role": role, "shape": list(shape)})
    for name, v in scalars.items():
        kind = SCALARS.get(" ".join(types.get(name, "").split()), "f32" if isinstance(v, float) else "i32")
        arguments.append({"name": name, "type": kind, "role": "scalar", "value": v})
    known = {a["name"] for a in arguments}
    for name in types:
        if name not in known:
            raise CannotJudge(f"{name} is neither an input nor an output nor a scalar: name it as the C++ function does")
    shapes = {**{n: v for n, v in scalars.items() if isinstance(v, int)}, **fields.pop("shapes", {})}
    return {"version": 1, "source": source, "shapes": shapes, "arguments": arguments, "reference": reference,
            "host": {"function": function, "arguments": list(types), "tensors": True}, **fields, "notes": []}


def _job(source, function, inputs, outputs, scalars, reference, fields):
    text = _without_comments(source)
    host = [h for h in _host_functions(text) if "<<<" in h.body and function in (None, h.name)]
    if len(host) != 1:
        raise CannotJudge(f"{len(host)} host functions launch kernels: want one, named by function")
    env = _Environment(host[0], inputs, outputs, scalars)
    launches, arguments = env.launches()
    shapes = {**env.shapes, **fields.pop("shapes", {})}
    job = {"version": 1, "source": _device_code(source), "shapes": shapes, "arguments": arguments, "launches": launches, "reference": reference, **fields}
    job["notes"] = ["the host code of " + host[0].name + ": streams, copies, and what it does besides the launches"]
    return job


def _without_comments(s):
    return re.sub(r"//[^\n]*|/\*.*?\*/", lambda m: " " if "\n" not in m.group() else "\n", s, flags=re.S)


def _closing(s, at):
    """The index after the bracket that closes the one at s[at]."""
    pairs, depth = {"(": ")", "{": "}", "[": "]"}, 0
    for i in range(at, len(s)):
        depth += (s[i] == s[at]) - (s[i] == pairs[s[at]])
        if depth == 0:
            return i + 1
    raise CannotJudge("a bracket is not closed")


class _Function:
    def __init__(self, name, params, body, start, end):
        self.name, self.params, self.body, self.start, self.end = name, params, body, start, end


def _host_functions(s):
    """The functions of a text that are host code."""
    out = []
    for m in re.finditer(r"\b([A-Za-z_]\w*)\s*\(", s):
        start = max(s.rfind(c, 0, m.start()) for c in ";}") + 1
        start = max(start, s.rfind("\n#", 0, m.start()) and s.find("\n", s.rfind("\n#", 0, m.start()) + 1))
        head = s[start:m.start()]
        if re.search(r"__(global|device)__|[={(,]|\b(return|if|for|while|switch|else)\b", head) or not head.strip():
            continue
        end = _closing(s, m.end() - 1)
        b = re.compile(r"\s*(const|noexcept)?\s*\{").match(s, end)
        if b:
            stop = _closing(s, b.end() - 1)
            out.append(_Function(m.group(1), s[m.end():end - 1], s[b.end():stop - 1], start, stop))
    return out


def _device_code(source):
    """The text without host functions, bindings and the headers of frameworks."""
    s = re.sub(r"^[ \t]*#[ \t]*include[ \t]*[<\"](torch|ATen|c10|pybind11|tvm)[^\n]*$", "", _without_comments(source), flags=re.M)
    for f in reversed(_host_functions(s)):
        s = s[:f.start] + "\n" * s[f.start:f.end].count("\n") + s[f.end:]
    for m in reversed(list(re.finditer(r"\b(PYBIND11_MODULE|TORCH_LIBRARY\w*|TVM_FFI\w*)\s*\(", s))):
        end = _closing(s, m.end() - 1)
        b = re.compile(r"\s*\{").match(s, end)
        end = _closing(s, b.end() - 1) if b else end
        s = s[:m.start()] + "\n" * s[m.start():end].count("\n") + s[end:].lstrip(";")
    return s


def _split(s):
    """The parts of a list at its own commas."""
    out, depth, part = [], 0, ""
    for c in s:
        depth += (c in "([{") - (c in ")]}")
        if c == "," and depth == 0:
            out.append(part.strip())
            part = ""
        else:
            part += c
    return out + [part.strip()] if part.strip() or out else []


class _Environment:
    """The names in a host function, as expressions of the job."""

    def __init__(self, function, inputs, outputs, scalars):
        self.function, self.shapes, self.args, self.used, self.values, self.dims = function, {}, {}, [], {}, {}
        for role, group in (("input", inputs), ("output", outputs)):
            for name, (dtype, shape) in group.items():
                t = TYPES.get(str(dtype).replace("torch.", ""), dtype)
                self.args[name] = {"name": name, "type": t, "role": role, "shape": list(shape)}
        for name, v in scalars.items():
            if isinstance(v, int):
                self.shapes[name] = v
            self.values[name] = v
        self._statements()

    def _statements(self):
        names = r"(?:const\s+)?(?:auto|int|int64_t|int32_t|long|long long|size_t|unsigned|unsigned int|dim3|float|double|torch::Tensor|at::Tensor)"
        for m in re.finditer(r"(?:^|[;{}])\s*" + names + r"\s+([^;<]*?)\s*(?=;)", self.function.body, flags=re.S):
            for part in _split(m.group(1)):
                d = re.match(r"^&?\s*(\w+)\s*(?:=\s*(.*)|\((.*)\))$", part, flags=re.S)
                if not d:
                    continue
                name, text = d.group(1), d.group(2) if d.group(2) is not None else "dim3(" + d.group(3) + ")"
                try:
                    dim = re.match(r"^dim3\s*[({](.*)[)}]$", text.strip(), flags=re.S)
                    if dim:
                        self.dims[name] = [self.expression(p) for p in _split(dim.group(1))]
                    elif not re.search(r"torch::|at::|\.(contiguous|clone|to|data_ptr)\b", text) and name not in self.args:
                        self.values[name] = self.expression(text)
                except CannotJudge:
                    pass  # it matters only where a launch uses it

    def tensor(self, name):
        if name not in self.args:
            raise CannotJudge(f"{name} is neither an input nor an output: name it as the C++ function does")
        return self.args[name]

    def expression(self, s):
        """An integer expression of C++ as one of the job, or a number."""
        s = re.sub(r"\(\s*(?:int|unsigned|int64_t|size_t|long|unsigned int)\s*\)|static_cast\s*<[^>]*>|\bstd::", "", s.strip())
        s = re.sub(r"(?<=\d)[uUlL]+\b", "", s)

        def product(shape):
            return "(" + " * ".join(f"({e})" for e in shape) + ")" if shape else "1"

        s = re.sub(r"(\w+)\.numel\(\)", lambda m: product(self.tensor(m.group(1))["shape"]), s)
        s = re.sub(r"(\w+)\.(?:size|shape)\(\s*(-?\d+)\s*\)|(\w+)\.sizes\(\)\[(\d+)\]",
                   lambda m: f"({self.tensor(m.group(1) or m.group(3))['shape'][int(m.group(2) or m.group(4))]})", s)
        s = re.sub(r"sizeof\s*\(\s*(\w+)\s*\)", lambda m: str(_size(m.group(1))), s)
        if re.fullmatch(r"[+-]?(\d+\.\d*|\.\d+|\d+(\.\d*)?[eE][+-]?\d+)f?", s):
            return float(s.rstrip("f"))

        def name(m):
            n = m.group()
            if n in ("min", "max", "ceil"):
                return n
            if n in self.values:
                v = self.values[n]
                return f"({v})" if not isinstance(v, int) else str(v)
            if any(n in str(e) for a in self.args.values() for e in a["shape"]):
                return n
            raise CannotJudge(f"{n}: what it is is not known from the text of {self.function.name}")

        s = re.sub(r"\b[A-Za-z_]\w*\b", name, s)
        if not re.fullmatch(r"[\w\s+\-*/%(),.]*", s):
            raise CannotJudge(f"{s!r} is not an expression that a job can have")
        return int(s) if re.fullmatch(r"-?\d+", s) else " ".join(s.split())

    def launches(self):
        launches = []
        for m in re.finditer(r"([A-Za-z_][\w:]*(?:\s*<[^<>;]*>)?)\s*<<<(.*?)>>>\s*\(", self.function.body, flags=re.S):
            config = _split(m.group(2))
            end = _closing(self.function.body, m.end() - 1)
            entry = re.sub(r"\bscalar_t\b", "float", "".join(m.group(1).split()))
            l = {"kernel": entry, "grid": self.extent(config[0]), "block": self.extent(config[1]),
                 "arguments": [self.argument(a) for a in _split(self.function.body[m.end():end - 1])]}
            if len(config) > 2 and config[2] != "0":
                l["shared"] = self.expression(config[2])
            if len(config) > 3 and not re.fullmatch(r"0|nullptr|stream|.*[cC]urrent.*[sS]tream.*", config[3], flags=re.S):
                raise CannotJudge(f"a launch in the stream {config[3]}")
            launches.append(l)
        if re.search(r"\b(for|while)\b[^;{]*\{[^}]*<<<", self.function.body):
            raise CannotJudge("a launch in a loop")
        used = {a for l in launches for a in l["arguments"]}
        arrays = [a for n, a in self.args.items()]
        return launches, arrays + [a for a in self.used if a["name"] in used]

    def extent(self, s):
        s = s.strip()
        if s in self.dims:
            return self.dims[s]
        dim = re.match(r"^dim3\s*[({](.*)[)}]$", s, flags=re.S)
        return [self.expression(p) for p in _split(dim.group(1))] if dim else [self.expression(s)]

    def argument(self, s):
        """The name of the job's argument for one of a launch."""
        t = re.match(r"^(?:\(\s*[\w:\s]*\*\s*\)\s*|(?:reinterpret|static|const)_cast\s*<[^()]*>\s*\(\s*)?(\w+)\.(?:(?:mutable_)?data_ptr|data|packed_accessor)\s*(?:<[^()]*>)?\s*\(\s*\)\s*\)?$", s)
        if t:
            return self.tensor(t.group(1))["name"]
        v = self.expression(s)
        kind = "f32" if isinstance(v, float) else self.scalar_type(s)
        name = f"scalar_{len(self.used)}"
        for a in self.used:
            if a["value"] == v and a["type"] == kind:
                return a["name"]
        self.used.append({"name": name, "type": kind, "role": "scalar", "value": v})
        return name

    def scalar_type(self, s):
        d = re.search(r"\b((?:unsigned\s+|long\s+)?[a-z]\w*)\s+" + re.escape(s) + r"\b", self.function.params + ";" + self.function.body)
        declared = " ".join(d.group(1).split()) if d else "int"
        return SCALARS.get(declared, "i32")


def _size(name):
    sizes = {"float": 4, "int": 4, "double": 8, "half": 2, "__half": 2, "char": 1, "float4": 16, "float2": 8, "scalar_t": 4, "int64_t": 8}
    if name not in sizes:
        raise CannotJudge(f"sizeof({name})")
    return sizes[name]
