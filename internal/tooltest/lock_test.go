package tooltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTakeTurn: a lock is waited for, and not forever.
func TestTakeTurn(t *testing.T) {
	dir := t.TempDir()
	var files [2]*os.File
	for i := range files {
		f, err := os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	if err := takeTurn(files[0], 0); err != nil {
		t.Fatal(err)
	}
	if err := takeTurn(files[1], 100*time.Millisecond); err == nil || !strings.Contains(err.Error(), "another process has had the lock") {
		t.Error(err)
	}
	time.AfterFunc(100*time.Millisecond, func() { files[0].Close() })
	if err := takeTurn(files[1], time.Minute); err != nil {
		t.Error(err)
	}
}
