package clang

import (
	"os"
	"syscall"
	"testing"
)

// TestFeedAgain: a second clang that reads the device code, after the first has emptied the pipe, finds a file.
func TestFeedAgain(t *testing.T) {
	j := &job{dir: t.TempDir()}
	if err := syscall.Mkfifo(j.file("device.fatbin"), 0o600); err != nil {
		t.Fatal(err)
	}
	blob := []byte("module")
	j.wrapped.Store(&blob)
	if err := j.feedAgain(); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(j.file("device.fatbin")); err != nil || string(got) != "module" {
		t.Errorf("%q, %v", got, err)
	}
}
