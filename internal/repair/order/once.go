package order

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/source"
)

// InitializeOnce initializes an mbarrier once: before the loop around it, unless each pass initializes another one, or not again.
func InitializeOnce(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	for _, at := range append([]source.Pos{f.Primary.Loc.Pos}, f.Primary.Loc.InlinedAt...) {
		_, s := p.At(at)
		if s == nil || s.IsList() || s.Outer == nil || s.Node.Begin.Macro {
			continue
		}
		whole := conditionalAround(s)
		text := string(s.File.Text[whole.From:whole.To])
		for o := whole; o.Outer != nil && !strings.Contains(text, "\n"); o = o.Outer {
			if o.IsLoop() && o.Outer.IsList() && o != whole && !setsBefore(o.Node, declared(whole.Node), o.To) {
				take := s.File.Replace(whole.From, whole.To, "")
				if !whole.Outer.IsList() {
					take.Text = ";"
				}
				out = append(out, &code.Patch{Edits: []code.Edit{o.Insert(o.From, text+"\n"+o.Indent()), whole.Lines(take)}, Inline: []code.Edit{o.Insert(o.From, text+" "), take},
					What: fmt.Sprintf("move the initialization in line %d before the loop of line %d", s.File.Line(whole.From), s.File.Line(o.From))})
			}
		}
	}
	return code.Distinct(append(out, calledOnce(p, f, "the initialization")...))
}

// calledOnce takes out the statement that does something again: the call of the function that does it, where it is in one.
func calledOnce(p *code.Program, f *finding.Finding, what string) (out []*code.Patch) {
	all := f.Primary.Loc.InlinedAt
	if len(all) == 0 {
		all = []source.Pos{f.Primary.Loc.Pos}
	}
	for _, at := range all {
		if _, s := p.At(at); s != nil && !s.IsList() && s.Outer != nil && !s.Node.Begin.Macro {
			out = append(out, removed(conditionalAround(s), what))
		}
	}
	return out
}

// conditionalAround is the outermost conditional of which a statement is all that is executed.
func conditionalAround(s *code.Statement) *code.Statement {
	for s.Outer.Outer != nil && !s.Outer.IsList() && !s.Outer.IsLoop() {
		s = s.Outer
	}
	return s
}

// DeallocateLater waits for all threads before columns of tensor memory are deallocated that others still access, or deallocates them once.
func DeallocateLater(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	for _, fn := range code.FunctionsOf(p, f) {
		for _, a := range code.AssembliesIn(fn.Body) {
			if a.S.Outer == nil || !deallocates(a) {
				continue
			}
			c := code.Calls{Text: finding.Syncthreads + ";"}
			for o := a.S; o.Outer != nil; o = o.Outer {
				if !o.IsList() {
					c.Before(o)
				}
			}
			out = append(out, c.Patches...)
		}
	}
	if _, s := p.At(f.Primary.Loc.Pos); s != nil {
		if a := code.AssemblyOf(s); a != nil && deallocates(a) {
			out = append(out, calledOnce(p, f, "the deallocation")...)
		}
	}
	return code.Distinct(out)
}

// deallocates reports whether an assembly deallocates columns of tensor memory.
func deallocates(a *code.Assembly) bool {
	return slices.ContainsFunc(a.Instructions, func(in ptx.Inline) bool { return in.Kind() == inst.TensorFree })
}
