package clang

import (
	"fmt"
	"strconv"
	"strings"
)

// callee returns the function that a call line names directly, and the text
// between its parentheses.
func callee(s string) (name, args, tail string) {
	at := strings.IndexByte(s, '@')
	if at < 0 {
		return "", "", ""
	}
	end := at + nameEnd(s[at:])
	if end >= len(s) || s[end] != '(' {
		return "", "", ""
	}
	n := matchBracket(s[end:])
	return s[at+1 : end], s[end+1 : end+n-1], s[end+n:]
}

// call rewrites copies, read-only loads and calls of pure functions.
func (m *marker) call(s string) {
	name, args, tail := callee(s)
	switch {
	case strings.HasPrefix(name, "llvm.memcpy.") || strings.HasPrefix(name, "llvm.memmove."):
		dst, rest := parsePointer(args)
		src, rest := parsePointer(rest)
		if !m.isLocal(dst) || !m.isLocal(src) {
			if m.copy(dst, src, rest, tail) {
				return
			}
			s = volatileCopy(s)
		}
	case strings.HasPrefix(name, "llvm.memset."):
		if dst, rest := parsePointer(args); !m.isLocal(dst) {
			if m.fill(dst, rest, tail) {
				return
			}
			s = volatileCopy(s)
		}
	case strings.HasPrefix(name, "llvm.nvvm.ldg.global."):
		if m.ldg(s, args, tail) {
			return
		}
	case strings.HasPrefix(name, "__nv_"):
		s = dropCallAttributes(s)
	}
	m.out.WriteString(s)
}

// volatileCopy sets the flag of a memory intrinsic that makes it volatile.
func volatileCopy(s string) string { return strings.Replace(s, ", i1 false)", ", i1 true)", 1) }

// pointerArg is a pointer argument of a memory intrinsic.
type pointerArg struct {
	typ, op string
	align   int
}

// parsePointer reads "ptr addrspace(3) noundef align 16 %x" off the front.
func parsePointer(s string) (p pointerArg, rest string) {
	p.typ, s = cutType(s)
	p.align = 1
	for {
		s = strings.TrimPrefix(s, " ")
		switch {
		case strings.HasPrefix(s, "align "):
			n := len("align ")
			for n < len(s) && s[n] >= '0' && s[n] <= '9' {
				n++
			}
			p.align, _ = strconv.Atoi(s[len("align "):n])
			s = s[n:]
		case strings.HasPrefix(s, "dereferenceable"):
			s = s[strings.IndexByte(s, ')')+1:]
		case strings.HasPrefix(s, "noundef "), strings.HasPrefix(s, "nonnull "),
			strings.HasPrefix(s, "readonly "), strings.HasPrefix(s, "writeonly "),
			strings.HasPrefix(s, "nocapture "), strings.HasPrefix(s, "noalias "):
			s = s[strings.IndexByte(s, ' ')+1:]
		default:
			p.op, rest = cutOperand(s)
			return p, strings.TrimPrefix(rest, ", ")
		}
	}
}

// constArg reads "i64 N" off the front.
func constArg(s string) (n int64, rest string, ok bool) {
	typ, s := cutType(s)
	op, rest := cutOperand(strings.TrimPrefix(s, " "))
	n, err := strconv.ParseInt(op, 10, 64)
	return n, strings.TrimPrefix(rest, ", "), err == nil && strings.HasPrefix(typ, "i")
}

// isLocal reports whether a pointer surely points to the thread's own memory.
func (m *marker) isLocal(p pointerArg) bool {
	return m.local[p.op] || addrSpace(p.typ) == spaceLocal || isInitialiser(p.op)
}

// isInitialiser recognises the constants that clang copies into initialised
// local aggregates. Reading them is no access of the source.
func isInitialiser(op string) bool { return strings.Contains(op, "@__const.") }

// copy expands a memcpy or memmove of known size, of whose ends at least one
// may be other than local memory. All loads come before all stores, which is
// right for memmove as well. It reports whether it did.
func (m *marker) copy(dst, src pointerArg, rest, tail string) bool {
	size, rest, ok := constArg(rest)
	if !ok || size <= 0 || size > maxCopy {
		return false
	}
	volatile := strings.HasPrefix(rest, "i1 true")
	dbg := debugOf(tail)
	elem := m.elem[dst.op]
	if elem == "" {
		elem = m.elem[src.op]
	}
	chunks := chunksOf(size, min(dst.align, src.align))
	vals := make([]string, len(chunks))
	for i, c := range chunks {
		vals[i] = m.copyLoad(src, c, elem, volatile, dbg)
	}
	for i, c := range chunks {
		m.copyStore(dst, c, vals[i], vectorOf(c.size, elem), volatile, dbg)
	}
	m.trimNewline()
	return true
}

// trimNewline takes back the line end that line() is going to write.
func (m *marker) trimNewline() { m.out.Truncate(m.out.Len() - 1) }

// chunk is a part of a copy, in bytes.
type chunk struct{ off, size int64 }

// chunksOf splits size bytes into the widest accesses, of 16 bytes at most,
// that the alignment of both ends allows.
func chunksOf(size int64, align int) []chunk {
	var cs []chunk
	for off := int64(0); off < size; {
		w := min(int64(16), int64(align))
		for w > size-off {
			w /= 2
		}
		cs = append(cs, chunk{off, w})
		off += w
	}
	return cs
}

// vectorOf names the vector type to access n bytes as, "" for a scalar.
func vectorOf(n int64, elem string) string {
	if n < 8 {
		return ""
	}
	bits := typeBits(elem)
	if bits < 32 || int64(bits)/8 >= n || strings.HasPrefix(elem, "ptr") {
		bits, elem = 32, "i32"
	}
	return fmt.Sprintf("<%d x %s>", int(n)*8/bits, elem)
}

