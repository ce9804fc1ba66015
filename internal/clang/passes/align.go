package passes

import (
	"fmt"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"slices"
	"strconv"
	"strings"
)

// An access through a pointer that was cast from the address of a variable
//
//	__shared__ float s[512];
//	reinterpret_cast<float4 *>(s)[t] = in[t];
//
// is aligned as its type says: the program promises that, and nvcc emits one
// access of 16 bytes. clang goes by the alignment of the variable instead, where
// it sees one, and splits the access into four. This pass raises such
// alignments, and those of the variables, before anything is optimized.
//
// What tells these accesses from those that need no alignment is clang's
// type information for alias analysis, which is taken off afterwards: a copy by
// assignment has a tbaa.struct, while memcpy has none; a member of a packed
// structure has a tag with the structure in it.

// vectorAlign is the alignment in bytes of CUDA's vector types, by the name of
// the structure ("CUDA C++ Programming Guide", "Built-in Vector Types").
var vectorAlign = map[string]int{
	"char2": 2, "uchar2": 2, "char4": 4, "uchar4": 4, "short2": 4, "ushort2": 4, "short4": 8, "ushort4": 8,
	"int2": 8, "uint2": 8, "int4": 16, "uint4": 16, "long2": 16, "ulong2": 16, "long4": 16, "ulong4": 16,
	"longlong2": 16, "ulonglong2": 16, "longlong4": 16, "ulonglong4": 16,
	"float2": 8, "float4": 16, "double2": 16, "double4": 16, "__half2": 4, "__nv_bfloat162": 4,
}

// ownAlign stands for the alignment that a copy names itself: what clang knows
// of a pointer that comes from nowhere it sees is the alignment of its type.
const ownAlign = -1

type aligner struct {
	// packed holds the structures with members that are not aligned, scalar
	// the tags of plain scalars.
	packed, scalar map[string]bool
	// need is the alignment that accesses want of variables; that of local ones
	// goes into their lines, which allocas has by name.
	need    map[string]int
	lines   []*irtext.Line
	allocas map[string]int
	// Of the function's pointers: the variable that they lead into, and the
	// alignment of the type that they point to, 0 where that is not known.
	root    map[string]string
	natural map[string]int
}

// align raises alignments as the source's types promise them.
func align(m *irtext.Module, _ *State) {
	a := &aligner{packed: map[string]bool{}, scalar: map[string]bool{}, need: map[string]int{}, lines: slices.Clone(m.Lines)}
	for _, l := range m.Lines {
		a.declare(l)
	}
	for i, l := range m.Lines {
		a.line(i, l)
	}
	var out irtext.Builder
	for _, l := range a.lines {
		if l.HasPrefix("@") {
			l = withAlign(l, a.need[l.Text[:irtext.NameEnd(l.Text)]])
		}
		out.Keep(l)
	}
	m.Replace(&out)
}

// declare notes packed structures and tags.
func (a *aligner) declare(l *irtext.Line) {
	if name, body, ok := l.TypeDefinition(); ok {
		if strings.HasPrefix(body, "<{") || a.mentionsPacked(body) {
			a.packed[name] = true
		}
		return
	}
	// !5 = !{!6, !6, i64 0}: the access is to the whole of the object.
	if id, n, ok := l.Node(); ok && n.Kind == "!{" {
		if base, rest, ok := strings.Cut(n.Body, ", "); ok && strings.HasPrefix(base, "!") && strings.HasPrefix(rest, base+", i64 0") {
			a.scalar[fmt.Sprintf("!%d", id)] = true
		}
	}
}

// mentionsPacked reports whether a type contains a packed structure. Structures
// are declared in any order, so that one nested in a later one may be missed;
// what is read of it then has a structure in its tag all the same.
func (a *aligner) mentionsPacked(typ string) bool {
	if strings.Contains(typ, "<{") {
		return true
	}
	for i := strings.IndexByte(typ, '%'); i >= 0; {
		n := irtext.NameEnd(typ[i:])
		if a.packed[typ[i:i+n]] {
			return true
		}
		j := strings.IndexByte(typ[i+n:], '%')
		if j < 0 {
			return false
		}
		i += n + j
	}
	return false
}

// line rewrites line i.
func (a *aligner) line(i int, l *irtext.Line) {
	switch {
	case l.Defines():
		a.root, a.natural, a.allocas = map[string]string{}, map[string]int{}, map[string]int{}
		return
	case !l.IsInstruction():
		return
	}
	tag := irtext.Metadata(l.Text, "!tbaa")
	aggregate := irtext.Metadata(l.Text, "!tbaa.struct") != ""
	if tag != "" || aggregate {
		l = &irtext.Line{Text: irtext.DropMetadata(irtext.DropMetadata(l.Text, "!tbaa"), "!tbaa.struct")}
	}
	a.lines[i] = l
	if acc, ok := l.Access(); ok {
		a.lines[i] = a.access(l, acc, tag)
	} else if aggregate {
		a.lines[i] = a.copy(l)
	} else {
		a.define(i, l)
	}
}

