package memory

import (
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// Subarrays of a dynamic shared array
//
// A kernel divides its dynamic shared memory by pointers, and an index that runs
// from one part into the next hits something. But it may also mean to: one pointer
// can lie in the middle of what another one means, and memory is used again for
// something else. So what counts is data that goes from one part to the other: a
// thread reads through a what was written through b, after the place where b
// begins, and never through a; or it overwrites through a what was written and is
// still read through b.
//
// If a and b point to different kinds of numbers that is an error. If both point to
// the same kind, b may be a place within a. Then it is a warning, and only where
// the rest looks like two arrays.

// Blocks and launches of a kernel that are watched.
const (
	partBlocks   = 4
	partLaunches = 32
)

// parts watches the parts of dynamic shared memory; nil where there is nothing to find.
func (o launchObserver) parts() *partsLaunch {
	l := o.launch
	used := map[int]bool{}
	for _, s := range l.Sites {
		used[s.Subarray] = true
	}
	delete(used, 0)
	if len(l.Subarrays) < 2 || len(used) == 0 {
		return nil
	}
	c := o.checker
	c.mu.Lock()
	defer c.mu.Unlock()
	key := l.Module + "\x00" + l.Kernel
	if c.partLaunchesOf == nil {
		c.partLaunchesOf = map[string]int{}
	}
	if c.partLaunchesOf[key]++; c.partLaunchesOf[key] > partLaunches {
		return nil
	}
	return &partsLaunch{checker: c, launch: l}
}

// partsLaunch watches the parts in a launch.
type partsLaunch struct {
	checker *checker
	launch  *trace.Launch
	blocks  []*partsBlock
}

// Spares is for trace.LaunchObserver: some blocks stand for all.
func (o *partsLaunch) Spares(block uint64) bool {
	n := o.launch.Grid.Size()
	if n <= partBlocks {
		return false
	}
	for k := uint64(0); k < partBlocks; k++ {
		if block == k*(n-1)/(partBlocks-1) {
			return false
		}
	}
	return true
}

func (o *partsLaunch) newBlock() *trace.BlockObserver {
	b := &partsBlock{in: o, seen: map[crossKey]*crossing{}, found: map[crossKey]*crossing{}}
	for _, p := range o.launch.Subarrays {
		b.parts = append(b.parts, subarrayState{Subarray: p, start: unknownStart})
	}
	o.checker.mu.Lock()
	o.blocks = append(o.blocks, b)
	o.checker.mu.Unlock()
	return &trace.BlockObserver{Begin: b.Begin, End: b.End, Shared: b.Access, SubarrayBegins: b.SubarrayBegins}
}

// End merges what was found in the blocks, the one with the lowest number first.
func (o *partsLaunch) End() {
	all := map[crossKey]*crossing{}
	for _, b := range o.blocks {
		for k, x := range b.found {
			have := all[k]
			switch {
			case have == nil:
				all[k] = x
			case x.block < have.block:
				x.count += have.count
				all[k] = x
			default:
				have.count += x.count
			}
		}
	}
	o.checker.mu.Lock()
	defer o.checker.mu.Unlock()
	for k, x := range all {
		o.checker.strays.Add(o.finding(k, x))
	}
	o.blocks = nil
}

// Starts of parts that are not known (yet), or not the same for all threads.
const (
	unknownStart = -1
	manyStarts   = -2
)

// subarrayState is what a block shows of a part.
type subarrayState struct {
	trace.Subarray
	start int64
	// lo and hi are where it begins and where the next part does, 0 and the end of
	// shared memory for a part that has its place in common with another one.
	lo, hi uint64
	// wrote are the bytes written through it; within those accessed from lo to hi,
	// beyond those from hi on.
	wrote, within, beyond byteSet
	// before is set if something below lo was accessed.
	before bool
}

// crossKey tells crossings apart: by the instruction that crosses, its part, and the
// part that it hits.
type crossKey struct {
	site     int
	from, to int
	read     bool
}

// crossing is an access that goes from one part to another.
type crossing struct {
	site *trace.Site
	// other wrote what is read, or reads what was overwritten.
	other      *trace.Site
	block      uint64
	warp, lane int
	addr       uint64
	count      uint64
	level      finding.Level
	// from and to are the parts as they were in the block, parts all of them.
	from, to subarrayState
	parts    []subarrayState
}

// partsBlock watches blocks.
type partsBlock struct {
	in    *partsLaunch
	block *trace.Block
	parts []subarrayState
	// owner is for each byte the part, from 1, through which it was written last,
	// writer the place where; broken the crossing that overwrote another part's.
	owner  []uint8
	writer []*trace.Site
	broken []*crossing
	// broke is set once there is one.
	broke bool
	seen  map[crossKey]*crossing
	found map[crossKey]*crossing
	// settled is set if the parts' ends are up to date; inside are sites that also
	// access what they mean.
	settled bool
	inside  map[*trace.Site]bool
}

// Begin is for trace.BlockObserver.
func (b *partsBlock) Begin(blk *trace.Block) {
	b.block = blk
	n := len(blk.Shared)
	b.owner, b.writer, b.broken = make([]uint8, n), make([]*trace.Site, n), make([]*crossing, n)
	for i := range b.parts {
		b.parts[i] = subarrayState{Subarray: b.parts[i].Subarray, start: unknownStart}
	}
	clear(b.seen)
	b.inside = map[*trace.Site]bool{}
	b.settled, b.broke = false, false
}

// SubarrayBegins is the event of that name.
func (b *partsBlock) SubarrayBegins(e *trace.SubarrayStart) {
	p := &b.parts[e.Subarray]
	for m := e.Mask; m != 0; m &= m - 1 {
		at := int64(e.Addr[bits.TrailingZeros32(m)])
		switch {
		case p.start == at:
		case p.start == unknownStart && at >= 0 && at <= int64(len(b.owner)):
			p.start, b.settled = at, false
		case p.start != manyStarts:
			p.start, b.settled = manyStarts, false
		}
	}
}

// settle finds where the parts end.
func (b *partsBlock) settle() {
	if b.settled {
		return
	}
	b.settled = true
	for i := range b.parts {
		p := &b.parts[i]
		p.lo, p.hi = 0, uint64(len(b.owner))
		if p.start < 0 || b.overlaid(i) {
			continue
		}
		p.lo = uint64(p.start)
		for k := range b.parts {
			if q := &b.parts[k]; q.start > p.start && q.Array == p.Array {
				p.hi = min(p.hi, uint64(q.start))
			}
		}
	}
}

// rawBytes are the kinds of a pointer to bytes, by which memory is often divided.
const rawBytes = "i1"

// overlaid reports whether another part begins where part i does.
func (b *partsBlock) overlaid(i int) bool {
	p := &b.parts[i]
	return slices.ContainsFunc(b.parts, func(q subarrayState) bool {
		return q.Subarray != p.Subarray && q.start == p.start && q.Array == p.Array && q.Kinds != rawBytes
	})
}

// partOf is the part that a site means, from 1: of those that its address was computed
// from, the last one with one place for all threads. It is 0 if there is none, or where
// a part is seen as something else.
func (b *partsBlock) partOf(s *trace.Site) int {
	n := s.Subarray
	for n > 0 && b.parts[n-1].start < 0 {
		n = b.parts[n-1].Parent
	}
	if n == 0 || !holds(b.parts[n-1].Kinds, s) {
		return 0
	}
	return n
}

// holds reports whether what a site accesses can be a number of one of the kinds. Only
// reads say which type they want: a constant is written without one.
func holds(kinds string, s *trace.Site) bool {
	float := s.Op.Type.Class == inst.Float
	return slices.ContainsFunc(strings.Split(kinds, ","), func(k string) bool {
		return len(k) == 2 && int(k[1]-'0') == s.Elem && (s.Kind != trace.Read || s.Elem < 4 || float == (k[0] == 'f'))
	})
}

// Access is for trace.BlockObserver.
func (b *partsBlock) Access(a *trace.Access) {
	if a.Space != trace.SpaceShared || a.Async == trace.AsyncIssue || a.Site.Size == 0 {
		return
	}
	b.settle()
	n := b.partOf(a.Site)
	for m := a.Mask; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		at, end := a.Addr[l], a.Addr[l]+uint64(a.Site.Size)
		if end > uint64(len(b.owner)) {
			continue
		}
		if a.Site.Kind != trace.Write && !a.Site.Exchange() {
			b.read(a, l, n, at, end)
		}
		if n > 0 {
			b.notePlace(a.Site, n, at, end)
		}
		if a.Site.Kind != trace.Read {
			b.write(a, l, n, at, end)
		}
	}
}

