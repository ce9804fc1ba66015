package host

import (
	"slices"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
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
	hooks.Operator = before(hooks.Operator, func(o *Operator) { noteOperator(arena, o, report) })
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
	for _, e := range copiedUnwritten(c) {
		report(e)
	}
}

// noteOperator reports uninitialized bytes that an operator reads, and marks what it writes.
func noteOperator(arena *mem.Arena, o *Operator, report func(*trace.CopiedUnwritten)) {
	if o.Moves {
		return
	}
	var order []*mem.Allocation
	reads := map[*mem.Allocation][]trace.Range{}
	for _, r := range o.Reads {
		al := arena.Find(r.Addr)
		if al == nil || r.N > al.End()-r.Addr {
			continue
		}
		if reads[al] == nil {
			order = append(order, al)
		}
		reads[al] = append(reads[al], r)
	}
	for _, al := range order {
		e := trace.CopiedUnwritten{Call: o.Call, Where: o.Where, Operator: true, Computed: o.Library, Memory: al.Describe(), Addr: reads[al][0].Addr}
		for _, e := range unwritten(e, al, func(f func(from, n uint64)) {
			for _, r := range reads[al] {
				f(r.Addr, r.N)
			}
		}) {
			report(e)
		}
	}
	for _, r := range slices.Concat(o.Writes, o.Marks) {
		al := arena.Find(r.Addr)
		if al == nil || r.N > al.End()-r.Addr {
			continue
		}
		if w := al.Written; w != nil {
			w.Mark(r.Addr-al.Base, r.N)
		}
		if al.Taint != nil {
			al.Taint.Clear(r.Addr-al.Base, r.N)
		}
	}
}

// copiedUnwritten are the bytes of a copy that were never written, and those to which
// undefined values were stored.
func copiedUnwritten(c *Copy) []*trace.CopiedUnwritten {
	e := trace.CopiedUnwritten{Call: c.Call, Where: c.Where, Wait: c.Wait, Memory: c.SrcAlloc.Describe(), Addr: c.Src.Addr}
	return unwritten(e, c.SrcAlloc, func(f func(from, n uint64)) { rows(c, func(_, from, n uint64) { f(from, n) }) })
}

// unwritten are the uninitialized bytes of ranges of an allocation, those that were never written and those to
// which undefined values were stored; e has the facts about both.
func unwritten(e trace.CopiedUnwritten, al *mem.Allocation, each func(func(from, n uint64))) (list []*trace.CopiedUnwritten) {
	src, never := al.Written, &e
	if src != nil {
		never.Elems = src.ElementSizes()
	}
	like := *never
	stored := &like
	stored.Stored = true
	each(func(from, n uint64) {
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

// Rows calls f for the rows of the copy: the addresses to which and from which it moves n bytes.
func (c *Copy) Rows(f func(to, from, n uint64)) { rows(c, f) }

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
		e := &trace.UnusedMemory{Memory: al.Describe()}
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
