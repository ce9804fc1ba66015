package lower

import (
	"github.com/warpgrind/warpgrind/internal/cfg"
	"github.com/warpgrind/warpgrind/internal/pragma"
	"github.com/warpgrind/warpgrind/internal/trace"
)

// parts are the parts of objects that variables stand for.
var parts = map[pragma.Kind]trace.PartKind{pragma.Member: trace.PartMember, pragma.Row: trace.PartRow}

// frame is the layout of a function's depot, as far as it can be found.
type frame struct{ *cfg.Frame }

// findFrame reads the directives of the function, once: its types are compared by
// their addresses.
func (e *emitter) findFrame() *frame {
	if e.f.frame == nil {
		e.f.frame = &frame{e.f.g.Frame()}
	}
	return e.f.frame
}

// variableAt is the object that lies off bytes into a depot: one of its
// variables, or else the depot. Where several share a place, nothing is known of
// where they end.
func (f *frame) variableAt(depot string, off uint64) object {
	o := object{space: trace.SpaceLocal, name: depot}
	for _, v := range f.Vars {
		if v.Depot != depot || off-v.Offset >= v.Type.Size {
			continue
		}
		if o.size != 0 {
			return object{space: trace.SpaceLocal, name: depot}
		}
		o.lo, o.size = v.Offset, v.Type.Size
	}
	return o
}

// find returns the variable of an object.
func (f *frame) find(o *object) *cfg.Local {
	for i := range f.Vars {
		if v := &f.Vars[i]; o.size > 0 && v.Depot == o.name && v.Offset == o.lo && v.Type.Size == o.size {
			return v
		}
	}
	return nil
}
