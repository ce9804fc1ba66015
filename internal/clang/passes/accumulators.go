package passes

import (
	"regexp"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
)

// Matrix instructions are written as inline assembly with the registers of their
// accumulator as operands that are read and written. For wgmma, these belong to the hardware until a wait
// ("PTX ISA", "Asynchronous Warpgroup Level Matrix Instructions"), so that an array of them has
// to be in registers all along. nvcc inlines what gets such an array by reference, of
// whatever size; clang weighs it, and where it leaves a call, each instruction
// is followed by stores of its results to the array in memory.

// accumulatorRegisters is the number of read and written operands from which assembly is taken for an
// instruction with an accumulator.
const accumulatorRegisters = 4

var (
	asmConstraints = regexp.MustCompile(` asm (?:[a-z]+ )*"[^"]*", "([^"]*)"\(`)
	tiedConstraint = regexp.MustCompile(`^[0-9]+$`)
	attributeGroup = regexp.MustCompile(`^attributes (#[0-9]+) = \{(.*)\}`)
	groupOf        = regexp.MustCompile(` (#[0-9]+)`)
)

// inlineAccumulators has functions with accumulators inlined, and those that call
// them, up to the kernels.
func inlineAccumulators(m *irtext.Module, _ *State) {
	callers := map[string][]string{}
	var with []string // functions to visit
	for i, l := range m.Lines {
		body := m.Body(i)
		if body == nil {
			continue
		}
		name, _, _ := l.Call()
		for _, in := range body[1:] {
			if callee, _, _ := in.Call(); callee != "" {
				callers[callee] = append(callers[callee], name)
			}
			if hasAccumulator(in) {
				with = append(with, name)
			}
		}
	}
	if len(with) == 0 {
		return
	}
	marked := map[string]bool{}
	for len(with) > 0 {
		name := with[len(with)-1]
		with = with[:len(with)-1]
		if !marked[name] {
			marked[name] = true
			with = append(with, callers[name]...)
		}
	}
	kept := keptGroups(m)
	kernels := m.Kernels()
	var out irtext.Builder
	for _, l := range m.Lines {
		if name, _, tail := l.Call(); l.Defines() && marked[name] && !kernels[name] && !kept[firstGroup(tail)] {
			at := len(l.Text) - len(tail)
			out.Line(l, l.Text[:at]+" alwaysinline"+tail)
			continue
		}
		out.Keep(l)
	}
	m.Replace(&out)
}

// hasAccumulator reports whether a line is assembly that reads and writes many registers.
func hasAccumulator(l *irtext.Line) bool {
	if !l.IsInstruction() || !l.Contains(" asm ") {
		return false
	}
	c := asmConstraints.FindStringSubmatch(l.Text)
	if c == nil {
		return false
	}
	tied := 0
	for _, operand := range strings.Split(c[1], ",") {
		if tiedConstraint.MatchString(operand) {
			tied++
		}
	}
	return tied >= accumulatorRegisters
}

// keptGroups are the groups of attributes of functions that say themselves whether they are inlined.
func keptGroups(m *irtext.Module) map[string]bool {
	kept := map[string]bool{}
	for _, l := range m.Lines {
		if g := attributeGroup.FindStringSubmatch(l.Text); g != nil {
			kept[g[1]] = hasWord(g[2], "noinline") || hasWord(g[2], "optnone") || hasWord(g[2], "alwaysinline")
		}
	}
	return kept
}

func hasWord(s, word string) bool { return strings.Contains(" "+s+" ", " "+word+" ") }

// firstGroup is the group of attributes in what follows a definition's parameters.
func firstGroup(tail string) string {
	if g := groupOf.FindStringSubmatch(tail); g != nil {
		return g[1]
	}
	return ""
}
