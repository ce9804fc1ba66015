package bank

import (
	"math/bits"

	"github.com/warpgrind/warpgrind/internal/arch"
)

// geometry says how a request is served.
type geometry struct {
	banks int
	// lanes are served together at most, for 4-byte accesses.
	lanes int
	// kepler: a bank delivers words 32 apart in a 64-word segment together.
	kepler bool
	// wide is the 8-byte bank mode.
	wide bool
	// broadcast: only one word per pass serves more than one lane (1.x).
	broadcast bool
}

func newGeometry(a *arch.Arch, wide bool) geometry {
	kepler := a.SM >= 30 && a.SM < 50
	return geometry{banks: a.Banks, lanes: a.BankLanes, kepler: kepler, wide: wide && kepler, broadcast: a.SM < 20}
}

// place returns the bank of a 4-byte word and what the bank delivers at once.
func (g *geometry) place(word uint32) (bank, row uint32) {
	switch {
	case g.wide:
		return word / 2 % 32, word / 64
	case g.kepler:
		return word % 32, word / 64
	case g.banks == 16:
		return word % 16, word / 16
	}
	return word % 32, word / 32
}

// cost is what one request needs.
type cost struct {
	passes, ideal int
	// degree is the passes of its busiest part: 2 for a two-way conflict.
	degree int
	// load is how much each bank had to deliver in that part.
	load [32]uint8
}

func (c *cost) add(passes int, load *[32]uint8) {
	c.passes += passes
	c.ideal++
	if passes > c.degree {
		c.degree, c.load = passes, *load
	}
}

// request computes the cost of lanes of mask accessing size bytes each.
// On 1.x mask must lie within a half-warp.
func (g *geometry) request(mask uint32, addr *[32]uint64, size int) cost {
	var c cost
	if g.broadcast {
		for i := range max(size/4, 1) {
			load := [32]uint8{}
			c.add(g.broadcastPasses(mask, addr, uint32(i), &load), &load)
		}
		return c
	}
	words := uint32(max(size/4, 1))
	for _, part := range g.parts(mask, addr, size) {
		if part != 0 {
			load := [32]uint8{}
			c.add(g.passes(part, addr, words, &load), &load)
		}
	}
	return c
}

// parts splits a request into the lanes that are served together.
func (g *geometry) parts(mask uint32, addr *[32]uint64, size int) [4]uint32 {
	width := size
	if g.kepler {
		width /= 2 // 8 bytes a bank and pass
	}
	switch {
	case width <= 4:
		return [4]uint32{mask}
	case width <= 8:
		if merges(mask, addr) {
			return [4]uint32{mask}
		}
		return [4]uint32{mask & 0xffff, mask &^ 0xffff}
	}
	var p [4]uint32
	for i := range 2 {
		half := mask & (0xffff << (16 * i))
		if merges(half, addr) {
			p[2*i] = half
			continue
		}
		p[2*i], p[2*i+1] = half&0x00ff00ff, half&0xff00ff00
	}
	return p
}

// merges reports whether two parts of a wide access are served as one: each
// active lane t has t^1, or each has t^2, inactive or at the same address.
func merges(mask uint32, addr *[32]uint64) bool {
	for _, x := range []int{1, 2} {
		ok := true
		for m := mask; m != 0 && ok; m &= m - 1 {
			t := bits.TrailingZeros32(m)
			ok = mask>>(t^x)&1 == 0 || addr[t] == addr[t^x]
		}
		if ok {
			return true
		}
	}
	return false
}

// passes returns how many words the busiest bank has to deliver to lanes that
// each access words 4-byte words. load gets each bank's number.
func (g *geometry) passes(mask uint32, addr *[32]uint64, words uint32, load *[32]uint8) int {
	var rows [32][32]uint32
	most := uint8(0)
	for m := mask; m != 0; m &= m - 1 {
		first := uint32(addr[bits.TrailingZeros32(m)] >> 2)
		for w := first; w < first+words; w++ {
			b, row := g.place(w)
			n := load[b]
			if n < 32 && !contains(rows[b][:n], row) {
				rows[b][n] = row
				load[b]++
				most = max(most, n+1)
			}
		}
	}
	return int(most)
}

func contains(rows []uint32, row uint32) bool {
	for _, r := range rows {
		if r == row {
			return true
		}
	}
	return false
}

// broadcastPasses plays capability 1.x: in each pass a bank serves one lane,
// but the bank of the broadcast word serves all lanes that want that word. The
// word with most lanes in the busiest bank is broadcast. i is the 4-byte part
// of a wider access.
func (g *geometry) broadcastPasses(mask uint32, addr *[32]uint64, i uint32, load *[32]uint8) int {
	wordOf := func(t int) uint32 { return uint32(addr[t]>>2) + i }
	for m := mask; m != 0; m &= m - 1 {
		b, _ := g.place(wordOf(bits.TrailingZeros32(m)))
		load[b]++
	}
	passes := 0
	for left := mask; left != 0; passes++ {
		word := g.broadcastWord(left, wordOf)
		home, _ := g.place(word)
		var served uint32 // banks
		for m := left; m != 0; m &= m - 1 {
			t := bits.TrailingZeros32(m)
			b, _ := g.place(wordOf(t))
			if b == home && wordOf(t) == word || b != home && served>>b&1 == 0 {
				served |= 1 << b
				left &^= 1 << t
			}
		}
	}
	return passes
}

// broadcastWord chooses the word to broadcast: of the bank with most lanes
// left, the one that most lanes want, and of equals the one of the lowest lane.
func (g *geometry) broadcastWord(left uint32, wordOf func(int) uint32) uint32 {
	var perBank [32]int
	for m := left; m != 0; m &= m - 1 {
		b, _ := g.place(wordOf(bits.TrailingZeros32(m)))
		perBank[b]++
	}
	best, bestScore := uint32(0), -1
	for m := left; m != 0; m &= m - 1 {
		w := wordOf(bits.TrailingZeros32(m))
		same := 0
		for r := left; r != 0; r &= r - 1 {
			if wordOf(bits.TrailingZeros32(r)) == w {
				same++
			}
		}
		b, _ := g.place(w)
		if score := perBank[b]*64 + same; score > bestScore {
			best, bestScore = w, score
		}
	}
	return best
}
