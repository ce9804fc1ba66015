package source

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestOpen: a named pipe is refused, also by way of a link; a file, a pipe without a name and a terminal's kind of file are not.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	pipe, link, file := filepath.Join(dir, "pipe"), filepath.Join(dir, "link"), filepath.Join(dir, "file")
	for _, err := range []error{syscall.Mkfifo(pipe, 0o600), os.Symlink("pipe", link), os.WriteFile(file, []byte("text"), 0o600)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{pipe, link} {
		if _, err := Open(name); err == nil || err.Error() != name+": is a named pipe" {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	w.WriteString("text")
	w.Close()
	for _, name := range []string{file, fmt.Sprintf("/dev/fd/%d", r.Fd())} {
		f, err := Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(f); string(text) != "text" || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
		f.Close()
	}
	if f, err := Open("/dev/null"); err != nil {
		t.Error(err)
	} else {
		f.Close()
	}
	if _, err := Open(filepath.Join(dir, "missing")); !os.IsNotExist(err) {
		t.Error(err)
	}
}
