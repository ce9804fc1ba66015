package clang

import (
	"context"
	"os"
	"runtime"

	"github.com/warpgrind/warpgrind/internal/cache"
)

// Codegen compiles a text in a language, LLVM IR ("ir") or C without a library ("c"), to an object file for a processor of this
// machine's kind, named as by -march. It keeps what it makes in the cache.
func (tc *Toolchain) Codegen(ctx context.Context, language, text, processor string) ([]byte, error) {
	target := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH] + "-linux-gnu"
	args := []string{"--target=" + target, "-x", language, "-c", "-O1", "-march=" + processor, "-fPIC", "-fno-asynchronous-unwind-tables", "-Wno-override-module", "-o", "-", "-"}
	if language == "c" {
		// No call of memcpy or the like, of which there is none.
		args = append(args, "-O2", "-std=c11", "-ffreestanding", "-fno-builtin", "-fno-jump-tables", "-fno-stack-protector", "-fcf-protection=none")
	}
	if runtime.GOARCH == "arm64" {
		// Atomic operations as calls would need compiler-rt. A signal that comes while the code runs finds
		// Go's current goroutine in x28.
		args = append(args, "-mno-outline-atomics", "-ffixed-x28")
	}
	store := cache.Open()
	key := cache.Key(append([]string{"codegen", tc.identity(), text, os.Getenv("PATH")}, args...)...)
	if r, ok := store.Get(key); ok && !bad(checkMachine(r["object"])) {
		return r["object"], nil
	}
	object, diag, err := runTool(ctx, []byte(text), tc.Clang, args...)
	if err == nil {
		err = checkMachine(object)
	}
	if err != nil {
		return nil, failed(err, tc.Clang, "a kernel's code for this machine", diag)
	}
	store.Put(key, nil, cache.Result{"object": object})
	return object, nil
}
