package repair

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/source"
)

// commitCopies is the call that makes a group of a thread's copies.
const commitCopies = "__pipeline_commit()"

// copiesAwaited waits for asynchronous operations before another access: as the repair says, by the wait that is there, before the
// barrier that is there or together with one, and then wherever a wait can stand.
func copiesAwaited(p *Program, f *finding.Finding) []*Patch {
	advised, waits, others := waitsAsAdvised(p, f), p.waitsThere(f), p.between(f)
	if issuesProduct(p, f) {
		return distinct(slices.Concat(advised, waits, others))
	}
	return distinct(slices.Concat(advised, first(few, others), waits, others))
}

// few is how many of the other waits come before those that the program has.
const few = 8

// issuesProduct reports whether one of the accesses of a finding is a product in tensor memory.
func issuesProduct(p *Program, f *finding.Finding) bool {
	return slices.ContainsFunc(places(f), func(at finding.Place) bool {
		_, s := p.at(at.Loc.Pos)
		return s != nil && synchronizes(p, s, inst.TensorProduct)
	})
}

// waitsThere are the waits for mbarriers that the function has, before what it reads too early.
func (p *Program) waitsThere(f *finding.Finding) (out []*Patch) {
	fn, s := p.at(called(f.Primary))
	if s == nil || s.outer == nil {
		return nil
	}
	var texts []string
	fn.each(func(o *statement) {
		text := string(o.file.Text[o.from:o.to])
		if len(o.inner) == 0 && o.node.Kind == "CallExpr" && !strings.Contains(text, "\n") && !slices.Contains(texts, text) && synchronizes(p, o, inst.MBarrierTest) {
			texts = append(texts, text)
		}
	})
	for _, text := range texts {
		c := calls{text: text}
		c.before(s)
		out = append(out, c.patches...)
	}
	return out
}

func waitsAsAdvised(p *Program, f *finding.Finding) []*Patch {
	r := f.Repair
	switch {
	case r.Then != "" && r.Placed():
		then := finding.Repair{Call: cmp.Or(r.Call, p.spelled(waitAll, r.From.File)) + ";\n" + r.Then, From: r.From, To: r.To, Next: r.Next}
		return slices.Concat(first(4, p.converged(p.insertions(&then))), inBranches(p, &then))
	case r.At == nil && r.From != nil && r.Call != "":
		return bulkAwaited(p, f)
	case r.At == nil:
		return nil
	case r.Placed():
		return p.beside(r.At.Pos, p.spelled(waitAll, r.At.File))
	case r.Call != "" && r.Call != commitCopies:
		return p.beside(r.At.Pos, r.Call)
	case r.Call != "":
		call := r.Call
		if file := p.file(r.At.File); file != nil && !strings.Contains(string(file.Text), "__pipeline_") {
			call = `asm volatile("cp.async.commit_group;" ::: "memory")`
		}
		return p.beside(r.At.Pos, call)
	}
	return p.waitsForMore(r.At.Pos)
}

// bulkAwaited lets the thread that issues a bulk store wait for it: behind its commit, and the wait for its source that may follow.
func bulkAwaited(p *Program, f *finding.Finding) (out []*Patch) {
	for _, at := range places(f) {
		if at.Loc.Pos != f.Repair.From.Pos {
			continue
		}
		_, s := p.at(called(at))
		if s == nil || s.outer == nil || !s.outer.isList() {
			continue
		}
		last := s
		for _, o := range s.outer.inner {
			if o.from > s.from && synchronizes(p, o, inst.BulkCommit, inst.BulkWait) {
				last = o
			}
		}
		c := calls{text: f.Repair.Call + ";"}
		c.behind(last)
		out = append(out, c.patches...)
	}
	return distinct(out)
}

// beside adds a call before the statement at a place.
func (p *Program) beside(at source.Pos, call string) []*Patch {
	_, s := p.at(at)
	if s == nil {
		return nil
	}
	c := calls{text: call + ";"}
	c.before(s)
	return c.patches
}

// waitTemplate is a call of a function that waits for groups with their number as the argument of a template.
var waitTemplate = regexp.MustCompile(`\w*wait\w*<\s*(\d+)\s*>`)

// waitsForMore lets a wait leave one group fewer in flight, or none.
func (p *Program) waitsForMore(at source.Pos) (out []*Patch) {
	_, s := p.at(at)
	if s == nil {
		return nil
	}
	for _, call := range calling(s.node, func(name string) bool { return strings.Contains(name, "wait") }) {
		n := stripped(call.Child(1))
		text := s.text(n)
		if count, err := strconv.Atoi(text); err == nil && count > 0 {
			out = append(out, rewrite(s, n, strconv.Itoa(count-1)), rewrite(s, n, "0"))
		} else if text != "" && whole[n.Desugared] {
			out = append(out, rewrite(s, n, factor(text)+" - 1"), rewrite(s, n, "0"))
		}
	}
	for _, m := range waitTemplate.FindAllSubmatchIndex(s.file.Text[s.from:s.to], 1) {
		if count, err := strconv.Atoi(string(s.file.Text[s.from+m[2] : s.from+m[3]])); err == nil && count > 0 {
			edits := []Edit{{s.file.Name, s.from + m[2], s.from + m[3], strconv.Itoa(count - 1)}}
			out = append(out, &Patch{Edits: edits, Inline: edits, What: "wait for one group more in line " + strconv.Itoa(s.file.line(s.from))})
		}
	}
	for _, a := range assembliesIn(s) {
		for i := range a.instructions {
			out = append(out, leavesFewer(a, &a.instructions[i])...)
		}
	}
	return distinct(out)
}

// leavesFewer is waitsForMore for an instruction.
func leavesFewer(a *assembly, in *ptx.Inline) (out []*Patch) {
	if in.Kind() != inst.CopyWait || len(in.Args) != 1 {
		return nil
	}
	if n, ok := a.number(in.Args[0]); ok && n > 0 {
		return []*Patch{a.reworded(in, in.Args[0], strconv.Itoa(n-1)), a.reworded(in, in.Args[0], "0")}
	}
	if n := a.operand(in.Args[0]); n != nil && a.s.text(n) != "" {
		return []*Patch{rewrite(a.s, n, factor(a.s.text(n))+" - 1")}
	}
	return nil
}

// issuedLater lets the thread that issues an operation wait for the others at a barrier that all come to.
func issuedLater(p *Program, f *finding.Finding) (out []*Patch) {
	r := f.Repair
	if r.Then != "" && r.Placed() {
		names := []string{p.spelled(r.Then, r.From.File)}
		if fn, s := p.at(r.To.Pos); s != nil && r.Then == clusterSync {
			names = append(fn.clusterSyncs(s), names...)
		}
		for _, name := range names {
			barrier := finding.Repair{Call: name, From: r.From, To: r.To, Next: r.Next}
			out = append(out, including(p, name, first(4, p.converged(p.insertions(&barrier))))...)
		}
	}
	return append(out, p.between(f)...)
}
