package process

import (
	"bufio"
	"bytes"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

const stranger = 65534

// waits is a program that has a kernel's result, and waits with it.
const waits = `#include <cstdio>
__global__ void fill(int *p) { p[threadIdx.x] = 1; }
int main() {
  int *p;
  if (cudaMalloc(&p, 32 * sizeof *p) != cudaSuccess) return 3;
  fill<<<1, 32>>>(p);
  if (cudaDeviceSynchronize() != cudaSuccess) return 4;
  puts("ready");
  fflush(stdout);
  getchar();
  cudaFree(p);
}
`

// TestNeighbor attacks a program that runs by itself as another user of the machine, who
// finds the engine's sockets in /proc/net/unix, as an attacker would.
func TestNeighbor(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can act as another user; package host has the attack without")
	}
	app := buildWaiting(t)
	cmd := exec.Command(app)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r := bufio.NewReader(stdout)
	if line, err := r.ReadString('\n'); line != "ready\n" {
		t.Fatalf("the program says %q, %v\n%s", line, err, &stderr)
	}
	names := engineSockets(t)
	if len(names) == 0 {
		t.Error("no socket found: the test attacks nothing")
	}
	asStranger(t, func() {
		for _, name := range names {
			if _, err := os.Stat(name); !os.IsPermission(err) {
				t.Errorf("another user may enter the directory of %s: %v", name, err)
			}
			if c, err := net.Dial("unix", name); err == nil {
				t.Errorf("another user connects to %s", name)
				c.Close()
			}
		}
	})
	stdin.Close()
	io.Copy(io.Discard, r)
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v\n%s", err, &stderr)
	}
}

// buildWaiting builds waits as users do.
func buildWaiting(t *testing.T) string {
	t.Helper()
	bin, dir := tooltest.Tool(t), t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // for programs with another user's rights
		t.Fatal(err)
	}
	_, cache := tooltest.CacheDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("XDG_DATA_HOME", filepath.Join(dir, "data"))
	t.Setenv("WARPGRIND_CACHE_DIR", "")
	t.Setenv("WARPGRIND", bin)
	source, app := filepath.Join(dir, "waits.cu"), filepath.Join(dir, "waits")
	if err := os.WriteFile(source, []byte(waits), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(bin, "cc", "-o", app, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return app
}

// engineSockets are the names of the sockets that an engine may listen on.
func engineSockets(t *testing.T) (names []string) {
	t.Helper()
	text, err := os.ReadFile("/proc/net/unix")
	if err != nil {
		t.Skip(err)
	}
	for _, line := range strings.Split(string(text), "\n") {
		const listening = "00010000"
		if f := strings.Fields(line); len(f) == 8 && f[3] == listening && strings.Contains(f[7], "warpgrind-") {
			names = append(names, f[7])
		}
	}
	return names
}

// asStranger calls f on a thread with the rights of another user.
func asStranger(t *testing.T, f func()) {
	t.Helper()
	done := make(chan unix.Errno)
	go func() {
		runtime.LockOSThread() // it ends with the goroutine
		_, _, err := unix.RawSyscall(unix.SYS_SETRESUID, stranger, stranger, stranger)
		if err == 0 {
			f()
		}
		done <- err
	}()
	if err := <-done; err != 0 {
		t.Fatal(err)
	}
}

// TestRaisedRights holds that neither the tool nor a program's runtime works with rights that
// who started it lacks: the environment names files to run, and sources what to include.
func TestRaisedRights(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can make a file of another user's")
	}
	dir := t.TempDir()
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil || fs.Flags&unix.ST_NOSUID != 0 {
		t.Skip("the file system ignores setuid")
	}
	raised := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, filepath.Base(path))
		if err := os.WriteFile(to, text, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(to, stranger, stranger); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(to, 0o755|os.ModeSetuid); err != nil {
			t.Fatal(err)
		}
		return to
	}
	profile := filepath.Join(dir, "profile")
	for _, exe := range []string{raised(tooltest.Tool(t)), raised(buildWaiting(t))} {
		cmd := exec.Command(exe, "--version")
		cmd.Env = append(os.Environ(), "WARPGRIND_CPUPROFILE="+profile)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), "(setuid, setgid or") {
			t.Errorf("%s: %v\n%s", filepath.Base(exe), err, out)
		}
	}
	if _, err := os.Stat(profile); err == nil {
		t.Error("a file was written")
	}
}

// TestPreloadedByOthers: whatever the umask is, no other user can write what programs are made to load (LD_PRELOAD, LD_LIBRARY_PATH,
// PYTHONPATH), nor anything else in the cache.
func TestPreloadedByOthers(t *testing.T) {
	bin, cache := tooltest.Tool(t), tooltest.FreshCache(t, "")
	source := filepath.Join(t.TempDir(), "app.cu")
	if err := os.WriteFile(source, []byte("__global__ void k() {}\nint main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const loads = `umask 0; "$0" run -q "$1" && "$0" run -- sh -c 'IFS=:; for f in $LD_PRELOAD $LD_LIBRARY_PATH $PYTHONPATH; do echo "loads $f"; done'`
	cmd := exec.Command("sh", "-c", loads, bin, source)
	cmd.Env = append(os.Environ(), "WARPGRIND_CACHE_DIR="+cache, "LD_PRELOAD=", "LD_LIBRARY_PATH=", "PYTHONPATH=")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 4 {
		t.Fatalf("%v\n%s", err, out)
	}
	n := 0
	for line := range strings.Lines(string(out)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "loads "); ok {
			if n++; !strings.HasPrefix(name, cache+"/") {
				t.Errorf("a program loads from %q", name)
			}
		}
	}
	if n < 10 {
		t.Errorf("only %d files and folders to load from:\n%s", n, out)
	}
	err = filepath.WalkDir(cache, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		if st, err := d.Info(); err == nil && st.Mode().Perm()&0o002 != 0 {
			t.Errorf("%v %s", st.Mode(), path)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
