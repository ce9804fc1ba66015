package shared

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/trace"
)

// Most accesses are runs: neighboring lanes on neighboring elements. The
// lines store keeps them by lines of 32 words, a node for a whole run, next to
// the shadow's words, which keep everything else. A thread's access is in one
// of the two stores.

// lines is the history of runs, by line.
type lines struct {
	lines []line
	nodes []runNode // index 0 is not used
	// recent maps a hash of line, key, warp and perm to a node.
	recent [512]uint32
}

// line is the history of 32 words.
type line struct {
	interval uint32
	// single has the words that are in the shadow; read and written those that
	// runs have read or written.
	single, read, written uint32
	// varied has the words whose values are kept; see written.go.
	varied uint32
	head   uint32
	// owner is warp<<16|perm if all runs in the line have that, else shared.
	owner uint32
}

// shared is an owner that no run has.
const shared = ^uint32(0)

// runNode is an access of lanes of warp to words of a line at stamp. Which lane
// accessed which word follows from perm.
type runNode struct {
	key   key
	line  uint32
	next  uint32
	words uint32
	stamp uint32
	tick  uint32 // see node
	warp  uint16
	perm  perm
	old   bool
}

// perm maps the words of a line to lanes: lane = (word>>shift + offset) mod 32,
// with shift in the high byte and offset in the low one.
type perm uint16

func (p perm) lane(word int) int { return (word>>(p>>8) + int(p&0xff)) & 31 }

// resize makes room for n bytes of shared memory.
func (s *lines) resize(n int) {
	if need := (n + 127) / 128; need > len(s.lines) {
		s.lines = append(s.lines, make([]line, need-len(s.lines))...)
	}
	if s.nodes == nil {
		s.nodes = make([]runNode, 1, 64)
	}
}

// at returns line i, emptied if it is of an older interval.
func (s *lines) at(i, interval uint32) *line {
	ln := &s.lines[i]
	if ln.interval != interval {
		*ln = line{interval: interval}
	}
	return ln
}

// find returns the index of the node that runs of k by warp with p are in, 0
// for none.
func (s *lines) find(ln *line, i uint32, k key, warp uint16, p perm) uint32 {
	h := s.slot(i, k, warp, p)
	if at := s.recent[h]; at != 0 && int(at) < len(s.nodes) {
		if n := &s.nodes[at]; n.key == k && n.line == i && n.warp == warp && n.perm == p && !n.old {
			return at
		}
	}
	for at := ln.head; at != 0; at = s.nodes[at].next {
		if n := &s.nodes[at]; n.key == k && n.warp == warp && n.perm == p && !n.old {
			s.recent[h] = at
			return at
		}
	}
	return 0
}

func (s *lines) slot(i uint32, k key, warp uint16, p perm) uint32 {
	h := i*0x9e3779b1 ^ uint32(k>>16)*0x85ebca6b ^ uint32(warp)*0xc2b2ae35 ^ uint32(p)*0x27d4eb2f
	return h >> 23
}

// push adds a node to the front of a line.
func (s *lines) push(ln *line, n runNode) {
	n.next = ln.head
	s.nodes = append(s.nodes, n)
	ln.head = uint32(len(s.nodes) - 1)
	if !n.old {
		s.recent[s.slot(n.line, n.key, n.warp, n.perm)] = ln.head
	}
}

// known returns those of lanes whose access to word of a line, at stamp by
// warp with key k, is in a run.
func (s *lines) known(ln *line, k key, warp uint16, stamp uint32, word int, lanes uint32) uint32 {
	if (ln.read|ln.written)>>word&1 == 0 {
		return 0
	}
	var have uint32
	for at := ln.head; at != 0; at = s.nodes[at].next {
		n := &s.nodes[at]
		if n.key == k && n.warp == warp && n.stamp == stamp && n.words>>word&1 != 0 {
			have |= 1 << n.perm.lane(word)
		}
	}
	return have & lanes
}

