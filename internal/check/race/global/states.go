package global

import (
	"math"
	"runtime"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/warpgrind/warpgrind/internal/shadow"
)

// states are those of units, in pages that are made at the first use. A state of a block of
// an earlier launch is that of a unit which nothing has accessed.
type states struct {
	sync.RWMutex
	pages map[uint64]*statePage
	kept  int // pages after the last trim
	// spare are pages of zeros whose memory was freed, room is memory for further ones.
	spare []*statePage
	room  []byte
	// next is the number of the next launch's first block, or first point, from 1.
	next uint64
}

const pageStates = shadow.PageUnits

// maxUnitShift: units are of 1<<shift bytes, 16 at most.
const maxUnitShift = 4

// statePage is 2 MiB, a large page of most processors: states are looked up at random, mostly,
// and with small pages each look-up would miss the TLB, too.
type statePage [pageStates]uint64

// nearPages are the last pages of states that were looked for.
type nearPages [shadow.Pages]shadow.Page

func (p *nearPages) forget() {
	for i := range p {
		p[i].Number = math.MaxUint64
	}
}

func (p *nearPages) page(s *states, n uint64) *statePage {
	e := &p[n%uint64(len(p))]
	if e.Number != n {
		e.Number, e.States = n, unsafe.Pointer(s.page(n))
	}
	return (*statePage)(e.States)
}

const pageBytes = uintptr(unsafe.Sizeof(statePage{}))

// roomPages is for how many pages memory is reserved at a time. What is not used costs nothing.
const roomPages = 32

// reserve returns the number of the first of so many blocks.
func (s *states) reserve(blocks uint64) uint64 {
	if s.next == 0 || s.next+blocks >= 1<<(64-shadow.QuickBlockShift) {
		s.clear()
	}
	first := s.next
	s.next += blocks
	return first
}

// clear forgets all states; numbers begin with 1 again.
func (s *states) clear() {
	for _, p := range s.pages {
		clear(p[:])
	}
	s.next = 1
}

// trim gives the pages of memory that was freed to other memory. Nothing may use the states.
func (s *states) trim(live func(lo, hi uint64) bool) {
	if live == nil || !many(len(s.pages), s.kept) {
		return
	}
	for n, p := range s.pages {
		used := false
		for shift := range maxUnitShift + 1 { // of the units that the page was of
			used = used || live(n*pageStates<<shift, (n+1)*pageStates<<shift)
		}
		if !used {
			delete(s.pages, n)
			s.spare = append(s.spare, p)
			clear(p[:])
		}
	}
	s.kept = len(s.pages)
}

func (s *states) page(n uint64) *statePage {
	s.RLock()
	p := s.pages[n]
	s.RUnlock()
	if p != nil {
		return p
	}
	s.Lock()
	defer s.Unlock()
	if p = s.pages[n]; p == nil {
		if s.pages == nil {
			s.pages = map[uint64]*statePage{}
		}
		p = s.newPage()
		s.pages[n] = p
	}
	return p
}

// newPage returns a page of zeros outside of Go's memory, whose objects do not begin where large
// pages do, or in it where the system refuses that.
func (s *states) newPage() *statePage {
	if n := len(s.spare) - 1; n >= 0 {
		p := s.spare[n]
		s.spare = s.spare[:n]
		return p
	}
	if uintptr(len(s.room)) < pageBytes {
		m, err := unix.Mmap(-1, 0, int((roomPages+1)*pageBytes), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON|unix.MAP_NORESERVE)
		if err != nil {
			return new(statePage)
		}
		runtime.AddCleanup(s, func(m []byte) { _ = unix.Munmap(m) }, m)
		skip := -uintptr(unsafe.Pointer(unsafe.SliceData(m))) & (pageBytes - 1)
		s.room = m[skip:]
		_ = unix.Madvise(s.room[:roomPages*pageBytes], unix.MADV_HUGEPAGE) // small ones do as well
	}
	p := (*statePage)(unsafe.Pointer(unsafe.SliceData(s.room)))
	s.room = s.room[pageBytes:]
	return p
}

// takeStates returns states that no launch uses now.
func (h *History) takeStates() *states {
	n := len(h.states) - 1
	if n < 0 {
		return new(states)
	}
	s := h.states[n]
	h.states = h.states[:n]
	return s
}