// element emits the address of a chunk.
func (m *marker) element(p pointerArg, c chunk, dbg string) pointerArg {
	if c.off == 0 {
		return p
	}
	v := m.value("p")
	fmt.Fprintf(&m.out, "  %s = getelementptr i8, %s %s, i64 %d%s\n", v, p.typ, p.op, c.off, dbg)
	if m.local[p.op] {
		m.local[v] = true
	}
	p.op = v
	return p
}

// copyLoad emits the load of a chunk. The value is a vector where vectorOf
// says so, else an integer.
func (m *marker) copyLoad(src pointerArg, c chunk, elem string, volatile bool, dbg string) string {
	a := m.chunkAccess(m.element(src, c, dbg), c, volatile, dbg)
	vec := vectorOf(c.size, elem)
	if vec != "" && m.isLocal(src) {
		a.typ = vec
	}
	if vec == "" || a.typ == vec {
		a.result = m.value("c") + " = "
		fmt.Fprintf(&m.out, "%s\n", a)
		return a.name()
	}
	a.result = m.value(vectorTag(vec)) + " = "
	v := m.value("c")
	fmt.Fprintf(&m.out, "%s\n  %s = bitcast %s %s to %s%s\n", a, v, a.typ, a.name(), vec, dbg)
	return v
}

// copyStore emits the store of a chunk.
func (m *marker) copyStore(dst pointerArg, c chunk, val, vec string, volatile bool, dbg string) {
	a := m.chunkAccess(m.element(dst, c, dbg), c, volatile, dbg)
	a.store, a.value = true, val
	switch {
	case vec != "" && m.isLocal(dst):
		a.typ = vec
	case vec != "":
		a.value = m.value("v")
		fmt.Fprintf(&m.out, "  %s = bitcast %s %s to %s%s\n", a.value, vec, val, a.typ, dbg)
	}
	fmt.Fprintf(&m.out, "%s\n", a)
}

// chunkAccess makes the access of a chunk as an integer, marked unless local.
func (m *marker) chunkAccess(p pointerArg, c chunk, volatile bool, dbg string) memAccess {
	a := memAccess{typ: "i" + strconv.FormatInt(c.size*8, 10), ptrType: p.typ, ptr: p.op, align: int(c.size), tail: dbg}
	if m.isLocal(p) {
		return a
	}
	a.atomic, a.scope, a.order = true, scopeKept, "monotonic"
	if volatile {
		a.volatile, a.scope = true, scopeVolatile
	}
	return a
}

// fill expands a memset of known size and value. It reports whether it did.
func (m *marker) fill(dst pointerArg, rest, tail string) bool {
	b, rest, okByte := constArg(rest)
	size, rest, ok := constArg(rest)
	if !ok || !okByte || size <= 0 || size > maxCopy/8 {
		return false
	}
	dbg := debugOf(tail)
	for _, c := range chunksOf(size, min(dst.align, 8)) {
		a := m.chunkAccess(m.element(dst, c, dbg), c, strings.HasPrefix(rest, "i1 true"), dbg)
		v := uint64(byte(b)) * 0x0101010101010101 >> (64 - 8*c.size)
		a.store, a.value = true, strconv.FormatUint(v, 10)
		fmt.Fprintf(&m.out, "%s\n", a)
	}
	m.trimNewline()
	return true
}

// ldg rewrites "%v = call T @llvm.nvvm.ldg.global.f...(ptr %p, i32 align)"
// as a marked load from the global space.
func (m *marker) ldg(s, args, tail string) bool {
	result, rest, ok := strings.Cut(s[2:], " = ")
	i := strings.Index(rest, "call ")
	if !ok || i < 0 {
		return false
	}
	typ, _ := cutType(strings.TrimPrefix(rest[i+5:], "contract "))
	p, rest := parsePointer(args)
	align, _, ok := constArg(rest)
	if !ok || typeBits(typ) == 0 {
		return false
	}
	dbg := debugOf(tail)
	if addrSpace(p.typ) != spaceGlobal {
		v := m.value("p")
		fmt.Fprintf(&m.out, "  %s = addrspacecast %s %s to ptr addrspace(1)%s\n", v, p.typ, p.op, dbg)
		p.op = v
	}
	m.scalar(memAccess{result: result + " = ", typ: typ, ptrType: "ptr addrspace(1)", ptr: p.op, align: int(align), tail: dbg}, scopeReadOnly)
	return true
}

// pureDeclaration declares a mathematical function without side effects, so
// that calls of it can be merged and moved like other arithmetic. Those with
// a pointer parameter write through it.
func (m *marker) pureDeclaration(s string) string {
	i := strings.LastIndexByte(s, ')')
	effect := pureAttributes(m.major)
	if strings.Contains(s[:i+1], "ptr ") || strings.Contains(s[:i+1], "ptr,") || strings.Contains(s[:i+1], "ptr)") {
		effect = "nounwind willreturn memory(argmem: readwrite)"
		if m.major < 16 {
			effect = "nounwind willreturn argmemonly"
		}
	}
	return s[:i+1] + " " + effect
}

// pureAttributes are those of calls without effects, for some version of LLVM.
func pureAttributes(major int) string {
	if major < 16 {
		return "nounwind willreturn readnone"
	}
	return "nounwind willreturn memory(none)"
}

// dropCallAttributes takes " #N" off a call: it says convergent of functions
// that are not.
func dropCallAttributes(s string) string {
	i := strings.LastIndex(s, ") #")
	if i < 0 {
		return s
	}
	j := i + 3
	for j < len(s) && s[j] >= '0' && s[j] <= '9' {
		j++
	}
	return s[:i+1] + s[j:]
}
