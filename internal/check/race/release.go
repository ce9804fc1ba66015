package race

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// handsOver reports whether a launch may have release and acquire patterns: it
// has a fence or an instruction that releases or acquires by itself.
func handsOver(l *trace.Launch) bool {
	for _, s := range l.Sites {
		if s.Order >= trace.OrderAcquire || s.Op.IsFence() {
			return true
		}
	}
	return false
}

// Fence takes note of a fence: it ends an acquire and begins a release.
func (b *blockObserver) Fence(e *trace.Fence) {
	if b.launch.handsOver && e.Warp < b.order.warps {
		b.order.fence(e.Warp, e.Mask, e.Scope)
	}
}

// strongAccess acquires and releases for the lanes of a strong access.
func (b *blockObserver) strongAccess(a *trace.Access) {
	if a.Site.Op.IsMBarrier() {
		b.mbarrier(a)
		return
	}
	one := oneAddress(a) // as locks and flags are accessed
	in := &b.launch.sites[a.Site.ID]
	for m := a.Mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m)
		t := 32*a.Warp + lane
		for at := 0; at < a.Site.Size; at += max(in.elem, 1) {
			if one {
				b.say(a, lane, wordOf(a.Space, a.Addr[lane]+uint64(at)))
			}
			place := b.placeOf(a.Space, a.Addr[lane]+uint64(at))
			if n := b.order.strong(t, place, in); n > 0 && a.Space == trace.SpaceShared {
				b.noteNumber(threadWord{t, place}, siteNumber{a.Site.ID, in.elem, n})
			}
		}
	}
}

// siteNumber is the number of a site's last strong write to a word, of elements of a size.
type siteNumber struct {
	site, elem int
	number     uint32
}

type siteNumbers []siteNumber

func (b *blockObserver) noteNumber(at threadWord, is siteNumber) {
	if b.numbers == nil {
		b.numbers = map[threadWord]siteNumbers{}
	}
	list := b.numbers[at]
	if i := slices.IndexFunc(list, func(n siteNumber) bool { return n.site == is.site }); i >= 0 {
		list[i] = is
		return
	}
	b.numbers[at] = append(list, is)
}

// observed reports whether a thread that knows k has observed a site's last write to a
// word, or what the same thread has written over it.
func (list siteNumbers) observed(k *know, word uint64, site int) bool {
	i := slices.IndexFunc(list, func(n siteNumber) bool { return n.site == site })
	return i >= 0 && slices.ContainsFunc(list, func(n siteNumber) bool {
		return n.number >= list[i].number && n.elem == list[i].elem && k.observed(word, n.number)
	})
}

// overwrite notes the places of a plain write.
func (b *blockObserver) overwrite(a *trace.Access) {
	for m := a.Mask; m != 0 && len(b.order.words) > 0; m &= m - 1 {
		b.order.overwrite(b.placeOf(a.Space, a.Addr[bits.TrailingZeros32(m)]), a.Site.Size, true)
	}
}

// placeOf names a place for release sequences.
func (b *blockObserver) placeOf(space trace.Space, addr uint64) uint64 {
	if space == trace.SpaceShared {
		return addr | 1<<63 | b.block.Index<<22
	}
	return addr
}

// wordOf names a word of shared or global memory.
func wordOf(space trace.Space, addr uint64) uint64 {
	if space == trace.SpaceShared {
		return addr>>2 | 1<<63
	}
	return addr >> 2
}

// say notes what a strong access means for locks and signals.
func (b *blockObserver) say(a *trace.Access, lane int, word uint64) {
	s, t := a.Site, 32*a.Warp+lane
	if b.locks != nil {
		b.locks.strong(s, uint64(t), word, operand(a, lane))
	}
	if s.Kind != trace.Write {
		b.signals.hear(hearing{word: word, site: s, thread: t, stamp: b.order.now[t/32]})
	}
	if s.Kind != trace.Read {
		f, fenced := b.order.lastFence[t]
		g := signal{thread: uint64(t), site: s, stamp: b.order.now[t/32], tick: b.ticks[t/32], fenced: fenced}
		g.fence.stamp = f.stamp
		b.signals.say(uint32(t), word, g)
		b.signals.say(warpOf(uint32(t)), word, g)
	}
}

// operand is what a lane writes, or an atomic's operand; 0 where that is not
// known.
func operand(a *trace.Access, lane int) uint64 {
	if a.Data == nil || !a.Site.Kind.Writes() {
		return 0
	}
	return a.Data.Value(lane, 0)
}

// handedOver reports whether two volatile accesses to word are part of a release
// and acquire pattern: then they are what synchronizes, and no race.
func (b *blockObserver) handedOver(o, k key, word uint32) bool {
	x, y := &b.launch.sites[o.site()], &b.launch.sites[k.site()]
	return flagPair(x, y) && (announced(x, y) || b.order.words[b.placeOf(trace.SpaceShared, 4*uint64(word))].releases())
}

// noteFlags sets which volatile sites of a launch may be those of flags. A fence
// publishes what comes before it: a word that is written behind one is a flag only to
// those who go by its value, and data to those who compute with it.
func (c *checker) noteFlags(l *trace.Launch, sites []siteInfo) {
	if !handsOver(l) {
		return
	}
	facts, some := c.factsOf(l), false
	for i, s := range l.Sites {
		switch in := &sites[i]; {
		case in.kind == trace.Read && in.strength == volatileOnly:
			in.flag = facts.Flag(guardSite(s))
			some = some || in.flag
		case in.kind == trace.Read && in.strength == strong, in.result: // these look at words, too
			some = true
		}
	}
	for i, s := range l.Sites {
		if in := &sites[i]; some && in.strength == volatileOnly && in.kind == trace.Write {
			_, update := facts.Update(guardSite(s))
			in.flag = !update
			in.announces, in.asked = facts.Announces(guardSite(s))
		}
	}
}

// announced reports whether two accesses to a flag, which need not be behind a fence, are
// followed by one: what a thread says of itself, and others wait to hear. Two writes are
// so only where threads wait for the value.
func announced(x, y *siteInfo) bool {
	both := x.kind != trace.Read && y.kind != trace.Read
	says := func(in *siteInfo) bool { return in.kind == trace.Read || in.announces && (in.asked || !both) }
	return says(x) && says(y)
}

// flagPair reports whether two accesses may be those to a flag: a read decides it, of two
// writes both.
func flagPair(x, y *siteInfo) bool {
	if x.strength != volatileOnly || y.strength != volatileOnly || x.elem != y.elem {
		return false
	}
	return (x.flag || x.kind != trace.Read && y.kind == trace.Read) && (y.flag || y.kind != trace.Read && x.kind == trace.Read)
}
