package warpgrind_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
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
	bin := tool(t)
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
		{"terminated", nil, syscall.SIGTERM, 130, []string{"interrupted", "0 findings"}},
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

// leftOver fails for processes whose environment has the mark, and for files.
func leftOver(t *testing.T, dir, mark string) {
	t.Helper()
	environ, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range environ {
		if b, err := os.ReadFile(file); err == nil && bytes.Contains(b, []byte(mark)) {
			name, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			t.Errorf("left behind: %s %q", filepath.Dir(file), name)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v %v", entries, err)
	}
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
