package warp

import (
	"context"
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
		tc, err := clang.Find("")
		if err != nil {
			t.Skip(err)
		}
		test(t, native.Executor{Compiler: native.NewCompiler(func(language, text string) ([]byte, error) {
			return tc.Codegen(context.Background(), language, text, processors[[2]string{runtime.GOARCH, vectors}])
		})})
	})
}
