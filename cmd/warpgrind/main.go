// Command warpgrind checks CUDA programs on machines without a GPU.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/build"
	"github.com/warpgrind/warpgrind/internal/driver"
	"github.com/warpgrind/warpgrind/internal/interrupt"
	"github.com/warpgrind/warpgrind/internal/interrupt/early"
	"github.com/warpgrind/warpgrind/internal/judge"
	"github.com/warpgrind/warpgrind/internal/session"
	"github.com/warpgrind/warpgrind/internal/visible"
)

func main() {
	if judge.IsWorker() {
		early.Leave()
		judge.Enter()
	}
	if isPrivileged() {
		fmt.Fprintln(os.Stderr, "warpgrind: refusing to run with elevated privileges (setuid, setgid or file capabilities)")
		os.Exit(session.ExitUsage)
	}
	if n := descriptors(); n < leastDescriptors {
		fmt.Fprintf(os.Stderr, "warpgrind: not finished: at most %d open files (ulimit -n); at least %d are needed\n", n, leastDescriptors)
		os.Exit(session.ExitUnfinished)
	}
	if !session.ClaimMemory() {
		startAgain()
	}
	os.Unsetenv(startsVariable)
	ctx, stop := early.Context(context.Background())
	defer stop()
	endProfile := startProfile()
	session.CollectLess()
	args, err := arguments(os.Args)
	code := session.ExitUsage
	if err = cmp.Or(err, driver.CheckEnvironment()); err != nil {
		fmt.Fprint(os.Stderr, visible.Log(fmt.Sprintf("warpgrind: %v\n", err)))
	} else {
		code = run(ctx, args, os.Stdin, os.Stdout, os.Stderr)
	}
	endProfile()
	os.Exit(code)
}

// isPrivileged reports whether the process has rights by its file that who started it lacks
// (getauxval(3), AT_SECURE).
func isPrivileged() bool {
	const secure = 23
	values, err := unix.Auxv()
	return err != nil || slices.ContainsFunc(values, func(v [2]uintptr) bool { return v[0] == secure && v[1] != 0 })
}

// leastDescriptors is how many open files a run needs. With fewer not even Go's runtime may start.
const leastDescriptors = 16

// descriptors is how many files the process may have open.
func descriptors() uint64 {
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &l) != nil {
		return leastDescriptors
	}
	return l.Cur
}

// startsVariable counts how often the process has been started again.
const startsVariable = "WARPGRIND_STARTS"

// deathSignal is the signal that comes when the parent ends, 0 for none. Packages are initialized on the process's first thread, which has it.
var deathSignal = func() uintptr {
	var s int32
	_ = unix.Prctl(unix.PR_GET_PDEATHSIG, uintptr(unsafe.Pointer(&s)), 0, 0, 0)
	return uintptr(s)
}()

// startAgain replaces the process by a new one of the same kind, a few times at most.
func startAgain() {
	const most = 8
	n, _ := strconv.Atoi(os.Getenv(startsVariable))
	if n < most && os.Setenv(startsVariable, strconv.Itoa(n+1)) == nil {
		early.Leave()
		// The thread that calls execve becomes the process's first, and keeps what is set for itself.
		runtime.LockOSThread()
		_ = unix.Prctl(unix.PR_SET_PDEATHSIG, deathSignal, 0, 0, 0)
		_ = syscall.Exec("/proc/self/exe", os.Args, os.Environ())
	}
}

// startProfile writes a CPU profile to the file that WARPGRIND_CPUPROFILE
// names, until the function it returns is called.
func startProfile() (end func()) {
	name := os.Getenv("WARPGRIND_CPUPROFILE")
	if name == "" {
		return func() {}
	}
	f, err := os.Create(name)
	if err == nil {
		err = pprof.StartCPUProfile(f)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "warpgrind: no profile: %v\n", err)
		return func() {}
	}
	return func() {
		pprof.StopCPUProfile()
		if err := f.Close(); err != nil {
			fmt.Fprintf(os.Stderr, "warpgrind: no profile: %v\n", err)
		}
	}
}

// run is the command with its surroundings passed in. It returns the exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) (code int) {
	defer func() {
		if p := recover(); p != nil {
			fmt.Fprint(stderr, visible.Log(fmt.Sprintf("warpgrind: bug in warpgrind: %v\n", p)))
			if os.Getenv("WARPGRIND_DEBUG") != "" {
				stderr.Write(debug.Stack())
			}
			code = session.ExitBug
		}
	}()
	c := command{stdin: stdin, stdout: stdout, stderr: stderr}
	root := c.root()
	if len(args) > 0 && args[0] == "compute-sanitizer" {
		args = slices.Concat(args[:1], joinToggles(args[1:]))
	}
	root.SetArgs(longFlags(args))
	err := root.ExecuteContext(ctx)
	var usage *build.UsageError
	switch {
	case err == nil:
		return c.code
	case ctx.Err() != nil: // what ends by that returns errors of all kinds
		fmt.Fprintln(stderr, "warpgrind: interrupted")
		return interrupt.ExitCode(ctx)
	case errors.Is(err, context.DeadlineExceeded):
		fmt.Fprintln(stderr, "warpgrind: not finished: the time limit was exceeded")
		return session.ExitUnfinished
	case errors.As(err, &usage):
		fmt.Fprint(stderr, visible.Log(fmt.Sprintf("warpgrind: %v\n", err)))
		return session.ExitUsage
	}
	if build.Unfinished(err) {
		fmt.Fprint(stderr, visible.Log(fmt.Sprintf("warpgrind: not finished: %v\n", err)))
		return session.ExitUnfinished
	}
	fmt.Fprint(stderr, visible.Log(fmt.Sprintf("warpgrind: bug in warpgrind: %v\n", err)))
	return session.ExitBug
}
