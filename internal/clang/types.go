package clang

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/ctype"
)

// Types of variables
//
// clang says in the module's debug information which types the variables in
// shared, global and constant memory have. They become directives of the PTX,
// .pragma "warpgrind.type NAME TYPE", from which reports name elements. What
// else clang says there of variables and types is taken out before opt.

// variableTypes returns the directives for the variables of a module.
func variableTypes(ir []byte) []byte {
	m := &typeNodes{nodes: map[int]typeNode{}}
	var out bytes.Buffer
	var variables [][2]string
	for len(ir) > 0 {
		var line []byte
		line, ir, _ = bytes.Cut(ir, []byte("\n"))
		switch {
		case len(line) == 0:
		case line[0] == '@':
			if name, node, ok := globalVariable(string(line)); ok {
				variables = append(variables, [2]string{name, node})
			}
		case line[0] == '!':
			m.add(string(line))
		}
	}
	for _, v := range variables {
		id, _ := strconv.Atoi(v[1])
		t := m.variable(id)
		if t == nil || t.Elem == nil && t.Members == nil {
			continue // numbers and pointers
		}
		if text := t.String(); len(text) <= maxTypeText {
			fmt.Fprintf(&out, ".pragma \"warpgrind.type %s %s\";\n", v[0], text)
		}
	}
	return out.Bytes()
}

// maxTypeText bounds the text of a type.
const maxTypeText = 8 << 10

// globalVariable returns the name of a variable of the device and the number
// of its debug information.
func globalVariable(line string) (name, node string, ok bool) {
	i := strings.LastIndex(line, ", !dbg !")
	n := nameEnd(line)
	if i < 0 || n >= len(line) || !strings.Contains(line[n:i], " addrspace(") {
		return "", "", false
	}
	node, _, _ = strings.Cut(line[i+len(", !dbg !"):], ",")
	name = strings.Trim(line[1:n], `"`)
	return name, node, !strings.ContainsAny(name, " \\")
}

// typeNodes are the nodes of debug information that types are made of.
type typeNodes struct{ nodes map[int]typeNode }

// typeNode is "!DIBasicType" and what its parentheses hold, or "!{" and the rest.
type typeNode struct{ kind, body string }

// typeKinds begin the nodes that are of use.
var typeKinds = []string{"!DIGlobalVariable", "!DILocalVariable", "!DICompositeType", "!DIDerivedType", "!DIBasicType", "!DISubrange"}

func (m *typeNodes) add(line string) {
	num, def, ok := strings.Cut(line[1:], " = ")
	id, err := strconv.Atoi(num)
	if !ok || err != nil {
		return
	}
	def = strings.TrimPrefix(def, "distinct ")
	if body, ok := strings.CutPrefix(def, "!{"); ok {
		m.nodes[id] = typeNode{"!{", body}
	} else if kind, body, _ := strings.Cut(def, "("); hasAnyPrefix(kind, typeKinds) {
		m.nodes[id] = typeNode{kind, body}
	}
}

// variable returns the type of a !DIGlobalVariableExpression, nil if it is
// not known.
func (m *typeNodes) variable(id int) *ctype.Type {
	v := m.nodes[refField(m.nodes[id].body, "var")]
	return m.typ(refField(v.body, "type"), 0)
}

// maxTypeDepth bounds types in types.
const maxTypeDepth = 16

func (m *typeNodes) typ(id, depth int) *ctype.Type {
	kind, body := m.nodes[id].kind, m.nodes[id].body
	if depth > maxTypeDepth {
		return nil
	}
	bytes := uint64(intField(body, "size")) / 8
	switch tag, _ := field(body, "tag"); {
	case kind == "!DIBasicType":
		return &ctype.Type{Size: bytes}
	case kind == "!DIDerivedType" && strings.HasPrefix(tag, "DW_TAG_pointer_type"),
		kind == "!DIDerivedType" && strings.Contains(tag, "_reference_type"):
		return &ctype.Type{Size: 8}
	case kind == "!DIDerivedType":
		return m.typ(refField(body, "baseType"), depth+1)
	case kind != "!DICompositeType":
		return nil
	case strings.HasPrefix(tag, "DW_TAG_array_type"):
		return m.array(body, depth)
	case strings.HasPrefix(tag, "DW_TAG_enumeration_type"):
		return &ctype.Type{Size: bytes}
	}
	return m.structure(body, bytes, depth)
}

// array makes the type of an array of one or several dimensions.
func (m *typeNodes) array(body string, depth int) *ctype.Type {
	t := m.typ(refField(body, "baseType"), depth+1)
	dims := m.list(refField(body, "elements"))
	for i := len(dims) - 1; i >= 0 && t != nil; i-- {
		t = ctype.Array(uint64(intField(m.nodes[dims[i]].body, "count")), t)
	}
	return t
}

func (m *typeNodes) structure(body string, size uint64, depth int) *ctype.Type {
	t := &ctype.Type{Size: size, Members: []ctype.Member{}}
	for _, id := range m.list(refField(body, "elements")) {
		n := m.nodes[id].body
		tag, _ := field(n, "tag")
		base := strings.HasPrefix(tag, "DW_TAG_inheritance")
		flags, _ := field(n, "flags")
		if !base && !strings.HasPrefix(tag, "DW_TAG_member") || strings.Contains(flags, "DIFlagStaticMember") || strings.Contains(flags, "DIFlagBitField") {
			continue
		}
		typ := m.typ(refField(n, "baseType"), depth+1)
		name := stringField(n, "name")
		if typ == nil || strings.ContainsAny(name, ":;{}\" ") {
			return nil
		}
		t.Members = append(t.Members, ctype.Member{Name: name, Offset: uint64(intField(n, "offset")) / 8, Type: typ})
	}
	return t
}

// list returns the numbers in a node "!{!1, !2}".
func (m *typeNodes) list(id int) (out []int) {
	if m.nodes[id].kind != "!{" {
		return nil
	}
	for _, s := range strings.Split(strings.TrimSuffix(m.nodes[id].body, "}"), ", ") {
		if n, err := strconv.Atoi(strings.TrimPrefix(s, "!")); err == nil {
			out = append(out, n)
		}
	}
	return out
}

// unitLists are the lists of a compile unit that keep types alive.
var unitLists = regexp.MustCompile(`, (enums|retainedTypes|globals|imports|macros): !\d+`)

// plainDebug leaves only the positions of the code in a module's debug
// information.
func plainDebug(ir []byte) []byte {
	var out bytes.Buffer
	out.Grow(len(ir))
	for len(ir) > 0 {
		var line []byte
		line, ir, _ = bytes.Cut(ir, []byte("\n"))
		switch {
		case bytes.HasPrefix(line, []byte("    #dbg_")), bytes.Contains(line, []byte("call void @llvm.dbg.")):
			continue
		case bytes.Contains(line, []byte("!DICompileUnit(")):
			line = bytes.Replace(unitLists.ReplaceAll(line, nil), []byte("emissionKind: FullDebug"), []byte("emissionKind: DebugDirectivesOnly"), 1)
		case len(line) > 0 && line[0] == '@':
			if i := bytes.LastIndex(line, []byte(", !dbg !")); i >= 0 {
				line = line[:i]
			}
		}
		out.Write(line)
		out.WriteByte('\n')
	}
	return out.Bytes()
}
