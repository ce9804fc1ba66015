package passes

import (
	"fmt"
	"slices"
	"strings"
)

// describe returns the name of a slot as the source has it, the kinds of numbers that
// it points to, and its line; "" for what is not known.
func (f *carved) describe(s *pointerSlot) (name, kinds string, line int) {
	id, ok := f.declared[s.alloca]
	if !ok {
		return "", "", 0
	}
	m := debugTypes(f.c.nodes)
	body := m[id]
	name, line = body.Quoted("name"), body.Int("line")
	typ := body.Ref("type")
	if s.member >= 0 {
		members := m.fields(typ)
		if s.member >= len(members) {
			return "", "", 0
		}
		n := m[members[s.member]]
		name, typ = name+"."+n.Quoted("name"), n.Ref("baseType")
	}
	if strings.ContainsAny(name, " \"\\$") {
		return "", "", 0
	}
	return name, m.pointee(typ), line
}

// fields lists the members of a structure as the IR has them, none where bit-fields
// share one.
func (m debugTypes) fields(id int) (list []int) {
	for _, e := range m[m[m.plain(id)].Ref("elements")].List() {
		n := m[e]
		tag := n.Field("tag")
		switch flags := n.Field("flags"); {
		case strings.Contains(flags, "DIFlagBitField"):
			return nil
		case strings.HasPrefix(tag, "DW_TAG_inheritance") || strings.HasPrefix(tag, "DW_TAG_member") && !strings.Contains(flags, "DIFlagStaticMember"):
			list = append(list, e)
		}
	}
	return list
}

// plain follows typedefs and qualifiers.
func (m debugTypes) plain(id int) int {
	for range maxTypeDepth {
		n := m[id]
		tag := n.Field("tag")
		if n.Kind != "!DIDerivedType" || strings.HasPrefix(tag, "DW_TAG_pointer_type") || strings.Contains(tag, "_reference_type") {
			break
		}
		id = n.Ref("baseType")
	}
	return id
}

// pointee lists the kinds of numbers that a pointer points to: "f4" for float, "i4"
// for int, "f4,i4" for a structure of both. It is "" for none.
func (m debugTypes) pointee(id int) string {
	n := m[m.plain(id)]
	if tag := n.Field("tag"); n.Kind != "!DIDerivedType" || !strings.HasPrefix(tag, "DW_TAG_pointer_type") {
		return ""
	}
	kinds := map[string]bool{}
	if !m.kinds(n.Ref("baseType"), kinds, 0) {
		return ""
	}
	var list []string
	for k := range kinds {
		list = append(list, k)
	}
	slices.Sort(list)
	return strings.Join(list, ",")
}

// kinds adds the kinds of numbers in a type. It returns false for types that it does
// not know.
func (m debugTypes) kinds(id int, kinds map[string]bool, depth int) bool {
	n := m[m.plain(id)]
	tag := n.Field("tag")
	size := n.Int("size") / 8
	switch {
	case depth > maxTypeDepth:
		return false
	case n.Kind == "!DIBasicType":
		kind := "i"
		switch e := n.Field("encoding"); {
		case strings.HasPrefix(e, "DW_ATE_float"):
			kind = "f"
		case strings.HasPrefix(e, "DW_ATE_boolean"):
			kind = "b"
		}
		kinds[fmt.Sprintf("%s%d", kind, size)] = true
	case n.Kind == "!DIDerivedType":
		kinds["p8"] = true
	case strings.HasPrefix(tag, "DW_TAG_array_type"):
		return m.kinds(n.Ref("baseType"), kinds, depth+1)
	case strings.HasPrefix(tag, "DW_TAG_enumeration_type"):
		kinds[fmt.Sprintf("i%d", size)] = true
	case n.Kind == "!DICompositeType":
		for _, e := range m.fields(id) {
			if !m.kinds(m[e].Ref("baseType"), kinds, depth+1) {
				return false
			}
		}
		return len(kinds) > 0
	default:
		return false
	}
	return true
}