// notePlace notes where a part is accessed.
func (b *partsBlock) notePlace(s *trace.Site, n int, at, end uint64) {
	p := &b.parts[n-1]
	switch {
	case at < p.lo:
		p.before = true
	case at >= p.hi:
		p.beyond.add(at, end, len(b.owner))
	default:
		p.within.add(at, end, len(b.owner))
		b.inside[s] = true
	}
}

// read looks at one lane's read.
func (b *partsBlock) read(a *trace.Access, lane, n int, at, end uint64) {
	if n == 0 || !b.broke && b.own(n, at, end) {
		return
	}
	for i := at; i < end; i++ {
		if x := b.broken[i]; x != nil && n > 0 && n == b.numberOf(x.to.Subarray) {
			x.other = a.Site
			b.keep(crossKey{x.site.ID, b.numberOf(x.from.Subarray), n, false}, x)
			return
		}
		o := int(b.owner[i])
		if n == 0 || o == 0 || o == n {
			continue
		}
		p := &b.parts[n-1]
		if i >= p.lo && i < p.hi || p.wrote.has(i) {
			continue
		}
		b.keep(crossKey{a.Site.ID, n, o, true}, &crossing{
			site: a.Site, other: b.writer[i], block: b.block.Index, warp: a.Warp, lane: lane, addr: at, count: 1})
		return
	}
}

