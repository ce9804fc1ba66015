package clang

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/fallback"
	"github.com/warpgrind/warpgrind/internal/scratch"
)

// LinkJob is a program or shared library to link.
type LinkJob struct {
	Output string
	// Args are the linker's inputs and options, in order.
	Args []string
	// Host are options of the host compiler, which nvcc passes to it when it links as well: -fsanitize, --coverage, -v.
	// Those that clang does not know are left out, as they are where it compiles.
	Host []string
	// Made holds the content of those inputs that were made for this link;
	// their names differ from run to run.
	Made map[string][]byte
}

// Link links, or finds what an earlier run made of the same inputs, and returns what the linker had to
// say. The error of a link that failed is a *CompileError.
func (tc *Toolchain) Link(ctx context.Context, l LinkJob) (diagnostics string, err error) {
	store := cache.Open()
	key := tc.linkKey(l)
	if r, ok := store.Get(key); ok && !bad(checkObject(r["program"])) {
		return "", WriteProgram(l.Output, r["program"])
	}
	dir, remove, err := scratch.Dir()
	if err != nil {
		return "", err
	}
	defer remove()
	list := filepath.Join(dir, "link.d")
	diag, err := tc.runKnown(ctx, &l, "-Wl,--dependency-file="+list)
	if err != nil && strings.Contains(string(diag), "--dependency-file") { // an old linker
		diag, err = tc.runKnown(ctx, &l)
	}
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if err != nil {
		return "", refused("", "link", err, string(diag))
	}
	if len(diag) == 0 { // else it is said again the next time
		keepLinked(store, key, l, list)
	}
	return string(diag), nil
}

// runKnown links without those of the host compiler's options that clang refuses.
func (tc *Toolchain) runKnown(ctx context.Context, l *LinkJob, more ...string) ([]byte, error) {
	for {
		diag, err := tc.runLink(ctx, *l, more...)
		if err == nil || ctx.Err() != nil {
			return diag, err
		}
		known := knownOptions(l.Host, string(diag))
		if len(known) == len(l.Host) {
			return diag, err
		}
		l.Host = known
	}
}

func (tc *Toolchain) runLink(ctx context.Context, l LinkJob, more ...string) ([]byte, error) {
	args := slices.Concat([]string{"-o", l.Output, "-Wno-unused-command-line-argument"}, l.Host, l.Args, more)
	if slices.ContainsFunc(l.Args, choosesLinker) {
		_, diag, err := runTool(ctx, nil, tc.Clang, args...)
		return diag, err
	}
	lld, why := tc.lld()
	if why == nil {
		_, diag, err := runTool(ctx, nil, tc.Clang, append([]string{"--ld-path=" + lld}, args...)...)
		if err == nil || ctx.Err() != nil {
			return diag, err
		}
		why = fmt.Errorf("%s: %w: %s", lld, err, firstLine(diag))
	}
	// What LLD refuses, or does not know, is for the system's linker to judge.
	_, diag, err := runTool(ctx, nil, tc.Clang, args...)
	if err == nil {
		fallback.Took(fallback.Linker, fmt.Errorf("the system's linker: %w", why))
	}
	return diag, err
}

// lld returns the path of the LLD that belongs to the clang, or why there is none. It links the runtime
// library in a third of the time that GNU ld takes.
func (tc *Toolchain) lld() (string, error) {
	real, err := filepath.EvalSymlinks(tc.Clang)
	if err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(real), "ld.lld")
	_, err = os.Stat(path)
	return path, err
}

func firstLine(diag []byte) string {
	first, _, _ := strings.Cut(string(diag), "\n")
	return first
}

func choosesLinker(arg string) bool { return hasAnyPrefix(arg, []string{"-fuse-ld", "--ld-path"}) }

// keepLinked puts what was linked into the cache, unless the linker did not
// say from what.
func keepLinked(store *cache.Store, key string, l LinkJob, list string) {
	if store == nil {
		return
	}
	text, err := os.ReadFile(list)
	if err != nil {
		return
	}
	inputs, err := parseDepFile(string(text))
	if err != nil {
		return
	}
	program, err := os.ReadFile(l.Output)
	if err != nil || checkObject(program) != nil { // a script of the linker's may write another format
		return
	}
	var files []string
	for _, f := range inputs {
		if _, made := l.Made[f]; !made {
			files = append(files, f)
		}
	}
	store.Put(key, files, cache.Result{"program": program})
}

// linkKey names all that a link depends on, but for the content of files.
func (tc *Toolchain) linkKey(l LinkJob) string {
	lld, _ := tc.lld()
	parts := []string{"link", tc.identity(), fileID(lld), pipeline(), os.Getenv("LIBRARY_PATH"), os.Getenv("PATH")}
	if dir, err := os.Getwd(); err == nil {
		parts = append(parts, dir)
	}
	parts = append(parts, l.Host...)
	for _, a := range l.Args {
		if data, made := l.Made[a]; made {
			a = cache.Key(string(data))
		}
		parts = append(parts, a)
	}
	return cache.Key(parts...)
}
