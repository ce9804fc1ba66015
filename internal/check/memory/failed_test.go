package memory

import (
	"testing"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// TestFailedFor: an access belongs to an allocation that failed only where its address is near the value that the
// pointer kept, however much memory was asked for.
func TestFailedFor(t *testing.T) {
	c := New(check.Config{}).(*checker)
	c.Failed(&trace.FailedCall{Call: "cudaSetDevice"})
	c.Failed(&trace.FailedCall{Call: "cudaMalloc", Allocates: true, Size: 1 << 50})
	c.Failed(&trace.FailedCall{Call: "cudaMallocManaged", Allocates: true, Kept: 0x7ffc00001000, Size: 4096})
	for _, x := range []struct {
		name  string
		fault trace.Fault
		want  string
	}{
		{"null", trace.Fault{Cause: trace.CauseNull, Addr: 16}, "cudaMalloc"},
		{"an index on null", trace.Fault{Cause: trace.CauseWild, Addr: 1 << 20}, "cudaMalloc"},
		{"garbage of the host", trace.Fault{Cause: trace.CauseHostPointer, Hidden: 0x7ffc00001ffc}, "cudaMallocManaged"},
		{"behind it", trace.Fault{Cause: trace.CauseHostPointer, Hidden: 0x7ffc00002000}, ""},
		{"memory of the host", trace.Fault{Cause: trace.CauseHostPointer, Hidden: 0x555500001000}, ""},
		{"a wild pointer", trace.Fault{Cause: trace.CauseWild, Addr: 1 << 45}, ""},
		{"beside an allocation", trace.Fault{Cause: trace.CauseOutside, Addr: 16}, ""},
	} {
		got := ""
		if f := c.failedFor(&x.fault); f != nil {
			got = f.Call
		}
		if got != x.want {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
}
