package clang

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Members and rows
//
// An index beyond an array that is a member of a structure, or beyond one row of an array
// of arrays, leads to the neighbor, where it does no harm that memory could show. Only the
// front end sees which array is meant: the type of each subscript's getelementptr. So
// behind each one whose index may be too big there is a call
//
//	%c = call i32 @wg.bound(i1 %bad, i64 %index, ptr %"wgbound.S::b")
//	call void @wg.keep(i32 %c)
//
// whose condition LLVM folds where it knows the index: it is a constant, or the loop's bounds,
// a mask or a remainder limit it. The call has no effects, so that it is done once where the
// same index is used again, and leaves loops; that its result is used keeps it. What is left
// becomes a load from local memory under that condition, beyond the end of a variable that
// stands for the array, a word for each element (lowerer.bound):
//
//	.pragma "warpgrind.member S::b a4s4 %rd5";
//	@%p1 ld.local.u32 %r1, [%rd6];
//
// The engine reports it as it does any access beyond a local variable; trace.Variable says by
// Part that an index is meant.
//
// What counts as too big: an index of the array's length or more; more than the length if
// only an address is computed, since one past the end is good for comparing. Arrays of length
// 0 and 1 at the end of a structure are flexible. Pointers are free: one to the first row may
// walk all of them, as a[0][i] may, and a wide access may reach over the end of the member that it begins in.

// boundName begins the names of the variables that stand for arrays.
const boundName = "wgbound."

// maxBound is the greatest length of an array that is checked.
const maxBound = 1 << 12

// boundIR adds the checks of subscripts to unoptimized IR.
func boundIR(ir []byte, major int) []byte {
	lines := strings.Split(string(ir), "\n")
	b := &bounder{types: parseTypes(lines), globals: map[string]string{}, members: &memberNames{nodes: &typeNodes{nodes: map[int]typeNode{}}}}
	for _, l := range lines {
		if strings.HasPrefix(l, "!") {
			b.members.nodes.add(l)
		} else if strings.HasPrefix(l, "@") {
			b.global(l)
		}
	}
	b.members.index()
	var out bytes.Buffer
	out.Grow(len(ir) + len(ir)/16)
	for i := 0; i < len(lines); i++ {
		if end := functionEnd(lines, i); end > i {
			b.function(&out, lines[i:end])
			i = end
		}
		out.WriteString(lines[i])
		if i < len(lines)-1 {
			out.WriteByte('\n')
		}
	}
	if b.used {
		effect := "memory(inaccessiblemem: readwrite)"
		if major < 16 {
			effect = "inaccessiblememonly"
		}
		fmt.Fprintf(&out, "\ndeclare i32 @wg.bound(i1, i64, ptr) %s\ndeclare void @wg.keep(i32) nounwind willreturn %s\n",
			pureAttributes(major), effect)
	}
	return out.Bytes()
}

type bounder struct {
	types   *irTypes
	members *memberNames
	used    bool
	fresh   int
	// globals are the types of the module's variables.
	globals map[string]string
	// defs are the instructions that define the function's values.
	defs map[string]string
	// accessed are the addresses that something is accessed at.
	accessed map[string]bool
}

// global notes the type of a variable "@x = internal addrspace(3) global %struct.S undef".
func (b *bounder) global(l string) {
	for _, kind := range []string{" global ", " constant "} {
		if i := strings.Index(l, kind); i >= 0 {
			b.globals[l[:nameEnd(l)]], _ = cutType(l[i+len(kind):])
		}
	}
}

// subscript is a getelementptr into an array.
type subscript struct {
	base, index string
	length      int64
}

// parseSubscript reads "getelementptr inbounds [4 x i32], ptr %b, i64 0, i64 %i, !dbg !1".
func parseSubscript(def string) (s subscript, ok bool) {
	rest, ok := strings.CutPrefix(def, "getelementptr")
	if !ok {
		return s, false
	}
	typ, rest := cutType(withoutFlags(rest)[1:])
	if !strings.HasPrefix(typ, "[") {
		return s, false
	}
	n, _, _ := strings.Cut(typ[1:], " x ")
	s.length, _ = strconv.ParseInt(n, 10, 64)
	s.base, rest, ok = cutPointer(strings.TrimPrefix(rest, ", "))
	rest, zero := strings.CutPrefix(rest, "i64 0, i64 ")
	if !ok || !zero {
		return s, false
	}
	s.index, rest = cutOperand(rest)
	return s, rest == "" || strings.HasPrefix(rest, ", !")
}

