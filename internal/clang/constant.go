package clang

import (
	"fmt"
	"strings"
)

// constantWrite lets a store or an atomic operation go to a __constant__ variable
// through its generic address. The program is wrong, which the run reports: llc has no
// PTX for such an atomic, and st.const, which it prints, does not exist.
func (l *lowerer) constantWrite(s string) string {
	typ, ptr, ok := writtenTo(s)
	if !ok || !l.isConstant(typ, ptr) {
		return s
	}
	move := "mov.b64"
	if addrSpace(typ) == spaceConst {
		move = "cvta.const.u64"
	}
	l.fresh++
	generic := fmt.Sprintf("%%wg.const.%d", l.fresh)
	fmt.Fprintf(&l.out, "  %s = call ptr asm sideeffect \"%s $0, $1;\", \"=l,l\"(%s %s)%s\n", generic, move, typ, ptr, debugOf(s))
	return strings.Replace(s, typ+" "+ptr, "ptr "+generic, 1)
}

// isConstant reports whether a pointer is one to constant memory, as far as llc sees.
func (l *lowerer) isConstant(typ, ptr string) bool {
	return addrSpace(typ) == spaceConst || l.constant[ptr] || strings.Contains(ptr, "ptr addrspace(4)")
}

// writtenTo returns the type and the operand of the pointer that a store or an atomic
// operation writes through.
func writtenTo(s string) (typ, ptr string, ok bool) {
	if a, isAccess := parseAccess(s); isAccess {
		return a.ptrType, a.ptr, a.store
	}
	for _, op := range []string{" = atomicrmw ", " = cmpxchg "} {
		_, rest, found := strings.Cut(s, op)
		i := strings.Index(rest, "ptr")
		if !found || i < 0 {
			continue
		}
		typ, rest = cutType(rest[i:])
		ptr, _ = cutOperand(strings.TrimPrefix(rest, " "))
		return typ, ptr, true
	}
	return "", "", false
}
