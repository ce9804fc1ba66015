package equivalent

import (
	"strings"

	"github.com/warpgrind/warpgrind/internal/analysis"
	"github.com/warpgrind/warpgrind/internal/graph"
	"github.com/warpgrind/warpgrind/internal/inst"
	"github.com/warpgrind/warpgrind/internal/ssa"
)

// prover follows what varies between blocks. "The same" always means: for one
// thread of the block, each time that it comes there.
type prover struct {
	f *ssa.Func
	a *analysis.Analysis
	// live are the blocks that are reached, taken the only way out of a block
	// whose branch is decided, -1 for others. doomed are those from which all
	// ways lead to a trap, which ends the launch.
	live, doomed []bool
	taken        []int
	// ipdom are the immediate post-dominators by the ways that are taken.
	ipdom []int
	// varies says by Value.ID that a value may vary, under by block that it may
	// vary whether a block runs, joins that the way to it may.
	varies, under, joins, split []bool
	// left are the loops that may be left in another round.
	left    map[*ssa.Loop]bool
	changed bool
	// visited bounds the blocks that all branches' regions have together.
	visited int
	// diverged is set if some branch may go different ways, byBlock if a block's
	// index decides one, reads that read-only memory was relied on.
	diverged, byBlock, reads bool
}

// maxVisits bounds prover.visited; beyond nothing is proved.
const maxVisits = 1 << 22

func newProver(f *ssa.Func, l Launch, part *analysis.Part) *prover {
	n := len(f.Blocks)
	p := &prover{f: f, live: make([]bool, n), doomed: make([]bool, n), taken: make([]int, n), varies: make([]bool, f.NumValues),
		under: make([]bool, n), joins: make([]bool, n), split: make([]bool, n), left: map[*ssa.Loop]bool{}}
	p.a = analysis.New(f, analysis.Env{Block: l.Block, Grid: l.Grid, Part: part, PtrAlign: 1,
		Param: func(name string, off, size int) (uint64, bool) {
			return analysis.Argument(f, l.Params, name, off, size)
		}})
	return p
}

// prove reports whether all events in shared memory are the same.
func (p *prover) prove() bool {
	if p.f.Irreducible {
		return false
	}
	p.findWays()
	for p.changed = true; p.changed; {
		p.changed = false
		for _, b := range p.f.Blocks {
			if p.live[b.ID] {
				p.visit(b)
			}
		}
		if p.visited > maxVisits {
			return false
		}
	}
	return p.sameEvents()
}

// findWays finds the blocks that are reached, those that end in a trap, and
// where ways meet again.
func (p *prover) findWays() {
	work := []*ssa.Block{p.f.Blocks[0]}
	p.live[0] = true
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		p.taken[b.ID] = p.decided(b)
		for i, s := range b.Succs {
			if p.takes(b, i) && !p.live[s.ID] {
				p.live[s.ID] = true
				work = append(work, s)
			}
		}
	}
	p.findDoomed()
	g := graph.New(len(p.f.Blocks))
	for _, b := range p.f.Blocks {
		for i, s := range b.Succs {
			if p.live[b.ID] && p.takes(b, i) && !p.doomed[s.ID] {
				g.Add(b.ID, s.ID)
			}
		}
	}
	p.ipdom = g.PostDominators()
}

// decided is the index of the only way out of a block that is taken, -1 if
// there may be several.
func (p *prover) decided(b *ssa.Block) int {
	if b.Control == nil {
		return -1
	}
	c, ok := p.a.Expr(b.Control, b).IsConst()
	switch {
	case !ok:
	case b.Kind == ssa.If && c != 0:
		return 0
	case b.Kind == ssa.If:
		return 1
	case c < uint64(len(b.Succs)):
		return int(c)
	}
	return -1
}

func (p *prover) takes(b *ssa.Block, i int) bool { return p.taken[b.ID] < 0 || p.taken[b.ID] == i }

// findDoomed finds the blocks that end in a trap whatever happens.
func (p *prover) findDoomed() {
	for again := true; again; {
		again = false
		for i := len(p.f.Blocks) - 1; i >= 0; i-- {
			b := p.f.Blocks[i]
			if p.live[i] && !p.doomed[i] && p.dooms(b) {
				p.doomed[i], again = true, true
			}
		}
	}
}

func (p *prover) dooms(b *ssa.Block) bool {
	if b.Kind == ssa.Exit {
		return b.Instr != nil && b.Instr.What().Kind != inst.Exit
	}
	for i, s := range b.Succs {
		if p.takes(b, i) && !p.doomed[s.ID] {
			return false
		}
	}
	return len(b.Succs) > 0
}

// visit looks again at the values of a block and at the branch at its end.
func (p *prover) visit(b *ssa.Block) {
	for _, v := range b.Values {
		if !p.varies[v.ID] && p.differs(v) {
			p.varies[v.ID], p.changed = true, true
		}
	}
	if b.Control != nil && !p.split[b.ID] && p.ways(b) > 1 && !p.same(b.Control, b) {
		p.split[b.ID], p.changed = true, true
		p.part(b)
	}
}

// ways counts the ways out of a block that do not end in a trap.
func (p *prover) ways(b *ssa.Block) (n int) {
	for i, s := range b.Succs {
		if p.takes(b, i) && !p.doomed[s.ID] {
			n++
		}
	}
	return n
}

