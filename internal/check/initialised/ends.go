package initialised

import (
	"math/bits"
	"slices"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// What becomes of what nobody wrote? Threads at the edge of a matrix compute with
// elements of a tile that are not there, and store no result. Where all that is
// computed from a read ends in stores (trace.Site.Ends), the read counts once its
// lane has come to one of them. A store to shared memory hands the question on to
// who reads it.

// endSites are the stores of a kernel in which reads of shared memory end.
type endSites struct {
	// stores is how many there are; store has for each site its number plus one,
	// 0 for none, ends for each read the numbers.
	stores int
	store  []int
	ends   [][]int
	// handOn says that some of them are to shared memory.
	handOn bool
}

// endSitesOf finds them, nil for none.
func endSitesOf(sites []*trace.Site) *endSites {
	type line struct {
		fn string
		at int
	}
	x := &endSites{store: make([]int, len(sites)), ends: make([][]int, len(sites))}
	byLine := map[line][]int{} // numbers of stores
	for _, s := range sites {
		if s.Kind.Writes() && (s.Space == trace.SpaceGlobal || s.Space == trace.SpaceShared) {
			k := line{s.Func, s.PTXLine}
			byLine[k] = append(byLine[k], s.ID)
		}
	}
	for _, s := range sites {
		if s.Ends == nil {
			continue
		}
		list := []int{}
		for _, l := range s.Ends {
			for _, id := range byLine[line{s.Func, l}] {
				if x.store[id] == 0 {
					x.stores++
					x.store[id] = x.stores
				}
				list = append(list, x.store[id]-1)
				x.handOn = x.handOn || sites[id].Space == trace.SpaceShared
			}
		}
		x.ends[s.ID] = list
	}
	if !slices.ContainsFunc(x.ends, func(e []int) bool { return e != nil }) {
		return nil
	}
	return x
}

// endSites are those of the launch's kernel.
func (c *checker) endSites(l *trace.Launch) *endSites {
	k := l.Module + " " + l.Kernel
	x, ok := c.ends[k]
	if !ok {
		x = endSitesOf(l.Sites)
		c.ends[k] = x
	}
	return x
}

// open are the reads of a block of which is not known yet what becomes of them.
type open struct {
	*endSites
	// done has for each warp and store the lanes that have been there in this
	// interval, anyDone that there are some.
	done    []uint32
	anyDone bool
	// reads are those of each warp, in the order of their first lanes; left is how
	// many there are, byKey finds them.
	reads [][]*openRead
	left  int
	byKey map[openKey]*openRead
	// handed are the interval's stores to shared memory in which reads end; crowded
	// says that there were more.
	handed  []handedOn
	crowded bool
	// origins are reads of what nobody wrote, the results of which were stored in
	// shared memory; from has for each byte there the number plus one of the one
	// that it was computed from.
	origins []origin
	from    []uint16
}

type openKey struct {
	site, warp, object int
	origin             uint16
}

// openRead is what some lanes read; count has how often.
type openRead struct {
	lateRead
	key   openKey
	count [32]uint64
}

// handedOn is a store to shared memory, store its number.
type handedOn struct {
	store, warp, size int
	lanes             uint32
	addr              [32]uint64
}

type origin struct {
	key     readKey
	witness witness
}

// maxOrigins bounds open.origins, maxHanded open.handed, maxOpen open.left.
const (
	maxOrigins = 1 << 10
	maxHanded  = 1 << 10
	maxOpen    = 1 << 13
)

// reset forgets the block before.
func (o *open) reset() {
	clear(o.done)
	clear(o.byKey)
	clear(o.from)
	clear(o.reads)
	o.left, o.origins, o.handed, o.crowded, o.anyDone = 0, o.origins[:0], o.handed[:0], false, false
}

// waiting reports whether reads are open that stores to shared memory may hand on.
func (o *open) waiting() bool { return o.endSites != nil && o.handOn && o.left > 0 }

// ending notes that lanes come to a store in which reads end.
func (b *blockObserver) ending(a *trace.Access) {
	if b.endSites == nil {
		return
	}
	n := b.store[a.Site.ID] - 1
	switch {
	case n < 0:
	case a.Space == trace.SpaceGlobal:
		at := a.Warp*b.stores + n
		if more := at + 1 - len(b.done); more > 0 {
			b.done = append(b.done, make([]uint32, more)...)
		}
		b.done[at] |= a.Mask
		b.anyDone = true
	case !b.dirty && b.left == 0:
	case len(b.handed) == maxHanded:
		b.crowded = true
	default:
		b.handed = append(b.handed, handedOn{n, a.Warp, a.Site.Size, a.Mask, *a.Addr})
	}
}

// ended returns those of the lanes of a read that have come to a store in this
// interval in which it ends.
func (b *blockObserver) ended(r *lateRead) (done uint32) {
	for _, n := range b.ends[r.site.ID] {
		if at := r.warp*b.stores + n; b.anyDone && at < len(b.done) {
			done |= b.done[at]
		}
	}
	return done & r.lanes
}

// follows reports whether it is followed what becomes of a site's reads.
func (b *blockObserver) follows(s *trace.Site) bool {
	return b.endSites != nil && b.ends[s.ID] != nil
}

// hold keeps back the lanes of a read of which it is not known what becomes of
// them. Where there are too many, they are judged at once.
func (b *blockObserver) hold(r *lateRead) {
	k := openKey{r.site.ID, r.warp, check.SharedVariable(b.launch, r.addr[bits.TrailingZeros32(r.lanes)]), r.origin}
	have := b.byKey[k]
	if have == nil && b.left == maxOpen {
		b.judgeShared(r, r.lanes, nil)
		return
	}
	if have == nil {
		have = &openRead{lateRead: *r, key: k}
		have.lanes = 0
		b.byKey[k] = have
		for len(b.reads) <= r.warp {
			b.reads = append(b.reads, nil)
		}
		b.reads[r.warp] = append(b.reads[r.warp], have)
		b.left++
	}
	for m := r.lanes; m != 0; m &= m - 1 {
		l := bits.TrailingZeros32(m)
		if have.lanes>>l&1 == 0 {
			have.addr[l], have.missing[l] = r.addr[l], r.missing[l]
		}
		have.count[l]++
	}
	have.lanes |= r.lanes
}

// settle judges the open reads that have come to an end in this interval.
func (b *blockObserver) settle() {
	b.handOver()
	for w, reads := range b.reads {
		for _, r := range reads {
			if done := b.ended(&r.lateRead); done != 0 {
				b.close(r, done)
			}
		}
		b.reads[w] = slices.DeleteFunc(reads, b.closed)
	}
	if b.anyDone {
		clear(b.done)
		b.anyDone = false
	}
}

// closed forgets a read that is judged, and reports whether it was.
func (b *blockObserver) closed(r *openRead) bool {
	if r.lanes != 0 {
		return false
	}
	delete(b.byKey, r.key)
	b.left--
	return true
}

// close judges some lanes of an open read.
func (b *blockObserver) close(r *openRead, lanes uint32) {
	b.judgeShared(&r.lateRead, lanes, &r.count)
	r.lanes &^= lanes
	for m := lanes; m != 0; m &= m - 1 {
		r.count[bits.TrailingZeros32(m)] = 0
	}
}

// handOver makes what the interval's stores have put into shared memory unwritten
// where it was computed from what nobody wrote. If some of it was read in the
// same interval, or it is too much, reads are judged at once.
func (b *blockObserver) handOver() {
	for i := range b.handed {
		if h := &b.handed[i]; h.warp < len(b.reads) {
			for _, r := range b.reads[h.warp] {
				b.handRead(h, r)
			}
		}
	}
	for w := 0; b.crowded && w < len(b.reads); w++ {
		for _, r := range b.reads[w] {
			b.close(r, r.lanes)
		}
	}
	b.handed, b.crowded = b.handed[:0], false
}

// handRead hands on what was computed from a read.
func (b *blockObserver) handRead(h *handedOn, r *openRead) {
	lanes := r.lanes & h.lanes
	if lanes != 0 && slices.Contains(b.ends[r.site.ID], h.store) && (b.within || !b.handLanes(h, r, lanes)) {
		b.close(r, lanes)
	}
}

// handLanes hands on what lanes have stored, unless there is no room.
func (b *blockObserver) handLanes(h *handedOn, r *openRead, lanes uint32) bool {
	from := r.origin
	if from == 0 {
		if from = b.newOrigin(&r.lateRead, lanes); from == 0 {
			return false
		}
	}
	if more := len(b.block.Shared) - len(b.from); more > 0 {
		b.from = append(b.from, make([]uint16, more)...)
	}
	for m := lanes; m != 0; m &= m - 1 {
		at := h.addr[bits.TrailingZeros32(m)]
		for i := at; i < min(at+uint64(h.size), uint64(len(b.from))); i++ {
			b.written.remove(i)
			b.from[i] = from
		}
	}
	return true
}

// newOrigin is the number of a read as an origin, 0 if it is none.
func (b *blockObserver) newOrigin(r *lateRead, lanes uint32) uint16 {
	j := judge(r.site, r.mask, lanes, &r.addr, &r.missing)
	if j.worst == harmless || len(b.origins) == maxOrigins {
		return 0
	}
	o := origin{b.keyOf(r, r.addr[j.lane]), b.witnessOf(r, &j)}
	i := slices.IndexFunc(b.origins, func(have origin) bool { return have.key == o.key })
	if i < 0 {
		i = len(b.origins)
		b.origins = append(b.origins, o)
	}
	return uint16(i + 1)
}

// originOf is the origin of the first of the bytes at addr that are missing.
func (b *blockObserver) originOf(addr, missing uint64) uint16 {
	if at := addr + uint64(bits.TrailingZeros64(missing)); at < uint64(len(b.from)) {
		return b.from[at]
	}
	return 0
}
