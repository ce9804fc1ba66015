// Package tooltest lets tests run warpgrind as it is built from this tree, and
// nothing of the user's: not an installed warpgrind, nor settings from the
// environment, nor the user's cache.
//
// A package whose tests compile or run CUDA programs has
//
//	func TestMain(m *testing.M) { os.Exit(tooltest.Main(m)) }
package tooltest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/cache"
)

// LongEnv names the environment variable that asks for the long tests too:
// make test-long sets it.
const LongEnv = "WARPGRIND_LONG_TESTS"

// Long reports whether the long tests are wanted too.
func Long() bool { return os.Getenv(LongEnv) != "" }

// Sampled reports whether case i runs: one in n, and in the long tests each.
func Sampled(i, n int) bool { return Long() || i%n == 0 }

// Main isolates the process and runs its tests; it returns their exit code.
func Main(m *testing.M) int {
	if err := Isolate(); err != nil {
		fmt.Fprintln(os.Stderr, "tooltest:", err)
		return 1
	}
	return m.Run()
}

// settings are environment variables that change what warpgrind or the compilers do.
// Those that begin with WARPGRIND_ are removed too, but for the tests' own.
var settings = []string{"WARPGRIND", "CUDA_HOME", "CUDA_PATH", "CPATH", "LIBRARY_PATH", "NVCC_APPEND_FLAGS",
	"NVCC_PREPEND_FLAGS", "NO_COLOR", "GITHUB_STEP_SUMMARY", "GOGC"}

// ours are the variables that tests read themselves.
var ours = []string{LongEnv, "WARPGRIND_SIMD", "WARPGRIND_JIT", "WARPGRIND_SEED", "WARPGRIND_SEEDS", "WARPGRIND_ORACLE", "WARPGRIND_AGREE",
	"WARPGRIND_PRUNE", "WARPGRIND_SHOW", "WARPGRIND_SCREENSHOTS", "WARPGRIND_TEST_LEVEL", "WARPGRIND_TOOLCHAINS", "WARPGRIND_TOOLCHAINS_MISSING", "WARPGRIND_TORCH", "WARPGRIND_JAX", "WARPGRIND_MOJO"}

// Isolate removes from this process's environment what is the user's: settings,
// directories of PATH with a warpgrind in them, and the cache. Compiled programs are
// kept in bin/test-cache of the tree, which make clean removes.
func Isolate() error {
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if slices.Contains(settings, name) || strings.HasPrefix(name, "WARPGRIND_") && !slices.Contains(ours, name) {
			if err := os.Unsetenv(name); err != nil {
				return err
			}
		}
	}
	if err := os.Setenv("PATH", withoutTool(os.Getenv("PATH"))); err != nil {
		return err
	}
	root, err := Root()
	if err != nil {
		return err
	}
	// A test fails where the tool is slower than it could be without a reason that the test knows.
	if err := os.Setenv("WARPGRIND_FALLBACK", "error"); err != nil {
		return err
	}
	return os.Setenv(cache.DirEnv, filepath.Join(root, "bin", "test-cache", "warpgrind"))
}

// CacheDir returns the directory of the tests' cache, and what XDG_CACHE_HOME has to be
// for a process that is to find it so.
func CacheDir() (dir, xdgCacheHome string) {
	dir = os.Getenv(cache.DirEnv)
	return dir, filepath.Dir(dir)
}

// withoutTool returns a PATH without the directories that have a warpgrind.
func withoutTool(path string) string {
	dirs := slices.DeleteFunc(filepath.SplitList(path), func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, "warpgrind"))
		return err == nil
	})
	return strings.Join(dirs, string(os.PathListSeparator))
}

// Root returns the directory of this module, in which or below which tests run.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("no go.mod above the working directory")
		}
		dir = parent
	}
}

// build builds cmd/warpgrind as bin/test/warpgrind, once in a process. Processes take
// turns, and go build leaves a program alone that is up to date.
var build = sync.OnceValues(func() (string, error) {
	root, err := Root()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(root, "bin", "test")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	lock, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return "", err
	}
	defer lock.Close()
	if err := takeTurn(lock, 10*time.Minute); err != nil {
		return "", err
	}
	bin := filepath.Join(dir, "warpgrind")
	cmd := exec.Command("go", "build", "-o", bin, "./cmd/warpgrind")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build ./cmd/warpgrind: %w\n%s", err, out)
	}
	return bin, nil
})

// takeTurn locks a file, which another process may have locked for a time at most.
func takeTurn(lock *os.File, most time.Duration) error {
	for end := time.Now().Add(most); ; time.Sleep(50 * time.Millisecond) {
		err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return err
		}
		if time.Now().After(end) {
			return fmt.Errorf("%s: another process has had the lock for %v", lock.Name(), most)
		}
	}
}

// Tool returns the path of warpgrind, built from this tree. A test that needs it
// compiles and runs CUDA programs: it is skipped where no clang is installed, and in
// short mode.
func Tool(t testing.TB) string {
	t.Helper()
	NeedsClang(t)
	bin, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}

// FreshCache makes a cache in dir, or in a folder of its own if that is "", without any compiled
// program. It shares the runtime library with the other tests: to build that takes half a minute.
func FreshCache(t testing.TB, dir string) string {
	t.Helper()
	if dir == "" {
		dir = t.TempDir()
	}
	out, err := exec.Command(Tool(t), "setup").Output()
	if err == nil {
		err = os.MkdirAll(dir, 0o755)
	}
	_, lib, _ := strings.Cut(string(out), "\n") // after the compiler's version
	shim := filepath.Dir(strings.TrimSpace(lib))
	if err == nil {
		err = os.Symlink(shim, filepath.Join(dir, filepath.Base(shim)))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// NeedsClang skips a test that compiles CUDA programs where no clang is installed, and
// in short mode.
func NeedsClang(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("runs CUDA programs; not in short mode")
	}
	if Clang() == "" {
		t.Skip("no clang is installed; scripts/install-deps.sh installs one")
	}
}

// Clang returns a clang that is installed, or "".
func Clang() string {
	names := []string{"clang"}
	for v := 40; v >= 15; v-- {
		names = append(names, fmt.Sprintf("clang-%d", v))
	}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// CPUTime is the processor time that this process has used: unlike the time of day, it
// does not depend on what else the machine does.
func CPUTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// NeedsZ3 skips a test of the static analysis where no z3 is installed.
func NeedsZ3(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("z3"); err != nil {
		t.Skip("no z3 is installed; scripts/install-deps.sh installs one")
	}
}
