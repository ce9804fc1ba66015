package passes

import (
	"fmt"
	"regexp"
	"strconv"
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
// The values of an enumeration without a fixed underlying type are those of the bits that its enumerators need (C++,
// [dcl.enum]). With -fstrict-enums clang says so at loads, and it is an assumption, too:
//
//	%v = load i32, ptr %p, !range !{i32 0, i32 4}   =>   %v = load i32, ptr %p, and the assumption that %v - 0 < 4
//
// in inline assembly, so that LLVM draws no conclusions from it. Programs that run do without: there an assumption
// costs nothing.

// keepAssumptions makes traps of what the program assumes.
func keepAssumptions(m *irtext.Module, s *State) {
	if !s.Assumptions {
		return
	}
	k := &assumptionKeeper{ranges: enumRanges(m), attributes: strings.Replace(pureAttributes(s.Major), " willreturn", "", 1)}
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
		if r, ok := k.enumeration(l); ok {
			k.out.Line(l, strings.Replace(l.Text, r.attached, "", 1))
			k.within(l, r)
		} else {
			k.out.Keep(l)
		}
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
	ranges     map[string]enumRange
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
	k.trapUnless(cond, l)
}

// trapUnless writes the trap of a condition.
func (k *assumptionKeeper) trapUnless(cond string, l *irtext.Line) {
	k.fresh++
	v := fmt.Sprintf("%%wg.assume.%d", k.fresh)
	k.out.WriteString(fmt.Sprintf("  %s = zext i1 %s to i32%s\n", v, cond, l.Debug()))
	k.out.WriteString(fmt.Sprintf("  call void asm sideeffect \"{\\0A\\09.reg .pred %%wga;\\0A\\09setp.eq.u32 %%wga, $0, 0;\\0A\\09@%%wga trap;\\0A\\09}\", \"r\"(i32 %s) %s%s\n",
		v, k.attributes, l.Debug()))
}

// enumRange is a node of LLVM's that gives a range of numbers, its end not included.
type enumRange struct {
	typ        string
	first, end int64
	attached   string // what says so of a load
}

var rangeNode = regexp.MustCompile(`^(!\d+) = !\{(i32|i64) (-?\d+), (?:i32|i64) (-?\d+)\}$`)

// enumRanges are the ranges of a module by the names of their nodes. Those of bool, which has 8 bits, are left out.
func enumRanges(m *irtext.Module) map[string]enumRange {
	out := map[string]enumRange{}
	for _, l := range m.Lines {
		if f := rangeNode.FindStringSubmatch(l.Text); f != nil {
			first, err := strconv.ParseInt(f[3], 10, 64)
			end, err2 := strconv.ParseInt(f[4], 10, 64)
			if err == nil && err2 == nil {
				out[f[1]] = enumRange{typ: f[2], first: first, end: end}
			}
		}
	}
	return out
}

// enumeration is the range of the value that a line loads.
func (k *assumptionKeeper) enumeration(l *irtext.Line) (r enumRange, ok bool) {
	const attachment = ", !range "
	_, node, _ := strings.Cut(l.Text, attachment)
	if _, op, _ := l.Op(); op != "load" || node == "" {
		return r, false
	}
	node, _, _ = strings.Cut(node, ",")
	r, ok = k.ranges[node]
	r.attached = attachment + node
	return r, ok
}

// within writes the trap for a value that is not in its range.
func (k *assumptionKeeper) within(l *irtext.Line, r enumRange) {
	k.fresh++
	name, _, _ := l.Op()
	from, within := fmt.Sprintf("%%wg.enum.%d", k.fresh), fmt.Sprintf("%%wg.within.%d", k.fresh)
	k.out.WriteString(fmt.Sprintf("  %s = sub %s %s, %d%s\n", from, r.typ, name, r.first, l.Debug()))
	k.out.WriteString(fmt.Sprintf("  %s = icmp ult %s %s, %d%s\n", within, r.typ, from, r.end-r.first, l.Debug()))
	k.trapUnless(within, l)
}
