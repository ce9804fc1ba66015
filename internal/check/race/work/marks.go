package work

import (
	"math/bits"
	"sync"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// marks are the elements of an allocation that the accesses of a site touch, in the blocks of a worker; see shadow.Marks.
type marks struct {
	base, size uint64
	shift      uint // the logarithm of an element's bytes
	room       markRoom
}

// markRoom is memory for marks, which is zero where none are.
type markRoom struct {
	words []uint64 // a bit for each element
	pages []byte   // for shadow.MarkPage elements each
}

const (
	pageWords = shadow.MarkPage / 64
	// maxElement bounds the bytes of an element.
	maxElement = 64
)

// marked reports whether the accesses of a site may be marked.
func marked(s *trace.Site) bool {
	return s.Size > 0 && s.Size <= maxElement && s.Size&(s.Size-1) == 0
}

func (m *marks) holds(addr uint64) bool {
	return addr-m.base < m.size && (addr-m.base)&(1<<m.shift-1) == 0
}

// add marks the element at an address that it holds.
func (m *marks) add(addr uint64) {
	n := (addr - m.base) >> m.shift
	m.set(n/64, 1<<(n%64))
}

// addRow marks 32 elements from the one at an address that it holds, the last of which it holds too.
func (m *marks) addRow(addr uint64) {
	n := (addr - m.base) >> m.shift
	const row = 1<<32 - 1
	m.set(n/64, row<<(n%64))
	if high := uint64(row) >> (64 - n%64); high != 0 {
		m.set(n/64+1, high)
	}
}

func (m *marks) set(word, bit uint64) {
	m.room.words[word] |= bit
	m.room.pages[word/pageWords] = 1
}

// take adds the bytes of what is marked to a set, and forgets the marks.
func (m *marks) take(to *extents) {
	for i, p := range m.room.pages {
		if p == 0 {
			continue
		}
		m.room.pages[i] = 0
		m.takeWords(i*pageWords, min((i+1)*pageWords, len(m.room.words)), to)
	}
}

// takeWords is take for some words.
func (m *marks) takeWords(first, end int, to *extents) {
	for i := first; i < end; i++ {
		w := m.room.words[i]
		if w == 0 {
			continue
		}
		m.room.words[i] = 0
		for w != 0 && !to.full {
			lo := bits.TrailingZeros64(w)
			n := bits.TrailingZeros64(^(w >> lo))
			w &^= (1<<n - 1) << lo
			at := m.base + uint64(64*i+lo)<<m.shift
			to.append(extent{at, at + uint64(n)<<m.shift})
		}
	}
}

// marksOf has the marks of a worker in a launch.
type marksOf struct {
	spare *spareMarks
	of    [][]*marks // by site
}

// at returns the marks of a site in the allocation from base on, made at the first call.
func (s *marksOf) at(site *trace.Site, base, size uint64) *marks {
	for _, m := range s.of[site.ID] {
		if m.base == base && m.size == size {
			return m
		}
	}
	m := &marks{base: base, size: size, shift: uint(bits.TrailingZeros(uint(site.Size)))}
	m.room = s.spare.take(size >> m.shift)
	s.of[site.ID] = append(s.of[site.ID], m)
	return m
}

// take adds the bytes that a site has accessed to a set. The marks are left to other launches.
func (s *marksOf) take(site int, to *extents) {
	for _, m := range s.of[site] {
		var e extents
		m.take(&e)
		to.union(&e)
		s.spare.leave(m.room)
	}
	s.of[site] = nil
}

// spareMarks is memory that no launch uses now, by its length.
type spareMarks struct {
	mu    sync.Mutex
	rooms map[int][]markRoom
	words int
}

// maxSpare bounds the words of spareMarks: 128 MiB.
const maxSpare = 1 << 24

// take returns room for so many elements.
func (s *spareMarks) take(elements uint64) markRoom {
	words := int(elements/64 + 2)
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.rooms[words]
	if n := len(list) - 1; n >= 0 {
		s.rooms[words] = list[:n]
		s.words -= words
		return list[n]
	}
	return markRoom{make([]uint64, words), make([]byte, words/pageWords+1)}
}

// leave leaves room to other launches.
func (s *spareMarks) leave(r markRoom) {
	n := len(r.words)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.words+n > maxSpare {
		return
	}
	if s.rooms == nil {
		s.rooms = map[int][]markRoom{}
	}
	s.words += n
	s.rooms[n] = append(s.rooms[n], r)
}

// forCode is where code marks.
func (m *marks) forCode() shadow.Marks {
	return shadow.Marks{Bits: unsafe.Pointer(unsafe.SliceData(m.room.words)), Pages: unsafe.Pointer(unsafe.SliceData(m.room.pages))}
}
