package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/source"
)

// initializedOnce initializes an mbarrier once: before the loop around it, or not again.
func initializedOnce(p *Program, f *finding.Finding) (out []*Patch) {
	for _, at := range append([]source.Pos{f.Primary.Loc.Pos}, f.Primary.Loc.InlinedAt...) {
		_, s := p.at(at)
		if s == nil || s.isList() || s.outer == nil || s.node.Begin.Macro {
			continue
		}
		whole := s.conditional()
		text := string(s.file.Text[whole.from:whole.to])
		for o := whole; o.outer != nil && !strings.Contains(text, "\n"); o = o.outer {
			if o.isLoop() && o.outer.isList() && o != whole {
				take := Edit{s.file.Name, whole.from, whole.to, ""}
				if !whole.outer.isList() {
					take.Text = ";"
				}
				out = append(out, &Patch{Edits: []Edit{o.insert(o.from, text+"\n"+o.indent()), whole.lines(take)}, Inline: []Edit{o.insert(o.from, text+" "), take},
					What: fmt.Sprintf("move the initialization in line %d before the loop of line %d", s.file.line(whole.from), s.file.line(o.from))})
			}
		}
	}
	return distinct(append(out, calledOnce(p, f, "the initialization")...))
}

// calledOnce takes out the statement that does something again: the call of the function that does it, where it is in one.
func calledOnce(p *Program, f *finding.Finding, what string) (out []*Patch) {
	all := f.Primary.Loc.InlinedAt
	if len(all) == 0 {
		all = []source.Pos{f.Primary.Loc.Pos}
	}
	for _, at := range all {
		if _, s := p.at(at); s != nil && !s.isList() && s.outer != nil && !s.node.Begin.Macro {
			out = append(out, removed(s.conditional(), what))
		}
	}
	return out
}

// conditional is the outermost conditional of which a statement is all that is executed.
func (s *statement) conditional() *statement {
	for s.outer.outer != nil && !s.outer.isList() && !s.outer.isLoop() {
		s = s.outer
	}
	return s
}

// deallocatedLater waits for all threads before columns of tensor memory are deallocated that others still access, or deallocates them once.
func deallocatedLater(p *Program, f *finding.Finding) (out []*Patch) {
	for _, fn := range p.functionsOf(f) {
		for _, a := range assembliesIn(fn.body) {
			if a.s.outer == nil || !a.frees() {
				continue
			}
			c := calls{text: finding.Syncthreads + ";"}
			for o := a.s; o.outer != nil; o = o.outer {
				if !o.isList() {
					c.before(o)
				}
			}
			out = append(out, c.patches...)
		}
	}
	if _, s := p.at(f.Primary.Loc.Pos); s != nil {
		if a := assemblyOf(s); a != nil && a.frees() {
			out = append(out, calledOnce(p, f, "the deallocation")...)
		}
	}
	return distinct(out)
}

// frees reports whether an assembly deallocates columns of tensor memory.
func (a *assembly) frees() bool {
	return slices.ContainsFunc(a.instructions, func(in ptx.Inline) bool { return in.Kind() == inst.TensorFree })
}
