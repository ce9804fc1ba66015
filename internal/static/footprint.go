package static

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/solve"
)

// footprint is which threads of a block access which bytes, counted from the
// variable's begin, whatever the conditions and the rounds of loops are.
type footprint map[uint64][]uint32

// extent is what a footprint follows from.
type extent struct {
	addr *solve.Term
	size int
}

// footprint of an access; nil where the addresses depend on more than the
// thread's index, or the block is not known.
func (c *raceCheck) footprint(a *Access) footprint {
	return c.footprints[c.extentOf(a)]
}

// extentOf is the extent of an access, with its footprint made.
func (c *raceCheck) extentOf(a *Access) extent {
	x, done := c.extents[a]
	if done {
		return x
	}
	if size := a.Mem.Size(); c.unit.Launch.Known() && a.Root != nil && size != 0 {
		e := c.one[0]
		x = extent{c.terms.Intern(e.addressOf(a.Mem, c.free(e, a.Value.Block, "some"), true)), size}
		if _, made := c.footprints[x]; !made {
			c.footprints[x] = c.findFootprint(x)
		}
	}
	c.extents[a] = x
	return x
}

func (c *raceCheck) findFootprint(x extent) footprint {
	e := c.one[0]
	for _, v := range solve.Variables(x.addr) {
		if !strings.HasPrefix(v.Name(), e.name+".tid") {
			return nil
		}
	}
	f := footprint{}
	eval, block := solve.NewEvaluator(x.addr), c.unit.Launch.Block
	for i := range uint32(c.unit.Launch.Threads()) {
		at := eval.Eval(solve.Model{
			e.name + ".tid.x": uint64(i % block[0]), e.name + ".tid.y": uint64(i / block[0] % block[1]),
			e.name + ".tid.z": uint64(i / (block[0] * block[1])),
		})
		for b := range uint64(x.size) {
			f[at+b] = append(f[at+b], i)
		}
	}
	return f
}

// canMeet reports whether two threads of a block can meet at one address,
// whatever brings them there.
func (c *raceCheck) canMeet(a, b *Access, oneWarp bool) bool {
	x, y := c.extentOf(a), c.extentOf(b)
	f, g := c.footprints[x], c.footprints[y]
	if f == nil || g == nil {
		return true
	}
	k := encounter{x, y, oneWarp}
	meets, known := c.encounters[k]
	if !known {
		meets = f.meets(g, oneWarp)
		c.encounters[k] = meets
	}
	return meets
}

// encounter is a question about two footprints.
type encounter struct {
	a, b    extent
	oneWarp bool
}

// below reports whether all bytes of a footprint are below n.
func (f footprint) below(n uint64) bool {
	for at := range f {
		if at >= n {
			return false
		}
	}
	return true
}

// meets reports whether a thread of one footprint and another thread of the
// other access one byte, in one warp or in two.
func (f footprint) meets(o footprint, oneWarp bool) bool {
	if len(o) < len(f) {
		f, o = o, f
	}
	for at, threads := range f {
		for _, x := range threads {
			for _, y := range o[at] {
				if x != y && (x/32 == y/32) == oneWarp {
					return true
				}
			}
		}
	}
	return false
}
