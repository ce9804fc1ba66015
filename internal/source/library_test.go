package source

import "testing"

func TestLibrary(t *testing.T) {
	for file, want := range map[string]string{
		"/usr/local/cuda/include/thrust/sort.h":                           "thrust/sort.h",
		"/usr/local/cuda/include/cccl/cub/block/block_scan.cuh":           "cub/block/block_scan.cuh",
		"/home/me/.cache/warpgrind/toolkit-16f6/cuda/__driver/api.h":      "cuda/__driver/api.h",
		"/home/me/cccl/libcudacxx/include/cuda/std/__utility/swap.h":      "cuda/std/__utility/swap.h",
		"/home/me/cccl/thrust/thrust/detail/vector_base.h":                "thrust/detail/vector_base.h",
		"third_party/cccl/cub/cub/device/device_scan.cuh":                 "cub/device/device_scan.cuh",
		"/usr/include/cuda/barrier":                                       "cuda/barrier",
		"/home/me/.cache/warpgrind/shim-libraries-1/libraries/cublas/a.h": "cublas/a.h",
		"/home/me/.cache/warpgrind/shim-libraries-1/libraries/host.h":     "host.h",
		"/home/me/libraries/cublas/level1.cu":                             "",
		"/home/me/project/include/cuda/kernels.cuh":                       "",
		"/home/me/cuda/std/a.h":                                           "",
		"thrust/app.cu":                                                   "",
		"/home/me/thrust/main.cu":                                         "",
		"/home/me/.cache/warpgrind/shim-1/include/cuda_runtime.h":         "cuda_runtime.h",
		"/home/me/.cache/warpgrind/shim-1/include/warpgrind/barrier.h":    "warpgrind/barrier.h",
		"": "",
	} {
		if got := Library(file); got != want {
			t.Errorf("Library(%q) = %q, want %q", file, got, want)
		}
	}
}

func TestInLibrary(t *testing.T) {
	cub, app := Pos{File: "/usr/include/cub/device/scan.cuh", Line: 7}, Pos{File: "app.cu", Line: 7}
	for _, x := range []struct {
		at   Location
		want bool
	}{
		{Location{Pos: cub}, true},
		{Location{Pos: cub, InlinedAt: []Pos{cub}}, true},
		{Location{Pos: cub, InlinedAt: []Pos{cub, app}}, false},
		{Location{Pos: app, InlinedAt: []Pos{cub}}, false},
	} {
		if got := x.at.InLibrary(); got != x.want {
			t.Errorf("%v: %v, want %v", x.at, got, x.want)
		}
	}
}
