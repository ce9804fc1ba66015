package work

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// fences keeps which strong writes of a slot's blocks come after a fence of their
// thread, so that who reads them may rely on what the thread did before (PTX
// ISA, "Memory Consistency Model": release patterns). Scopes of device and
// system are told apart: only the latter reaches the host.
type fences struct {
	// lanes are those of each warp that executed a fence of a scope.
	lanes [trace.ScopeSys + 1]map[int]uint32
	// released has the bytes of sites by scope.
	released map[int]map[trace.Scope]*extents
}

func (f *fences) begin() {
	for _, lanes := range f.lanes {
		clear(lanes)
	}
}

func (f *fences) fence(e *trace.Fence) {
	if f.lanes[e.Scope] == nil {
		f.lanes[e.Scope] = map[int]uint32{}
	}
	f.lanes[e.Scope][e.Warp] |= e.Mask
}

// strongWrite notes the bytes that are released by an access.
func (f *fences) strongWrite(a *trace.Access) {
	for _, scope := range []trace.Scope{trace.ScopeGPU, trace.ScopeSys} {
		lanes := f.lanes[scope][a.Warp]
		if a.Site.Order >= trace.OrderRelease && a.Site.Scope == scope {
			lanes = a.Mask
		}
		for m := a.Mask & lanes; m != 0; m &= m - 1 {
			at := a.Addr[bits.TrailingZeros32(m)]
			f.bytes(a.Site.ID, scope).add(extent{at, at + uint64(a.Site.Size)})
		}
	}
}

func (f *fences) bytes(site int, scope trace.Scope) *extents {
	if f.released == nil {
		f.released = map[int]map[trace.Scope]*extents{}
	}
	if f.released[site] == nil {
		f.released[site] = map[trace.Scope]*extents{}
	}
	if f.released[site][scope] == nil {
		f.released[site][scope] = &extents{}
	}
	return f.released[site][scope]
}
