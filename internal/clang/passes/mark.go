package passes

import (
	"fmt"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"strconv"
	"strings"
)

// How accesses survive optimization
//
// The source-keeping build lets LLVM optimize arithmetic, inline functions
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
	// rdc is set if other modules may call the functions of this one.
	rdc bool
	out irtext.Builder
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

// mark rewrites unoptimized IR so that accesses survive opt.
func mark(m *irtext.Module, s *State) {
	k := &marker{major: s.Major, rdc: s.RDC, types: map[string]string{}, kernels: m.Kernels()}
	for _, l := range m.Lines {
		k.line(l)
	}
	m.Replace(&k.out)
}

// line rewrites one line.
func (m *marker) line(l *irtext.Line) {
	switch {
	case l.Defines():
		m.local, m.elem = map[string]bool{}, map[string]string{}
		m.byvalParams(l.Text)
		m.kernelParams(l)
		m.out.Line(l, m.internalize(l))
		return
	case l.HasPrefix("declare ") && l.Contains(" @__nv_"):
		m.out.Line(l, m.pureDeclaration(l.Text))
		return
	case l.HasPrefix("%"):
		m.structType(l)
	case l.IsInstruction():
		m.out.WriteString(m.pending)
		m.pending = ""
		m.instr(l)
		return
	}
	m.out.Keep(l)
}

// byvalParams notes the pointers to by-value parameters of a define line.
func (m *marker) byvalParams(s string) {
	for {
		i := strings.Index(s, " byval(")
		if i < 0 {
			return
		}
		s = s[i+len(" byval("):]
		typ, _ := irtext.CutType(s)
		if j := strings.IndexByte(s, '%'); strings.HasPrefix(typ, "%") {
			s = s[len(typ):]
			j = strings.IndexByte(s, '%')
			if j < 0 {
				return
			}
			name := s[j : j+irtext.NameEnd(s[j:])]
			m.local[name] = true
			m.elem[name] = m.types[typ]
		} else if j >= 0 {
			m.local[s[j:j+irtext.NameEnd(s[j:])]] = true
		}
	}
}

// internalize makes a function that is not a kernel internal to the module, as
// all are without separate compilation, so that it goes away once inlined.
func (m *marker) internalize(l *irtext.Line) string {
	s := l.Text
	if m.rdc && isShared(s) {
		return s
	}
	name, _, _ := l.Call()
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
func (m *marker) kernelParams(l *irtext.Line) {
	m.params = nil
	name, args, _ := l.Call()
	if !m.kernels[name] {
		return
	}
	m.params = map[string]string{}
	for args != "" {
		var p string
		p, args = irtext.CutItem(args)
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

// structType notes structs that are vectors of one scalar type.
func (m *marker) structType(l *irtext.Line) {
	name, body, _ := l.TypeDefinition()
	body, ok := strings.CutPrefix(body, "{ ")
	if !ok {
		return
	}
	elem, _ := irtext.CutType(body)
	for _, f := range strings.Split(strings.TrimSuffix(body, " }"), ", ") {
		if f != elem {
			return
		}
	}
	m.types[name] = elem
}

// instr rewrites one instruction.
func (m *marker) instr(l *irtext.Line) {
	if a, ok := l.Access(); ok {
		m.access(a)
		return
	}
	if l.Contains("call ") {
		m.call(l)
		return
	}
	m.define(l)
	m.out.Keep(l)
}

// define follows pointers to locals through the instructions that make them.
func (m *marker) define(l *irtext.Line) {
	switch name, op, rest := l.Op(); op {
	case "alloca":
		m.local[name] = true
		typ, _ := irtext.CutType(rest)
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
	_, rest := irtext.CutType(s)
	op, _ := irtext.CutOperand(strings.TrimPrefix(rest, " "))
	if m.local[op] {
		m.local[name] = true
	}
}

// access marks a load or store.
func (m *marker) access(a irtext.Access) {
	if g := m.params[a.Value]; a.Store && g != "" {
		a.Value = g
	}
	switch {
	case m.local[a.Ptr] || a.Atomic || isInitializer(a.Ptr) || irtext.AddrSpace(a.PtrType) == irtext.SpaceLocal:
	case strings.Contains(a.Tail, "!invariant.load") && irtext.AddrSpace(a.PtrType) == irtext.SpaceGlobal:
		a.Tail = irtext.DropMetadata(a.Tail, "!invariant.load")
		m.scalar(a, scopeReadOnly)
		return
	case a.Volatile:
		m.scalar(a, scopeVolatile)
		return
	default:
		m.scalar(a, scopeKept)
		return
	}
	m.print(a)
}

// scalar marks an access of a scalar, or of a vector by way of an integer.
// Other types can only be volatile.
func (m *marker) scalar(a irtext.Access, scope string) {
	bits := irtext.TypeBits(a.Type)
	if bits == 0 || bits > 128 || a.Align*8 < bits {
		a.Volatile = true
		m.print(a)
		return
	}
	if a.Type[0] == '<' {
		m.vector(a, bits, scope)
		return
	}
	a.Atomic, a.Scope, a.Order = true, scope, "monotonic"
	a.Volatile = scope == scopeVolatile
	m.print(a)
}

// vector marks an access of a vector.
func (m *marker) vector(a irtext.Access, bits int, scope string) {
	dbg := irtext.DebugOf(a.Tail)
	vec := a.Type
	a.Type = "i" + strconv.Itoa(bits)
	a.Atomic, a.Scope, a.Order = true, scope, "monotonic"
	a.Volatile = scope == scopeVolatile
	if a.Store {
		v := m.value("v")
		m.out.Printf("  %s = bitcast %s %s to %s%s\n", v, vec, a.Value, a.Type, dbg)
		a.Value = v
		m.print(a)
		return
	}
	result := a.Result
	a.Result = m.value(vectorTag(vec)) + " = "
	m.out.Printf("%s\n  %sbitcast %s %s to %s%s\n", a, result, a.Type, a.Name(), vec, dbg)
}

func (m *marker) print(a irtext.Access) { m.out.WriteString(a.String() + "\n") }

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