// differs reports whether v is a value that may vary, by the facts so far.
func (p *prover) differs(v *ssa.Value) bool {
	switch v.Op {
	case ssa.Const, ssa.Addr:
		return false
	case ssa.Special:
		return !p.common(v.Name)
	case ssa.Param:
		return !p.f.PTX.Entry
	case ssa.Phi:
		return p.phiDiffers(v)
	case ssa.Load:
		p.reads = p.reads || v.Mem.ReadOnly
		return !v.Mem.ReadOnly || p.anyVaries(v)
	case ssa.Lane:
		return p.under[v.Block.ID] || !exchanges(v.Does.Kind) || p.anyVaries(v)
	case ssa.OpBarrier, ssa.Elem, ssa.ToGeneric, ssa.FromGeneric:
		return p.anyVaries(v)
	}
	return v.Op < ssa.Add || v.Op > ssa.Pure || p.anyVaries(v)
}

// common reports special registers that a thread finds the same in all blocks.
func (p *prover) common(name string) bool {
	base, _, _ := strings.Cut(name, ".")
	switch base {
	case "%tid", "%ntid", "%nctaid", "%laneid", "%warpid", "%nwarpid",
		"%lanemask_eq", "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt",
		"%total_smem_size", "%dynamic_smem_size":
		return true
	}
	return false
}

// exchanges reports operations whose result depends on the lanes that are named
// and on what they bring alone.
func exchanges(k inst.Kind) bool {
	return k == inst.Shuffle || k == inst.Vote || k == inst.Match || k == inst.Redux
}

func (p *prover) anyVaries(v *ssa.Value) bool {
	for _, x := range v.Args {
		if p.variesAt(x, v.Block) {
			return true
		}
	}
	return false
}

// variesAt reports whether x is a value that may vary as seen from a block: after a loop
// that may have been left in another round, all that it computed does.
func (p *prover) variesAt(x *ssa.Value, at *ssa.Block) bool {
	if p.varies[x.ID] {
		return true
	}
	if x.Op == ssa.Const {
		return false
	}
	for l := x.Block.Loop; l != nil && !l.Contains(at); l = l.Parent {
		if p.left[l] {
			return true
		}
	}
	return false
}

func (p *prover) phiDiffers(v *ssa.Value) bool {
	if p.joins[v.Block.ID] {
		return true
	}
	for i, x := range v.Args {
		from := v.Block.Preds[i]
		if p.live[from.ID] && p.leads(from, v.Block) && (p.variesAt(x, from) || p.variesAt(x, v.Block)) {
			return true
		}
	}
	return false
}

// leads reports whether the way from one block to the next may be taken.
func (p *prover) leads(from, to *ssa.Block) bool {
	t := p.taken[from.ID]
	return t < 0 || from.Succs[t] == to
}

// part notes what follows from a branch that may go different ways: until these
// meet, blocks may run or not; where they meet, values may be one side's or
// another's; and loops on the way may be left in different rounds.
func (p *prover) part(b *ssa.Block) {
	p.diverged = true
	p.byBlock = p.byBlock || p.decidedByBlock(b)
	meet := p.ipdom[b.ID]
	list := p.region(b, meet)
	p.visited += len(list)
	for _, x := range list {
		p.under[x.ID] = p.under[x.ID] || x.ID != meet
		p.joins[x.ID] = p.joins[x.ID] || len(x.Preds) > 1
	}
	for o := b.Loop; o != nil; o = o.Parent {
		out := meet < 0 || !o.Contains(p.f.Blocks[meet])
		for _, x := range list {
			out = out || !o.Contains(x)
		}
		if out {
			p.left[o] = true
		}
	}
}

// region lists the blocks between a branch at the end of b and where its ways
// meet, that one included.
func (p *prover) region(b *ssa.Block, meet int) (list []*ssa.Block) {
	seen := map[*ssa.Block]bool{}
	visit := func(x *ssa.Block) {
		for i, s := range x.Succs {
			if p.takes(x, i) && !p.doomed[s.ID] && !seen[s] {
				seen[s] = true
				list = append(list, s)
			}
		}
	}
	visit(b)
	for i := 0; i < len(list); i++ {
		if list[i].ID != meet {
			visit(list[i])
		}
	}
	return list
}

// same reports whether v is a value that does not vary as seen from a block: its operation
// says so, or its expression, in which much may have canceled out.
func (p *prover) same(v *ssa.Value, at *ssa.Block) bool {
	return !p.variesAt(v, at) || p.sameExpr(p.a.Expr(v, at), at)
}

func (p *prover) sameExpr(e *analysis.Expr, at *ssa.Block) bool {
	for _, s := range e.Syms() {
		if !p.sameSym(s, at) {
			return false
		}
	}
	return true
}

func (p *prover) sameSym(s *analysis.Sym, at *ssa.Block) bool {
	switch s.Kind {
	case analysis.Special:
		return p.common(s.Name)
	case analysis.Last:
		return !p.left[s.Loop]
	case analysis.Opaque:
		return !p.variesAt(s.Value, at)
	}
	return true
}

// decidedByBlock reports whether b is a branch whose condition a block's index is part of.
func (p *prover) decidedByBlock(b *ssa.Block) bool {
	for _, s := range p.a.Expr(b.Control, b).Syms() {
		if s.Kind == analysis.Special && strings.HasPrefix(s.Name, "%ctaid") {
			return true
		}
	}
	return false
}
