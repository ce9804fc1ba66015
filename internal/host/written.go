package host

import (
	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
	"github.com/warpgrind/warpgrind/internal/warp"
)

// trackWrites lets the arena note which bytes are written, if report is set, and adds to
// hooks what copies and fills mean for it: report gets the uninitialized bytes that a
// copy brings to the
func trackWrites(report func(*trace.CopiedUnwritten), arena *mem.Arena, hooks Hooks) Hooks {
	if report == nil {
		return hooks
	}
	arena.TrackWrites()
	onCopy, onFill, onLaunched := hooks.Copying, hooks.Filling, hooks.Launched
	hooks.Copying = func(c *Copy) {
		if onCopy != nil {
			onCopy(c)
		}
		noteCopy(c, report)
	}
	hooks.Filling = func(f *Fill) {
		if onFill != nil {
			onFill(f)
		}
		if w := written(f.Alloc); w != nil {
			f.Dst.Ranges(func(addr, n uint64) { w.Mark(addr-f.Alloc.Base, n) })
		}
		if t := taint(f.Alloc); t != nil {
			f.Dst.Ranges(func(addr, n uint64) { t.Clear(addr-f.Alloc.Base, n) })
		}
	}
	hooks.Launched = func(l *LaunchInfo, r LaunchResult) {
		if onLaunched != nil {
			onLaunched(l, r)
		}
		arena.Settle()
	}
	hooks.Parked = before(hooks.Parked, func(int) { arena.Settle() })
	return hooks
}

func written(al *mem.Allocation) *mem.Written {
	if al == nil {
		return nil
	}
	return al.Written
}

func taint(al *mem.Allocation) *mem.Taint {
	if al == nil {
		return nil
	}
	return al.Taint
}

// noteCopy marks what a copy writes, and reports uninitialized bytes that go to the
func noteCopy(c *Copy, report func(*trace.CopiedUnwritten)) {
	src, dst := written(c.SrcAlloc), written(c.DstAlloc)
	if to, from := taint(c.DstAlloc), taint(c.SrcAlloc); to != nil {
		offset := uint64(0)
		if from != nil {
			offset = c.SrcAlloc.Base
		}
		rows(c, func(at, src, n uint64) { to.Copy(at-c.DstAlloc.Base, from, src-offset, n) })
	}
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
	if c.SrcAlloc == nil || c.DstAlloc != nil && c.DstAlloc.Kind != mem.Pinned {
		return
	}
	for _, e := range copiedUnwritten(c, src) {
		report(e)
	}
}

// copiedUnwritten are the bytes of a copy that were never written, and those to which
// undefined values were stored.
func copiedUnwritten(c *Copy, src *mem.Written) (list []*trace.CopiedUnwritten) {
	al := c.SrcAlloc
	never := &trace.CopiedUnwritten{Call: c.Call, Where: c.Where, Wait: c.Wait, Memory: warp.Describe(al), Addr: c.Src.Addr}
	if src != nil {
		never.Elems = src.ElementSizes()
	}
	like := *never
	stored := &like
	stored.Stored = true
	rows(c, func(_, from, n uint64) {
		never.Size = from + n - never.Addr
		if src != nil && !src.Full() {
			src.EachGap(from-al.Base, n, func(start, length uint64) bool {
				never.Add(al.Base+start, length)
				return true
			})
		}
		if al.Taint != nil {
			al.Taint.Each(from-al.Base, n, func(off uint64, _ uint8, origin uint32) {
				if stored.Total == 0 {
					stored.Origin = origin
				}
				stored.Add(al.Base+off, 1)
			})
		}
	})
	stored.Size = never.Size
	for _, e := range []*trace.CopiedUnwritten{never, stored} {
		if e.Total > 0 {
			list = append(list, e)
		}
	}
	return list
}

// rows calls f for the rows of a copy, once for all where they have no gaps.
func rows(c *Copy, f func(to, from, n uint64)) {
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

// onUnused returns a hook for allocations that end, which passes on those of which bytes were
// never written. Of pitched memory the bytes behind the rows do not count.
func onUnused(report func(*trace.UnusedMemory)) func(*mem.Allocation) {
	if report == nil {
		return nil
	}
	return func(al *mem.Allocation) {
		w := written(al)
		if w == nil || al.Kind != mem.Device || al.Name != "" || w.Full() {
			return
		}
		e := &trace.UnusedMemory{Memory: warp.Describe(al)}
		row, pitch := al.Size, al.Size
		if al.Rows.Pitch > 0 {
			row, pitch = al.Rows.Width, al.Rows.Pitch
		}
		for at := uint64(0); at < al.Size; at += pitch {
			w.EachGap(at, min(row, al.Size-at), func(start, length uint64) bool {
				if e.Total == 0 {
					e.First = trace.Gap{Addr: al.Base + start, Size: length}
				}
				e.Total += length
				return true
			})
		}
		if e.Total > 0 {
			report(e)
		}
	}
}
