package clang

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// How accesses survive optimisation
//
// The source-keeping build lets LLVM optimise arithmetic, inline functions
// and promote local variables, but no access of the source to shared, global,
// constant or generic memory may disappear, move, merge or split. Marking all
// of them volatile has that effect, but also keeps LLVM from promoting a
// local variable that is reached through a reference parameter, "this" or a
// lambda's captures, because a volatile access stays one after inlining.
//
// Atomic accesses of monotonic order do both: every pass treats one as a side
// effect (it is not "unordered", so it is not deleted, duplicated, hoisted,
// sunk, merged or reordered with others), yet SROA and mem2reg promote an
// alloca that is accessed by it, since atomicity means nothing for memory
// that no other thread sees. So before opt every access that is not plainly
// to a local variable becomes
//
//	load atomic T, ptr %p syncscope("wg") monotonic
//
// and after opt those that are left become volatile (which llc keeps, in
// order and with their width), or plain where they turn out to be local.
// llc prints .volatile, which the last step takes off again.
//
// What was volatile or atomic in the source must come out as such. A volatile
// access becomes an atomic volatile one with a scope of its own and in the end
// an inline ld.volatile or st.volatile, whose text llc does not touch, so that
// it cannot be confused with our marks. The same way is taken by __ldg
// (ld.global.nc), which LLVM would be free to merge.
//
// Wide copies: clang copies a struct by llvm.memcpy, which SROA would take
// apart by field. Copies of a known size become integer accesses as wide as
// alignment allows, up to 16 bytes, as nvcc does. Their values carry names that
// tell in the end which vector type to load (see lower.go).

// Scopes of marked accesses.
const (
	scopeKept     = "wg"    // an ordinary access
	scopeVolatile = "wgvol" // a volatile one of the source
	scopeReadOnly = "wgnc"  // a load through the read-only path
)

// maxCopy bounds in bytes the struct copies that are expanded to single
// accesses. Longer ones become a loop in llc.
const maxCopy = 1024

// marker rewrites one module's IR.
type marker struct {
	// major is the version of LLVM.
	major int
	// rdc says that other modules may call the functions of this one.
	rdc bool
	out bytes.Buffer
	// local holds the values of the function that point into its own allocas
	// or by-value parameters.
	local map[string]bool
	// elem gives the element type of the vector struct that a local holds.
	elem  map[string]string
	types map[string]string
	// kernels holds the names of the module's kernels; params maps a kernel's
	// pointer parameters to the same pointer known to be global. pending holds
	// the instructions that make them until the first of the entry block.
	kernels map[string]bool
	params  map[string]string
	pending string
	// fresh numbers the values that are inserted.
	fresh int
}

// markIR rewrites the unoptimised IR of clang version major so that accesses
// survive opt. With rdc the functions that others may call stay.
func markIR(ir []byte, major int, rdc bool) []byte {
	m := &marker{major: major, rdc: rdc, types: map[string]string{}, kernels: kernelNames(ir)}
	m.out.Grow(len(ir) + len(ir)/4)
	for len(ir) > 0 {
		var line []byte
		line, ir, _ = bytes.Cut(ir, []byte("\n"))
		m.line(string(line))
		m.out.WriteByte('\n')
	}
	return m.out.Bytes()
}

// line rewrites one line.
func (m *marker) line(s string) {
	switch {
	case strings.HasPrefix(s, "define "):
		m.local, m.elem = map[string]bool{}, map[string]string{}
		m.byvalParams(s)
		m.kernelParams(s)
		s = m.internalise(s)
	case strings.HasPrefix(s, "declare ") && strings.Contains(s, " @__nv_"):
		s = m.pureDeclaration(s)
	case strings.HasPrefix(s, "%"):
		m.structType(s)
	case strings.HasPrefix(s, "  "):
		m.out.WriteString(m.pending)
		m.pending = ""
		m.instr(s)
		return
	}
	m.out.WriteString(s)
}

// byvalParams notes the pointers to by-value parameters of a define line.
func (m *marker) byvalParams(s string) {
	for {
		i := strings.Index(s, " byval(")
		if i < 0 {
			return
		}
		s = s[i+len(" byval("):]
		typ, _ := cutType(s)
		if j := strings.IndexByte(s, '%'); strings.HasPrefix(typ, "%") {
			s = s[len(typ):]
			j = strings.IndexByte(s, '%')
			if j < 0 {
				return
			}
			name := s[j : j+nameEnd(s[j:])]
			m.local[name] = true
			m.elem[name] = m.types[typ]
		} else if j >= 0 {
			m.local[s[j:j+nameEnd(s[j:])]] = true
		}
	}
}

