package passes

import (
	"fmt"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
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

// bound adds the checks of subscripts to unoptimized IR.
func bound(m *irtext.Module, s *State) {
	b := &bounder{types: m.Types(), globals: map[string]string{}, members: memberNames(m.Nodes())}
	for _, l := range m.Lines {
		if l.HasPrefix("@") {
			b.global(l.Text)
		}
	}
	var out irtext.Builder
	m.Functions(&out, func(lines []*irtext.Line) { b.function(&out, lines) })
	if b.used {
		effect := "memory(inaccessiblemem: readwrite)"
		if s.Major < 16 {
			effect = "inaccessiblememonly"
		}
		out.Printf("\ndeclare i32 @wg.bound(i1, i64, ptr) %s\ndeclare void @wg.keep(i32) nounwind willreturn %s\n",
			pureAttributes(s.Major), effect)
	}
	m.Replace(&out)
}

type bounder struct {
	types   *irtext.Types
	members map[string]string
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
			b.globals[l[:irtext.NameEnd(l)]], _ = irtext.CutType(l[i+len(kind):])
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
	typ, rest := irtext.CutType(withoutFlags(rest)[1:])
	if !strings.HasPrefix(typ, "[") {
		return s, false
	}
	n, _, _ := strings.Cut(typ[1:], " x ")
	s.length, _ = strconv.ParseInt(n, 10, 64)
	s.base, rest, ok = irtext.CutPointer(strings.TrimPrefix(rest, ", "))
	rest, zero := strings.CutPrefix(rest, "i64 0, i64 ")
	if !ok || !zero {
		return s, false
	}
	s.index, rest = irtext.CutOperand(rest)
	return s, rest == "" || strings.HasPrefix(rest, ", !")
}

// function writes a function's lines, with checks.
func (b *bounder) function(out *irtext.Builder, lines []*irtext.Line) {
	b.read(lines)
	variables, checks := map[string]string{}, map[int]string{}
	body := 1 // behind the head, the first label and the variables, which there may be none of
	if len(lines) > 1 && !lines[1].HasPrefix(" ") {
		body = 2
	}
	for i, l := range lines {
		name, def, ok := l.Definition()
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
			b.fresh, s.index, limit, irtext.DebugOf(def), b.fresh, b.fresh, s.index, variables[key], irtext.DebugOf(def), b.fresh, irtext.DebugOf(def))
	}
	b.used = b.used || len(checks) > 0
	for i, l := range lines {
		if i == body {
			for _, def := range sortedValues(variables, " def") {
				out.WriteString(def)
			}
		}
		out.Keep(l)
		out.WriteString(checks[i])
	}
}

// read notes what a function defines and accesses.
func (b *bounder) read(lines []*irtext.Line) {
	b.defs, b.accessed = map[string]string{}, map[string]bool{}
	head, _, _ := strings.Cut(lines[0].Text, "@")
	reference := strings.Contains(head, " dereferenceable")
	for i := len(lines) - 1; i >= 0; i-- { // uses before definitions
		l := lines[i]
		name, def, ok := l.Definition()
		if ok {
			b.defs[name] = def
		}
		switch a, access := l.Access(); {
		case access:
			b.accessed[a.Ptr] = true
		case strings.HasPrefix(def, "getelementptr"):
			rest := withoutFlags(strings.TrimPrefix(def, "getelementptr"))[1:]
			_, rest = irtext.CutType(rest)
			if base, _, ok := irtext.CutPointer(strings.TrimPrefix(rest, ", ")); ok && b.accessed[name] {
				b.accessed[base] = true
			}
		case reference && l.HasPrefix("  ret ptr "):
			op, _ := irtext.CutOperand(strings.TrimPrefix(l.Text, "  ret ptr "))
			b.accessed[op] = true
		case l.Contains("@llvm.mem") || strings.Contains(def, "atomicrmw ") || strings.Contains(def, "cmpxchg "):
			for _, v := range l.Values() {
				b.accessed[v] = true
			}
		case l.Contains("call ") && l.Contains(" dereferenceable"):
			b.references(l)
		}
	}
}

