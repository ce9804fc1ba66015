package process

import (
	"bufio"
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

const longProgram = `#include <cstdio>
#include <cstdlib>
__global__ void race(int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void longer(unsigned *out) {
    unsigned x = threadIdx.x;
    for (unsigned long long i = 0; i < 1ull << 45; i++)
        x = x * 1664525u + 1013904223u;
    *out = x;
}
int main(int argc, char **) {
    int *m;
    cudaMalloc(&m, 1024);
    if (system("sleep 1000 & sleep 1000 &") != 0) return 1;
    if (argc > 1) race<<<1, 64>>>(m);
    cudaDeviceSynchronize();
    puts("ready");
    fflush(stdout);
    longer<<<1, 64>>>((unsigned *)m);
    return cudaDeviceSynchronize();
}
`

// TestInterrupt ends runs in the middle of a kernel: the report tells what was
// found, and nothing is left behind.
func TestInterrupt(t *testing.T) {
	bin := tooltest.Tool(t)
	source := filepath.Join(t.TempDir(), "long.cu")
	if err := os.WriteFile(source, []byte(longProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		args   []string
		signal syscall.Signal
		exit   int
		want   []string
	}{
		{"nothing found", nil, syscall.SIGINT, 130, []string{"interrupted: in longer(unsigned int*): 64 threads run in the loop at", "0 findings"}},
		{"a race was found", []string{"--", "race"}, syscall.SIGINT, 1, []string{"error[race]", "interrupted", "1 finding (1 error)"}},
		{"terminated", nil, syscall.SIGTERM, 143, []string{"interrupted", "0 findings"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tmp, mark := t.TempDir(), fmt.Sprintf("WARPGRIND_TEST_MARK=%d-%d", os.Getpid(), time.Now().UnixNano())
			cmd := exec.Command(bin, append([]string{"run", source}, c.args...)...)
			cmd.Env = append(os.Environ(), "TMPDIR="+tmp, mark)
			var out lockedBuffer
			cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &out, 5*time.Second
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			waitFor(t, &out, "ready")
			time.Sleep(300 * time.Millisecond)
			start := time.Now()
			cmd.Process.Signal(c.signal)
			cmd.Wait()
			if d := time.Since(start); d > 10*time.Second {
				t.Errorf("ended after %v", d)
			}
			if got := cmd.ProcessState.ExitCode(); got != c.exit {
				t.Errorf("exit code %d, want %d", got, c.exit)
			}
			for _, w := range c.want {
				if !strings.Contains(unwrapped(out.String()), w) {
					t.Errorf("no %q in\n%s", w, out.String())
				}
			}
			leftOver(t, tmp, mark)
		})
	}
}

const briefProgram = `__global__ void race(int *out) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void work(unsigned *out) {
    unsigned x = threadIdx.x;
    for (int i = 0; i < 1000; i++) x = x * 1664525u + 1013904223u;
    out[threadIdx.x] = x;
}
int main() {
    unsigned *m;
    cudaMalloc(&m, 1024);
    race<<<1, 64>>>((int *)m);
    for (int i = 0; i < 1000; i++) {
        work<<<1, 64>>>(m);
        cudaDeviceSynchronize();
    }
    return cudaFree(m);
}
`

// TestInterruptAtMoments ends runs of a program that is not compiled yet at moments from their
// start to their end: by a signal to warpgrind or to its whole process group, by one or two.
func TestInterruptAtMoments(t *testing.T) {
	bin := tooltest.Tool(t)
	source := filepath.Join(t.TempDir(), "brief.cu")
	if err := os.WriteFile(source, []byte(briefProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			number := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}[i%3]
			tmp, mark := t.TempDir(), fmt.Sprintf("WARPGRIND_TEST_MARK=%d-moment-%d", os.Getpid(), i)
			cmd := exec.Command(bin, "run", source)
			cmd.Env = append(os.Environ(), "TMPDIR="+tmp, "WARPGRIND_CACHE_DIR="+tooltest.FreshCache(t, ""), mark)
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			var out lockedBuffer
			cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &out, 5*time.Second
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			whom := cmd.Process.Pid
			if i%2 == 1 {
				whom = -whom
			}
			for range 1 + i/2%2 {
				time.Sleep(time.Duration(i) * 120 * time.Millisecond)
				syscall.Kill(whom, number)
			}
			cmd.Wait()
			how, text := cmd.ProcessState.Sys().(syscall.WaitStatus), out.String()
			found := how.ExitStatus() == 1 && strings.Contains(text, "error[race]")
			if !found && how.ExitStatus() != 128+int(number) && !(how.Signaled() && how.Signal() == number) {
				t.Errorf("ended with %v, want %v\n%s", cmd.ProcessState, number, text)
			}
			if strings.Contains(text, "context canceled") {
				t.Errorf("not a user's words:\n%s", text)
			}
			leftOver(t, tmp, mark)
		})
	}
}

