package clang

import (
	"strconv"
	"strings"
)

// irType is the layout of a type of the IR (LLVM, "Data Layout").
type irType struct {
	size, align int64
	// scalar is the type's own text where it is no aggregate.
	scalar string
	// elem and count are those of an array, fields those of a structure.
	elem   *irType
	count  int64
	fields []irField
}

// irField is a member of a structure.
type irField struct {
	off int64
	typ *irType
}

// irTypes lays out the types of one module.
type irTypes struct {
	// named are the definitions, as "{ i32, float }" and the like.
	named map[string]string
	known map[string]*irType
}

// parseTypes reads the definitions of a module's types.
func parseTypes(lines []string) *irTypes {
	t := &irTypes{named: map[string]string{}, known: map[string]*irType{}}
	for _, l := range lines {
		if strings.HasPrefix(l, "%") {
			if name, def, ok := strings.Cut(l, " = type "); ok {
				t.named[name] = def
			}
		}
	}
	return t
}

// of returns the layout of a type, nil if it is not known.
func (t *irTypes) of(typ string) *irType { return t.layout(typ, 0) }

func (t *irTypes) layout(typ string, depth int) *irType {
	if l, ok := t.known[typ]; ok {
		return l
	}
	if depth > maxTypeDepth {
		return nil
	}
	l := t.make(typ, depth)
	t.known[typ] = l
	return l
}

func (t *irTypes) make(typ string, depth int) *irType {
	if n := int64(typeBits(typ)) / 8; n > 0 {
		return &irType{size: n, align: min(n, 16), scalar: typ}
	}
	switch {
	case strings.HasPrefix(typ, "["):
		n, elem, ok := strings.Cut(typ[1:len(typ)-1], " x ")
		count, err := strconv.ParseInt(n, 10, 40)
		if e := t.layout(elem, depth+1); ok && err == nil && e != nil {
			return &irType{size: count * e.size, align: e.align, elem: e, count: count}
		}
	case strings.HasPrefix(typ, "%"):
		return t.layout(t.named[typ], depth+1)
	case strings.HasPrefix(typ, "<{"):
		return t.structure(typ[2:len(typ)-2], true, depth)
	case strings.HasPrefix(typ, "{"):
		return t.structure(typ[1:len(typ)-1], false, depth)
	}
	return nil
}

func (t *irTypes) structure(list string, packed bool, depth int) *irType {
	s := &irType{align: 1, fields: []irField{}}
	for list = strings.TrimSpace(list); list != ""; {
		var field string
		field, list = cutType(list)
		list = strings.TrimLeft(list, ", ")
		f := t.layout(field, depth+1)
		if f == nil || field == "" {
			return nil
		}
		align := f.align
		if packed {
			align = 1
		}
		s.size = roundUp(s.size, align)
		s.fields = append(s.fields, irField{s.size, f})
		s.size += f.size
		s.align = max(s.align, align)
	}
	s.size = roundUp(s.size, s.align)
	return s
}

func roundUp(n, align int64) int64 { return (n + align - 1) / align * align }

// leaf is a scalar at an offset of a type.
type leaf struct {
	off int64
	typ *irType
}

// leaves returns the scalars that a type consists of, nil if there are more than most.
func (t *irType) leaves(most int) []leaf {
	out, ok := t.appendLeaves(nil, 0, most)
	if !ok {
		return nil
	}
	return out
}

func (t *irType) appendLeaves(out []leaf, off int64, most int) ([]leaf, bool) {
	ok := true
	switch {
	case t.elem != nil:
		for i := int64(0); i < t.count && ok; i++ {
			out, ok = t.elem.appendLeaves(out, off+i*t.elem.size, most)
		}
	case t.fields != nil:
		for _, f := range t.fields {
			if out, ok = f.typ.appendLeaves(out, off+f.off, most); !ok {
				break
			}
		}
	default:
		out = append(out, leaf{off, t})
		ok = len(out) <= most
	}
	return out, ok
}

// constantOffset returns how far the indices of a getelementptr of type typ lead,
// "i64 0, i32 1"; ok is false where one is no constant.
func (t *irTypes) constantOffset(typ, indices string) (off int64, ok bool) {
	l := t.of(typ)
	for first := true; indices != ""; first = false {
		n, rest, ok := constArg(indices)
		if !ok || l == nil {
			return 0, false
		}
		indices = rest
		switch {
		case first:
			off += n * l.size
		case l.elem != nil:
			off, l = off+n*l.elem.size, l.elem
		case n >= 0 && n < int64(len(l.fields)):
			off, l = off+l.fields[n].off, l.fields[n].typ
		default:
			return 0, false
		}
	}
	return off, true
}
