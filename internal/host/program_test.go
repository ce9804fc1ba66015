package host

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/arch"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/tooltest"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// buildDir holds the shim's library and the test programs, built once.
var buildDir string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "warpgrind-host-test-")
	if err != nil {
		panic(err)
	}
	buildDir = dir
	code := tooltest.Main(m)
	os.RemoveAll(dir)
	os.Exit(code)
}

func compiler() string {
	for _, c := range []string{"clang++-19", "clang++", "g++"} {
		if p, err := exec.LookPath(c); err == nil {
			return p
		}
	}
	return ""
}

func compile(args ...string) error {
	cmd := exec.Command(compiler(), append([]string{"-std=c++17", "-g1", "-O1", "-Wall", "-I../shim/include"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		return fmt.Errorf("%s: %v\n%s", cmd, err, out)
	}
	return nil
}

// wrapped are functions of the C library that the shim stands in front of.
var wrapped = regexp.MustCompile(`(?m)^\S.* \*?__wrap_(\w+)\(`)

// library compiles the shim as the front end does, and returns what to link.
var library = sync.OnceValues(func() ([]string, error) {
	sources, _ := filepath.Glob("../shim/runtime/*.cpp")
	objects := make([]string, len(sources))
	errs := make([]error, len(sources))
	flags := []string{"-D__WG_RUNTIME__", "-Werror", "-Wextra", "-Wno-deprecated-declarations", "-g0", "-O0"}
	if strings.Contains(compiler(), "clang") { // GCC looks for precompiled headers in another way
		headers := filepath.Join(buildDir, "headers.pch")
		if err := compile(append(slices.Clone(flags), "-Xclang", "-fpch-instantiate-templates", "-x", "c++-header", "../shim/runtime/precompiled.h", "-o", headers)...); err != nil {
			return nil, err
		}
		flags = append(flags, "-include-pch", headers)
	}
	var wg sync.WaitGroup
	turns := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, src := range sources {
		objects[i] = filepath.Join(buildDir, strings.TrimSuffix(filepath.Base(src), ".cpp")+".o")
		wg.Go(func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			errs[i] = compile(append(slices.Clone(flags), "-c", src, "-o", objects[i])...)
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	for _, src := range sources {
		text, err := os.ReadFile(src)
		if err != nil {
			return nil, err
		}
		for _, m := range wrapped.FindAllSubmatch(text, -1) {
			objects = append(objects, "-Wl,--wrap="+string(m[1]))
		}
	}
	return objects, nil
})

var (
	programMu sync.Mutex
	programs  = map[string]string{}
)

// program builds testdata/name.cpp and returns the executable.
func program(t *testing.T, name string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("builds the runtime library; not in short mode")
	}
	if compiler() == "" {
		t.Skip("no C++ compiler")
	}
	objects, err := library()
	if err != nil {
		t.Fatal(err)
	}
	programMu.Lock()
	defer programMu.Unlock()
	if programs[name] == "" {
		exe := filepath.Join(buildDir, name)
		args := append([]string{"-o", exe, filepath.Join("testdata", name+".cpp"), "-pthread"}, objects...)
		if err := compile(args...); err != nil {
			t.Fatal(err)
		}
		programs[name] = exe
	}
	return programs[name]
}

// session is one run of a program and what the hooks were told.
type session struct {
	exit           Exit
	stdout, stderr string
	log            []string
	arena          *mem.Arena
	server         *Server
}

func (s *session) logf(format string, args ...any) {
	s.log = append(s.log, fmt.Sprintf(format, args...))
}

func (s *session) has(prefix string) bool {
	for _, l := range s.log {
		if strings.HasPrefix(l, prefix) {
			return true
		}
	}
	return false
}

func (s *session) hooks() Hooks {
	return Hooks{
		APIError:    func(e APIError) { s.logf("misuse %s %s %s: %s", e.Call, e.Where, e.Code, e.Detail) },
		Rejected:    func(r *trace.RejectedLaunch) { s.logf("rejected %s %s: %s", r.Kernel, r.Error, r.Message) },
		Unsupported: func(what string) { s.logf("unsupported %s", what) },
		BadModule:   func(name string, err error) { s.logf("bad module %s: %v", name, err) },
		Internal:    func(err error) { s.logf("internal %v", err) },
		Leaks: func(as []*mem.Allocation) {
			for _, al := range as {
				s.logf("leak of %d bytes by %s", al.Size, al.Where)
			}
		},
		HostAccess: func(_ uint64, al *mem.Allocation, where string) {
			s.logf("host access at %s of %s", where, al.Where)
		},
		Launch: func(l *LaunchInfo) { s.logf("launch %d %s %s", l.ID, l.Kernel, l.Where) },
		Copy: func(c *Copy) {
			if c.Dst.Width == 40 {
				s.logf("copy at %s", c.Where)
			}
		},
	}
}

// run runs a test program under a server with the fake engine.
func run(t *testing.T, ctx context.Context, name string, args ...string) *session {
	t.Helper()
	exe := program(t, name)
	return runExe(t, ctx, exe, args...)
}

// runExe is run for any executable.
func runExe(t *testing.T, ctx context.Context, exe string, args ...string) *session {
	t.Helper()
	arena, err := mem.New(1 << 32)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { arena.Close() })
	a, err := arch.Parse("sm_80")
	if err != nil {
		t.Fatal(err)
	}
	s := &session{arena: arena}
	return s.runIn(t, ctx, Config{Arena: arena, Arch: a, Runner: &fakeRunner{arena: arena}, Hooks: s.hooks()}, exe, args...)
}

// runIn runs a program under a server of a configuration.
func (s *session) runIn(t *testing.T, ctx context.Context, cfg Config, exe string, args ...string) *session {
	t.Helper()
	var err error
	s.server = New(cfg)
	var out, errOut bytes.Buffer
	s.exit, err = Run(ctx, Program{Exe: exe, Args: args, Stdout: &out, Stderr: &errOut}, s.server)
	if err != nil {
		t.Fatal(err)
	}
	s.stdout, s.stderr = out.String(), errOut.String()
	if n := len(s.arena.Live()); n > 0 && !s.exit.Canceled { // otherwise the arena goes
		t.Errorf("%d allocations live after the program ended", n)
	}
	return s
}

func (s *session) wantOK(t *testing.T) {
	t.Helper()
	if s.exit.Code != 0 || s.exit.Signal != 0 {
		t.Errorf("exit %+v\nstdout:\n%s\nstderr:\n%s\nlog: %s", s.exit, s.stdout, s.stderr, strings.Join(s.log, "\n"))
	}
}

func TestWellBehaved(t *testing.T) {
	s := run(t, t.Context(), "basic")
	s.wantOK(t)
	for _, l := range s.log {
		if !strings.HasPrefix(l, "launch ") {
			t.Errorf("reported: %s", l)
		}
	}
	want := "start\nlaunched\ndevice says hello\nsynchronized\nok\ndevice says hello\n"
	if s.stdout != want {
		t.Errorf("stdout %q, want %q", s.stdout, want)
	}
	if s.server.Processes() != 1 || s.server.Launches() != 8 {
		t.Errorf("%d processes, %d launches", s.server.Processes(), s.server.Launches())
	}
}

func TestMisuse(t *testing.T) {
	s := run(t, t.Context(), "misuse")
	s.wantOK(t)
	if os.Getenv("WARPGRIND_SHOW") != "" {
		t.Log(strings.Join(s.log, "\n"))
	}
	all := strings.Join(s.log, "\n")
	for _, want := range []string{
		"cudaMemset testdata/misuse.cpp:27 cudaErrorInvalidValue: the destination is host memory, but cudaMemset needs device memory there",
		"goes 1 byte beyond the 64 bytes of cudaMalloc #1 at testdata/misuse.cpp:9",
		"lies in the 64 bytes of cudaMalloc #1",
		"which were freed by cudaFree at testdata/misuse.cpp:44",
		"double free of",
		"is pinned memory, which cudaFree does not free",
		"rejected count cudaErrorInvalidConfiguration: 1025 threads per block in x, at most 1024 on sm_80",
		"rejected count cudaErrorInvalidConfiguration: the grid has 0 blocks in x",
		"49153 bytes of dynamic and 0 of static shared memory, at most 49152 together on sm_80 without cudaFuncAttr",
		"129 threads per block, but the kernel's __launch_bounds__ allow 128",
		"100000 blocks in a cooperative launch",
		"cudaErrorInvalidResourceHandle: stream 0x",
		"copy of 8 bytes at offset 0 of variable counter, which has 4 bytes",
		"misuse cuArrayCreate ", // as the program calls it, not as the core does
	} {
		if !strings.Contains(all, want) {
			t.Errorf("not reported: %s", want)
		}
	}
	if t.Failed() {
		t.Log(all)
	}
}

func TestFaultsAreSticky(t *testing.T) {
	for _, c := range []struct {
		kernel string
		code   Code
		log    string
	}{
		{"oob", ErrorIllegalAddress, ""}, {"misaligned", ErrorMisalignedAddress, ""}, {"assertion", ErrorAssert, ""},
		{"trap", ErrorLaunchFailure, ""}, {"hang", ErrorLaunchTimeout, ""},
		{"boom", ErrorUnknown, "internal kernel boom: panic: a bug"},
		{"lacking", ErrorNotSupported, "unsupported device feature X"},
	} {
		t.Run(c.kernel, func(t *testing.T) {
			s := run(t, t.Context(), "fault", c.kernel, fmt.Sprint(int(c.code)))
			s.wantOK(t)
			if c.log != "" && !s.has(c.log) {
				t.Errorf("log %q, want %q", s.log, c.log)
			}
			if s.has("leak") {
				t.Error("leak reported after a fault")
			}
		})
	}
}

func TestHostThreads(t *testing.T) { run(t, t.Context(), "threads").wantOK(t) }

func TestScenes(t *testing.T) {
	for _, c := range []struct {
		scene string
		exit  Exit
		log   string // a prefix of some line; "-" for no line at all
	}{
		{"many", Exit{}, "-"},
		{"forked", Exit{}, "-"},
		{"unused", Exit{}, "-"},
		{"late", Exit{}, "-"},
		{"abort", Exit{Code: -1, Signal: syscall.SIGABRT}, "-"},
		{"term", Exit{Code: -1, Signal: syscall.SIGTERM}, "-"},
		{"follow", Exit{Code: -1, Signal: syscall.SIGSEGV}, "host access at testdata/scenes.cpp:56 of cudaMalloc #1 at testdata/scenes.cpp:54"},
		{"dies", Exit{Code: -1, Signal: syscall.SIGALRM}, "launch 0 slow"}, // and its launch with it
		{"segv", Exit{Code: -1, Signal: syscall.SIGSEGV}, "-"},
		{"leak", Exit{}, "leak of 100 bytes by cudaMalloc #1"},
		{"exit3", Exit{Code: 3}, "leak of 100 bytes by cudaMalloc #1"},
		{"reset", Exit{}, "leak of 100 bytes by cudaMalloc #1"},
		{"heap", Exit{}, "leak of 24 bytes by malloc in kernel heap"},
		{"unsupported", Exit{}, "unsupported cudaMemPoolExportPointer"},
	} {
		t.Run(c.scene, func(t *testing.T) {
			s := run(t, t.Context(), "scenes", c.scene)
			if s.exit != c.exit {
				t.Errorf("exit %+v, want %+v\n%s%s", s.exit, c.exit, s.stdout, s.stderr)
			}
			if c.log == "-" && len(s.log) > 0 || c.log != "-" && !s.has(c.log) {
				t.Errorf("log %q, want %q", s.log, c.log)
			}
		})
	}
}

// TestMoments ends and forks programs while their threads are in calls: none waits for a
// lock, and what the program holds at its end is reported each time.
func TestMoments(t *testing.T) {
	for _, what := range []string{"forks", "forks first"} {
		t.Run(what, func(t *testing.T) { run(t, t.Context(), "moments", what).wantOK(t) })
	}
	end := func(t *testing.T, args ...string) {
		s := run(t, t.Context(), "moments", args...)
		if want := (Exit{Code: 3}); s.exit != want || !s.has("leak of 100 bytes by cudaMalloc #1") {
			t.Errorf("%v: exit %+v, log %q\n%s%s", args, s.exit, s.log, s.stdout, s.stderr)
		}
	}
	for _, what := range []string{"exits", "waits"} {
		t.Run(what, func(t *testing.T) { end(t, what) })
	}
	for moment := range 36 {
		t.Run(fmt.Sprint("signal ", moment), func(t *testing.T) { end(t, "signals", fmt.Sprint(moment)) })
	}
	for moment := range 12 {
		for what, number := range map[string]syscall.Signal{"interrupted": syscall.SIGINT, "terminated": syscall.SIGTERM} {
			t.Run(fmt.Sprint(what, " ", moment), func(t *testing.T) {
				s := run(t, t.Context(), "moments", what, fmt.Sprint(moment))
				if want := (Exit{Code: -1, Signal: number}); s.exit != want {
					t.Errorf("exit %+v, want %+v\n%s%s", s.exit, want, s.stdout, s.stderr)
				}
			})
		}
	}
}

func TestWithoutServer(t *testing.T) {
	cmd := exec.Command(program(t, "scenes"), "nodevice") // tooltest takes an installed warpgrind out of PATH
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if err := cmd.Run(); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	if want := "warpgrind: no emulated GPU: "; !strings.HasPrefix(errOut.String(), want) {
		t.Errorf("stderr %q, want %q ...", errOut.String(), want)
	}
}

func TestContextEndsProgram(t *testing.T) {
	for _, scene := range []string{"sleep", "slow"} {
		t.Run(scene, func(t *testing.T) {
			program(t, "scenes")
			ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
			defer cancel()
			start := time.Now()
			s := run(t, ctx, "scenes", scene)
			if !s.exit.Canceled || time.Since(start) > 20*time.Second {
				t.Errorf("exit %+v after %v", s.exit, time.Since(start))
			}
		})
	}
}

func TestStartFailure(t *testing.T) {
	_, err := Run(t.Context(), Program{Exe: "/no/such/program"}, New(Config{}))
	if err == nil || !strings.Contains(err.Error(), "/no/such/program") {
		t.Errorf("error %v", err)
	}
}
