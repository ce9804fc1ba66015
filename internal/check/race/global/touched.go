package global

import (
	"math/bits"
	"unsafe"

	"github.com/warpgrind/warpgrind/internal/shadow"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// touched is what a quick look at the blocks of a slot keeps as long as it has met no unit twice:
// a bit for each unit, and a journal. Where each unit is accessed once, as by a scatter, nothing
// can race, and bits of units that are far apart stay in the processor's caches, which states
// do not. At the first unit that is met again, in the slot or in two of them, all slots enter
// their journals into the states.
type touched struct {
	pages map[uint64]*touchedPage
	free  []*touchedPage
	cache [shadow.TouchedPages]shadow.Page
	// journal has chunks of records; those of the first full ones are full.
	journal [][]uint32
	full    int
}

// touchedPage has the bits of the units of one page of states.
type touchedPage [pageStates / 64]uint64

// The journal has chunks of so many words, see shadow.TouchedHead for its records.
const (
	chunkWords = 1 << 16
	maxChunks  = 1 << 8 // of a slot: 64 MiB
)

// takeTouched returns one that no slot uses now.
func (h *History) takeTouched() *touched {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := len(h.touched) - 1
	if n < 0 {
		return &touched{pages: map[uint64]*touchedPage{}}
	}
	t := h.touched[n]
	h.touched = h.touched[:n]
	return t
}

// leaveTouched leaves one to other slots.
func (h *History) leaveTouched(t *touched) {
	t.clear()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.touched = append(h.touched, t)
}

// clear forgets everything, but keeps the memory.
func (t *touched) clear() {
	for _, p := range t.pages {
		clear(p[:])
		t.free = append(t.free, p)
	}
	clear(t.pages)
	clear(t.cache[:])
	for i := range t.journal {
		t.journal[i] = t.journal[i][:0]
	}
	t.full = 0
}

// enter marks the units of an access, n of each lane, and records it in the journal. It returns
// false, and records nothing, if a unit was accessed before or the journal is full.
func (t *touched) enter(a *trace.Access, shift uint, n, who, kind uint64) bool {
	r := t.room()
	if r == nil || a.Mask == 0 {
		return a.Mask == 0
	}
	first := a.Addr[bits.TrailingZeros32(a.Mask)&31] >> shift
	length := shadow.TouchedHead
	var page *touchedPage
	number := ^uint64(0)
	for m := a.Mask; m != 0; m &= m - 1 {
		unit := a.Addr[bits.TrailingZeros32(m)&31] >> shift
		distance := int64(unit - first)
		if distance != int64(int32(distance)) {
			return false
		}
		r[length] = uint32(distance)
		length++
		for end := unit + n; unit < end; unit++ {
			if unit/pageStates != number {
				number = unit / pageStates
				page = t.page(number)
			}
			w, bit := &page[unit%pageStates/64], uint64(1)<<(unit%64)
			if *w&bit != 0 {
				return false
			}
			*w |= bit
		}
	}
	r[0], r[1] = a.Mask, uint32(kind|n<<shadow.TouchedCount)
	r[2], r[3] = uint32(who), uint32(who>>32)
	r[4], r[5] = uint32(first), uint32(first>>32)
	c := &t.journal[t.full]
	*c = (*c)[:len(*c)+length]
	return true
}

// room returns the place of the next record, nil if the journal is full.
func (t *touched) room() *[shadow.TouchedWords]uint32 {
	if t.full < len(t.journal) && cap(t.journal[t.full])-len(t.journal[t.full]) < shadow.TouchedWords {
		t.full++
	}
	if t.full == len(t.journal) {
		if t.full == maxChunks {
			return nil
		}
		t.journal = append(t.journal, make([]uint32, 0, chunkWords))
	}
	c := t.journal[t.full]
	return (*[shadow.TouchedWords]uint32)(c[len(c) : len(c)+shadow.TouchedWords])
}

// lend lets code write the next records of the journal, take notes what it has written.
func (t *touched) lend(live *shadow.Live) {
	live.Journal, live.JournalEnd = 0, 0
	if t.room() == nil {
		return
	}
	c := t.journal[t.full]
	at := uintptr(unsafe.Pointer(unsafe.SliceData(c)))
	live.Journal, live.JournalEnd = at+uintptr(4*len(c)), at+uintptr(4*cap(c))
}

func (t *touched) take(live *shadow.Live) {
	if live.Journal == 0 {
		return
	}
	c := &t.journal[t.full]
	*c = (*c)[:(live.Journal-uintptr(unsafe.Pointer(unsafe.SliceData(*c))))/4]
	live.Journal, live.JournalEnd = 0, 0
}

func (t *touched) page(n uint64) *touchedPage {
	e := &t.cache[n%uint64(len(t.cache))]
	if e.Number == n && e.States != nil {
		return (*touchedPage)(e.States)
	}
	p := t.pages[n]
	if p == nil {
		if last := len(t.free) - 1; last >= 0 {
			p, t.free = t.free[last], t.free[:last]
		} else {
			p = new(touchedPage)
		}
		t.pages[n] = p
	}
	e.Number, e.States = n, unsafe.Pointer(p)
	return p
}

// merge adds the units of another slot. It returns false if both have one.
func (t *touched) merge(s *touched) bool {
	for n, p := range s.pages {
		q := t.page(n)
		both := uint64(0)
		for i, w := range p {
			both |= q[i] & w
			q[i] |= w
		}
		if both != 0 {
			return false
		}
	}
	return true
}

// replay calls do for each record.
func (t *touched) replay(do func(mask uint32, units *[32]uint64, n, who, kind uint64) bool) bool {
	var units [32]uint64
	for _, c := range t.journal {
		for len(c) > 0 {
			mask, at := c[0], shadow.TouchedHead
			first := uint64(c[4]) | uint64(c[5])<<32
			for m := mask; m != 0; m &= m - 1 {
				units[bits.TrailingZeros32(m)&31] = first + uint64(int64(int32(c[at])))
				at++
			}
			n, kind := uint64(c[1])>>shadow.TouchedCount, uint64(c[1])&(1<<shadow.TouchedCount-1)
			if !do(mask, &units, n, uint64(c[2])|uint64(c[3])<<32, kind) {
				return false
			}
			c = c[at:]
		}
	}
	return true
}
