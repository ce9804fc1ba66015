package lower

import (
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
)

// Dependent reports whether code of a module uses griddepcontrol.
func Dependent(m *ptx.Module) bool {
	for _, it := range m.Items {
		if f, ok := it.(*ptx.Func); ok && f.Body != nil && hasGridControl(f.Body) {
			return true
		}
	}
	return false
}

func hasGridControl(b *ptx.Block) bool {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ptx.Instr:
			if s.Kind() == inst.GridTrigger { // or the wait, which refines it
				return true
			}
		case *ptx.Block:
			if hasGridControl(s) {
				return true
			}
		}
	}
	return false
}
