package warpgrind

import (
	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// trackWrites lets the arena note which bytes are written, if a checker wants
// to know, and adds to hooks what copies and fills mean for it.
func (s *session) trackWrites(arena *mem.Arena, hooks host.Hooks) host.Hooks {
	report := s.on.CopiedUnwritten
	if report == nil {
		return hooks
	}
	arena.TrackWrites()
	onCopy, onFill, onLaunched := hooks.Copy, hooks.Fill, hooks.Launched
	hooks.Copy = func(c *host.Copy) {
		if onCopy != nil {
			onCopy(c)
		}
		noteCopy(c, report)
	}
	hooks.Fill = func(f *host.Fill) {
		if onFill != nil {
			onFill(f)
		}
		if w := written(f.Alloc); w != nil {
			f.Dst.Ranges(func(addr, n uint64) { w.Mark(addr-f.Alloc.Base, n) })
		}
	}
	hooks.Launched = func(l *host.LaunchInfo, r host.LaunchResult) {
		if onLaunched != nil {
			onLaunched(l, r)
		}
		arena.Settle()
	}
	return hooks
}

func written(al *mem.Allocation) *mem.Written {
	if al == nil {
		return nil
	}
	return al.Written
}

// noteCopy marks what a copy writes, and tells of unwritten bytes that go to
// the host.
func noteCopy(c *host.Copy, report func(*trace.CopiedUnwritten)) {
	src, dst := written(c.SrcAlloc), written(c.DstAlloc)
	if dst != nil {
		rows(c, func(to, from, n uint64) {
			if src == nil {
				dst.Mark(to-c.DstAlloc.Base, n)
			} else {
				dst.Copy(to-c.DstAlloc.Base, src, from-c.SrcAlloc.Base, n)
			}
		})
		return
	}
	if src == nil || c.DstAlloc != nil && c.DstAlloc.Kind != mem.Pinned {
		return
	}
	e := trace.CopiedUnwritten{Call: c.Call, Where: c.Where, Memory: warp.Describe(c.SrcAlloc), Addr: c.Src.Addr, Elem: src.ElementSize()}
	rows(c, func(_, from, n uint64) {
		e.Size = from + n - e.Addr
		start, length, total := src.Gap(from-c.SrcAlloc.Base, n)
		if e.Total == 0 && total > 0 {
			e.First, e.Length = c.SrcAlloc.Base+start, length
		}
		e.Total += total
	})
	if e.Total > 0 {
		report(&e)
	}
}

// rows calls f for the rows of a copy, once for all where they have no gaps.
func rows(c *host.Copy, f func(to, from, n uint64)) {
	w, h := c.Dst.Width, c.Dst.Height
	if h > 1 && c.Dst.Pitch == w && c.Src.Pitch == w {
		w, h = w*h, 1
	}
	for z := range c.Dst.Depth {
		for y := range h {
			f(c.Dst.Addr+z*c.Dst.Slice+y*c.Dst.Pitch, c.Src.Addr+z*c.Src.Slice+y*c.Src.Pitch, w)
		}
	}
}
