package clang

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/patience"
)

// TestStoppedHolder stops the process that holds the lock: others report the wait and make the file themselves.
func TestStoppedHolder(t *testing.T) {
	file := filepath.Join(t.TempDir(), "library")
	holder, err := os.Create(file + ".lock")
	if err != nil || unix.Flock(int(holder.Fd()), unix.LOCK_EX) != nil {
		t.Fatal(err)
	}
	defer holder.Close()
	defer func(old time.Duration) { lockPatience = old }(lockPatience)
	lockPatience = 300 * time.Millisecond
	var out bytes.Buffer
	defer patience.Hasten(50*time.Millisecond, &out)()
	made := false
	if err := once(t.Context(), file, nil, func() error { made = true; return nil }); err != nil || !made {
		t.Errorf("%v, made: %v", err, made)
	}
	if !strings.Contains(out.String(), "library.lock") {
		t.Errorf("said %q", out.String())
	}
}

// TestOnce: of many at a time one makes the file, after a failure the next one does, and who is
// told to stop does not wait for the others.
func TestOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "library")
	var tries atomic.Int32
	failure := errors.New("no")
	produce := func() error {
		if tries.Add(1) == 1 {
			return failure
		}
		time.Sleep(10 * time.Millisecond)
		return os.WriteFile(file, []byte(elf.ELFMAG), 0o666)
	}
	var failed atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			switch err := once(t.Context(), file, nil, produce); {
			case errors.Is(err, failure):
				failed.Add(1)
			case err != nil:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if tries.Load() != 2 || failed.Load() != 1 {
		t.Errorf("made %d times, %d failures; want 2 and 1", tries.Load(), failed.Load())
	}

	other := file + ".other"
	ctx, cancel := context.WithCancel(t.Context())
	err := once(t.Context(), other, nil, func() error {
		return once(ctx, other, cancel, func() error { return nil })
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("waiting ended with %v", err)
	}
}
