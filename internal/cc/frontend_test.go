package cc

import (
	"slices"
	"testing"

	"github.com/warpgrind/warpgrind/internal/nvcc"
)

func TestNvccArgs(t *testing.T) {
	const ptx80 = "-gencode=arch=compute_80,code=compute_80"
	for _, c := range []struct{ args, want []string }{
		{[]string{"a.cu"}, []string{"a.cu", "-lineinfo", ptx80}},
		{[]string{"--frontend=nvcc", "--cuda-path", "/x", "-O3", "-arch=sm_90a", "a.cu"},
			[]string{"-O3", "a.cu", "-lineinfo", "-gencode=arch=compute_90,code=compute_90"}},
		{[]string{"-gencode", "arch=compute_75,code=sm_75", "--gpu-architecture", "sm_80", "-c", "a.cu"},
			[]string{"-c", "a.cu", "-lineinfo", ptx80}},
		{[]string{"-ptx", "-arch", "compute_86", "a.cu"}, []string{"-ptx", "a.cu", "-lineinfo", "-arch=compute_86"}},
		{[]string{"-cudart", "static", "-Xcompiler", "-fopenmp", "a.cu"}, []string{"-Xcompiler", "-fopenmp", "a.cu", "-lineinfo", ptx80}},
		{[]string{"-E", "-arch=sm_80", "a.cu"}, []string{"-E", "a.cu"}},
	} {
		cmd, err := nvcc.Parse(c.args)
		if err != nil {
			t.Fatal(err)
		}
		if got := nvccArgs(c.args, cmd); !slices.Equal(got, c.want) {
			t.Errorf("%q: got %q, want %q", c.args, got, c.want)
		}
	}
}
