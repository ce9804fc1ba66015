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
// accesses, and leaves out what no other thread can reach.
var watchArgs = []string{
	"-Xclang", "-fsanitize=thread",
	"-mllvm", "-tsan-instrument-func-entry-exit=0",
	"-mllvm", "-tsan-distinguish-volatile=1",
	"-mllvm", "-tsan-compound-read-before-write=1",
}

// sharesMemory finds what makes or names memory that host and device access.
var sharesMemory = regexp.MustCompile(`\b(?:__managed__|cudaMallocManaged|cudaMallocHost|cudaHostAlloc|cudaHostRegister|` +
	`cuMemAllocManaged|cuMemHostAlloc|cuMemAllocHost|cuMemHostRegister)`)

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

// shareMemory reports whether any source of a build shares memory with the
// device: its pointers may reach the others.
func (b *build) shareMemory() (bool, error) {
	for _, src := range b.opts.Sources {
		if !nvcc.LangOf(src).IsSource() {
			continue
		}
		j := &job{tc: b.tc, Unit: Unit{Source: src, Flags: b.flags}}
		args, err := j.watch()
		if err != nil || args != nil {
			return args != nil, err
		}
	}
	return false, nil
}
