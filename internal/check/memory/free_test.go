package memory

import (
	"strings"
	"testing"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

func TestInvalidFree(t *testing.T) {
	c := New(check.Config{})
	l := c.Observer()
	for range 3 {
		l.InvalidFree(&trace.InvalidFree{Call: "cudaFree", Where: "dir:x/a.cu:12", Cause: trace.CauseFreedTwice,
			Message: "double free of 0x1000 (64 bytes)", Notes: []string{"allocated by cudaMalloc #1"}})
	}
	l.InvalidFree(&trace.InvalidFree{Call: "cudaFreeHost", Message: "free of 0x10, which is not an allocation"})
	fs := c.Findings()
	if len(fs) != 2 {
		t.Fatalf("%d findings, want 2", len(fs))
	}
	for _, f := range fs {
		switch f.Kind {
		case "double-free":
			if f.Count != 3 || f.Primary.Loc.File != "dir:x/a.cu" || f.Primary.Loc.Line != 12 ||
				!strings.Contains(f.Message, "cudaFree: double free") {
				t.Errorf("%+v", f)
			}
		case "invalid-free":
			if f.Count != 1 || f.Primary.Loc.IsValid() {
				t.Errorf("%+v", f)
			}
		default:
			t.Errorf("kind %s", f.Kind)
		}
	}
}