// function writes a function's lines, with checks.
func (b *bounder) function(out *bytes.Buffer, lines []string) {
	b.read(lines)
	variables, checks := map[string]string{}, map[int]string{}
	body := 0
	for i, l := range lines {
		name, def, ok := definition(l)
		if strings.HasPrefix(def, "alloca ") {
			body = i + 1
		}
		if !ok {
			continue
		}
		s, ok := parseSubscript(def)
		what := ""
		if ok {
			what = b.part(s.base)
		}
		n, err := strconv.ParseInt(s.index, 10, 64)
		limit := s.length
		if !b.accessed[name] {
			limit++
		}
		if what == "" || s.length > maxBound || s.length < 1 || err == nil && n >= 0 && n < limit {
			continue
		}
		key := fmt.Sprintf("%s %d", what, s.length)
		if variables[key] == "" {
			b.fresh++
			variables[key] = fmt.Sprintf("%%\"%s%s.%d\"", boundName, what, b.fresh)
			variables[key+" def"] = fmt.Sprintf("  %s = alloca [%d x i32], align 4\n", variables[key], s.length)
		}
		b.fresh++
		checks[i] = fmt.Sprintf("  %%wg.beyond.%d = icmp uge i64 %s, %d%s\n  %%wg.bound.%d = call i32 @wg.bound(i1 %%wg.beyond.%d, i64 %s, ptr %s)%s\n  call void @wg.keep(i32 %%wg.bound.%d)%s\n",
			b.fresh, s.index, limit, debugOf(def), b.fresh, b.fresh, s.index, variables[key], debugOf(def), b.fresh, debugOf(def))
	}
	b.used = b.used || len(checks) > 0
	for i, l := range lines {
		if i == body {
			for _, def := range sortedValues(variables, " def") {
				out.WriteString(def)
			}
		}
		out.WriteString(l + "\n" + checks[i])
	}
}

// read notes what a function defines and accesses.
func (b *bounder) read(lines []string) {
	b.defs, b.accessed = map[string]string{}, map[string]bool{}
	head, _, _ := strings.Cut(lines[0], "@")
	reference := strings.Contains(head, " dereferenceable")
	for i := len(lines) - 1; i >= 0; i-- { // uses before definitions
		l := lines[i]
		name, def, ok := definition(l)
		if ok {
			b.defs[name] = def
		}
		switch a, access := parseAccess(l); {
		case access:
			b.accessed[a.ptr] = true
		case strings.HasPrefix(def, "getelementptr"):
			rest := withoutFlags(strings.TrimPrefix(def, "getelementptr"))[1:]
			_, rest = cutType(rest)
			if base, _, ok := cutPointer(strings.TrimPrefix(rest, ", ")); ok && b.accessed[name] {
				b.accessed[base] = true
			}
		case reference && strings.HasPrefix(l, "  ret ptr "):
			op, _ := cutOperand(strings.TrimPrefix(l, "  ret ptr "))
			b.accessed[op] = true
		case strings.Contains(l, "@llvm.mem") || strings.Contains(def, "atomicrmw ") || strings.Contains(def, "cmpxchg "):
			for _, v := range localUse.FindAllString(l, -1) {
				b.accessed[v] = true
			}
		case strings.Contains(l, "call ") && strings.Contains(l, " dereferenceable"):
			b.references(l)
		}
	}
}

// references notes the arguments of a call that are references.
func (b *bounder) references(l string) {
	_, args, _ := callee(l)
	for args != "" {
		var arg string
		arg, args = cutOperandList(args)
		if i := strings.LastIndexByte(arg, '%'); i >= 0 && strings.Contains(arg, " dereferenceable") {
			b.accessed[arg[i:]] = true
		}
	}
}

