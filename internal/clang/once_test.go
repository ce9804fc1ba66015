package clang

import (
	"context"
	"debug/elf"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

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
