package warp

import (
	"runtime"
	"testing"

	"github.com/warpgrind/warpgrind/internal/clang"
	"github.com/warpgrind/warpgrind/internal/warp/native"
	"github.com/warpgrind/warpgrind/internal/warp/native/llvm"
	"github.com/warpgrind/warpgrind/internal/warp/native/x86"
	"github.com/warpgrind/warpgrind/internal/warp/program"
)

// translator is a way to make code of programs.
type translator interface {
	NewCode(p *program.Program, kept ...int32) *native.Code
}

// testExecutors runs a test with each way to make code of programs.
func testExecutors(t *testing.T, test func(t *testing.T, x translator)) {
	t.Run("direct", func(t *testing.T) {
		if err := (x86.Executor{}).Supported(); err != nil {
			t.Skip(err)
		}
		test(t, x86.Executor{})
	})
	vectors := "avx2"
	if runtime.GOARCH != "amd64" {
		vectors = "go"
	}
	t.Run("llvm", func(t *testing.T) {
		if _, err := clang.Find(""); err != nil {
			t.Skip(err)
		}
		test(t, llvm.Executor{Compiler: llvm.NewCompiler(clang.Codegen{Processor: processors[[2]string{runtime.GOARCH, vectors}]})})
	})
}
