package clang

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestCrashedOpt compiles with an opt that aborts unless freed memory is overwritten, and with one that always does.
func TestCrashedOpt(t *testing.T) {
	tc := toolchain(t)
	for _, tt := range []struct {
		aborts string
		ok     bool
	}{{`""`, true}, {"*", false}} {
		opt := filepath.Join(t.TempDir(), "opt")
		script := fmt.Sprintf("#!/bin/sh\ncase \"$GLIBC_TUNABLES\" in %s) cat >/dev/null; kill -ABRT $$;; esac\nexec %q \"$@\"\n", tt.aborts, tc.Opt)
		if err := os.WriteFile(opt, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		crashing := *tc
		crashing.Opt = opt
		r, err := crashing.Build(context.Background(), Options{Sources: []string{"testdata/keep.cu"}, Mode: SourceKeeping, WorkDir: t.TempDir(), DeviceOnly: true})
		if ok := err == nil && len(r.Devices) == 1; ok != tt.ok {
			t.Errorf("opt aborts for %s: %v", tt.aborts, err)
		}
	}
}
