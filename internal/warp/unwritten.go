package warp

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp/program"
	"github.com/warpgrind/warpgrind/internal/warp/vec"
)

// initialize notes what an access to global memory writes, and reports reads
// of uninitialized bytes.
func (w *Warp) initialize(op *program.Mem, m uint32, addr *vec.Row64, s *vec.Span, size uint64) {
	al := w.Env.cached
	if al != nil && s.Lo >= al.Base && s.Hi+size <= al.End() {
		if w.Env.mustSee(al) {
			w.initializeIn(al, op, m, addr, s, size)
		}
		return
	}
	for b := m; b != 0; b &= b - 1 { // lanes in several allocations
		l := vec.Lowest(b) & 31
		if al == nil || !al.Contains(addr[l]) {
			al = w.Env.Arena.Find(addr[l])
		}
		if al != nil && w.Env.mustSee(al) {
			one := vec.Span{Lo: addr[l], Hi: addr[l]}
			w.initializeIn(al, op, 1<<l, addr, &one, size)
		}
	}
}

// initializeIn is initialize for lanes m in one allocation.
func (w *Warp) initializeIn(al *mem.Allocation, op *program.Mem, m uint32, addr *vec.Row64, s *vec.Span, size uint64) {
	wr := al.Written
	if wr == nil || wr.Full() {
		return
	}
	from, n := s.Lo-al.Base, s.Hi-s.Lo+size
	if writesOnly(op.Site) {
		wr.Element(op.Elem)
		wr.Element(int(size)) // of a vector, which aligns structures
		if s.Regular && s.Step == int64(size) {
			wr.Mark(from, n)
		} else {
			w.markLanes(al, m, addr, size, wr.Mark)
		}
		return
	}
	if n > maxAtOnce || !wr.Has(from, n) {
		w.unwritten(al, op, m, addr, size)
	}
	if op.Site.Kind == trace.Atomic { // for all blocks alike, whoever comes first
		w.markLanes(al, m, addr, size, wr.MarkLater)
	}
}

// maxAtOnce bounds the range in which one look is made for all lanes.
const maxAtOnce = 4096

// writesOnly reports whether an access does not look at what it overwrites.
func writesOnly(s *trace.Site) bool {
	return s.Kind == trace.Write || s.Exchange()
}

func (w *Warp) markLanes(al *mem.Allocation, m uint32, addr *vec.Row64, size uint64, mark func(off, n uint64)) {
	for b := m; b != 0; b &= b - 1 {
		mark(addr[vec.Lowest(b)&31]-al.Base, size)
	}
}

// unwritten looks at each lane of a read and reports those that read
// uninitialized bytes.
func (w *Warp) unwritten(al *mem.Allocation, op *program.Mem, m uint32, addr *vec.Row64, size uint64) {
	missing := &w.Env.missing
	var lanes uint32
	for b := m; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		if missing[l] = al.Written.Missing(addr[l]-al.Base, int(size)); missing[l] != 0 {
			lanes |= 1 << l
		}
	}
	if lanes == 0 {
		return
	}
	found := &w.Env.taint.Found
	for b := lanes; b != 0; b &= b - 1 {
		l := vec.Lowest(b) & 31
		found.Origin[l], found.Missing[l] = 0, missing[l]
	}
	if f := w.Env.On.Unwritten; f != nil {
		f(&trace.Unwritten{Site: op.Site, Warp: w.Index, All: m, Mask: lanes, Addr: addr, Missing: missing, Origin: &found.Origin, Memory: al.Describe()})
	}
	for b := lanes; b != 0; b &= b - 1 {
		if l := vec.Lowest(b) & 31; found.Origin[l] != 0 {
			found.Mask |= 1 << l
		}
	}
}

// Wrote notes what a function of the device runtime wrote at a generic address.
func (w *Warp) Wrote(addr uint64, l, n int) {
	if !w.Env.MarksWritten {
		return
	}
	sp := vec.SpaceOf(addr)
	if w.Env.taint.Following {
		w.taint.Stored(sp, l, addr-vec.WindowStart(sp), n)
	}
	if sp == trace.SpaceGlobal {
		if al := w.Env.Arena.Find(addr); al != nil && al.Written != nil {
			al.Written.Mark(addr-al.Base, uint64(n))
		}
		return
	}
	if f := w.Env.On.Wrote; f != nil {
		f(&trace.RuntimeWrite{Space: sp, Warp: w.Index, Lane: l, Addr: addr - vec.WindowStart(sp), N: n})
	}
}
