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

// TestSpecialFiles: a file that is none, or has no end, is refused by each command that reads files, with one line.
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
	for _, kind := range []string{"pipe", "folder", "device", "socket", "huge"} {
		for _, line := range []string{
			"run KIND.cu", "run KIND", "check KIND.cu", "check KIND.ptx", "barriers KIND.cu", "fix KIND.cu", "tidy KIND.cu", "instrument -o out.cu KIND.cu",
			"instrument --static KIND -o out.cu good.cu", "cc -c -o out.o KIND.cu", "cc -o out good.cu KIND.o", "cc -dlink -o out.o KIND.o", "compute-sanitizer KIND", "replay KIND", "capsule show KIND",
			"capsule minimize -o out KIND", "capsule export -o out KIND", "report KIND", "diff KIND good.cu", "suite KIND", "plan KIND", "judge KIND",
			"run --suppressions KIND good.cu",
		} {
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
