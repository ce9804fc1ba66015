package irtext

import (
	"strconv"
	"strings"
)

// Type is the layout of a type (LLVM, "Data Layout").
type Type struct {
	Size, Align int64
	// Scalar is the type's own text where it is not an aggregate.
	Scalar string
	// Elem and Count are those of an array, Fields those of a structure.
	Elem   *Type
	Count  int64
	Fields []Field
}

// Field is a member of a structure.
type Field struct {
	Off  int64
	Type *Type
}

// maxDepth bounds types in types.
const maxDepth = 16

// Types lays out the types of one module.
type Types struct {
	// named are the definitions, as "{ i32, float }" and the like.
	named map[string]string
	known map[string]*Type
}

// Types are the types of the module.
func (m *Module) Types() *Types {
	if m.types != nil {
		return m.types
	}
	m.types = &Types{named: map[string]string{}, known: map[string]*Type{}}
	for _, l := range m.Lines {
		if name, def, ok := l.TypeDefinition(); ok {
			m.types.named[name] = def
		}
	}
	return m.types
}

// TypeDefinition splits "%struct.S = type { ... }" up.
func (l *Line) TypeDefinition() (name, def string, ok bool) {
	if !l.HasPrefix("%") {
		return "", "", false
	}
	return strings.Cut(l.Text, " = type ")
}

// Of returns the layout of a type, nil if it is not known.
func (t *Types) Of(typ string) *Type { return t.layout(typ, 0) }

// FieldsOf returns the types of a named structure's fields.
func (t *Types) FieldsOf(name string) (fields []string, ok bool) {
	def := t.named[name]
	if !strings.HasPrefix(def, "{") || !strings.HasSuffix(def, "}") {
		return nil, false
	}
	for list := strings.TrimSpace(def[1 : len(def)-1]); list != ""; {
		var field string
		if field, list = CutType(list); field == "" {
			return nil, false
		}
		fields = append(fields, field)
		list = strings.TrimLeft(list, ", ")
	}
	return fields, true
}

func (t *Types) layout(typ string, depth int) *Type {
	if l, ok := t.known[typ]; ok {
		return l
	}
	if depth > maxDepth {
		return nil
	}
	l := t.make(typ, depth)
	t.known[typ] = l
	return l
}

func (t *Types) make(typ string, depth int) *Type {
	if n := int64(TypeBits(typ)) / 8; n > 0 {
		return &Type{Size: n, Align: min(n, 16), Scalar: typ}
	}
	switch {
	case strings.HasPrefix(typ, "["):
		n, elem, ok := strings.Cut(typ[1:len(typ)-1], " x ")
		count, err := strconv.ParseInt(n, 10, 40)
		if e := t.layout(elem, depth+1); ok && err == nil && e != nil {
			return &Type{Size: count * e.Size, Align: e.Align, Elem: e, Count: count}
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

func (t *Types) structure(list string, packed bool, depth int) *Type {
	s := &Type{Align: 1, Fields: []Field{}}
	for list = strings.TrimSpace(list); list != ""; {
		var field string
		field, list = CutType(list)
		list = strings.TrimLeft(list, ", ")
		f := t.layout(field, depth+1)
		if f == nil || field == "" {
			return nil
		}
		align := f.Align
		if packed {
			align = 1
		}
		s.Size = roundUp(s.Size, align)
		s.Fields = append(s.Fields, Field{s.Size, f})
		s.Size += f.Size
		s.Align = max(s.Align, align)
	}
	s.Size = roundUp(s.Size, s.Align)
	return s
}

func roundUp(n, align int64) int64 { return (n + align - 1) / align * align }

// Leaves returns the scalars that a type consists of, nil if there are more than most.
func (t *Type) Leaves(most int) []Field {
	out, ok := t.appendLeaves(nil, 0, most)
	if !ok {
		return nil
	}
	return out
}

func (t *Type) appendLeaves(out []Field, off int64, most int) ([]Field, bool) {
	ok := true
	switch {
	case t.Elem != nil:
		for i := int64(0); i < t.Count && ok; i++ {
			out, ok = t.Elem.appendLeaves(out, off+i*t.Elem.Size, most)
		}
	case t.Fields != nil:
		for _, f := range t.Fields {
			if out, ok = f.Type.appendLeaves(out, off+f.Off, most); !ok {
				break
			}
		}
	default:
		out = append(out, Field{off, t})
		ok = len(out) <= most
	}
	return out, ok
}

// ConstantOffset returns how far the indices of a getelementptr of type typ lead,
// "i64 0, i32 1"; ok is false where one is not a constant.
func (t *Types) ConstantOffset(typ, indices string) (off int64, ok bool) {
	l := t.Of(typ)
	for first := true; indices != ""; first = false {
		n, rest, ok := CutConstant(indices)
		if !ok || l == nil {
			return 0, false
		}
		indices = rest
		switch {
		case first:
			off += n * l.Size
		case l.Elem != nil:
			off, l = off+n*l.Elem.Size, l.Elem
		case n >= 0 && n < int64(len(l.Fields)):
			off, l = off+l.Fields[n].Off, l.Fields[n].Type
		default:
			return 0, false
		}
	}
	return off, true
}