// unwrapped joins lines that were broken to a width.
func unwrapped(s string) string { return strings.Join(strings.Fields(s), " ") }

func waitFor(t *testing.T, out *lockedBuffer, text string) {
	t.Helper()
	for range 600 {
		if strings.Contains(out.String(), text) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("no %q in\n%s", text, out.String())
}

// leftOver fails for processes whose environment has the mark, and for files, that stay: who was
// killed at once leaves it to others to remove its files.
func leftOver(t *testing.T, dir, mark string) {
	t.Helper()
	var left []string
	for range 100 {
		if left = leftNow(dir, mark); len(left) == 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Errorf("left behind: %q", left)
}

func leftNow(dir, mark string) (left []string) {
	environ, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range environ {
		if b, err := os.ReadFile(file); err == nil && bytes.Contains(b, []byte(mark)) {
			name, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			left = append(left, filepath.Dir(file)+" "+string(name))
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return append(left, err.Error())
	}
	for _, e := range entries {
		left = append(left, e.Name())
	}
	return left
}

// lockedBuffer collects output that is read while it grows.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// largeKernel is PTX that takes long to prepare: n instructions with addresses,
// branches and barriers that depend on each other.
func largeKernel(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".version 8.3\n.target sm_80\n.address_size 64\n.visible .entry large(.param .u64 p)\n{\n"+
		".reg .b32 %%r<%d>; .reg .b64 %%d<%d>; .reg .pred %%p<%d>; .shared .b32 s[1024];\n"+
		"ld.param.u64 %%d0, [p]; mov.u32 %%r0, %%tid.x; mov.u32 %%r1, %%ctaid.x;\n", n+2, 2*n+2, n+2)
	for i := 2; i < n; i++ {
		a, c := i-1, i*7919%i
		switch {
		case i%20 == 7:
			fmt.Fprintf(&b, "mul.wide.u32 %%d%d, %%r%d, 4; add.u64 %%d%d, %%d0, %%d%d; ld.global.u32 %%r%d, [%%d%d];\n", 2*i, a, 2*i+1, 2*i, i, 2*i+1)
		case i%20 == 13:
			fmt.Fprintf(&b, "and.b32 %%r%d, %%r%d, 1020; st.shared.u32 [%%r%d], %%r%d;\n", i, a, i, c)
		case i%20 == 17:
			fmt.Fprintf(&b, "setp.gt.u32 %%p%d, %%r%d, %%r%d; mov.u32 %%r%d, 0; @%%p%d bra L%d; add.u32 %%r%d, %%r%d, 1; L%d:\n", i, a, c, i, i, i, i, a, i)
		default:
			fmt.Fprintf(&b, "add.u32 %%r%d, %%r%d, %%r%d;\n", i, a, c)
		}
		if i%200 == 0 {
			b.WriteString("bar.sync 0;\n")
		}
	}
	return b.String() + "ret;\n}\n"
}

const largeProgram = `#include <cstdio>
#include <cstdlib>
#include <cuda.h>
int main(int, char **argv) {
    static char text[64 << 20];
    FILE *f = fopen(argv[1], "r");
    if (!f || fread(text, 1, sizeof text - 1, f) == 0) return 2;
    CUdevice d;
    CUcontext c;
    CUmodule m;
    CUfunction k;
    CUdeviceptr p;
    if (cuInit(0) || cuDeviceGet(&d, 0) || cuCtxCreate(&c, 0, d) || cuModuleLoadData(&m, text) || cuMemAlloc(&p, 1 << 24)) return 3;
    void *args[] = {&p};
    puts("ready");
    fflush(stdout);
    if (cuModuleGetFunction(&k, m, "large") || cuLaunchKernel(k, 64, 1, 1, 256, 1, 1, 0, 0, args, 0)) return 4;
    return cuCtxSynchronize();
}
`

// TestInterruptWhilePreparing: the first signal ends a run whose kernel is not yet
// ready to run.
func TestInterruptWhilePreparing(t *testing.T) {
	bin, dir := tooltest.Tool(t), t.TempDir()
	source, kernel := filepath.Join(dir, "large.cu"), filepath.Join(dir, "large.ptx")
	for name, text := range map[string]string{source: largeProgram, kernel: largeKernel(400_000)} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(bin, "run", source, "--", kernel)
	var out lockedBuffer
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = &out, &out, 5*time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, &out, "ready")
	time.Sleep(300 * time.Millisecond)
	start := time.Now()
	cmd.Process.Signal(syscall.SIGINT)
	cmd.Wait()
	if d := time.Since(start); d > 8*time.Second {
		t.Errorf("ended after %v", d)
	}
	if got := cmd.ProcessState.ExitCode(); got != 130 {
		t.Errorf("exit code %d, want 130", got)
	}
	if text := out.String(); !strings.Contains(text, "interrupted: kernel large was being prepared or run") {
		t.Errorf("the report does not say where it was:\n%s", text)
	}
}

// TestInterruptAtStart ends a run while its packages are being initialized. The trace of initialization fills a pipe that is not
// read, which holds the process there.
func TestInterruptAtStart(t *testing.T) {
	bin := tooltest.Tool(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := unix.FcntlInt(w.Fd(), unix.F_SETPIPE_SZ, os.Getpagesize()); err != nil {
		t.Skip(err)
	}
	cmd := exec.Command(bin, "check", "absent.cu")
	cmd.Env, cmd.Stderr = append(os.Environ(), "GODEBUG=inittrace=1"), w
	err = cmd.Start()
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	trace := bufio.NewReaderSize(r, 16) // so that the rest stays in the pipe
	for line := ""; err == nil && !strings.Contains(line, "internal/interrupt/early "); {
		line, err = trace.ReadString('\n')
	}
	cmd.Process.Signal(syscall.SIGTERM)
	later, last := 0, ""
	for err == nil {
		var line string
		if line, err = trace.ReadString('\n'); err == nil {
			last = strings.TrimSuffix(line, "\n")
		}
		if strings.HasPrefix(line, "init ") {
			later++
		}
	}
	cmd.Wait()
	if cmd.ProcessState.ExitCode() != 143 || last != "warpgrind: interrupted" {
		t.Errorf("%v: %q", cmd.ProcessState, last)
	}
	if later < 70 {
		t.Errorf("only %d packages are initialized after the process listens to signals: does one that others import import internal/interrupt/early, or does it import much?", later)
	}
}

// TestInterruptEarly ends runs of a program that is compiled in their first moments, in which the program starts: each ends as
// interrupted, with a line but where the process did not listen to signals yet. It listens 1.2 to 1.7 ms after its runtime begins on an idle machine, of which main
// would be the 8th: the time to get there, and that of execve(2), nothing in Go can shorten.
func TestInterruptEarly(t *testing.T) {
	bin, cache := tooltest.Tool(t), tooltest.FreshCache(t, "")
	source := filepath.Join(t.TempDir(), "brief.cu")
	if err := os.WriteFile(source, []byte(briefProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "WARPGRIND_CACHE_DIR="+cache)
	run := func(after time.Duration) (*os.ProcessState, string) {
		var out lockedBuffer
		cmd := exec.Command(bin, "run", source)
		cmd.Env, cmd.Stdout, cmd.Stderr, cmd.WaitDelay = env, &out, &out, 5*time.Second
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(after)
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
		return cmd.ProcessState, out.String()
	}
	fill := exec.Command(bin, "run", source)
	if fill.Env = env; fill.Run() == nil {
		t.Fatal("no race")
	}
	silent, n := 0, loadScale(20, 200)
	for range n {
		after := time.Duration(rand.Int64N(int64(100 * time.Millisecond)))
		how, text := run(after)
		status := how.Sys().(syscall.WaitStatus)
		said := strings.Contains(unwrapped(text), "interrupted")
		switch {
		case status.Signaled() && status.Signal() == syscall.SIGTERM && text == "":
			silent++
		case how.ExitCode() == 143 && said, how.ExitCode() == 1 && strings.Contains(text, "error[race]"):
		default:
			t.Errorf("after %v: %v\n%s", after, how, text)
		}
	}
	t.Logf("%d of %d had no line", silent, n)
}
