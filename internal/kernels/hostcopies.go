package kernels

import (
	"encoding/binary"
	"slices"

	"github.com/warpgrind/warpgrind/internal/host"
	"github.com/warpgrind/warpgrind/internal/mem"
)

// words appends bytes as words. Pointers are written as places.
func (f *hostFlow) words(w []uint32, b []byte) []uint32 {
	for ; len(b) >= 8; b = b[8:] {
		v := binary.LittleEndian.Uint64(b)
		if al := f.arena.Find(v); al != nil {
			v = f.place(al, v-al.Base)
		}
		w = append(w, uint32(v), uint32(v>>32))
	}
	for ; len(b) > 0; b = b[min(4, len(b)):] {
		w = append(w, uint32(digest(b[:min(4, len(b))])))
	}
	return w
}

// box is a box as words.
func (f *hostFlow) box(w []uint32, b host.Box) []uint32 {
	var raw []byte
	for _, v := range []uint64{b.Addr, b.Width, b.Height, b.Depth, b.Pitch, b.Slice} {
		raw = binary.LittleEndian.AppendUint64(raw, v)
	}
	return f.words(w, raw)
}

func (f *hostFlow) copyAsked(c *host.Copy) {
	if c.Child || c.DstAlloc == nil || c.SrcAlloc == nil {
		return
	}
	f.step(Step{Kind: StepCopy, Words: f.box(f.box(nil, c.Dst), c.Src)})
}

func (f *hostFlow) fillAsked(l *host.Fill) {
	if l.Child || l.Alloc == nil {
		return
	}
	f.step(Step{Kind: StepFill, Words: f.words(f.box(nil, l.Dst), l.Pattern)})
}

// copying follows a copy that is about to be executed.
func (f *hostFlow) copying(c *host.Copy) {
	if !c.Child {
		f.sync()
	}
	if c.DstAlloc == nil || c.DstAlloc.Kind.HostVisible() {
		f.heard(c)
	}
	switch {
	case c.DstAlloc == nil:
	case c.SrcAlloc == nil:
		f.pending = append(f.pending, pendingCopy{c.DstAlloc, c.Dst})
	default:
		f.copied(c)
		if !c.Child {
			f.done++
		}
	}
}

// copied does a copy between memories that are followed to what is kept of them.
func (f *hostFlow) copied(c *host.Copy) {
	to, from := f.seen[c.DstAlloc], f.seen[c.SrcAlloc]
	c.Rows(func(dst, src, n uint64) {
		d, s := dst-c.DstAlloc.Base, src-c.SrcAlloc.Base
		f.overwritten(c.DstAlloc, d, n)
		switch {
		case to == nil:
		case from == nil:
			copy(to[d:d+n], f.arena.Bytes(src, n))
		default:
			copy(to[d:d+n], from[s:s+n])
		}
		if c.DstAlloc.Taint == nil || !f.values {
			return
		}
		if c.SrcAlloc.Taint != nil && c.SrcAlloc.Taint.Any() && !c.DstAlloc.Taint.Any() {
			f.arena.Tainted()
		}
		c.DstAlloc.Taint.Copy(d, c.SrcAlloc.Taint, s, n)
	})
}

// heard notes the values of a small copy to the host.
func (f *hostFlow) heard(c *host.Copy) {
	if c.SrcAlloc == nil || c.SrcAlloc.Kind.HostVisible() || c.Src.Width*c.Src.Height*c.Src.Depth > heardBytes {
		return
	}
	c.Rows(func(_, src, n uint64) {
		for b := f.arena.Bytes(src, n); len(b) > 0 && len(f.out.Heard) < maxHeard; b = b[min(4, len(b)):] {
			f.out.Heard = append(f.out.Heard, uint32(digest(b[:min(4, len(b))])))
		}
	})
}

// filling does a fill to what is kept of the memory.
func (f *hostFlow) filling(l *host.Fill) {
	if !l.Child {
		f.sync()
	}
	if l.Alloc == nil {
		return
	}
	if !l.Child {
		f.done++
	}
	zero := !slices.ContainsFunc(l.Pattern, func(b byte) bool { return b != 0 })
	l.Dst.Ranges(func(addr, n uint64) {
		off := addr - l.Alloc.Base
		f.overwritten(l.Alloc, off, n)
		if was := f.seen[l.Alloc]; was != nil {
			for i := range n {
				was[off+i] = l.Pattern[i%uint64(len(l.Pattern))]
			}
		}
		switch {
		case !zero:
			f.taint(l.Alloc, off, n, fromFill)
		case f.values && l.Alloc.Taint != nil:
			l.Alloc.Taint.Clear(off, n)
		}
	})
}

// pendingCopy is a copy of the host's memory that arrives before the next step begins.
type pendingCopy struct {
	al  *mem.Allocation
	box host.Box
}
