package numdiff

import (
	"slices"
	"strings"
)

// leastBlock is the length from which equal elements count as a block that was
// moved, and not as chance.
const leastBlock = 8

// maxPlaces bounds how many places are tried for each block.
const maxPlaces = 16

// moved finds runs of differing elements of a that b has elsewhere, the longest
// first. Runs of a single value are left out: they are everywhere.
func moved(a, b []Value, differ []Pair, o Options) []Block {
	at := index(b)
	var out []Block
	done := -1
	for _, p := range differ {
		if p.A <= done || p.A+leastBlock > len(a) {
			continue
		}
		best := Block{}
		for _, i := range at[key(a[p.A:])] {
			if n := run(a[p.A:], b[i:], o); i != p.A && n > best.Len {
				best = Block{p.A, i, n}
			}
		}
		if best.Len >= leastBlock && varies(a[best.A:best.A+best.Len]) {
			out = append(out, best)
			done = best.A + best.Len - 1
		}
	}
	slices.SortStableFunc(out, func(x, y Block) int { return y.Len - x.Len })
	return out
}

// index has the places of each sequence of leastBlock elements, the first few.
func index(v []Value) map[string][]int {
	at := map[string][]int{}
	for i := 0; i+leastBlock <= len(v); i++ {
		k := key(v[i:])
		if len(at[k]) < maxPlaces {
			at[k] = append(at[k], i)
		}
	}
	return at
}

func key(v []Value) string {
	var b strings.Builder
	for _, x := range v[:leastBlock] {
		b.WriteString(x.Text)
		b.WriteByte(' ')
	}
	return b.String()
}

func run(a, b []Value, o Options) int {
	n := 0
	for n < len(a) && n < len(b) && o.Equal(a[n], b[n]) {
		n++
	}
	return n
}

func varies(v []Value) bool {
	return slices.ContainsFunc(v, func(x Value) bool { return x.Text != v[0].Text })
}
