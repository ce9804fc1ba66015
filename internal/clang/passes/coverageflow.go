package passes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/pragma"
)

// countedFlow is a function's control flow while markers are put into it.
type countedFlow struct {
	*flow
	lines []*irtext.Line
	// first is the increment that a block begins with, preds how many edges lead there, by block.
	first []*increment
	preds []int
	// decided are the blocks whose first increment a condition stands for.
	decided map[int]bool
}

// function writes a function with markers.
func (c *coverageMarker) function(out *irtext.Builder, lines []*irtext.Line) {
	f := &countedFlow{flow: &flow{number: map[string]int{}}, lines: lines, decided: map[int]bool{}}
	f.findBlocks(lines)
	f.first, f.preds = make([]*increment, len(f.blocks)), make([]int, len(f.blocks))
	for i, b := range f.blocks {
		for _, s := range b.succs {
			f.preds[s]++
		}
		f.first[i] = c.begins(f, b)
	}
	for _, b := range f.blocks {
		for _, s := range f.decides(b) {
			f.decided[s] = true
		}
	}
	out.Keep(lines[0])
	for i := range f.blocks {
		c.block(out, f, i)
	}
}

// begins returns the increment that is a block's first instruction.
func (c *coverageMarker) begins(f *countedFlow, b flowBlock) *increment {
	for _, l := range f.lines[b.first:b.end] {
		if x, ok := c.incrementIn(l); ok {
			return &x
		}
		if l.IsInstruction() && !l.Contains("#dbg_") && !l.Contains("@llvm.dbg.") {
			return nil
		}
	}
	return nil
}

// decides lists the blocks on whose first increments the end of a block decides: of the ways of a branch one, since the
// other's would be counted twice, and of a switch each.
func (f *countedFlow) decides(b flowBlock) (list []int) {
	end := f.lines[f.terminator(b)]
	branch := end.HasPrefix("  br i1 ")
	if !branch && !end.HasPrefix("  switch ") {
		return nil
	}
	for _, s := range b.succs {
		edges := 0
		for _, n := range b.succs {
			edges += one(n == s)
		}
		if f.first[s] == nil || f.preds[s] != edges || edges == len(b.succs) {
			continue
		}
		if branch {
			return []int{s}
		}
		if !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// terminator is the first line of what ends a block.
func (f *countedFlow) terminator(b flowBlock) int {
	i := b.end - 1
	for i > b.first && (!f.lines[i].IsInstruction() || f.lines[i].HasPrefix("    ") || f.lines[i].HasPrefix("  ]")) {
		i--
	}
	return i
}

// block writes a block.
func (c *coverageMarker) block(out *irtext.Builder, f *countedFlow, i int) {
	b := f.blocks[i]
	end, first := f.terminator(b), f.decided[i]
	for k, l := range f.lines[b.first:b.end] {
		if b.first+k == end {
			c.terminate(out, f, b, l)
		}
		x, ok := c.incrementIn(l)
		switch {
		case !ok:
			out.Keep(l)
		case first: // its condition counts
			first = false
		default:
			c.increment(out, f, x)
		}
	}
}

// terminate writes the markers of the conditions that decide where a block goes.
func (c *coverageMarker) terminate(out *irtext.Builder, f *countedFlow, b flowBlock, l *irtext.Line) {
	decides := f.decides(b)
	switch {
	case len(decides) == 0:
	case l.HasPrefix("  br "):
		condition, _ := irtext.CutOperand(strings.TrimPrefix(l.Text, "  br i1 "))
		if b.succs[0] != decides[0] {
			condition = c.value(out, "xor i1 %s, true%s", condition, l.Debug())
		}
		f.first[decides[0]].decide(c, out, condition)
	default:
		c.cases(out, f, b, l, decides)
	}
}

// cases writes the markers of a switch.
func (c *coverageMarker) cases(out *irtext.Builder, f *countedFlow, b flowBlock, l *irtext.Line, decides []int) {
	typ, rest := irtext.CutType(strings.TrimPrefix(l.Text, "  switch "))
	value, _ := irtext.CutOperand(strings.TrimPrefix(rest, " "))
	is := map[int]string{} // the condition for a block
	join := func(s int, condition string) {
		if is[s] != "" {
			condition = c.value(out, "or i1 %s, %s", is[s], condition)
		}
		is[s] = condition
	}
	rule := b.succs[0]
	any := "false"
	for k, line := range f.caseLines(b) {
		constant, _ := irtext.CutOperand(strings.TrimPrefix(strings.TrimPrefix(line.Text, "    "), typ+" "))
		equal := c.value(out, "icmp eq %s %s, %s", typ, value, constant)
		join(b.succs[k+1], equal)
		any = c.value(out, "or i1 %s, %s", any, equal)
	}
	join(rule, c.value(out, "xor i1 %s, true", any))
	for _, s := range decides {
		f.first[s].decide(c, out, is[s])
	}
}

// caseLines are the lines of a switch's cases.
func (f *countedFlow) caseLines(b flowBlock) (list []*irtext.Line) {
	for _, l := range f.lines[f.terminator(b)+1 : b.end] {
		if l.HasPrefix("    i") {
			list = append(list, l)
		}
	}
	return list
}

// increment writes the marker for an increment that no condition stands for, or by what a condition is.
func (c *coverageMarker) increment(out *irtext.Builder, f *countedFlow, x increment) {
	condition, constant := f.condition(x.step)
	switch {
	case x.step == "" || constant && condition == "1":
		x.mark(out)
	case !constant:
		x.decide(c, out, condition)
	}
}

// condition returns the condition whose value as a number is added, or the number, if that is constant.
func (f *countedFlow) condition(step string) (condition string, constant bool) {
	if !strings.HasPrefix(step, "%") {
		return step, true
	}
	for _, l := range f.lines {
		if name, op, rest := l.Op(); name == step && op == "zext" {
			rest = strings.TrimPrefix(rest, "nneg ")
			value, to, ok := strings.Cut(strings.TrimPrefix(rest, "i1 "), " to ")
			if ok && strings.HasPrefix(rest, "i1 ") && strings.HasPrefix(to, "i64") {
				return value, false
			}
		}
	}
	panic(fmt.Sprintf("a counter is increased by %s, which is not a condition", step))
}

// value writes an instruction and returns its result.
func (c *coverageMarker) value(out *irtext.Builder, format string, args ...any) string {
	c.fresh++
	name := fmt.Sprintf("%%wg.count.%d", c.fresh)
	out.Printf("  %s = %s\n", name, fmt.Sprintf(format, args...))
	return name
}

// mark writes a marker that counts executions of the block.
func (x *increment) mark(out *irtext.Builder) {
	out.Printf("  call void asm sideeffect \"%s\", \"\"()%s\n", pragma.Asm(pragma.Count{Counter: x.at}), x.debug)
}

// decide writes a marker that counts a condition.
func (x *increment) decide(c *coverageMarker, out *irtext.Builder, condition string) {
	c.value(out, "call i1 asm sideeffect \"%s\\0A\\09mov.pred $0, $1;\", \"=b,b\"(i1 %s)%s", pragma.Asm(pragma.Decide{Counter: x.at}), condition, x.debug)
}
