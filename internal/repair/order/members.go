package order

import (
	"fmt"
	"slices"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/ptx"
	"github.com/warpgrind/warpgrind/internal/repair/code"
)

// methods are the member functions that order accesses, by class (CUDA C++ Programming Guide,
// "Cooperative Groups"; libcu++, "cuda::pipeline", "cuda::barrier").
var methods = map[string][]method{
	"thread_block_tile": {{"sync()", groupSyncs}},
	"coalesced_group":   {{"sync()", groupSyncs}},
	"thread_block":      {{"sync()", blockSyncs}},
	"cluster_group":     {{"sync()", clusterSyncs}},
	"grid_group":        {{"sync()", gridSyncs}},
	"pipeline":          {{"consumer_wait()", waits}, {"producer_acquire()", waits}},
	"barrier":           {{"arrive_and_wait()", waits}},
}

type method struct {
	call string
	of   map[finding.RepairKind]bool
}

var (
	groupSyncs = map[finding.RepairKind]bool{finding.AddSyncwarp: true}
	blockSyncs = map[finding.RepairKind]bool{finding.AddBarrier: true}
	// A barrier of more than the block orders its threads as well.
	clusterSyncs = map[finding.RepairKind]bool{finding.AddBarrier: true, finding.ClusterBarrier: true}
	gridSyncs    = map[finding.RepairKind]bool{finding.AddBarrier: true, finding.ClusterBarrier: true, finding.SplitKernel: true}
	waits        = map[finding.RepairKind]bool{finding.WaitForCopy: true, finding.WaitThere: true, finding.WaitForAll: true, finding.WaitForWriter: true}
)

// nameMembers calls, before and after the accesses of a finding, what the objects that can be named there have
// for its repair: the groups, pipelines and barriers.
func nameMembers(p *code.Program, f *finding.Finding) []*code.Patch {
	out := arrivalsAwaited(p, f)
	for _, at := range code.Places(f) {
		fn, s := p.At(at.Loc.Pos)
		if s == nil {
			continue
		}
		for _, v := range fn.Visible(s) {
			for _, m := range methods[code.Class(v)] {
				if m.of[f.Repair.Kind] {
					c := code.Calls{Text: v.Name + "." + m.call + ";"}
					c.Before(s)
					c.Behind(s)
					out = append(out, c.Patches...)
				}
			}
		}
	}
	return code.Distinct(out)
}

// arrivalsAwaited lets a thread wait where it has arrived at a barrier before an access and discards the token: one arrival more would
// be one too many for the phase.
func arrivalsAwaited(p *code.Program, f *finding.Finding) (out []*code.Patch) {
	if !waits[f.Repair.Kind] {
		return nil
	}
	for _, at := range code.Places(f) {
		_, s := p.At(at.Loc.Pos)
		if s == nil || s.Outer == nil || !s.Outer.IsList() || at.Access != finding.Read {
			continue
		}
		for _, o := range s.Outer.Inner {
			if o.To > s.From {
				continue
			}
			for _, a := range code.AssembliesIn(o) {
				for i := range a.Instructions {
					out = append(out, waitsToo(a, &a.Instructions[i]))
				}
			}
			for _, call := range memberCalls(o.Node, "arrive") {
				m := code.Stripped(call.Child(0))
				if group := o.Text(m.Child(0)); group != "" && uncleaned(o.Node) == call && !slices.ContainsFunc(call.Inner[1:], func(n *syntax.Node) bool { return n.Kind != "CXXDefaultArgExpr" }) {
					edits := []code.Edit{o.File.Replace(o.From, o.To, group+".arrive_and_wait();")}
					out = append(out, &code.Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("wait in line %d, where the thread arrives", o.File.Line(o.From))})
				}
			}
		}
	}
	return code.Distinct(out)
}

// waitsToo lets a thread that arrives at a numbered barrier wait there.
func waitsToo(a *code.Assembly, in *ptx.Inline) *code.Patch {
	if in.Kind() != inst.BarrierArrive {
		return nil
	}
	for _, w := range in.Words {
		if w.Of(a.Text) == "arrive" {
			return a.Reword(in, w, "sync")
		}
	}
	return nil
}

// uncleaned is an expression without what ends the lives of its temporaries.
func uncleaned(n *syntax.Node) *syntax.Node {
	for n != nil && (n.Kind == "ExprWithCleanups" || n.Kind == "CStyleCastExpr" || n.Kind == "MaterializeTemporaryExpr" || n.Kind == "CXXBindTemporaryExpr") {
		n = n.Child(0)
	}
	return n
}

// maskCalls adds a __syncwarp() with the mask of the lanes that reach it: a mask that the function passes to
// other warp-level calls, or, in a branch, the ballot of its condition.
func maskCalls(p *code.Program, f *finding.Finding) []*code.Patch {
	if f.Repair.Kind != finding.AddSyncwarp {
		return nil
	}
	var out []*code.Patch
	for _, at := range code.Places(f) {
		fn, s := p.At(at.Loc.Pos)
		if s == nil {
			continue
		}
		for _, mask := range masksIn(fn, s) {
			c := code.Calls{Text: "__syncwarp(" + mask + ");"}
			c.Before(s)
			c.Behind(s)
			out = append(out, c.Patches...)
		}
		for o := s; o.Outer != nil; o = o.Outer {
			if name, before, inline := (masking{s}).lanes(o.Outer); name != "" {
				c := code.Calls{Text: "__syncwarp(" + name + ");", Edits: before, Inline: inline}
				c.Before(s)
				c.Behind(s)
				out = append(out, c.Patches...)
			}
		}
	}
	return code.Distinct(out)
}

// masksIn are the variables that can be named at a statement and that are the mask of a warp-level function.
func masksIn(fn *code.Function, s *code.Statement) (out []string) {
	ids := map[string]bool{}
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil {
			return
		}
		if n.Kind == "CallExpr" && takesMask(code.Callee(n)) {
			if mask := code.Stripped(n.Child(1)); mask != nil && mask.Ref != nil {
				ids[mask.Ref.ID] = true
			}
		}
		for _, in := range n.Inner {
			visit(in)
		}
	}
	visit(fn.Body.Node)
	for _, v := range fn.Visible(s) {
		if ids[v.ID] {
			out = append(out, v.Name)
		}
	}
	return out
}