// part says which part of an object a pointer to an array leads to: "S::b" for a member,
// "m[]" for a row, "" for what is an object of its own, or may be one.
func (b *bounder) part(base string) string {
	if strings.Contains(base, "@") {
		return b.constantPart(base)
	}
	def, ok := strings.CutPrefix(b.defs[base], "getelementptr")
	if !ok {
		return ""
	}
	typ, rest := cutType(withoutFlags(def)[1:])
	ptr, rest, _ := cutPointer(strings.TrimPrefix(rest, ", "))
	if i := strings.Index(rest, ", !"); i >= 0 {
		rest = rest[:i]
	}
	if strings.HasPrefix(typ, "[") {
		if rest == "i64 0, i64 0" { // a[0][i] walks all of a
			return ""
		}
		return b.row(ptr)
	}
	field, isMember := strings.CutPrefix(rest, "i32 0, i32 ")
	if t := b.types.of(typ); isMember && t != nil && t.fields != nil {
		k, _ := strconv.Atoi(field)
		return b.member(typ, t, k, base)
	}
	return ""
}

// constantPart is part for an address that is an expression of a variable's.
func (b *bounder) constantPart(base string) string {
	name := base[strings.IndexByte(base, '@'):]
	name = name[:nameEnd(name)]
	typ, indices := b.globals[name], "i32 0, i32 0)" // the first member is where the variable is
	if rest, ok := strings.CutPrefix(base, "getelementptr inbounds ("); ok {
		typ, rest = cutType(rest)
		_, indices, _ = cutPointer(strings.TrimPrefix(rest, ", "))
		if strings.HasPrefix(typ, "[") {
			return rowOf(name)
		}
	}
	field, isMember := strings.CutPrefix(strings.TrimSuffix(indices, ")"), "i32 0, i32 ")
	if t := b.types.of(typ); isMember && t != nil && t.fields != nil {
		k, _ := strconv.Atoi(field)
		return b.member(typ, t, k, "%")
	}
	return ""
}

// member names a member of a structure, "" for a flexible array.
func (b *bounder) member(typ string, t *irType, k int, base string) string {
	if k >= len(t.fields) || k == len(t.fields)-1 && t.fields[k].typ.count <= 1 {
		return ""
	}
	name := strings.Trim(strings.TrimPrefix(typ, "%"), `"`)
	for _, w := range []string{"struct.", "class.", "union."} {
		name = strings.TrimPrefix(name, w)
	}
	member := b.members.find(name, t.fields[k].off)
	if member == "" {
		member = sourceName(base)
	}
	if t.fields[k].typ.elem == nil {
		return "" // the first array is a member's
	}
	return strings.Map(wordByte, name+"::"+member)
}

// row names the rows of what a pointer leads to.
func (b *bounder) row(ptr string) string {
	for range maxTypeDepth {
		def := b.defs[ptr]
		if i := strings.Index(def, ", ptr "); i >= 0 && (strings.HasPrefix(def, "getelementptr") || strings.HasPrefix(def, "load ")) {
			ptr, _ = cutOperand(def[i+len(", ptr "):])
			continue
		}
		break
	}
	if i := strings.IndexByte(ptr, '@'); i >= 0 {
		return rowOf(ptr)
	}
	name := strings.TrimSuffix(sourceName(ptr), "-")
	if name == "" {
		name = "array"
	}
	return strings.Map(wordByte, name) + "[]"
}

// rowOf names the rows of the variable that a constant expression names.
func rowOf(s string) string {
	i := strings.IndexByte(s, '@')
	if i < 0 {
		return ""
	}
	return strings.Map(wordByte, strings.Trim(s[i+1:i+nameEnd(s[i:])], `"`)) + "[]"
}

// wordByte keeps a name one word.
func wordByte(r rune) rune {
	if r == ' ' || r == '"' || r == '\\' || r == '.' || r == '$' {
		return '_'
	}
	return r
}

// memberNames finds the names of members in the debug information.
type memberNames struct {
	nodes *typeNodes
	// names has "S 16" for the member at byte 16 of a structure; "" where several differ.
	names map[string]string
}

