package mem

import "sync/atomic"

// bitset is a set of numbers below 64 * n, in pages that are made at the first bit: an allocation of a whole device's memory, of
// which a kernel touches little, costs little. All methods but grown are safe for concurrent use.
type bitset struct {
	n     int // words
	pages []atomic.Pointer[[]atomic.Uint64]
}

// pageWords is how many words a page has, the last one of a bitset maybe less: one page for 256 KiB of memory.
const pageWords = 1 << 12

func newBitset(bits uint64) *bitset {
	n := int((bits + 63) / 64)
	return &bitset{n: n, pages: make([]atomic.Pointer[[]atomic.Uint64], (n+pageWords-1)/pageWords)}
}

// load returns word i.
func (b *bitset) load(i int) uint64 {
	p := b.pages[i/pageWords].Load()
	if p == nil {
		return 0
	}
	return (*p)[i%pageWords].Load()
}

// word is word i, whose page is made if there is none.
func (b *bitset) word(i int) *atomic.Uint64 {
	at := &b.pages[i/pageWords]
	p := at.Load()
	if p == nil {
		fresh := make([]atomic.Uint64, min(pageWords, b.n-i/pageWords*pageWords))
		if p = &fresh; !at.CompareAndSwap(nil, p) {
			p = at.Load()
		}
	}
	return &(*p)[i%pageWords]
}

// empty returns the first word behind i at which a page may have bits, where the page of word i has none; ok is false where it may.
func (b *bitset) empty(i int) (next int, ok bool) {
	if b.pages[i/pageWords].Load() != nil {
		return 0, false
	}
	return min(b.n, (i/pageWords+1)*pageWords), true
}

// mark sets the bits [off, off+n).
func (b *bitset) mark(off, n uint64) {
	for end := off + n; off < end; {
		i, m, next := part(off, end)
		if w := b.word(i); w.Load()&m != m {
			if m == ^uint64(0) {
				w.Store(m) // no bit is lost: all get set
			} else {
				w.Or(m)
			}
		}
		off = next
	}
}

// each calls f for the words that are not 0.
func (b *bitset) each(f func(i int, word uint64)) {
	for k := range b.pages {
		p := b.pages[k].Load()
		if p == nil {
			continue
		}
		for i := range *p {
			if v := (*p)[i].Load(); v != 0 {
				f(k*pageWords+i, v)
			}
		}
	}
}

// grown is the set with room for more bits, which takes the place of b.
func (b *bitset) grown(bits uint64) *bitset {
	out := newBitset(bits)
	for k := range b.pages {
		p := b.pages[k].Load()
		if p != nil && len(*p) == pageWords {
			out.pages[k].Store(p)
		} else if p != nil {
			for i := range *p {
				if v := (*p)[i].Load(); v != 0 {
					out.word(k*pageWords + i).Store(v)
				}
			}
		}
	}
	return out
}
