package program

import "github.com/warpgrind/warpgrind/internal/trace"

// SharedUnit is the bytes of the smallest elements that threads access at places of their own in shared
// memory: 1, 2, or 4 where all have at least that.
func (p *Program) SharedUnit() int {
	p.unitOnce.Do(func() {
		p.unit = 4
		for i := range p.Mems {
			m := &p.Mems[i]
			if m.Space == trace.SpaceShared && !m.OnePlace() {
				p.unit = min(p.unit, m.Elem*m.Count)
			}
		}
	})
	return p.unit
}

// OnePlace reports whether all lanes access one place.
func (m *Mem) OnePlace() bool { return m.Scalar || m.Base == NoSlot }
