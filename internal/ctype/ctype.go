// Package ctype is the types of variables as reports need them: how an element
// is called, "m[2][5]" or "a[3].x", of which only the place in memory is known.
package ctype

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Type is the type of a variable, an element or a member.
type Type struct {
	// Size is in bytes, 0 for an array of unknown length.
	Size uint64
	// Count and Elem are an array's.
	Count uint64
	Elem  *Type
	// Members are a structure's, in the order of their offsets.
	Members []Member
}

// Member is a member of a structure. One without a name has the members of a
// base class or of an unnamed structure.
type Member struct {
	Name   string
	Offset uint64
	Type   *Type
}

// Array returns the type of count elements.
func Array(count uint64, elem *Type) *Type {
	return &Type{Size: count * elem.Size, Count: count, Elem: elem}
}

// IsMember reports whether a member of a structure, of size bytes and no structure or array itself, lies at an offset.
func (t *Type) IsMember(off, size uint64) bool {
	in := false
	for t != nil {
		switch {
		case t.Elem != nil && t.Elem.Size > 0:
			t, off = t.Elem, off%t.Elem.Size
			continue
		case len(t.Members) == 0:
			return in && off == 0 && t.Size == size
		}
		in = true
		i := slices.IndexFunc(t.Members, func(m Member) bool { return off >= m.Offset && off-m.Offset < m.Type.Size })
		if i < 0 {
			return false
		}
		t, off = t.Members[i].Type, off-t.Members[i].Offset
	}
	return false
}

// String writes a type so that Parse reads it: "s4" for 4 bytes, "a8s4" for an
// array of 8 of them, "{8;x:0:s4;y:4:s4;}" for a structure of 8 bytes.
func (t *Type) String() string {
	switch {
	case t.Elem != nil:
		return fmt.Sprintf("a%d%v", t.Count, t.Elem)
	case t.Members != nil:
		var b strings.Builder
		fmt.Fprintf(&b, "{%d;", t.Size)
		for _, m := range t.Members {
			fmt.Fprintf(&b, "%s:%d:%v;", m.Name, m.Offset, m.Type)
		}
		return b.String() + "}"
	}
	return fmt.Sprintf("s%d", t.Size)
}

// Parse reads what String writes. It returns nil for anything else.
func Parse(s string) *Type {
	p := parser{s}
	if t := p.read(0); t != nil && p.rest == "" {
		return t
	}
	return nil
}

type parser struct{ rest string }

// maxDepth bounds types in types.
const maxDepth = 64

func (p *parser) read(depth int) *Type {
	if p.rest == "" || depth > maxDepth {
		return nil
	}
	kind := p.rest[0]
	p.rest = p.rest[1:]
	n, ok := p.number()
	if !ok {
		return nil
	}
	switch kind {
	case 's':
		return &Type{Size: n}
	case 'a':
		if elem := p.read(depth + 1); elem != nil {
			return Array(n, elem)
		}
	case '{':
		return p.members(&Type{Size: n, Members: []Member{}}, depth)
	}
	return nil
}

// members reads the rest of a structure, from the semicolon after its size on.
func (p *parser) members(t *Type, depth int) *Type {
	for p.take(";") {
		if p.take("}") {
			return t
		}
		name, rest, ok := strings.Cut(p.rest, ":")
		p.rest = rest
		at, isNumber := p.number()
		if !ok || !isNumber || !p.take(":") {
			return nil
		}
		typ := p.read(depth + 1)
		if typ == nil {
			return nil
		}
		t.Members = append(t.Members, Member{name, at, typ})
	}
	return nil
}

func (p *parser) take(s string) bool {
	rest, ok := strings.CutPrefix(p.rest, s)
	p.rest = rest
	return ok
}

func (p *parser) number() (uint64, bool) {
	i := 0
	for i < len(p.rest) && p.rest[i] >= '0' && p.rest[i] <= '9' {
		i++
	}
	n, err := strconv.ParseUint(p.rest[:i], 10, 48)
	p.rest = p.rest[i:]
	return n, err == nil
}

// Path says what lies at off bytes from the start of a variable of the type,
// where size bytes of it are accessed: "[2][5]", "[3].x", or "" for the variable
// as a whole. off may be beyond the variable, and negative: the first index is
// then one that the variable does not have.
func (t *Type) Path(off int64, size int) string {
	var b strings.Builder
	if t.Elem != nil && t.Elem.Size > 0 {
		n := int64(t.Elem.Size)
		i := off / n
		if off%n < 0 {
			i--
		}
		fmt.Fprintf(&b, "[%d]", i)
		t, off = t.Elem, off-i*n
	}
	t.path(&b, uint64(off), uint64(size), false)
	return b.String()
}

// path descends to what is accessed, into a structure that is accessed as a whole
// only if it has no name of its own.
func (t *Type) path(b *strings.Builder, off, size uint64, unnamed bool) {
	switch {
	case t.Elem != nil && t.Elem.Size > 0:
		fmt.Fprintf(b, "[%d]", off/t.Elem.Size)
		t.Elem.path(b, off%t.Elem.Size, size, false)
	case t.Members != nil && (unnamed || size < t.Size || off > 0):
		for i := len(t.Members) - 1; i >= 0; i-- {
			m := &t.Members[i]
			if m.Offset > off || off-m.Offset >= max(m.Type.Size, 1) {
				continue
			}
			if m.Name != "" {
				b.WriteString("." + m.Name)
			}
			m.Type.path(b, off-m.Offset, size, m.Name == "")
			return
		}
	}
}
