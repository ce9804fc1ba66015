package repair

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warpgrind/warpgrind/internal/finding"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/instrument/syntax"
	"github.com/warpgrind/warpgrind/internal/ptx"
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
	clusterSyncs = map[finding.RepairKind]bool{finding.AddBarrier: true, "cluster-barrier": true}
	gridSyncs    = map[finding.RepairKind]bool{finding.AddBarrier: true, "cluster-barrier": true, "split-kernel": true}
	waits        = map[finding.RepairKind]bool{"wait": true, "wait-there": true, "wait-for-all": true, "wait-for-writers": true}
)

// members calls, before and after the accesses of a finding, what the objects that can be named there have
// for its repair: the groups, pipelines and barriers.
func (p *Program) members(f *finding.Finding) []*Patch {
	out := arrivalsAwaited(p, f)
	for _, at := range places(f) {
		fn, s := p.at(at.Loc.Pos)
		if s == nil {
			continue
		}
		for _, v := range fn.visible(s) {
			for _, m := range methods[class(v)] {
				if m.of[f.Repair.Kind] {
					c := calls{text: v.Name + "." + m.call + ";"}
					c.before(s)
					c.behind(s)
					out = append(out, c.patches...)
				}
			}
		}
	}
	return distinct(out)
}

// arrivalsAwaited lets a thread wait where it has arrived at a barrier before an access and discards the token: one arrival more would
// be one too many for the phase.
func arrivalsAwaited(p *Program, f *finding.Finding) (out []*Patch) {
	if !waits[f.Repair.Kind] {
		return nil
	}
	for _, at := range places(f) {
		_, s := p.at(at.Loc.Pos)
		if s == nil || s.outer == nil || !s.outer.isList() || at.Access != finding.Read {
			continue
		}
		for _, o := range s.outer.inner {
			if o.to > s.from {
				continue
			}
			for _, a := range assembliesIn(o) {
				for i := range a.instructions {
					out = append(out, waitsToo(a, &a.instructions[i]))
				}
			}
			for _, call := range memberCalls(o.node, "arrive") {
				m := stripped(call.Child(0))
				if group := o.text(m.Child(0)); group != "" && uncleaned(o.node) == call && !slices.ContainsFunc(call.Inner[1:], func(n *syntax.Node) bool { return n.Kind != "CXXDefaultArgExpr" }) {
					edits := []Edit{{o.file.Name, o.from, o.to, group + ".arrive_and_wait();"}}
					out = append(out, &Patch{Edits: edits, Inline: edits, What: fmt.Sprintf("wait in line %d, where the thread arrives", o.file.line(o.from))})
				}
			}
		}
	}
	return distinct(out)
}

// waitsToo lets a thread that arrives at a numbered barrier wait there.
func waitsToo(a *assembly, in *ptx.Inline) *Patch {
	if in.Kind() != inst.BarrierArrive {
		return nil
	}
	for _, w := range in.Words {
		if w.Of(a.text) == "arrive" {
			return a.reworded(in, w, "sync")
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

// class is the name of a variable's class, without its namespace and what a template has as arguments.
func class(v *syntax.Node) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(v.Desugared, "const "), "<")
	name = strings.TrimRight(name, " &")
	return name[strings.LastIndex(name, ":")+1:]
}

// masked adds a __syncwarp() with the mask of the lanes that reach it: a mask that the function passes to
// other warp-level calls, or, in a branch, the ballot of its condition.
func (p *Program) masked(f *finding.Finding) []*Patch {
	if f.Repair.Kind != finding.AddSyncwarp {
		return nil
	}
	var out []*Patch
	for _, at := range places(f) {
		fn, s := p.at(at.Loc.Pos)
		if s == nil {
			continue
		}
		for _, mask := range fn.masks(s) {
			c := calls{text: "__syncwarp(" + mask + ");"}
			c.before(s)
			c.behind(s)
			out = append(out, c.patches...)
		}
		for o := s; o.outer != nil; o = o.outer {
			if name, before, inline := (masking{s}).lanes(o.outer); name != "" {
				c := calls{text: "__syncwarp(" + name + ");", edits: before, inline: inline}
				c.before(s)
				c.behind(s)
				out = append(out, c.patches...)
			}
		}
	}
	return distinct(out)
}

// masks are the variables that can be named at a statement and that are the mask of a warp-level function.
func (fn *function) masks(s *statement) (out []string) {
	ids := map[string]bool{}
	var visit func(n *syntax.Node)
	visit = func(n *syntax.Node) {
		if n == nil {
			return
		}
		if n.Kind == "CallExpr" && takesMask(callee(n)) {
			if mask := stripped(n.Child(1)); mask != nil && mask.Ref != nil {
				ids[mask.Ref.ID] = true
			}
		}
		for _, in := range n.Inner {
			visit(in)
		}
	}
	visit(fn.body.node)
	for _, v := range fn.visible(s) {
		if ids[v.ID] {
			out = append(out, v.Name)
		}
	}
	return out
}
