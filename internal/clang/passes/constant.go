package passes

import (
	"fmt"
	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"strings"
)

// constantWrite lets a store or an atomic operation go to a __constant__ variable
// through its generic address. The program is wrong, which the run reports: llc has no
// PTX for such an atomic, and st.const, which it prints, does not exist.
func (l *lowerer) constantWrite(line *irtext.Line) *irtext.Line {
	typ, ptr, ok := writtenTo(line)
	if !ok || !l.isConstant(typ, ptr) {
		return line
	}
	move := "mov.b64"
	if irtext.AddrSpace(typ) == irtext.SpaceConst {
		move = "cvta.const.u64"
	}
	l.fresh++
	generic := fmt.Sprintf("%%wg.const.%d", l.fresh)
	l.out.Printf("  %s = call ptr asm sideeffect \"%s $0, $1;\", \"=l,l\"(%s %s)%s\n", generic, move, typ, ptr, line.Debug())
	return &irtext.Line{Text: strings.Replace(line.Text, typ+" "+ptr, "ptr "+generic, 1)}
}

// isConstant reports whether a pointer is one to constant memory, as far as llc sees.
func (l *lowerer) isConstant(typ, ptr string) bool {
	return irtext.AddrSpace(typ) == irtext.SpaceConst || l.constant[ptr] || strings.Contains(ptr, "ptr addrspace(4)")
}

// writtenTo returns the type and the operand of the pointer that a store or an atomic
// operation writes through.
func writtenTo(l *irtext.Line) (typ, ptr string, ok bool) {
	if a, isAccess := l.Access(); isAccess {
		return a.PtrType, a.Ptr, a.Store
	}
	for _, op := range []string{" = atomicrmw ", " = cmpxchg "} {
		_, rest, found := strings.Cut(l.Text, op)
		i := strings.Index(rest, "ptr")
		if !found || i < 0 {
			continue
		}
		typ, rest = irtext.CutType(rest[i:])
		ptr, _ = irtext.CutOperand(strings.TrimPrefix(rest, " "))
		return typ, ptr, true
	}
	return "", "", false
}
