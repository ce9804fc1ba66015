package shared

import "github.com/warpgrind/warpgrind/internal/trace"

// shadow keeps, for each 4-byte word of shared memory, who accessed it in the
// current interval. A word whose interval is an older one holds nothing, so a
// barrier resets nothing.
type shadow struct {
	words []word
	// nodes and wides are arenas, emptied at a full barrier. Index 0 of nodes
	// is not used: 0 ends a chain.
	nodes []node
	wides []uint32
	warps int
	// interval is the current one, from 1.
	interval uint32
	// anyOld: there is a node marked old.
	anyOld bool
	// full: an access was not recorded because the arena was full.
	full bool
}

// word is the history of one 4-byte word: a chain of nodes, the first inline.
type word struct {
	interval uint32
	node
}

// node has the threads that made one site's accesses to the same bytes of a word.
type node struct {
	key key
	// next is the following node of the word, 0 for none.
	next uint32
	// lanes of warp whose access was at stamp. Once a second warp has made the
	// access too, wide is an index into shadow.wides: a lane mask for each
	// warp and then a stamp for each warp.
	lanes uint32
	stamp uint32
	warp  int32
	wide  int32
	// tick is when the first of them was, in accesses of its warp since the
	// last full barrier.
	tick uint32
	// old marks lanes of warp that were here at a stamp before the current one
	// and not since.
	old bool
}

// key is a site, the bytes of the word (a 4-bit mask) and the kind of access.
type key uint64

const noWide = -1

// maxNodes bounds the arena. Past it, accesses to a word that already has a
// history are checked against it but not added.
const maxNodes = 1 << 21

// maxWides bounds the other arena; past it each warp gets a node of its own.
const maxWides = 1 << 24

func makeKey(site int, bytes uint8, kind trace.Kind) key {
	return key(site)<<16 | key(bytes)<<8 | key(kind)
}

func (k key) site() int        { return int(k >> 16) }
func (k key) bytes() uint8     { return uint8(k >> 8) }
func (k key) kind() trace.Kind { return trace.Kind(k & 0xff) }

// resize makes room for n bytes of shared memory.
func (s *shadow) resize(n, warps int) {
	s.warps = warps
	if need := (n + 3) / 4; need > len(s.words) {
		s.words = append(s.words, make([]word, need-len(s.words))...)
	}
	if s.nodes == nil {
		s.nodes = make([]node, 1, 64)
	}
}

// nextInterval forgets all accesses.
func (s *shadow) nextInterval() {
	s.interval++
	if s.interval == 0 {
		clear(s.words)
		s.interval = 1
	}
	s.nodes = s.nodes[:1]
	s.wides = s.wides[:0]
	s.anyOld = false
}

// find returns the node of w with key k that can hold accesses of warp: the
// wide one, or the one of that warp, or any. nil if there is none with k.
func (s *shadow) find(w *word, k key, warp int32) *node {
	var any *node
	for n := &w.node; ; n = &s.nodes[n.next] {
		if n.key == k && !n.old {
			if n.wide != noWide || n.warp == warp {
				return n
			}
			any = n
		}
		if n.next == 0 {
			return any
		}
	}
}

// known returns the lanes of warp whose access with key k at stamp is in w.
func (s *shadow) known(w *word, k key, warp int32, stamp uint32) uint32 {
	own := s.find(w, k, warp)
	if own == nil || own.wide == noWide && own.warp != warp {
		return 0
	}
	if have, at := s.slot(own, warp); *at == stamp {
		return *have
	}
	return 0
}

// push adds a node to the chain of w, after the first one.
func (s *shadow) push(w *word, n node) {
	if len(s.nodes) >= maxNodes {
		s.full = true
		return
	}
	n.next = w.next
	s.nodes = append(s.nodes, n)
	w.next = uint32(len(s.nodes) - 1)
}

// widen makes n hold a mask and a stamp for every warp.
func (s *shadow) widen(n *node) {
	at := len(s.wides)
	for range 2 * s.warps {
		s.wides = append(s.wides, 0)
	}
	s.wides[at+int(n.warp)] = n.lanes
	s.wides[at+s.warps+int(n.warp)] = n.stamp
	n.wide = int32(at)
}

// slot returns where n keeps the lanes and the stamp of warp.
func (s *shadow) slot(n *node, warp int32) (lanes, stamp *uint32) {
	if n.wide == noWide {
		return &n.lanes, &n.stamp
	}
	return &s.wides[n.wide+warp], &s.wides[int(n.wide)+s.warps+int(warp)]
}

// keepOld adds an old node, to one of the same stamp where there is one.
func (s *shadow) keepOld(w *word, o node) {
	s.anyOld = true
	for n := &w.node; ; n = &s.nodes[n.next] {
		if n.old && n.key == o.key && n.warp == o.warp && n.stamp == o.stamp {
			n.lanes |= o.lanes
			return
		}
		if n.next == 0 {
			break
		}
	}
	s.push(w, o)
}

// dropOld takes lanes out of the old nodes with key k and warp.
func (s *shadow) dropOld(w *word, k key, warp int32, lanes uint32) {
	for n := &w.node; ; n = &s.nodes[n.next] {
		if n.old && n.key == k && n.warp == warp {
			n.lanes &^= lanes
		}
		if n.next == 0 {
			return
		}
	}
}