// access raises the alignment of a load or store of a scalar.
func (a *aligner) access(l *irtext.Line, acc irtext.Access, tag string) *irtext.Line {
	if strings.HasPrefix(acc.Type, "ptr") && !acc.Store {
		a.natural[strings.TrimSuffix(acc.Result, " = ")] = ownAlign
	}
	want, root := irtext.TypeBits(acc.Type)/8, a.rootOf(acc.Ptr)
	if acc.Align >= want || root == "" || !a.scalar[tag] {
		return l
	}
	a.require(root, want)
	acc.Align = want
	return &irtext.Line{Text: acc.String()}
}

// require asks for an alignment of a variable.
func (a *aligner) require(root string, want int) {
	if i, local := a.allocas[root]; local {
		a.lines[i] = withAlign(a.lines[i], want)
		return
	}
	a.need[root] = max(a.need[root], want)
}

// copy raises the alignments of a copy by assignment, whose sides have the same
// type.
func (a *aligner) copy(l *irtext.Line) *irtext.Line {
	name, args, _ := l.Call()
	if !strings.HasPrefix(name, "llvm.memcpy.") {
		return l
	}
	s := l.Text
	dst, rest := irtext.CutArgument(args)
	src, _ := irtext.CutArgument(rest)
	want := max(a.alignOf(dst), a.alignOf(src))
	for _, p := range []irtext.Pointer{dst, src} {
		root := a.rootOf(p.Op)
		if p.Align >= want || root == "" {
			continue
		}
		a.require(root, want)
		s = strings.Replace(s, "align "+strconv.Itoa(p.Align)+" "+p.Op, "align "+strconv.Itoa(want)+" "+p.Op, 1)
	}
	return &irtext.Line{Text: s}
}

// alignOf is the alignment of the type that a side of a copy has, 0 where that
// is not known.
func (a *aligner) alignOf(p irtext.Pointer) int {
	if n := a.natural[p.Op]; n != ownAlign {
		return n
	}
	return p.Align
}

// define follows pointers through the instructions that make them.
func (a *aligner) define(i int, l *irtext.Line) {
	name, op, rest := l.Op()
	switch op {
	case "alloca":
		typ, _ := irtext.CutType(rest)
		a.natural[name] = structAlign(typ)
		if !a.mentionsPacked(typ) {
			a.root[name], a.allocas[name] = name, i
		}
	case "addrspacecast":
		_, rest = irtext.CutType(rest)
		from, _ := irtext.CutOperand(strings.TrimPrefix(rest, " "))
		a.root[name], a.natural[name] = a.rootOf(from), a.natural[from]
	case "getelementptr":
		a.element(name, rest)
	}
}

// element follows a getelementptr, of which s is what comes after the word.
func (a *aligner) element(name, s string) {
	typ, base, indices := elementPath(s)
	if a.mentionsPacked(typ) {
		return
	}
	a.root[name] = a.rootOf(base)
	if indices == 1 {
		if a.natural[name] = structAlign(typ); a.natural[name] == 0 && a.natural[base] == ownAlign {
			a.natural[name] = ownAlign
		}
	}
}

// elementPath splits "inbounds T, ptr base, i64 1, i64 2" into its parts.
func elementPath(s string) (typ, base string, indices int) {
	for _, word := range []string{"inbounds ", "nusw ", "nuw "} {
		s = strings.TrimPrefix(s, word)
	}
	typ, s = irtext.CutType(s)
	_, s = irtext.CutType(strings.TrimPrefix(s, ", "))
	base, s = irtext.CutOperand(strings.TrimPrefix(s, " "))
	for strings.HasPrefix(s, ", i") {
		_, s = irtext.CutOperand(s[2:])
		indices++
	}
	return typ, base, indices
}

// rootOf returns the variable that a pointer leads into by a path without
// packed structures, or "".
func (a *aligner) rootOf(op string) string {
	switch {
	case strings.HasPrefix(op, "%"):
		return a.root[op]
	case strings.HasPrefix(op, "@"):
		return op
	case strings.HasPrefix(op, "addrspacecast ("):
		_, rest := irtext.CutType(op[len("addrspacecast ("):])
		from, _ := irtext.CutOperand(strings.TrimPrefix(rest, " "))
		from, _, _ = strings.Cut(from, " to ")
		return a.rootOf(from)
	case strings.HasPrefix(op, "getelementptr "):
		head, rest, ok := strings.Cut(op, "(")
		if !ok || strings.ContainsAny(head, "%@") {
			return ""
		}
		typ, base, _ := elementPath(strings.TrimSuffix(rest, ")"))
		if a.mentionsPacked(typ) {
			return ""
		}
		return a.rootOf(base)
	}
	return ""
}

// structAlign is the alignment of a CUDA vector type, 0 for any other.
func structAlign(typ string) int {
	name := strings.TrimPrefix(strings.TrimPrefix(typ, "%"), "struct.")
	name, _, _ = strings.Cut(name, ".")
	return vectorAlign[name]
}

// withAlign raises the alignment in the line of a variable.
func withAlign(l *irtext.Line, want int) *irtext.Line {
	i := strings.LastIndex(l.Text, ", align ")
	if want == 0 || i < 0 {
		return l
	}
	have, rest := irtext.CutAlign(l.Text[i:])
	if have >= want {
		return l
	}
	return &irtext.Line{Text: fmt.Sprintf("%s, align %d%s", l.Text[:i], want, rest)}
}
