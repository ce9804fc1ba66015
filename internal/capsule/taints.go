package capsule

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/mem"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// maxTaints bounds the ranges of undefined values of a capsule, maxOrigins their origins.
const (
	maxTaints  = 1 << 18
	maxOrigins = 1 << 12
)

// origins collects the origins of undefined values.
type origins struct {
	of    func(number uint32) (Origin, bool)
	index map[uint32]int
	list  []Origin
	// ranges counts the taints, lost the bytes for which there was no room.
	ranges int
	lost   uint64
}

// taints lists the undefined values of a memory.
func (o *origins) taints(t *mem.Taint, size uint64) []Taint {
	var out []Taint
	t.Each(0, size, func(off uint64, bits uint8, number uint32) {
		x := Taint{At: off, Bytes: 1, Bits: bits, Origin: o.number(number &^ trace.Computed), Computed: number&trace.Computed != 0}
		if n := len(out); n > 0 {
			last := out[n-1]
			if last.At+last.Bytes == off && last.Bits == x.Bits && last.Origin == x.Origin && last.Computed == x.Computed {
				out[n-1].Bytes++
				return
			}
		}
		if o.ranges++; o.ranges > maxTaints {
			o.lost++
			return
		}
		out = append(out, x)
	})
	return out
}

// number is the index of an origin, -1 for none.
func (o *origins) number(raw uint32) int {
	if i, ok := o.index[raw]; ok {
		return i
	}
	i := -1
	if o.of != nil && len(o.list) < maxOrigins {
		if x, ok := o.of(raw); ok {
			i, o.list = len(o.list), append(o.list, x)
		}
	}
	o.index[raw] = i
	return i
}

// checkTaints checks what the fields of undefined values say by themselves.
func (c *Capsule) checkTaints() error {
	n := 0
	for i := range c.Memory.Allocations {
		a := &c.Memory.Allocations[i]
		next := uint64(0)
		for _, t := range a.Taints {
			if a.Freed || t.At < next || t.At > a.Size || t.Bytes > a.Size-t.At || t.Origin < -1 || t.Origin >= len(c.Memory.Origins) {
				return fmt.Errorf("allocation %d: undefined values at offset %d do not fit", a.ID, t.At)
			}
			next = t.At + t.Bytes
		}
		n += len(a.Taints)
	}
	if n > maxTaints || len(c.Memory.Origins) > maxOrigins {
		return fmt.Errorf("%d ranges of undefined values of %d origins", n, len(c.Memory.Origins))
	}
	return nil
}

// RestoreTaints gives restored memory its undefined values. adopt returns the number of an origin.
func (c *Capsule) RestoreTaints(arena *mem.Arena, adopt func(Origin) uint32) {
	numbers := make([]uint32, len(c.Memory.Origins))
	for i, o := range c.Memory.Origins {
		numbers[i] = adopt(o)
	}
	for i := range c.Memory.Allocations {
		a := &c.Memory.Allocations[i]
		al := arena.Find(a.Base)
		if len(a.Taints) == 0 || al == nil || al.Taint == nil {
			continue
		}
		arena.Tainted()
		for _, t := range a.Taints {
			number := uint32(0)
			if t.Origin >= 0 {
				number = numbers[t.Origin]
			}
			if t.Computed {
				number |= trace.Computed
			}
			for off := t.At; off < t.At+t.Bytes; off++ {
				al.Taint.Set(off, t.Bits, number)
			}
		}
	}
}
