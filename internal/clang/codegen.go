package clang

import (
	"context"
	"os"
	"runtime"
	"time"

	"github.com/warpgrind/warpgrind/internal/cache"
)

// Codegen compiles kernels' code for this machine.
type Codegen struct {
	// Compiler is the clang to use, "" for the newest; Processor is named as by -march.
	Compiler, Processor string
}

// maxCodegen is a far bound on the time that a compiler takes for a kernel, while the interpreter continues: on a loaded machine
// a minute is not enough.
const maxCodegen = 10 * time.Minute

// command is the program and its options for a language, "ir" (LLVM), "draft" (the same, in as little time as possible) or "c" (without
// a library), and the key of the result in the cache.
func (c Codegen) command(tc *Toolchain, language, text string) (tool string, args []string, key string) {
	target := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[runtime.GOARCH] + "-linux-gnu"
	if language == "draft" {
		tool, args = tc.LLC, c.draftArgs(target)
	} else {
		tool, args = tc.Clang, c.clangArgs(target, language)
	}
	return tool, args, cache.Key(append([]string{"codegen", tc.identity(), text, os.Getenv("PATH")}, args...)...)
}

// draftArgs are for llc, which starts in a third of clang's time.
func (c Codegen) draftArgs(target string) []string {
	args := []string{"-mtriple=" + target, "-filetype=obj", "-O0", "-relocation-model=pic", "-disable-verify", "-o", "-", "-"}
	if runtime.GOARCH == "arm64" {
		return append(args, "-mattr=+reserve-x28,-outline-atomics")
	}
	return append(args, "-mcpu="+c.Processor)
}

func (c Codegen) clangArgs(target, language string) []string {
	args := []string{"--target=" + target, "-x", language, "-c", "-O1", "-march=" + c.Processor, "-fPIC", "-fno-asynchronous-unwind-tables", "-Wno-override-module", "-o", "-", "-"}
	if language == "ir" {
		// The passes on IR take a third of the time, and make a loop of few steps faster at most.
		args = append(args, "-Xclang", "-disable-llvm-passes")
	} else {
		// No call of memcpy or the like, of which there is none.
		args = append(args, "-O2", "-std=c11", "-ffreestanding", "-fno-builtin", "-fno-jump-tables", "-fno-stack-protector", "-fcf-protection=none")
	}
	if runtime.GOARCH == "arm64" {
		// Atomic operations as calls would need compiler-rt. A signal that comes while the code runs finds
		// Go's current goroutine in x28.
		args = append(args, "-mno-outline-atomics", "-ffixed-x28")
	}
	return args
}

// Cached returns the object file that was made of a text before, nil if there is none.
func (c Codegen) Cached(language, text string) []byte {
	tc, err := Find(c.Compiler)
	if err != nil {
		return nil
	}
	_, _, key := c.command(tc, language, text)
	if r, ok := cache.Open().Get(key); ok && !bad(checkMachine(r["object"])) {
		return r["object"]
	}
	return nil
}

// Compile makes an object file of a text, and keeps it in the cache.
func (c Codegen) Compile(language, text string) ([]byte, error) {
	tc, err := Find(c.Compiler)
	if err != nil {
		return nil, err
	}
	ctx, stop := context.WithTimeout(context.Background(), maxCodegen)
	defer stop()
	tool, args, key := c.command(tc, language, text)
	object, diag, err := runTool(ctx, []byte(text), tool, args...)
	if err == nil {
		err = checkMachine(object)
	}
	if err != nil {
		return nil, failed(err, tool, "a kernel's code for this machine", diag)
	}
	cache.Open().Put(key, nil, cache.Result{"object": object})
	return object, nil
}
