package ssa

import (
	"github.com/warpgrind/warpgrind/internal/ptx"
)

// readParams turns loads from kernel parameters, whose address compilers take
// now and then, into the parameters' values.
func (f *Func) readParams() {
	wide := map[*Value]*Value{} // vector loads by their Elems' argument
	for _, b := range f.Blocks {
		kept := b.Values[:0]
		for _, v := range b.Values {
			switch {
			case v.Op == Elem && wide[v.Args[0]] != nil:
				l := wide[v.Args[0]]
				name, off, _ := paramPlace(l)
				v.beParam(name, off+int64(v.Const)*int64(l.Mem.Elem.Size()))
			case v.Op == Load:
				name, off, ok := paramPlace(v)
				if ok && v.Mem.Count > 1 {
					wide[v] = v
					continue
				}
				if ok {
					v.beParam(name, off)
				}
			}
			kept = append(kept, v)
		}
		clear(b.Values[len(kept):])
		b.Values = kept
	}
}

func (v *Value) beParam(name string, off int64) {
	v.Op, v.Args, v.Mem, v.Name, v.Const = Param, nil, nil, name, uint64(off)
}

// paramPlace is the place in a kernel parameter that a load reads.
func paramPlace(v *Value) (name string, off int64, ok bool) {
	a := v.Mem.Base
	off = v.Mem.Offset
	for a != nil {
		switch {
		case a.Op == Addr:
			off += int64(a.Const)
			return a.Object.Name, off, a.Object.Space == ptx.Param && off >= 0
		case a.Op == ToGeneric || a.Op == FromGeneric:
			a = a.Args[0]
		case a.Op == Add && a.Args[1].Op == Const:
			off += int64(a.Args[1].Const)
			a = a.Args[0]
		default:
			return "", 0, false
		}
	}
	return "", 0, false
}
