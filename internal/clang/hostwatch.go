package clang

import (
	"regexp"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/nvcc"
)

// Host code of programs with memory that both sides access tells the runtime
// of its accesses (shim/runtime/hostwatch.cpp). The compiler's pass for
// ThreadSanitizer puts the calls there: it knows volatile, atomic and compound
// accesses, and leaves out what no other thread can reach. It passes over vectors of
// more than 16 bytes, so that none are made.
var watchArgs = []string{
	"-Xclang", "-fsanitize=thread",
	"-mllvm", "-tsan-instrument-func-entry-exit=0",
	"-mllvm", "-tsan-distinguish-volatile=1",
	"-mllvm", "-tsan-compound-read-before-write=1",
	"-fno-vectorize", "-fno-slp-vectorize",
}

// sharesMemory finds what makes or names memory that host and device access.
var sharesMemory = regexp.MustCompile(`\b(?:__managed__|cudaMallocManaged|cudaMallocHost|cudaHostAlloc|cudaHostRegister|` +
	`cuMemAllocManaged|cuMemHostAlloc|cuMemAllocHost|cuMemHostRegister)`)

// WrapArgs are the options with which the linker lets the runtime see what the
// C library does for a program's code (shim/runtime/hostwatch_libc.cpp), and which
// libraries it opens (shim/runtime/dlopen.cpp).
func WrapArgs() (args []string) {
	for _, f := range []string{"fread", "fwrite", "read", "write", "memcmp", "bcmp", "dlopen"} {
		args = append(args, "-Wl,--wrap="+f)
	}
	return args
}

// watch returns the options that make host code tell its accesses; none where
// the unit shares no memory with the device, or where the user has a sanitizer
// of his own.
func (j *job) watch() ([]string, error) {
	if slices.ContainsFunc(j.Flags.Host, func(o string) bool { return strings.HasPrefix(o, "-fsanitize") }) {
		return nil, nil
	}
	shares := j.SharesMemory
	if !shares {
		files, err := j.userFiles()
		if err != nil {
			return nil, err
		}
		shares = slices.ContainsFunc(files, func(f userFile) bool { return sharesMemory.Match(f.text) })
	}
	if !shares {
		return nil, nil
	}
	return watchArgs, nil
}

// SharesMemory reports whether any of a program's sources shares memory with the
// device: its pointers may reach the others. Sources that cannot be read are left
// to the compiler.
func (tc *Toolchain) SharesMemory(sources []string, flags Flags) bool {
	return slices.ContainsFunc(sources, func(src string) bool {
		if !nvcc.LangOf(src).IsSource() {
			return false
		}
		j := &job{tc: tc, Unit: Unit{Source: src, Flags: flags}}
		args, err := j.watch()
		return err == nil && args != nil
	})
}
