package judge

import (
	_ "embed"
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/nvrtc"
)

// PyTorch's C++ interface as far as candidates get it. What tensor.h lacks is to be called unsupported and not the candidate's error. Of
// operators, tensor_names.h knows all names, and the program says which it calls; other names are known by where they stand.

//go:embed tensor.h
var tensorText string

//go:embed tensor_ops.h
var tensorOps string

//go:embed tensor_names.h
var tensorNames string

//go:embed tensor_math.h
var tensorMath string

// tensorHeader is the header that has all.
const tensorHeader = "torch/extension.h"

// tensorHeaders are the headers' texts by the names by which sources include them.
func tensorHeaders() map[string]string {
	all := "#include <" + tensorHeader + ">\n"
	out := map[string]string{tensorHeader: tensorText, "torch/tensor_ops.h": tensorOps, "torch/tensor_names.h": tensorNames,
		"c10/cuda/CUDAMathCompat.h": tensorMath, "ATen/cuda/CUDAMathCompat.h": "#include <c10/cuda/CUDAMathCompat.h>\n",
		"ATen/cuda/CUDAContext.h": all + cublasHandle, "ATen/cuda/CUDABlas.h": all + cublasHandle}
	for _, name := range []string{"torch/torch.h", "torch/types.h", "torch/all.h", "torch/script.h", "torch/library.h", "torch/csrc/utils/pybind.h", "torch/python.h",
		"ATen/ATen.h", "ATen/AccumulateType.h", "ATen/Dispatch.h", "ATen/DeviceGuard.h", "ATen/core/Tensor.h", "ATen/core/TensorAccessor.h", "ATen/cuda/Atomic.cuh",
		"ATen/cuda/CUDAContextLight.h", "ATen/cuda/Exceptions.h", "c10/core/ScalarType.h", "c10/core/Device.h", "c10/core/DeviceGuard.h", "c10/core/MemoryFormat.h",
		"c10/cuda/CUDAException.h", "c10/cuda/CUDAFunctions.h", "c10/cuda/CUDAGuard.h", "c10/cuda/CUDAMacros.h", "c10/cuda/CUDAStream.h", "c10/macros/Macros.h",
		"c10/util/BFloat16.h", "c10/util/Exception.h", "c10/util/Half.h", "c10/util/Optional.h", "pybind11/pybind11.h", "pybind11/stl.h"} {
		out[name] = all
	}
	return out
}

// cublasHandle is apart from the rest: cublas_v2.h takes time to compile.
const cublasHandle = `#include <cublas_v2.h>
namespace at::cuda {
inline cublasHandle_t getCurrentCUDABlasHandle() {
  static cublasHandle_t handle = [] { cublasHandle_t h = nullptr; cublasCreate(&h); return h; }();
  return handle;
}
} // namespace at::cuda
`

// includesTorch is a line that includes a header of PyTorch's.
var includesTorch = regexp.MustCompile(`(?m)^\s*#\s*include\s*[<"](?:` + torchFolders + `)/`)

const torchFolders = "torch|ATen|c10|caffe2|pybind11"

var (
	torchHeader = regexp.MustCompile(`^(?:` + torchFolders + `)/`)
	// torchScope is what ends before a name that is looked up in a namespace of PyTorch's.
	torchScope = regexp.MustCompile(`(?:^|[^\w:])(?:::\s*)?(?:torch|at|c10|caffe2|pybind11|py)\s*::\s*(?:\w+\s*::\s*)*$`)
	// torchMacro is how PyTorch's macros are called.
	torchMacro = regexp.MustCompile(`^(?:AT|TORCH|C10|PYBIND11|CAFFE2)_\w+`)
	identifier = regexp.MustCompile(`^[A-Za-z_]\w*`)
	usesTorch  = regexp.MustCompile(`(?m)^\s*using\s+namespace\s+(?:torch|at|c10)\b`)
)

// absentTorch names what of PyTorch's interface a source uses that the headers lack, if that is the first thing that the compiler
// rejects: a header that is not there, or a name that stands after a namespace of PyTorch's or is called as its macros are. "" where
// the source is to blame.
func absentTorch(c *nvrtc.Compiled, text string) string {
	if !includesTorch.MatchString(text) {
		return ""
	}
	if c.Missing != "" {
		if torchHeader.MatchString(c.Missing) {
			return c.Missing
		}
		return ""
	}
	lines := strings.Split(text, "\n")
	if len(c.Errors) == 0 || c.Errors[0].File != candidateFile || c.Errors[0].Line < 1 || c.Errors[0].Line > len(lines) {
		return ""
	}
	line, col := lines[c.Errors[0].Line-1], c.Errors[0].Col-1
	if col < 0 || col >= len(line) {
		return ""
	}
	name := identifier.FindString(line[col:])
	if scope := torchScope.FindString(line[:col]); scope != "" && name != "" {
		return strings.TrimLeft(scope, " \t(,=<&!{;") + name
	}
	if torchMacro.MatchString(name) || usesTorch.MatchString(text) && slices.Contains(tensorOperators(), name) {
		return name
	}
	return ""
}

var operatorName = regexp.MustCompile(`X\((\w+), \d`)

// tensorOperators are the names of tensor_names.h.
func tensorOperators() (names []string) {
	for _, m := range operatorName.FindAllStringSubmatch(tensorNames, -1) {
		names = append(names, m[1])
	}
	return names
}
