package static

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/solve"
)

// footprint is which threads of a block access which bytes, counted from the
// variable's begin, whatever the conditions and the rounds of loops are.
type footprint map[uint64][]uint32

// footprint of an access; nil where the addresses depend on more than the
// thread's index, or the block is not known.
func (c *raceCheck) footprint(a *Access) footprint {
	if f, done := c.footprints[a]; done {
		return f
	}
	f := c.findFootprint(a)
	c.footprints[a] = f
	return f
}

func (c *raceCheck) findFootprint(a *Access) footprint {
	e, size := c.one[0], a.Mem.Size()
	if !c.unit.Launch.Known() || a.Root == nil || size == 0 {
		return nil
	}
	addr := e.addressOf(a.Mem, c.free(e, a.Value.Block, "some"), true)
	for _, v := range solve.Variables(addr) {
		if !strings.HasPrefix(v.Name(), e.name+".tid") {
			return nil
		}
	}
	f := footprint{}
	eval, block := solve.NewEvaluator(addr), c.unit.Launch.Block
	for i := range uint32(c.unit.Launch.Threads()) {
		at := eval.Eval(solve.Model{
			e.name + ".tid.x": uint64(i % block[0]), e.name + ".tid.y": uint64(i / block[0] % block[1]),
			e.name + ".tid.z": uint64(i / (block[0] * block[1])),
		})
		for b := range uint64(size) {
			f[at+b] = append(f[at+b], i)
		}
	}
	return f
}

// below reports a footprint whose bytes are all below n.
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
