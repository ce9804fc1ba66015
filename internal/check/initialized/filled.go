package initialized

import (
	"fmt"

	"github.com/warpgrind/warpgrind/internal/check"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// fill is a copy or fill of the host that wrote a part of an allocation: bytes from lo to before hi.
type fill struct {
	call, where string
	lo, hi      uint64
}

// fills maps an allocation's ID to the first maxFills writes of host code to it.
type fills map[int][]fill

// maxFills bounds those of an allocation, maxFilled the allocations.
const (
	maxFills  = 8
	maxFilled = 1 << 16
)

// Transfer is for trace.Observer.
func (c *checker) Transfer(t *trace.Transfer) {
	if t.Memory == nil || t.Call == "" || t.HostFunction {
		return
	}
	for _, w := range t.Writes {
		m, ok := t.Memory(w.Addr)
		if !ok || w.N == 0 || len(c.fills[m.ID]) >= maxFills || len(c.fills) >= maxFilled {
			continue
		}
		if c.fills == nil {
			c.fills = fills{}
		}
		c.fills[m.ID] = append(c.fills[m.ID], fill{t.Call, t.Where, w.Addr - m.Base, w.Addr - m.Base + w.N})
	}
}

// note tells which part of an allocation the host has written, where that comes before an offset at which
// nothing was; "" where nothing does. elem is the size of an element.
func (fs fills) note(m *trace.Memory, offset uint64, elem int) string {
	var near *fill
	for i, f := range fs[m.ID] {
		if f.hi <= offset && (near == nil || f.hi > near.hi) {
			near = &fs[m.ID][i]
		}
	}
	if near == nil {
		return ""
	}
	by := near.call
	if near.where != "" {
		by += " at " + near.where
	}
	n := near.hi - near.lo
	switch {
	case elem > 1 && near.lo == 0 && n == m.Size/uint64(elem):
		return fmt.Sprintf("%s wrote only its first %d bytes: a size counts bytes, and there are %d elements of %d bytes", by, n, n, elem)
	case near.lo == 0:
		return fmt.Sprintf("%s wrote only its first %s", by, check.Plural(n, "byte"))
	}
	return fmt.Sprintf("%s wrote %s of it, up to byte %d", by, check.Plural(n, "byte"), near.hi-1)
}
