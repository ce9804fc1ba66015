package warp

import (
	"runtime"
	"testing"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/warp/native"
)

// testExecutors runs a test with each way to make code of programs.
func testExecutors(t *testing.T, test func(t *testing.T, x native.Executor)) {
	t.Run("direct", func(t *testing.T) {
		if err := (native.Executor{}).Supported(); err != nil {
			t.Skip(err)
		}
		test(t, native.Executor{})
	})
	vectors := "avx2"
	if runtime.GOARCH != "amd64" {
		vectors = "go"
	}
	t.Run("llvm", func(t *testing.T) {
		if _, err := clang.Find(""); err != nil {
			t.Skip(err)
		}
		test(t, native.Executor{Compiler: native.NewCompiler(clang.Codegen{Processor: processors[[2]string{runtime.GOARCH, vectors}]})})
	})
}
