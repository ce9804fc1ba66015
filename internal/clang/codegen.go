package clang

import (
	"context"
	"os"
	"runtime"

	"github.com/warpgrind/warpgrind/internal/cache"
)

// Codegen compiles LLVM IR to an object file for a processor of this machine's kind, named as
// by -march. It keeps what it makes in the cache.
func (tc *Toolchain) Codegen(ctx context.Context, ir, processor string) ([]byte, error) {
	target := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH] + "-linux-gnu"
	args := []string{"--target=" + target, "-x", "ir", "-c", "-O1", "-march=" + processor, "-fPIC", "-fno-asynchronous-unwind-tables", "-Wno-override-module", "-o", "-", "-"}
	if runtime.GOARCH == "arm64" {
		// Atomic operations as calls would need compiler-rt. A signal that comes while the code runs finds
		// Go's current goroutine in x28.
		args = append(args, "-mno-outline-atomics", "-ffixed-x28")
	}
	store := cache.Open()
	key := cache.Key(append([]string{"codegen", tc.identity(), ir, os.Getenv("PATH")}, args...)...)
	if r, ok := store.Get(key); ok && !bad(checkMachine(r["object"])) {
		return r["object"], nil
	}
	object, diag, err := runTool(ctx, []byte(ir), tc.Clang, args...)
	if err == nil {
		err = checkMachine(object)
	}
	if err != nil {
		return nil, failed(err, tc.Clang, "a kernel's code for this machine", diag)
	}
	store.Put(key, nil, cache.Result{"object": object})
	return object, nil
}
