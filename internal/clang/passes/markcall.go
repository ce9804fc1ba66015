package passes

import (
	"fmt"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"strconv"
	"strings"
)

// call rewrites copies, read-only loads and calls of pure functions.
func (m *marker) call(l *irtext.Line) {
	s := l.Text
	name, args, tail := l.Call()
	switch {
	case strings.HasPrefix(name, "llvm.memcpy.") || strings.HasPrefix(name, "llvm.memmove."):
		dst, rest := irtext.CutArgument(args)
		src, rest := irtext.CutArgument(rest)
		if !m.isLocal(dst) || !m.isLocal(src) {
			if m.copy(dst, src, rest, tail) {
				return
			}
			s = volatileCopy(s)
		}
	case strings.HasPrefix(name, "llvm.memset."):
		if dst, rest := irtext.CutArgument(args); !m.isLocal(dst) {
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
	m.out.Line(l, s)
}

// volatileCopy sets the flag of a memory intrinsic that makes it volatile.
func volatileCopy(s string) string { return strings.Replace(s, ", i1 false)", ", i1 true)", 1) }

// isLocal reports whether a pointer surely points to the thread's own memory.
func (m *marker) isLocal(p irtext.Pointer) bool {
	return m.local[p.Op] || irtext.AddrSpace(p.Type) == irtext.SpaceLocal || isInitializer(p.Op)
}

// isInitializer recognizes the constants that clang copies into initialized
// local aggregates. Reading them is not an access of the source.
func isInitializer(op string) bool { return strings.Contains(op, "@__const.") }

// copy expands a memcpy or memmove of known size, of whose ends at least one
// may be other than local memory. All loads come before all stores, which is
// right for memmove as well. It reports whether it did.
func (m *marker) copy(dst, src irtext.Pointer, rest, tail string) bool {
	size, rest, ok := irtext.CutConstant(rest)
	if !ok || size <= 0 || size > maxCopy {
		return false
	}
	volatile := strings.HasPrefix(rest, "i1 true")
	dbg := irtext.DebugOf(tail)
	elem := m.elem[dst.Op]
	if elem == "" {
		elem = m.elem[src.Op]
	}
	chunks := chunksOf(size, min(dst.Align, src.Align))
	vals := make([]string, len(chunks))
	for i, c := range chunks {
		vals[i] = m.copyLoad(src, c, elem, volatile, dbg)
	}
	for i, c := range chunks {
		m.copyStore(dst, c, vals[i], vectorOf(c.size, elem), volatile, dbg)
	}
	return true
}

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
	bits := irtext.TypeBits(elem)
	if bits < 32 || int64(bits)/8 >= n || strings.HasPrefix(elem, "ptr") {
		bits, elem = 32, "i32"
	}
	return fmt.Sprintf("<%d x %s>", int(n)*8/bits, elem)
}

// element emits the address of a chunk.
func (m *marker) element(p irtext.Pointer, c chunk, dbg string) irtext.Pointer {
	if c.off == 0 {
		return p
	}
	v := m.value("p")
	m.out.Printf("  %s = getelementptr i8, %s %s, i64 %d%s\n", v, p.Type, p.Op, c.off, dbg)
	if m.local[p.Op] {
		m.local[v] = true
	}
	p.Op = v
	return p
}

// copyLoad emits the load of a chunk. The value is a vector where vectorOf
// says so, else an integer.
func (m *marker) copyLoad(src irtext.Pointer, c chunk, elem string, volatile bool, dbg string) string {
	a := m.chunkAccess(m.element(src, c, dbg), c, volatile, dbg)
	vec := vectorOf(c.size, elem)
	if vec != "" && m.isLocal(src) {
		a.Type = vec
	}
	if vec == "" || a.Type == vec {
		a.Result = m.value("c") + " = "
		m.out.Printf("%s\n", a)
		return a.Name()
	}
	a.Result = m.value(vectorTag(vec)) + " = "
	v := m.value("c")
	m.out.Printf("%s\n  %s = bitcast %s %s to %s%s\n", a, v, a.Type, a.Name(), vec, dbg)
	return v
}

// copyStore emits the store of a chunk.
func (m *marker) copyStore(dst irtext.Pointer, c chunk, val, vec string, volatile bool, dbg string) {
	a := m.chunkAccess(m.element(dst, c, dbg), c, volatile, dbg)
	a.Store, a.Value = true, val
	switch {
	case vec != "" && m.isLocal(dst):
		a.Type = vec
	case vec != "":
		a.Value = m.value("v")
		m.out.Printf("  %s = bitcast %s %s to %s%s\n", a.Value, vec, val, a.Type, dbg)
	}
	m.out.Printf("%s\n", a)
}

// chunkAccess makes the access of a chunk as an integer, marked unless local.
func (m *marker) chunkAccess(p irtext.Pointer, c chunk, volatile bool, dbg string) irtext.Access {
	a := irtext.Access{Type: "i" + strconv.FormatInt(c.size*8, 10), PtrType: p.Type, Ptr: p.Op, Align: int(c.size), Tail: dbg}
	if m.isLocal(p) {
		return a
	}
	a.Atomic, a.Scope, a.Order = true, scopeKept, "monotonic"
	if volatile {
		a.Volatile, a.Scope = true, scopeVolatile
	}
	return a
}

// fill expands a memset of known size and value. It reports whether it did.
func (m *marker) fill(dst irtext.Pointer, rest, tail string) bool {
	b, rest, okByte := irtext.CutConstant(rest)
	size, rest, ok := irtext.CutConstant(rest)
	if !ok || !okByte || size <= 0 || size > maxCopy/8 {
		return false
	}
	dbg := irtext.DebugOf(tail)
	for _, c := range chunksOf(size, min(dst.Align, 8)) {
		a := m.chunkAccess(m.element(dst, c, dbg), c, strings.HasPrefix(rest, "i1 true"), dbg)
		v := uint64(byte(b)) * 0x0101010101010101 >> (64 - 8*c.size)
		a.Store, a.Value = true, strconv.FormatUint(v, 10)
		m.out.Printf("%s\n", a)
	}
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
	typ, _ := irtext.CutType(strings.TrimPrefix(rest[i+5:], "contract "))
	p, rest := irtext.CutArgument(args)
	align, _, ok := irtext.CutConstant(rest)
	if !ok || irtext.TypeBits(typ) == 0 {
		return false
	}
	dbg := irtext.DebugOf(tail)
	if irtext.AddrSpace(p.Type) != irtext.SpaceGlobal {
		v := m.value("p")
		m.out.Printf("  %s = addrspacecast %s %s to ptr addrspace(1)%s\n", v, p.Type, p.Op, dbg)
		p.Op = v
	}
	m.scalar(irtext.Access{Result: result + " = ", Type: typ, PtrType: "ptr addrspace(1)", Ptr: p.Op, Align: int(align), Tail: dbg}, scopeReadOnly)
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
