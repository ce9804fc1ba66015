package mcp

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/warpgrind/warpgrind/internal/cache"
	"github.com/warpgrind/warpgrind/internal/judge"
	"github.com/warpgrind/warpgrind/internal/sandbox"
)

// Bounds of a command in the sandbox.
const (
	memoryLimit = 8 << 30
	// Files, the device memory of programs among them, count as memory, and are measured before there are too many.
	filesLimit  = memoryLimit + 1<<30
	arenaLimit  = 2 << 40
	processes   = 512
	outputLimit = 16 << 20
)

// runner runs commands of this executable in a sandbox.
type runner struct {
	box   sandbox.Box
	exe   string
	cache string
	// compiler are the directories of the compiler and the system's libraries.
	compiler []string
}

func newRunner(allowWeak bool) (r *runner, remove func(), err error) {
	r = &runner{}
	if r.exe, err = os.Executable(); err != nil {
		return nil, nil, err
	}
	if r.compiler, err = judge.CompilerDirs(""); err != nil {
		return nil, nil, err
	}
	if r.cache, err = cache.Dir(); err != nil {
		return nil, nil, err
	}
	dir, err := os.MkdirTemp("", "warpgrind-mcp-")
	if err != nil {
		return nil, nil, err
	}
	r.box.Dir, r.box.AllowWeak = filepath.Join(dir, "root"), allowWeak
	if err := os.Mkdir(r.box.Dir, 0o700); err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	return r, func() { os.RemoveAll(dir) }, nil
}

// outcome is what a command wrote, and its exit code.
type outcome struct {
	stdout, stderr string
	exit           int
}

// run runs a command, which may read the files below some directories.
func (r *runner) run(ctx context.Context, limit time.Duration, read []string, args ...string) (*outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	stdout, stderr := &bounded{most: outputLimit}, &bounded{most: outputLimit}
	s := sandbox.Spec{
		Path: r.exe,
		Args: append([]string{"warpgrind"}, args...),
		Env:  []string{"PATH=/usr/bin:/bin", "HOME=/", "WARPGRIND_CACHE_DIR=" + r.cache},
		Read: slices.Concat([]string{r.exe, r.cache}, r.compiler, read),
		// Program and engine talk through one.
		LocalSockets:  true,
		SharedOnFiles: true,
		// Processor time counts on all cores; the call's own limit is that of the clock.
		Limits: sandbox.Limits{Data: memoryLimit, CPU: time.Duration(runtime.NumCPU()) * (limit + time.Second), Files: filesLimit, MemoryFile: arenaLimit, Processes: processes},
	}
	p, err := r.box.Start(s, nil, stdout, stderr)
	if err != nil {
		return nil, err
	}
	err = p.Wait(ctx, memoryLimit)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("stopped after %v, the time limit of this call", limit)
	case errors.Is(err, context.Canceled):
		return nil, errors.New("canceled")
	case errors.Is(err, sandbox.ErrMemory):
		return nil, fmt.Errorf("stopped: more than %d GB of memory", memoryLimit>>30)
	case errors.Is(err, sandbox.ErrThreads):
		return nil, fmt.Errorf("stopped: more than %d processes and threads", processes)
	case sandbox.Signal(err) != 0:
		return nil, fmt.Errorf("ended by signal %d: %s", sandbox.Signal(err), tail(stderr.String(), messageBytes))
	}
	o := &outcome{stdout: stdout.String(), stderr: stderr.String()}
	var exit interface{ ExitCode() int }
	if errors.As(err, &exit) {
		o.exit = exit.ExitCode()
	} else if err != nil {
		return nil, err
	}
	return o, nil
}

// bounded keeps the first bytes that are written, and drops the rest.
type bounded struct {
	strings.Builder
	most int
}

func (b *bounded) Write(p []byte) (int, error) {
	b.Builder.Write(p[:min(len(p), b.most-b.Len())])
	return len(p), nil
}

// tail is the end of a text, from the start of a line on where there is one.
func tail(s string, most int) string {
	if len(s) <= most {
		return s
	}
	s = s[len(s)-most:]
	if _, rest, ok := strings.Cut(s, "\n"); ok && rest != "" {
		s = rest
	}
	return "...\n" + strings.ToValidUTF8(s, "?")
}
