package passes

import (
	"fmt"
	"strings"

	"github.com/warpgrind/warpgrind/internal/clang/irtext"
	"github.com/warpgrind/warpgrind/internal/coverage"
)

// countedFlow is a function's control flow while markers are put into it.
type countedFlow struct {
	*flow
	lines []*irtext.Line
	// first is the increment that a block begins with, preds how many edges lead there, by block.
	first []*increment
	preds []int
	// decides are the increments that the condition at a block's end decides on. others have them by the block where that
	// is not, edges by the edge there, if it has no block of its own: from and to a block.
	decides map[int]*increment
	others  map[int]*increment
	edges   map[[2]int]*increment
	// from renames the block that an edge comes from, for phis.
	from map[[2]int]string
	// last is the label of what a block that was divided ends with.
	last map[int]string
}

// function writes a function with markers.
func (c *coverageMarker) function(out *irtext.Builder, lines []*irtext.Line) {
	f := &countedFlow{flow: &flow{number: map[string]int{}}, lines: lines, decides: map[int]*increment{}, others: map[int]*increment{},
		edges: map[[2]int]*increment{}, from: map[[2]int]string{}, last: map[int]string{}}
	f.findBlocks(lines)
	f.first, f.preds = make([]*increment, len(f.blocks)), make([]int, len(f.blocks))
	for i, b := range f.blocks {
		for _, s := range b.succs {
			f.preds[s]++
		}
		f.first[i] = c.begins(f, b)
	}
	for i := range f.blocks {
		f.decide(i)
	}
	var body irtext.Builder
	for i := range f.blocks {
		c.block(&body, f, i)
	}
	out.Keep(lines[0])
	f.renamed(out, &body)
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

// decide finds what the condition at the end of a block decides.
func (f *countedFlow) decide(i int) {
	b := f.blocks[i]
	if len(b.succs) != 2 || b.succs[0] == b.succs[1] || !f.lines[f.terminator(b)].HasPrefix("  br i1 ") {
		return
	}
	for k, s := range b.succs {
		x, other := f.first[s], b.succs[1-k]
		if x == nil || f.preds[s] != 1 {
			continue
		}
		f.decides[i] = x
		if f.preds[other] == 1 {
			f.others[other] = x
		} else {
			f.edges[[2]int{i, other}] = x
		}
		return
	}
}

// terminator is the line that ends a block.
func (f *countedFlow) terminator(b flowBlock) int {
	i := b.end - 1
	for i > b.first && !f.lines[i].IsInstruction() {
		i--
	}
	return i
}

// block writes a block.
func (c *coverageMarker) block(out *irtext.Builder, f *countedFlow, i int) {
	b, pending := f.blocks[i], f.others[i]
	end := f.terminator(b)
	for k, l := range f.lines[b.first:b.end] {
		if _, op, _ := l.Op(); pending != nil && l.IsInstruction() && op != "phi" {
			pending.mark(out, coverage.Other)
			pending = nil
		}
		if b.first+k == end {
			c.terminate(out, f, i, l)
			continue
		}
		if x, ok := c.incrementIn(l); ok {
			c.increment(out, f, i, x)
			continue
		}
		out.Keep(l)
	}
}

// terminate writes the end of a block, and a block on an edge behind it.
func (c *coverageMarker) terminate(out *irtext.Builder, f *countedFlow, i int, l *irtext.Line) {
	x := f.decides[i]
	if x == nil {
		out.Keep(l)
		return
	}
	x.mark(out, coverage.Branch)
	for _, s := range f.blocks[i].succs {
		if f.edges[[2]int{i, s}] != x {
			continue
		}
		label := c.label()
		to := f.labelOf(s)
		at := strings.LastIndex(l.Text, "label "+to) // the other way has another label, which may begin as this one does
		if first := strings.Index(l.Text, "label "+to+","); first >= 0 && f.blocks[i].succs[0] == s {
			at = first
		}
		out.Line(l, l.Text[:at]+"label %"+label+l.Text[at+len("label "+to):])
		out.Printf("\n%s:\n", label)
		x.mark(out, coverage.Other)
		out.Printf("  br label %s%s\n", to, l.Debug())
		f.from[[2]int{i, s}] = "%" + label
		return
	}
	out.Keep(l)
}

// increment writes the markers for an increment. One by a condition becomes a branch.
func (c *coverageMarker) increment(out *irtext.Builder, f *countedFlow, i int, x increment) {
	condition, constant := f.condition(x.step)
	switch {
	case x.step == "" || constant && condition == "1":
		x.mark(out, coverage.Counter)
		return
	case constant:
		return
	}
	yes, no, on := c.label(), c.label(), c.label()
	x.mark(out, coverage.Branch)
	out.Printf("  br i1 %s, label %%%s, label %%%s%s\n\n%s:\n", condition, yes, no, x.debug, yes)
	x.mark(out, coverage.Counter)
	out.Printf("  br label %%%s%s\n\n%s:\n", on, x.debug, no)
	x.mark(out, coverage.Other)
	out.Printf("  br label %%%s%s\n\n%s:\n", on, x.debug, on)
	f.last[i] = "%" + on
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
	panic(fmt.Sprintf("a counter is increased by %s, which is no condition", step))
}

func (c *coverageMarker) label() string {
	c.fresh++
	return fmt.Sprintf("wg.count.%d", c.fresh)
}

// labelOf is a block's label as operands name it.
func (f *countedFlow) labelOf(i int) string {
	label, _, _ := strings.Cut(f.lines[f.blocks[i].first].Text, ":")
	return "%" + label
}

// renamed writes the body with the blocks that phis name as they are now.
func (f *countedFlow) renamed(out, body *irtext.Builder) {
	var m irtext.Module
	m.Replace(body)
	in := 0
	for _, l := range m.Lines {
		if label, ok := blockLabel(l); ok {
			if n, ok := f.number[label]; ok {
				in = n
			}
		}
		text := l.Text
		if _, op, _ := l.Op(); op == "phi" {
			for p := range f.blocks {
				if label := f.arrival(p, in); label != "" {
					text = strings.ReplaceAll(text, ", "+f.labelOf(p)+" ]", ", "+label+" ]")
				}
			}
		}
		out.Line(l, text)
	}
}

// arrival is the new name of the block from which block to is reached from block p, "" for the old one.
func (f *countedFlow) arrival(p, to int) string {
	if label := f.from[[2]int{p, to}]; label != "" {
		return label
	}
	return f.last[p]
}