// own reports whether what is read was written through the part n, as far as four bytes at a time tell.
func (b *partsBlock) own(n int, at, end uint64) bool {
	if (end-at)%4 != 0 {
		return false
	}
	for owner := b.owner[at:end]; len(owner) > 0; owner = owner[4:] {
		if binary.LittleEndian.Uint32(owner) != uint32(n)*0x01010101 {
			return false
		}
	}
	return true
}

// numberOf is the number, from 1, of a part.
func (b *partsBlock) numberOf(p trace.Subarray) int {
	return 1 + slices.IndexFunc(b.parts, func(q subarrayState) bool { return q.Subarray == p })
}

// write notes one lane's write.
func (b *partsBlock) write(a *trace.Access, lane, n int, at, end uint64) {
	for i := at; i < end; i++ {
		o := int(b.owner[i])
		b.broken[i] = nil
		if n > 0 && o > 0 && o != n {
			p, q := &b.parts[n-1], &b.parts[o-1]
			if (i < p.lo || i >= p.hi) && i >= q.lo && i < q.hi && !p.wrote.has(i) {
				b.broke = true
				b.broken[i] = &crossing{site: a.Site, block: b.block.Index, warp: a.Warp, lane: lane, addr: at, count: 1,
					from: subarrayState{Subarray: p.Subarray}, to: subarrayState{Subarray: q.Subarray}}
			}
		}
		b.owner[i], b.writer[i] = uint8(n), a.Site
	}
	if n > 0 {
		b.parts[n-1].wrote.add(at, end, len(b.owner))
	}
}

// keep keeps the first crossing of its kind in the block.
func (b *partsBlock) keep(k crossKey, x *crossing) {
	if have := b.seen[k]; have != nil {
		if have != x {
			have.count++
		}
		return
	}
	b.seen[k] = x
}

// End is for trace.BlockObserver: now it is known which parts have one place.
func (b *partsBlock) End() {
	b.settle()
	for k, x := range b.seen {
		x.from, x.to, x.parts = b.parts[k.from-1], b.parts[k.to-1], slices.Clone(b.parts)
		if !b.judge(x) {
			continue
		}
		if have := b.found[k]; have == nil || x.block < have.block {
			if have != nil {
				x.count += have.count
			}
			b.found[k] = x
		} else {
			have.count += x.count
		}
	}
}
