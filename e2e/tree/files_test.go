package tree

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// readers are the files whose names users give that are opened without package userfile, each with the reason.
var readers = map[string]string{
	"internal/cache/manifest.go":    "entries of the cache",
	"internal/clang/cccl_fetch.go":  "an archive that was fetched",
	"internal/cache/own.go":         "folders of the cache",
	"internal/cache/result.go":      "results in the cache",
	"internal/clang/cccl.go":        "a header of an installed toolkit",
	"internal/clang/depfile.go":     "the compiler's output",
	"internal/clang/link.go":        "the linker's output",
	"internal/clang/once.go":        "a lock",
	"internal/clang/prelude.go":     "the compiler's output",
	"internal/clang/toolkit.go":     "a header of an installed toolkit",
	"internal/clang/unit.go":        "the compiler's output",
	"internal/config/config.go":     "opened without blocking, and checked",
	"internal/host/lines.go":        "the running program",
	"internal/host/queue.go":        "/proc",
	"internal/host/stillness.go":    "/proc",
	"internal/judge/pool.go":        "this executable, and the runtime library",
	"internal/mem/touched.go":       "/proc",
	"internal/sandbox/memory.go":    "/proc",
	"internal/sandbox/processor.go": "/proc",
	"internal/session/attach.go":    "/proc",
	"internal/nvrtc/devicecode.go":  "the compiler's output",
	"internal/build/builtfor.go":    "an executable that was run",
	"internal/solve/clock.go":       "/proc",
	"internal/suite/shard.go":       "a status, which is written",
	"internal/userfile/userfile.go": "the package",
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