func (m *memberNames) index() {
	m.names = map[string]string{}
	for _, n := range m.nodes.nodes {
		tag, _ := field(n.body, "tag")
		if n.kind != "!DIDerivedType" || !strings.HasPrefix(tag, "DW_TAG_member") {
			continue
		}
		key := fmt.Sprintf("%s %d", stringField(m.nodes.nodes[refField(n.body, "scope")].body, "name"), intField(n.body, "offset")/8)
		name := stringField(n.body, "name")
		if old, ok := m.names[key]; ok && old != name {
			name = ""
		}
		m.names[key] = name
	}
}

// find returns the name of the member at an offset of a structure of the IR.
func (m *memberNames) find(structure string, off int64) string {
	if i := strings.LastIndex(structure, "::"); i >= 0 {
		structure = structure[i+2:]
	}
	return m.names[fmt.Sprintf("%s %d", structure, off)]
}

// sortedValues returns the values of the keys with a suffix, in the order of the keys.
func sortedValues(m map[string]string, suffix string) (out []string) {
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if strings.HasSuffix(k, suffix) {
			out = append(out, m[k])
		}
	}
	return out
}

// bound lowers the calls of @wg.bound and @wg.keep; it reports whether a line is one.
func (l *lowerer) bound(s string) bool {
	name, args, _ := callee(s)
	if name == "wg.keep" {
		return true
	} else if name != "wg.bound" {
		return false
	}
	condition, args := cutOperandList(args)
	index, args := cutOperandList(args)
	p, _ := parsePointer(args)
	condition = strings.TrimPrefix(condition, "i1 ")
	result, _, _ := definition(s) // a phi may use it
	if condition == "false" || condition == "undef" || condition == "poison" {
		fmt.Fprintf(&l.out, "  %s = add i32 0, 0%s\n", result, debugOf(s))
		return true
	}
	l.fresh++
	v, dbg := fmt.Sprintf("%%wgl.%d", l.fresh), debugOf(s)
	if n, err := strconv.ParseInt(strings.TrimPrefix(index, "i64 "), 10, 64); err == nil && condition == "true" {
		// The offset is in the instruction, so that the variable's address stays whole.
		fmt.Fprintf(&l.out, "  %s.a = addrspacecast ptr %s to ptr addrspace(5)%s\n", v, p.op, dbg)
		fmt.Fprintf(&l.out, "  %s = call i32 asm sideeffect \"ld.local.u32 $0, [$1+%d];\", \"=r,l\"(ptr addrspace(5) %s.a)%s\n", result, 4*(n&(1<<16-1)), v, dbg)
		return true
	}
	fmt.Fprintf(&l.out, "  %s.i = and %s, %d%s\n", v, index, 1<<16-1, dbg)
	fmt.Fprintf(&l.out, "  %s.a = addrspacecast ptr %s to ptr addrspace(5)%s\n", v, p.op, dbg)
	fmt.Fprintf(&l.out, "  %s.p = getelementptr i32, ptr addrspace(5) %s.a, i64 %s.i%s\n", v, v, v, dbg)
	if condition == "true" {
		fmt.Fprintf(&l.out, "  %s = call i32 asm sideeffect \"ld.local.u32 $0, [$1];\", \"=r,l\"(ptr addrspace(5) %s.p)%s\n", result, v, dbg)
	} else {
		fmt.Fprintf(&l.out, "  %s = call i32 asm sideeffect \"@$1 ld.local.u32 $0, [$2];\", \"=r,b,l\"(i1 %s, ptr addrspace(5) %s.p)%s\n", result, condition, v, dbg)
	}
	return true
}

// boundsLeft finds which variables that stand for arrays are still needed.
func boundsLeft(ir []byte) map[string]bool {
	left := map[string]bool{}
	for rest := ir; ; {
		i := bytes.Index(rest, []byte("call i32 @wg.bound(i1 "))
		if i < 0 {
			return left
		}
		rest = rest[i+len("call i32 @wg.bound(i1 "):]
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		if j := bytes.IndexByte(line, '%'); !bytes.HasPrefix(line, []byte("false")) && j >= 0 {
			if k := bytes.LastIndex(line, []byte(`%"`+boundName)); k >= 0 {
				left[string(line[k:k+nameEnd(string(line[k:]))])] = true
			}
		}
	}
}