// run checks and records that n lanes from lane access n elements from word
// first, an element being 1<<shift words.
func (b *blockObserver) run(k key, first uint32, lane, n int, shift uint) {
	end := first + uint32(n)<<shift
	if end > uint32(len(b.shadow.words)) {
		return
	}
	for from := first; from < end; {
		i := from / 32
		to := min(end, i*32+32)
		words := ^uint32(0) << (from % 32) & (^uint32(0) >> (31 - (to-1)%32))
		offset := uint32(lane) + i*32>>shift - first>>shift
		b.runInLine(i, words, perm(uint32(shift)<<8|offset&31), k)
		from = to
	}
}

// runInLine is run within line i.
func (b *blockObserver) runInLine(i, words uint32, p perm, k key) {
	s := &b.lines
	ln := s.at(i, b.shadow.interval)
	warp := uint16(b.acc.Warp)
	stamp := b.order.Stamp(int(warp))
	at := s.find(ln, i, k, warp, p)
	fresh := words
	if at != 0 && s.nodes[at].stamp == stamp {
		fresh &^= s.nodes[at].words
	}
	if fresh == 0 && k.kind() != trace.Write && !b.renews(k) {
		return
	}
	if doubtful := b.doubtful(ln, words, p, k); doubtful != 0 {
		fresh &^= b.checkWords(i, doubtful, p, k)
	}
	if fresh != 0 {
		b.recordRun(ln, at, runNode{key: k, line: i, words: fresh, stamp: stamp, tick: b.ticks[warp], warp: warp, perm: p})
	}
}

// doubtful returns the words of a run that have to be looked at one by one.
func (b *blockObserver) doubtful(ln *line, words uint32, p perm, k key) uint32 {
	d := ln.single
	if ln.owner != uint32(b.acc.Warp)<<16|uint32(p) {
		d |= ln.written
		if k.kind() != trace.Read {
			d |= ln.read
		}
	}
	return d & words
}

// checkWords checks words of line i, accessed as p says, and returns those that
// the shadow has recorded already.
func (b *blockObserver) checkWords(i, words uint32, p perm, k key) uint32 {
	var have uint32
	for m := words; m != 0; m &= m - 1 {
		w := bits.TrailingZeros32(m)
		lane := uint32(1) << p.lane(w)
		if b.check(32*i+uint32(w), k, lane) == 0 {
			have |= 1 << w
		}
	}
	return have
}

// recordRun puts the new words of a run into its line; at is its node or 0.
func (b *blockObserver) recordRun(ln *line, at uint32, n runNode) {
	s := &b.lines
	if n.key.kind() == trace.Read {
		ln.read |= n.words
	} else {
		ln.written |= n.words
	}
	switch owner := uint32(n.warp)<<16 | uint32(n.perm); {
	case ln.head == 0:
		ln.owner = owner
	case ln.owner != owner:
		ln.owner = shared
	}
	if at == 0 {
		if len(s.nodes) >= maxNodes {
			b.shadow.full = true
			return
		}
		s.push(ln, n)
		return
	}
	own := &s.nodes[at]
	if own.stamp == n.stamp {
		own.words |= n.words
		return
	}
	rest := own.words &^ n.words
	before := own.stamp
	own.words, own.stamp = n.words, n.stamp
	b.keepOldRun(ln, n, rest, before)
}

// keepOldRun moves the words that a run did not come to again, at its later
// stamp, to a node of their own. See keepOld for the reason.
func (b *blockObserver) keepOldRun(ln *line, n runNode, rest, stamp uint32) {
	s := &b.lines
	if !b.launch.synchronizes && b.order.Settled(int(n.warp), stamp) {
		stamp = 0
	}
	for at := ln.head; at != 0; at = s.nodes[at].next {
		o := &s.nodes[at]
		if !o.old || o.key != n.key || o.warp != n.warp || o.perm != n.perm {
			continue
		}
		o.words &^= n.words
		if o.stamp == stamp {
			o.words |= rest
			rest = 0
		}
	}
	if rest != 0 && len(s.nodes) < maxNodes {
		n.words, n.stamp, n.old = rest, stamp, true
		s.push(ln, n)
	}
}
