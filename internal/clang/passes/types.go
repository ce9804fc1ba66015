package passes

import (
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"regexp"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ctype"
	"github.com/warpgrind/warpgrind/internal/pragma"
)

// Types of variables
//
// clang says in the module's debug information which types the variables in
// shared, global and constant memory have. They become directives of the PTX,
// .pragma "warpgrind.type NAME TYPE", from which reports name elements. What
// else clang says there of variables and types is taken out before opt.

// variableTypes adds the directives for the variables of a module.
func variableTypes(m *irtext.Module, s *State) {
	types := debugTypes(m.Nodes())
	for _, l := range m.Lines {
		if !l.HasPrefix("@") {
			continue
		}
		name, node, ok := globalVariable(l.Text)
		if !ok {
			continue
		}
		id, _ := strconv.Atoi(node)
		t := types.variable(id)
		if t == nil || t.Elem == nil && t.Members == nil {
			continue // numbers and pointers
		}
		if text := t.String(); len(text) <= maxTypeText {
			s.directive(pragma.Type{Variable: name, Type: text})
		}
	}
}

// maxTypeText bounds the text of a type.
const maxTypeText = 8 << 10

// globalVariable returns the name of a variable of the device and the number
// of its debug information.
func globalVariable(line string) (name, node string, ok bool) {
	i := strings.LastIndex(line, ", !dbg !")
	n := irtext.NameEnd(line)
	if i < 0 || n >= len(line) || !strings.Contains(line[n:i], " addrspace(") {
		return "", "", false
	}
	node, _, _ = strings.Cut(line[i+len(", !dbg !"):], ",")
	name = strings.Trim(line[1:n], `"`)
	return name, node, !strings.ContainsAny(name, " \\")
}

// debugTypes are the nodes of debug information that types are made of.
type debugTypes irtext.Nodes

// variable returns the type of a !DIGlobalVariableExpression, nil if it is
// not known.
func (m debugTypes) variable(id int) *ctype.Type {
	return m.typ(m[m[id].Ref("var")].Ref("type"), 0)
}

// maxTypeDepth bounds types in types.
const maxTypeDepth = 16

func (m debugTypes) typ(id, depth int) *ctype.Type {
	n := m[id]
	if depth > maxTypeDepth {
		return nil
	}
	bytes := uint64(n.Int("size")) / 8
	switch tag := n.Field("tag"); {
	case n.Kind == "!DIBasicType":
		return &ctype.Type{Size: bytes}
	case n.Kind == "!DIDerivedType" && strings.HasPrefix(tag, "DW_TAG_pointer_type"),
		n.Kind == "!DIDerivedType" && strings.Contains(tag, "_reference_type"):
		return &ctype.Type{Size: 8}
	case n.Kind == "!DIDerivedType":
		return m.typ(n.Ref("baseType"), depth+1)
	case n.Kind != "!DICompositeType":
		return nil
	case strings.HasPrefix(tag, "DW_TAG_array_type"):
		return m.array(n, depth)
	case strings.HasPrefix(tag, "DW_TAG_enumeration_type"):
		return &ctype.Type{Size: bytes}
	}
	return m.structure(n, bytes, depth)
}

// array makes the type of an array of one or several dimensions.
func (m debugTypes) array(n irtext.Node, depth int) *ctype.Type {
	t := m.typ(n.Ref("baseType"), depth+1)
	dims := m[n.Ref("elements")].List()
	for i := len(dims) - 1; i >= 0 && t != nil; i-- {
		t = ctype.Array(uint64(m[dims[i]].Int("count")), t)
	}
	return t
}

func (m debugTypes) structure(s irtext.Node, size uint64, depth int) *ctype.Type {
	t := &ctype.Type{Size: size, Members: []ctype.Member{}}
	for _, id := range m[s.Ref("elements")].List() {
		n := m[id]
		base := n.Is("tag", "DW_TAG_inheritance")
		flags := n.Field("flags")
		if !base && !n.Is("tag", "DW_TAG_member") || strings.Contains(flags, "DIFlagStaticMember") || strings.Contains(flags, "DIFlagBitField") {
			continue
		}
		typ := m.typ(n.Ref("baseType"), depth+1)
		name := n.Quoted("name")
		if typ == nil || strings.ContainsAny(name, ":;{}\" ") {
			return nil
		}
		t.Members = append(t.Members, ctype.Member{Name: name, Offset: uint64(n.Int("offset")) / 8, Type: typ})
	}
	return t
}

// unitLists are the lists of a compile unit that keep types alive.
var unitLists = regexp.MustCompile(`, (enums|retainedTypes|globals|imports|macros): !\d+`)

// plainDebug leaves only the positions of the code in a module's debug
// information.
func plainDebug(m *irtext.Module, _ *State) {
	var out irtext.Builder
	for _, l := range m.Lines {
		switch {
		case l.HasPrefix("    #dbg_"), l.Contains("call void @llvm.dbg."):
			continue
		case l.HasPrefix("!") && l.Contains("!DICompileUnit("):
			text := unitLists.ReplaceAllString(l.Text, "")
			out.Line(l, strings.Replace(text, "emissionKind: FullDebug", "emissionKind: DebugDirectivesOnly", 1))
			continue
		case l.HasPrefix("@"):
			if i := strings.LastIndex(l.Text, ", !dbg !"); i >= 0 {
				out.Line(l, l.Text[:i])
				continue
			}
		}
		out.Keep(l)
	}
	m.Replace(&out)
}
