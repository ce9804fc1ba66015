package passes

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
)

// Assumptions
//
// What a program assumes (__builtin_assume, [[assume]]) has no instruction, and what it declares unreachable has
// none either in an optimized build. Where kernels are checked without running, both are kept as traps, which PTX has
// for a program's end:
//
//	call void @llvm.assume(i1 %c)   =>   @!c trap;
//
// in inline assembly, so that LLVM draws no conclusions from it. Programs that run do without: there an assumption
// costs nothing.

// keepAssumptions makes traps of what the program assumes.
func keepAssumptions(m *irtext.Module, s *State) {
	if !s.Assumptions {
		return
	}
	k := &assumptionKeeper{attributes: strings.Replace(pureAttributes(s.Major), " willreturn", "", 1)}
	var last *irtext.Line
	for _, l := range m.Lines {
		switch {
		case l.HasPrefix("  unreachable") && last != nil && !last.Contains("call "):
			k.trapped = true
			k.out.WriteString("  call void @llvm.trap()" + l.Debug() + "\n")
		default:
			k.assumption(l)
		}
		if l.IsInstruction() {
			last = l
		}
		k.out.Keep(l)
	}
	if k.trapped && !m.Contains("@llvm.trap(") {
		k.out.WriteString("\ndeclare void @llvm.trap()\n")
	}
	m.Replace(&k.out)
}

// assumptionKeeper rewrites one module.
type assumptionKeeper struct {
	out        irtext.Builder
	attributes string
	fresh      int
	trapped    bool
}

// assumption writes the trap in front of a call of llvm.assume.
func (k *assumptionKeeper) assumption(l *irtext.Line) {
	if !l.Contains("@llvm.assume(") {
		return
	}
	name, args, _ := l.Call()
	cond, isValue := strings.CutPrefix(args, "i1 ")
	cond = cond[strings.LastIndexByte(cond, ' ')+1:]
	if name != "llvm.assume" || !isValue || !strings.HasPrefix(cond, "%") {
		return
	}
	k.fresh++
	v := fmt.Sprintf("%%wg.assume.%d", k.fresh)
	k.out.WriteString(fmt.Sprintf("  %s = zext i1 %s to i32%s\n", v, cond, l.Debug()))
	k.out.WriteString(fmt.Sprintf("  call void asm sideeffect \"{\\0A\\09.reg .pred %%wga;\\0A\\09setp.eq.u32 %%wga, $0, 0;\\0A\\09@%%wga trap;\\0A\\09}\", \"r\"(i32 %s) %s%s\n",
		v, k.attributes, l.Debug()))
}