// references notes the arguments of a call that are references.
func (b *bounder) references(l *irtext.Line) {
	_, args, _ := l.Call()
	for args != "" {
		var arg string
		arg, args = irtext.CutItem(args)
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
	typ, rest := irtext.CutType(withoutFlags(def)[1:])
	ptr, rest, _ := irtext.CutPointer(strings.TrimPrefix(rest, ", "))
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
	if t := b.types.Of(typ); isMember && t != nil && t.Fields != nil {
		k, _ := strconv.Atoi(field)
		return b.member(typ, t, k, base)
	}
	return ""
}

// constantPart is part for an address that is an expression of a variable's.
func (b *bounder) constantPart(base string) string {
	name := base[strings.IndexByte(base, '@'):]
	name = name[:irtext.NameEnd(name)]
	typ, indices := b.globals[name], "i32 0, i32 0)" // the first member is where the variable is
	if rest, ok := strings.CutPrefix(base, "getelementptr inbounds ("); ok {
		typ, rest = irtext.CutType(rest)
		_, indices, _ = irtext.CutPointer(strings.TrimPrefix(rest, ", "))
		if strings.HasPrefix(typ, "[") {
			return rowOf(name)
		}
	}
	field, isMember := strings.CutPrefix(strings.TrimSuffix(indices, ")"), "i32 0, i32 ")
	if t := b.types.Of(typ); isMember && t != nil && t.Fields != nil {
		k, _ := strconv.Atoi(field)
		return b.member(typ, t, k, "%")
	}
	return ""
}

// member names a member of a structure, "" for a flexible array.
func (b *bounder) member(typ string, t *irtext.Type, k int, base string) string {
	if k >= len(t.Fields) || k == len(t.Fields)-1 && t.Fields[k].Type.Count <= 1 {
		return ""
	}
	name := strings.Trim(strings.TrimPrefix(typ, "%"), `"`)
	for _, w := range []string{"struct.", "class.", "union."} {
		name = strings.TrimPrefix(name, w)
	}
	member := b.memberAt(name, t.Fields[k].Off)
	if member == "" {
		member = sourceName(base)
	}
	if t.Fields[k].Type.Elem == nil {
		return "" // the first array is a member's
	}
	return strings.Map(wordByte, name+"::"+member)
}

// row names the rows of what a pointer leads to.
func (b *bounder) row(ptr string) string {
	for range maxTypeDepth {
		def := b.defs[ptr]
		if i := strings.Index(def, ", ptr "); i >= 0 && (strings.HasPrefix(def, "getelementptr") || strings.HasPrefix(def, "load ")) {
			ptr, _ = irtext.CutOperand(def[i+len(", ptr "):])
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
	return strings.Map(wordByte, strings.Trim(s[i+1:i+irtext.NameEnd(s[i:])], `"`)) + "[]"
}

// wordByte keeps a name one word.
func wordByte(r rune) rune {
	if r == ' ' || r == '"' || r == '\\' || r == '.' || r == '$' {
		return '_'
	}
	return r
}

// memberNames finds the names of members in the debug information: "S 16" has that of
// the member at byte 16 of a structure, "" where several differ.
func memberNames(nodes irtext.Nodes) map[string]string {
	names := map[string]string{}
	for _, n := range nodes {
		if n.Kind != "!DIDerivedType" || !n.Is("tag", "DW_TAG_member") {
			continue
		}
		key := fmt.Sprintf("%s %d", nodes[n.Ref("scope")].Quoted("name"), n.Int("offset")/8)
		name := n.Quoted("name")
		if old, ok := names[key]; ok && old != name {
			name = ""
		}
		names[key] = name
	}
	return names
}

// memberAt returns the name of the member at an offset of a structure of the IR.
func (b *bounder) memberAt(structure string, off int64) string {
	if i := strings.LastIndex(structure, "::"); i >= 0 {
		structure = structure[i+2:]
	}
	return b.members[fmt.Sprintf("%s %d", structure, off)]
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
func (l *lowerer) bound(line *irtext.Line) bool {
	name, args, _ := line.Call()
	if name == "wg.keep" {
		return true
	} else if name != "wg.bound" {
		return false
	}
	condition, args := irtext.CutItem(args)
	index, args := irtext.CutItem(args)
	p, _ := irtext.CutArgument(args)
	condition = strings.TrimPrefix(condition, "i1 ")
	result, _, _ := line.Definition() // a phi may use it
	if condition == "false" || condition == "undef" || condition == "poison" {
		l.out.Printf("  %s = add i32 0, 0%s\n", result, line.Debug())
		return true
	}
	l.fresh++
	v, dbg := fmt.Sprintf("%%wgl.%d", l.fresh), line.Debug()
	if n, err := strconv.ParseInt(strings.TrimPrefix(index, "i64 "), 10, 64); err == nil && condition == "true" {
		// The offset is in the instruction, so that the variable's address stays whole.
		l.out.Printf("  %s.a = addrspacecast ptr %s to ptr addrspace(5)%s\n", v, p.Op, dbg)
		l.out.Printf("  %s = call i32 asm sideeffect \"ld.local.u32 $0, [$1+%d];\", \"=r,l\"(ptr addrspace(5) %s.a)%s\n", result, 4*(n&(1<<16-1)), v, dbg)
		return true
	}
	l.out.Printf("  %s.i = and %s, %d%s\n", v, index, 1<<16-1, dbg)
	l.out.Printf("  %s.a = addrspacecast ptr %s to ptr addrspace(5)%s\n", v, p.Op, dbg)
	l.out.Printf("  %s.p = getelementptr i32, ptr addrspace(5) %s.a, i64 %s.i%s\n", v, v, v, dbg)
	if condition == "true" {
		l.out.Printf("  %s = call i32 asm sideeffect \"ld.local.u32 $0, [$1];\", \"=r,l\"(ptr addrspace(5) %s.p)%s\n", result, v, dbg)
	} else {
		l.out.Printf("  %s = call i32 asm sideeffect \"@$1 ld.local.u32 $0, [$2];\", \"=r,b,l\"(i1 %s, ptr addrspace(5) %s.p)%s\n", result, condition, v, dbg)
	}
	return true
}

// boundsLeft finds which variables that stand for arrays are still needed.
func boundsLeft(m *irtext.Module) map[string]bool {
	left := map[string]bool{}
	for _, l := range m.Lines {
		_, args, ok := strings.Cut(l.Text, "call i32 @wg.bound(i1 ")
		if !ok || strings.HasPrefix(args, "false") {
			continue
		}
		if k := strings.LastIndex(args, `%"`+boundName); k >= 0 {
			left[args[k:k+irtext.NameEnd(args[k:])]] = true
		}
	}
	return left
}