// kernelNames finds the kernels of a module: by annotation (up to LLVM 20) or
// calling convention.
func kernelNames(ir []byte) map[string]bool {
	names := map[string]bool{}
	for rest := ir; ; {
		i := bytes.Index(rest, []byte(`, !"kernel", i32 1`))
		if i < 0 {
			break
		}
		if at := bytes.LastIndexByte(rest[:i], '@'); at >= 0 {
			names[string(rest[at+1:i])] = true
		}
		rest = rest[i+1:]
	}
	for rest := ir; ; {
		i := bytes.Index(rest, []byte(" ptx_kernel "))
		if i < 0 {
			return names
		}
		rest = rest[i+1:]
		if at := bytes.IndexByte(rest, '@'); at >= 0 {
			names[string(rest[at+1:at+nameEnd(string(rest[at:min(len(rest), at+4096)]))])] = true
		}
	}
}

// internalise makes a function that is no kernel internal to the module, as
// all are without separate compilation, so that it goes away once inlined.
func (m *marker) internalise(s string) string {
	if m.rdc && isShared(s) {
		return s
	}
	name, _, _ := callee(s)
	if name == "" || m.kernels[name] {
		return s
	}
	head, rest, _ := strings.Cut(s, "@")
	for _, w := range []string{"dso_local ", "linkonce_odr ", "weak_odr ", "linkonce ", "weak ", "internal ", "hidden ", "protected "} {
		head = strings.Replace(head, " "+w, " ", 1)
	}
	rest = strings.Replace(rest, " comdat ", " ", 1)
	return "define internal " + strings.TrimPrefix(head, "define ") + "@" + rest
}

// isShared reports whether other modules see the function of a definition:
// those of inline functions are as good, so that they can be left out.
func isShared(define string) bool {
	head, _, _ := strings.Cut(define, "@")
	return !strings.Contains(head, " internal ") && !strings.Contains(head, " linkonce")
}

// kernelParams prepares the global forms of a kernel's pointer parameters:
// the host can pass no other address. llc knows the same, but too late for
// inline assembly.
func (m *marker) kernelParams(s string) {
	m.params = nil
	name, args, _ := callee(s)
	if !m.kernels[name] {
		return
	}
	m.params = map[string]string{}
	for args != "" {
		var p string
		p, args = cutOperandList(args)
		at := strings.LastIndexByte(p, '%')
		if !strings.HasPrefix(p, "ptr ") || at < 0 || strings.Contains(p, " byval(") {
			continue
		}
		param := p[at:]
		k, g := m.value("k"), m.value("g")
		m.pending += fmt.Sprintf("  %s = addrspacecast ptr %s to ptr addrspace(1)\n  %s = addrspacecast ptr addrspace(1) %s to ptr\n", k, param, g, k)
		m.params[param] = g
	}
}

// cutOperandList splits the first of a list of comma-separated parameters off.
func cutOperandList(s string) (first, rest string) {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(', '<', '[', '{':
			depth++
		case ')', '>', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				return s[:i], strings.TrimPrefix(s[i+1:], " ")
			}
		}
	}
	return s, ""
}

// structType notes structs that are vectors of one scalar type.
func (m *marker) structType(s string) {
	name, body, ok := strings.Cut(s, " = type { ")
	if !ok {
		return
	}
	elem, _ := cutType(body)
	for _, f := range strings.Split(strings.TrimSuffix(body, " }"), ", ") {
		if f != elem {
			return
		}
	}
	m.types[name] = elem
}

// instr rewrites one instruction.
func (m *marker) instr(s string) {
	if a, ok := parseAccess(s); ok {
		m.access(a)
		return
	}
	if strings.Contains(s, "call ") {
		m.call(s)
		return
	}
	m.define(s)
	m.out.WriteString(s)
}

