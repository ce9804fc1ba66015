package process

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/warpgrind/warpgrind/internal/tooltest"
)

// TestSpecialFiles: a file that is none, or has no end, is refused by each command that reads files, with one line, and so is a pipe that no
// process reads, a folder or a socket by those that write files.
func TestSpecialFiles(t *testing.T) {
	t.Parallel()
	bin, dir := tooltest.Tool(t), t.TempDir()
	for _, ext := range []string{"", ".cu", ".ptx", ".o"} {
		err := errors.Join(syscall.Mkfifo(filepath.Join(dir, "pipe"+ext), 0o600), os.Mkdir(filepath.Join(dir, "folder"+ext), 0o700),
			os.Symlink("/dev/zero", filepath.Join(dir, "device"+ext)), os.WriteFile(filepath.Join(dir, "huge"+ext), nil, 0o700),
			os.Truncate(filepath.Join(dir, "huge"+ext), 1<<43))
		l, lerr := net.Listen("unix", filepath.Join(dir, "socket"+ext))
		if err = errors.Join(err, lerr); err != nil {
			t.Fatal(err)
		}
		defer l.Close()
	}
	source := filepath.Join(dir, "good.cu")
	if err := os.WriteFile(source, []byte("__global__ void k() {}\nint main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "jobs"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{"pipe", "folder", "device", "socket", "huge"} {
		for _, line := range []string{
			"plan -o KIND good.cu", "instrument -o KIND.cu good.cu", "cc -c -o KIND.o good.cu", "cc -o KIND good.cu", "judge -o KIND jobs",
			"run KIND.cu", "run KIND", "check KIND.cu", "check KIND.ptx", "barriers KIND.cu", "fix KIND.cu", "tidy KIND.cu", "instrument -o out.cu KIND.cu",
			"instrument --static KIND -o out.cu good.cu", "cc -c -o out.o KIND.cu", "cc -o out good.cu KIND.o", "cc -dlink -o out.o KIND.o", "compute-sanitizer KIND", "replay KIND", "capsule show KIND",
			"capsule minimize -o out KIND", "capsule export -o out KIND", "report KIND", "diff KIND good.cu", "suite KIND", "plan KIND", "judge KIND",
			"run --suppressions KIND good.cu",
		} {
			if strings.Contains(line, " -o KIND") && (kind == "device" || kind == "huge") {
				continue // can be written
			}
			if kind == "huge" && (line == "judge KIND" || line == "run --suppressions KIND good.cu" || line == "diff KIND good.cu" || strings.Contains(line, "KIND.o")) {
				continue // read line by line, or read by others: ended by the first signal
			}
			args := strings.Fields(strings.ReplaceAll(line, "KIND", kind))
			cmd := exec.Command(bin, args...)
			cmd.Dir = dir
			out, err := outputWithin(cmd, 2*time.Minute)
			code := cmd.ProcessState.ExitCode()
			if text := unwrapped(out); err != nil && code < 0 || code != 2 && !(code == 1 && args[0] == "cc") || !strings.Contains(text, kind) || strings.Contains(text, "goroutine") {
				t.Errorf("%v: exit code %d, %v: %s", args, code, err, text)
			}
		}
	}
}

// TestHostileFileNames: reports quote sources of any name, patches of them apply, and neither obeys the names. What the compiler cannot list
// is refused by commands that need the list.
func TestHostileFileNames(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs CUDA programs; not in short mode")
	}
	bin, dir := tooltest.Tool(t), t.TempDir()
	const text = "__global__ void k(int *p) { __shared__ int s[32]; s[threadIdx.x] = 1; p[threadIdx.x] = s[31 - threadIdx.x]; }\n" +
		"int main() { int *p; cudaMalloc(&p, 128); k<<<1, 32>>>(p); return cudaDeviceSynchronize() + cudaFree(p); }\n"
	for name, listed := range map[string]bool{"e\x1b[31m\"q ä##[error]x\r::error::y.cu": true, "n\n--- a\n::error::y.cu": false, "t\t.cu": false, "b\\.cu": false} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for command, want := range map[string]int{"run": 1, "check": 1, "fix": map[bool]int{false: 2}[listed]} {
			cmd := exec.Command(bin, command, file)
			var stdout, stderr strings.Builder
			cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
			_ = cmd.Run()
			for _, out := range []string{stdout.String(), stderr.String()} {
				if harm := tooltest.Harm(out, nil); harm != "" {
					t.Errorf("%s %q: %s", command, name, harm)
				}
			}
			if code := cmd.ProcessState.ExitCode(); code != want || command == "run" && !strings.Contains(stdout.String(), "s[31 - threadIdx.x]; }") {
				t.Errorf("%s %q: exit code %d, want %d\n%s%s", command, name, code, want, &stdout, &stderr)
			}
			if command == "fix" && listed {
				apply := exec.Command("git", "apply", "-p1")
				apply.Dir, apply.Stdin = dir, strings.NewReader(stdout.String())
				out, err := apply.CombinedOutput()
				patched := file + ".patched" // the other commands find the text as it was
				if err = errors.Join(err, os.Rename(file, patched), os.WriteFile(file, []byte(text), 0o600)); err != nil {
					t.Errorf("%q: %v: %s\n%s", name, err, out, &stdout)
				}
				if now, err := os.ReadFile(patched); err != nil || !strings.Contains(string(now), "__syncwarp") {
					t.Errorf("%q: %s, %v", name, now, err)
				}
			}
		}
	}
}
