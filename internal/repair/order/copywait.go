package order

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/repair/code"
	"github.com/warpgrind/warpgrind/internal/source"
)

// commitCopies is the call that makes a group of a thread's copies.
const commitCopies = "__pipeline_commit()"

// AwaitCopies waits for asynchronous operations before another access: as the repair says, by the wait that is there, before the
// barrier that is there or together with one, and then wherever a wait can stand.
func AwaitCopies(p *code.Program, f *finding.Finding) []*code.Patch {
	advised, waits, others := waitsAsAdvised(p, f), waitThere(p, f), CallBetween(p, f)
	if issuesProduct(p, f) {
		return code.Distinct(slices.Concat(advised, waits, others))
	}
	return code.Distinct(slices.Concat(advised, code.First(few, others), waits, others))
}

// few is how many of the other waits come before those that the program has.
const few = 8

// issuesProduct reports whether one of the accesses of a finding is a product in tensor memory.
func issuesProduct(p *code.Program, f *finding.Finding) bool {
	return slices.ContainsFunc(code.Places(f), func(at finding.Place) bool {
		_, s := p.At(at.Loc.Pos)
		return s != nil && synchronizes(p, s, inst.TensorProduct)
	})
}

// waitThere are the waits for mbarriers that the function has, before what it reads too early.
func waitThere(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	fn, s := p.At(called(f.Primary))
	if s == nil || s.Outer == nil {
		return nil
	}
	var texts []string
	fn.Each(func(o *code.Statement) {
		text := string(o.File.Text[o.From:o.To])
		if len(o.Inner) == 0 && o.Node.Kind == "CallExpr" && !strings.Contains(text, "\n") && !slices.Contains(texts, text) && synchronizes(p, o, inst.MBarrierTest) {
			texts = append(texts, text)
		}
	})
	for _, text := range texts {
		c := code.Calls{Text: text}
		c.Before(s)
		out = append(out, c.Patches...)
	}
	return out
}

func waitsAsAdvised(p *code.Program, f *finding.Finding) []*code.Patch {
	r := f.Repair
	switch {
	case r.Then != "" && r.Placed():
		then := finding.Repair{Call: cmp.Or(r.Call, spellCall(p, waitAll, r.From.File)) + ";\n" + r.Then, From: r.From, To: r.To, Next: r.Next}
		return slices.Concat(code.First(4, KeepConverged(p, InsertCall(p, &then))), inBranches(p, &then))
	case r.At == nil && r.From != nil && r.Call != "":
		return bulkAwaited(p, f)
	case r.At == nil:
		return nil
	case r.Placed():
		return CallBeside(p, r.At.Pos, spellCall(p, waitAll, r.At.File))
	case r.Call != "" && r.Call != commitCopies:
		return CallBeside(p, r.At.Pos, r.Call)
	case r.Call != "":
		call := r.Call
		if file := p.File(r.At.File); file != nil && !strings.Contains(string(file.Text), "__pipeline_") {
			call = `asm volatile("cp.async.commit_group;" ::: "memory")`
		}
		return CallBeside(p, r.At.Pos, call)
	}
	return waitForMore(p, r.At.Pos)
}

// bulkAwaited lets the thread that issues a bulk store wait for it: behind its commit, and the wait for its source that may follow.
func bulkAwaited(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	for _, at := range code.Places(f) {
		if at.Loc.Pos != f.Repair.From.Pos {
			continue
		}
		_, s := p.At(called(at))
		if s == nil || s.Outer == nil || !s.Outer.IsList() {
			continue
		}
		last := s
		for _, o := range s.Outer.Inner {
			if o.From > s.From && synchronizes(p, o, inst.BulkCommit, inst.BulkWait) {
				last = o
			}
		}
		c := code.Calls{Text: f.Repair.Call + ";"}
		c.Behind(last)
		out = append(out, c.Patches...)
	}
	return code.Distinct(out)
}

// CallBeside adds a call before the statement at a place.
func CallBeside(p *code.Program, at source.Pos, call string) []*code.Patch {
	_, s := p.At(at)
	if s == nil {
		return nil
	}
	c := code.Calls{Text: call + ";"}
	c.Before(s)
	return c.Patches
}

// waitTemplate is a call of a function that waits for groups with their number as the argument of a template.
var waitTemplate = regexp.MustCompile(`\w*wait\w*<\s*(\d+)\s*>`)

// waitForMore lets a wait leave one group fewer in flight, or none.
func waitForMore(p *code.Program, at source.Pos) (out []*code.Patch) {
	_, s := p.At(at)
	if s == nil {
		return nil
	}
	for _, call := range code.Calling(s.Node, func(name string) bool { return strings.Contains(name, "wait") }) {
		n := code.Stripped(call.Child(1))
		text := s.Text(n)
		if count, err := strconv.Atoi(text); err == nil && count > 0 {
			out = append(out, code.Rewrite(s, n, strconv.Itoa(count-1)), code.Rewrite(s, n, "0"))
		} else if text != "" && code.Whole[n.Desugared] {
			out = append(out, code.Rewrite(s, n, code.Factor(text)+" - 1"), code.Rewrite(s, n, "0"))
		}
	}
	for _, m := range waitTemplate.FindAllSubmatchIndex(s.File.Text[s.From:s.To], 1) {
		if count, err := strconv.Atoi(string(s.File.Text[s.From+m[2] : s.From+m[3]])); err == nil && count > 0 {
			edits := []code.Edit{s.File.Replace(s.From+m[2], s.From+m[3], strconv.Itoa(count-1))}
			out = append(out, &code.Patch{Edits: edits, Inline: edits, What: "wait for one group more in line " + strconv.Itoa(s.File.Line(s.From))})
		}
	}
	for _, a := range code.AssembliesIn(s) {
		for i := range a.Instructions {
			out = append(out, leavesFewer(a, &a.Instructions[i])...)
		}
	}
	return code.Distinct(out)
}

// leavesFewer is waitsForMore for an instruction.
func leavesFewer(a *code.Assembly, in *ptx.Inline) (out []*code.Patch) {
	if in.Kind() != inst.CopyWait || len(in.Args) != 1 {
		return nil
	}
	if n, ok := a.Number(in.Args[0]); ok && n > 0 {
		return []*code.Patch{a.Reword(in, in.Args[0], strconv.Itoa(n-1)), a.Reword(in, in.Args[0], "0")}
	}
	if n := a.Operand(in.Args[0]); n != nil && a.S.Text(n) != "" {
		return []*code.Patch{code.Rewrite(a.S, n, code.Factor(a.S.Text(n))+" - 1")}
	}
	return nil
}

// IssueLater lets the thread that issues an operation wait for the others at a barrier that all come to.
func IssueLater(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	r := f.Repair
	if r.Then != "" && r.Placed() {
		names := []string{spellCall(p, r.Then, r.From.File)}
		if fn, s := p.At(r.To.Pos); s != nil && r.Then == clusterSync {
			names = append(clusterSyncsIn(fn, s), names...)
		}
		for _, name := range names {
			barrier := finding.Repair{Call: name, From: r.From, To: r.To, Next: r.Next}
			out = append(out, including(p, name, code.First(4, KeepConverged(p, InsertCall(p, &barrier))))...)
		}
	}
	return append(out, CallBetween(p, f)...)
}