// define follows pointers to locals through the instructions that make them.
func (m *marker) define(s string) {
	name, def, ok := strings.Cut(s[2:], " = ")
	if !ok || name == "" || name[0] != '%' {
		return
	}
	op, rest, _ := strings.Cut(def, " ")
	switch op {
	case "alloca":
		m.local[name] = true
		typ, _ := cutType(rest)
		m.elem[name] = m.types[typ]
	case "getelementptr":
		if i := strings.Index(rest, ", ptr"); i >= 0 {
			m.derive(name, rest[i+2:])
		}
	case "addrspacecast":
		m.derive(name, rest)
	}
}

// derive makes name local if the typed operand at the front of s is.
func (m *marker) derive(name, s string) {
	_, rest := cutType(s)
	op, _ := cutOperand(strings.TrimPrefix(rest, " "))
	if m.local[op] {
		m.local[name] = true
	}
}

// access marks a load or store.
func (m *marker) access(a memAccess) {
	if g := m.params[a.value]; a.store && g != "" {
		a.value = g
	}
	switch {
	case m.local[a.ptr] || a.atomic || isInitialiser(a.ptr) || addrSpace(a.ptrType) == spaceLocal:
	case strings.Contains(a.tail, "!invariant.load") && addrSpace(a.ptrType) == spaceGlobal:
		a.tail = dropMetadata(a.tail, "!invariant.load")
		m.scalar(a, scopeReadOnly)
		return
	case a.volatile:
		m.scalar(a, scopeVolatile)
		return
	default:
		m.scalar(a, scopeKept)
		return
	}
	m.out.WriteString(a.String())
}

// dropMetadata takes one ", !kind !N" attachment out of a tail.
func dropMetadata(tail, kind string) string {
	i := strings.Index(tail, ", "+kind+" ")
	if i < 0 {
		return tail
	}
	rest := tail[i+2:]
	j := strings.Index(rest, ", ")
	if j < 0 {
		return tail[:i]
	}
	return tail[:i] + rest[j:]
}

// scalar marks an access of a scalar, or of a vector by way of an integer.
// Other types can only be volatile.
func (m *marker) scalar(a memAccess, scope string) {
	bits := typeBits(a.typ)
	if bits == 0 || bits > 128 || a.align*8 < bits {
		a.volatile = true
		m.out.WriteString(a.String())
		return
	}
	if a.typ[0] == '<' {
		m.vector(a, bits, scope)
		return
	}
	a.atomic, a.scope, a.order = true, scope, "monotonic"
	a.volatile = scope == scopeVolatile
	m.out.WriteString(a.String())
}

// vector marks an access of a vector.
func (m *marker) vector(a memAccess, bits int, scope string) {
	dbg := debugOf(a.tail)
	vec := a.typ
	a.typ = "i" + strconv.Itoa(bits)
	a.atomic, a.scope, a.order = true, scope, "monotonic"
	a.volatile = scope == scopeVolatile
	if a.store {
		v := m.value("v")
		fmt.Fprintf(&m.out, "  %s = bitcast %s %s to %s%s\n", v, vec, a.value, a.typ, dbg)
		a.value = v
		m.out.WriteString(a.String())
		return
	}
	result := a.result
	a.result = m.value(vectorTag(vec)) + " = "
	fmt.Fprintf(&m.out, "%s\n  %sbitcast %s %s to %s%s", a, result, a.typ, a.name(), vec, dbg)
}

// value makes a new name. The tag survives in the names that opt derives.
func (m *marker) value(tag string) string {
	m.fresh++
	return "%wg." + tag + "." + strconv.Itoa(m.fresh)
}

// vectorTag and taggedVector translate between a vector type and a part of a
// name: "<4 x float>" and "x4float".
func vectorTag(vec string) string {
	return "x" + strings.Replace(strings.Trim(vec, "<>"), " x ", "", 1)
}

func taggedVector(name string) (vec string, ok bool) {
	s, ok := strings.CutPrefix(name, "%wg.x")
	if !ok || s == "" || s[0] < '2' || s[0] > '9' {
		return "", false
	}
	end := strings.IndexByte(s, '.')
	if end < 2 {
		return "", false
	}
	return "<" + s[:1] + " x " + s[1:end] + ">", true
}

// debugOf returns the ", !dbg !N" of a tail, or "".
func debugOf(tail string) string {
	i := strings.Index(tail, ", !dbg !")
	if i < 0 {
		return ""
	}
	s := tail[i:]
	if j := strings.Index(s[2:], ","); j >= 0 {
		s = s[:j+2]
	}
	return s
}
