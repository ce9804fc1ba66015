package warpgrind_test

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// readers are the files whose names users give that are opened without package userfile, each with the reason.
var readers = map[string]string{
	"cmd/warpgrind/report.go":        "the job summary, which is written",
	"internal/cache/manifest.go":     "entries of the cache",
	"internal/clang/cccl_fetch.go":   "an archive that was fetched",
	"internal/cache/own.go":          "folders of the cache",
	"internal/cache/result.go":       "results in the cache",
	"internal/clang/cccl.go":         "a header of an installed toolkit",
	"internal/clang/depfile.go":      "the compiler's output",
	"internal/clang/link.go":         "the linker's output",
	"internal/clang/once.go":         "a lock",
	"internal/clang/prelude.go":      "the compiler's output",
	"internal/clang/toolkit.go":      "a header of an installed toolkit",
	"internal/clang/unit.go":         "the compiler's output",
	"internal/config/config.go":      "opened without blocking, and checked",
	"internal/host/lines.go":         "the running program",
	"internal/host/queue.go":         "/proc",
	"internal/host/stillness.go":     "/proc",
	"internal/judge/pool.go":         "this executable, and the runtime library",
	"internal/mem/touched.go":        "/proc",
	"internal/sandbox/memory.go":     "/proc",
	"internal/sandbox/processor.go":  "/proc",
	"internal/session/attach.go":     "/proc",
	"internal/session/devicecode.go": "the compiler's output",
	"internal/session/misuse.go":     "an executable that was run",
	"internal/solve/clock.go":        "/proc",
	"internal/suite/shard.go":        "a status, which is written",
	"internal/userfile/userfile.go":  "the package",
}

// TestUserFiles: what opens files by name is package userfile, or a known reader of files that are not named by users.
func TestUserFiles(t *testing.T) {
	opens := regexp.MustCompile(`\bos\.(Open|OpenFile|ReadFile)\(|\b(elf|zip)\.Open(Reader)?\(`)
	found := map[string]bool{}
	for _, root := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "internal/tooltest/") {
				return err
			}
			text, err := os.ReadFile(path)
			if opens.Match(text) {
				found[path] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for path := range found {
		if readers[path] == "" {
			t.Errorf("%s opens files without package userfile", path)
		}
	}
	for path := range readers {
		if !found[path] {
			t.Errorf("%s opens no files", path)
		}
	}
}
